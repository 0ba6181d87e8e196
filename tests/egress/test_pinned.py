from __future__ import annotations

import asyncio
import time

import pytest

from websdk.egress import AllowEntry, DirectBackend, EgressOptions, PinnedBackend
from websdk.egress.pinned import MAX_DIALLED
from websdk.errors import EgressRefused
from websdk.protocols.transport import FailureKind, TransportFailure

V4, V4_OTHER, V6, V6_OTHER = "93.184.215.14", "151.101.1.69", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"


def connect(backend, host="docs.example", port=443, timeout=1.0):
    return asyncio.run(backend.connect_tcp(host, port, timeout=timeout))


def failure_of(backend, *args, **kwargs):
    with pytest.raises(TransportFailure) as caught:
        connect(backend, *args, **kwargs)
    return caught.value


def test_a_name_is_looked_up_once_and_its_judged_address_dialled(make_resolver, make_connector):
    resolver, connector = make_resolver({"docs.example": [V4]}), make_connector()
    connect(PinnedBackend(resolver=resolver, connector=connector), port=8443)

    assert ["docs.example"] == resolver.asked
    assert [(V4, 8443)] == connector.dialled


def test_a_literal_is_judged_and_never_looked_up(make_resolver, make_connector):
    resolver, connector = make_resolver(), make_connector()
    backend = PinnedBackend(resolver=resolver, connector=connector)
    connect(backend, V6)
    with pytest.raises(EgressRefused):
        connect(backend, "127.0.0.1")

    assert ([], [V6]) == (resolver.asked, connector.addresses)


@pytest.mark.parametrize(
    ("host", "port"), [("docs.example", 22), ("docs.example", 0), ("localhost", 80), ("a b", 80), ("docs.example.", 80)]
)
def test_host_and_port_are_judged_again_before_the_look_up(make_resolver, make_connector, host, port):
    resolver, connector = make_resolver({host: [V4]}), make_connector()
    with pytest.raises(EgressRefused):
        connect(PinnedBackend(resolver=resolver, connector=connector), host, port)

    assert ([], []) == (resolver.asked, connector.dialled)


@pytest.mark.parametrize(
    "answers", [[V4, "10.0.0.5"], ["127.0.0.1", V4], [V6, "fd00::1"], ["not-an-address"], [V4, "a.example"]]
)
def test_a_set_with_one_denied_member_opens_no_socket(make_resolver, make_connector, answers):
    connector = make_connector()
    with pytest.raises(EgressRefused):
        connect(PinnedBackend(resolver=make_resolver({"docs.example": answers}), connector=connector))

    assert [] == connector.dialled


@pytest.mark.parametrize("answers", [{}, {"docs.example": []}])
def test_a_name_without_an_address_is_a_failure_to_resolve(make_resolver, make_connector, answers):
    failure = failure_of(PinnedBackend(resolver=make_resolver(answers), connector=make_connector()))

    assert (FailureKind.RESOLVE, False) == (failure.kind, failure.sent)


def test_a_look_up_without_end_fails_within_the_connect_budget(make_resolver, make_connector):
    backend = PinnedBackend(resolver=make_resolver(never=("docs.example",)), connector=make_connector())
    started = time.monotonic()

    assert FailureKind.RESOLVE is failure_of(backend, timeout=0.1).kind
    assert time.monotonic() - started < 10  # without the budget it would wait for ever


def test_the_next_address_is_tried_when_one_is_dead(make_resolver, make_connector):
    connector = make_connector(dead={V6})
    connect(PinnedBackend(resolver=make_resolver({"docs.example": [V6, V4]}), connector=connector))

    assert [V6, V4] == connector.addresses


def test_an_address_that_never_answers_leaves_time_for_the_next(make_resolver, make_connector):
    connector = make_connector(silent={V6})
    backend = PinnedBackend(resolver=make_resolver({"docs.example": [V6, V4]}), connector=connector)
    started = time.monotonic()
    connect(backend, timeout=4)

    assert [V6, V4] == connector.addresses
    assert time.monotonic() - started < 4


def test_families_take_turns_and_repeats_are_dialled_once(make_resolver, make_connector):
    answers = [V6, V6_OTHER, V6, "2001:200::1", "2001:200::2", V4, V4_OTHER]
    connector = make_connector(dead=set(answers))
    failure = failure_of(PinnedBackend(resolver=make_resolver({"docs.example": answers}), connector=connector))

    assert [V6, V4, V6_OTHER, V4_OTHER] == connector.addresses
    assert MAX_DIALLED == len(connector.addresses)
    assert (FailureKind.CONNECT, False) == (failure.kind, failure.sent)


def test_failures_name_the_host_and_no_address(make_resolver, make_connector):
    failure = failure_of(
        PinnedBackend(resolver=make_resolver({"docs.example": [V4]}), connector=make_connector(dead={V4}))
    )

    assert "docs.example" in str(failure)
    assert V4 not in str(failure)


def test_a_refusal_does_not_tell_what_a_name_resolved_to(make_resolver, make_connector):
    with pytest.raises(EgressRefused) as caught:
        connect(PinnedBackend(resolver=make_resolver({"docs.example": ["10.9.8.7"]}), connector=make_connector()))

    assert "10.9.8.7" not in f"{caught.value} {vars(caught.value)}"
    assert "private" == caught.value.reason


def test_an_allowed_host_is_dialled_in_its_network(make_resolver, make_connector):
    options = EgressOptions(allow=(AllowEntry(host_suffix="corp.example"),))
    connector = make_connector()
    resolver = make_resolver({"wiki.corp.example": ["10.1.2.3"], "web.corp.example": [V4]})
    backend = PinnedBackend(resolver=resolver, connector=connector, options=options)
    connect(backend, "wiki.corp.example")
    with pytest.raises(EgressRefused):
        connect(backend, "web.corp.example")

    assert ["10.1.2.3"] == connector.addresses


@pytest.mark.parametrize("backend", [PinnedBackend, DirectBackend])
def test_unix_sockets_are_refused(backend, make_resolver, make_connector):
    made = backend(resolver=make_resolver(), connector=make_connector())
    with pytest.raises(EgressRefused):
        asyncio.run(made.connect_unix_socket("/run/a.sock"))


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "fd00::1", "100.64.0.1", V4, V6])
def test_a_configured_endpoint_may_be_private(make_resolver, make_connector, address):
    connector = make_connector()
    connect(DirectBackend(resolver=make_resolver({"searx.corp": [address]}), connector=connector), "searx.corp", 8888)

    assert [(address, 8888)] == connector.dialled


@pytest.mark.parametrize(
    "address", ["169.254.169.254", "fe80::1", "fd00:ec2::254", "100.100.100.200", "224.0.0.1", "0.0.0.0"]
)
def test_a_configured_endpoint_is_no_metadata_service(make_resolver, make_connector, address):
    connector = make_connector()
    with pytest.raises(EgressRefused):
        connect(DirectBackend(resolver=make_resolver({"searx.corp": [address]}), connector=connector), "searx.corp")

    assert [] == connector.dialled
