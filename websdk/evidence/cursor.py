"""Cursors: opaque places in stored evidence, each bound to its entry and position by a keyed hash."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b

from websdk.errors import CursorInvalid
from websdk.model.evidence import Ref

_POSITION_BYTES = 4
_TAG_BYTES = 8  # with the position 12 bytes, which base64 writes in 16 characters without padding
CURSOR_CHARACTERS = 16


class Cursors:
    """Makes and checks the cursors of one session.

    Args:
        key: Random bytes of the session; whoever does not know them cannot make a cursor.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def at(self, ref: Ref, position: int) -> str:
        """Return the cursor of *position* (from 0) in *ref*: a character of a passage, or a result of an entry."""
        place = position.to_bytes(_POSITION_BYTES, "big")
        return urlsafe_b64encode(place + self._tag(ref, place)).decode("ascii")

    def position(self, ref: Ref, cursor: str, *, length: int) -> int:
        """Return the position that *cursor* marks in *ref*.

        Args:
            ref: What is read on.
            cursor: The cursor as the caller copied it.
            length: Positions that exist, counted from 0.

        Raises:
            CursorInvalid: It was altered, belongs to another ref, or lies outside.
        """
        try:
            raw = urlsafe_b64decode(cursor.encode("ascii"))
        except ValueError:
            raw = b""
        place, tag = raw[:_POSITION_BYTES], raw[_POSITION_BYTES:]
        position = int.from_bytes(place, "big")
        # The spelling is compared too, because base64 decoders skip what they do not know.
        genuine = hmac.compare_digest(tag, self._tag(ref, place)) and cursor == self.at(ref, position)
        if not genuine or position >= length:
            raise CursorInvalid("the cursor does not belong to this ref: copy the next call as it was given")
        return position

    def _tag(self, ref: Ref, place: bytes) -> bytes:
        return blake2b(f"cursor {ref} ".encode() + place, key=self._key, digest_size=_TAG_BYTES).digest()
