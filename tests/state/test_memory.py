"""The state of one process keeps the contract."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator

import pytest

from websdk.reuse import ReuseOptions
from websdk.state import MemoryState
from websdk.testing import FakeClock, SharedStateContract


class TestMemoryState(SharedStateContract):
    """The default state."""

    def make_state(self, clock: FakeClock) -> MemoryState:
        return MemoryState(ReuseOptions(), clock=clock, key=b"k" * 16)


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads that change places at every chance."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hasty_threads")
def test_loops_in_several_threads_may_share_it() -> None:
    state = MemoryState(ReuseOptions(bytes=2_000), clock=FakeClock(), key=b"k" * 16)
    done = []

    async def work(name: int) -> None:
        for number in range(1_000):
            await state.cooldowns.start("scope", f"{name} {number}", 60.0)
            await state.reuse.put("scope", f"{name} {number % 90}", b"x" * 50)
            await state.reuse.get("scope", f"{name} {number % 7}")
            await state.reuse.drop("scope", [f"{name} {number % 50}"])
        done.append(name)

    threads = [threading.Thread(target=asyncio.run, args=(work(name),)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {0, 1, 2, 3} == set(done)
    assert state.reuse.size <= 2_000
