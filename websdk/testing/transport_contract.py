"""The contract of transports."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import attrs
import pytest

from websdk.errors import InvalidRequest
from websdk.protocols.transport import FailureKind, Limits, Transport, TransportFailure
from websdk.testing.exchanging import LIMITS, OpenTransport, drip_body, drip_head, exchange, get, stay_silent
from websdk.testing.peer import Peer, PeerRequest, http_reply, misbehave
from websdk.testing.replies_contract import RepliesContract
from websdk.wire import HttpRequest


class TransportContract(RepliesContract):
    """What every :class:`~websdk.protocols.Transport` promises, whichever library is below.

    A subclass called ``Test...`` has a fixture ``open_transport``: a function without arguments that returns an
    asynchronous context manager of a fresh transport. Every test talks to a server on this machine.
    """

    def test_it_is_a_transport(self, open_transport: OpenTransport) -> None:
        """It is a transport."""

        async def scenario() -> Any:
            async with open_transport() as transport:
                return transport

        assert isinstance(asyncio.run(scenario()), Transport)

    def test_a_request_goes_out_as_written(self, open_transport: OpenTransport) -> None:
        """A request goes out as written."""
        request = HttpRequest(method="POST", url="", headers=(("X-Key", "k+/=&9"), ("X-Two", "1")), body=b'{"q": 1}')
        reply, peer = exchange(
            open_transport,
            http_reply(b"fine", headers=[("X-Back", "ä")]),
            path="/a%20b?q=1&r=%2F#part",
            request=request,
        )

        (seen,) = peer.requests
        assert ("POST", "/a%20b?q=1&r=%2F", b'{"q": 1}') == (seen.method, seen.target, seen.body)
        assert ("k+/=&9", "1", "8") == (seen.header("x-key"), seen.header("x-two"), seen.header("content-length"))
        assert [f"127.0.0.1:{peer.port}"] == seen.headers("host")
        assert (200, b"fine", "ä", 4, False, False) == (
            reply.status,
            reply.body,
            reply.header("x-back"),
            reply.wire_bytes,
            reply.incomplete,
            reply.proxied,
        )

    def test_codings_asked_for_are_exactly_those_that_are_undone(self, open_transport: OpenTransport) -> None:
        """Codings asked for are exactly those that are undone."""
        request = get("", headers=[("Accept-Encoding", "br, zstd")])
        _, peer = exchange(open_transport, http_reply(), request=request)

        assert ["gzip, deflate"] == peer.requests[0].headers("accept-encoding")

    def test_nothing_is_added_that_tells_of_the_caller(self, open_transport: OpenTransport) -> None:
        """Nothing is added that tells of the caller."""
        _, peer = exchange(open_transport, http_reply())

        names = {name.lower() for name, _ in peer.requests[0].fields}
        assert names <= {"host", "accept-encoding", "user-agent", "connection"}
        assert ["websdk"] == peer.requests[0].headers("user-agent")

    def test_a_callers_user_agent_stands_alone(self, open_transport: OpenTransport) -> None:
        """A callers user agent stands alone."""
        _, peer = exchange(open_transport, http_reply(), request=get("", headers=[("user-agent", "mine/1")]))

        assert ["mine/1"] == peer.requests[0].headers("user-agent")

    def test_an_empty_post_states_its_length(self, open_transport: OpenTransport) -> None:
        """An empty post states its length."""
        _, peer = exchange(open_transport, http_reply(), request=HttpRequest(method="POST", url=""))

        assert ["0"] == peer.requests[0].headers("content-length")

    @pytest.mark.parametrize(
        "status", ["301 Moved", "302 Found", "303 See", "304 Not Modified", "307 T", "308 P", "300 Choices"]
    )
    def test_a_redirect_is_handed_over_and_not_followed(self, open_transport: OpenTransport, status: Any) -> None:
        """A redirect is handed over and not followed."""
        reply, peer = exchange(open_transport, http_reply(b"", status, [("Location", "/next")]))

        assert (int(status[:3]), "/next") == (reply.status, reply.header("location"))
        assert 1 == len(peer.requests)

    def test_cookies_are_not_kept(self, open_transport: OpenTransport) -> None:
        """Cookies are not kept."""

        async def scenario() -> Any:
            reply = http_reply(b"x", headers=[("Set-Cookie", "id=7; Path=/")])
            async with Peer(reply, keep_alive=True) as peer, open_transport() as transport:
                for _ in range(2):
                    await transport.send(get(peer.base + "/"), limits=LIMITS)
                return peer.requests

        assert [[], []] == [request.headers("cookie") for request in asyncio.run(scenario())]

    # -- what a request must not be

    @pytest.mark.parametrize(
        "name", ["Host", "content-length", "Transfer-Encoding", "Connection", "Upgrade", "TE", "Expect"]
    )
    def test_fields_that_frame_the_request_are_the_transports_own(
        self, open_transport: OpenTransport, name: Any
    ) -> None:
        """Fields that frame the request are the transports own."""

        async def scenario() -> Any:
            async with Peer(http_reply()) as peer, open_transport() as transport:
                with pytest.raises(InvalidRequest) as caught:
                    await transport.send(get(peer.base, headers=[(name, "secret-value")]), limits=LIMITS)
                return caught.value, peer

        error, peer = asyncio.run(scenario())

        assert [] == peer.requests
        assert "secret-value" not in str(error)
        assert not error.sent

    @pytest.mark.parametrize("value", ["secret\r\nX-Evil: 1", "secret\0", "secret-€", "secret\n"], ids=repr)
    def test_a_field_that_http_cannot_carry_is_refused_unrepeated(
        self, open_transport: OpenTransport, value: Any
    ) -> None:
        """A field that http cannot carry is refused unrepeated."""

        async def scenario() -> Any:
            async with Peer(http_reply()) as peer, open_transport() as transport:
                with pytest.raises(InvalidRequest) as caught:
                    await transport.send(get(peer.base, headers=[("X-Key", value)]), limits=LIMITS)
                return caught.value, peer

        error, peer = asyncio.run(scenario())

        assert [] == peer.requests
        assert "secret" not in f"{error} {error!r} {error.__cause__!r} {error.__context__!r}"

    @pytest.mark.parametrize("url", ["ftp://a.example/", "https://user:secret@a.example/", "/path", "http://", ""])
    def test_an_address_without_host_or_with_credentials_is_refused(
        self, open_transport: OpenTransport, url: Any
    ) -> None:
        """An address without host or with credentials is refused."""

        async def scenario() -> Any:
            async with open_transport() as transport:
                await transport.send(get(url), limits=LIMITS)

        with pytest.raises(InvalidRequest) as caught:
            asyncio.run(scenario())

        assert "secret" not in str(caught.value)

    # -- life and end

    def test_many_exchanges_at_once_keep_their_replies(self, open_transport: OpenTransport) -> None:
        """Many exchanges at once keep their replies."""

        async def mirror(request: PeerRequest, writer: asyncio.StreamWriter) -> None:
            writer.write(http_reply(request.target.encode()))

        async def scenario() -> Any:
            async with Peer(mirror, keep_alive=True) as peer, open_transport() as transport:
                for _ in range(2):
                    replies = await asyncio.gather(
                        *(transport.send(get(f"{peer.base}/{n}"), limits=LIMITS) for n in range(30))
                    )
                    assert [f"/{n}".encode() for n in range(30)] == [reply.body for reply in replies]

        asyncio.run(scenario())

    @pytest.mark.parametrize("answer", [stay_silent, drip_head, drip_body])
    def test_a_cancelled_exchange_leaves_nothing_open(self, open_transport: OpenTransport, answer: Any) -> None:
        """A cancelled exchange leaves nothing open."""

        async def scenario() -> Any:
            async with Peer(answer) as peer, open_transport() as transport:
                task = asyncio.create_task(transport.send(get(peer.base), limits=LIMITS))
                await peer.asked(1)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                await peer.all_closed()
                return peer.open

        assert 0 == asyncio.run(scenario())

    def test_closing_ends_what_is_under_way_and_waits_for_it(self, open_transport: OpenTransport) -> None:
        """Closing ends what is under way and waits for it."""
        patient = attrs.evolve(LIMITS, timeout_s=600.0)

        async def scenario() -> Any:
            async with Peer(stay_silent) as peer, open_transport() as transport:
                tasks = [asyncio.create_task(transport.send(get(peer.base), limits=patient)) for _ in range(3)]
                await peer.asked(3)
                await asyncio.wait_for(transport.aclose(), 5)
                await asyncio.wait(tasks, timeout=5)
                await peer.all_closed()
                return [task.exception() for task in tasks]

        failures = asyncio.run(scenario())

        assert [FailureKind.BROKEN] * 3 == [failure.kind for failure in failures]

    def test_nothing_is_sent_after_closing(self, open_transport: OpenTransport) -> None:
        """Nothing is sent after closing."""

        async def scenario() -> Any:
            async with Peer(http_reply()) as peer, open_transport() as transport:
                await transport.aclose()
                await transport.aclose()
                with pytest.raises(TransportFailure) as caught:
                    await transport.send(get(peer.base), limits=LIMITS)
                return caught.value, peer

        failure, peer = asyncio.run(scenario())

        assert ([], False) == (peer.requests, failure.sent)

    def test_no_task_is_left_over(self, open_transport: OpenTransport) -> None:
        """No task is left over."""

        async def scenario() -> Any:
            async with Peer(misbehave) as peer:
                async with open_transport() as transport:
                    for path in ("/page", "/bomb", "/truncated"):
                        try:
                            await transport.send(get(peer.base + path), limits=LIMITS)
                        except TransportFailure:
                            continue
                await peer.all_closed()
            return asyncio.all_tasks() - {asyncio.current_task()}

        assert set() == asyncio.run(scenario())

    def test_a_handshake_with_a_silent_peer_ends_in_time(self, open_transport: OpenTransport) -> None:
        """A handshake with a silent peer ends in time."""

        async def scenario() -> Any:
            async with Peer(stay_silent) as peer, open_transport() as transport:
                started = time.monotonic()
                limits = Limits(max_bytes=1_000, timeout_s=5.0, connect_s=0.5)
                with pytest.raises(TransportFailure) as caught:
                    await transport.send(get(peer.base.replace("http:", "https:")), limits=limits)
                return caught.value.kind, time.monotonic() - started

        for _ in range(3):
            kind, elapsed = asyncio.run(scenario())
            if elapsed < 0.8:
                break

        assert FailureKind.TIMEOUT is kind
        assert elapsed < 4.0  # before the time of the whole exchange, five seconds
