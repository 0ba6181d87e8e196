"""A vendor and its pages on loopback, and a plugin that searches there."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Iterator
from datetime import date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs
import pytest

from websdk import (
    AllowEntry,
    EgressOptions,
    FilterKey,
    FilterOutcome,
    FilterStatus,
    HttpRequest,
    HttpResponse,
    Pause,
    SearchAnswer,
    SearchRequest,
    SearchResult,
    Settings,
    hookimpl,
)
from websdk.errors import CredentialRejected, Unavailable

Reply = tuple[int, dict[str, str], bytes]


class Loopback:
    """A server whose replies a test sets by path, and which keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.replies: dict[str, Callable[[], Reply]] = {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outer.asked.append((self.path, {key.lower(): value for key, value in self.headers.items()}))
                make = outer.replies.get(self.path.split("?", 1)[0])
                status, headers, body = make() if make else (404, {}, b"")
                self.send_response(status)
                for key, value in headers.items():
                    self.send_header(key, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self._server.handle_error = lambda *args: None  # type: ignore[method-assign]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def serve(self, path: str, body: bytes | str, *, status: int = 200, kind: str = "text/html", **headers: str) -> str:
        """Answer *path* with *body*, and return its address."""
        raw = body.encode() if isinstance(body, str) else body
        fields = {"Content-Type": kind, **{key.replace("_", "-"): value for key, value in headers.items()}}
        self.replies[path] = lambda: (status, fields, raw)
        return self.origin + path

    def paths(self) -> list[str]:
        """Return the paths asked for, without their queries."""
        return [path.split("?", 1)[0] for path, _ in self.asked]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@attrs.frozen
class TinyCodec:
    """A vendor that takes one domain at most and no other filter."""

    origin: str
    id: str = "tiny"
    filter_keys: frozenset[FilterKey] = frozenset({FilterKey.INCLUDE_DOMAINS})

    def explain(self, request: SearchRequest, *, today: date) -> tuple[tuple[FilterOutcome, ...], tuple[Any, ...]]:
        def status(key: FilterKey) -> FilterStatus:
            takes = key in self.filter_keys and len(request.filters.include_domains) == 1
            return FilterStatus.APPLIED if takes else FilterStatus.UNSUPPORTED

        return tuple(FilterOutcome(key=key, status=status(key)) for key in request.filters.asked()), ()

    def exchange(
        self, request: SearchRequest, *, today: date
    ) -> Generator[HttpRequest | Pause, HttpResponse | None, SearchAnswer]:
        reply = yield HttpRequest(
            method="GET", url=f"{self.origin}/search?q=x", headers=(("Accept", "application/json"),)
        )
        assert reply is not None
        rows = json.loads(reply.body)["rows"]
        return SearchAnswer(results=tuple(SearchResult(url=row["url"], title=row.get("title") or "") for row in rows))

    def classify(self, response: HttpResponse, *, now: datetime) -> Any:
        if response.status == 401:
            return CredentialRejected("tiny rejects the key", provider=self.id, status=401)
        if response.status >= 400:
            return Unavailable("tiny is out of order", provider=self.id, status=response.status)
        return None


@attrs.frozen
class TinyPlugin:
    """Brings the provider ``tiny``."""

    origin: str
    auth: Any = None

    @hookimpl
    def websdk_search_providers(self, assembly: Any) -> list[Any]:
        connection = assembly.connection("tiny")
        return [assembly.http_provider(TinyCodec(self.origin), connection=connection, auth=self.auth)]


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    """A server on loopback."""
    server = Loopback()
    yield server
    server.close()


@pytest.fixture
def rows(loopback: Loopback) -> Loopback:
    """The server, with three rows to find at /search."""
    found = [{"url": f"https://docs.example/{number}", "title": f"Page {number}"} for number in range(3)]
    loopback.serve("/search", json.dumps({"rows": found}), kind="application/json")
    return loopback


@pytest.fixture
def open_settings(loopback: Loopback) -> Settings:
    """Settings under which pages of the server may be read."""
    return Settings(egress=EgressOptions(allow=(AllowEntry(origin=loopback.origin),)), plugins=())
