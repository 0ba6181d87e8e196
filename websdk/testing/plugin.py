"""Fixtures, for test runs that ask for them: ``pytest_plugins = ["websdk.testing.plugin"]``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from websdk.testing.doubles import FakeClock, FakeResolver, RecordingTransport
from websdk.testing.vendor_server import VendorServer

# Contracts are imported late, so that pytest can explain their asserts.
pytest.register_assert_rewrite(
    *(
        f"websdk.testing.{name}_contract"
        for name in ("answers", "claims", "codec", "preset", "provider", "replies", "rung", "state", "transport")
    )
)


@pytest.fixture
def fake_clock() -> FakeClock:
    """A clock that moves when it is told to."""
    return FakeClock()


@pytest.fixture
def fake_resolver() -> FakeResolver:
    """A resolver over a table that is empty at first."""
    return FakeResolver()


@pytest.fixture
def recording_transport() -> RecordingTransport:
    """A transport that keeps what it was sent; give it ``replies``."""
    return RecordingTransport()


@pytest.fixture
def vendor_server() -> Iterator[VendorServer]:
    """Every bundled vendor on this machine, made from its preset."""
    with VendorServer() as server:
        yield server
