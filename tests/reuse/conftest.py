"""A clock that moves when told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest


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
