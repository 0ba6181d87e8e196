"""One provider after another, in the order that the operator wrote, and only after a failure that may pass."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

import attrs

from websdk.errors import DeadlineExceeded, RateLimited, Unavailable, WebSdkError

S = TypeVar("S")
T = TypeVar("T")


@attrs.frozen(kw_only=True)
class Failed(Generic[S]):
    """An attempt that came to nothing.

    Attributes:
        source: Who was asked.
        error: Why it failed.
    """

    source: S
    error: WebSdkError


@attrs.frozen(kw_only=True)
class Answer(Generic[S, T]):
    """An attempt that came to something, with those before it.

    Attributes:
        source: Who answered.
        value: The answer.
        failures: Attempts before, in order.
    """

    source: S
    value: T
    failures: tuple[Failed[S], ...] = ()


def may_go_on(error: WebSdkError) -> bool:
    """Tell whether the next provider may be asked after *error*.

    It may after a rate limit, an outage or a time-out of the one attempt. A refusal, a rejected credential, a malformed
    answer, a missing receipt and an empty result end the search: another provider would hide what is wrong.
    """
    return isinstance(error, (RateLimited, Unavailable, DeadlineExceeded))


async def first_answer(
    sources: Sequence[S],
    ask: Callable[[S], Awaitable[T]],
    *,
    remaining_s: Callable[[], float],
    permit: Callable[[S], Awaitable[None]],
    goes_on: Callable[[WebSdkError], bool] = may_go_on,
    failures: list[Failed[S]] | None = None,
) -> Answer[S, T]:
    """Ask *sources* in order until one answers.

    Each attempt may take an even share of the time that is left, so that a silent first one leaves time for the next.

    Args:
        sources: Who may be asked, in order; at least one.
        ask: Asks one of them.
        remaining_s: Tells the seconds that are left of the whole call.
        permit: Asks for permission to ask one of them. It takes none of the time of the attempt: a person who thinks it
            over must not be passed over for the next.
        goes_on: Tells whether the next one may be asked after a failure.
        failures: Takes each attempt that comes to nothing, in order, the one that ends the search included.

    Raises:
        WebSdkError: The failure of the last one that was asked.
    """
    failures = failures if failures is not None else []
    for left, source in zip(range(len(sources), 0, -1), sources, strict=True):
        await permit(source)
        try:
            value = await within(remaining_s() / left, ask, source)
        except WebSdkError as error:
            failures.append(Failed(source=source, error=error))
            if left == 1 or not goes_on(error):
                raise
        else:
            return Answer(source=source, value=value, failures=tuple(failures))
    raise ValueError("there is nobody to ask")


async def within(seconds: float, ask: Callable[[S], Awaitable[T]], source: S) -> T:
    """Ask *source*, for so many seconds.

    Raises:
        DeadlineExceeded: It took longer and was cancelled, or there was no time left and it was not asked.
    """
    if seconds <= 0:
        raise DeadlineExceeded("no time was left", deadline_s=seconds, sent=False)
    try:
        async with asyncio.timeout(seconds) as scope:
            return await ask(source)
    except TimeoutError as exc:
        if isinstance(exc, WebSdkError) or not scope.expired():
            raise
        raise DeadlineExceeded(f"no answer within {seconds:.3g} s", deadline_s=seconds) from None
