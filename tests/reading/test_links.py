"""Links lead where a browser would go."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.model.document import Document, Link
from websdk.reading.links import LinkBase

PAGE = "https://docs.example/guide/intro.html"


@pytest.mark.parametrize(
    ("href", "plain", "with_base"),
    [
        ("next", "https://docs.example/guide/next", "https://docs.example/v2/next"),
        ("../a", "https://docs.example/a", "https://docs.example/a"),
        ("/r", "https://docs.example/r", "https://docs.example/r"),
        ("?p=2", "https://docs.example/guide/intro.html?p=2", "https://docs.example/v2/?p=2"),
        ("//cdn.example/x", "https://cdn.example/x", "https://cdn.example/x"),
        ("https://o.example/y", "https://o.example/y", "https://o.example/y"),
        ("#part", "https://docs.example/guide/intro.html#part", "https://docs.example/v2/#part"),
        (" \n next\t", "https://docs.example/guide/next", "https://docs.example/v2/next"),
        ("a b", "https://docs.example/guide/a%20b", "https://docs.example/v2/a%20b"),
        ("\\win", "https://docs.example/win", "https://docs.example/win"),
        ("HTTPS://O.Example:443/Y", "https://o.example/Y", "https://o.example/Y"),
        ("mailto:me@x.example?subject=s", "mailto:me@x.example", "mailto:me@x.example"),
    ],
)
def test_link_is_resolved(read: Callable[..., Document], href: str, plain: str, with_base: str) -> None:
    inside = f'<p>See <a href="{href}">this</a>.</p>'

    assert (Link(text="this", url=plain),) == read(inside).links
    assert (Link(text="this", url=with_base),) == read(inside, head='<base href="/v2/">').links


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "blob:https://x.example/1",
        "file:///etc/passwd",
        "https://",
        "http://exa mple/",
    ],
)
def test_link_that_leads_nowhere_leaves_its_text(read: Callable[..., Document], href: str) -> None:
    page = read(f'<p>See <a href="{href}">this</a>.</p>')

    assert "See this." == page.markdown
    assert () == page.links


def test_address_with_parentheses_is_one_link(read: Callable[..., Document]) -> None:
    page = read('<p><a href="https://x.example/a_(b)">one</a> <a href="https://x.example/a(b">two</a></p>')

    assert "[one](https://x.example/a_(b)) [two](https://x.example/a\\(b)" == page.markdown


def test_only_the_first_base_counts(read: Callable[..., Document]) -> None:
    page = read('<p><a href="n">this</a></p>', head='<base href="/one/"><base href="/two/">')

    assert "https://docs.example/one/n" == page.links[0].url


def test_link_around_blocks_goes_to_the_first_text(read: Callable[..., Document]) -> None:
    page = read('<a href="/card"><h2>Title</h2><p>About it.</p></a>')

    assert "## [Title](https://docs.example/card)\n\nAbout it." == page.markdown


@given(st.text(max_size=80))
def test_resolved_link_is_absolute_and_stays_itself(href: str) -> None:
    base = LinkBase(PAGE)
    url = base.resolve(href)

    assert url is None or url.startswith(("https://", "http://", "mailto:"))
    if url is not None and not url.startswith("mailto:"):
        assert url == base.resolve(url)
