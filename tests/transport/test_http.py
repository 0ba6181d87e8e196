"""The transport of this package: reuse, proxies, identity, and the guard below it."""

from __future__ import annotations

import asyncio
import os
from urllib.parse import urlsplit

import attrs
import pytest

from websdk.egress import (
    DirectBackend,
    EgressOptions,
    PinnedBackend,
    SystemConnector,
    SystemResolver,
    judge_url,
    verdict,
)
from websdk.egress.policy import AllowEntry
from websdk.errors import ConfigurationError, EgressRefused
from websdk.model.connection import Connection
from websdk.model.urls import join
from websdk.protocols.transport import FailureKind, TransportFailure
from websdk.transport import HttpTransport, page_transport, pool
from websdk.transport.connection import MAX_INTERIM_REPLIES
from websdk.transport.http import PIECES_A_TURN
from websdk.wire import Meaning, meaning

# -- reuse ------------------------------------------------------------------------------------------------------------


def send_in_turn(net, open_own, peer, paths=("/1", "/2"), **kwargs):
    async def scenario():
        async with peer, open_own(**kwargs) as transport:
            return [await transport.send(net.get(peer.base + path), limits=net.limits) for path in paths]

    return asyncio.run(scenario())


def test_vendor_calls_share_a_connection(net, open_own):
    peer = net.Peer(net.answer(b"ok"), keep_alive=True)
    send_in_turn(net, open_own, peer, paths=["/"] * 5)

    assert (1, 5) == (peer.connections, len(peer.requests))


def test_tls_connections_are_shared_too(net, open_own, authority):
    peer = net.Peer(net.answer(b"ok"), keep_alive=True, tls=net.server_tls(authority, "127.0.0.1"))
    send_in_turn(net, open_own, peer, connection=attrs.evolve(net.plain, ca_file=authority.file))

    assert 1 == peer.connections


def test_page_reads_never_do_and_say_so(net, open_own):
    peer = net.Peer(net.answer(b"ok"), keep_alive=True)
    send_in_turn(net, open_own, peer, keep_alive=False)

    assert 2 == peer.connections
    assert ["close", "close"] == [request.header("connection") for request in peer.requests]


def test_interim_replies_are_passed_over_up_to_a_number_that_no_server_needs(net, open_own):
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
    enough = net.Peer(hints * MAX_INTERIM_REPLIES + net.answer(b"ok"), keep_alive=True)
    replies = send_in_turn(net, open_own, enough)

    assert [b"ok", b"ok"] == [reply.body for reply in replies]  # each reply may have as many
    with pytest.raises(TransportFailure) as caught:
        send_in_turn(net, open_own, net.Peer(hints * (MAX_INTERIM_REPLIES + 1) + net.answer(b"ok")))
    assert (FailureKind.BROKEN, True) == (caught.value.kind, caught.value.sent)


def test_an_origin_that_hints_for_ever_is_left_long_before_the_deadline(net, open_own):
    async def hint_for_ever(request, writer):
        while True:
            writer.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")
            await writer.drain()
            await asyncio.sleep(0)

    with pytest.raises(TransportFailure, match="before a reply") as caught:
        send_in_turn(net, open_own, net.Peer(hint_for_ever))

    assert FailureKind.BROKEN is caught.value.kind


def test_a_reply_in_crumbs_leaves_other_tasks_their_turn(net, open_own):
    crumbs = 4_000  # in one write, so that nothing but the transport itself can give way
    peer = net.Peer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * crumbs + b"0\r\n\r\n")
    turns = 0

    async def others():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def scenario():
        async with peer, open_own() as transport:
            task = asyncio.create_task(others())
            reply = await transport.send(net.get(peer.base + "/"), limits=net.limits)
            task.cancel()
            return reply

    reply = asyncio.run(scenario())

    assert crumbs == len(reply.body)
    assert crumbs // PIECES_A_TURN <= turns


