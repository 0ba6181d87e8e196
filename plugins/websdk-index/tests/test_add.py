from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from websdk_index import AddOptions, Refusal, Report, add_urls

from websdk.errors import AskAgain, DeadlineExceeded, InvalidRequest, NotFound, Redirected, Unreadable
from websdk.model import Document

OLD_NS = 1_700_000_000_000_000_000  # November 2023: long settled


def counts(report: Report) -> tuple[int, int, int, int, int]:
    return report.added, report.updated, report.unchanged, report.removed, report.refused


def age(path: Path, ns: int = OLD_NS) -> None:
    os.utime(path, ns=(ns, ns))


def test_each_file_gets_the_base_address_and_its_path(desk: Any) -> None:
    desk.write("index.html", "gears")
    desk.write("sub/a b.md", "gears too")

    assert (2, 0, 0, 0, 0) == counts(desk.add())
    assert {"https://docs.example.com/index.html", "https://docs.example.com/sub/a%20b.md"} == set(desk.urls("gears"))


def test_files_that_did_not_change_are_not_opened(desk: Any) -> None:
    path = desk.write("a.md", "gears")
    age(path)
    desk.add()
    path.chmod(0)

    assert (0, 0, 1, 0, 0) == counts(desk.add())


def test_a_file_with_a_new_time_and_the_same_bytes_is_not_read_again_but_dated_anew(desk: Any) -> None:
    path = desk.write("a.md", "gears")
    age(path)
    desk.add()
    age(path, OLD_NS + 86_400 * 10**9)

    assert (0, 1, 0, 0, 0) == counts(desk.add())
    assert date(2023, 11, 15) == desk.answer("gears").results[0].published
    assert (0, 0, 1, 0, 0) == counts(desk.add())


def test_a_dated_page_with_a_new_time_and_the_same_bytes_is_unchanged(desk: Any) -> None:
    path = desk.write("a.md", "---\ndate: 2024-05-06\n---\ngears")
    age(path)
    desk.add()
    age(path, OLD_NS + 1)

    assert (0, 0, 1, 0, 0) == counts(desk.add())
    assert date(2024, 5, 6) == desk.answer("gears").results[0].published


def test_a_change_that_keeps_size_and_time_is_seen_while_the_file_is_fresh(desk: Any) -> None:
    path = desk.write("a.md", "gears")
    stamp = path.stat().st_mtime_ns
    desk.add()
    path.write_text("mills")
    os.utime(path, ns=(stamp, stamp))

    assert (0, 1, 0, 0, 0) == counts(desk.add())
    assert [] == desk.urls("gears")
    assert 1 == len(desk.urls("mills"))


def test_pages_of_deleted_files_are_removed(desk: Any) -> None:
    path = desk.write("a.md", "gears")
    desk.write("b.md", "gears")
    desk.add()
    path.unlink()

    assert (0, 0, 1, 1, 0) == counts(desk.add())
    assert ["https://docs.example.com/b.md"] == desk.urls("gears")


def test_a_page_whose_file_is_now_refused_is_removed(desk: Any) -> None:
    path = desk.write("a.md", "gears")
    desk.add()
    path.write_text("")

    report = desk.add()

    assert (0, 0, 0, 1, 1) == counts(report)
    assert [Refusal(name="a.md", reason="cannot be read: empty")] == report.refusals
    assert [] == desk.urls("gears")


def test_another_base_address_moves_every_page(desk: Any) -> None:
    age(desk.write("a.md", "gears"))
    desk.add()

    assert (0, 1, 0, 0, 0) == counts(desk.add(base_url="https://new.example/x"))
    assert ["https://new.example/x/a.md"] == desk.urls("gears")
    assert [] == desk.urls("gears", include_domains=["docs.example.com"])


