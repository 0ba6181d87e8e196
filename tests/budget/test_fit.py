"""Answers within their outer bounds, as they are serialised."""

from __future__ import annotations

from datetime import UTC, date, datetime

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websdk.budget.answer import to_json
from websdk.budget.fit import (
    LEAST_UTF8_BYTES,
    LEAST_UTF16_UNITS,
    FitOptions,
    Size,
    fit_response,
    measure,
    preview_within,
)
from websdk.budget.options import LEAST_CHARACTERS, PreviewOptions
from websdk.errors import SearchFailed, SettingsError
from websdk.model import Disclosure, FilterKey, FilterOutcome, FilterStatus, Receipt, SearchResponse, SearchResult
from websdk.model.convert import to_dict

REACH = 'search({"ref":"abcde1"})'
SMALLEST = FitOptions(max_utf16_units=LEAST_UTF16_UNITS, max_utf8_bytes=LEAST_UTF8_BYTES)

foreign = st.lists(
    st.sampled_from(["word ", '"', "\\", "\x00", "\x1f", "\n", "\u2028", "é", "漢字", "\U0001f468", "x" * 150])
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    max_size=40,
).map("".join)
long = st.tuples(foreign, st.integers(0, 60)).map(lambda parts: parts[0] * parts[1])
rows = st.builds(
    SearchResult,
    url=st.integers(0, 1_500).map(lambda length: "https://a.example/" + "x" * length),
    title=foreign,
    snippet=foreign,
    content=st.none() | long,
    published=st.none() | st.just(date(2026, 3, 1)),
    published_text=st.none() | foreign,
    score=st.none() | st.floats(),
    sources=st.just(("brave",)),
    violates=st.sampled_from([(), (FilterKey.RECENCY,)]),
    ref=st.sampled_from([None, "abcde1:1"]),
)
responses = st.builds(
    SearchResponse,
    results=st.lists(rows, max_size=12).map(tuple),
    provider=st.just("brave"),
    unsupported_filters=st.just((FilterKey.COUNTRY,)),
    filter_outcomes=st.just((FilterOutcome(key=FilterKey.COUNTRY, status=FilterStatus.UNSUPPORTED, reason="none"),)),
    answer=st.none() | long,
    receipt=st.just(
        Receipt(
            call_id="c1",
            operation="search",
            recipient="brave",
            started_at=datetime(2026, 3, 4, tzinfo=UTC),
            elapsed_s=0.1,
        )
    ),
    disclosure=st.just(Disclosure(recipient="brave", text="The query went out.")),
    ref=st.sampled_from([None, "abcde1"]),
    notices=st.lists(foreign, max_size=4).map(tuple),
)
bounds = st.builds(
    FitOptions,
    max_utf16_units=st.integers(LEAST_UTF16_UNITS, 40_000),
    max_utf8_bytes=st.integers(LEAST_UTF8_BYTES, 80_000),
)


def response(*results, **fields):
    return SearchResponse(results=results, provider="brave", unsupported_filters=(), **fields)


def result(number=1, **fields):
    return SearchResult(url=f"https://a.example/{number}", title=f"Title {number}", **fields)


def size(answer):
    """Measure an answer in another way than the code does."""
    text = to_json(to_dict(answer))
    return sum(2 if ord(sign) > 0xFFFF else 1 for sign in text), len(text.encode())


def without_scores(answer):
    """JSON has no word for a figure that is none, and nothing admitted has one."""
    return attrs.evolve(answer, results=tuple(attrs.evolve(row, score=None) for row in answer.results))


@settings(max_examples=150, deadline=None)
@given(answer=responses.map(without_scores), options=bounds, reserve=st.integers(0, 200))
def test_whatever_is_in_it_an_answer_fits_both_bounds(answer, options, reserve):
    units, octets = size(fit_response(answer, options, reach=REACH, reserve=reserve))

    assert units + reserve <= options.max_utf16_units
    assert octets + reserve <= options.max_utf8_bytes


