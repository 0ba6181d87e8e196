"""Foreign text inside our Markdown, judged by a CommonMark parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from websdk.budget.markdown import OUR_WORDS, escape_lines, excerpt, inline, link, one_line

HOSTILE = [
    "x](https://evil.test) [y",
    "One\n# Two",
    "One\u2028- Two",
    "`code` *star*",
    "<img src=x>",
    "a | b | c",
    "![pic](https://evil.test/p.png)",
    "<https://evil.test>",
    "[ref]: https://evil.test",
    "ends with \\",
    "\\[x](https://evil.test)",
    "&lt;b&gt; &#91;x&#93;(y)",
    "```\nfence",
    "\u202egnp.exe",
    "==\u0000==",
    "1. one\n2. two",
    "    indented",
    "> quote",
    "",
]
ADDRESSES = [
    "https://a.example/C_(lang)",
    "https://a.example/?a=1&copy;=2&b=<x>",
    "https://a.example/#a\\b\\",
    "https://a.example/a%20b>c",
    "https://a.example/x\ny",
    "https://bücher.example/ü?q=ü",
    "https://[2001:db8::1]:8443/",
    "https://a.example/\u202egnp",
    "https://a.example/`[x](y)`|z",
]


def parse(text):
    parser = MarkdownIt("commonmark")
    parser.normalizeLink = lambda url: url
    tokens = parser.parse(text)
    return tokens, [child for token in tokens for child in token.children or ()]


def targets(text):
    _, inner = parse(text)
    return [token.attrs["href"] for token in inner if token.type == "link_open"]


def kinds(text):
    outer, inner = parse(text)
    return {token.type for token in [*outer, *inner]}


@pytest.mark.parametrize("title", HOSTILE)
@pytest.mark.parametrize("url", ADDRESSES)
def test_a_title_and_an_address_make_one_link_and_nothing_else(title, url):
    from websdk.model.urls import serialise

    line = f"1. {link(title, url)}: {inline(title)}"

    assert 1 == len(line.splitlines())
    assert [_percent_encoded(serialise(url))] == targets(line)
    assert not kinds(line) & {
        "heading_open",
        "html_inline",
        "html_block",
        "image",
        "code_inline",
        "fence",
        "table_open",
    }
    assert 1 == sum(token.type == "list_item_open" for token in parse(line)[0])


def _percent_encoded(address):
    return "".join(
        character if " " < character < "\x7f" else "".join(f"%{byte:02X}" for byte in character.encode())
        for character in address
    )


@given(title=st.text(), text=st.text())
def test_whatever_stands_in_a_title_or_excerpt_makes_no_further_link(title, text):
    line = f"1. {link(title, 'https://a.example/x')}: {inline(text)}"

    assert ["https://a.example/x"] == targets(line)
    assert not kinds(line) & {"heading_open", "html_inline", "html_block", "image", "code_inline", "softbreak"}


def test_the_host_stands_for_an_empty_title():
    assert "[a.example](<https://a.example/x>)" == link("", "https://a.example/x")


def test_plain_text_is_left_as_it_is():
    text = "C:\\path, snake_case, 2 * 3 (see note) & more! #1"

    assert text == inline(text)


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("short", 10, "short"),
        ("one two three", 9, "one two…"),
        ("antidisestablishment", 8, "antidis…"),
        ("a\n\n b", 10, "a b"),
        ("ab\U0001f1e9\U0001f1ea!", 4, "ab…"),
        ("", 5, ""),
    ],
    ids=["fits", "at a blank", "long word", "folded", "flag kept whole", "empty"],
)
def test_an_excerpt_ends_with_a_mark_where_it_was_cut(text, limit, shown):
    assert shown == excerpt(text, limit)


@given(text=st.text(), limit=st.integers(2, 50))
def test_an_excerpt_keeps_to_its_limit(text, limit):
    assert len(excerpt(text, limit)) <= limit


@pytest.mark.parametrize("word", OUR_WORDS)
@pytest.mark.parametrize(
    "form", ["{}: x", "  {}: x", "> {}: x", "**{}**: x", "\u200b{} : x", "# {}\uff1a x", "a\n{}: x"]
)
@pytest.mark.parametrize("case", [str, str.upper, str.lower], ids=["as is", "upper", "lower"])
def test_a_page_line_that_begins_like_ours_is_escaped(word, form, case):
    text = form.format(case(word))

    escaped = escape_lines(text)

    assert 1 == escaped.count("\\")
    assert text == escaped.replace("\\", "")


@pytest.mark.parametrize("word", OUR_WORDS)
@pytest.mark.parametrize("ghost", ["\u200b", "\u2060", "\u00ad", "\ufe0f", "\U000e0041", "\u202e"])
def test_signs_nobody_sees_do_not_hide_a_word(word, ghost):
    for text in (f"{word[0]}{ghost}{word[1:]}: x", f"{word}{ghost}: x", f"_{ghost}{word}_: x"):
        assert text != escape_lines(text)
        assert text == escape_lines(text).replace("\\", "")


@pytest.mark.parametrize(
    "line", ["_Note_: x", "Note\\: x", "Note ~~:~~ x", "[Note]: x", "Note\ufe55 x", "Note\u0301: x"]
)
def test_marks_around_a_word_do_not_hide_it(line):
    assert line != escape_lines(line)


def test_a_long_line_of_signs_costs_no_more_than_its_length():
    text = "Note" + " *_" * 100_000

    assert text == escape_lines(text)


@pytest.mark.parametrize("text", ["Notes: x", "The next: x", "Results are in", "x Note: y", "Nextcloud: z"])
def test_other_lines_are_left_alone(text):
    assert text == escape_lines(text)


def test_many_blank_lines_cost_no_more_than_their_number():
    assert "\n" * 100_000 + "\\Note: x" == escape_lines("\n" * 100_000 + "Note: x")


def test_one_line_folds_every_kind_of_break():
    assert "a b c d e" == one_line("a\nb\r\nc\u2028d\x85e")
