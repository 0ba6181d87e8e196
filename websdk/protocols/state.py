"""Roles of what several sessions may share: answers just paid for, running requests, and vendors to leave alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol, TypeVar, runtime_checkable

T = TypeVar("T")


class ReuseStore(Protocol):
    """Keeps answers for a short while. Bounded; nothing on disk."""

    async def get(self, scope: str, key: str) -> bytes | None:
        """Return what was put under *key* in *scope* and is still fresh."""
        ...

    async def put(self, scope: str, key: str, value: bytes) -> None:
        """Keep *value* for the store's own time; one too large for the store is not kept."""
        ...

    async def drop(self, scope: str, keys: Iterable[str]) -> None:
        """Forget *keys* of *scope*, and nothing of another scope."""
        ...


class CooldownBoard(Protocol):
    """Remembers which vendor asked to be left alone, and for how long."""

    async def left(self, scope: str, key: str) -> float:
        """Return the seconds for which *key* is still to be left alone; 0 for none."""
        ...

    async def start(self, scope: str, key: str, seconds: float) -> None:
        """Leave *key* alone for *seconds* from now; a longer pause that is running stays."""
        ...


class FlightBoard(Protocol):
    """Lets identical requests of one event loop share their work."""

    def is_running(self, scope: str, key: str) -> bool:
        """Tell whether a joiner would share work that has begun."""
        ...

    async def join(self, scope: str, key: str, work: Callable[[], Awaitable[T]], *, deadline_s: float) -> T:
        """Return the outcome of the running work of *key*, begun with *work* where there is none.

        Each caller may be cancelled alone; when the last one leaves, the work is cancelled.

        Args:
            scope: Whose work it is.
            key: What is asked for.
            work: Begins it.
            deadline_s: Seconds that the work itself may take, whoever still waits.

        Raises:
            DeadlineExceeded: The work took longer.
        """
        ...


@runtime_checkable
class SharedState(Protocol):
    """What stands behind sessions. Every key is bound to a scope and a credential's fingerprint by the session.

    The default lives and dies with one session; one that is passed in may serve many.
    """

    @property
    def key(self) -> bytes:
        """Random bytes that fingerprints are keyed with; the same for everybody who shares the state."""
        ...

    @property
    def reuse(self) -> ReuseStore:
        """Answers just paid for."""
        ...

    @property
    def cooldowns(self) -> CooldownBoard:
        """Vendors to leave alone."""
        ...

    @property
    def flights(self) -> FlightBoard:
        """Requests that are running."""
        ...

    async def aclose(self) -> None:
        """End what runs and forget everything."""
        ...
