"""A body that is collected within its ceiling, on the wire and after every coding. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from websdk.protocols.transport import FailureKind, TransportFailure
from websdk.transport.decoders import Decoder, decoders


class BoundedBody:
    """Takes a body as it arrives, undoes its codings, and stops at the ceiling.

    The ceiling holds for the bytes on the wire, for those between two codings, and for the outcome, so that neither
    memory nor time can be had for a few bytes.

    Args:
        encodings: Every value of ``Content-Encoding``, in order.
        max_bytes: The ceiling.

    Raises:
        TransportFailure: A coding that is not decoded here.
    """

    def __init__(self, encodings: Iterable[str], *, max_bytes: int) -> None:
        self._decoders: Sequence[Decoder] = decoders(encodings)
        self._max_bytes = max_bytes
        self._counts = [0] * (len(self._decoders) + 1)
        self._body = bytearray()

    @property
    def wire_bytes(self) -> int:
        """Bytes taken so far."""
        return self._counts[0]

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the wire.

        Raises:
            TransportFailure: They pass the ceiling, or are not in the declared coding.
        """
        self._take(data, 0)

    def _take(self, data: bytes, stage: int) -> None:
        self._counts[stage] += len(data)
        if self._counts[stage] > self._max_bytes:
            raise TransportFailure(
                FailureKind.TOO_LARGE,
                f"the reply passes the ceiling of {self._max_bytes:,} bytes",
                sent=True,
                limit_bytes=self._max_bytes,
            )
        if stage == len(self._decoders):
            self._body += data
            return
        for piece in self._decoders[stage].feed(data):
            self._take(piece, stage + 1)

    def finish(self) -> tuple[bytes, bool]:
        """Return the body, and whether each coding reached its end; a body without a byte needs none."""
        whole = not self._counts[0] or all(decoder.is_whole() for decoder in self._decoders)
        return bytes(self._body), whole
