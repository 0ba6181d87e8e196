from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.wire.retry_after import ENDPOINT_WAIT_CEILING_S, ORIGIN_WAIT_CEILING_S, http_date, retry_after

NOW = datetime(2026, 3, 4, 12, 0, 0, tzinfo=UTC)


def wait(value, ceiling_s=3_600.0):
    return retry_after(value, now=NOW, ceiling_s=ceiling_s)


@pytest.mark.parametrize(
    "value",
    [
        "20",
        " 20 ",
        "020",
        "Wed, 04 Mar 2026 12:00:20 GMT",
        "Wednesday, 04-Mar-26 12:00:20 GMT",
        "Wed Mar  4 12:00:20 2026",
    ],
)
def test_seconds_and_every_spelling_of_a_date_mean_the_same_wait(value):
    assert 20.0 == wait(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "later",
        "-5",
        "+5",
        "1.5",
        "1e3",
        "٢٠",
        "20 seconds",
        "inf",
        "nan",
        "Wed, 04 Mar 2026 11:59:59 GMT",
        "Wed, 04 Mar 2026 12:00:20 CET",
        "Wed, 04 Foo 2026 12:00:20 GMT",
        "Wed, 31 Feb 2026 12:00:20 GMT",
        "Wed, 04 Mar 2026 25:00:20 GMT",
        "Wed, 00 Mar 2026 12:00:20 GMT",
        "2026-03-04T12:00:20Z",
        "Wednesday, 04-Mar-25 12:00:20 GMT",
    ],
)
def test_words_negatives_and_the_past_are_no_wait(value):
    assert wait(value) is None


def test_a_wait_of_zero_is_a_wait():
    assert 0.0 == wait("0")
    assert 0.0 == wait("Wed, 04 Mar 2026 12:00:00 GMT")


def test_ceilings_are_those_of_strangers_and_of_configured_endpoints():
    assert 15.0 == ORIGIN_WAIT_CEILING_S
    assert 60.0 == ENDPOINT_WAIT_CEILING_S


@pytest.mark.parametrize("value", ["7200", "999999999999", "9999999999999", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_long_wait_is_cut_to_the_ceiling(value):
    assert ORIGIN_WAIT_CEILING_S == wait(value, ORIGIN_WAIT_CEILING_S)


def test_a_year_of_two_digits_is_at_most_fifty_years_ahead():
    assert 2076 == http_date("Wednesday, 04-Mar-76 12:00:20 GMT", now=NOW).year
    assert 1977 == http_date("Friday, 04-Mar-77 12:00:20 GMT", now=NOW).year


def test_a_leap_second_is_the_end_of_its_minute():
    assert 59.0 == wait("Wed, 04 Mar 2026 12:00:60 GMT")


@given(st.integers(min_value=0, max_value=10**9), st.floats(min_value=0, max_value=100))
def test_a_date_and_its_seconds_agree_under_any_ceiling(seconds, ceiling_s):
    date = format_datetime(NOW + timedelta(seconds=seconds % 10**8), usegmt=True)

    assert min(float(seconds), ceiling_s) == wait(str(seconds), ceiling_s)
    assert min(float(seconds % 10**8), ceiling_s) == wait(date, ceiling_s)


@given(st.text(max_size=60))
def test_no_text_raises_or_passes_the_ceiling(value):
    seconds = wait(value, 15.0)

    assert seconds is None or 0.0 <= seconds <= 15.0
