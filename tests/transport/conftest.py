"""Loopback peers that do as they are told, and the transports under test."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import os
import ssl
import zlib
from types import SimpleNamespace

import httpx
import pytest
import trustme

from websdk.egress import DirectBackend, SystemConnector, SystemResolver
from websdk.model.connection import Connection
from websdk.protocols.transport import Limits
from websdk.transport import HttpTransport, HttpxTransport
from websdk.wire import HttpRequest


class Peer:
    """A loopback server. ``answer`` is what to write, or a coroutine function of the request and the writer.

    Attributes:
        requests: Head and body of every request, in order.
        connections: How many were opened.
        open: How many are open now.
    """

    def __init__(self, answer, *, tls=None, keep_alive=False):
        self.answer = answer
        self.tls = tls
        self.keep_alive = keep_alive
        self.requests = []
        self.connections = 0
        self.open = 0
        self._tasks = []
        self._changed = asyncio.Event()

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        self.base = f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *exc):
        self._server.close()
        for task, writer in self._tasks:
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*(task for task, _ in self._tasks), return_exceptions=True)
        await self._server.wait_closed()

    async def all_closed(self):
        """Wait until the other side has closed every connection."""
        await self._until(lambda: not self.open)

    async def asked(self, times):
        """Wait until so many requests have come."""
        await self._until(lambda: len(self.requests) >= times)

    async def _until(self, is_so):
        async with asyncio.timeout(5):
            while not is_so():
                self._changed.clear()
                await self._changed.wait()

    async def _serve(self, reader, writer):
        self._tasks.append((asyncio.current_task(), writer))
        self.connections += 1
        self.open += 1
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await self._speak(reader, writer)
        finally:
            self.open -= 1
            self._changed.set()
            writer.close()

    async def _speak(self, reader, writer):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(Request(head).header("content-length") or 0)
            request = Request(head, await reader.readexactly(length))
            self.requests.append(request)
            self._changed.set()
            if isinstance(self.answer, bytes):
                writer.write(self.answer)
            else:
                await _until_gone(reader, writer, self.answer(request, writer))
            await writer.drain()
            if not self.keep_alive:
                return


async def _until_gone(reader, writer, answering):
    """Run *answering*, and stop it when the other side hangs up, so that closing shows."""
    answer = asyncio.ensure_future(answering)
    gone = asyncio.ensure_future(_hung_up(reader, writer))
    try:
        await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        if not answer.done():
            answer.cancel()
    if answer.done() and not answer.cancelled():
        answer.result()


async def _hung_up(reader, writer):
    while not reader.at_eof() and not writer.is_closing():  # noqa: ASYNC110 - a stream tells its end to readers only
        await asyncio.sleep(0.005)


class Request:
    """A request as it came over the wire."""

    def __init__(self, head, body=b""):
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = lines[0].split(" ", 2)
        self.fields = [tuple(line.split(": ", 1)) for line in lines[1:] if line]
        self.body = body

    def header(self, name):
        return next((value for key, value in self.fields if key.lower() == name), None)

    def headers(self, name):
        return [value for key, value in self.fields if key.lower() == name]


def answer(body=b"", status="200 OK", headers=(), length=None):
    """Return the bytes of a reply with its length stated, rightly unless *length* says otherwise."""
    stated = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {stated}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


ARTICLE = (
    b"<!DOCTYPE html><title>Quay</title><main><h1>Quay</h1><p>The harbour-page describes where boats lie.</p></main>"
)


def bomb(megabytes):
    """Return gzip that inflates to so many megabytes of zeros."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(megabytes)) + packer.flush()


async def misbehave(request, writer):
    """Be the hostile server: every path is one way to hurt a reader."""
    path = request.target.partition("?")[0]
    match path:
        case "/page":
            writer.write(answer(ARTICLE))
        case "/bomb":
            writer.write(answer(bomb(50), headers=[("Content-Encoding", "gzip")]))
        case "/forever":
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                writer.write(b"2000\r\n" + b"<p>more</p>\n. " * 0x249 + b"..\r\n")
                await writer.drain()
        case "/trickle":
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                writer.write(b"1\r\nx\r\n")
                await asyncio.sleep(0.02)
        case "/truncated":
            writer.write(answer(ARTICLE, length=len(ARTICLE) + 50))
        case "/moved":
            writer.write(answer(b"gone", "302 Found", [("Location", "/page")]))
        case "/overload":
            writer.write(answer(b"busy", "503 Service Unavailable", [("Retry-After", "7200")]))
        case "/nest":
            writer.write(answer(b"<div>" * 20_000 + b"nest-text" + b"</div>" * 20_000))
        case _:
            writer.write(answer(b"", "404 Not Found"))


