"""Where texts may be cut."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from websdk.model.graphemes import cut

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAG = "\U0001f1e9\U0001f1ea"

PARTS = ["a", " ", "\r", "\n", "e\u0301", "\u0301", FAMILY, FLAG, "\U0001f1e9", "\u0e33", "\u1100", "\u1161"]

texts = st.lists(st.sampled_from(PARTS)).map("".join)


@pytest.mark.parametrize(
    ("text", "start", "limit", "end"),
    [
        ("abcdef", 0, 3, 3),
        ("abcdef", 4, 9, 6),
        ("ab" + FAMILY, 0, 4, 2),
        ("ab" + FAMILY, 2, 5, 7),
        (FLAG + FLAG, 0, 3, 2),
        ("ae\u0301x", 0, 2, 1),
        ("a\r\nb", 0, 2, 1),
        (FAMILY, 0, 2, 2),
    ],
    ids=["ascii", "past the end", "before a family", "whole family", "flags", "combining", "crlf", "too long to keep"],
)
def test_a_cut_keeps_what_a_reader_sees_as_one_character(text, start, limit, end):
    assert end == cut(text, start, limit)


@given(text=texts, limit=st.integers(1, 12))
def test_pieces_joined_are_the_text_and_split_no_cluster_that_fits(text, limit):
    joined = ""
    start = 0
    clusters = [match.span() for match in regex.finditer(r"\X", text)]
    while start < len(text):
        end = cut(text, start, limit)
        split = [last - first for first, last in clusters if first < end < last]
        joined += text[start:end]

        assert start < end <= start + limit
        assert all(length > limit for length in split)
        start = end

    assert text == joined
