"""A shared state with a fault fails the contract of shared states."""

from __future__ import annotations

from typing import Any

import pytest

from websdk.reuse import MemoryCooldowns, MemoryReuse, ReuseOptions
from websdk.state import MemoryState
from websdk.testing import FakeClock, SharedStateContract


class NoScopes(MemoryReuse):
    """Keeps one drawer for everybody."""

    async def put(self, scope: str, key: str, value: bytes) -> None:
        await super().put("all", key, value)

    async def get(self, scope: str, key: str) -> bytes | None:
        return await super().get("all", key)


class ShorterPauses(MemoryCooldowns):
    """Lets a later, shorter pause win."""

    async def start(self, scope: str, key: str, seconds: float) -> None:
        self.clear()
        await super().start(scope, key, seconds)


class Faulty(MemoryState):
    """The default state with one part exchanged."""

    def __init__(self, clock: FakeClock, part: str) -> None:
        super().__init__(ReuseOptions(), clock=clock, key=b"k" * 16)
        if part == "reuse":
            self._reuse = NoScopes(ReuseOptions(), clock=clock)
        else:
            self._cooldowns = ShorterPauses(clock=clock)


@pytest.mark.parametrize(
    ("part", "caught_by"),
    [
        ("reuse", "test_answer_is_found_in_its_own_scope_alone"),
        ("cooldowns", "test_longer_pause_stays"),
    ],
)
def test_state_with_a_fault_fails_the_contract(part: str, caught_by: str, broken_tests: Any) -> None:
    class OfState(SharedStateContract):
        def make_state(self, clock: FakeClock) -> Any:
            return Faulty(clock, part)

    assert caught_by in broken_tests(OfState())
