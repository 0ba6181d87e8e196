from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl

import pytest
import trustme

from websdk.egress import SystemConnector
from websdk.egress.connect import HIGH_WATER_BYTES


@contextlib.asynccontextmanager
async def serving(handler, **kwargs):
    """Serve on loopback; yields the port, and leaves no connection behind."""
    open_connections = []

    async def accept(reader, writer):
        open_connections.append((asyncio.current_task(), writer))
        with contextlib.suppress(asyncio.CancelledError):
            await handler(reader, writer)

    server = await asyncio.start_server(accept, "127.0.0.1", 0, **kwargs)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task, writer in open_connections:
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*(task for task, _ in open_connections), return_exceptions=True)
        await server.wait_closed()


async def echo(reader, writer):
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


def test_bytes_go_out_and_come_back():
    async def scenario():
        async with serving(echo) as port:
            stream = await SystemConnector().connect("127.0.0.1", port, timeout=5)
            await stream.write(b"hello")
            first = await stream.read(2)
            rest = await stream.read(10, 5)
            await stream.aclose()
            return first, rest

    assert (b"he", b"llo") == asyncio.run(scenario())


def test_a_large_transfer_arrives_whole_though_reading_pauses():
    payload = bytes(range(256)) * (HIGH_WATER_BYTES // 32)

    async def flood(reader, writer):
        writer.write(payload)
        await writer.drain()
        writer.close()

    async def scenario():
        async with serving(flood) as port:
            stream = await SystemConnector().connect("127.0.0.1", port)
            received, most = bytearray(), 0
            while data := await stream.read(4096):
                received += data
                most = max(most, len(stream._receiver.buffer))
                await asyncio.sleep(0)
            await stream.aclose()
            return bytes(received), most

    received, most = asyncio.run(scenario())

    assert payload == received
    assert most <= 2 * HIGH_WATER_BYTES


def test_a_large_write_waits_until_it_is_taken():
    payload = b"x" * (4 << 20)

    async def scenario():
        async with serving(echo) as port:
            stream = await SystemConnector().connect("127.0.0.1", port)
            received = 0

            async def take():
                nonlocal received
                while received < len(payload):
                    received += len(await stream.read(65536))

            await asyncio.gather(stream.write(payload), take())
            await stream.aclose()
            return received

    assert len(payload) == asyncio.run(scenario())


def test_a_write_that_nobody_takes_ends_in_time():
    async def sit(reader, writer):
        await asyncio.Event().wait()

    async def scenario():
        async with serving(sit) as port:
            stream = await SystemConnector().connect("127.0.0.1", port)
            try:
                await stream.write(b"x" * (64 << 20), 0.05)
            finally:
                await stream.aclose()

    with pytest.raises(TimeoutError):
        asyncio.run(scenario())


def test_a_read_of_silence_ends_in_time():
    async def scenario():
        async with serving(echo) as port:
            stream = await SystemConnector().connect("127.0.0.1", port)
            readable = stream.is_readable()
            try:
                await stream.read(1, 0.05)
            finally:
                await stream.aclose()
                assert not readable

    with pytest.raises(TimeoutError):
        asyncio.run(scenario())


def test_the_end_is_read_as_no_bytes_and_shows_beforehand():
    async def hang_up(reader, writer):
        writer.close()

    async def scenario():
        async with serving(hang_up) as port:
            stream = await SystemConnector().connect("127.0.0.1", port)
            end = await stream.read(10)
            readable = stream.is_readable()
            await stream.aclose()
            with pytest.raises(OSError):
                await stream.write(b"late")
            return end, readable

    assert (b"", True) == asyncio.run(scenario())


def test_a_reset_is_an_os_error():
    async def reset(reader, writer):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        writer.transport.abort()

    async def scenario():
        async with serving(reset) as port:
            stream = await SystemConnector().connect("127.0.0.1", port)
            try:
                await stream.read(10)
            finally:
                await stream.aclose()

    with pytest.raises(OSError):
        asyncio.run(scenario())


@pytest.mark.parametrize("address", ["localhost", "2130706433", "127.1", ""])
def test_a_name_is_never_dialled(address):
    with pytest.raises(OSError):
        asyncio.run(SystemConnector().connect(address, 80))


def test_a_closed_port_is_an_os_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(OSError):
            asyncio.run(SystemConnector().connect("127.0.0.1", taken.getsockname()[1], timeout=5))


def test_a_connection_that_leads_elsewhere_is_closed(monkeypatch):
    async def scenario():
        loop = asyncio.get_running_loop()
        closed = asyncio.Event()

        async def watch(reader, writer):
            await reader.read()
            closed.set()
            writer.close()

        async with serving(watch) as port:
            real = loop.create_connection
            monkeypatch.setattr(loop, "create_connection", lambda factory, host, p: real(factory, "127.0.0.1", port))
            with pytest.raises(OSError, match="another address"):
                await SystemConnector().connect("127.0.0.2", port)
            await asyncio.wait_for(closed.wait(), 5)

    asyncio.run(scenario())


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


def server_context(authority, *names):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


def client_context(authority):
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def test_tls_carries_bytes_and_shows_the_name(authority):
    seen = []
    context = server_context(authority, "docs.example")
    context.sni_callback = lambda sock, name, ctx: seen.append(name)

    async def scenario():
        async with serving(echo, ssl=context) as port:
            plain = await SystemConnector().connect("127.0.0.1", port)
            stream = await plain.start_tls(client_context(authority), "docs.example", 5)
            await stream.write(b"hello")
            data = await stream.read(10, 5)
            await stream.aclose()
            return data

    assert b"hello" == asyncio.run(scenario())
    assert ["docs.example"] == seen


@pytest.mark.parametrize("names", [("other.example",), ("127.0.0.1",)])
def test_a_certificate_for_another_name_fails(authority, names):
    async def scenario():
        async with serving(echo, ssl=server_context(authority, *names)) as port:
            stream = await SystemConnector().connect("127.0.0.1", port)
            try:
                await stream.start_tls(client_context(authority), "docs.example", 5)
            finally:
                await stream.aclose()

    with pytest.raises(ssl.SSLCertVerificationError):
        asyncio.run(scenario())


def test_bytes_from_before_the_handshake_are_not_taken_for_protected_ones(authority):
    async def speak_first(reader, writer):
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await writer.drain()
        await reader.read()
        writer.close()

    async def scenario():
        async with serving(speak_first) as port:
            stream = await SystemConnector().connect("127.0.0.1", port)
            await stream._receiver.arrived()
            try:
                await stream.start_tls(client_context(authority), "docs.example", 5)
            finally:
                await stream.aclose()

    with pytest.raises(ConnectionError):
        asyncio.run(scenario())
