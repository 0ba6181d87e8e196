"""What an embedder's client may and may not bring into a call."""

from __future__ import annotations

import asyncio
import gzip

import httpx
import pytest

from websdk.protocols.transport import FailureKind, TransportFailure
from websdk.transport import HttpxTransport


def send(net, client, url="https://api.example/", **kwargs):
    async def scenario():
        async with client:
            return await HttpxTransport(client).send(net.get(url, **kwargs), limits=net.limits)

    return asyncio.run(scenario())


def test_scripted_replies_work(net):
    client = httpx.AsyncClient(transport=httpx.MockTransport(lambda request: httpx.Response(200, json={"a": 1})))

    assert b'{"a":1}' == send(net, client).body


def test_scripted_replies_have_the_ceiling_too(net):
    large = bytes(net.limits.max_bytes + 1)
    client = httpx.AsyncClient(transport=httpx.MockTransport(lambda request: httpx.Response(200, content=large)))
    with pytest.raises(TransportFailure) as caught:
        send(net, client)

    assert FailureKind.TOO_LARGE is caught.value.kind


def test_streamed_replies_are_decoded_here(net):
    class Stream(httpx.AsyncByteStream):
        async def __aiter__(self):
            yield gzip.compress(b"text")

    def reply(request):
        return httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=Stream())

    assert b"text" == send(net, httpx.AsyncClient(transport=httpx.MockTransport(reply))).body


def test_the_clients_own_headers_cookies_and_authentication_stay_out(net):
    seen = []

    def reply(request):
        seen.append(request)
        return httpx.Response(200)

    client = httpx.AsyncClient(
        transport=httpx.MockTransport(reply),
        headers={"X-Client": "1"},
        cookies={"id": "7"},
        auth=("user", "pass"),
        params={"extra": "1"},
        follow_redirects=True,
        base_url="https://other.example/base/",
    )
    send(net, client, headers=[("X-Key", "k")])

    assert "https://api.example/" == str(seen[0].url)
    assert {"x-key", "host", "accept-encoding", "user-agent"} == set(seen[0].headers)


def test_the_clients_hooks_run(net):
    seen = []

    async def note(response):
        seen.append(response.status_code)

    client = httpx.AsyncClient(
        transport=httpx.MockTransport(lambda request: httpx.Response(204)), event_hooks={"response": [note]}
    )
    send(net, client)

    assert [204] == seen


@pytest.mark.parametrize(
    ("error", "kind", "sent"),
    [
        (httpx.ConnectError("k"), FailureKind.CONNECT, False),
        (httpx.ConnectTimeout("k"), FailureKind.TIMEOUT, False),
        (httpx.PoolTimeout("k"), FailureKind.TIMEOUT, False),
        (httpx.ProxyError("k"), FailureKind.CONNECT, False),
        (httpx.UnsupportedProtocol("k"), FailureKind.CONNECT, False),
        (httpx.ReadTimeout("k"), FailureKind.BROKEN, True),
        (httpx.WriteError("k"), FailureKind.BROKEN, True),
        (httpx.RemoteProtocolError("k"), FailureKind.BROKEN, True),
        (httpx.InvalidURL("k"), FailureKind.BROKEN, True),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_librarys_exceptions_become_failures_without_a_cause(net, error, kind, sent):
    def fail(request):
        raise error

    with pytest.raises(TransportFailure) as caught:
        send(net, httpx.AsyncClient(transport=httpx.MockTransport(fail)))

    assert (kind, sent) == (caught.value.kind, caught.value.sent)
    assert (None, None) == (caught.value.__cause__, caught.value.__context__)


def test_a_redirect_that_leads_nowhere_is_a_failure(net):
    client = httpx.AsyncClient(
        transport=httpx.MockTransport(lambda request: httpx.Response(302, headers={"Location": "https://[::1"}))
    )
    with pytest.raises(TransportFailure) as caught:
        send(net, client)

    assert FailureKind.BROKEN is caught.value.kind


def test_closing_leaves_the_client_to_its_owner(net):
    async def scenario():
        client = httpx.AsyncClient(transport=httpx.MockTransport(lambda request: httpx.Response(200)))
        await HttpxTransport(client).aclose()
        closed = client.is_closed
        await client.aclose()
        return closed

    assert not asyncio.run(scenario())
