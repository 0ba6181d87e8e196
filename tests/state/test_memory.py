"""The state of one process keeps the contract."""

from __future__ import annotations

from websdk.reuse import ReuseOptions
from websdk.state import MemoryState
from websdk.testing import FakeClock, SharedStateContract


class TestMemoryState(SharedStateContract):
    """The default state."""

    def make_state(self, clock: FakeClock) -> MemoryState:
        return MemoryState(ReuseOptions(), clock=clock, key=b"k" * 16)
