"""Identical requests at once share one piece of work, and each caller may leave alone."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import attrs

from websdk.errors import DeadlineExceeded, Refused, WebSdkError

T = TypeVar("T")
_Place = tuple[asyncio.AbstractEventLoop, str, str]


@attrs.define(eq=False)
class _Flight:
    task: asyncio.Task[Any]
    callers: int = 0


class Flights:
    """Work that is running, by what was asked for. Work belongs to the event loop that began it."""

    def __init__(self) -> None:
        self._flights: dict[_Place, _Flight] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._flights)

    def is_running(self, scope: str, key: str) -> bool:
        """Tell whether a joiner would share work that has begun."""
        return (asyncio.get_running_loop(), scope, key) in self._flights

    async def join(self, scope: str, key: str, work: Callable[[], Awaitable[T]], *, deadline_s: float) -> T:
        """Return the outcome of the running work of *key*, begun with *work* where there is none.

        Args:
            scope: Whose work it is.
            key: What is asked for.
            work: Begins it.
            deadline_s: Seconds that the work itself may take, whoever still waits.

        Raises:
            DeadlineExceeded: The work took longer.
            Refused: The work was ended because its owner closed.
        """
        place = (asyncio.get_running_loop(), scope, key)
        flight = self._flights.get(place)
        if flight is None:
            flight = self._flights[place] = _Flight(self._begin(place, work, deadline_s))
        flight.callers += 1
        try:
            await asyncio.wait((flight.task,))
        finally:
            flight.callers -= 1
            if flight.callers == 0 and not flight.task.done():
                self._remove(place, flight.task)
                flight.task.cancel()
        outcome: T = _outcome(flight.task)
        return outcome

    async def aclose(self) -> None:
        """End all work of the running loop and wait until it has ended."""
        loop = asyncio.get_running_loop()
        tasks = [task for task in self._tasks if task.get_loop() is loop]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _begin(self, place: _Place, work: Callable[[], Awaitable[T]], deadline_s: float) -> asyncio.Task[T]:
        task = place[0].create_task(_within(work, deadline_s))
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._land(place, done))
        return task

    def _land(self, place: _Place, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        self._remove(place, task)
        if not task.cancelled():
            task.exception()  # looked at, so that a failure nobody waits for any more is not reported as forgotten

    def _remove(self, place: _Place, task: asyncio.Task[Any]) -> None:
        flight = self._flights.get(place)
        if flight is not None and flight.task is task:
            del self._flights[place]


async def _within(work: Callable[[], Awaitable[T]], deadline_s: float) -> T:
    try:
        async with asyncio.timeout(deadline_s) as scope:
            return await work()
    except TimeoutError as exc:
        if isinstance(exc, DeadlineExceeded) or not scope.expired():
            raise
        raise DeadlineExceeded(f"the shared request took longer than {deadline_s:g} s", deadline_s=deadline_s) from None


def _outcome(task: asyncio.Task[T]) -> T:
    if task.cancelled():
        raise Refused("the request was ended because its session was closed", sent=True)
    error = task.exception()
    if isinstance(error, WebSdkError):
        # Each caller gets an error of its own: a raised exception collects the traceback of whoever raises it.
        raise copy.copy(error) from error
    return task.result()
