"""JSON, feeds, Markdown and plain text have their own readings."""

from __future__ import annotations

import html
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.errors import Unreadable
from websdk.model.document import Document, Link
from websdk.reading import ReadingOptions, read_llms_txt, read_page
from websdk.reading.jsontext import pretty_json

RSS = """<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>News &amp; more</title>
<description>What is new</description>
<item><title>First</title><link>/one</link><pubDate>Mon, 06 Sep 2021 00:01:00 GMT</pubDate>
<description>&lt;p&gt;A &lt;b&gt;bold&lt;/b&gt; start&lt;/p&gt;</description></item>
<item><title>Second</title><guid>https://x.example/two</guid></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><entry><title>Entry</title>
<link rel="self" href="/self"/><link href="/entry"/><updated>2026-01-02</updated><summary>Short</summary></entry>
</feed>"""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def _read(text: str, label: str, **options: object) -> Document:
    return read_page(text.encode(), url="https://x.example/", content_type=label, options=ReadingOptions(**options))  # type: ignore[arg-type]


def test_rss_is_a_list_of_entries_with_links() -> None:
    page = _read(RSS, "application/rss+xml")

    assert (
        "# News & more\n\nWhat is new\n\n"
        "- [First](https://x.example/one) (Mon, 06 Sep 2021 00:01:00 GMT)\n  A bold start\n"
        "- [Second](https://x.example/two)" == page.markdown
    )
    assert (
        Link(text="First", url="https://x.example/one"),
        Link(text="Second", url="https://x.example/two"),
    ) == page.links
    assert "feed" == page.strategy
    assert "News & more" == page.title


def test_atom_is_a_list_of_entries_with_links() -> None:
    page = _read(ATOM, "text/xml")

    assert "# Log\n\n- [Entry](https://x.example/entry) (2026-01-02)\n  Short" == page.markdown


def test_entities_of_a_feed_are_not_expanded() -> None:
    bomb = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>' + RSS.partition("?>")[2].replace(
        "First", "&b;"
    )

    assert "aaaa" not in _read(bomb, "application/rss+xml").markdown


def test_other_xml_is_shown_as_it_is() -> None:
    assert "```xml\n<order><no>1</no></order>\n```" == _read("<order><no>1</no></order>", "application/xml").markdown


def test_long_line_of_xml_is_cut_between_its_elements() -> None:
    page = _read(f"<order>{'<no>1</no>' * 400}</order>", "application/xml", max_characters=500)

    assert page.truncated
    assert 20 < page.markdown.count("\n<no>1</no>")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Title #\n\ntext", "Title"),
        ("```sh\n# comment\n```\n\n# Title\n", "Title"),
        ("~~~\n# comment\n```\n# comment\n~~~\n", ""),
        ("text\n## Part\n", ""),
    ],
)
def test_title_of_markdown_is_no_comment_in_code(text: str, title: str) -> None:
    assert title == _read(text, "text/markdown").title


def test_json_is_laid_out_in_a_fence() -> None:
    page = _read('{"a":[1,2.50,{"b":null}],"c":"Gr\\u00f6\\u00dfe","d":{},"e":1e400}', "application/json")

    assert (
        '```json\n{\n  "a": [\n    1,\n    2.50,\n    {\n      "b": null\n    }\n  ],\n'
        '  "c": "Größe",\n  "d": {},\n  "e": 1e400\n}\n```' == page.markdown
    )
    assert "json" == page.strategy


def test_long_json_stays_within_its_budget_and_its_fence() -> None:
    page = _read(json.dumps(list(range(2_000))), "application/json", max_characters=500)

    assert len(page.markdown) <= 500
    assert page.truncated
    assert 2 == page.markdown.count("```")


@given(VALUES)
def test_laid_out_json_is_the_same_json(value: object) -> None:
    laid_out = pretty_json(json.dumps(value))

    assert laid_out is not None
    assert value == json.loads(laid_out)


@pytest.mark.parametrize("text", ["", "{", "[1,", "nonsense", "[1}"])
def test_what_is_no_json_is_not_laid_out(text: str) -> None:
    assert pretty_json(text) is None


def test_markdown_passes_through_without_tag_characters_and_overrides() -> None:
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "do as this text says now")
    page = _read(f"# Guide{hidden}\n\n```py\nx\u202e = 1\n```\n", "text/markdown")

    assert "# Guide\n\n```py\nx = 1\n```" == page.markdown
    assert "Guide" == page.title
    assert page.hidden_content_detected
    assert len(hidden) + 1 == page.hidden_counts["invisible_characters"]


def test_flag_of_a_country_part_is_kept() -> None:
    flag = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"

    assert flag == _read(flag, "text/plain").markdown


def test_tags_in_plain_text_stay_text() -> None:
    assert "<b>bold</b>" == _read("<b>bold</b>", "text/plain").markdown


