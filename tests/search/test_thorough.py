"""A few at the same time."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.errors import Unavailable
from websdk.model.effort import Family
from websdk.search.thorough import choose, outcomes_of


def sources(families):
    return [SimpleNamespace(id=number, family=Family(family)) for number, family in enumerate(families)]


@pytest.mark.parametrize(
    ("families", "asked", "chosen"),
    [
        (["web", "web", "web"], "web", [0, 1]),
        (["code", "web", "code", "web", "web", "code"], "both", [1, 3, 0, 2]),
        (["web", "code"], "code", [1]),
        (["web"], "both", [0]),
        (["web"], "code", []),
        ([], "both", []),
    ],
)
def test_at_most_two_of_each_family_in_the_order_written(families, asked, chosen):
    assert chosen == [source.id for source in choose(sources(families), Family(asked))]


@given(families=st.lists(st.sampled_from(["web", "code"])), asked=st.sampled_from(Family))
def test_never_more_than_four(families, asked):
    chosen = choose(sources(families), asked)

    assert len(chosen) <= 4
    assert all(source.family in asked.members for source in chosen)


def test_outcomes_come_in_order_and_a_failure_leaves_the_others_alone():
    async def play():
        release = asyncio.Event()

        async def slow():
            await release.wait()
            return "slow"

        async def fast():
            release.set()
            return "fast"

        async def failing():
            raise Unavailable("down", provider="a")

        slow_one, failed, fast_one = await outcomes_of([slow, failing, fast], at_most=3)
        assert ("slow", "fast") == (slow_one, fast_one)
        assert isinstance(failed, Unavailable)

    asyncio.run(play())


def test_no_more_than_so_many_run_at_once():
    async def play():
        running = most = 0

        async def job():
            nonlocal running, most
            running += 1
            most = max(most, running)
            for _ in range(3):
                await asyncio.sleep(0)
            running -= 1

        await outcomes_of([job] * 10, at_most=3)
        assert 3 == most

    asyncio.run(play())


def test_leaving_ends_all_jobs_before_it_returns():
    async def play():
        ended = []

        async def job():
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(True)

        caller = asyncio.create_task(outcomes_of([job] * 3, at_most=3))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        assert 3 == len(ended)
        assert {asyncio.current_task()} == asyncio.all_tasks()

    asyncio.run(play())


def test_a_breakage_comes_out_alone_and_not_as_a_group():
    async def broken():
        raise KeyError("a bug")

    with pytest.raises(KeyError, match="a bug"):
        asyncio.run(outcomes_of([broken, broken], at_most=2))
