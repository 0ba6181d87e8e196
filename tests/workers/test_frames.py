"""Frames survive the pipe, and nothing else passes for one."""

from __future__ import annotations

import struct
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.workers.frames import MAX_FRAME_BYTES, Torn, read_frame, write_frame

HEADS = st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text()))


@given(st.lists(st.tuples(HEADS, st.binary())))
def test_frames_come_out_as_they_went_in(frames: list[tuple[dict[str, Any], bytes]]) -> None:
    pipe = BytesIO()
    for head, body in frames:
        write_frame(pipe, head, body)
    pipe.seek(0)

    assert frames == [read_frame(pipe) for _ in frames]


@given(HEADS, st.binary(), st.data())
def test_a_cut_frame_is_torn(head: dict[str, Any], body: bytes, data: st.DataObject) -> None:
    pipe = BytesIO()
    write_frame(pipe, head, body)
    whole = pipe.getvalue()
    cut = data.draw(st.integers(min_value=0, max_value=len(whole) - 1))

    with pytest.raises(Torn):
        read_frame(BytesIO(whole[:cut]))


@pytest.mark.parametrize(
    "data",
    [
        struct.pack(">II", 2, MAX_FRAME_BYTES) + b"{}",
        struct.pack(">II", 2, 0) + b"[]",
        struct.pack(">II", 2, 0) + b"{]",
        struct.pack(">II", 100_000, 0) + b"[" * 100_000,
    ],
    ids=["too long", "no object", "no json", "deep"],
)
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(Torn):
        read_frame(BytesIO(data))
