"""Real MCP servers on loopback, made with the official server library, in both generations of the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest

if find_spec("websdk_mcp") is None:  # run against the tree where the distribution is not installed
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

START_S = 20.0  # a loaded machine still starts a server within this


@attrs.define
class Served:
    """A server that runs.

    Attributes:
        url: Its base address.
        seen: Method of the protocol and headers of every request, in order.
        answer: What every request gets instead of the server's own answer: status, headers, body.
    """

    url: str
    seen: list[tuple[str, dict[str, str]]] = attrs.field(factory=list)
    answer: tuple[int, dict[str, str], bytes] | None = None

    def methods(self) -> list[str]:
        """Return the methods of the protocol that were used, in order."""
        return [method for method, _ in self.seen]


class _Recorded:
    """The server's application, with a record, and without the current generation where it is an old server."""

    def __init__(self, app: Any, served: Served, *, old: bool) -> None:
        self.app, self.served, self.old = app, served, old

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        message = await receive()
        method = json.loads(message["body"]).get("method", "") if message.get("body") else scope["method"]
        self.served.seen.append((method, {key.decode(): value.decode() for key, value in scope["headers"]}))
        if self.served.answer is not None:
            return await _answer(send, *self.served.answer)
        if self.old and method == "server/discover":
            return await _answer(send, 400, {}, b"Bad Request: Server not initialized")
        waiting = [message]

        async def once() -> Any:
            return waiting.pop() if waiting else await receive()

        return await self.app(scope, once, send)


async def _answer(send: Any, status: int, headers: dict[str, str], body: bytes) -> None:
    pairs = [(key.encode(), value.encode()) for key, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})


Serve = Callable[..., Served]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return a function that starts a server of the given tools, by name."""
    import uvicorn
    from mcp.server.mcpserver import MCPServer

    with contextlib.ExitStack() as running:

        def serve(*, old: bool = False, json_response: bool = False, **tools: Any) -> Served:
            server = MCPServer("search", log_level="ERROR")
            for name, function in tools.items():
                server.tool(name=name)(function)
            served = Served("")
            app = _Recorded(server.streamable_http_app(json_response=json_response), served, old=old)
            http = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1))
            started = threading.Event()
            thread = threading.Thread(target=_run, args=(http, served, started))
            thread.start()
            running.callback(thread.join)
            running.callback(setattr, http, "should_exit", True)
            assert started.wait(START_S)
            return served

        yield serve


def _run(http: Any, served: Served, started: threading.Event) -> None:
    startup = http.startup

    async def announced(*args: Any, **more: Any) -> None:
        await startup(*args, **more)
        served.url = f"http://127.0.0.1:{http.servers[0].sockets[0].getsockname()[1]}"
        started.set()

    http.startup = announced
    asyncio.run(http.serve())


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    """Undo what the server library does to the root logger."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