@pytest.mark.parametrize("keep_alive", [True, False])
def test_a_reply_that_nobody_asked_for_answers_nothing(net, open_own, keep_alive):
    peer = net.Peer(net.answer(b"right") + net.answer(b"smuggled"), keep_alive=True)
    replies = send_in_turn(net, open_own, peer, keep_alive=keep_alive)

    assert [b"right", b"right"] == [reply.body for reply in replies]
    assert 2 == peer.connections


def test_a_reply_that_comes_later_unasked_answers_nothing(net, open_own):
    async def answer(request, writer):
        writer.write(net.answer(b"right"))
        await kept.wait()
        writer.write(net.answer(b"smuggled"))

    async def scenario():
        async with net.Peer(answer, keep_alive=True) as peer, open_own() as transport:
            first = await transport.send(net.get(peer.base), limits=net.limits)
            ((connection, _),) = transport._idle._stacks[peer.base]
            kept.set()
            await connection._network_stream.stream._receiver.arrived()
            second = await transport.send(net.get(peer.base), limits=net.limits)
            return first.body, second.body, peer.connections

    kept = asyncio.Event()

    assert (b"right", b"right", 2) == asyncio.run(scenario())


def test_a_connection_that_the_server_closed_is_not_used_again(net, open_own):
    async def scenario():
        async with net.Peer(net.answer(b"ok")) as peer, open_own() as transport:
            await transport.send(net.get(peer.base), limits=net.limits)
            await peer.all_closed()
            await asyncio.sleep(0)
            return (await transport.send(net.get(peer.base), limits=net.limits)).body

    assert b"ok" == asyncio.run(scenario())


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"], ids=["hang-up", "half"])
def test_a_broken_connection_is_not_kept_and_nothing_is_sent_again(net, open_own, answer):
    async def scenario():
        async with net.Peer(answer) as peer, open_own() as transport:
            for _ in range(2):
                try:
                    await transport.send(net.get(peer.base), limits=net.limits)
                except TransportFailure:
                    continue
            await peer.all_closed()
            return peer, len(transport._idle)

    peer, idle = asyncio.run(scenario())

    assert (2, 2, 0) == (peer.connections, len(peer.requests), idle)


@pytest.mark.parametrize("header", [("Connection", "close"), ("connection", "Close")])
def test_a_server_that_wants_to_close_is_obeyed(net, open_own, header):
    peer = net.Peer(net.answer(b"ok", headers=[header]), keep_alive=True)
    send_in_turn(net, open_own, peer)

    assert 2 == peer.connections


def test_an_old_connection_is_replaced(net, open_own, monkeypatch):
    monkeypatch.setattr(pool, "IDLE_S", 0.0)
    peer = net.Peer(net.answer(b"ok"), keep_alive=True)
    send_in_turn(net, open_own, peer)

    assert 2 == peer.connections


def test_the_number_of_idle_connections_is_bounded(net, open_own, monkeypatch):
    monkeypatch.setattr(pool, "MAX_IDLE", 2)

    async def scenario():
        async with net.Peer(net.answer(b"ok"), keep_alive=True) as peer, open_own() as transport:
            await asyncio.gather(*(transport.send(net.get(peer.base), limits=net.limits) for _ in range(6)))
            idle = len(transport._idle)
            await transport.aclose()
            await peer.all_closed()
            return idle, peer.open

    assert (2, 0) == asyncio.run(scenario())


# -- proxies ----------------------------------------------------------------------------------------------------------


async def _chunks(reader):
    while data := await reader.read(65536):
        yield data


