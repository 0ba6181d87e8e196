"""Days as vendors write them and as they want them written. Pure."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, time, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from websdk.declarative.words import DateFormat

_LAST_SECOND = time(23, 59, 59)
_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})"
    r"(?:[T ](\d{2})[:-](\d{2})(?:[:-](\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_SLASHED = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?!\d)")  # with the year first nobody means another order
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})(Z)?)?")
_NAMED = re.compile(
    r"(?:(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2})|(?P<day2>\d{1,2}) (?P<month2>[A-Za-z]{3,9})\.?),? (?P<year>\d{4})"
)
_AGO = re.compile(r"(\d{1,3}) (second|minute|min|hour|day)s? ago", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LONG_MONTHS = "january february march april may june july august september october november december".split()
# Seconds of a number that can be a publication: from 1990 to 2100; milliseconds are a thousand times that.
_EARLIEST, _LATEST = 631_152_000, 4_102_444_800


def write_day(day: date, form: DateFormat, *, last: bool = False) -> str | int:
    """Spell *day* for a request.

    Args:
        day: The day.
        form: The spelling.
        last: Whether the day is the end of a range, so that a moment means its last second.
    """
    moment = datetime.combine(day, _LAST_SECOND if last else time(), UTC)
    if form is DateFormat.UNIX:
        return int(moment.timestamp())
    if form is DateFormat.ISO_DATE:
        return day.isoformat()
    if form is DateFormat.SLASHED:
        return day.isoformat().replace("-", "/")
    if form is DateFormat.US_DATE:
        return f"{day.month:02d}/{day.day:02d}/{day.year:04d}"
    if form is DateFormat.US_SHORT:
        return f"{day.month}/{day.day}/{day.year:04d}"
    compact = f"{day.year:04d}{day.month:02d}{day.day:02d}"
    if form is DateFormat.COMPACT:
        return compact
    if form is DateFormat.COMPACT_TIME:
        return compact + f"{moment:%H%M%S}"
    return f"{day.isoformat()}T{moment:%H:%M:%S}Z"


def read_day(value: Any, *, today: date | None) -> date | datetime | None:
    """Return the day or aware moment that *value* says, as far as it says one without a guess.

    A moment without a zone is a day only, because its hour is not known. Weeks, months and years "ago" are no day.

    Args:
        value: A text, a number of seconds or milliseconds since 1970, or a list of year, month and day.
        today: The day from which relative words count; without it they are no day.
    """
    try:
        if isinstance(value, bool):
            return None
        if isinstance(value, (int, float)):
            return _since_1970(value)
        if isinstance(value, list):
            return date(*value) if len(value) == 3 and all(type(part) is int for part in value) else None
        return _from_text(value.strip(), today) if isinstance(value, str) and len(value) <= 64 else None
    except (ValueError, OverflowError, TypeError, IndexError):  # the last two come from the mail-date parser
        return None


def _since_1970(value: int | float) -> datetime | None:
    if not math.isfinite(value):
        return None
    seconds = value / 1000 if value > _LATEST else value
    return datetime.fromtimestamp(seconds, UTC) if _EARLIEST <= seconds <= _LATEST else None


def _from_text(text: str, today: date | None) -> date | datetime | None:
    slashed = _SLASHED.match(text)
    if slashed is not None:
        text = f"{slashed[1]}-{slashed[2]:0>2}-{slashed[3]:0>2}{text[slashed.end() :]}"
    for pattern in (_ISO, _COMPACT):
        match = pattern.fullmatch(text)
        if match is not None:
            return _from_parts(*match.groups())
    match = _NAMED.fullmatch(text)
    if match is not None:
        month = _month(match["month"] or match["month2"])
        return None if month is None else date(int(match["year"]), month, int(match["day"] or match["day2"]))
    if text.isdigit() and len(text) in (10, 13):
        return _since_1970(int(text))
    if today is not None:
        match = _AGO.fullmatch(text)
        if match is not None:
            return today - timedelta(days=int(match[1]) if match[2].lower() == "day" else 0)
        if text.lower() in ("today", "yesterday"):
            return today - timedelta(days=text.lower() == "yesterday")
    if "," in text and ":" in text:
        moment = parsedate_to_datetime(text)
        return moment if moment.tzinfo is not None else moment.date()
    return None


def _from_parts(
    year: str,
    month: str,
    day: str,
    hour: str | None = None,
    minute: str | None = None,
    second: str | None = None,
    zone: str | None = None,
) -> date | datetime:
    if hour is None or zone is None:
        return date(int(year), int(month), int(day))
    zone = "+00:00" if zone in ("Z", "UTC", "GMT") else zone
    return datetime.fromisoformat(f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}{zone}")


def _month(name: str) -> int | None:
    name = name.lower()
    for names in (_MONTHS, _LONG_MONTHS):
        if name in names:
            return names.index(name) + 1
    return 9 if name == "sept" else None
