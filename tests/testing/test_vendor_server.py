"""Every bundled vendor on this machine: asked by a real client, over real sockets."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import attrs
import pytest

from websdk.declarative import bundled_preset_texts, load_preset
from websdk.errors import (
    CredentialRejected,
    DeadlineExceeded,
    MalformedAnswer,
    RateLimited,
    Unavailable,
    Unreadable,
    WebSdkError,
)
from websdk.model import FilterKey, Filters
from websdk.settings import FetchOptions
from websdk.sync import Client
from websdk.testing import VendorServer
from websdk.testing.samples import connection_of

PRESETS = {name: load_preset(text, name=name) for name, text in bundled_preset_texts().items()}
SEARCHING = [name for name, preset in PRESETS.items() if preset.search is not None]
READING = [name for name, preset in PRESETS.items() if preset.fetch is not None]


@pytest.fixture(scope="module")
def server() -> Iterator[VendorServer]:
    with VendorServer() as server:
        yield server


@pytest.fixture
def vendor(server: VendorServer) -> VendorServer:
    """The server, at its best again and with nothing received."""
    server.behave("answer")
    server.received.clear()
    return server


def client_of(server: VendorServer, **more: Any) -> Client:
    return Client(server.settings(), **{"credentials": server.credentials(), **more})


@pytest.mark.parametrize("name", SEARCHING)
def test_vendor_answers_its_preset_and_obeys_its_filters(name: str, vendor: VendorServer) -> None:
    filters = Filters(recency="week", include_domains=["port.example"], country="DE", language="de", topic="news")
    with client_of(vendor) as client:
        for asked in (Filters(), filters, Filters(exclude_domains=["port.example"], published_after="2026-01-05")):
            answer = client.search("tide tables & more", provider=name, filters=asked, max_results=5, timeout_s=10)
            applied = [item for item in answer.filter_outcomes if item.status.restricts_in_full]

            assert () == vendor.refused()
            assert answer.results, asked
            if not PRESETS[name].search.site:  # type: ignore[union-attr]
                assert [0] * len(applied) == [item.violated or 0 for item in applied]
    assert {"search"} == {item.half for item in vendor.received}


@pytest.mark.parametrize("name", READING)
def test_reader_brings_its_page(name: str, vendor: VendorServer) -> None:
    settings = attrs.evolve(vendor.settings(), fetch=FetchOptions(docs_index_discovery=False))
    with Client(settings, credentials=vendor.credentials()) as client:
        document = client.fetch("https://port.example/tides?day=1", via="proxy", provider=name, timeout_s=10)

    assert "High water at noon." in document.markdown
    assert () == vendor.refused()
    assert ["fetch"] == [item.half for item in vendor.received]


@pytest.mark.parametrize(
    ("behaviour", "failure"),
    [
        ("throttle", RateLimited),
        ("fail", Unavailable),
        ("reject_key", CredentialRejected),
        ("hang_up", Unavailable),
        ("garble", MalformedAnswer),
        ("drip", DeadlineExceeded),
    ],
)
def test_vendor_fails_as_it_is_told(behaviour: str, failure: type[WebSdkError], vendor: VendorServer) -> None:
    vendor.behave(behaviour, "brave")
    with client_of(vendor) as client:
        with pytest.raises(failure) as caught:
            client.search("tide", provider="brave", timeout_s=0.3)

        assert getattr(caught.value, "wait_s", None) == (7 if behaviour == "throttle" else None)
        assert vendor.key not in f"{caught.value} {caught.value!r} {caught.value.__cause__!r}"
        assert client.search("tide", provider="exa", timeout_s=10).results


def test_vendor_that_disobeys_is_found_out(vendor: VendorServer) -> None:
    vendor.behave("disobey", "brave")
    filters = Filters(include_domains=["port.example"], recency="week")
    with client_of(vendor) as client:
        answer = client.search("tide", provider="brave", filters=filters, max_results=3, timeout_s=10)
        outcomes = {item.key: item for item in answer.filter_outcomes}

        assert [3, 3] == [outcomes[key].violated for key in (FilterKey.INCLUDE_DOMAINS, FilterKey.RECENCY)]
        assert all(FilterKey.INCLUDE_DOMAINS in row.violates for row in answer.results)


def test_empty_answers_are_empty_and_empty_pages_unreadable(vendor: VendorServer) -> None:
    vendor.behave("empty")
    with client_of(vendor) as client:
        assert () == client.search("tide", provider="exa", timeout_s=10).results
        with pytest.raises(Unreadable):
            client.fetch("https://port.example/", via="proxy", provider="exa", timeout_s=10)


def test_wrong_or_missing_key_is_refused(vendor: VendorServer) -> None:
    with client_of(vendor, credentials={"vendor-server": "another-key"}) as client, pytest.raises(CredentialRejected):
        client.search("tide", provider="exa", timeout_s=10)

    assert ("exa: the key is wrong",) == vendor.refused()


def test_value_at_a_place_that_the_preset_does_not_know_is_refused() -> None:
    text = bundled_preset_texts()["kagi"]
    changed = load_preset(text.replace('at = "limit"', 'at = "surprise"'), name="kagi")
    with VendorServer(["kagi"]) as server, client_of(server) as client:
        client.parts.try_preset(changed)
        with pytest.raises(WebSdkError):
            client.search("tide", provider="kagi", timeout_s=10)

        assert ("kagi: nothing is known at body:surprise",) == server.refused()


def test_unknown_vendor_and_path_are_refused() -> None:
    import urllib.error
    import urllib.request

    with VendorServer(["exa"]) as server:
        for path in ("/nobody/search", "/exa/elsewhere"):
            with pytest.raises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(server.base + path)
            caught.value.close()
            assert 404 == caught.value.code

    assert 2 == len(server.refused())


def test_day_of_the_rows_is_the_given_one() -> None:
    with VendorServer(["brave"], today=date(2026, 3, 4)) as server, client_of(server) as client:
        answer = client.search("tide", provider="brave", timeout_s=10)

    assert date(2026, 3, 4) == answer.results[0].published


def test_connection_of_a_preset_gives_everything_that_it_asks_for() -> None:
    assert all(set(preset.vendor.settings) == set(connection_of(preset).settings) for preset in PRESETS.values())