class Proxy:
    """A CONNECT proxy that knows one way only."""

    def __init__(self, onward_port):
        self.onward_port = onward_port
        self.asked = []
        self._tasks = []

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *exc):
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader, writer):
        self._tasks.append(asyncio.current_task())
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head.split(b"\r\n")[0].decode())
        onward_reader, onward = await asyncio.open_connection("127.0.0.1", self.onward_port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            await asyncio.gather(_pipe(reader, onward), _pipe(onward_reader, writer))
        finally:
            onward.close()
            writer.close()


async def _pipe(reader, writer):
    try:
        async for data in _chunks(reader):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.transport.abort()


def test_plain_requests_go_to_the_proxy_in_absolute_form(net, open_own):
    async def scenario():
        async with net.Peer(net.answer(b"ok")) as proxy:
            connection = attrs.evolve(net.plain, proxy=proxy.base)
            async with open_own(connection) as transport:
                reply = await transport.send(net.get("http://nowhere.example/a?b=1"), limits=net.limits)
            return reply, proxy.requests[0]

    reply, request = asyncio.run(scenario())

    assert (b"ok", True) == (reply.body, reply.proxied)
    assert ("http://nowhere.example/a?b=1", "nowhere.example") == (request.target, request.header("host"))


def test_https_goes_through_a_tunnel_and_the_certificate_is_still_checked(net, open_own, authority):
    async def scenario(names):
        async with (
            net.Peer(net.answer(b"ok"), tls=net.server_tls(authority, *names)) as peer,
            Proxy(peer.port) as proxy,
        ):
            connection = attrs.evolve(net.plain, proxy=proxy.url, ca_file=authority.file)
            async with open_own(connection) as transport:
                reply = await transport.send(net.get("https://docs.example/a?key=k"), limits=net.limits)
            return reply, proxy.asked, peer.requests[0]

    reply, asked, request = asyncio.run(scenario(["docs.example"]))
    with pytest.raises(TransportFailure) as caught:
        asyncio.run(scenario(["other.example"]))

    assert (b"ok", True) == (reply.body, reply.proxied)
    assert ["CONNECT docs.example:443 HTTP/1.1"] == asked
    assert ("/a?key=k", "docs.example") == (request.target, request.header("host"))
    assert FailureKind.TLS is caught.value.kind


@pytest.mark.parametrize("status", ["407 Proxy Authentication Required", "502 Bad Gateway", "302 Found"])
def test_a_proxy_that_refuses_a_tunnel_is_a_failure_to_connect(net, open_own, status):
    async def scenario():
        async with net.Peer(net.answer(b"secret", status)) as proxy:
            async with open_own(attrs.evolve(net.plain, proxy=proxy.base)) as transport:
                with pytest.raises(TransportFailure) as caught:
                    await transport.send(net.get("https://docs.example/a?key=k"), limits=net.limits)
            await proxy.all_closed()
            return caught.value

    failure = asyncio.run(scenario())

    assert (FailureKind.CONNECT, False) == (failure.kind, failure.sent)
    assert f"the proxy refused a tunnel to docs.example (status {status[:3]})" == str(failure)


@pytest.mark.parametrize(
    "proxy",
    ["https://p.example:1", "socks5://p.example:1", "http://u:p@p.example:1", "p.example", "http://p.example/x"],
)
def test_a_proxy_is_written_as_http_host_and_port(net, proxy):
    with pytest.raises(ConfigurationError) as caught:
        HttpTransport(attrs.evolve(net.plain, proxy=proxy))

    assert "u:p" not in str(caught.value)


def test_a_page_read_over_a_configured_proxy_dials_the_proxy_alone(net, open_own):
    async def scenario():
        async with net.Peer(net.answer(net.article)) as proxy:
            direct = DirectBackend(resolver=SystemResolver(), connector=SystemConnector())
            pinned = PinnedBackend(resolver=net.Names({}), connector=net.Rerouting(0))
            transport = page_transport(Connection(name="pages", proxy=proxy.base), pinned=pinned, direct=direct)
            try:
                checked = judge_url("http://docs.example/page")
                return await transport.send(net.get(checked.href), limits=net.limits)
            finally:
                await transport.aclose()

    reply = asyncio.run(scenario())

    assert (net.article, True) == (reply.body, reply.proxied)


# -- the guard below --------------------------------------------------------------------------------------------------


def read_pages(net, case, peer_answer, *, tls=None, ca_file=None, urls=None, allow=()):
    """Read the addresses of a case through the guard, every judged address rerouted to one loopback peer."""

    async def scenario():
        async with net.Peer(peer_answer, tls=tls) as peer:
            connector = net.Rerouting(peer.port)
            resolver = net.Names(case["dns"])
            pinned = PinnedBackend(resolver=resolver, connector=connector, options=EgressOptions(allow=allow))
            transport = page_transport(Connection(name="pages", ca_file=ca_file), pinned=pinned, direct=pinned)
            outcomes = []
            for url in urls or [case["url"]]:
                try:
                    outcomes.append(await transport.send(net.get(url), limits=net.limits))
                except TransportFailure as failure:
                    outcomes.append(failure)
            await transport.aclose()
            return outcomes, peer, connector

    return asyncio.run(scenario())


@pytest.mark.kinds("redirect")
def test_redirects_are_reported_and_each_destination_is_judged_anew(net, case, authority):
    headers = [(name.title(), value) for name, value in case["response"]["headers"].items()]
    body = case["response"].get("body", "").encode()
    answer = net.answer(body, f"{case['response']['status']} Status", headers)
    tls = net.server_tls(authority, "docs.example")
    (reply,), peer, connector = read_pages(net, case, answer, tls=tls, ca_file=authority.file)

    assert 1 == len(peer.requests)
    assert case["connect_only"] == connector.addresses
    assert case["response"]["status"] == reply.status
    if case["reason"] == "redirect":
        assert Meaning.REDIRECT is meaning(reply.status)
    destination = case["resolved_location"]
    if destination is not None and urlsplit(destination).scheme in ("http", "https"):
        assert destination == join(case["url"], reply.header("location"))
    if case["reissue_expect"] is not None:
        answers = case["dns"].get(urlsplit(destination).hostname, ())
        assert (case["reissue_expect"] == "allow") == verdict(destination, answers).allowed


@pytest.mark.kinds("tls_identity")
def test_name_and_certificate_stay_those_of_the_address_asked_for(net, case, authority):
    names = [case.get("server_certificate_for", "docs.example"), *case["dns"]]
    if "server_certificate_for" in case:
        names = names[:1]
    tls = net.server_tls(authority, *names)
    seen = []
    tls.sni_callback = lambda socket, name, context: seen.append(name)
    urls = [case["url"], case["second_url"]] if "second_url" in case else [case["url"]]
    outcomes, peer, connector = read_pages(net, case, net.answer(b"ok"), tls=tls, ca_file=authority.file, urls=urls)

    assert set(case["connect_only"]) == set(connector.addresses)
    if case.get("outcome") == "tls_failure":
        assert [FailureKind.TLS] == [outcome.kind for outcome in outcomes]
        assert [] == peer.requests
    else:
        assert [b"ok"] * len(urls) == [outcome.body for outcome in outcomes]
    if "expect_sni" in case:
        assert [case["expect_sni"]] == seen
        assert [case["expect_host_header"]] == peer.requests[0].headers("host")
    assert case.get("expect_distinct_connections", 1) == len(connector.addresses)


def test_a_kept_connection_never_serves_another_name_on_its_address(net, authority):
    tls = net.server_tls(authority, "docs.example")

    async def scenario():
        async with net.Peer(net.answer(b"ok"), tls=tls, keep_alive=True) as peer:
            resolver = net.Names({"docs.example": ["93.184.215.14"], "twin.example": ["93.184.215.14"]})
            backend = DirectBackend(resolver=resolver, connector=net.Rerouting(peer.port))
            transport = HttpTransport(Connection(name="v", ca_file=authority.file), backend=backend)
            await transport.send(net.get("https://docs.example/"), limits=net.limits)
            with pytest.raises(TransportFailure) as caught:
                await transport.send(net.get("https://twin.example/"), limits=net.limits)
            await transport.aclose()
            return caught.value.kind

    assert FailureKind.TLS is asyncio.run(scenario())


@pytest.mark.kinds("proxy_env")
def test_variables_of_the_environment_take_no_connection(net, case, authority, monkeypatch):
    for name, value in case["env"].items():
        monkeypatch.setenv(name, value)
    tls = net.server_tls(authority, "docs.example") if case["url"].startswith("https:") else None
    (reply,), _, connector = read_pages(net, case, net.answer(b"ok"), tls=tls, ca_file=authority.file)

    assert (b"ok", False) == (reply.body, reply.proxied)
    assert case["connect_only"] == connector.addresses


def test_vendor_calls_ignore_the_environment_too(net, open_own, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    peer = net.Peer(net.answer(b"ok"))

    assert [b"ok"] == [reply.body for reply in send_in_turn(net, open_own, peer, paths=["/"])]


def test_a_refusal_of_the_guard_passes_unchanged(net):
    async def scenario():
        pinned = PinnedBackend(resolver=net.Names({"inner.example": ["10.0.0.5"]}), connector=net.Rerouting(1))
        transport = page_transport(Connection(name="pages"), pinned=pinned, direct=pinned)
        try:
            await transport.send(net.get("https://inner.example/"), limits=net.limits)
        finally:
            await transport.aclose()

    with pytest.raises(EgressRefused) as caught:
        asyncio.run(scenario())

    assert ("private", False) == (caught.value.reason, caught.value.sent)


def test_an_intranet_page_is_read_where_its_origin_is_allowed(net):
    async def scenario():
        async with net.Peer(net.answer(net.article)) as peer:
            allow = (AllowEntry(origin=peer.base),)
            pinned = PinnedBackend(
                resolver=SystemResolver(), connector=SystemConnector(), options=EgressOptions(allow=allow)
            )
            transport = page_transport(Connection(name="pages"), pinned=pinned, direct=pinned)
            checked = judge_url(peer.base + "/page", allow=allow)
            try:
                return (await transport.send(net.get(checked.href), limits=net.limits)).body
            finally:
                await transport.aclose()

    assert net.article == asyncio.run(scenario())


def test_a_dead_address_does_not_end_the_read(net):
    class HalfDead:
        def __init__(self, port):
            self.onward = net.Rerouting(port)

        async def connect(self, address, port, *, timeout=None):
            if address == "2606:4700:4700::1111":
                raise ConnectionRefusedError
            return await self.onward.connect(address, port, timeout=timeout)

    async def scenario():
        async with net.Peer(net.answer(b"ok")) as peer:
            names = net.Names({"docs.example": ["2606:4700:4700::1111", "93.184.215.14"]})
            pinned = PinnedBackend(resolver=names, connector=HalfDead(peer.port))
            transport = page_transport(Connection(name="pages"), pinned=pinned, direct=pinned)
            try:
                return (await transport.send(net.get("http://docs.example/"), limits=net.limits)).body
            finally:
                await transport.aclose()

    assert b"ok" == asyncio.run(scenario())


def test_no_variable_of_the_environment_is_read(net, open_own, monkeypatch):
    asked = []
    real = os.environ.get
    monkeypatch.setattr(os.environ, "get", lambda name, *rest: asked.append(name) or real(name, *rest))
    send_in_turn(net, open_own, net.Peer(net.answer(b"ok")), paths=["/"])

    assert [] == [name for name in asked if "proxy" in name.lower()]


@pytest.mark.parametrize("tls", [False, True], ids=["http", "https"])
def test_cancelling_at_any_step_leaves_the_transport_sound(net, open_own, authority, tls):
    async def answer(request, writer):
        writer.write(net.answer(request.target.encode()))

    async def scenario():
        server_tls = net.server_tls(authority, "127.0.0.1") if tls else None
        async with net.Peer(answer, keep_alive=True, tls=server_tls) as peer:
            connection = attrs.evolve(net.plain, ca_file=authority.file)
            async with open_own(connection) as transport:
                for steps in range(40):
                    task = asyncio.create_task(transport.send(net.get(f"{peer.base}/cancelled"), limits=net.limits))
                    for _ in range(steps):
                        await asyncio.sleep(0)
                    task.cancel()
                    await asyncio.wait((task,))
                    reply = await transport.send(net.get(f"{peer.base}/{steps}"), limits=net.limits)

                    assert f"/{steps}".encode() == reply.body
                    assert len(transport._idle) <= 2
            await peer.all_closed()
            return peer.open

    assert 0 == asyncio.run(scenario())
