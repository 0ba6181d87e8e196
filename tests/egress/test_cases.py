"""Every carried case, as far as a URL and the addresses of its host decide it."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest

from websdk.egress import PinnedBackend, judge_url, verdict
from websdk.egress.reasons import reasons
from websdk.errors import EgressRefused
from websdk.model.urls import parse
from websdk.protocols.transport import TransportFailure

# Where this guard names a narrower rule than the case does, or judges the text before the address in it.
OWN_WORDS = {
    "eg-s015": "metadata",
    "eg-s092": "metadata",
    "eg-s216": "no_scheme",
    "eg-s285": "private",
}
BROADER = ("credentials", "host_spelling", "control_character", "zone_id", "local_name")


def answers_of(case):
    dns = {**case["dns"], **{name: steps[0] for name, steps in case.get("dns_sequence", {}).items()}}
    parsed = parse(case["url"])
    return () if parsed is None else tuple(dns.get(parsed.host.rstrip("."), ()))


def test_url_and_addresses_get_the_verdict_of_the_case(case):
    found = verdict(case["url"], answers_of(case))

    assert case["expect"] in (("allow", "either") if found.allowed else ("deny", "either"))
    assert found.reason in reasons()


@pytest.mark.kinds(expect="deny")
def test_the_rule_that_fires_is_the_one_of_the_case(case):
    found = verdict(case["url"], answers_of(case)).reason

    carried_outright = case["reason"].partition(":")[0]
    assert found in (OWN_WORDS.get(case["id"]), case["reason"], carried_outright, *BROADER)


@pytest.mark.kinds("dns_answer", "rebinding", "cname")
def test_only_the_named_addresses_are_ever_dialled(case, make_resolver, make_connector):
    behaviour = case.get("dns_behaviour", {})
    resolver = make_resolver(case["dns"], case.get("dns_sequence"), never=behaviour)
    connector = make_connector(fails_first=case.get("connect_fails_first", False))
    backend = PinnedBackend(resolver=resolver, connector=connector)
    parts = urlsplit(case["url"])
    port = 443 if parts.scheme == "https" else 80
    outcomes = []

    async def read():
        for _ in range(case.get("requests", 1)):
            try:
                judge_url(case["url"])
                await backend.connect_tcp(parts.hostname, port, timeout=0.05)
                outcomes.append("connected")
            except EgressRefused:
                outcomes.append("refused")
            except TransportFailure as failure:
                outcomes.append(failure.kind.value)

    asyncio.run(read())

    assert set(connector.addresses) <= set(case["connect_only"])
    assert len(resolver.asked) <= len(outcomes)
    if case["expect"] == "deny":
        assert [] == connector.addresses
        assert {"refused"} == set(outcomes) or {"resolve"} == set(outcomes)
    if case["expect"] == "allow" and not case.get("connect_fails_first"):
        assert {"connected"} == set(outcomes)


@pytest.mark.kinds("url_syntax")
def test_a_refusal_repeats_no_credentials(case):
    for secret in case.get("must_not_appear", ()):
        with pytest.raises(EgressRefused) as caught:
            judge_url(case["url"])

        assert secret not in f"{caught.value} {caught.value!r} {vars(caught.value)}"
