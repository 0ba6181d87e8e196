"""Extractors that misbehave, written to a folder that both this process and its children import from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from websdk.workers import ExtractionPool, WorkerOptions

MISBEHAVING = """
import ctypes, os, socket, sys, time
from websdk.errors import TooLarge, Unreadable
from websdk.model.document import Document


class Upper:
    media_types = frozenset({"test/upper"})

    def extract(self, body, *, url, max_characters):
        return Document(url=url, title=str(os.getpid()), markdown=body.decode().upper())


class Hang(Upper):
    media_types = frozenset({"test/hang"})

    def extract(self, body, *, url, max_characters):
        with socket.create_connection(("127.0.0.1", int(body))) as caller:
            caller.sendall(str(os.getpid()).encode())
        time.sleep(600)


class Crash(Upper):
    media_types = frozenset({"test/crash"})

    def extract(self, body, *, url, max_characters):
        ctypes.string_at(0)


class Leave(Upper):
    media_types = frozenset({"test/leave"})

    def extract(self, body, *, url, max_characters):
        os._exit(0)


class Eat(Upper):
    media_types = frozenset({"test/eat"})

    def extract(self, body, *, url, max_characters):
        hoard = []
        while True:
            hoard.append(bytearray(16 * 1024 * 1024))


class Trip(Upper):
    media_types = frozenset({"test/trip"})

    def extract(self, body, *, url, max_characters):
        return {}["a fault of the extractor"]


class Chatter(Upper):
    media_types = frozenset({"test/chatter"})

    def extract(self, body, *, url, max_characters):
        print("noise on the standard output", flush=True)
        os.write(1, b"more noise")
        sys.stderr.write("noise")
        return super().extract(body, url=url, max_characters=max_characters)


class Decline(Upper):
    media_types = frozenset({"test/decline"})

    def extract(self, body, *, url, max_characters):
        raise Unreadable("a scan", seen="scan", remaining_rungs=("render",), hidden_content_detected=True)


class Exceed(Upper):
    media_types = frozenset({"test/exceed"})

    def extract(self, body, *, url, max_characters):
        raise TooLarge("too many", limit_bytes=7)


class Environment(Upper):
    media_types = frozenset({"test/environment"})

    def extract(self, body, *, url, max_characters):
        return Document(url=url, title="", markdown="\\n".join(sorted(os.environ)))


ALL = (Upper, Hang, Crash, Leave, Eat, Trip, Chatter, Decline, Exceed, Environment)
"""


@pytest.fixture(scope="session")
def extractors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, ...]]:
    folder = tmp_path_factory.mktemp("extractors")
    (folder / "misbehaving_extractors.py").write_text(MISBEHAVING)
    sys.path.append(str(folder))
    import misbehaving_extractors  # type: ignore[import-not-found]

    yield tuple(kind() for kind in misbehaving_extractors.ALL)
    sys.path.remove(str(folder))


@pytest.fixture
def make_pool(extractors: tuple[Any, ...]) -> Callable[..., ExtractionPool]:
    """Pools of one child, so that whether it was replaced can be seen."""

    def make(**options: Any) -> ExtractionPool:
        return ExtractionPool(WorkerOptions(**{"children": 1, **options}), extractors=extractors)

    return make


@pytest.fixture
def article() -> bytes:
    words = b"<p>The lighthouse at the end of the pier was built in the year of the great storm.</p>"
    head = b"<!doctype html><html><head><title>Pier</title></head><body><article><h1>Pier</h1>"
    return head + words * 12 + b"</article></body></html>"
