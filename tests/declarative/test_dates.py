"""Days as vendors write and want them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.declarative.dates import read_day, write_day
from websdk.declarative.words import DateFormat

TODAY = date(2026, 3, 4)


@pytest.mark.parametrize(
    ("form", "first", "last"),
    [
        (DateFormat.ISO_DATE, "2026-03-04", "2026-03-04"),
        (DateFormat.SLASHED, "2026/03/04", "2026/03/04"),
        (DateFormat.US_DATE, "03/04/2026", "03/04/2026"),
        (DateFormat.US_SHORT, "3/4/2026", "3/4/2026"),
        (DateFormat.COMPACT, "20260304", "20260304"),
        (DateFormat.COMPACT_TIME, "20260304000000", "20260304235959"),
        (DateFormat.MOMENT, "2026-03-04T00:00:00Z", "2026-03-04T23:59:59Z"),
        (DateFormat.UNIX, 1772582400, 1772668799),
    ],
)
def test_days_are_spelt_for_requests(form: DateFormat, first: Any, last: Any) -> None:
    assert first == write_day(TODAY, form)
    assert last == write_day(TODAY, form, last=True)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("2026-03-01", date(2026, 3, 1)),
        ("2026-03-01T10:20:30Z", datetime(2026, 3, 1, 10, 20, 30, tzinfo=UTC)),
        ("2026-03-01T10:20:30.123+02:00", datetime(2026, 3, 1, 10, 20, 30, tzinfo=timezone(timedelta(hours=2)))),
        ("2026-03-01T10:20", date(2026, 3, 1)),
        ("2026-03-01 10:20:30+0100", datetime(2026, 3, 1, 10, 20, 30, tzinfo=timezone(timedelta(hours=1)))),
        ("2026-03-01 10-20-30 +00:00", datetime(2026, 3, 1, 10, 20, 30, tzinfo=UTC)),
        ("20260301T102030Z", datetime(2026, 3, 1, 10, 20, 30, tzinfo=UTC)),
        ("20260301", date(2026, 3, 1)),
        ("2026/03/01", date(2026, 3, 1)),
        ("2026/3/1", date(2026, 3, 1)),
        ("2026/03/01 10:20:30", date(2026, 3, 1)),
        ("2026/03/01 10:20:30 +00:00", datetime(2026, 3, 1, 10, 20, 30, tzinfo=UTC)),
        ("2026/13/01", None),
        ("2026/03/011", None),
        ("2026/03", None),
        ("Mar 1, 2026", date(2026, 3, 1)),
        ("March 1, 2026", date(2026, 3, 1)),
        ("1 Sept. 2026", date(2026, 9, 1)),
        ("Sun, 01 Mar 2026 10:20:30 GMT", datetime(2026, 3, 1, 10, 20, 30, tzinfo=UTC)),
        (1772358030, datetime(2026, 3, 1, 9, 40, 30, tzinfo=UTC)),
        ("1772358030", datetime(2026, 3, 1, 9, 40, 30, tzinfo=UTC)),
        (1772358030000, datetime(2026, 3, 1, 9, 40, 30, tzinfo=UTC)),
        ([2026, 3, 1], date(2026, 3, 1)),
        ("3 days ago", date(2026, 3, 1)),
        ("5 hours ago", TODAY),
        ("yesterday", date(2026, 3, 3)),
        ("2 weeks ago", None),
        ("1 month ago", None),
        ("2026", None),
        (2026, None),
        ([2026, 3], None),
        ("03/04/2026", None),
        ("2026-02-30", None),
        ("2026-03-01T99:00:00Z", None),
        ("Smarch 1, 2026", None),
        ("", None),
        (None, None),
        (True, None),
        (float("nan"), None),
        (1e300, None),
        ({}, None),
        ([2026, 3, True], None),
        ("x" * 100, None),
    ],
)
def test_days_are_read_without_a_guess(said: Any, day: Any) -> None:
    assert day == read_day(said, today=TODAY)


@pytest.mark.parametrize("said", ["3 days ago", "5 hours ago", "today", "yesterday"])
def test_relative_words_are_no_day_without_a_day_to_count_from(said: str) -> None:
    assert read_day(said, today=None) is None


@given(st.dates())
def test_written_days_are_read_back(day: date) -> None:
    for form in (DateFormat.ISO_DATE, DateFormat.COMPACT):
        assert day == read_day(write_day(day, form), today=TODAY)


@given(st.text(max_size=70) | st.integers() | st.floats() | st.lists(st.integers(), max_size=4))
def test_anything_can_be_asked(said: Any) -> None:
    day = read_day(said, today=TODAY)

    assert day is None or isinstance(day, date)
    assert not isinstance(day, datetime) or day.tzinfo is not None
