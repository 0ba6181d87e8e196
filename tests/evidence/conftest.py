"""A clock that moves when told, and a store under it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from websdk.evidence import EvidenceOptions, EvidenceStore


class HandClock:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return datetime(2026, 3, 4, 12, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def make_store(clock: HandClock) -> Callable[..., EvidenceStore]:
    def make(**bounds: float) -> EvidenceStore:
        return EvidenceStore(EvidenceOptions(**bounds), clock=clock, key=b"k" * 16)

    return make
