"""What belongs to one running event loop: open connections.

A client may be used on several loops, in turn or at once, and after a fork. It keeps a runtime for each of them: where
it was entered as a context manager until it is left, elsewhere while calls are in flight, so that nothing is left open
when a loop ends.
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
    kept: bool = False

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
        # By the identity of the loop; an entry whose loop is another one by now is left over from a loop that ended.
        self._runtimes: dict[int, Runtime] = {}

    def current(self) -> Runtime:
        """Return the runtime of the running loop, made where there is none."""
        loop = asyncio.get_running_loop()
        found = self._runtimes.get(id(loop))
        if found is None or not found.serves(loop):
            found = self._runtimes[id(loop)] = Runtime(loop, os.getpid())
        return found

    def keep(self) -> None:
        """Keep the running loop's connections between calls, until :meth:`aclose`."""
        self._forget_ended()
        self.current().kept = True

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
            if not runtime.kept and runtime.calls == 0:
                self._drop(runtime)
                await runtime.aclose()

    async def aclose(self) -> None:
        """Close the runtime of the running loop."""
        runtime = self._runtimes.get(id(asyncio.get_running_loop()))
        if runtime is not None:
            self._drop(runtime)
            if runtime.serves(asyncio.get_running_loop()):
                await runtime.aclose()

    def _drop(self, runtime: Runtime) -> None:
        if self._runtimes.get(id(runtime.loop)) is runtime:
            del self._runtimes[id(runtime.loop)]

    def _forget_ended(self) -> None:
        """Let go of what was kept on loops that ended without a word."""
        for runtime in list(self._runtimes.values()):
            if runtime.loop.is_closed() or runtime.pid != os.getpid():
                self._drop(runtime)


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
