"""Frames on a pipe: one JSON object and some bytes, each with its length before it."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

_LENGTHS = struct.Struct(">II")
# A page of 2 MiB makes a document of a few; whatever is larger did not come from this program.
MAX_FRAME_BYTES = 64 * 1024 * 1024


class Torn(Exception):
    """The pipe ended, or does not carry frames."""


def write_frame(pipe: BinaryIO, head: dict[str, Any], body: bytes = b"") -> None:
    """Write one frame and flush.

    Args:
        pipe: Where to.
        head: Plain JSON data.
        body: Bytes that go along.

    Raises:
        OSError: The other end is gone.
    """
    text = json.dumps(head, separators=(",", ":")).encode()
    pipe.write(_LENGTHS.pack(len(text), len(body)) + text)
    pipe.write(body)
    pipe.flush()


def read_frame(pipe: BinaryIO) -> tuple[dict[str, Any], bytes]:
    """Read one frame, waiting for it.

    Args:
        pipe: Where from.

    Returns:
        The JSON object and the bytes.

    Raises:
        Torn: The pipe ended before a whole frame, or what came is none.
    """
    head_length, body_length = _LENGTHS.unpack(_exactly(pipe, _LENGTHS.size))
    if head_length + body_length > MAX_FRAME_BYTES:
        raise Torn("a frame is longer than the bound")
    try:
        head = json.loads(_exactly(pipe, head_length))
    except (ValueError, RecursionError) as exc:
        raise Torn("a frame holds no JSON") from exc
    if not isinstance(head, dict):
        raise Torn("a frame holds no object")
    return head, _exactly(pipe, body_length)


def _exactly(pipe: BinaryIO, length: int) -> bytes:
    data = pipe.read(length)
    if len(data) != length:
        raise Torn("the pipe ended")
    return data
