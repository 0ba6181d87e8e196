"""The content of documentation is found by what holds it, and what is a menu goes whatever it is called."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from websdk.model.document import Document
from websdk.reading import Strategy

Read = Callable[..., Document]
PROSE = "<p>The reader takes bytes and gives text, and says what it left out and why it did.</p>"
CHAPTERS = "".join(f"<dt><a href='chapter-{n}.html'>{n}. Chapter about something</a></dt>" for n in range(1, 9))
LINKS = "".join(f"<li><a href='/p{n}'>Page number {n} of the manual</a></li>" for n in range(40))


@pytest.mark.parametrize(
    "menu",
    [
        "<div class='dropdown-panel'><ol>{links}</ol></div>",
        "<ul class='dropdown-menu'>{links}</ul>",
        "<div class='toc'><ul>{links}</ul></div>",
        "<nav><ul>{links}</ul></nav>",
        "<div role='navigation'><ul>{links}</ul></div>",
        "<ul class='sidebar-links'>{links}</ul>",
    ],
)
def test_menu_inside_of_the_content_goes(read: Read, menu: str) -> None:
    page = read(f"<main>{menu.format(links=LINKS)}<h1>Reading</h1>{PROSE * 12}</main>")

    assert Strategy.DOCUMENTATION == page.strategy
    assert "Page number" not in page.markdown
    assert page.markdown.startswith("# Reading")


def test_navigation_is_navigation_even_where_it_is_most_of_the_page(read: Read) -> None:
    page = read(f"<div><nav><ul>{LINKS * 5}</ul></nav></div><main><h1>Reading</h1>{PROSE * 4}</main>")

    assert "Page number" not in page.markdown
    assert 4 == page.markdown.count("The reader takes bytes")


def test_navigation_that_holds_the_text_is_a_misnomer(read: Read) -> None:
    page = read(f"<nav><h1>Reading</h1>{PROSE * 30}</nav>")

    assert 30 == page.markdown.count("The reader takes bytes")


def test_landing_page_keeps_the_list_of_its_chapters(read: Read) -> None:
    page = read(f"<div id='docContent'><h1>Part I</h1><div class='toc'><dl>{CHAPTERS}</dl></div></div>")

    assert all(f"{n}. Chapter about something" in page.markdown for n in range(1, 9))


def test_page_of_text_loses_the_list_of_its_chapters(read: Read) -> None:
    page = read(f"<div id='docContent'><h1>Part I</h1><div class='toc'><dl>{CHAPTERS}</dl></div>{PROSE * 12}</div>")

    assert "Chapter about something" not in page.markdown


def test_list_of_sections_goes_from_a_landing_page(read: Read) -> None:
    sections = "".join(f"<li><a href='#s{n}'>Section {n} of this</a></li>" for n in range(6))
    page = read(f"<div id='docContent'><h1>Part I</h1><div class='toc'><ul>{sections}</ul></div>{PROSE}</div>")

    assert "of this" not in page.markdown


@pytest.mark.parametrize(
    ("url", "strategy"),
    [
        ("https://docs.example/start", Strategy.DOCUMENTATION),
        ("https://example.test/docs/start", Strategy.DOCUMENTATION),
        ("https://example.test/en/manual/start", Strategy.DOCUMENTATION),
        ("https://example.test/2026/guide/start", Strategy.GUIDED),
        ("https://example.test/start", Strategy.GUIDED),
    ],
)
def test_page_without_code_is_documentation_by_its_address(read: Read, url: str, strategy: Strategy) -> None:
    page = read(f"<main><h1>Reading</h1>{PROSE * 20}</main>", url=url)

    assert strategy == page.strategy


def test_generators_container_needs_little_of_the_page(read: Read) -> None:
    events = "<div class='events'>" + "<p>Another conference about databases takes place in spring.</p>" * 12 + "</div>"
    page = read(f"{events}<div id='docContent'><h1>Reading</h1>{PROSE * 4}</div>")

    assert "conference" not in page.markdown
    assert 4 == page.markdown.count("The reader takes bytes")


def test_heading_and_notes_outside_of_the_content_come_along(read: Read) -> None:
    page = read(
        "<div id='header'><h1>Reading</h1></div>"
        f"<div id='content'>{PROSE * 12}<p>Known.<sup>[<a href='#footnote1' id='back1'>1</a>]</sup></p></div>"
        "<div id='footnotes'><div id='footnote1'><a href='#back1'>1</a>. By some.</div></div>",
        head="<title>Reading - The manual</title>",
    )

    assert page.markdown.startswith("# Reading\n\nThe reader takes bytes")
    assert page.markdown.endswith("Known.[^1]\n\n[^1]: By some.")


def test_name_of_the_site_is_no_heading_of_the_page(read: Read) -> None:
    page = read(
        f"<div><h1>The manual</h1></div><div id='content'>{PROSE * 12}</div>",
        head="<title>Reading - The manual</title>",
    )

    assert "# The manual" not in page.markdown


def test_comments_that_are_most_of_a_page_are_its_content(read: Read) -> None:
    comments = "".join(f"<div class='comment'><p>Answer {n}. {PROSE[3:]}</div>" for n in range(4))

    assert "Answer 3." in read(f"<p>A question?</p>{comments}").markdown
    assert "Answer 3." not in read(f"<article>{PROSE * 12}</article>{comments}").markdown


def test_longest_post_of_a_thread_is_not_the_whole_thread(read: Read) -> None:
    posts = "".join(f"<div class='markdown-body'><p>Post {n}.</p>{PROSE * n}</div>" for n in range(1, 4))

    assert all(f"Post {n}." in read(f"<main>{posts}</main>").markdown for n in range(1, 4))
