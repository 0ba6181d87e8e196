"""Every known fault of searching fails the contract: each provider here has one, and is right in all else."""

from __future__ import annotations

import html
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from websdk.credentials import Secret
from websdk.model import FilterOutcome, FilterStatus, SearchAnswer
from websdk.protocols import Transport
from websdk.search.http_provider import HttpSearchProvider
from websdk.testing import SearchCodecContract, SearchProviderContract
from websdk.transport.vendor import VendorCaller
from websdk.wire import HttpResponse

Fault = Callable[[Any], Any]
FAULTS: dict[str, tuple[str, Fault]] = {}


def fault(kind: str, *, caught_by: str) -> Callable[[Fault], Fault]:
    """Note a fault, and the test that must fail on it."""

    def note(function: Fault) -> Fault:
        FAULTS[f"{kind} {function.__name__}"] = (caught_by, function)
        return function

    return note


@fault("K01", caught_by="test_two_values_of_a_declared_filter_make_two_requests")
def filter_is_accepted_and_never_sent(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def body(self, request: Any, today: Any) -> Any:
            return {key: value for key, value in super().body(request, today).items() if key != "country"}

    return Faulty


@fault("K01", caught_by="test_filter_that_is_not_declared_is_reported_and_not_sent")
def undeclared_filter_counts_as_applied(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def outcome(self, key: Any, sent: Any) -> FilterOutcome:
            return FilterOutcome(key=key, status=FilterStatus.APPLIED, sent="x=1")

    return Faulty


@fault("K02", caught_by="test_two_values_of_a_declared_filter_make_two_requests")
def every_window_is_the_same_word(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def values(self, request: Any, today: Any) -> Any:
            found = super().values(request, today)
            return {**found, "window": "recent"} if "window" in found else found

    return Faulty


@fault("K03", caught_by="test_list_goes_out_whole_or_is_reported")
def first_host_stands_for_the_list(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def values(self, request: Any, today: Any) -> Any:
            found = super().values(request, today)
            return {key: value[:1] if isinstance(value, list) else value for key, value in found.items()}

    return Faulty


@fault("K03", caught_by="test_each_end_of_a_range_goes_out_or_is_reported")
def last_day_is_lost(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def body(self, request: Any, today: Any) -> Any:
            return {key: value for key, value in super().body(request, today).items() if key != "until"}

    return Faulty


@fault("K04", caught_by="test_rows_that_break_a_filter_are_handed_on_for_the_client_to_mark")
def rows_are_checked_by_part_of_the_text(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def read(self, reply: Any, request: Any) -> SearchAnswer:
            answer = super().read(reply, request)
            hosts = request.filters.include_domains
            kept = tuple(row for row in answer.results if not hosts or any(f"{host}/" in row.url for host in hosts))
            return attrs.evolve(answer, results=kept)

    return Faulty


@fault("K05", caught_by="test_list_goes_out_whole_or_is_reported")
def long_list_is_cut(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def values(self, request: Any, today: Any) -> Any:
            hosts = request.filters.include_domains
            return super().values(request, today) | ({"include_domains": list(hosts[:2])} if hosts else {})

    return Faulty


@fault("K05", caught_by="test_list_beyond_the_limit_is_left_out_and_reported")
def list_beyond_the_limit_goes_out_and_is_reported(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def body(self, request: Any, today: Any) -> Any:
            hosts = request.filters.include_domains
            return super().body(request, today) | ({"include_domains": list(hosts)} if hosts else {})

    return Faulty


@fault("K06", caught_by="test_filters_do_not_overwrite_each_other")
def dates_go_out_over_the_window(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def body(self, request: Any, today: Any) -> Any:
            body = super().body(request, today)
            if "window" in body and "since" in body:
                del body["window"]  # and the outcome still says applied
            return body

    return Faulty


@fault("K07", caught_by="test_value_that_is_reported_changes_nothing")
def language_outside_the_list_is_sent(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def body(self, request: Any, today: Any) -> Any:
            language = request.filters.language
            return super().body(request, today) | ({"language": language} if language else {})

    return Faulty


@fault("K07", caught_by="test_filters_do_not_overwrite_each_other")
def country_stands_in_for_the_language(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def body(self, request: Any, today: Any) -> Any:
            body = super().body(request, today)
            return body | ({"language": body.pop("country")} if "country" in body else {})

    return Faulty


@fault("K08", caught_by="test_nothing_asked_is_nothing_sent")
def empty_filter_is_sent(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def explain(self, request: Any, *, today: Any) -> Any:
            outcomes, adjustments = super().explain(request, today=today)
            empty = FilterOutcome(key="recency", status=FilterStatus.APPLIED, sent="window=None")  # type: ignore[arg-type]
            return outcomes or (empty,), adjustments

    return Faulty


@fault("K09", caught_by="test_two_values_of_a_declared_filter_make_two_requests")
def configured_hosts_beat_the_callers(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def body(self, request: Any, today: Any) -> Any:
            return super().body(request, today) | {"include_domains": ["a.example"]}

    return Faulty


@fault("K10", caught_by="test_long_query_goes_out_whole_or_is_refused")
def long_query_is_cut(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def refuse(self, request: Any) -> None:
            """Refuse nothing."""

        def body(self, request: Any, today: Any) -> Any:
            return super().body(request, today) | {"q": request.query[:400]}

    return Faulty


@fault("K11", caught_by="test_missing_and_null_fields_lose_no_row")
def missing_title_loses_the_answer(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def row(self, hit: Any) -> Any:
            return attrs.evolve(super().row(hit), title=hit["title"] or "")

    return Faulty


@fault("K12", caught_by="test_missing_and_null_fields_lose_no_row")
def null_becomes_the_word_none(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def row(self, hit: Any) -> Any:
            found = super().row(hit)
            return found and attrs.evolve(found, title=str(hit.get("title", "")))

    return Faulty


@fault("K13", caught_by="test_error_inside_a_good_status_is_a_failure_that_does_not_repeat_it")
def error_in_a_success_is_an_empty_answer(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def classify(self, response: Any, *, now: Any) -> Any:
            return None if response.status == 200 else super().classify(response, now=now)

        def read(self, reply: Any, request: Any) -> Any:
            data = json.loads(reply.body)
            return SearchAnswer() if "error" in data else super().read(reply, request)

    return Faulty


@fault("K14", caught_by="test_sources_that_failed_are_not_told_as_no_results")
def failed_sources_are_no_results(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def read(self, reply: Any, request: Any) -> Any:
            return attrs.evolve(super().read(reply, request), incomplete=False, notices=())

    return Faulty


@fault("K15", caught_by="test_throttling_is_a_rate_limit")
def throttling_in_disguise_is_a_parse_error(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def classify(self, response: Any, *, now: Any) -> Any:
            return super(Harbour, self).classify(response, now=now)

    return Faulty


@fault("K16", caught_by="test_text_is_text")
def plain_text_is_decoded(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def row(self, hit: Any) -> Any:
            found = super().row(hit)
            return found and attrs.evolve(found, title=html.unescape(found.title))

    return Faulty


@fault("K17", caught_by="test_rows_are_handed_on_in_their_order")
def near_twins_are_merged(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def read(self, reply: Any, request: Any) -> Any:
            answer = super().read(reply, request)
            once = {row.url.lower().rstrip("/").partition("#")[0]: row for row in reversed(answer.results)}
            return attrs.evolve(answer, results=tuple(reversed(once.values())))

    return Faulty


@fault("K18", caught_by="test_text_is_text")
def title_is_written_as_markdown(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def row(self, hit: Any) -> Any:
            found = super().row(hit)
            return found and attrs.evolve(found, title=f"[{found.title}]({found.url})" if found.title else "")

    return Faulty


@fault("K19", caught_by="test_second_page_is_asked_for_in_the_vendors_unit")
def rows_are_asked_for_as_pages(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def body(self, request: Any, today: Any) -> Any:
            body = super().body(request, today)
            return body | ({"offset": request.page} if "offset" in body else {})

    return Faulty


@fault("K19", caught_by="test_later_page_is_another_request_or_refused")
def later_page_is_the_first_once_more(base: Any) -> Any:
    class Faulty(base):  # type: ignore[misc]
        def body(self, request: Any, today: Any) -> Any:
            return {key: value for key, value in super().body(request, today).items() if key != "offset"}

    return Faulty


class Harbour:
    """Stands before the codec of the fixtures, so that faults can reach behind it."""


def codec_class(harbour: Any) -> Any:
    """Return the right codec with the throttling of K15."""
    from websdk.errors import RateLimited

    class Throttled(Harbour, harbour):  # type: ignore[misc]
        def classify(self, response: Any, *, now: Any) -> Any:
            if response.status == 202:
                return RateLimited("harbour asks for fewer calls", provider=self.id)
            return super().classify(response, now=now)

    return Throttled


def contracts(codec: Any, hits: Any) -> tuple[Any, Any]:
    """Return the contract of a codec, and of the provider that drives it."""

    class Facts:
        second_page = {"offset": "20", "limit": "20"}
        is_get = False
        throttled = (HttpResponse(status=429), HttpResponse(status=202, body=b"<html><body>One moment</body></html>"))
        failed_sources = HttpResponse(status=200, body=b'{"hits": [], "failed": [["alpha", "timeout"]]}')

        def reply(self, rows: Any) -> HttpResponse:
            reply: HttpResponse = hits(rows)
            return reply

    class OfCodec(Facts, SearchCodecContract):
        def make_codec(self) -> Any:
            return codec()

    class OfProvider(Facts, SearchProviderContract):
        key = "canary-key-4711"

        def make_provider(self, transport: Transport) -> Any:
            source = _Given()
            caller = VendorCaller(id="harbour", transport=transport, auth=_Header(), credential=source)
            return HttpSearchProvider(codec=codec(), caller=caller)

    return OfCodec(), OfProvider()


class _Given:
    async def get(self, call: Any) -> Secret:
        return Secret("canary-key-4711")


class _Header:
    def sign(self, request: Any, secret: Secret, now: Any) -> Any:
        return request.with_headers([("X-Key", secret.reveal())])


def test_codec_and_provider_that_are_right_keep_the_contract(harbour: Any, hits: Any, broken_tests: Any) -> None:
    of_codec, of_provider = contracts(codec_class(harbour), hits)

    assert set() == broken_tests(of_codec)
    assert set() == broken_tests(of_provider)


# The provider accounts for each asked filter once, whatever its codec says, so this fault ends there.
REPAIRED = frozenset({"K08 empty_filter_is_sent"})


@pytest.mark.parametrize("name", FAULTS)
def test_fault_fails_the_contract(name: str, harbour: Any, hits: Any, broken_tests: Any) -> None:
    caught_by, make = FAULTS[name]
    of_codec, of_provider = contracts(make(codec_class(harbour)), hits)

    assert {caught_by} == broken_tests(of_codec, caught_by)
    assert (set() if name in REPAIRED else {caught_by}) == broken_tests(of_provider, caught_by)


def test_every_known_kind_of_fault_has_one_here() -> None:
    known = tomllib.loads((Path(__file__).parents[1] / "data/known-faults.toml").read_text("utf-8"))

    assert set(known) == {name.split()[0] for name in FAULTS}
