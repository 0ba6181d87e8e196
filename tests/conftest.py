"""What every room's tests share: the folder of committed data, and no opinion on how fast a machine is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# A property says what is true, and a loaded machine may take its time to see it.
settings.register_profile("websdk", deadline=None)
settings.load_profile("websdk")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of cases that come with the repository."""
    return Path(__file__).parent / "data"
