"""The exchanges that are under way: each under its own wall clock, all of them ended by closing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from websdk.protocols.transport import FailureKind, Limits, TransportFailure


class Exchange:
    """One exchange.

    Attributes:
        sent: Whether any byte of the request may have left.
    """

    def __init__(self) -> None:
        self.sent = False


class Exchanges:
    """Keeps the exchanges of one transport, which belongs to one event loop."""

    def __init__(self) -> None:
        self._scopes: set[asyncio.Timeout] = set()
        self._none_left = asyncio.Event()
        self.closed = False

    @asynccontextmanager
    async def within(self, limits: Limits) -> AsyncIterator[Exchange]:
        """Run one exchange under its wall clock, which covers everything from the look-up to the last byte.

        Raises:
            TransportFailure: The time ran out, or the transport was closed meanwhile.
        """
        if self.closed:
            raise TransportFailure(FailureKind.CONNECT, "the transport is closed", sent=False)
        exchange = Exchange()
        scope = asyncio.timeout(limits.timeout_s)
        self._scopes.add(scope)
        try:
            async with scope:
                yield exchange
        except TimeoutError:
            if not scope.expired():
                raise
            words = "the transport was closed" if self.closed else f"no whole reply within {limits.timeout_s:g} s"
            kind = FailureKind.BROKEN if self.closed else FailureKind.TIMEOUT
            failure = TransportFailure(kind, words, sent=exchange.sent)
        else:
            return
        finally:
            self._scopes.discard(scope)
            if not self._scopes:
                self._none_left.set()
        raise failure

    async def end(self) -> None:
        """End every exchange and wait until none is left; further ones are refused."""
        self.closed = True
        self._none_left.clear()
        if not self._scopes:
            return
        now = asyncio.get_running_loop().time()
        for scope in tuple(self._scopes):
            if not scope.expired():
                scope.reschedule(now)
        await self._none_left.wait()
