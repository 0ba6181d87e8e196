"""Loopback peers that do as they are told, and the transports under test."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import ssl
from types import SimpleNamespace

import httpx
import pytest
import trustme

from websdk.egress import DirectBackend, SystemConnector, SystemResolver
from websdk.model.connection import Connection
from websdk.testing.exchanging import LIMITS, get
from websdk.testing.peer import ARTICLE, Peer, bomb, http_reply, misbehave
from websdk.transport import HttpTransport, HttpxTransport


@contextlib.asynccontextmanager
async def _own(connection, **kwargs):
    backend = DirectBackend(resolver=SystemResolver(), connector=SystemConnector())
    transport = HttpTransport(connection, backend=backend, **kwargs)
    try:
        yield transport
    finally:
        await transport.aclose()


@contextlib.asynccontextmanager
async def _own_over_stock_sockets(connection, **kwargs):
    transport = HttpTransport(connection, **kwargs)
    try:
        yield transport
    finally:
        await transport.aclose()


@contextlib.asynccontextmanager
async def _brought(connection, **kwargs):
    verify = ssl.create_default_context(cafile=connection.ca_file) if connection.ca_file else True
    async with httpx.AsyncClient(verify=verify, trust_env=False, headers={"X-Client": "default"}) as client:
        transport = HttpxTransport(client)
        try:
            yield transport
        finally:
            await transport.aclose()


TRANSPORTS = {"own": _own, "own-stock-sockets": _own_over_stock_sockets, "httpx": _brought}


@pytest.fixture(params=TRANSPORTS)
def open_transport(request):
    """How to open one of the transports; a test that takes this holds for all of them."""
    return lambda connection=PLAIN, **kwargs: TRANSPORTS[request.param](connection, **kwargs)


@pytest.fixture
def open_own():
    """How to open the transport of this package."""
    return lambda connection=PLAIN, **kwargs: _own(connection, **kwargs)


PLAIN = Connection(name="test")


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    """A certificate authority, with its bundle in a file."""
    made = trustme.CA()
    made.file = tmp_path_factory.mktemp("ca") / "ca.pem"
    made.cert_pem.write_to_path(str(made.file))
    return made


def server_tls(authority, *names):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


class Names:
    """A resolver over a table."""

    def __init__(self, table):
        self.table = table

    async def resolve(self, host, port):
        if host not in self.table:
            raise OSError("no such name")
        return self.table[host]


class Rerouting:
    """A connector that opens every address at a loopback port instead, and remembers which it was asked for."""

    def __init__(self, port):
        self.port = port
        self.addresses = []

    async def connect(self, address, port, *, timeout=None):
        self.addresses.append(address)
        return await SystemConnector().connect("127.0.0.1", self.port, timeout=timeout)


def pytest_configure(config):
    config.addinivalue_line("markers", "kinds(*names, expect): which carried egress cases a test takes")


def pytest_generate_tests(metafunc):
    """Give every test that takes ``case`` the carried cases of the kinds that its mark names."""
    if "case" not in metafunc.fixturenames:
        return
    kinds = metafunc.definition.get_closest_marker("kinds").args
    text = (metafunc.config.rootpath / "tests" / "data" / "egress-cases.json").read_text(encoding="utf-8")
    cases = [case for case in json.loads(text)["cases"] if case["kind"] in kinds]
    metafunc.parametrize("case", cases, ids=[case["id"] for case in cases])


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    """Start every test without proxy variables of the machine."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)


def double_gzip_bomb():
    return gzip.compress(bomb(200), 9, mtime=0)


@pytest.fixture(scope="session")
def net():
    """The parts above, for tests to build with."""
    return SimpleNamespace(
        Peer=Peer,
        Names=Names,
        Rerouting=Rerouting,
        answer=http_reply,
        article=ARTICLE,
        bomb=bomb,
        double_gzip_bomb=double_gzip_bomb,
        get=get,
        limits=LIMITS,
        misbehave=misbehave,
        plain=PLAIN,
        server_tls=server_tls,
    )
