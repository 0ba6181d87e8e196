"""The loopback proxy by itself: no browser needed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import pytest

from websdk import ByteStream, CheckedUrl, EgressRefused

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter, Any], Awaitable[Any]]


class Pipe:
    """A connection to an origin that answers as it is told."""

    def __init__(self, replies: list[bytes]) -> None:
        self.replies = list(replies)
        self.sent = b""
        self.closed = False

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.replies.pop(0) if self.replies else b""

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.sent += buffer

    async def start_tls(self, *args: Any, **kwargs: Any) -> ByteStream:
        raise NotImplementedError

    def is_readable(self) -> bool:
        return False

    async def aclose(self) -> None:
        self.closed = True


@attrs.define
class Gate:
    """A guard that refuses hosts of ``.internal`` by name, ``rebound.example`` by address, and knows one dead host."""

    replies: list[bytes] = attrs.field(factory=lambda: [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"])
    opened: list[tuple[str, str, int]] = attrs.field(factory=list)
    pipes: list[Pipe] = attrs.field(factory=list)

    def judge(self, url: str) -> CheckedUrl:
        from urllib.parse import urlsplit

        parts = urlsplit(url)
        host = parts.hostname or ""
        if host.endswith(".internal"):
            raise EgressRefused("refused", reason="local_name", host=host)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return CheckedUrl(href=url, scheme=parts.scheme, host=host, port=port, origin=f"{parts.scheme}://{host}")

    async def open(self, scheme: str, host: str, port: int, *, timeout_s: float) -> Any:
        if host == "rebound.example":
            raise EgressRefused("refused", reason="loopback", host=host)
        if host == "dead.example":
            raise OSError("no answer")
        self.opened.append((scheme, host, port))
        self.pipes.append(Pipe(self.replies))
        return self.pipes[-1]


def talk(gate: Gate, *said: bytes, max_bytes: int = 1_000_000) -> tuple[bytes, Any]:
    """Say each thing over a connection of its own; return all that came back on the last, and the passage."""
    from websdk_render.passage import GuardedPassage

    async def main() -> tuple[bytes, Any]:
        passage = GuardedPassage(gate, max_bytes=max_bytes, page_host="page.example")
        answer = b""
        async with passage.serving():
            for words in said:
                reader, writer = await asyncio.open_connection("127.0.0.1", passage.port)
                writer.write(words)
                try:
                    answer = await reader.read()
                except ConnectionError:
                    answer = b""
                writer.close()
        return answer, passage

    return asyncio.run(main())


def get(url: str, *fields: str) -> bytes:
    return "\r\n".join([f"GET {url} HTTP/1.1", "Host: x", *fields, "", ""]).encode()


def test_a_plain_request_reaches_its_origin_in_origin_form() -> None:
    gate = Gate()
    answer, passage = talk(gate, get("http://a.example:8080/p?q=1", "Proxy-Connection: keep-alive", "Accept: */*"))

    assert [("http", "a.example", 8080)] == gate.opened
    assert b"GET /p?q=1 HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nConnection: close\r\n\r\n" == gate.pipes[0].sent
    assert b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi" == answer
    assert gate.pipes[0].closed
    assert [("GET", "a.example", 8080, "open")] == [(p.method, p.host, p.port, p.outcome) for p in passage.log]


def test_a_second_request_on_a_connection_is_not_carried_to_the_first_ones_origin() -> None:
    gate = Gate()
    answer, _ = talk(gate, get("http://a.example/") + get("http://b.internal/secret"))

    assert answer.endswith(b"hi")
    assert b"secret" not in gate.pipes[0].sent
    assert [("http", "a.example", 80)] == gate.opened


def test_a_body_is_carried_as_far_as_it_was_stated() -> None:
    gate = Gate()
    talk(
        gate, b"POST http://a.example/ HTTP/1.1\r\nContent-Length: 4\r\n\r\nbodyGET http://b.example/ HTTP/1.1\r\n\r\n"
    )

    assert gate.pipes[0].sent.endswith(b"\r\n\r\nbody")


def test_replies_before_the_reply_are_not_passed_on() -> None:
    gate = Gate(replies=[b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n", b"\r\nhi"])
    answer, _ = talk(gate, get("http://a.example/"))

    assert b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi" == answer


def test_a_tunnel_is_opened_and_carries_both_ways() -> None:
    gate = Gate(replies=[b"server says"])
    answer, passage = talk(gate, b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")

    assert b"HTTP/1.1 200 Connection established\r\n\r\nserver says" == answer
    assert [("https", "a.example", 443)] == gate.opened
    assert ["open"] == [p.outcome for p in passage.log]


@pytest.mark.parametrize("host", ["db.internal", "rebound.example"])
def test_a_refused_tunnel_says_so_and_opens_nothing(host: str) -> None:
    gate = Gate()
    answer, passage = talk(gate, f"CONNECT {host}:443 HTTP/1.1\r\n\r\n".encode())

    assert answer.startswith(b"HTTP/1.1 403")
    assert [] == gate.opened
    assert ["refused"] == [p.outcome for p in passage.log]
    assert host == passage.log[0].refusal.host


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("http://db.internal/", "refused"),
        ("http://rebound.example/", "refused"),
        ("http://dead.example/", "unreachable"),
    ],
)
def test_a_plain_request_that_goes_nowhere_is_answered_with_nothing(url: str, outcome: str) -> None:
    answer, passage = talk(Gate(), get(url))

    assert b"" == answer
    assert [outcome] == [p.outcome for p in passage.log]


def test_a_tunnel_to_a_host_that_is_not_there_is_a_bad_gateway() -> None:
    answer, _ = talk(Gate(), b"CONNECT dead.example:443 HTTP/1.1\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 502")


def test_what_the_browser_wants_for_itself_it_does_not_get() -> None:
    gate = Gate()
    answer, passage = talk(gate, b"CONNECT update.googleapis.com:443 HTTP/1.1\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 403")
    assert [] == gate.opened
    assert ["own"] == [p.outcome for p in passage.log]


@pytest.mark.parametrize(
    "words",
    [
        b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
        b"GET https://a.example/ HTTP/1.1\r\n\r\n",
        b"GET ftp://a.example/ HTTP/1.1\r\n\r\n",
        b"GET http://user:pw@a.example/ HTTP/1.1\r\n\r\n",
        b"GET http://a.example:99999/ HTTP/1.1\r\n\r\n",
        b"CONNECT a.example HTTP/1.1\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET http://\xff.example/ HTTP/1.1\r\n\r\n",
        b"POST http://a.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST http://a.example/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    ],
)
def test_what_is_no_request_to_a_proxy_is_turned_away(words: bytes) -> None:
    gate = Gate()
    answer, passage = talk(gate, words)

    assert answer.startswith(b"HTTP/1.1 400")
    assert [] == gate.opened
    assert ["malformed"] == [p.outcome for p in passage.log]


def test_a_head_without_end_is_not_kept() -> None:
    gate = Gate()
    talk(gate, b"GET http://a.example/ HTTP/1.1\r\nX: " + b"x" * 200_000)

    assert [] == gate.opened


def test_beyond_the_ceiling_nothing_more_comes_through() -> None:
    gate = Gate(replies=[b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 600, b"y" * 600, b"z" * 600])
    first, passage = talk(gate, get("http://a.example/"), max_bytes=1_000)

    assert b"z" not in first
    assert passage.is_exhausted

    gate = Gate(replies=[b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 2_000])
    second, passage = talk(gate, get("http://a.example/"), get("http://a.example/"), max_bytes=1_000)

    assert b"" == second
    assert ["open", "exhausted"] == [p.outcome for p in passage.log]