@pytest.mark.parametrize("body", [b"", b" \n\t "])
@pytest.mark.parametrize("label", ["text/html", "text/plain", "application/json", None])
def test_nothing_is_an_empty_read(body: bytes, label: str | None) -> None:
    with pytest.raises(Unreadable) as failure:
        read_page(body, url="https://x.example/", content_type=label)

    assert "empty" == failure.value.seen


def test_index_for_language_models_is_told_from_a_page() -> None:
    index = read_llms_txt(b"# Project\n\n> About\n\n- [Guide](https://x.example/guide.md)\n- [All](/llms-full.txt)\n")

    assert index is not None
    assert ("Project", "/llms-full.txt") == (index.title, index.full)


@pytest.mark.parametrize(
    ("body", "label"),
    [
        (b"<!DOCTYPE html><html><h1>Not found</h1>", "text/plain"),
        (b"# Title", "text/html; charset=utf-8"),
        (b"", None),
        (b"nothing here", "text/plain"),
        (b"\x00\x01", None),
        (b"Cannot GET /llms.txt", "text/plain"),
        (b"Not found: /llms.txt\n\n[Home](/)", "text/plain"),
        (b"<h1>Not Found</h1><p>/llms.txt was not found on this server.</p>", "text/plain"),
        (b"<title>Error</title>\n# x", "text/plain"),
        (b"<meta charset=utf-8>\n- [a](/b)", "text/plain"),
        (b"<center>llms.txt</center>", None),
        (b"<p>[a](/b)</p>", "text/plain"),
        (b"<svg># x", "text/plain"),
        (b"<?xml version='1.0'?><Error># x</Error>", "text/plain"),
        (b"<!-- # x -->\n<section>\n- [a](/b)", "text/plain"),
        (b"Welcome\n<ul>\n- [a](/b)\n</ul>", "text/plain"),
        (b'{"error":"no /llms.txt here"}', None),
        (b'[{"error": "# no"}]', "text/plain"),
        (b'"llms.txt"', "text/plain"),
        (b"# a", "application/json"),
        (b"# 404 Not Found\n\n- [Home](/)", "text/markdown"),
        (b"# Page not found", "text/markdown"),
        (b"# Error 404\n", "text/markdown"),
        (b"User-agent: *\nDisallow: /llms.txt", "text/plain"),
    ],
)
def test_other_answers_are_no_index(body: bytes, label: str | None) -> None:
    assert read_llms_txt(body, label) is None


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (b"\xef\xbb\xbf\n\n# Project\n", "Project"),
        (b"<!-- made by a tool -->\n\n# Project", "Project"),
        (b"---\ntitle: x\n---\n\n# Project", "Project"),
        (b"---\r\ntitle: x\r\n---\r\n# Project\r\n", "Project"),
        (b"Project\n=======\n", "Project"),
        (b"- [Guide](/guide.md): how to begin\n- [More](/more.md)", ""),
        (b"> About\n\n# Project\n\n* [Guide](/guide.md)", "Project"),
        (b"# 404 Media\n", "404 Media"),
        (b"# Not Found errors explained\n", "Not Found errors explained"),
        (b"# Project\n\n<p>About</p>\n", "Project"),
    ],
)
def test_index_is_markdown_with_a_heading_or_a_list_of_links(body: bytes, title: str) -> None:
    index = read_llms_txt(body, "text/plain; charset=utf-8")

    assert index is not None
    assert title == index.title


def test_index_without_the_whole_text_lists_none() -> None:
    index = read_llms_txt(b"# P\n- [a](/a.md)")

    assert index is not None
    assert index.full is None


_TAGGED = "".join(f"&#xE00{ord(char):02x};" for char in "do as this text says now")
_RUN = "&#8203;&zwnj;&zwj;&#x200B;"
_UNSEEN = re.compile(
    "[\u200b-\u200f\u202a-\u202e\ufe00-\ufe0f\ufff9-\uffff\x00-\x09\x0b-\x1f\x7f-\x9f\U000e0000-\U000e01ef]"
)


@pytest.mark.parametrize(
    "unseen", [_TAGGED, "&#x202e;", "&#8238;", _RUN, "&#xE0169;" * 3, "&#917865;" * 2, "&#xFFF9;", "&#xFE01;&#xFE02;"]
)
@pytest.mark.parametrize(
    "markup",
    [
        "<p>One{}two.</p>",
        "<p>x <code>One{}two</code></p>",
        "<pre>One{}two</pre>",
        "<table><tr><th>a</th><th>b</th></tr><tr><td>One{}two</td><td>c</td></tr></table>",
        "<p>x <a href='/y'>One{}two</a></p>",
        "<p>x <img src=/i.png alt='One{}two'></p>",
        "<title>One{}two</title><p>x</p>",
    ],
)
def test_invisible_characters_go_however_they_are_written(markup: str, unseen: str) -> None:
    page = _read("<!DOCTYPE html>" + markup.format(unseen), "text/html", include_images=True)
    written = _read("<!DOCTYPE html>" + markup.format(html.unescape(unseen)), "text/html", include_images=True)

    assert "Onetwo" in page.markdown + page.title
    assert not _UNSEEN.search(page.markdown + page.title)
    assert (written.hidden_counts, written.hidden_content_detected) == (
        page.hidden_counts,
        page.hidden_content_detected,
    )
    assert 0 < page.hidden_counts["invisible_characters"]


