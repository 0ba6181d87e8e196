"""Pauses that vendors ask for."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from websdk.errors import (
    CredentialRejected,
    DeadlineExceeded,
    MalformedAnswer,
    ProviderRejected,
    RateLimited,
    Unavailable,
)
from websdk.reuse import MemoryCooldowns, cooldown_s
from websdk.wire.retry_after import ENDPOINT_WAIT_CEILING_S, retry_after

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def limited(wait_s):
    return RateLimited("too many calls", provider="brave", status=429, wait_s=wait_s)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("20", 20), ("Wed, 04 Mar 2026 12:00:20 GMT", 20), ("later", 30), ("600", 60), ("0", 0), (None, 30)],
)
def test_what_the_vendor_says_becomes_a_pause_within_bounds(header, seconds):
    wait_s = retry_after(header, now=NOON, ceiling_s=ENDPOINT_WAIT_CEILING_S)

    assert seconds == cooldown_s(limited(wait_s))


def test_a_wait_that_nobody_clamped_is_clamped():
    assert 60 == cooldown_s(limited(3_600.0))


@pytest.mark.parametrize(
    "error",
    [
        Unavailable("an outage", provider="brave", status=503, wait_s=20.0),
        CredentialRejected("no key", provider="brave", status=401),
        ProviderRejected("no", provider="brave", status=400),
        MalformedAnswer("what?", provider="brave"),
        DeadlineExceeded("too late"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_no_other_failure_cools_down(error):
    assert 0 == cooldown_s(error)


def test_a_pause_runs_down_and_ends(clock):
    board = MemoryCooldowns(clock=clock)
    asyncio.run(board.start("s", "brave", 20))

    clock.seconds = 12
    assert 8 == asyncio.run(board.left("s", "brave"))
    assert 0 == asyncio.run(board.left("s", "exa"))
    assert 0 == asyncio.run(board.left("other", "brave"))
    clock.seconds = 21
    assert 0 == asyncio.run(board.left("s", "brave"))


def test_a_shorter_pause_does_not_shorten_a_running_one(clock):
    board = MemoryCooldowns(clock=clock)
    asyncio.run(board.start("s", "brave", 20))

    asyncio.run(board.start("s", "brave", 5))

    assert 20 == asyncio.run(board.left("s", "brave"))


def test_pauses_that_are_over_are_forgotten_and_their_number_is_bounded(clock):
    board = MemoryCooldowns(clock=clock)
    for number in range(1_500):
        asyncio.run(board.start("s", f"p{number}", 10 + number / 1_000))
    assert 1_024 == len(board)

    clock.seconds = 100
    asyncio.run(board.start("s", "last", 1))

    assert 1 == len(board)