@settings(max_examples=100, deadline=None)
@given(answer=responses, options=bounds, more=st.tuples(st.integers(0, 20_000), st.integers(0, 40_000)))
def test_a_larger_bound_never_loses_a_result_or_a_passage(answer, options, more):
    larger = FitOptions(
        max_utf16_units=options.max_utf16_units + more[0], max_utf8_bytes=options.max_utf8_bytes + more[1]
    )
    small, large = (fit_response(answer, one, reach=REACH).results for one in (options, larger))

    assert len(small) <= len(large)
    assert sum(bool(row.content) for row in small) <= sum(bool(row.content) for row in large)


@settings(max_examples=100, deadline=None)
@given(answer=responses, options=bounds)
def test_fitting_again_changes_nothing(answer, options):
    fitted = fit_response(answer, options, reach=REACH)

    assert fitted is fit_response(fitted, options, reach=REACH)


@settings(max_examples=100, deadline=None)
@given(answer=responses, options=bounds)
def test_what_fits_is_unchanged_and_what_stays_is_the_beginning_uncut(answer, options):
    fitted = fit_response(answer, options, reach=REACH)

    if options.holds(measure(to_dict(answer))):
        assert fitted is answer
    else:
        assert fitted.truncated
        assert fitted.answer is None
        assert fitted.notices != answer.notices
    for before, after in zip(answer.results, fitted.results, strict=False):
        assert (before.url, before.title, before.ref) == (after.url, after.title, after.ref)
        assert before.snippet in ("", after.snippet)
        assert after.content in (None, before.content)


