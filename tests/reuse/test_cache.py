"""Answers kept for seconds."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.reuse import MemoryReuse, ReuseOptions


def make(clock, **options):
    return MemoryReuse(ReuseOptions(**options), clock=clock)


def run(work):
    return asyncio.run(work)


def test_an_answer_is_given_again_until_its_time_is_over(clock):
    cache = make(clock)
    run(cache.put("s", "k", b"answer"))

    clock.seconds = 29.9
    assert b"answer" == run(cache.get("s", "k"))
    clock.seconds = 30
    assert run(cache.get("s", "k")) is None


def test_a_hit_does_not_make_an_answer_younger(clock):
    cache = make(clock)
    run(cache.put("s", "k", b"answer"))
    clock.seconds = 20
    run(cache.get("s", "k"))

    clock.seconds = 31
    assert run(cache.get("s", "k")) is None


def test_scopes_do_not_meet(clock):
    cache = make(clock)
    run(cache.put("one", "k", b"1"))

    assert run(cache.get("two", "k")) is None


def test_dropping_keys_of_one_scope_leaves_the_other(clock):
    cache = make(clock)
    run(cache.put("one", "k", b"1"))
    run(cache.put("two", "k", b"2"))

    run(cache.drop("one", ["k", "never there"]))

    assert run(cache.get("one", "k")) is None
    assert b"2" == run(cache.get("two", "k"))


def test_the_least_recently_used_goes_first(clock):
    cache = make(clock, entries=2)
    run(cache.put("s", "a", b"a"))
    run(cache.put("s", "b", b"b"))
    run(cache.get("s", "a"))

    run(cache.put("s", "c", b"c"))

    assert [b"a", None, b"c"] == [run(cache.get("s", key)) for key in "abc"]


def test_an_answer_larger_than_the_cache_is_not_kept_and_drops_nothing(clock):
    cache = make(clock, bytes=10)
    run(cache.put("s", "a", b"1234567890"))

    run(cache.put("s", "b", b"12345678901"))

    assert b"1234567890" == run(cache.get("s", "a"))
    assert run(cache.get("s", "b")) is None


def test_a_new_answer_replaces_the_old_one(clock):
    cache = make(clock)
    run(cache.put("s", "a", b"old"))

    run(cache.put("s", "a", b"newer"))

    assert b"newer" == run(cache.get("s", "a"))
    assert 5 == cache.size


@pytest.mark.parametrize("off", [{"ttl_s": 0}, {"entries": 0}, {"bytes": 0}], ids=str)
def test_reuse_can_be_turned_off(clock, off):
    cache = make(clock, **off)

    run(cache.put("s", "a", b"x"))

    assert run(cache.get("s", "a")) is None


@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["put", "get", "wait"]), st.sampled_from("abcde"), st.integers(0, 40)), max_size=40
    )
)
def test_bounds_hold_whatever_happens(steps):
    from types import SimpleNamespace

    now = SimpleNamespace(seconds=0.0)
    cache = make(SimpleNamespace(monotonic=lambda: now.seconds), entries=3, bytes=60, ttl_s=10)

    async def play():
        for what, key, number in steps:
            if what == "put":
                await cache.put("s", key, b"x" * number)
            elif what == "get":
                await cache.get("s", key)
            else:
                now.seconds += number
            assert len(cache) <= 3
            assert cache.size <= 60
            assert cache.size == sum(len(kept.value) for kept in cache._kept.values())

    run(play())
