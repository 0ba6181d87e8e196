"""What belongs to one running event loop: open connections.

A client may be used on several loops in turn, and after a fork. It keeps a runtime for the loop it runs on; a client
that is not entered as a context manager keeps one only while calls are in flight, so that nothing is left open when the
loop ends.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import attrs

from websdk.model.connection import Connection
from websdk.protocols.transport import Limits, Transport
from websdk.wire.message import HttpRequest, HttpResponse

MakeTransport = Callable[[Connection], Transport]
PAGES = "pages"


@attrs.define(eq=False)
class Runtime:
    """Connections of one loop in one process."""

    loop: asyncio.AbstractEventLoop
    pid: int
    transports: dict[str, Transport] = attrs.field(factory=dict)
    calls: int = 0

    def serves(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Tell whether this runtime may be used on *loop* in this process."""
        return self.loop is loop and self.pid == os.getpid()

    async def aclose(self) -> None:
        """Close every connection."""
        transports, self.transports = list(self.transports.values()), {}
        for transport in transports:
            await transport.aclose()


class Runtimes:
    """Hands out the runtime of the running loop."""

    def __init__(self, make_transport: MakeTransport) -> None:
        self._make_transport = make_transport
        self._current: Runtime | None = None
        self.kept = False

    def current(self) -> Runtime:
        """Return the runtime of the running loop, made where there is none."""
        loop = asyncio.get_running_loop()
        if self._current is None or not self._current.serves(loop):
            self._current = Runtime(loop, os.getpid())
        return self._current

    def transport(self, connection: Connection) -> Transport:
        """Return the transport of *connection* on the running loop."""
        runtime = self.current()
        found = runtime.transports.get(connection.name)
        if found is None:
            found = runtime.transports[connection.name] = self._make_transport(connection)
        return found

    @asynccontextmanager
    async def in_use(self) -> AsyncIterator[None]:
        """Hold the runtime for one call, and close it after the last one where nobody keeps it."""
        runtime = self.current()
        runtime.calls += 1
        try:
            yield
        finally:
            runtime.calls -= 1
            if not self.kept and runtime.calls == 0:
                if self._current is runtime:
                    self._current = None
                await runtime.aclose()

    async def aclose(self) -> None:
        """Close the runtime of the running loop."""
        runtime, self._current = self._current, None
        if runtime is not None and runtime.serves(asyncio.get_running_loop()):
            await runtime.aclose()


@attrs.frozen(eq=False)
class LoopTransport:
    """A transport that is whichever one the running loop has for its connection."""

    runtimes: Runtimes
    connection: Connection

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        """Send *request* over the running loop's transport."""
        return await self.runtimes.transport(self.connection).send(request, limits=limits)

    async def aclose(self) -> None:
        """Do nothing: the runtime closes what it made."""
