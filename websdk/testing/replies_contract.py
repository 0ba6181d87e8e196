"""What a transport makes of replies: codings undone, bounds kept, and broken peers told apart."""

from __future__ import annotations

import asyncio
import gzip
import socket
import time
import zlib
from typing import Any

import attrs
import pytest

from websdk.protocols.transport import FailureKind, Limits, TransportFailure
from websdk.testing.exchanging import (
    LIMITS,
    OpenTransport,
    drip_body,
    drip_head,
    drip_interim,
    exchange,
    get,
    stay_silent,
)
from websdk.testing.peer import Answering, Peer, PeerRequest, http_reply, misbehave

TEXT = b"All work and no play. " * 500


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


CODED = {
    "identity": TEXT,
    "": TEXT,
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT),
    "GZIP": gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]) + bytes(16),
    "deflate": zlib.compress(TEXT),
    "Deflate": bare(TEXT),
    "gzip, gzip": gzip.compress(gzip.compress(TEXT)),
    "deflate, gzip": gzip.compress(zlib.compress(TEXT)),
    "identity, gzip": gzip.compress(TEXT),
}


def _reset_after(data: bytes) -> Answering:
    async def reset(request: PeerRequest, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()
        await asyncio.sleep(0.05)  # a reset may overtake what was sent before it, which a client then never sees
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        writer.transport.abort()

    return reset


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class RepliesContract:
    """The half of the contract of transports that is about what comes back."""

    # -- codings

    @pytest.mark.parametrize("coding", CODED, ids=repr)
    def test_codings_are_undone(self, open_transport: OpenTransport, coding: Any) -> None:
        """Codings are undone."""
        reply, _ = exchange(open_transport, http_reply(CODED[coding], headers=[("Content-Encoding", coding)]))

        assert TEXT == reply.body
        assert (False, len(CODED[coding])) == (reply.incomplete, reply.wire_bytes)

    def test_codings_of_two_fields_are_undone_in_order(self, open_transport: OpenTransport) -> None:
        """Codings of two fields are undone in order."""
        fields = [("Content-Encoding", "deflate"), ("content-encoding", "gzip")]
        reply, _ = exchange(open_transport, http_reply(gzip.compress(zlib.compress(TEXT)), headers=fields))

        assert TEXT == reply.body

    @pytest.mark.parametrize(
        ("coding", "body"),
        [
            ("br", TEXT),
            ("zstd", TEXT),
            ("x-secret-word", TEXT),
            ("gzip, gzip, gzip", gzip.compress(gzip.compress(gzip.compress(TEXT)))),
            ("gzip", TEXT),
            ("gzip", gzip.compress(TEXT) + b"tail"),
            ("gzip", gzip.compress(TEXT)[:-8] + b"\xff" * 8),
            ("deflate", b"\xff" * 50),
            ("deflate", zlib.compress(TEXT) + b"tail"),
        ],
        ids=lambda value: value if isinstance(value, str) else len(value),
    )
    def test_a_coding_that_is_unknown_or_does_not_fit_is_a_failure(
        self, open_transport: OpenTransport, coding: Any, body: Any
    ) -> None:
        """A coding that is unknown or does not fit is a failure."""
        failure, _ = exchange(open_transport, http_reply(body, headers=[("Content-Encoding", coding)]))

        assert (FailureKind.CODING, True) == (failure.kind, failure.sent)
        assert "secret" not in str(failure)
        assert coding not in ("br", "zstd") or coding in str(failure)

    def test_an_empty_body_is_whole_whatever_its_coding(self, open_transport: OpenTransport) -> None:
        """An empty body is whole whatever its coding."""
        reply, _ = exchange(open_transport, http_reply(b"", headers=[("Content-Encoding", "gzip")]))

        assert (b"", False) == (reply.body, reply.incomplete)

    # -- bounds

    def test_a_body_of_exactly_the_ceiling_passes_and_one_more_byte_does_not(
        self, open_transport: OpenTransport
    ) -> None:
        """A body of exactly the ceiling passes and one more byte does not."""
        limits = attrs.evolve(LIMITS, max_bytes=5_000)
        for coding, pack in (("identity", bytes), ("gzip", gzip.compress)):
            fields = [("Content-Encoding", coding)]
            reply, _ = exchange(open_transport, http_reply(pack(bytes(5_000)), headers=fields), limits=limits)
            failure, _ = exchange(open_transport, http_reply(pack(bytes(5_001)), headers=fields), limits=limits)

            assert 5_000 == len(reply.body)
            assert (FailureKind.TOO_LARGE, 5_000, True) == (failure.kind, failure.limit_bytes, failure.sent)

    def test_the_wire_has_the_ceiling_too(self, open_transport: OpenTransport) -> None:
        """The wire has the ceiling too."""
        noise = bytes(range(256)) * 40
        stored = zlib.compressobj(0, zlib.DEFLATED, 31)
        body = stored.compress(noise) + stored.flush()
        limits = attrs.evolve(LIMITS, max_bytes=len(noise))
        failure, _ = exchange(open_transport, http_reply(body, headers=[("Content-Encoding", "gzip")]), limits=limits)

        assert FailureKind.TOO_LARGE is failure.kind

    @pytest.mark.parametrize("coding", ["gzip", "deflate"])
    def test_a_small_answer_that_expands_stops_at_the_ceiling(self, open_transport: OpenTransport, coding: Any) -> None:
        """A small answer that expands stops at the ceiling."""
        letters = b"A" * (60 << 20)
        body = gzip.compress(letters, 9) if coding == "gzip" else zlib.compress(letters, 9)
        failure, _ = exchange(open_transport, http_reply(body, headers=[("Content-Encoding", coding)]))

        assert FailureKind.TOO_LARGE is failure.kind
        assert f"{LIMITS.max_bytes:,} bytes" in str(failure)

    @pytest.mark.parametrize(
        ("path", "expected"),
        [
            ("/page", (200, False)),
            ("/bomb", FailureKind.TOO_LARGE),
            ("/forever", FailureKind.TOO_LARGE),
            ("/trickle", FailureKind.TIMEOUT),
            ("/truncated", (200, True)),
            ("/moved", (302, False)),
            ("/overload", (503, False)),
            ("/nest", (200, False)),
        ],
    )
    def test_a_hostile_server_gets_nothing_by_it(self, open_transport: OpenTransport, path: Any, expected: Any) -> None:
        """A hostile server gets nothing by it."""
        limits = attrs.evolve(LIMITS, timeout_s=0.4 if path == "/trickle" else 5.0)
        outcome, peer = exchange(open_transport, misbehave, path=path, limits=limits)

        found = outcome.kind if isinstance(outcome, TransportFailure) else (outcome.status, outcome.incomplete)
        assert expected == found
        assert [path] == [request.target for request in peer.requests]

    @pytest.mark.parametrize("answer", [drip_head, drip_body, stay_silent])
    def test_the_deadline_covers_every_way_to_drip(self, open_transport: OpenTransport, answer: Any) -> None:
        """The deadline covers every way to drip."""
        deadline_s = 1.0

        async def scenario() -> Any:
            async with Peer(answer) as peer, open_transport() as transport:
                started = time.monotonic()
                with pytest.raises(TransportFailure) as caught:
                    await transport.send(get(peer.base), limits=Limits(max_bytes=1 << 20, timeout_s=deadline_s))
                elapsed = time.monotonic() - started
                await peer.all_closed()
                return caught.value, elapsed

        for _ in range(3):  # a busy machine may delay one run; a bound that is not kept delays all
            failure, elapsed = asyncio.run(scenario())
            if elapsed <= 1.1 * deadline_s:
                break

        assert (FailureKind.TIMEOUT, True) == (failure.kind, failure.sent)
        assert 0.99 * deadline_s <= elapsed <= 3 * deadline_s  # the peers would go on for ever

    def test_interim_replies_without_end_are_no_reply(self, open_transport: OpenTransport) -> None:
        """Interim replies without end are no reply: the deadline ends them, or a bound of the transport before it."""
        limits = attrs.evolve(LIMITS, timeout_s=1.0)
        failure, _ = exchange(open_transport, drip_interim, limits=limits)

        assert isinstance(failure, TransportFailure)
        assert failure.kind in (FailureKind.TIMEOUT, FailureKind.BROKEN)
        assert failure.sent

    # -- broken peers

    @pytest.mark.parametrize(
        ("answer", "body"),
        [
            (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", b"half"),
            (CHUNKED + b"4\r\nhalf\r\n", b"half"),
            (CHUNKED + b"8\r\nhalf", b"half"),
            (CHUNKED + b"4\r\nhalf\r\nzz\r\n", b"half"),
            (_reset_after(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), b"half"),
        ],
        ids=["short", "no last chunk", "cut chunk", "bad chunk", "reset"],
    )
    def test_a_body_that_breaks_off_is_marked(self, open_transport: OpenTransport, answer: Any, body: Any) -> None:
        """A body that breaks off is marked."""
        reply, _ = exchange(open_transport, answer)

        assert (200, body, True) == (reply.status, reply.body, reply.incomplete)

    @pytest.mark.parametrize("cut", [-1, -8, 40, 10, 1])
    @pytest.mark.parametrize("coding", ["gzip", "deflate"])
    def test_a_coding_that_breaks_off_is_marked(self, open_transport: OpenTransport, coding: Any, cut: Any) -> None:
        """A coding that breaks off is marked."""
        whole = gzip.compress(TEXT) if coding == "gzip" else zlib.compress(TEXT)
        reply, _ = exchange(open_transport, http_reply(whole[:cut], headers=[("Content-Encoding", coding)]))

        assert reply.incomplete
        assert TEXT.startswith(reply.body)

    def test_a_second_member_that_breaks_off_is_marked(self, open_transport: OpenTransport) -> None:
        """A second member that breaks off is marked."""
        body = gzip.compress(TEXT) + gzip.compress(TEXT)[:30]
        reply, _ = exchange(open_transport, http_reply(body, headers=[("Content-Encoding", "gzip")]))

        assert reply.incomplete
        assert reply.body.startswith(TEXT)

    @pytest.mark.parametrize(
        "answer",
        [
            b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nhello",
            b"HTTP/1.1 200 OK\r\nContent-Length: four\r\n\r\nhello",
            b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 200_000 + b"\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 60_000 + b"\r\n",
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
            b"SSH-2.0-x\r\n",
            b"\x00\x01\x02\x03" * 10,
            b"",
            _reset_after(b""),
            _reset_after(b"HTTP/1.1 200 O"),
        ],
        ids=[
            "two lengths",
            "no length",
            "long field",
            "many fields",
            "101",
            "ssh",
            "binary",
            "hang-up",
            "reset",
            "cut head",
        ],
    )
    def test_what_is_no_reply_is_a_broken_connection(self, open_transport: OpenTransport, answer: Any) -> None:
        """What is no reply is a broken connection."""
        failure, peer = exchange(open_transport, answer)

        assert (FailureKind.BROKEN, True) == (failure.kind, failure.sent)
        assert 1 == len(peer.requests)

    def test_a_body_without_a_length_ends_with_the_connection(self, open_transport: OpenTransport) -> None:
        """A body without a length ends with the connection."""
        reply, _ = exchange(open_transport, b"HTTP/1.0 200 OK\r\n\r\nall of it")

        assert (b"all of it", False) == (reply.body, reply.incomplete)

    def test_trailers_are_ignored(self, open_transport: OpenTransport) -> None:
        """Trailers are ignored."""
        reply, _ = exchange(open_transport, CHUNKED + b"2\r\nok\r\n0\r\nContent-Encoding: br\r\nX-T: 1\r\n\r\n")

        assert (b"ok", None) == (reply.body, reply.header("x-t"))

    def test_interim_replies_are_passed_over(self, open_transport: OpenTransport) -> None:
        """Interim replies are passed over."""
        reply, _ = exchange(open_transport, b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 3 + http_reply(b"ok"))

        assert (200, b"ok") == (reply.status, reply.body)

    def test_a_refused_connection_sent_nothing(self, open_transport: OpenTransport) -> None:
        """A refused connection sent nothing."""

        async def scenario() -> Any:
            with socket.socket() as taken:
                taken.bind(("127.0.0.1", 0))
                async with open_transport() as transport:
                    await transport.send(get(f"http://127.0.0.1:{taken.getsockname()[1]}/"), limits=LIMITS)

        with pytest.raises(TransportFailure) as caught:
            asyncio.run(scenario())

        assert (FailureKind.CONNECT, False) == (caught.value.kind, caught.value.sent)
