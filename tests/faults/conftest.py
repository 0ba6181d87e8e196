"""Clients whose vendors answer on loopback, at noon of one day."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from websdk import Client, Settings
from websdk.settings import ConnectionSettings


class Noon:
    """A clock at noon of 4 March 2026, a Wednesday."""

    def now(self) -> datetime:
        return datetime(2026, 3, 4, 12, tzinfo=UTC)

    def monotonic(self) -> float:
        return time.monotonic()


class Vendor:
    """Answers every request alike."""

    def __init__(self) -> None:
        self.answer: Any = {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                body = json.dumps(outer.answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    """A vendor whose answer a test sets."""
    server = Vendor()
    yield server
    server.close()


@pytest.fixture
def client(vendor: Vendor) -> Iterator[Callable[..., Client]]:
    """Return a function that makes a client of one preset; its calls go to the vendor on loopback."""
    made: list[Client] = []

    def client(name: str, **settings: str) -> Client:
        connection = ConnectionSettings(base_url=vendor.origin, credential="own", settings=settings)
        found = Client(
            Settings(connections={name: connection}, plugins=()),
            credentials={"own": "sk-demo-123:x"},
            clock=Noon(),
        )
        made.append(found)
        return found

    yield client
    for item in made:
        item.close()
