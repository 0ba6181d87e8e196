"""Pages as texts: what is generated is current, links lead somewhere, one sentence stands on a line."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
OWN = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
PAGES = [*OWN, *sorted(ROOT.glob("plugins/**/README.md"))]


def _name(path):
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def generate():
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _generated():
    return [page for page in PAGES if "<!-- generated:" in page.read_text("utf-8")]


@pytest.mark.parametrize("page", _generated(), ids=_name)
def test_generated_parts_say_what_the_code_says(page, generate):
    text = page.read_text("utf-8")

    assert generate.filled(text) == text, "run make docs"


def test_page_of_every_vendor_says_what_its_preset_says(generate):
    written = generate.vendor_pages()

    assert set(written) == set(generate.VENDORS.glob("*.md")), "run make docs"
    assert [] == [page.name for page, text in written.items() if page.read_text("utf-8") != text], "run make docs"


def test_every_generator_has_its_place(generate):
    named = {name for page in _generated() for name in re.findall(r"<!-- generated: ([a-z-]+) -->", page.read_text())}

    assert set(generate.GENERATORS) == named


def _anchors(page):
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _links(page):
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text("utf-8")):
        for child in token.children or ():
            if child.type == "link_open":
                yield child.attrGet("href")


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_within_the_repository_lead_somewhere(page):
    lost = []
    for link in _links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in _anchors(target)):
            lost.append(link)

    assert [] == lost


def _sentences_on(line):
    """How many sentences end within *line*, abbreviations and code aside."""
    text = re.sub(r"`[^`]*`|\]\([^)]*\)", "x", line)
    return len(re.findall(r"[.!?](?= [A-Z])", text))


@pytest.mark.parametrize("page", OWN, ids=_name)
def test_one_sentence_stands_on_a_line(page):
    text = re.sub(r"<!-- generated:.*?<!-- end -->", "", page.read_text("utf-8"), flags=re.S)
    text = re.sub(r"^```.*?^```$|<!--.*?-->", "", text, flags=re.M | re.S)
    crowded = [line for line in text.splitlines() if not line.startswith(("|", "#")) and _sentences_on(line)]

    assert [] == crowded


def test_every_page_is_linked_from_the_readme_or_its_index():
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        for link in _links(page)
        if not re.match(r"[a-z]+:|#", link)
    }
    lonely = [
        _name(page)
        for page in sorted((ROOT / "docs").rglob("*.md"))
        if page not in linked and "changes" not in page.parts
    ]

    assert [] == lonely
