from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.egress.addresses import PUBLIC, carried, parse_address, table, word_for
from websdk.egress.reasons import reasons

V4 = st.integers(min_value=0, max_value=2**32 - 1).map(IPv4Address)
V6 = st.integers(min_value=0, max_value=2**128 - 1).map(IPv6Address)


def word(text):
    return word_for(ip_address(text))


def test_the_longest_prefix_stands_first():
    lengths = [block.prefixlen for block, _ in table()]

    assert sorted(lengths, reverse=True) == lengths


def test_no_block_is_listed_twice():
    blocks = [block for block, _ in table()]

    assert len(set(blocks)) == len(blocks)


@pytest.mark.parametrize(("block", "expected"), table(), ids=str)
def test_both_ends_of_a_block_have_its_word_or_that_of_a_narrower_block(block, expected):
    narrower = [other for other, _ in table() if other.version == block.version and other.prefixlen > block.prefixlen]
    for address in (block.network_address, block.broadcast_address):
        if any(address in other for other in narrower) or carried(address):
            continue

        assert expected == word_for(address)


@pytest.mark.parametrize(
    "address",
    "9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 "
    "172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.167.255.255 192.169.0.0 "
    "198.17.255.255 198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255 168.63.129.15 168.63.129.17 2001:200:: "
    "2001:db7:ffff:: 2001:db9:: 2001:ffff:ffff:: 2003:: 3ffe:ffff:: 3fff:1000:: 2620:4f:8000::1".split(),
)
def test_neighbours_of_special_blocks_are_public(address):
    assert PUBLIC == word(address)


@pytest.mark.parametrize(
    "address",
    # What the standard library calls global in one release or another.
    "224.0.0.1 ff02::1 64:ff9b::7f00:1 ::127.0.0.1 ::ffff:0:7f00:1 fec0::1 3fff::1 5f00::1 100:0:0:1::1 192.0.0.8 "
    "192.0.0.192 2002:7f00:1:: 64:ff9b:1::7f00:1 2001:20::1 2001:1::1 ::ffff:100.64.0.1 100.64.0.1".split(),
)
def test_addresses_that_the_standard_library_lets_pass_are_not_public(address):
    assert PUBLIC != word(address)


@pytest.mark.parametrize(
    "address", ["168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd00:ec2::253", "fd20:ce::254"]
)
def test_metadata_addresses_outside_the_link_have_a_word_of_their_own(address):
    assert "metadata" == word(address)


@given(V4)
def test_a_carried_address_is_judged_as_itself(address):
    plain = word_for(address)
    for carrier, prefix in (("ipv4_mapped", 0xFFFF << 32), ("nat64", 0x64FF9B << 96)):
        outer = IPv6Address(prefix | int(address))

        assert (carrier, address) == carried(outer)
        assert (PUBLIC if plain == PUBLIC else f"{carrier}:{plain}") == word_for(outer)


@given(V4, st.integers(min_value=0, max_value=2**80 - 1))
def test_tunnels_are_refused_whatever_they_carry(address, tail):
    carriers = {
        "6to4": IPv6Address(0x2002 << 112 | int(address) << 80 | tail),
        "teredo": IPv6Address(0x20010000 << 96 | int(address) << 64 | tail & (2**64 - 1)),
        "ipv4_translated": IPv6Address(0xFFFF << 48 | int(address)),
        "nat64_local": IPv6Address(0x0064FF9B0001 << 80 | tail),
    }

    assert {name: name for name in carriers} == {name: word_for(outer) for name, outer in carriers.items()}


@given(V4 | V6)
def test_every_address_has_a_word_that_is_explained(address):
    assert word_for(address) in reasons()


@given(V6)
def test_nothing_outside_the_global_block_is_public_but_what_carries_a_public_address(address):
    if word_for(address) == PUBLIC and carried(address) is None:
        assert 0b001 == int(address) >> 125


@given(V4 | V6)
def test_public_addresses_lie_in_no_special_block(address):
    special = any(address in block for block, name in table() if name not in (PUBLIC, "not_global_unicast"))

    if carried(address) is None:
        assert (word_for(address) != PUBLIC) == (special or (address.version == 6 and int(address) >> 125 != 1))


@pytest.mark.parametrize(
    "text", ["0177.0.0.1", "127.1", "2130706433", "", "localhost", "1.2.3.4.5", "1.2.3.04", "\u0661.2.3.4"]
)
def test_other_spellings_are_no_address(text):
    assert parse_address(text) is None


def test_a_zone_does_not_stop_the_judgement():
    assert IPv6Address("fe80::1") == parse_address("fe80::1%eth0")
