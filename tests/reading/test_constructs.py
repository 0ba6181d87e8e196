"""Each construct of the web is read exactly, in the markup of at least five generators and kinds of site."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from websdk.model.document import Document
from websdk.reading import ReadingOptions, read_page

DATA = Path(__file__).resolve().parents[1] / "data"
FOLDER = DATA / "constructs"
FLOORS: dict[str, float] = json.loads((DATA / "extraction-floors.json").read_text("utf-8"))["constructs"]
PLACE = "https://site.example/pages/page.html"
LEAST_PAGES = 5


def _pages(construct: str) -> list[Path]:
    return sorted((FOLDER / construct).glob("*.html"))


def _read(path: Path, url: str = PLACE) -> Document:
    options = ReadingOptions(max_characters=None, include_images=path.parent.name == "image")
    return read_page(path.read_bytes(), url=url, content_type="text/html; charset=utf-8", options=options)


def _misses(path: Path) -> str:
    """What a page is read as against what it should be read as; empty where it is as it should be."""
    whole = path.with_suffix(".md")
    if whole.exists():
        read, wanted = _read(path).markdown, whole.read_text("utf-8").rstrip("\n")
        return "" if wanted == read else f"read as:\n{read}\n\nshould be:\n{wanted}"
    said = tomllib.loads(path.with_suffix(".toml").read_text("utf-8"))
    page = _read(path, said.get("url", PLACE))
    at = [page.markdown.find(part) for part in said["ordered"]]
    misses = [f"lost: {part}" for part in (*said["present"], *said["ordered"]) if part not in page.markdown]
    misses += [f"kept: {part}" for part in said["absent"] if part in page.markdown]
    if page.strategy != said["strategy"]:
        misses.append(f"read by: {page.strategy}")
    if at != sorted(at):
        misses.append(f"in another order: {at}")
    return "\n".join(misses)


@pytest.mark.parametrize("construct", FLOORS)
def test_construct_is_read_as_it_should_be(construct: str) -> None:
    missed = {path.stem: misses for path in _pages(construct) if (misses := _misses(path))}
    share = 1 - len(missed) / len(_pages(construct))

    assert FLOORS[construct] <= share, "\n\n".join(f"{name}: {misses}" for name, misses in missed.items())


def test_every_construct_has_a_floor_and_at_least_five_pages() -> None:
    counts = {folder.name: len(_pages(folder.name)) for folder in FOLDER.iterdir() if folder.is_dir()}

    assert set(FLOORS) == set(counts)
    assert {} == {name: count for name, count in counts.items() if count < LEAST_PAGES}


@pytest.mark.parametrize("broken", [lambda text: text.replace("<h1", "<h2"), lambda text: text.replace("Planting", "")])
def test_a_page_read_otherwise_is_noticed(tmp_path: Path, broken: Callable[[str], str]) -> None:
    good = FOLDER / "heading" / "sphinx.html"
    (tmp_path / "sphinx.html").write_text(broken(good.read_text("utf-8")), "utf-8")
    (tmp_path / "sphinx.md").write_text(good.with_suffix(".md").read_text("utf-8"), "utf-8")

    assert _misses(good) == ""
    assert _misses(tmp_path / "sphinx.html") != ""
