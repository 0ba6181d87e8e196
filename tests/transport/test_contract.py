"""Every transport keeps the contract of transports; what needs a certificate authority stands here."""

from __future__ import annotations

import asyncio

import attrs
import pytest

from websdk.protocols.transport import FailureKind, TransportFailure
from websdk.testing import TransportContract


class TestEveryTransport(TransportContract):
    """The two transports of this package; the fixture `open_transport` opens one after the other."""


def test_an_untrusted_certificate_is_a_tls_failure(net, open_transport, authority):
    async def scenario():
        tls = net.server_tls(authority, "127.0.0.1")
        async with net.Peer(net.answer(), tls=tls) as peer, open_transport() as transport:
            await transport.send(net.get(peer.base), limits=net.limits)

    with pytest.raises(TransportFailure) as caught:
        asyncio.run(scenario())

    assert (FailureKind.TLS, False) == (caught.value.kind, caught.value.sent)


def test_a_bundle_of_authorities_is_used(net, open_transport, authority):
    async def scenario():
        tls = net.server_tls(authority, "127.0.0.1")
        trusting = attrs.evolve(net.plain, ca_file=authority.file)
        async with net.Peer(net.answer(b"ok"), tls=tls) as peer, open_transport(trusting) as transport:
            return await transport.send(net.get(peer.base), limits=net.limits)

    assert b"ok" == asyncio.run(scenario()).body
