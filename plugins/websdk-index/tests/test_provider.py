from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from websdk_index import IndexProvider, database
from websdk_index import search as search_module
from websdk_index.database import Readers
from websdk_index.location import configured_file, default_file

from websdk.errors import ConfigurationError, DeadlineExceeded, Unavailable
from websdk.model import Filters, SearchRequest
from websdk.protocols import Call, ExplainsFilters, PlansSearches, WebSearchProvider

REQUEST = SearchRequest(query="gears")


def test_it_keeps_the_contracts_of_a_provider(tmp_path: Path) -> None:
    provider = IndexProvider(tmp_path / "none")

    assert isinstance(provider, WebSearchProvider)
    assert isinstance(provider, ExplainsFilters)
    assert isinstance(provider, PlansSearches)
    assert "index" == provider.id


def test_results_carry_the_stored_text_and_a_passage_of_it(desk: Any) -> None:
    text = "# Handbook\n\n" + "Nothing here. " * 100 + "The [gears](x.md) turn **slowly**. " + "Nothing there. " * 100
    desk.write("a.md", text)
    desk.add()
    [row] = desk.answer("gears slowly").results

    assert text.strip("\n") == row.content
    assert "The gears turn slowly ." in row.snippet.replace("slowly.", "slowly .")
    assert len(row.snippet) <= 320
    assert row.score is not None
    assert row.score > 0


def test_a_word_in_the_title_counts_more_than_in_the_text(desk: Any) -> None:
    desk.write("a.md", "# Mills\n\n" + "gears " * 3 + "corn " * 40)
    desk.write("b.md", "# Gears\n\n" + "corn " * 43)
    desk.add()

    assert ["https://docs.example.com/b.md", "https://docs.example.com/a.md"] == desk.urls("gears")


def test_pages_follow_each_other_without_gap_or_repetition(desk: Any) -> None:
    for number in range(7):
        desk.write(f"{number}.md", "gears " * (number + 1))
    desk.add()
    pages = [desk.answer("gears", max_results=3, page=page) for page in (1, 2, 3, 4)]

    assert [3, 3, 1, 0] == [len(page.results) for page in pages]
    assert [True, True, False, False] == [page.more for page in pages]
    whole = [row.url for row in desk.answer("gears", max_results=7).results]
    assert whole == [row.url for page in pages for row in page.results]


def test_a_page_far_beyond_the_last_is_empty(desk: Any) -> None:
    desk.write("a.md", "gears")
    desk.add()

    assert () == desk.answer("gears", page=10**30).results


def test_more_results_than_the_bound_are_adjusted_and_that_is_said(desk: Any) -> None:
    desk.write("a.md", "gears")
    desk.add()
    [adjustment] = desk.answer("gears", max_results=101).adjustments

    assert ("max_results", 101, 100) == (adjustment.what, adjustment.asked, adjustment.sent)
    assert () == desk.answer("gears", max_results=100).adjustments


def test_where_no_page_holds_all_the_words_those_with_some_are_shown_and_that_is_said(desk: Any) -> None:
    desk.write("a.md", "gears turn")
    desk.write("b.md", "mills grind")
    desk.add()

    assert ["https://docs.example.com/a.md"] == desk.urls("gears turn")
    answer = desk.answer("gears unheard")
    assert ["https://docs.example.com/a.md"] == [row.url for row in answer.results]
    assert ("no page holds all the words; these hold some of them",) == answer.notices
    assert () == desk.answer("unheard").results
    assert () == desk.answer("... --").results


def test_texts_beyond_the_room_of_one_answer_are_left_out_and_that_is_said(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "MAX_CONTENT_CHARACTERS", 14)
    for name in "abc":
        desk.write(f"{name}.md", "gears.")
    desk.add()
    answer = desk.answer("gears")

    assert 2 == sum(row.content == "gears." for row in answer.results)
    assert ("the text of 1 of the results was left out for room",) == answer.notices


