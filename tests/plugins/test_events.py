"""Observers see what happens and cannot disturb it."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import Any

import pytest

from websdk.events import Event
from websdk.hookspecs import hookimpl
from websdk.plugins.host import PluginHost
from websdk.plugins.offers import Offer, OfferKind

EVENT = Event(name="search.finished", call_id="c1", at=datetime(2026, 1, 2, tzinfo=UTC))


class Observer:
    """Keeps what it sees, and raises what it is told to."""

    def __init__(self, failure: BaseException | None = None) -> None:
        self.seen: list[Event] = []
        self.failure = failure

    @hookimpl
    def websdk_event(self, event: Event) -> None:
        self.seen.append(event)
        if self.failure is not None:
            raise self.failure


def test_every_observer_gets_every_event() -> None:
    first, second = Observer(), Observer()
    host = PluginHost(selected=[], explicit=[first, second])

    host.emit(EVENT)
    host.emit(EVENT)

    assert [EVENT, EVENT] == first.seen == second.seen
    assert (Offer(kind=OfferKind.OBSERVER),) == host.listing()[-1].offers


@pytest.mark.parametrize(
    "failure", [ValueError("canary"), asyncio.CancelledError("canary")], ids=lambda e: type(e).__name__
)
def test_observer_that_raises_is_logged_once_by_name_and_dropped(
    failure: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    broken, good = Observer(failure), Observer()
    host = PluginHost(selected=[], explicit=[broken, good])

    with caplog.at_level(logging.DEBUG):
        host.emit(EVENT)
        host.emit(EVENT)

    assert [EVENT] == broken.seen
    assert [EVENT, EVENT] == good.seen
    [record] = caplog.records
    assert "argument Observer raised" in record.getMessage()
    assert "canary" not in record.getMessage()


def test_interrupt_by_the_person_goes_through() -> None:
    host = PluginHost(selected=[], explicit=[Observer(KeyboardInterrupt())])

    with pytest.raises(KeyboardInterrupt):
        host.emit(EVENT)


def test_observer_may_ignore_the_event_itself() -> None:
    calls: list[Any] = []

    class Bell:
        @hookimpl
        def websdk_event(self) -> None:
            calls.append(1)

    PluginHost(selected=[], explicit=[Bell()]).emit(EVENT)

    assert [1] == calls
