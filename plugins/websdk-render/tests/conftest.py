"""A small web on loopback under names of its own, and clients that reach it through the guard alone."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest

from websdk import AsyncClient, ByteStream, Document, FetchOptions, Settings

if find_spec("websdk_render") is None:  # run against the tree where the distribution is not installed
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PUBLIC = "93.184.215.14"  # any public address: the connector below leads it to loopback
Reply = tuple[int, dict[str, str], bytes] | bytes | str
Handler = Callable[[str, str], Awaitable[Reply] | Reply]


def why_no_browser() -> str | None:
    if find_spec("playwright") is None:
        return "the package playwright is not installed"
    if not any(map(shutil.which, BROWSERS)):
        return "no Chromium is installed"
    return None


@pytest.fixture(scope="session")
def chromium() -> None:
    """Skip by name where there is no browser; in continuous integration that is a failure."""
    missing = why_no_browser()
    if missing is None:
        return
    if os.environ.get("CI"):
        pytest.fail(f"{missing}, and these tests may not be skipped here")
    pytest.skip(missing)


class LoopbackStream:
    """A connection of the test's connector."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        async with asyncio.timeout(timeout):
            return await self._reader.read(max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._writer.write(buffer)
        async with asyncio.timeout(timeout):
            await self._writer.drain()

    async def start_tls(self, *args: Any, **kwargs: Any) -> ByteStream:
        raise NotImplementedError

    def is_readable(self) -> bool:
        return self._reader.at_eof()

    async def aclose(self) -> None:
        self._writer.transport.abort()


@attrs.define
class Web:
    """Sites by host name, served from one loopback port.

    Attributes:
        pages: Replies by ``host/path``, the query left out; a callable gets the whole target and the body.
        names: What host names resolve to beside :data:`PUBLIC`.
        asked: ``host/path?query`` of every request that arrived, in order.
        dialled: Address and port of every connection that the guard let through.
        resolved: Every name that was looked up.
        heads: The head of every request.
    """

    pages: dict[str, Reply | Handler] = attrs.field(factory=dict)
    names: dict[str, list[Sequence[str]]] = attrs.field(factory=dict)
    asked: list[str] = attrs.field(factory=list)
    dialled: list[tuple[str, int]] = attrs.field(factory=list)
    resolved: list[str] = attrs.field(factory=list)
    heads: list[str] = attrs.field(factory=list)
    port: int = 0

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.resolved.append(host)
        answers = self.names.get(host)
        if answers is None:
            if not host.endswith(".example"):
                raise OSError("no such name")
            return [PUBLIC]
        return answers.pop(0) if len(answers) > 1 else answers[0]

    async def connect(self, address: str, port: int, *, timeout: float | None = None) -> ByteStream:
        self.dialled.append((address, port))
        return LoopbackStream(*await asyncio.open_connection("127.0.0.1", self.port))

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        answering: set[asyncio.Task[None]] = set()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            answering.add(task)
            try:
                await self._answer(reader, writer)
            except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                return
            finally:
                answering.discard(task)
                writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()
            for task in tuple(answering):
                task.cancel()
            await asyncio.gather(*answering, return_exceptions=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        self.heads.append(head)
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        body = await reader.readexactly(int(fields.get("content-length", "0")))
        target = fields.get("host", "").split(":")[0] + head.split(" ")[1]
        self.asked.append(target)
        found: Any = self.pages.get(target.split("?")[0], (404, {}, b"not here"))
        if callable(found):
            found = found(target, body.decode("utf-8", "replace"))
        if asyncio.iscoroutine(found):
            found = await found
        if isinstance(found, str):
            found = found.encode()
        status, more, content = found if isinstance(found, tuple) else (200, {}, found)
        named = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(content)), **more}
        lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in named.items()), "", ""]
        writer.write("\r\n".join(lines).encode() + content)
        await writer.drain()

    def settings(
        self, *, deadline_s: float = 45.0, max_response_bytes: int = 2 * 1024 * 1024, **options: Any
    ) -> Settings:
        sandbox = not hasattr(os, "geteuid") or os.geteuid() != 0
        return Settings(
            plugins=(),
            fetch=FetchOptions(
                render=True,
                deadline_s=deadline_s,
                max_response_bytes=max_response_bytes,
                docs_index_discovery=False,
            ),
            plugin={"render": {"sandbox": sandbox, **options}},
        )

    def client(self, **options: Any) -> AsyncClient:
        from websdk_render import plugin

        return AsyncClient(self.settings(**options), plugins=(plugin,), resolver=self, connector=self)

    def read(self, url: str, **options: Any) -> Document:
        """Render one page in a loop of its own."""

        async def main() -> Document:
            async with self.serving(), self.client(**options) as client:
                return await client.fetch(url, via="render")

        return asyncio.run(main())


@pytest.fixture
def web(chromium: None) -> Web:
    return Web()
