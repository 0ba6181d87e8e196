"""One call as it runs: its clock, its deadline, its record."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Protocol, runtime_checkable

import attrs

from websdk.errors import DeadlineExceeded
from websdk.events import Event, EventSink, discard
from websdk.model.receipt import Attempt, Receipt


@runtime_checkable
class Clock(Protocol):
    """Where time comes from."""

    def now(self) -> datetime:
        """Return the aware moment."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        ...


@attrs.define(kw_only=True)
class Call:
    """What a provider or rung gets beside the request.

    Attributes:
        id: Id in receipts, events, errors and log lines.
        operation: ``search`` or ``fetch``.
        clock: Where time comes from.
        deadline_s: Seconds the whole call may take, from its start.
        started: Monotonic seconds of the start.
        started_at: Aware moment of the start.
        sink: Who observes.
        attempts: Requests so far, in order.
        spend: Debits a budget; see :meth:`pay`.
        for_evidence: Whether what a read brings is kept as evidence, and not handed to a person as a page.
    """

    id: str
    operation: str
    clock: Clock
    deadline_s: float
    started: float
    started_at: datetime
    sink: EventSink = attrs.field(default=discard, repr=False)
    attempts: list[Attempt] = attrs.field(factory=list)
    spend: Callable[[], Awaitable[None]] | None = attrs.field(default=None, repr=False)
    for_evidence: bool = False

    @classmethod
    def start(cls, *, id: str, operation: str, clock: Clock, deadline_s: float, sink: EventSink = discard) -> Call:
        """Open a call that begins now."""
        return cls(
            id=id,
            operation=operation,
            clock=clock,
            deadline_s=deadline_s,
            started=clock.monotonic(),
            started_at=clock.now(),
            sink=sink,
        )

    def elapsed_s(self) -> float:
        """Return wall-clock seconds since the start."""
        return self.clock.monotonic() - self.started

    def remaining_s(self) -> float:
        """Return wall-clock seconds that are left, never below zero."""
        return max(0.0, self.deadline_s - self.elapsed_s())

    @asynccontextmanager
    async def within_deadline(self) -> AsyncIterator[None]:
        """Run a block of the call under its deadline.

        Raises:
            DeadlineExceeded: The time ran out; whatever ran in the block was cancelled.
        """
        try:
            async with asyncio.timeout(self.remaining_s()) as scope:
                yield
        except TimeoutError as exc:
            if isinstance(exc, DeadlineExceeded) or not scope.expired():
                raise
            raise DeadlineExceeded(
                f"the call took longer than its deadline of {self.deadline_s:g} s",
                deadline_s=self.deadline_s,
                sent=bool(self.attempts),
                call_id=self.id,
            ) from None

    async def pay(self) -> None:
        """Debit the call's budget, where it has one, as the last step before bytes leave; once in the whole call.

        Raises:
            BudgetExhausted: Nothing is left; nothing was sent.
        """
        spend, self.spend = self.spend, None
        if spend is not None:
            await spend()

    def record(self, attempt: Attempt) -> None:
        """Add a request to the record."""
        self.attempts.append(attempt)

    def emit(self, name: str, **fields: str | int | float | bool | None) -> None:
        """Tell observers that something happened."""
        self.sink(Event(name=name, call_id=self.id, at=self.clock.now(), fields=fields))

    def receipt(self, recipient: str) -> Receipt:
        """Return the record so far."""
        return Receipt(
            call_id=self.id,
            operation=self.operation,
            recipient=recipient,
            started_at=self.started_at,
            elapsed_s=self.elapsed_s(),
            attempts=tuple(self.attempts),
        )


Maker = Callable[[], str]
"""Where call ids come from."""
