"""Shared work: one piece of it, and each caller free to leave."""

from __future__ import annotations

import asyncio
import gc
import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from websdk.errors import DeadlineExceeded, RateLimited, Refused
from websdk.reuse import Flights


class Work:
    """Work that ends when a test says so."""

    def __init__(self):
        self.begun = 0
        self.cancelled = 0
        self.end = asyncio.Event()
        self.error = None

    async def __call__(self):
        self.begun += 1
        try:
            await self.end.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.error:
            raise self.error
        return self.begun


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


def test_a_thousand_callers_share_one_request_while_others_leave():
    async def play():
        flights, work = Flights(), Work()
        callers = [asyncio.create_task(flights.join("s", "k", work, deadline_s=60)) for _ in range(1_000)]
        await settle()
        leaving = random.Random(7).sample(callers, 999)
        for caller in leaving:
            caller.cancel()
            await asyncio.sleep(0)
        assert all(caller.cancelled() for caller in leaving)
        work.end.set()
        (staying,) = set(callers) - set(leaving)
        assert 1 == await staying
        assert 1 == work.begun
        assert 0 == work.cancelled
        assert 0 == len(flights)

    asyncio.run(play())


def test_the_last_one_out_cancels_the_work():
    async def play():
        flights, work = Flights(), Work()
        callers = [asyncio.create_task(flights.join("s", "k", work, deadline_s=60)) for _ in range(3)]
        await settle()
        for caller in callers:
            caller.cancel()
        await settle()
        assert 1 == work.cancelled
        assert not flights.is_running("s", "k")

    asyncio.run(play())


def test_who_comes_after_the_last_one_left_begins_anew():
    async def play():
        flights, first, second = Flights(), Work(), Work()
        caller = asyncio.create_task(flights.join("s", "k", first, deadline_s=60))
        await settle()
        caller.cancel()
        await asyncio.sleep(0)
        second.end.set()

        assert 1 == await flights.join("s", "k", second, deadline_s=60)
        assert 1 == first.cancelled

    asyncio.run(play())


@pytest.mark.parametrize("other", [("s", "other"), ("other", "k")], ids=["another key", "another scope"])
def test_different_work_is_not_shared(other):
    async def play():
        flights, first, second = Flights(), Work(), Work()
        callers = [
            asyncio.create_task(flights.join("s", "k", first, deadline_s=60)),
            asyncio.create_task(flights.join(*other, second, deadline_s=60)),
        ]
        await settle()
        first.end.set()
        second.end.set()
        await asyncio.gather(*callers)
        assert (1, 1) == (first.begun, second.begun)

    asyncio.run(play())


def test_every_caller_gets_a_failure_of_its_own():
    async def play():
        flights, work = Flights(), Work()
        work.error = RateLimited("too many calls", provider="brave", wait_s=3.0)
        callers = [asyncio.create_task(flights.join("s", "k", work, deadline_s=60)) for _ in range(3)]
        await settle()
        work.end.set()
        errors = await asyncio.gather(*callers, return_exceptions=True)
        assert 3 == len({id(error) for error in errors})
        assert [3.0] * 3 == [error.wait_s for error in errors]

    asyncio.run(play())


def test_the_work_has_a_deadline_of_its_own():
    async def play():
        flights, work = Flights(), Work()
        with pytest.raises(DeadlineExceeded) as caught:
            await flights.join("s", "k", work, deadline_s=0.01)
        assert caught.value.retryable
        assert 1 == work.cancelled

    asyncio.run(play())


def test_a_time_out_inside_the_work_is_not_taken_for_its_deadline():
    async def fail():
        raise TimeoutError("of its own")

    async def play():
        with pytest.raises(TimeoutError, match="of its own"):
            await Flights().join("s", "k", fail, deadline_s=60)

    asyncio.run(play())


def test_closing_ends_running_work_and_tells_who_waits():
    async def play():
        flights, work = Flights(), Work()
        caller = asyncio.create_task(flights.join("s", "k", work, deadline_s=60))
        await settle()
        await flights.aclose()
        with pytest.raises(Refused, match="closed"):
            await caller
        assert 1 == work.cancelled
        assert {asyncio.current_task()} == asyncio.all_tasks()

    asyncio.run(play())


def test_a_failure_that_nobody_waits_for_is_not_reported_as_forgotten():
    async def play():
        reports = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: reports.append(context))
        flights = Flights()

        async def stubborn():
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                raise RuntimeError("on the way out") from None

        caller = asyncio.create_task(flights.join("s", "k", stubborn, deadline_s=60))
        await settle()
        caller.cancel()
        await settle()
        gc.collect()
        assert [] == reports

    asyncio.run(play())


def test_flights_serve_one_loop_after_another():
    flights = Flights()

    async def answer():
        return "answer"

    for _ in range(3):
        assert "answer" == asyncio.run(flights.join("s", "k", answer, deadline_s=60))


class FlightsMachine(RuleBasedStateMachine):
    """Any sequence of joining, leaving and ending, against a model of who waits for what."""

    callers = Bundle("callers")

    def __init__(self):
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.flights = Flights()
        self.running = {}
        self.waiting = {}

    def step(self):
        self.loop.run_until_complete(settle())

    @rule(target=callers, key=st.sampled_from("ab"))
    def join(self, key):
        async def begin():
            work = self.running.get(key) or Work()
            task = asyncio.create_task(self.flights.join("s", key, work, deadline_s=60))
            await settle()
            return work, task

        work, task = self.loop.run_until_complete(begin())
        self.running[key] = work
        self.waiting.setdefault(key, set()).add(task)
        assert 1 == work.begun
        return key, task

    @rule(caller=consumes(callers))
    def leave(self, caller):
        key, task = caller
        was_done = task.done()
        task.cancel()
        self.step()
        assert was_done or task.cancelled()
        if was_done:
            return
        self.waiting[key].discard(task)
        if not self.waiting[key]:
            assert 1 == self.running.pop(key).cancelled

    @rule(key=st.sampled_from("ab"), fails=st.booleans())
    def end(self, key, fails):
        work = self.running.pop(key, None)
        if work is None:
            return
        work.error = RateLimited("too many calls", provider="brave") if fails else None
        work.end.set()
        self.step()
        for task in self.waiting.pop(key):
            assert task.done()
            assert isinstance(task.exception(), RateLimited) if fails else task.result() == 1

    @invariant()
    def running_work_is_what_someone_waits_for(self):
        assert len(self.running) == len(self.flights)
        assert all(not work.cancelled for work in self.running.values())

    def teardown(self):
        self.loop.run_until_complete(self.flights.aclose())
        self.loop.run_until_complete(settle())
        for tasks in self.waiting.values():
            for task in tasks:
                assert isinstance(task.exception(), Refused)
        self.loop.close()


TestFlights = FlightsMachine.TestCase
TestFlights.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
