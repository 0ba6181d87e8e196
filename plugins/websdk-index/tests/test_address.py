from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websdk_index.address import checked_base, encoded, readable

from websdk.errors import InvalidRequest
from websdk.model.urls import parse

names = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=30).filter(
    lambda name: name not in (".", "..")
)


@given(st.lists(names, min_size=1, max_size=4))
def test_every_path_is_an_address_that_a_browser_leaves_as_it_is(segments: list[str]) -> None:
    base = "https://docs.example.com/guide/"
    url = base + encoded(tuple(segments))

    parsed = parse(url)
    assert parsed is not None
    assert url == parsed.href


@given(st.lists(names, min_size=1, max_size=4), st.lists(names, min_size=1, max_size=4))
def test_different_paths_have_different_addresses(one: list[str], other: list[str]) -> None:
    assert (one == other) == (encoded(tuple(one)) == encoded(tuple(other)))


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        (("a b#1.md",), "a%20b%231.md"),
        (("50%.md",), "50%25.md"),
        (("%2e%2e", "x.md"), "%252e%252e/x.md"),
        (("über", "q?.html"), "%C3%BCber/q%3F.html"),
        (("index.html",), "index.html"),
    ],
)
def test_reserved_characters_are_encoded(segments: tuple[str, ...], expected: str) -> None:
    assert expected == encoded(segments)


def test_a_name_that_is_no_text_is_encoded_byte_by_byte() -> None:
    assert "%FF.md" == encoded((os.fsdecode(b"\xff.md"),))


def test_a_name_is_shown_decoded_unless_it_could_move_the_cursor() -> None:
    assert "a b.md" == readable("a%20b.md")
    assert "a%1B[2J.md" == readable("a%1B[2J.md")


@pytest.mark.parametrize(
    ("given_url", "expected"),
    [
        ("https://docs.example.com", "https://docs.example.com/"),
        ("HTTPS://Docs.Example.COM:443/a/../guide", "https://docs.example.com/guide/"),
        ("http://localhost:8000/", "http://localhost:8000/"),
    ],
)
def test_a_base_address_is_normalised_and_ends_in_a_slash(given_url: str, expected: str) -> None:
    assert expected == checked_base(given_url)


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "docs.example.com",
        "ftp://x.example/",
        "https://x.example/?a=1",
        "https://x.example/#a",
        "https://u:p@x.example/",
    ],
)
def test_what_is_no_plain_web_address_is_no_base(bad: str) -> None:
    with pytest.raises(InvalidRequest):
        checked_base(bad)
