"""Literal search in stored text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.evidence import Match, find


@pytest.mark.parametrize(
    ("text", "wanted", "match"),
    [
        ("One two One", "one", Match(start=0, end=3, count=2)),
        ("aaaa", "aa", Match(start=0, end=2, count=2)),
        ("cost: $5.00 (max)", "$5.00 (MAX)", Match(start=6, end=17, count=1)),
        ("5x00", "5.00", None),
        ("ÄRGER und ärger", "Ärger", Match(start=0, end=5, count=2)),
        ("", "a", None),
    ],
    ids=["letter case", "no overlap", "punctuation", "no pattern", "beyond ascii", "empty text"],
)
def test_first_place_and_number_of_places(text, wanted, match):
    assert match == find(text, wanted)


@given(before=st.text(), wanted=st.text(min_size=1), after=st.text())
def test_a_text_that_is_there_is_found_at_an_exact_place(before, wanted, after):
    text = before + wanted + after

    match = find(text, wanted)

    assert match is not None
    assert match.start <= len(before)
    assert match.end - match.start == len(wanted)
