from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.egress import judge_addresses, judge_url, verdict
from websdk.egress.judge import MAX_URL_CHARACTERS
from websdk.egress.reasons import reasons
from websdk.errors import EgressRefused
from websdk.model.urls import parse

PUBLIC_ADDRESS = "93.184.215.14"


def reason_of(url):
    with pytest.raises(EgressRefused) as caught:
        judge_url(url)
    return caught.value.reason


def test_a_checked_address_has_one_spelling():
    checked = judge_url("HTTPS://Docs.Example:443/a/../b?q=ä b#part")

    assert "https://docs.example/b?q=%C3%A4%20b" == checked.href
    assert ("https", "docs.example", 443, "https://docs.example") == (
        checked.scheme,
        checked.host,
        checked.port,
        checked.origin,
    )


def test_an_ipv6_host_stands_without_brackets_and_its_origin_with_them():
    checked = judge_url("http://[2606:4700:4700:0::1111]:8080/")

    assert ("2606:4700:4700::1111", "http://[2606:4700:4700::1111]:8080") == (checked.host, checked.origin)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("docs.example", "no_scheme"),
        ("1http://docs.example/", "no_scheme"),
        ("mailto:a@docs.example", "scheme"),
        ("https://docs.example/" + "a" * MAX_URL_CHARACTERS, "too_long"),
        ("https://docs.example/a\rb", "control_character"),
        ("https://docs.example/\x00", "control_character"),
        ("\ufeffhttps://docs.example/", "no_scheme"),
        ("\u3000https://docs.example/", "control_character"),
        ("https:////docs.example/", "empty_host"),
        ("https:\\\\docs.example/", "host_spelling"),
        ("https:/\\docs.example/", "host_spelling"),
        ("https://\\docs.example/", "host_spelling"),
        ("https://docs.example./", "host_spelling"),
        ("https://134744072/", "host_spelling"),
        ("https://8.8.2056/", "host_spelling"),
        ("https://\uff18.8.8.8/", "host_spelling"),
        ("https://docs%2eexample/", "host_spelling"),
        ("https://docs..example/", "unparsable_host"),
        ("https://.docs.example/", "unparsable_host"),
        ("https://do*cs.example/", "unparsable_host"),
        ("https://-docs.example/", "unparsable_host"),
        ("https://" + "a" * 64 + ".example/", "unparsable_host"),
        ("https://" + "a." * 127 + "example/", "unparsable_host"),
        ("https://xn--/", "unparsable_host"),
        ("https://a@docs.example/", "credentials"),
        ("https://@docs.example/", "credentials"),
        ("https://docs.example:/", "bad_port"),
        ("https://docs.example:+80/", "bad_port"),
        ("https://docs.example:000080/", "bad_port"),
        ("https://docs.example:٨٠/", "bad_port"),
        ("https://docs.example:6666/", "blocked_port"),
        ("https://127.0.0.1:22/", "blocked_port"),
        ("https://instance-data/latest", "local_name"),
        ("https://a.localhost./", "local_name"),
        ("https://[::ffff:a00:1]/", "ipv4_mapped:private"),
    ],
)
def test_the_text_alone_is_enough_for_a_refusal(url, reason):
    assert reason == reason_of(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.example/a\\b",
        "https://docs.example?q=@x:1",
        "https://docs.example#@127.0.0.1",
        "https://my_site.docs.example/",
        "https://docs.example:00443/",
        "http://docs.example:443/",
        "https://xn--bcher-kva.example/",
        "https://BÜCHER.example/",
        "https://127.0.0.1.docs.example/",
        "https://docs.example/ÿ",
        "https://[2001:4860:4860::8888]:443/",
    ],
)
def test_ordinary_addresses_pass(url):
    assert judge_url(url).href.isascii()


@pytest.mark.parametrize("value", [None, 5, b"https://docs.example/"])
def test_what_is_no_text_is_refused_like_a_bad_address(value):
    assert "no_scheme" == reason_of(value)


@pytest.mark.parametrize("url", ["https://docs.example/\udcff", "https://\udcff.example/"])
def test_half_a_surrogate_pair_is_a_refusal_and_no_crash(url):
    assert "unparsable_host" == reason_of(url)


def test_a_refusal_names_host_and_rule_and_nothing_of_path_query_or_network():
    with pytest.raises(EgressRefused) as caught:
        judge_url("http://10.0.0.1/secret-path?secret-query")

    assert "the egress guard refuses the address at 10.0.0.1: private" == str(caught.value)
    assert ("private", "10.0.0.1", False, False) == (
        caught.value.reason,
        caught.value.host,
        caught.value.sent,
        caught.value.retryable,
    )


def test_one_denied_answer_denies_the_set_in_any_place():
    checked = judge_url("https://docs.example/")

    for answers in ([PUBLIC_ADDRESS, "10.0.0.1"], ["10.0.0.1", PUBLIC_ADDRESS]):
        assert "private" == judge_addresses(checked, answers).reason


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([], "resolution_failed"),
        ([""], "not_an_address"),
        (["docs.example"], "not_an_address"),
        (["127.1"], "not_an_address"),
    ],
)
def test_no_answer_and_odd_answers_are_denied(answers, reason):
    assert reason == judge_addresses(judge_url("https://docs.example/"), answers).reason


def test_answers_for_a_literal_are_judged_beside_it():
    assert verdict("https://8.8.8.8/").allowed
    assert not verdict("https://8.8.8.8/", ["10.0.0.1"]).allowed
    assert not verdict("https://10.0.0.1/", [PUBLIC_ADDRESS]).allowed


@given(st.text(max_size=80) | st.text(alphabet="htps:/\\@.#?[]%1027x ", max_size=30).map("http:".__add__))
def test_any_text_gets_a_verdict_from_the_closed_list(text):
    assert verdict(text, [PUBLIC_ADDRESS]).reason in reasons()


@given(st.text(alphabet="aZ0.-_:[]@\\/%①。x7f", min_size=1, max_size=16))
def test_what_passes_is_read_alike_by_every_later_parser(authority):
    from urllib.parse import urlsplit

    try:
        checked = judge_url(f"http://{authority}/")
    except EgressRefused:
        return

    again = urlsplit(checked.href)
    assert (checked.host, checked.port) == (again.hostname, again.port or 80)
    assert checked.href == parse(checked.href).href
    assert again.username is None


def test_what_passes_is_serialised_as_the_url_standard_says(corpora):
    cases = json.loads((corpora / "url-resolution" / "urltestdata.json").read_text(encoding="utf-8"))
    absolute = [case for case in cases if isinstance(case, dict) and not case.get("base") and "href" in case]
    passed = {
        case["href"].partition("#")[0]: judge_url(case["input"]).href for case in absolute if passes(case["input"])
    }

    assert len(passed) > 40
    assert {href: href for href in passed} == passed


def passes(url):
    try:
        judge_url(url)
    except EgressRefused:
        return False
    return True
