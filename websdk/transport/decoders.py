"""Content codings undone step by step, so that no step can grow beyond its bound. Pure."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from websdk.protocols.transport import FailureKind, TransportFailure

# What one step may produce: deflate grows a thousandfold at most, so a step of the input never fills memory.
STEP_BYTES = 64 * 1024

# A proxy in front of a server may code what is coded already; a third layer has no honest use.
MAX_CODINGS = 2

# Each member of a gzip stream sets up 40 KB of state; real streams of many members (block gzip) carry 64 KB a member.
MAX_MEMBERS = 10_000

ACCEPT_ENCODING = "gzip, deflate"
_KNOWN_BY_NAME = frozenset({"br", "zstd", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip"})

_GZIP, _ZLIB, _RAW = 31, 15, -15  # window bits by which zlib tells the three wrappings apart
_GZIP_MAGIC = b"\x1f\x8b"


class Gzip:
    """Undoes ``gzip``, every member of it; zero bytes after the last one are padding."""

    def __init__(self) -> None:
        self._member: zlib._Decompress | None = None
        self._members = 0
        self._head = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what *data* decodes to, at most :data:`STEP_BYTES` at a time.

        Raises:
            TransportFailure: The bytes are not gzip.
        """
        data = self._head + data
        self._head = b""
        while data:
            if self._member is None:
                data = self._next_member(data)
            if self._member is None:
                return
            produced = _inflate(self._member, data)
            data = self._member.unconsumed_tail
            if produced:
                yield produced
            if self._member.eof:
                data = self._member.unused_data
                self._member = None

    def _next_member(self, data: bytes) -> bytes:
        if self._members:
            data = data.lstrip(b"\0")
        if len(data) < len(_GZIP_MAGIC):
            self._head = data
            return b""
        if not data.startswith(_GZIP_MAGIC) or self._members == MAX_MEMBERS:
            raise misfit("gzip")
        self._members += 1
        self._member = zlib.decompressobj(_GZIP)
        return data

    def is_whole(self) -> bool:
        """Tell whether the stream ended where a member ended."""
        return self._member is None and not self._head


class Deflate:
    """Undoes ``deflate`` in both forms that servers send: wrapped as the standard says, and bare."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None
        self._head = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what *data* decodes to, at most :data:`STEP_BYTES` at a time.

        Raises:
            TransportFailure: The bytes are not deflate.
        """
        if self._stream is None:
            data = self._head + data
            self._head = b""
            if len(data) < 2:
                self._head = data
                return
            # RFC 1950: method 8 in the low bits, and the first two bytes a multiple of 31.
            wrapped = data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
            self._stream = zlib.decompressobj(_ZLIB if wrapped else _RAW)
        while data:
            if self._stream.eof:
                raise misfit("deflate")
            produced = _inflate(self._stream, data)
            data = self._stream.unconsumed_tail or self._stream.unused_data
            if produced:
                yield produced

    def is_whole(self) -> bool:
        """Tell whether the stream has reached its end."""
        return self._stream is not None and self._stream.eof


Decoder = Gzip | Deflate


def _inflate(stream: zlib._Decompress, data: bytes) -> bytes:
    try:
        return stream.decompress(data, STEP_BYTES)
    except zlib.error:
        name = "gzip or deflate"
    raise misfit(name)


def misfit(coding: str) -> TransportFailure:
    """Return the failure of bytes that are not in the coding that was declared."""
    return TransportFailure(FailureKind.CODING, f"the body is not the {coding} that its headers declare", sent=True)


def decoders(declared: Iterable[str]) -> tuple[Decoder, ...]:
    """Return the decoders for the values of ``Content-Encoding``, the one to apply first in front.

    Raises:
        TransportFailure: A coding that is not decoded here, or more than two.
    """
    tokens = [token.strip().lower() for value in declared for token in value.split(",")]
    codings = [token for token in tokens if token not in ("", "identity")]
    if len(codings) > MAX_CODINGS:
        raise TransportFailure(FailureKind.CODING, f"more than {MAX_CODINGS} content codings", sent=True)
    return tuple(_decoder(coding) for coding in reversed(codings))


def _decoder(coding: str) -> Decoder:
    if coding in ("gzip", "x-gzip"):
        return Gzip()
    if coding == "deflate":
        return Deflate()
    named = coding if coding in _KNOWN_BY_NAME else "an unknown one"  # a remote text is not repeated
    raise TransportFailure(FailureKind.CODING, f"a content coding that is not decoded here: {named}", sent=True)
