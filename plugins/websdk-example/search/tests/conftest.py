"""The Acme company in memory: a login service and a tickets service behind one transport."""

from __future__ import annotations

import json
import sys
from collections import deque
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import attrs
import pytest

from websdk import HttpRequest, HttpResponse, Limits

if find_spec("websdk_example_search") is None:  # run against the tree where the distribution is not installed
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

HIT = {"url": "https://tickets.acme.example/t/7", "title": "Lift stuck", "summary": "since", "changed_on": "2026-03-02"}


def reply(value: Any, status: int = 200) -> HttpResponse:
    return HttpResponse(status=status, headers=(("Content-Type", "application/json"),), body=json.dumps(value).encode())


@attrs.define(kw_only=True)
class Acme:
    """Answers what the two services document, in the order of ``looks``; remembers every request.

    Attributes:
        looks: Replies to looks at a search, in turn; the last one is repeated.
        lifetime_s: How long tokens live.
        refused: Tokens that the tickets service no longer takes.
        tokens: How many tokens were given out.
        requests: Every request, in order.
    """

    looks: deque[HttpResponse] = attrs.field(factory=lambda: deque([reply({"state": "done", "hits": [HIT]})]))
    started: HttpResponse = attrs.field(factory=lambda: reply({"id": "job-1", "wait_s": 0}, 202))
    lifetime_s: Any = 600
    refused: set[str] = attrs.field(factory=set)
    tokens: int = 0
    requests: list[HttpRequest] = attrs.field(factory=list)

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        self.requests.append(request)
        if urlsplit(request.url).hostname == "login.acme.example":
            return self._login(request)
        token = (request.header("Authorization") or "").removeprefix("Bearer ")
        if not token or token in self.refused:
            return reply({}, 401)
        if request.method == "POST":
            return self.started
        return self.looks.popleft() if len(self.looks) > 1 else self.looks[0]

    def _login(self, request: HttpRequest) -> HttpResponse:
        if parse_qs(request.body.decode()).get("client_secret") != ["long-lived"]:
            return reply({"error": "invalid_client"}, 401)
        self.tokens += 1
        return reply({"access_token": f"token-{self.tokens}", "expires_in": self.lifetime_s})

    async def aclose(self) -> None: ...


@pytest.fixture
def acme() -> Acme:
    return Acme()
