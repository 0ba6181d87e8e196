from __future__ import annotations

import pytest

from websdk.egress import AllowEntry, EgressOptions, judge_url, verdict
from websdk.errors import EgressRefused, SettingsError
from websdk.model.convert import from_dict, to_dict


def problems(**fields):
    with pytest.raises(SettingsError) as caught:
        AllowEntry(**fields)
    return caught.value.problems


def test_an_origin_opens_its_host_at_its_port():
    allow = (AllowEntry(origin="https://wiki.corp.example"),)

    assert (True, "allowed") == _pair(verdict("https://wiki.corp.example/a", ["10.1.2.3"], allow))
    assert (False, "private") == _pair(verdict("https://wiki.corp.example:8443/a", ["10.1.2.3"], allow))
    assert (False, "private") == _pair(verdict("https://other.corp.example/a", ["10.1.2.3"], allow))
    assert (False, "private") == _pair(verdict("https://a.wiki.corp.example/a", ["10.1.2.3"], allow))


def _pair(found):
    return found.allowed, found.reason


def test_a_suffix_opens_itself_and_its_subdomains_at_every_port():
    allow = (AllowEntry(host_suffix="corp.example"),)

    for url in ("https://corp.example/", "http://a.corp.example:8080/", "https://a.b.corp.example/"):
        assert verdict(url, ["192.168.3.4"], allow).allowed
    for url in ("https://xcorp.example/", "https://corp.example.test/"):
        assert not verdict(url, ["192.168.3.4"], allow).allowed


@pytest.mark.parametrize("address", ["10.0.0.1", "172.16.9.9", "192.168.1.1", "fd12::1", "::ffff:10.0.0.1"])
def test_the_default_networks_are_the_private_ones(address):
    assert verdict("https://w.corp.example/", [address], (AllowEntry(host_suffix="corp.example"),)).allowed


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("93.184.215.14", "outside_allowed_networks"),
        ("100.64.0.1", "shared_address_space"),
        ("127.0.0.1", "loopback"),
        ("::1", "loopback"),
        ("169.254.169.254", "link_local"),
        ("fe80::1", "link_local"),
        ("100.100.100.200", "metadata"),
        ("fd00:ec2::254", "metadata"),
        ("64:ff9b::a00:1", "nat64:private"),
        ("::ffff:127.0.0.1", "ipv4_mapped:loopback"),
        ("0.0.0.0", "this_network"),
        ("224.0.0.1", "multicast"),
    ],
)
def test_an_opened_host_may_live_in_the_named_networks_only(address, reason):
    allow = (AllowEntry(host_suffix="corp.example"),)

    assert (False, reason) == _pair(verdict("https://w.corp.example/", [address], allow))
    assert (False, reason) == _pair(verdict("https://w.corp.example/", ["10.0.0.1", address], allow))


def test_named_networks_replace_the_default_ones():
    allow = (AllowEntry(host_suffix="corp.example", networks=["10.20.0.0/16", "100.64.0.0/10", "93.184.215.0/24"]),)

    for address in ("10.20.1.1", "100.64.0.1", "93.184.215.14"):
        assert verdict("https://w.corp.example/", [address], allow).allowed
    for address in ("10.21.0.1", "192.168.0.1", "8.8.8.8", "100.100.100.200"):
        assert not verdict("https://w.corp.example/", [address], allow).allowed


def test_entries_of_one_host_add_up():
    allow = (
        AllowEntry(host_suffix="corp.example", networks=["10.0.0.0/8"]),
        AllowEntry(host_suffix="w.corp.example", networks=["192.168.0.0/16"]),
    )

    assert verdict("https://w.corp.example/", ["10.0.0.1", "192.168.0.1"], allow).allowed


