"""Stand-ins for the two things that the guard asks of the outside: names, and sockets."""

from __future__ import annotations

import asyncio
import json

import pytest


class ScriptedResolver:
    """Answers from a table; a list of lists is a sequence whose last answer repeats."""

    def __init__(self, answers=None, sequence=None, never=()):
        self.answers = answers or {}
        self.sequence = {name: list(steps) for name, steps in (sequence or {}).items()}
        self.never = never
        self.asked = []

    async def resolve(self, host, port):
        self.asked.append(host)
        if host in self.never:
            await asyncio.Event().wait()
        steps = self.sequence.get(host)
        if steps:
            return steps.pop(0) if len(steps) > 1 else steps[0]
        if host in self.answers:
            return self.answers[host]
        raise OSError("no such name")


class SilentStream:
    """A connection on which nothing happens."""

    def __init__(self):
        self.closed = False

    async def read(self, max_bytes, timeout=None):
        return b""

    async def write(self, buffer, timeout=None):
        return None

    async def start_tls(self, context, server_hostname, timeout=None):
        return self

    def is_readable(self):
        return False

    async def aclose(self):
        self.closed = True


class RecordingConnector:
    """Opens nothing; remembers what it was asked to open, and fails for addresses named dead or silent."""

    def __init__(self, dead=(), silent=(), fails_first=False):
        self.dialled = []
        self.timeouts = []
        self.dead = dead
        self.silent = silent
        self.fails_first = fails_first

    async def connect(self, address, port, *, timeout=None):
        self.dialled.append((address, port))
        self.timeouts.append(timeout)
        if address in self.silent:
            async with asyncio.timeout(timeout):
                await asyncio.Event().wait()
        if address in self.dead or (self.fails_first and len(self.dialled) == 1):
            raise ConnectionRefusedError("refused")
        return SilentStream()

    @property
    def addresses(self):
        return [address for address, _ in self.dialled]


@pytest.fixture
def make_resolver():
    return ScriptedResolver


@pytest.fixture
def make_connector():
    return RecordingConnector


def egress_cases(folder):
    return json.loads((folder / "egress-cases.json").read_text(encoding="utf-8"))["cases"]


def pytest_generate_tests(metafunc):
    """Give every test that takes ``case`` the carried cases, by their ids; ``kinds`` marks which."""
    if "case" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("kinds")
    wanted = set(marker.args) if marker else set()
    expect = marker.kwargs.get("expect") if marker else None
    folder = metafunc.config.rootpath / "tests" / "data"
    cases = [
        case
        for case in egress_cases(folder)
        if (not wanted or case["kind"] in wanted) and expect in (None, case["expect"])
    ]
    metafunc.parametrize("case", cases, ids=[f"{case['id']}-{case['kind']}" for case in cases])


def pytest_configure(config):
    config.addinivalue_line("markers", "kinds(*names, expect): which carried egress cases a test takes")