def test_two_folders_lie_side_by_side_in_one_index(desk: Any, tmp_path: Path) -> None:
    desk.write("a.md", "gears")
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.md").write_text("gears")
    desk.add()
    desk.add(other, base_url="https://other.example/")
    (other / "b.md").unlink()
    (other / "c.md").write_text("mills")
    desk.add(other, base_url="https://other.example/")

    assert ["https://docs.example.com/a.md"] == desk.urls("gears")
    assert ["https://other.example/c.md"] == desk.urls("mills")


def test_one_file_is_a_root_of_its_own(desk: Any) -> None:
    path = desk.write("sub/a.md", "gears")

    desk.add(path)

    assert ["https://docs.example.com/a.md"] == desk.urls("gears")


def test_an_address_of_two_files_is_shown_once(desk: Any) -> None:
    path = desk.write("a.md", "gears")
    for number in range(3):
        desk.write(f"b{number}.md", "gears and more")
    desk.add()
    desk.add(path)

    answer = desk.answer("gears", max_results=2)
    second = desk.answer("gears", max_results=2, page=2)

    assert 4 == len({row.url for row in answer.results + second.results})
    assert (True, False) == (answer.more, second.more)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not stop this user")
def test_pages_of_a_folder_that_cannot_be_listed_stay(desk: Any) -> None:
    desk.write("closed/a.md", "gears")
    desk.add()
    (desk.folder / "closed").chmod(0)
    try:
        report = desk.add()
    finally:
        (desk.folder / "closed").chmod(0o700)

    assert (0, 0, 0, 0, 1) == counts(report)
    assert 1 == len(desk.urls("gears"))


def test_a_folder_that_is_gone_changes_nothing(desk: Any) -> None:
    desk.write("a.md", "gears")
    desk.add()
    desk.folder.rename(desk.folder.with_name("moved"))

    with pytest.raises(InvalidRequest):
        desk.add()
    assert 1 == len(desk.urls("gears"))


def test_files_beyond_the_bound_of_bytes_are_refused_by_name_and_others_added(desk: Any) -> None:
    desk.write("large.md", "gears " * 100)
    desk.write("small.md", "gears")

    report = desk.add(max_file_bytes=100)

    assert (1, 0, 0, 0, 1) == counts(report)
    assert [Refusal(name="large.md", reason="is larger than 100 bytes")] == report.refusals


def test_an_address_longer_than_a_result_may_have_is_refused(desk: Any) -> None:
    desk.write("/".join(["d" * 200] * 11) + "/a.md", "gears")

    report = desk.add()

    assert 1 == report.refused
    assert "longer than 2,048" in report.refusals[0].reason


def test_a_time_stamp_that_no_calendar_has_leaves_the_page_without_a_date(desk: Any) -> None:
    path = desk.write("a.md", "gears")
    try:
        os.utime(path, ns=(2**62, 2**62))
    except (OSError, OverflowError):
        pytest.skip("this file system has no such time stamps")
    if path.stat().st_mtime_ns != 2**62:
        pytest.skip("this file system has no such time stamps")

    desk.add()

    assert 1 == len(desk.urls("gears"))


def test_the_index_is_readable_by_its_owner_alone(desk: Any) -> None:
    desk.write("a.md", "gears")
    desk.add()

    assert 0o600 == stat.S_IMODE(desk.index.stat().st_mode)
    assert 0o700 == stat.S_IMODE(desk.index.parent.stat().st_mode)


def test_titles_come_from_front_matter_then_heading_then_file_name(desk: Any) -> None:
    desk.write("a.md", "---\ntitle: 'The gears'\nlang: de\n---\n# Other\n\nmill")
    desk.write("b.md", "# A heading #\n\nmill")
    desk.write("c d.txt", "mill")
    desk.add()

    titles = {row.url.rsplit("/", 1)[1]: row.title for row in desk.answer("mill").results}
    assert {"a.md": "The gears", "b.md": "A heading", "c%20d.txt": "c d.txt"} == titles