def test_where_too_many_pages_match_titles_decide_and_that_is_said(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "SCORED_WORDS", 5)
    monkeypatch.setattr(search_module, "LEAST_SCORED_PAGES", 2)
    for number in range(9):
        desk.write(f"a{number}.md", "# Corn\n\ngears")
    desk.write("z.md", "# Gears\n\ncorn")
    desk.add()
    answer = desk.answer("gears", max_results=1)

    assert ["https://docs.example.com/z.md"] == [row.url for row in answer.results]
    assert answer.notices[0].startswith("more than 5 pages match")
    assert [None] == [row.score for row in answer.results]
    assert ["https://docs.example.com/z.md"] == desk.urls("gears unheard", max_results=1)
    pages = [url for page in (1, 2, 3, 4) for url in desk.urls("gears", max_results=2, page=page)]
    assert desk.urls("gears", max_results=8) == pages
    assert 6 == len(set(pages))


def test_searching_creates_nothing(tmp_path: Path, call: Callable[..., Call]) -> None:
    provider = IndexProvider(tmp_path / "deep" / "index.sqlite3")

    with pytest.raises(ConfigurationError, match="websdk index add"):
        asyncio.run(provider.search(REQUEST, call=call()))
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "content", [b"not a database at all, but a text of some length" * 30, b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_a_file_that_is_no_database_is_a_matter_of_configuration(
    tmp_path: Path, desk: Any, call: Callable[..., Call], content: bytes
) -> None:
    file = tmp_path / "index.sqlite3"
    file.write_bytes(content)
    desk.write("a.md", "gears")
    desk.index = file

    with pytest.raises(ConfigurationError, match="move the file away"):
        asyncio.run(IndexProvider(file).search(REQUEST, call=call()))
    with pytest.raises(ConfigurationError, match="move the file away"):
        desk.add()
    assert content == file.read_bytes()


def test_a_database_of_another_program_is_left_alone(tmp_path: Path, desk: Any, call: Callable[..., Call]) -> None:
    file = tmp_path / "theirs.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = file.read_bytes()
    desk.write("a.md", "gears")
    desk.index = file

    with pytest.raises(ConfigurationError, match="no index of websdk"):
        asyncio.run(IndexProvider(file).search(REQUEST, call=call()))
    with pytest.raises(ConfigurationError, match="no index of websdk"):
        desk.add()
    assert before == file.read_bytes()


def test_a_later_layout_is_refused_by_number(desk: Any) -> None:
    desk.write("a.md", "gears")
    desk.add()
    with closing(sqlite3.connect(desk.index)) as connection:
        connection.execute("PRAGMA user_version = 99")

    with pytest.raises(ConfigurationError, match="layout 99"):
        desk.answer("gears")


def test_a_damaged_index_is_named_as_such(desk: Any) -> None:
    for number in range(50):
        desk.write(f"{number}.md", "gears " * 500)
    desk.add()
    with desk.index.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xff" * (desk.index.stat().st_size - 4096))

    with pytest.raises(ConfigurationError, match="damaged"):
        desk.answer("gears")


def test_a_blank_file_counts_as_no_index_and_can_be_filled(desk: Any) -> None:
    desk.index.parent.mkdir(parents=True)
    desk.index.write_bytes(b"")
    desk.write("a.md", "gears")

    with pytest.raises(ConfigurationError, match="there is no index"):
        desk.answer("gears")
    desk.add()
    assert 1 == len(desk.urls("gears"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not stop this user")
def test_an_index_in_a_folder_that_nobody_may_write_to_is_searched(desk: Any) -> None:
    desk.write("a.md", "gears")
    desk.add()
    desk.index.parent.chmod(0o500)
    try:
        found = desk.urls("gears")
    finally:
        desk.index.parent.chmod(0o700)

    assert 1 == len(found)


@pytest.mark.parametrize("code", [sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY_DIRECTORY])
def test_where_no_side_file_can_be_made_the_file_alone_is_searched_unless_it_has_a_log(
    desk: Any, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    desk.write("a.md", "gears")
    desk.add()
    connect = database._connect

    def refusing(name: str, *, uri: bool = False) -> sqlite3.Connection:
        if "immutable" not in name:
            error = sqlite3.OperationalError("no side files")
            error.sqlite_errorcode = code
            raise error
        return connect(name, uri=uri)

    monkeypatch.setattr(database, "_connect", refusing)

    assert 1 == len(desk.urls("gears"))
    desk.index.with_name(desk.index.name + "-wal").write_bytes(b"")
    with pytest.raises(Unavailable):
        desk.urls("gears")


def test_an_index_that_is_replaced_is_searched_anew(desk: Any, new_desk: Callable[[], Any]) -> None:
    desk.write("a.md", "gears")
    desk.add()
    other = new_desk()
    other.write("b.md", "gears")
    other.add()
    assert ["https://docs.example.com/a.md"] == desk.urls("gears")
    shutil.copyfile(other.index, desk.index.with_name("new"))
    desk.index.with_name("new").replace(desk.index)

    assert ["https://docs.example.com/b.md"] == desk.urls("gears")


def test_a_search_does_not_hold_up_the_loop_and_ends_when_nobody_waits(
    desk: Any, call: Callable[..., Call], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.md", "gears")
    desk.add()
    started, ended = threading.Event(), threading.Event()

    def endless(file: Path, query: object, *, stop: threading.Event) -> None:
        started.set()
        stop.wait(20)
        ended.set()
        raise Unavailable("stopped", provider="index", sent=False)

    monkeypatch.setattr("websdk_index.provider.search", endless)

    async def cancelled() -> None:
        task = asyncio.create_task(IndexProvider(desk.index).search(REQUEST, call=call()))
        await asyncio.to_thread(started.wait, 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())

    assert ended.wait(20)


def test_the_deadline_of_the_call_ends_a_search(
    desk: Any, call: Callable[..., Call], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("websdk_index.provider.search", lambda file, query, *, stop: stop.wait(20))

    with pytest.raises(DeadlineExceeded):
        asyncio.run(IndexProvider(desk.index).search(REQUEST, call=call(deadline_s=0.01)))


def test_a_stopped_query_leaves_sqlite_at_once(desk: Any) -> None:
    for number in range(300):
        desk.write(f"{number}.md", "gears turn " * 50)
    desk.add()
    stop = threading.Event()
    stop.set()
    query = search_module.Query(text="gears turn", filters=Filters(), first=0, count=10, today=date(2026, 1, 1))

    with pytest.raises(Unavailable, match="INTERRUPT"):
        search_module.search(Readers(desk.index), query, stop=stop)


def test_the_plan_says_that_nothing_is_sent(tmp_path: Path) -> None:
    plan = IndexProvider(tmp_path / "none").plan(
        SearchRequest(query="gears", filters=Filters(country="DE")), today=date(2026, 1, 1)
    )

    assert plan.request is None
    assert ("country",) == plan.unsupported_filters


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, Path("/data/websdk/index.sqlite3")),
        ("linux", {"XDG_DATA_HOME": "data"}, Path.home() / ".local/share/websdk/index.sqlite3"),
        ("linux", {}, Path.home() / ".local/share/websdk/index.sqlite3"),
        ("darwin", {}, Path.home() / "Library/Application Support/websdk/index.sqlite3"),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/websdk/index.sqlite3")),
    ],
)
def test_the_default_file_lies_in_the_users_data_folder(platform: str, environ: dict[str, str], expected: Path) -> None:
    assert expected == default_file(environ, platform=platform)


def test_settings_name_the_file_and_nothing_else(tmp_path: Path) -> None:
    assert tmp_path / "x" == configured_file({"file": str(tmp_path / "x")})
    assert default_file() == configured_file({})
    with pytest.raises(ConfigurationError, match=r"plugin\.index\.path: unknown key"):
        configured_file({"path": "x"})
    with pytest.raises(ConfigurationError, match=r"plugin\.index\.file"):
        configured_file({"file": 3})


def test_one_provider_sees_what_is_written_and_what_takes_the_place_of_its_file(
    desk: Any, call: Callable[..., Call], tmp_path: Path
) -> None:
    provider = IndexProvider(desk.index)

    def found() -> int:
        return len(asyncio.run(provider.search(REQUEST, call=call())).results)

    desk.write("a.md", REQUEST.query)
    desk.add()
    before = found()
    other = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(desk.index)) as connection:
        connection.execute("VACUUM INTO ?", (str(other),))
    desk.write("b.md", f"{REQUEST.query} again")
    desk.add()
    after = found()
    for side in desk.index.parent.glob(f"{desk.index.name}-*"):
        side.unlink()
    other.replace(desk.index)

    assert (1, 2, 1) == (before, after, found())
