"""A key is nowhere but on the wire: not in a failure, its causes or its traceback, nor in a log record at any level."""

from __future__ import annotations

import asyncio
import base64
import logging
import socket
import traceback
from datetime import UTC, datetime
from urllib.parse import quote

import pytest

from websdk.protocols.transport import Limits, TransportFailure
from websdk.wire import HttpRequest, classify

KEY = "k+/=&9-canary"
SPELLINGS = (KEY, quote(KEY, safe=""), base64.b64encode(KEY.encode()).decode(), "canary")


def request(base):
    return HttpRequest(
        method="POST",
        url=f"{base}/find?q=secret-query-canary&key={quote(KEY, safe='')}",
        headers=(("X-Api-Key", KEY), ("Authorization", f"Bearer {KEY}")),
        body=f'{{"key": "{KEY}"}}'.encode(),
    )


async def _hang(request, writer):
    await asyncio.Event().wait()


def echoed(net, status, coding="identity"):
    fields = [
        ("Location", f"https://b.example/?key={KEY}"),
        ("X-Echo", KEY),
        ("Set-Cookie", KEY),
        ("Content-Encoding", coding),
    ]
    return net.answer(f"you sent {KEY}".encode(), status, fields)


ANSWERS = {
    "fine": lambda net: echoed(net, "200 OK"),
    "401": lambda net: echoed(net, "401 Unauthorized"),
    "500": lambda net: echoed(net, "500 Server Error"),
    "302": lambda net: echoed(net, "302 Found"),
    "coding": lambda net: echoed(net, "200 OK", f"x-{KEY}"),
    "misfit": lambda net: echoed(net, "200 OK", "gzip"),
    "short": lambda net: (
        b"HTTP/1.1 200 OK\r\nX-Echo: " + KEY.encode() + b"\r\nContent-Length: 99\r\n\r\n" + KEY.encode()
    ),
    "garbage": lambda net: b"HTTP/9 " + KEY.encode() + b"\r\n\r\n",
    "hang-up": lambda net: b"",
    "timeout": lambda net: _hang,
}


def everything_said(failure):
    said, seen = [], set()
    while failure is not None and id(failure) not in seen:
        seen.add(id(failure))
        said += [str(failure), repr(failure), repr(failure.args), repr(getattr(failure, "__dict__", ""))]
        said += [repr(getattr(failure, name)) for name in ("request", "response") if hasattr(failure, name)]
        failure = failure.__cause__ or failure.__context__
    return said


@pytest.fixture
def everything_logged(caplog):
    """Capture every record of every logger at the lowest level."""
    caplog.set_level(1)
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(("httpx", "httpcore", "asyncio", "websdk", "anyio")):
            caplog.set_level(1, logger=name)
    return caplog


def leaks(texts):
    return [text for text in texts if any(spelling in text for spelling in SPELLINGS)]


def logged(caplog):
    return [f"{record.getMessage()} {record.args!r} {record.exc_text or ''}" for record in caplog.records]


@pytest.mark.parametrize("outcome", ANSWERS)
def test_a_key_is_told_by_no_failure_and_no_log(net, open_transport, everything_logged, outcome):
    limits = Limits(max_bytes=1 << 20, timeout_s=0.2 if outcome == "timeout" else 5.0)

    async def scenario():
        async with net.Peer(ANSWERS[outcome](net)) as peer, open_transport() as transport:
            sent = request(peer.base)
            try:
                reply = await transport.send(sent, limits=limits)
            except TransportFailure as failure:
                text = "".join(traceback.format_exception(failure))
                return peer, [*everything_said(failure), text, repr(sent)]
            error = classify(reply, provider="acme", now=datetime.now(UTC))
            return peer, [repr(reply), repr(sent), *everything_said(error)]

    peer, said = asyncio.run(scenario())

    assert KEY == peer.requests[0].header("x-api-key")
    assert [] == leaks(said)
    assert [] == leaks(logged(everything_logged))


def test_a_refused_connection_tells_no_key(net, open_transport, everything_logged):
    async def scenario():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            async with open_transport() as transport:
                with pytest.raises(TransportFailure) as caught:
                    await transport.send(request(f"http://127.0.0.1:{taken.getsockname()[1]}"), limits=net.limits)
                return caught.value

    failure = asyncio.run(scenario())

    assert [] == leaks([*everything_said(failure), *logged(everything_logged)])
    assert failure.__context__ is None


def test_the_embedders_own_requests_are_still_logged(net, open_transport, everything_logged):
    import httpx

    async def scenario():
        theirs = httpx.AsyncClient(trust_env=False)
        async with net.Peer(net.answer(b"ok")) as peer, open_transport(), theirs as client:
            await client.get(peer.base + "/theirs")

    asyncio.run(scenario())

    assert any("/theirs" in text for text in logged(everything_logged))
