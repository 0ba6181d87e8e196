"""One call: its clock, its deadline, its record."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from websdk.errors import DeadlineExceeded
from websdk.model import Attempt
from websdk.protocols import Call

START = datetime(2026, 3, 31, 12, tzinfo=UTC)


class HandClock:
    """A clock that is moved by hand."""

    def __init__(self):
        self.passed = 0.0

    def now(self):
        return START + timedelta(seconds=self.passed)

    def monotonic(self):
        return 1_000.0 + self.passed


@pytest.fixture
def clock():
    return HandClock()


def _call(clock, *, deadline_s=30.0, sink=lambda event: None):
    return Call.start(id="call-1", operation="search", clock=clock, deadline_s=deadline_s, sink=sink)


def test_time_left_counts_down_to_nothing(clock):
    call = _call(clock)

    assert 30.0 == call.remaining_s()

    clock.passed = 12.5
    assert (12.5, 17.5) == (call.elapsed_s(), call.remaining_s())

    clock.passed = 31.0
    assert 0.0 == call.remaining_s()


def test_the_receipt_holds_what_was_recorded_so_far(clock):
    call = _call(clock)
    first = Attempt(recipient="brave", host="api.example:443", outcome="ok", status=200)
    call.record(first)
    clock.passed = 2.0
    receipt = call.receipt("brave")
    call.record(Attempt(recipient="brave", host="api.example:443", outcome="rate_limited", status=429))

    assert ("call-1", "search", "brave", START, 2.0) == (
        receipt.call_id,
        receipt.operation,
        receipt.recipient,
        receipt.started_at,
        receipt.elapsed_s,
    )
    assert (first,) == receipt.attempts
    assert 2 == len(call.receipt("brave").attempts)


def test_an_event_carries_the_call_and_the_moment(clock):
    seen = []
    call = _call(clock, sink=seen.append)
    clock.passed = 1.0
    call.emit("search.finished", results=3)

    assert [("search.finished", "call-1", START + timedelta(seconds=1), {"results": 3})] == [
        (event.name, event.call_id, event.at, event.fields) for event in seen
    ]


def test_work_within_the_deadline_is_left_alone(clock):
    async def run():
        async with _call(clock).within_deadline():
            return "done"

    assert "done" == asyncio.run(run())


def test_work_past_the_deadline_is_cancelled_and_named(clock):
    cancelled = []

    async def run():
        call = _call(clock, deadline_s=0.02)
        try:
            async with call.within_deadline():
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    cancelled.append(True)
                    raise
        except DeadlineExceeded as error:
            return error

    error = asyncio.run(run())

    assert [True] == cancelled
    assert ("call-1", 0.02, False, True) == (error.call_id, error.deadline_s, error.sent, error.retryable)


def test_a_deadline_after_an_attempt_says_that_something_was_sent(clock):
    async def run():
        call = _call(clock, deadline_s=0.0)
        call.record(Attempt(recipient="brave", host="api.example:443", outcome="timeout"))
        async with call.within_deadline():
            await asyncio.Event().wait()

    with pytest.raises(DeadlineExceeded) as caught:
        asyncio.run(run())

    assert caught.value.sent


def test_a_time_out_of_the_work_itself_is_not_taken_for_the_deadline(clock):
    async def run():
        async with _call(clock).within_deadline():
            raise TimeoutError("of a lower floor")

    with pytest.raises(TimeoutError, match="of a lower floor") as caught:
        asyncio.run(run())

    assert not isinstance(caught.value, DeadlineExceeded)


def test_a_cancelled_caller_is_cancelled_and_not_timed_out(clock):
    async def run():
        started = asyncio.Event()

        async def work():
            async with _call(clock).within_deadline():
                started.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(work())
        await started.wait()
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(run())