async def fetched(url: str) -> Document:
    if "gone" in url:
        raise NotFound("the origin has no such page", status=404)
    if "moved" in url:
        raise Redirected("the page moved", destination="https://new.example/secret?q=1", status=301)
    if "slow" in url:
        raise DeadlineExceeded("the time ran out", deadline_s=1)
    if "later" in url:
        raise AskAgain("the origin is busy", status=503)
    return Document(url=url, title="Gears", markdown="gears of the web", published=date(2025, 1, 2), language="en")


def add_from_web(index: Path, *urls: str, fetch: Callable[..., Any] = fetched) -> Report:
    return asyncio.run(add_urls(index, urls, fetch=fetch, options=AddOptions()))


def test_pages_of_the_web_are_added_and_refused_ones_named(desk: Any) -> None:
    base = "https://docs.example.com/"
    report = add_from_web(
        desk.index, base + "a", base + "gone", base + "moved", base + "later", base + "slow", base + "a"
    )

    assert (1, 0, 0, 0, 4) == counts(report)
    assert ["is not there", "has moved to new.example: add its new address"] == [r.reason for r in report.refusals[:2]]
    assert [] == desk.urls("gears", recency="year")
    assert [base + "a"] == desk.urls("gears", published_after=date(2025, 1, 1))


def test_an_address_with_credentials_is_neither_read_nor_named_in_full(desk: Any) -> None:
    report = add_from_web(desk.index, "https://user:secret@docs.example.com/a", "https://")

    assert ["https://docs.example.com/a", "https://"] == [refusal.name for refusal in report.refusals]
    assert 0 == report.added


def test_a_link_that_leads_to_itself_is_no_folder(desk: Any) -> None:
    loop = desk.folder / "loop"
    loop.symlink_to(loop)

    with pytest.raises(InvalidRequest):
        desk.add(loop)


def test_a_page_that_its_origin_no_longer_has_is_removed_and_one_that_fails_stays(desk: Any) -> None:
    url = "https://docs.example.com/a"

    async def not_there(url: str) -> Document:
        raise NotFound("the origin has no such page", status=404)

    async def unreadable(url: str) -> Document:
        raise Unreadable("nothing to read", seen="empty")

    add_from_web(desk.index, url)
    assert (0, 1, 0, 0, 0) == counts(add_from_web(desk.index, url))
    assert (0, 0, 0, 0, 1) == counts(add_from_web(desk.index, url, fetch=unreadable))
    assert [url] == desk.urls("gears")
    assert (0, 0, 0, 1, 1) == counts(add_from_web(desk.index, url, fetch=not_there))
    assert [] == desk.urls("gears")


def test_a_cancelled_run_leaves_what_was_written_and_the_lock_free(desk: Any) -> None:
    for number in range(20):
        desk.write(f"{number}.md", "gears")

    async def cancelled() -> None:
        from websdk_index import add_path

        reached = asyncio.Event()

        async def read(body: bytes, *, url: str, content_type: str) -> Document:
            if url.endswith("/7.md"):
                reached.set()
                await asyncio.Event().wait()
            return Document(url=url, title="", markdown=body.decode())

        task = asyncio.create_task(
            add_path(
                desk.index, desk.folder, base_url="https://x.example/", read=read, options=AddOptions(batch_files=5)
            )
        )
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    report = desk.add(base_url="https://x.example/")

    assert 20 == len(desk.urls("gears", max_results=50))
    assert 20 == report.added + report.unchanged
    assert report.unchanged > 0


def test_the_full_text_index_holds_no_trace_of_removed_pages(desk: Any) -> None:
    path = desk.write("a.md", "gears 東京都")
    desk.write("b.md", "mills")
    desk.add()
    path.unlink()
    desk.add()

    with closing(sqlite3.connect(desk.index)) as connection:
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'words', 'row')")
        terms = [row[0] for row in connection.execute("SELECT term FROM temp.vocabulary")]
    assert "mill" in terms
    assert [] == [term for term in terms if term in ("gear", "東", "京", "都")]
