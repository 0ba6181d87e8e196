"""Host names and the public-suffix list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.model.domains import bare_host, is_public_suffix, is_within, registrable_domain


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("python.org", "python.org"),
        ("PYTHON.org.", "python.org"),
        ("localhost", "localhost"),
        ("_dmarc.a.example", "_dmarc.a.example"),
        ("straße.example", "xn--strae-oqa.example"),
        ("日本.example", "xn--wgv71a.example"),
        ("a" * 63 + ".example", "a" * 63 + ".example"),
    ],
)
def test_a_host_name_is_kept_in_lower_case_and_a_labels(text, host):
    assert host == bare_host(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", ".", "a..b", "-a.example", "a b", "a/b", "a:1", "a@b", "*.a", "1.2.3.4", "0x7f.1", "::1", "[::1]"),
        *("a%2eb", "a" * 64 + ".example", ".".join(["a" * 50] * 6), "a\n.example", "a.example/", "http://a.example"),
    ],
)
def test_anything_else_is_no_host_name(text):
    assert bare_host(text) is None


@given(st.text(max_size=40))
def test_a_host_name_stays_the_same_when_read_again(text):
    host = bare_host(text)

    assert host is None or host == bare_host(host)


@pytest.mark.parametrize(
    ("host", "domain", "within"),
    [
        ("python.org", "python.org", True),
        ("docs.python.org", "python.org", True),
        ("a.b.docs.python.org", "python.org", True),
        ("notpython.org", "python.org", False),
        ("python.org", "docs.python.org", False),
        ("python.org.evil.example", "python.org", False),
    ],
)
def test_a_domain_holds_itself_and_its_subdomains(host, domain, within):
    assert within is is_within(host, domain)


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("docs.example.co.uk", "example.co.uk"),
        ("example.com", "example.com"),
        ("a.b.example.com", "example.com"),
        ("co.uk", None),
        ("localhost", None),
    ],
)
def test_the_registrable_part_follows_the_public_suffix_list(host, domain):
    assert domain == registrable_domain(host)


@pytest.mark.parametrize(
    ("host", "public"), [("com", True), ("co.uk", True), ("example.com", False), ("localhost", False)]
)
def test_a_suffix_under_which_anybody_registers_is_told(host, public):
    assert public is is_public_suffix(host)


def test_a_look_up_touches_neither_network_nor_disk(monkeypatch, tmp_path):
    import socket

    def refuse(*args, **kwargs):
        raise AssertionError("the network was asked")

    monkeypatch.setenv("TLDEXTRACT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)

    assert "example.co.uk" == registrable_domain("www.example.co.uk")
    assert [] == list(tmp_path.iterdir())