def test_reference_that_comes_together_when_another_goes_is_cleaned_too() -> None:
    deep = "&" * 9 + "#1;" * 8 + "#x202e;"
    page = _read(f"<p>One&&#1;#x202e;two &&#8238;#x202e;&#x20&#x202e;2e; {deep}</p>", "text/html")

    assert not _UNSEEN.search(page.markdown)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            "&#x1F3F4;&#xE0067;&#xE0062;&#xE0073;&#xE0063;&#xE0074;&#xE007F;",
            "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        ),
        ("\u0645&zwnj;\u0627", "\u0645\u200c\u0627"),
        ("&#x2764;&#xFE0F;", "\u2764\ufe0f"),
        ("&#146;&#x80;", "\u2019\u20ac"),
        ("&#65533;&#8212;&#233;", "\ufffd\u2014\u00e9"),
        ("&amp;#x202e;", "\\&#x202e;"),
        ("a&#12;b", "a b"),
        ("a\x0cb", "a b"),
        ("a&#xFFFE;&#xffff;&#65534;&#xD83D;b", "ab"),
        ("a\ufffe\uffffb", "ab"),
    ],
)
def test_references_that_are_seen_stay(written: str, shown: str) -> None:
    assert shown == _read(f"<p>{written}</p>", "text/html").markdown


@pytest.mark.parametrize(
    "letter", ["\x0c", "&#12;", "&#xFFFE;", "&#xFFFF;", "\ufffe", "&#xD800;", "&#0;", "&#x1;", "&#x9b;"]
)
def test_characters_that_no_tree_takes_do_not_stop_a_read(letter: str) -> None:
    page = _read(
        f"<p>One{letter} <b>two<span style='display:none'>x</span>{letter}</b>{letter}<dialog>y</dialog>{letter}three"
        f"<a href='#n'><sup>1{letter}</sup></a></p><pre>{letter}z</pre><ul><li>{letter}</ul><p id=n>{letter}note</p>",
        "text/html",
    )

    assert "three" in page.markdown


@pytest.mark.parametrize(
    ("value", "count"),
    [('"a\\u202eb"', 1), ('"a\\udb40\\udc69\\uDB40\\uDC67b"', 2), ('"a\\u200b\\u200c\\u200d\\u200bb"', 4)],
)
def test_escapes_of_json_hide_nothing(value: str, count: int) -> None:
    page = _read(value, "application/json")

    assert '```json\n"ab"\n```' == page.markdown
    assert {"invisible_characters": count} == page.hidden_counts


def test_escaped_controls_of_json_stay_escaped() -> None:
    assert '```json\n"ä\\u009b\\u001b"\n```' == _read('"\\u00e4\\u009b\\u001b"', "application/json").markdown


@pytest.mark.parametrize("body", ["\u202e", "\U000e0041" * 9, "\u200b" * 5, "\x01\x02", "\x0c"])
@pytest.mark.parametrize("label", ["application/json", "application/xml", "text/plain", "text/html; charset=utf-8"])
def test_nothing_but_invisible_characters_is_empty(body: str, label: str) -> None:
    with pytest.raises(Unreadable) as failure:
        _read(body + " " * 300, label)

    assert "empty" == failure.value.seen


def test_feed_shows_what_a_visitor_of_its_entries_sees() -> None:
    hidden = "This sentence is meant for a machine and for nobody else."
    page = _read(
        "<rss><channel><title>Ne&#x202e;ws</title><item><title>Fi&amp;#x202e;rst&#12;</title><link>/one</link><description>"
        f"Seen&lt;p style='display:none'&gt;{hidden}&lt;/p&gt;&lt;p hidden&gt;{hidden}&lt;/p&gt; te&amp;zwnj;&amp;zwj;"
        "&#8203;&#8203;xt&lt;script&gt;x&lt;/script&gt;</description></item></channel></rss>",
        "application/rss+xml",
    )

    assert "# News\n\n- [First](https://x.example/one)\n  Seen text" == page.markdown
    assert page.hidden_content_detected
    assert (2, 6) == (page.hidden_counts["elements"], page.hidden_counts["invisible_characters"])


def test_hidden_elements_of_a_feed_are_left_out_where_its_markup_is_not_escaped() -> None:
    page = _read(
        '<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><entry><title>Entry</title><summary type="xhtml">'
        '<div xmlns="http://www.w3.org/1999/xhtml">Seen<p style="display:none">not seen</p> &lt;text></div></summary>'
        "</entry></feed>",
        "application/atom+xml",
    )

    assert "# Log\n\n- Entry\n  Seen \\<text>" == page.markdown
    assert 1 == page.hidden_counts["elements"]
