"""Shared state of one process."""

from __future__ import annotations

from websdk.protocols.call import Clock
from websdk.reuse import Flights, MemoryCooldowns, MemoryReuse, ReuseOptions


class MemoryState:
    """Answers, running requests and pauses of one process.

    Each session makes its own unless one is passed in, which then serves several sessions of one event loop or many.

    Args:
        options: Bounds of the answers kept, over all sessions that share the state.
        clock: Where time comes from.
        key: Random bytes that fingerprints are keyed with, 16 to 64.
    """

    def __init__(self, options: ReuseOptions, *, clock: Clock, key: bytes) -> None:
        self._key = key
        self._reuse = MemoryReuse(options, clock=clock)
        self._cooldowns = MemoryCooldowns(clock=clock)
        self._flights = Flights()

    @property
    def key(self) -> bytes:
        """Random bytes that fingerprints are keyed with."""
        return self._key

    @property
    def reuse(self) -> MemoryReuse:
        """Answers just paid for."""
        return self._reuse

    @property
    def cooldowns(self) -> MemoryCooldowns:
        """Vendors to leave alone."""
        return self._cooldowns

    @property
    def flights(self) -> Flights:
        """Requests that are running."""
        return self._flights

    async def aclose(self) -> None:
        """End what runs and forget everything."""
        await self._flights.aclose()
        self._reuse.clear()
        self._cooldowns.clear()