@given(text=foreign)
def test_the_size_is_that_of_the_serialised_text(text):
    written = to_json([text])

    assert Size(len(written.encode("utf-16-le")) // 2, len(written.encode())) == measure([text])


@pytest.mark.parametrize(
    ("text", "units", "octets"),
    [("a", 3, 3), ('"', 4, 4), ("\x00", 8, 8), ("\n", 4, 4), ("\u2028", 3, 5), ("漢", 3, 5), ("\U0001f468", 4, 6)],
)
def test_escapes_and_pairs_count_as_they_are_written(text, units, octets):
    assert Size(units, octets) == measure(text)


def test_half_a_pair_is_measured_and_does_not_break():
    assert Size(3, 5) == measure("\ud800")


def test_the_generated_text_goes_first():
    fitted = fit_response(response(result(), answer="x" * 40_000, notices=("Ours.",)), FitOptions())

    assert ("The text generated about the results is left out for room.", "Ours.") == fitted.notices
    assert (result(),) == fitted.results


def test_long_passages_go_before_results_and_leave_an_excerpt():
    rows = [result(number, content="word " * 2_000, ref=f"abcde1:{number}") for number in range(1, 11)]

    fitted = fit_response(response(*rows), FitOptions(), reach=REACH)

    assert 10 == len(fitted.results)
    assert rows[:2] == list(fitted.results[:2])
    assert all(row.content is None and row.snippet.endswith("word…") for row in fitted.results[2:])
    assert (f"The long passage of 8 results is left out for room; 8 stored, listed by {REACH}",) == fitted.notices


def test_a_snippet_of_the_vendor_stays_as_it_is():
    fitted = fit_response(response(result(snippet="Its own.", content="x" * 40_000)), FitOptions())

    assert ["Its own."] == [row.snippet for row in fitted.results]


def test_whole_results_go_from_the_end_and_are_counted_with_the_call_that_reaches_them():
    rows = [
        result(number, snippet="x" * 1_900, ref=f"abcde1:{number}" if number < 20 else None) for number in range(21)
    ]

    fitted = fit_response(response(*rows, answer="An answer."), FitOptions(), reach=REACH)

    assert rows[: len(fitted.results)] == list(fitted.results)
    assert 15 == len(fitted.results)
    assert f"6 results left out for room; 5 stored, listed by {REACH}" == fitted.notices[1]


def test_what_is_not_stored_is_said_to_be_lost():
    rows = [result(number, snippet="x" * 1_900) for number in range(17)]

    (told,) = fit_response(response(*rows), FitOptions()).notices

    assert told.endswith("left out for room and not stored: make another, narrower search to see more.")


def test_the_bound_that_is_reached_first_decides():
    rows = [result(number, snippet="漢" * 1_900) for number in range(10)]

    by_units = fit_response(response(*rows), FitOptions(max_utf8_bytes=10**6)).results
    by_bytes = fit_response(response(*rows), FitOptions(max_utf8_bytes=LEAST_UTF8_BYTES)).results

    assert 10 == len(by_units)
    assert 2 == len(by_bytes)


def test_an_answer_that_fits_exactly_stays_and_one_sign_less_takes_something():
    answer = response(*(result(number, snippet="x" * 1_900) for number in range(9)))
    units, _ = size(answer)

    assert answer is fit_response(answer, FitOptions(max_utf16_units=units))
    assert 8 == len(fit_response(answer, FitOptions(max_utf16_units=units - 1)).results)


def test_a_result_is_given_up_only_where_its_last_sign_has_no_room():
    answer = response(*(result(number, snippet="x" * 1_900) for number in range(20)))
    units, _ = size(fit_response(answer, FitOptions()))

    assert 15 == len(fit_response(answer, FitOptions(max_utf16_units=units)).results)
    assert 14 == len(fit_response(answer, FitOptions(max_utf16_units=units - 1)).results)


def test_notices_go_last_and_are_counted():
    fitted = fit_response(response(result(), notices=("First.", "x" * 40_000)), FitOptions(), reach=REACH)

    assert () == fitted.results
    assert "First." in fitted.notices
    assert "1 more notice left out for room." == fitted.notices[-1]


def test_an_account_that_does_not_fit_fails_without_a_word_of_it():
    with pytest.raises(SearchFailed) as caught:
        fit_response(response(disclosure=Disclosure(recipient="brave", text="secret " * 9_000)), FitOptions())

    assert "fit" == caught.value.reason
    assert "secret" not in str(caught.value)


def test_the_account_of_four_providers_and_an_ordinary_result_fit_the_smallest_bounds():
    outcomes = tuple(
        FilterOutcome(key=key, status=FilterStatus.UNSUPPORTED, sent="s" * 60, reason="r" * 200, kept=1)
        for key in FilterKey
    )
    answer = response(
        result(snippet="x" * 1_000, ref="abcde1:1"),
        filter_outcomes=outcomes,
        disclosure=Disclosure(recipient="a+b+c+d", text="The query goes to that vendor. " * 24),
        notices=("n" * 300,) * 2,
    )

    assert 1 == len(fit_response(answer, SMALLEST, reach=REACH, reserve=200).results)


@pytest.mark.parametrize(
    ("name", "least"), [("max_utf16_units", LEAST_UTF16_UNITS), ("max_utf8_bytes", LEAST_UTF8_BYTES)]
)
def test_a_bound_in_which_nothing_fits_is_refused_with_the_smallest_that_works(name, least):
    for wrong in (least - 1, True, float(least), "8000"):
        with pytest.raises(SettingsError, match=f"{name} is a whole number from {least:,}"):
            FitOptions(**{name: wrong})

    assert least == getattr(FitOptions(**{name: least}), name)


@given(options=bounds, preview=st.integers(LEAST_CHARACTERS, 200_000))
def test_a_preview_of_the_widest_characters_keeps_both_bounds(options, preview):
    most = preview_within(PreviewOptions(max_characters=preview), options).max_characters

    assert LEAST_CHARACTERS <= most <= preview
    assert 2 * most <= options.max_utf16_units
    assert 4 * most <= options.max_utf8_bytes


def test_the_usual_preview_is_not_made_shorter_by_the_usual_bounds():
    assert PreviewOptions() == preview_within(PreviewOptions(), FitOptions())
