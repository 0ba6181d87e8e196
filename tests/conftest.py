"""What every room's tests share: the folder of committed data."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of cases that come with the repository."""
    return Path(__file__).parent / "data"