@contextlib.asynccontextmanager
async def _own(connection, **kwargs):
    backend = DirectBackend(resolver=SystemResolver(), connector=SystemConnector())
    transport = HttpTransport(connection, backend=backend, **kwargs)
    try:
        yield transport
    finally:
        await transport.aclose()


@contextlib.asynccontextmanager
async def _own_over_stock_sockets(connection, **kwargs):
    transport = HttpTransport(connection, **kwargs)
    try:
        yield transport
    finally:
        await transport.aclose()


@contextlib.asynccontextmanager
async def _brought(connection, **kwargs):
    verify = ssl.create_default_context(cafile=connection.ca_file) if connection.ca_file else True
    async with httpx.AsyncClient(verify=verify, trust_env=False, headers={"X-Client": "default"}) as client:
        transport = HttpxTransport(client)
        try:
            yield transport
        finally:
            await transport.aclose()


TRANSPORTS = {"own": _own, "own-stock-sockets": _own_over_stock_sockets, "httpx": _brought}


@pytest.fixture(params=TRANSPORTS)
def open_transport(request):
    """How to open one of the transports; a test that takes this holds for all of them."""
    return lambda connection=PLAIN, **kwargs: TRANSPORTS[request.param](connection, **kwargs)


@pytest.fixture
def open_own():
    """How to open the transport of this package."""
    return lambda connection=PLAIN, **kwargs: _own(connection, **kwargs)


PLAIN = Connection(name="test")
LIMITS = Limits(max_bytes=1 << 20, timeout_s=5.0, connect_s=5.0)


def get(url, headers=()):
    return HttpRequest(method="GET", url=url, headers=tuple(headers))


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    """A certificate authority, with its bundle in a file."""
    made = trustme.CA()
    made.file = tmp_path_factory.mktemp("ca") / "ca.pem"
    made.cert_pem.write_to_path(str(made.file))
    return made


def server_tls(authority, *names):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


class Names:
    """A resolver over a table."""

    def __init__(self, table):
        self.table = table

    async def resolve(self, host, port):
        if host not in self.table:
            raise OSError("no such name")
        return self.table[host]


class Rerouting:
    """A connector that opens every address at a loopback port instead, and remembers which it was asked for."""

    def __init__(self, port):
        self.port = port
        self.addresses = []

    async def connect(self, address, port, *, timeout=None):
        self.addresses.append(address)
        return await SystemConnector().connect("127.0.0.1", self.port, timeout=timeout)


def pytest_configure(config):
    config.addinivalue_line("markers", "kinds(*names, expect): which carried egress cases a test takes")


def pytest_generate_tests(metafunc):
    """Give every test that takes ``case`` the carried cases of the kinds that its mark names."""
    if "case" not in metafunc.fixturenames:
        return
    kinds = metafunc.definition.get_closest_marker("kinds").args
    text = (metafunc.config.rootpath / "tests" / "data" / "egress-cases.json").read_text(encoding="utf-8")
    cases = [case for case in json.loads(text)["cases"] if case["kind"] in kinds]
    metafunc.parametrize("case", cases, ids=[case["id"] for case in cases])


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    """Start every test without proxy variables of the machine."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)


def double_gzip_bomb():
    return gzip.compress(bomb(200), 9, mtime=0)


@pytest.fixture(scope="session")
def net():
    """The parts above, for tests to build with."""
    return SimpleNamespace(
        Peer=Peer,
        Names=Names,
        Rerouting=Rerouting,
        answer=answer,
        article=ARTICLE,
        bomb=bomb,
        double_gzip_bomb=double_gzip_bomb,
        get=get,
        limits=LIMITS,
        misbehave=misbehave,
        plain=PLAIN,
        server_tls=server_tls,
    )
