"""A read ends in a document that says how it came about, or in a failure that says what was seen."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from websdk.errors import Unreadable
from websdk.model.document import Document
from websdk.reading import ReadingOptions, Seen, Strategy, read_page

Read = Callable[..., Document]
PROSE = "The river rose in the night, and by the morning the lower town stood under water up to the first windows. "
MENU = "<nav><ul>" + "".join(f'<li><a href="/{n}">Section {n} of the site</a></li>' for n in range(30)) + "</ul></nav>"


def _article(paragraphs: int) -> str:
    body = "".join(f"<p>{PROSE * 3} Paragraph {n}.</p>" for n in range(paragraphs))
    more = "".join(f'<li><a href="/m{n}">Another story about something, number {n}</a></li>' for n in range(12))
    return (
        f'{MENU}<div class="story"><h1>Flood</h1>{body}</div><div class="related"><h3>Related</h3><ul>{more}</ul></div>'
    )


def test_facts_are_read_from_the_head(read: Read) -> None:
    page = read(
        "<p>text</p>",
        head='<title> A  title </title><link rel="canonical" href="/c"><meta property="article:published_time" '
        'content="2026-03-04T05:06:07Z"><meta http-equiv="content-language" content="de-CH">',
    )

    assert "A title" == page.title
    assert "https://docs.example/c" == page.canonical_url
    assert datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC) == page.published
    assert "de-CH" == page.language


@pytest.mark.parametrize(
    ("head", "day"),
    [
        ('<meta name="date" content="2026-03-04">', date(2026, 3, 4)),
        ('<meta name="date" content="2026-03-04T10:00:00">', date(2026, 3, 4)),
        ('<script type="application/ld+json">{"datePublished": "2026-03-04"}</script>', date(2026, 3, 4)),
        ('<meta name="date" content="last week">', None),
        ('<meta name="date" content="2026-13-44">', None),
    ],
)
def test_day_of_publication(read: Read, head: str, day: date | None) -> None:
    assert day == read("<p>text</p>", head=head).published


def test_menu_and_related_stories_are_left_out_of_an_article(read: Read) -> None:
    page = read(_article(8))

    assert Strategy.GUIDED == page.strategy
    assert 8 == page.markdown.count("Paragraph ")
    assert "Section 3 of the site" not in page.markdown
    assert "Another story" not in page.markdown


def test_documentation_is_read_from_its_container(read: Read) -> None:
    page = read(
        f"{MENU}<div class='body' role='main'><h1>API</h1><p>Words.</p><pre>code</pre></div><footer>By us</footer>",
        head='<meta name="generator" content="Docutils 0.20">',
    )

    assert Strategy.DOCUMENTATION == page.strategy
    assert "# API\n\nWords.\n\n```\ncode\n```" == page.markdown


def test_code_between_paragraphs_of_an_article_stays(read: Read) -> None:
    steps = "".join(f"<p>{PROSE * 4} Step {n}.</p><pre>run {n}</pre>" for n in range(3))
    page = read(f'{MENU}<div class="story"><h1>Flood</h1>{steps}<p>{PROSE}</p></div>', url="https://news.example/today")

    assert Strategy.GUIDED == page.strategy
    assert all(f"```\nrun {n}\n```" in page.markdown for n in range(3))


def test_code_under_its_label_stays(read: Read) -> None:
    steps = "".join(f"<p>{PROSE * 4} Step {n}.</p><div>Terminal</div><pre>run {n}</pre>" for n in range(3))
    page = read(f'{MENU}<div class="story"><h1>Flood</h1>{steps}<p>{PROSE}</p></div>', url="https://news.example/today")

    assert Strategy.GUIDED == page.strategy
    assert all(f"```\nrun {n}\n```" in page.markdown for n in range(3))


def test_steps_that_are_told_twice_stay(read: Read) -> None:
    step = "<li><p>On the Surface menu, click Sweep 1 Rail, and press Enter.</p></li>"
    round_ = f"<p>{PROSE * 4}</p><ol>{step}<li><p>Select the next rail of the headphone.</p></li></ol>"
    page = read(f'{MENU}<div class="story"><h1>Flood</h1>{round_ * 3}</div>', url="https://news.example/today")

    assert Strategy.GUIDED == page.strategy
    assert 3 == page.markdown.count("On the Surface menu")


def test_headings_that_a_list_of_contents_names_before_stay(read: Read) -> None:
    titles = [f"What the river did to the lower town in week {n}" for n in range(4)]
    contents = "".join(f"<li><a href='#w{n}'>{title}</a></li>" for n, title in enumerate(titles))
    parts = "".join(f"<h2 id='w{n}'>{title}</h2><p>{PROSE * 4} {n}.</p>" for n, title in enumerate(titles))
    story = f'<div class="story"><h1>Flood</h1><p>{PROSE * 2}</p><ul>{contents}</ul>{parts}</div>'
    page = read(f"{MENU}{story}", url="https://news.example/today")

    assert Strategy.GUIDED == page.strategy
    assert all(f"## {title}\n" in page.markdown for title in titles)


def test_item_that_two_lists_have_in_common_stays_in_both(read: Read) -> None:
    def product(name: str) -> str:
        own = f"<li>The {name} weighs little for what it carries.</li><li>The {name} was made in the town itself.</li>"
        common = "<li>The boards do not rot under water.</li>"
        return f"<h2>The {name}</h2><p>{PROSE * 3} {name}.</p><ul>{own}{common}</ul>"

    story = "".join(map(product, ("raft", "skiff", "punt")))
    page = read(f'{MENU}<div class="story"><h1>Boats</h1>{story}</div>', url="https://news.example/today")

    assert Strategy.GUIDED == page.strategy
    assert 3 == page.markdown.count("- The boards do not rot under water.")


def test_passage_shown_twice_is_read_once_with_its_headings_and_lists(read: Read) -> None:
    items = "".join(f"<li>The boards of the raft number {n} did not rot.</li>" for n in range(3))
    story = f"<h2>What became of the rafts of the town</h2><p>{PROSE * 9}</p><ul>{items}</ul>"
    wide, narrow = (f'<div class="story {name}">{story}</div>' for name in ("wide", "narrow"))
    page = read(f"{MENU}<main><h1>Flood</h1>{wide}{narrow}</main>", url="https://news.example/today")

    assert Strategy.GUIDED == page.strategy
    assert 1 == page.markdown.count("What became of the rafts")
    assert 1 == page.markdown.count("The boards of the raft number 2")
    assert 9 == page.markdown.count("The river rose")


def test_tables_inside_tables_without_end_are_read_without_a_second_opinion(read: Read) -> None:
    page = read(f"<p>{PROSE * 20}</p>" + "<table><tr><td>x" * 600, url="https://news.example/today")

    assert Strategy.WHOLE == page.strategy
    assert PROSE.strip() in page.markdown


def test_declarations_in_a_doctype_are_no_text() -> None:
    body = (
        b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd" [\n'
        b'<!ENTITY name "value">\n]>\n<html><body><p>Just this.</p></body></html>'
    )

    assert "Just this." == read_page(body, url="https://a.test/", content_type="application/xhtml+xml").markdown


def test_short_page_is_read_whole(read: Read) -> None:
    page = read(f"{MENU}<main><h1>Hi</h1><p>Just this.</p></main>", url="https://news.example/today")

    assert Strategy.WHOLE == page.strategy
    assert "# Hi\n\nJust this." == page.markdown


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ('<div id="app"></div><script src="/a.js"></script>', "script_shell"),
        ('<div id="app">Loading...</div><script src="/a.js"></script>', "script_shell"),
        ("<div>You need to enable JavaScript to run this app.</div><script></script>", "script_shell"),
        ("<h1>Before you continue</h1><p>We use cookies. Accept all cookies?</p>", "consent_wall"),
        ('<h1>Welcome back</h1><p>Sign in to continue</p><input type="password">', "login"),
        ("<form><label>Email</label><input><label>Password</label><input type=password></form>", "login"),
        (
            "<nav><a href='/'>Home</a></nav><form><h1>Sign in to Acme</h1><label>Email</label><input>"
            "<label>Password</label><input type='PASSWORD'><button>Sign in</button>"
            "<p>Forgot your password? <a href='/r'>Reset it</a>. New to "
            "Acme? <a href='/j'>Create an account</a> and start your free trial of thirty days today.</p></form>",
            "login",
        ),
        ("<input type='password'>", "login"),
        ("<h1>Just a moment...</h1><p>Verifying you are human.</p>", "challenge"),
        ("<div></div>", "empty"),
    ],
)
def test_page_without_content_says_what_was_seen(read: Read, body: str, seen: str) -> None:
    with pytest.raises(Unreadable) as failure:
        read(body)

    assert seen == failure.value.seen


@pytest.mark.parametrize(
    "body",
    [
        "<h1>captcha()</h1><p>Draws a captcha and returns its text.</p>",
        "<p>You must be logged in before calling <code>send()</code>.</p>",
        "<pre>--accept-cookies</pre><p>Accept all cookies that a server sets.</p>",
        "<script></script><p>This library requires JavaScript 1.8.</p>",
        "<table><tr><th>Error</th><th>Text</th></tr><tr><td>401</td><td>Please log in to continue</td></tr></table>",
    ],
)
def test_short_page_about_walls_is_no_wall(read: Read, body: str) -> None:
    assert read(body).markdown


def test_base_and_title_of_a_template_do_not_count(read: Read) -> None:
    page = read(
        "<template><base href='/no/'><title>No</title></template><a href='x'>a</a> text", head="<title>T</title>"
    )

    assert "T" == page.title
    assert "[a](https://docs.example/guide/x) text" == page.markdown


def test_short_page_with_a_login_in_its_head_is_read(read: Read) -> None:
    page = read(f"<form>Log in: <input><input type='password'></form><main><h1>News</h1><p>{PROSE * 2}</p></main>")

    assert PROSE.strip() in page.markdown


@pytest.mark.parametrize("reference", ["&#27;", "&#x1b;", "&#0027", "&#30;", "&#29;", "&#x7F;", "&#0;"])
def test_reference_to_a_control_character_shows_nothing(read: Read, reference: str) -> None:
    page = read(
        f"<p>a{reference}]0;b <a href='/x'>c{reference}d</a> <code>e{reference}f</code></p><pre>g{reference}h</pre>",
        head=f"<title>T{reference}U</title>",
    )

    shown = page.markdown + page.title + "".join(link.text for link in page.links)
    assert not [char for char in shown if (char < " " and char != "\n") or char == "\x7f"]
    assert "]0;b" in page.markdown


@pytest.mark.parametrize(
    ("reference", "letter"),
    [
        ("&#146;", "\u2019"),
        ("&#150;", "\u2013"),
        ("&#x80;", "\u20ac"),
        ("&#0133", "\u2026"),
        ("&#129;", ""),
        ("&#13;", ""),
    ],
)
def test_reference_to_a_control_of_the_upper_half_is_a_letter(read: Read, reference: str, letter: str) -> None:
    assert f"a{letter}b" == read(f"<p>a{reference}b</p>").markdown


def test_page_with_json_for_scripts_alone_is_a_shell(read: Read) -> None:
    with pytest.raises(Unreadable) as failure:
        read('<div id="app"></div>', head=f'<script type="application/ld+json">{{"articleBody": "{PROSE}"}}</script>')

    assert "script_shell" == failure.value.seen


def test_text_is_cut_to_its_budget(read: Read) -> None:
    page = read(_article(8), options=ReadingOptions(max_characters=900))

    assert page.truncated
    assert len(page.markdown) <= 900


HOSTILE = {
    "attributes": "<div " + " ".join(f'a{n}="1"' for n in range(100_000)) + ">x</div>",
    "attributes with brackets": "<div " + " ".join(f'a{n}=">"' for n in range(60_000)) + ">x</div>",
    "spans": "<span>wo rd</span>" * 50_000,
    "linked paragraphs": "".join(f'<p><a href="/{n}">some text {n}</a></p>' for n in range(20_000)),
    "nested": "<div>" * 20_000 + "deep",
    "nested lists": "<ul><li>a" * 5_000,
    "nested tables": "<table><tr><td>a" * 3_000,
    "spans of cells": "<table>" + "<tr><td rowspan=9999 colspan=9999>x" * 3_000 + "</table>",
    "brackets": "[" * 200_000,
    "open comments": "<!--" * 100_000,
    "open tags": '<a "' * 100_000,
    "panels": '<div class="tab-pane" hidden>a</div>' * 3_000,
    "style rules": "<style>" + ".a{display:none}" * 40_000 + "</style>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_markup_ends_soon(name: str) -> None:
    started = time.process_time()
    body = f"<p>{PROSE}</p>{HOSTILE[name]}".encode()
    try:
        page = read_page(body, url="https://x.example/", content_type="text/html")
    except Unreadable as failure:
        outcome: object = failure.seen
    else:
        outcome = page.markdown

    # Each of these costs a plain parser or extractor 7 to 80 s; the bound leaves room for a slow machine.
    assert time.process_time() - started < 6
    assert outcome


def test_lost_markup_is_said() -> None:
    body = ("<p>text</p><div " + " ".join(f"a{n}=1" for n in range(1_000)) + ">x</div>").encode()
    page = read_page(body, url="https://x.example/", content_type="text/html")

    assert page.incomplete
    assert page.notices


def test_deep_markup_is_said() -> None:
    page = read_page(b"<p>text</p>" + b"<div>" * 400 + b"deep", url="https://x.example/", content_type="text/html")

    assert page.incomplete


def test_too_many_elements_are_refused() -> None:
    with pytest.raises(Unreadable) as failure:
        read_page(b"<p>a" * 300_000, url="https://x.example/", content_type="text/html")

    assert "too_complex" == failure.value.seen


@pytest.mark.parametrize(
    "body",
    [b"<code>" * 1_000, b"<p>text " + b"<dl><dt>" * 7_500, b"<div>" * 200_000 + b"text"],
    ids=["spans", "terms", "blocks"],
)
def test_nesting_without_end_is_read_or_named_and_never_breaks_off(body):
    def outcome() -> str:
        try:
            return read_page(body, url="https://docs.example/").markdown
        except Unreadable as failure:
            return failure.seen

    said = outcome()

    assert said == Seen.TOO_COMPLEX or (said == Seen.EMPTY and b"text" not in body) or "text" in said
