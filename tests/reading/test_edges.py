"""Menus and questions about the page at the ends of documentation do not pass for its text."""

from __future__ import annotations

import pytest

from websdk.reading import read_page

BODY = (
    "<h1>Using the reader</h1><p>The reader takes bytes and gives text, see below for what it keeps.</p>"
    "<pre>read(body)</pre><h2>See also</h2><ul><li><a href='/a'>The writer</a></li><li><a href='/b'>Other</a></li></ul>"
)


def read(before: str, after: str) -> str:
    markup = (
        "<html><head><meta name='generator' content='Sphinx'></head><body><div class='rst-content'>"
        f"{before}{BODY}{after}</div></body></html>"
    )
    return read_page(markup.encode(), url="https://docs.example.org/", content_type="text/html").markdown


PLAIN = read("", "")


def test_the_text_between_the_ends_stays() -> None:
    assert "The writer" in PLAIN
    assert PLAIN.startswith("# Using the reader")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<ul><li><a href='/de'>Deutsch</a></li><li><a href='/fr'>Fran\u00e7ais</a></li></ul>", ""),
        ("<table><tr><td><a href='/p'>Prev</a></td><td><a href='/n'>Next</a></td></tr></table>", ""),
        ("", "<table><tr><td><a href='/p'>Prev</a></td><td><a href='/n'>Next</a></td></tr></table>"),
        ("", "<div><a href='/p'><div>Previous</div></a><a href='/n'><div>Next</div></a></div>"),
        ("", "<h2>Feedback</h2><p>Was this page helpful?</p><p>Yes</p><p>No</p>"),
        ("", "<div><span>RATE THIS PAGE</span><div>\u2605 \u2605 \u2605</div></div><a href='#'>Back to top</a>"),
        ("", "<div>Is this page useful? <a href='/e'>Edit this page</a></div>"),
        (
            "",
            "<h2>Help improve us</h2><x-vote><template shadowrootmode='open'><label>Was this page helpful?</label>"
            "<div><x-button><template shadowrootmode='open'><span><slot></slot></span></template>Yes</x-button></div>"
            "</template></x-vote>",
        ),
        ("", "<p>Last modified on 3 May by <a href='/who'>somebody</a></p><div><a href='/e'>Edit this page</a></div>"),
    ],
)
def test_menus_and_questions_about_the_page_go(before: str, after: str) -> None:
    assert read(before, after) == PLAIN


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("<p>A word before the heading that is no menu, with <a href='/x'>one link</a>.</p>", "", "no menu"),
        ("", "<p>Next, the pages are cut into pieces, each of which is weighed alone.</p>", "cut into pieces"),
        ("", "<h2>Next steps</h2><p>Install it and read the first page of your own.</p>", "Next steps"),
        ("", "<div>Go on with the <a href='/n'>next chapter</a></div>", "next chapter"),
        ("", "<pre>next()</pre>", "next()"),
    ],
)
def test_text_at_the_ends_stays(before: str, after: str, kept: str) -> None:
    assert kept in read(before, after)
