from __future__ import annotations

import os
from pathlib import Path

import pytest
from websdk_index.folder import FileRefused, list_pages, load

from websdk.errors import InvalidRequest


def names_in(folder: Path) -> list[str]:
    return [file.name for file in list_pages(folder).files]


def test_pages_are_found_in_subfolders_by_their_ending_in_any_case(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b.html", "a.MD", "sub/c.txt", "sub/d.markdown", "e.htm", "image.png", "script.js"):
        (tmp_path / name).write_text("x")

    assert ["a.MD", "b.html", "e.htm", "sub/c.txt", "sub/d.markdown"] == names_in(tmp_path)
    assert {"other_kind": 2} == list_pages(tmp_path).skipped


def test_dot_files_and_everything_in_dot_folders_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "notes.md").write_text("x")
    (tmp_path / ".secret.md").write_text("x")

    listing = list_pages(tmp_path)

    assert () == listing.files
    assert {"dot_file": 2} == listing.skipped


def test_no_link_is_followed_wherever_it_leads(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("x")
    site = tmp_path / "site"
    site.mkdir()
    (site / "real.md").write_text("x")
    (site / "file.md").symlink_to(outside / "secret.md")
    (site / "folder").symlink_to(outside)
    (site / "loop").symlink_to(site)
    (site / "inside.md").symlink_to(site / "real.md")

    assert ["real.md"] == names_in(site)
    assert {"symlink": 4} == list_pages(site).skipped


def test_a_file_that_became_a_link_after_the_listing_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("x")
    [file] = list_pages(tmp_path).files
    (tmp_path / "page.md").unlink()
    (tmp_path / "page.md").symlink_to("/etc/hostname")

    with pytest.raises(FileRefused, match="cannot be opened"):
        load(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this platform has no named pipes")
def test_a_named_pipe_is_no_page_and_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("x")
    [file] = list_pages(tmp_path).files
    (tmp_path / "page.md").unlink()
    os.mkfifo(tmp_path / "page.md")

    assert [] == names_in(tmp_path)
    with pytest.raises(FileRefused, match="no longer a plain file"):
        load(file)


def test_a_file_of_the_bound_is_taken_and_one_byte_more_is_not(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_bytes(b"x" * 10)
    [file] = list_pages(tmp_path).files

    assert b"x" * 10 == load(file, max_bytes=10)[0]
    with pytest.raises(FileRefused, match="larger than 9 bytes"):
        load(file, max_bytes=9)


def test_a_folder_with_more_pages_than_the_bound_is_refused_whole(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.md").write_text("x")

    assert 4 == len(list_pages(tmp_path, max_files=4).files)
    with pytest.raises(InvalidRequest, match="more than 3 pages"):
        list_pages(tmp_path, max_files=3)


def test_a_folder_beyond_the_depth_is_named_and_not_entered(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * 66)
    deep.mkdir(parents=True)
    (deep / "page.md").write_text("x")

    listing = list_pages(tmp_path)

    assert () == listing.files
    assert [("/".join(["d"] * 65), "lies more than 64 folders deep")] == list(listing.closed)


def test_what_is_missing_or_no_page_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_text("x")

    with pytest.raises(InvalidRequest, match="gone: No such file"):
        list_pages(tmp_path / "gone")
    with pytest.raises(InvalidRequest, match=r"picture\.png is no page"):
        list_pages(tmp_path / "picture.png")
