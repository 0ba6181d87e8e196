"""The contract of what several sessions may share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar

import pytest

from websdk.errors import DeadlineExceeded
from websdk.protocols import SharedState
from websdk.testing.doubles import FakeClock

Play = Callable[[SharedState, FakeClock], Awaitable[None]]


class SharedStateContract:
    """What every :class:`~websdk.protocols.SharedState` promises. Give a subclass :meth:`make_state`.

    Attributes:
        follows_clock: Whether time in the state passes with the clock that it is given.
    """

    follows_clock: ClassVar[bool] = True

    def make_state(self, clock: FakeClock) -> SharedState:
        """Return a fresh, empty state."""
        raise NotImplementedError

    def _play(self, scenario: Play) -> None:
        async def run() -> None:
            clock = FakeClock()
            state = self.make_state(clock)
            try:
                await scenario(state, clock)
            finally:
                await state.aclose()

        asyncio.run(run())

    def test_it_is_a_shared_state(self) -> None:
        """It has the members of the protocol, and a key that fingerprints can rest on."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            assert isinstance(state, SharedState)
            assert 16 <= len(state.key) <= 64

        self._play(scenario)

    def test_its_representation_tells_nothing_it_keeps(self) -> None:
        """Neither the key nor an answer."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            await state.reuse.put("scope", "place", b"kept-answer")
            shown = f"{state!r} {state.reuse!r} {state.cooldowns!r} {state.flights!r}"

            assert repr(state.key)[2:-1] not in shown
            assert "kept-answer" not in shown

        self._play(scenario)

    def test_answer_is_found_in_its_own_scope_alone(self) -> None:
        """What one scope keeps no other sees."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            await state.reuse.put("one", "place", b"1")

            assert b"1" == await state.reuse.get("one", "place")
            assert await state.reuse.get("two", "place") is None
            assert await state.reuse.get("one", "other") is None

        self._play(scenario)

    def test_later_answer_takes_the_place_of_the_earlier(self) -> None:
        """One key, one answer."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            await state.reuse.put("one", "place", b"1")
            await state.reuse.put("one", "place", b"2")

            assert b"2" == await state.reuse.get("one", "place")

        self._play(scenario)

    def test_dropping_forgets_the_named_answers_of_one_scope(self) -> None:
        """And nothing of another, and nothing that was not named."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            for scope, key in (("one", "a"), ("one", "b"), ("two", "a")):
                await state.reuse.put(scope, key, key.encode())
            await state.reuse.drop("one", ["a", "never-put"])

            assert await state.reuse.get("one", "a") is None
            assert b"b" == await state.reuse.get("one", "b")
            assert b"a" == await state.reuse.get("two", "a")

        self._play(scenario)

    def test_answer_does_not_live_for_ever(self) -> None:
        """A day later it is gone."""
        if not self.follows_clock:
            pytest.skip("the state has a clock of its own")

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            await state.reuse.put("one", "place", b"1")
            clock.advance(86_400)

            assert await state.reuse.get("one", "place") is None

        self._play(scenario)

    def test_answer_too_large_to_keep_is_not_kept(self) -> None:
        """The store is bounded, and what does not fit harms nobody."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            await state.reuse.put("one", "small", b"1")
            await state.reuse.put("one", "huge", bytes(64 << 20))

            assert await state.reuse.get("one", "huge") is None

        self._play(scenario)

    def test_pause_holds_for_its_scope_and_key(self) -> None:
        """A vendor is left alone by the one who was told to."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            await state.cooldowns.start("one", "brave", 10)

            assert 0 < await state.cooldowns.left("one", "brave") <= 10
            assert 0 == await state.cooldowns.left("one", "exa")
            assert 0 == await state.cooldowns.left("two", "brave")

        self._play(scenario)

    def test_longer_pause_stays(self) -> None:
        """A short one that comes later shortens nothing."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            await state.cooldowns.start("one", "brave", 30)
            await state.cooldowns.start("one", "brave", 5)

            assert await state.cooldowns.left("one", "brave") > 20

        self._play(scenario)

    def test_pause_of_no_time_is_none(self) -> None:
        """Zero and less start nothing."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            await state.cooldowns.start("one", "brave", 0)
            await state.cooldowns.start("one", "exa", -5)

            assert 0 == await state.cooldowns.left("one", "brave")
            assert 0 == await state.cooldowns.left("one", "exa")

        self._play(scenario)

    def test_pause_ends(self) -> None:
        """After its time the vendor may be asked again."""
        if not self.follows_clock:
            pytest.skip("the state has a clock of its own")

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            await state.cooldowns.start("one", "brave", 10)
            clock.advance(10)

            assert 0 == await state.cooldowns.left("one", "brave")

        self._play(scenario)

    def test_identical_requests_share_their_work(self) -> None:
        """The work begins once, and everybody gets its outcome."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            begun, gate = asyncio.Semaphore(0), asyncio.Event()
            times: list[int] = []

            async def work() -> int:
                times.append(1)
                begun.release()
                await gate.wait()
                return 7

            joined = [asyncio.create_task(state.flights.join("one", "k", work, deadline_s=30)) for _ in range(3)]
            other = asyncio.create_task(state.flights.join("two", "k", work, deadline_s=30))
            for _ in range(2):
                await begun.acquire()
            assert state.flights.is_running("one", "k")
            assert not state.flights.is_running("one", "other")
            gate.set()

            assert [7, 7, 7, 7] == [await task for task in (*joined, other)]
            assert 2 == len(times)
            assert not state.flights.is_running("one", "k")

        self._play(scenario)

    def test_one_caller_that_leaves_takes_nothing_from_the_others(self) -> None:
        """Work goes on as long as anybody waits, and ends with the last one."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            begun, gate, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

            async def work() -> int:
                begun.set()
                try:
                    await gate.wait()
                    return 7
                finally:
                    ended.set()

            first = asyncio.create_task(state.flights.join("one", "k", work, deadline_s=30))
            second = asyncio.create_task(state.flights.join("one", "k", work, deadline_s=30))
            async with asyncio.timeout(5):
                await begun.wait()
            await asyncio.sleep(0)  # the second caller joins in its first step
            first.cancel()
            await asyncio.wait([first])
            assert state.flights.is_running("one", "k")
            second.cancel()
            await asyncio.wait([second])
            async with asyncio.timeout(5):
                await ended.wait()

        self._play(scenario)

    def test_failure_of_the_work_reaches_everybody(self) -> None:
        """And the next request begins anew."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            async def work() -> int:
                await asyncio.sleep(0)
                raise LookupError("no")

            tasks = [asyncio.create_task(state.flights.join("one", "k", work, deadline_s=30)) for _ in range(2)]
            found = await asyncio.gather(*tasks, return_exceptions=True)

            assert [type(item) for item in found] == [LookupError, LookupError]
            assert not state.flights.is_running("one", "k")

        self._play(scenario)

    def test_work_ends_at_its_deadline(self) -> None:
        """Whoever still waits."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            with pytest.raises(DeadlineExceeded):
                await state.flights.join("one", "k", asyncio.Event().wait, deadline_s=0.05)

        self._play(scenario)

    def test_closing_forgets_everything(self) -> None:
        """Answers, pauses and running work."""

        async def scenario(state: SharedState, clock: FakeClock) -> None:
            await state.reuse.put("one", "place", b"1")
            await state.cooldowns.start("one", "brave", 30)
            begun = asyncio.Event()

            async def work() -> None:
                begun.set()
                await asyncio.Event().wait()

            waiting = asyncio.create_task(state.flights.join("one", "k", work, deadline_s=30))
            async with asyncio.timeout(5):
                await begun.wait()
            await state.aclose()
            await asyncio.wait([waiting], timeout=5)

            assert waiting.done()

        self._play(scenario)