@pytest.mark.parametrize("literal", ["127.0.0.1", "127.8.9.1", "[::1]"])
def test_loopback_opens_where_its_literal_is_the_origin(literal):
    allow = (AllowEntry(origin=f"http://{literal}:8000"),)

    assert verdict(f"http://{literal}:8000/page", (), allow).allowed
    assert not verdict(f"http://{literal}:8001/page", (), allow).allowed
    assert not verdict("http://localhost:8000/page", ["127.0.0.1"], allow).allowed
    assert "http://" + literal + ":8000/page" == judge_url(f"http://{literal}:8000/page", allow=allow).href


def test_a_name_for_loopback_stays_closed_even_as_an_origin():
    allow = (AllowEntry(origin="http://localhost:8000"), AllowEntry(origin="http://here.example:8000"))

    assert (False, "local_name") == _pair(verdict("http://localhost:8000/", ["127.0.0.1"], allow))
    assert (False, "loopback") == _pair(verdict("http://here.example:8000/", ["127.0.0.1"], allow))


def test_another_literal_than_the_origin_stays_closed():
    allow = (AllowEntry(origin="http://127.0.0.1:8000"),)

    assert (False, "loopback") == _pair(verdict("http://127.0.0.2:8000/", (), allow))


def test_a_private_literal_opens_inside_its_networks():
    allow = (AllowEntry(origin="http://10.0.0.5"), AllowEntry(origin="http://100.64.0.5"))

    assert verdict("http://10.0.0.5/", (), allow).allowed
    assert not verdict("http://100.64.0.5/", (), allow).allowed


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/", "http://[fe80::1]/", "http://[fd00:ec2::254]/", "http://0.0.0.0/"]
)
def test_no_entry_opens_metadata_or_the_local_link(url):
    allow = (AllowEntry(origin=url.rstrip("/")),)

    with pytest.raises(EgressRefused):
        judge_url(url, allow=allow)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"origin": "https://a.example", "host_suffix": "a.example"},
        {"origin": "https://a.example/path"},
        {"origin": "https://u:p@a.example"},
        {"origin": "ftp://a.example"},
        {"origin": "a.example"},
        {"origin": "http://a.example:6000"},
        {"host_suffix": "*.a.example"},
        {"host_suffix": ".a.example"},
        {"host_suffix": "10.0.0.1"},
        {"host_suffix": "https://a.example"},
        {"host_suffix": ""},
        {"host_suffix": "com"},
        {"host_suffix": "co.uk"},
        {"host_suffix": "a.example", "networks": ()},
        {"host_suffix": "a.example", "networks": ["10.0.0.1/8"]},
        {"host_suffix": "a.example", "networks": ["ten"]},
        {"host_suffix": "a.example", "networks": ["0.0.0.0/0"]},
        {"host_suffix": "a.example", "networks": ["::/0"]},
        {"host_suffix": "a.example", "networks": ["127.0.0.0/8"]},
        {"host_suffix": "a.example", "networks": ["127.0.0.1/32"]},
        {"host_suffix": "a.example", "networks": ["169.254.0.0/16"]},
        {"host_suffix": "a.example", "networks": ["169.254.1.1/32"]},
        {"host_suffix": "a.example", "networks": ["fe80::/10"]},
        {"host_suffix": "a.example", "networks": ["8.0.0.0/5", "64:ff9b::/96"]},
        {"host_suffix": "a.example", "networks": ["168.63.129.16/32"]},
    ],
    ids=str,
)
def test_an_entry_that_cannot_be_used_is_refused(fields):
    assert 1 <= len(problems(**fields))


def test_every_problem_of_an_entry_is_told_at_once():
    assert 3 == len(problems(host_suffix="com", networks=["ten", "0.0.0.0/0"]))


@pytest.mark.parametrize("suffix", ["corp", "intranet.corp", "example.co.uk", "CORP.example"])
def test_a_domain_of_ones_own_is_taken(suffix):
    assert suffix == AllowEntry(host_suffix=suffix).host_suffix


def test_options_survive_json():
    options = EgressOptions(allow=[AllowEntry(origin="http://10.0.0.5:8000"), AllowEntry(host_suffix="corp.example")])

    assert options == from_dict(EgressOptions, to_dict(options))
