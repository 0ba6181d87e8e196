"""The state of one process keeps the contract."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace

from websdk.protocols import SharedState
from websdk.reuse import ReuseOptions
from websdk.state import MemoryState


def make():
    clock = SimpleNamespace(monotonic=lambda: 0.0, now=lambda: datetime(2026, 3, 4, tzinfo=UTC))
    return MemoryState(ReuseOptions(), clock=clock, key=b"k" * 16)


def test_it_is_a_shared_state():
    assert isinstance(make(), SharedState)


def test_closing_forgets_everything():
    async def play():
        state = make()
        await state.reuse.put("s", "k", b"x")
        await state.cooldowns.start("s", "brave", 10)
        await state.aclose()
        assert await state.reuse.get("s", "k") is None
        assert 0 == await state.cooldowns.left("s", "brave")

    asyncio.run(play())


def test_its_representation_tells_nothing_it_keeps():
    assert "k" * 16 not in repr(make())
