"""A recorder on loopback to which both a vendor's package and our client are pointed."""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

# Headers by which vendors tell who asks and what the body is; all others are a matter of the HTTP library.
HEADERS = frozenset({"authorization", "content-type", "x-api-key", "x-tavily-access-mode", "x-typesense-api-key"})
ABSENT = "absent"


class Recorder:
    """Answers every request with what a test puts there, and keeps the requests as flat places and values."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.answer: Any = {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # head and body leave at once, not 40 ms apart

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.requests.append(outer.flattened(self.command, self.path, self.headers.items(), body))
                answer = json.dumps(outer.answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.send_header("X-Elastic-Product", "Elasticsearch")  # without it that package reads nothing
                self.end_headers()
                self.wfile.write(answer)

            do_POST = do_GET

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @staticmethod
    def flattened(method: str, target: str, headers: Any, body: bytes) -> dict[str, Any]:
        """Return a request as its places and their values."""
        parts = urlsplit(target)
        found: dict[str, Any] = {"method": method, "path": parts.path}
        for name, value in parse_qsl(parts.query, keep_blank_values=True):
            assert f"query:{name}" not in found, "a parameter that comes twice has no single value"
            found[f"query:{name}"] = value
        found |= {f"header:{name.lower()}": value for name, value in headers if name.lower() in HEADERS}
        if body:
            found |= dict(_leaves(json.loads(body), "body:"))
        return found

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _leaves(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _leaves(item, f"{place}{key}" if place.endswith(":") else f"{place}.{key}")
    elif isinstance(value, list) and value:
        for number, item in enumerate(value):
            yield from _leaves(item, f"{place}[{number}]")
    else:
        yield place, "null" if value is None else value  # TOML, which lists the differences, has no such value


@pytest.fixture(autouse=True)
def left_open() -> Iterator[None]:
    """Collect what a package leaves open while its test still runs, or another test would be blamed for it."""
    yield
    gc.collect()


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    """A recorder; no proxy of the machine stands before it, and no key of the machine reaches it."""
    import os

    for name in list(os.environ):
        if name.lower().endswith(("_proxy", "_api_key", "_key", "_base_url")):
            monkeypatch.delenv(name)
    server = Recorder()
    yield server
    server.close()
