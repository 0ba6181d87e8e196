"""A few providers at the same time: who they are, and how what they do is gathered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from websdk.errors import WebSdkError
from websdk.model.effort import Family

PER_FAMILY = 2  # a second opinion is worth its price, a third seldom is
IN_ALL = 4  # both families; a long list of fallbacks must not become a sweep

T = TypeVar("T")


class HasFamily(Protocol):
    """Anything that belongs to a family of sources."""

    @property
    def family(self) -> Family:
        """Which one."""
        ...


F = TypeVar("F", bound=HasFamily)


def choose(sources: Sequence[F], family: Family) -> tuple[F, ...]:
    """Return who takes part in a thorough search: at most two of each asked family and four in all.

    Args:
        sources: Those that can be used, in the order that the operator wrote; others are not among them and take no
            place.
        family: What was asked for.
    """
    chosen: list[F] = []
    for member in family.members:
        chosen += [source for source in sources if source.family is member][:PER_FAMILY]
    return tuple(chosen[:IN_ALL])


async def outcomes_of(jobs: Iterable[Callable[[], Awaitable[T]]], *, at_most: int) -> tuple[T | WebSdkError, ...]:
    """Run *jobs* at the same time and return what became of each, in their order.

    A failure of one leaves the others alone. When the caller is cancelled, or a job breaks in a way that is no failure
    of ours, all are cancelled and have ended before this returns.

    Args:
        jobs: What is to be done.
        at_most: How many run at once, from 1.
    """
    room = asyncio.Semaphore(at_most)

    async def run(job: Callable[[], Awaitable[T]]) -> T | WebSdkError:
        async with room:
            try:
                return await job()
            except WebSdkError as error:
                return error

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run(job)) for job in jobs]
    except BaseExceptionGroup as broken:
        raise broken.exceptions[0] from None
    return tuple(task.result() for task in tasks)
