"""Vendors played by hand: a codec is a generator, so no network is needed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from websdk import HttpRequest, HttpResponse, SearchAnswer

if find_spec("websdk_vendors") is None:  # run against the tree where the distribution is not installed
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

Play = Callable[[Any, bytes], tuple[HttpRequest, SearchAnswer]]


@pytest.fixture
def play() -> Play:
    """Return a function that plays an exchange of one request: what it asked, and what it made of the reply."""

    def play(exchange: Any, body: bytes) -> tuple[HttpRequest, SearchAnswer]:
        request = next(exchange)
        with pytest.raises(StopIteration) as done:
            exchange.send(HttpResponse(status=200, body=body))
        return request, done.value.value

    return play
