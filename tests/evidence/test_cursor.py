"""Cursors go on at their place and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.errors import CursorInvalid
from websdk.evidence import Cursors
from websdk.evidence.cursor import CURSOR_CHARACTERS
from websdk.model import Ref

REF = Ref(handle="abc1", number=3)
CURSORS = Cursors(b"k" * 16)


@given(position=st.integers(0, 2**24))
def test_a_cursor_gives_back_its_position(position):
    cursor = CURSORS.at(REF, position)

    assert CURSOR_CHARACTERS == len(cursor)
    assert position == CURSORS.position(REF, cursor, length=position + 1)


@given(position=st.integers(0, 10_000), at=st.integers(0, CURSOR_CHARACTERS - 1), other=st.characters())
def test_any_altered_character_is_refused(position, at, other):
    cursor = CURSORS.at(REF, position)
    altered = cursor[:at] + other + cursor[at + 1 :]
    if altered == cursor:
        return

    with pytest.raises(CursorInvalid):
        CURSORS.position(REF, altered, length=20_000)


@pytest.mark.parametrize("change", ["", "\n", " ", "=", "A"])
def test_anything_added_or_taken_away_is_refused(change):
    cursor = CURSORS.at(REF, 5)

    with pytest.raises(CursorInvalid):
        CURSORS.position(REF, cursor + change if change else cursor[:-1], length=10)


@pytest.mark.parametrize(
    "ref", [Ref(handle="abc1"), Ref(handle="abc1", number=2), Ref(handle="abc2", number=3)], ids=str
)
def test_a_cursor_of_another_ref_is_refused(ref):
    with pytest.raises(CursorInvalid):
        CURSORS.position(ref, CURSORS.at(REF, 5), length=10)


def test_a_cursor_of_another_session_is_refused():
    with pytest.raises(CursorInvalid):
        CURSORS.position(REF, Cursors(b"other").at(REF, 5), length=10)


def test_a_position_behind_the_end_is_refused():
    with pytest.raises(CursorInvalid):
        CURSORS.position(REF, CURSORS.at(REF, 10), length=10)


def test_a_cursor_tells_nothing_of_its_place_to_the_eye():
    assert CURSORS.at(REF, 1)[6:] != CURSORS.at(REF, 2)[6:]
