"""A small cache in memory: bounded in time, number and bytes, without timers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable

import attrs

from websdk.protocols.call import Clock
from websdk.reuse.options import ReuseOptions


@attrs.frozen
class _Kept:
    value: bytes
    until: float


class MemoryReuse:
    """Keeps answers in memory; the least recently used goes first, stale ones go with the next activity.

    Args:
        options: The bounds, over all scopes together.
        clock: Where time comes from.
    """

    def __init__(self, options: ReuseOptions, *, clock: Clock) -> None:
        self._options = options
        self._clock = clock
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()  # clients that share a state may run their loops in threads of their own

    @property
    def size(self) -> int:
        """Bytes of all answers kept."""
        return self._size

    def __len__(self) -> int:
        return len(self._kept)

    async def get(self, scope: str, key: str) -> bytes | None:
        """Return what was put under *key* in *scope* and is still fresh."""
        with self._lock:
            self._drop_stale()
            kept = self._kept.get((scope, key))
            if kept is None:
                return None
            self._kept.move_to_end((scope, key))
            return kept.value

    async def put(self, scope: str, key: str, value: bytes) -> None:
        """Keep *value*; one that alone passes the byte bound is not kept."""
        with self._lock:
            self._drop_stale()
            self._forget((scope, key))
            options = self._options
            if len(value) > options.bytes or options.entries < 1 or options.ttl_s <= 0:
                return
            while self._kept and (len(self._kept) >= options.entries or self._size + len(value) > options.bytes):
                self._forget(next(iter(self._kept)))
            self._kept[scope, key] = _Kept(value, self._clock.monotonic() + options.ttl_s)
            self._size += len(value)

    async def drop(self, scope: str, keys: Iterable[str]) -> None:
        """Forget *keys* of *scope*."""
        with self._lock:
            for key in keys:
                self._forget((scope, key))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._size = 0

    def _drop_stale(self) -> None:
        now = self._clock.monotonic()
        for place, kept in list(self._kept.items()):
            if now >= kept.until:
                self._forget(place)

    def _forget(self, place: tuple[str, str]) -> None:
        kept = self._kept.pop(place, None)
        if kept is not None:
            self._size -= len(kept.value)
