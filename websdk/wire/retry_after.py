"""How long a reply asks to wait. Pure: the moment is an argument."""

from __future__ import annotations

import re
from datetime import UTC, datetime

# A page's origin is a stranger: its word may hold one reader back for as long as a person would wait, and no longer.
ORIGIN_WAIT_CEILING_S = 15.0

# A configured endpoint is trusted further, because its quotas are counted by the minute.
ENDPOINT_WAIT_CEILING_S = 60.0

_SECONDS = re.compile(r"[0-9]+")
_CLOCK = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
# The three spellings of RFC 9110 section 5.6.7, the current one first. Week days carry nothing that the date lacks.
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"[A-Z][a-z]{{2}}, (?P<day>[0-9]{{2}}) (?P<month>[A-Z][a-z]{{2}}) (?P<year>[0-9]{{4}}) {_CLOCK} GMT",
        rf"[A-Z][a-z]{{5,8}}, (?P<day>[0-9]{{2}})-(?P<month>[A-Z][a-z]{{2}})-(?P<year>[0-9]{{2}}) {_CLOCK} GMT",
        rf"[A-Z][a-z]{{2}} (?P<month>[A-Z][a-z]{{2}}) (?P<day>[ 0-9][0-9]) {_CLOCK} (?P<year>[0-9]{{4}})",
    )
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def retry_after(value: str | None, *, now: datetime, ceiling_s: float) -> float | None:
    """Return the wait that a ``Retry-After`` field asks for.

    Args:
        value: The field's value; ``None`` without one.
        now: The aware moment at which the reply arrived.
        ceiling_s: Seconds that are never exceeded: :data:`ORIGIN_WAIT_CEILING_S` or :data:`ENDPOINT_WAIT_CEILING_S`.

    Returns:
        Seconds from 0 to *ceiling_s*; ``None`` where the value is a word, negative, or a moment already past.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return min(float(text), ceiling_s)
    moment = http_date(text, now=now)
    if moment is None or moment < now:
        return None
    return min((moment - now).total_seconds(), ceiling_s)


def http_date(text: str, *, now: datetime) -> datetime | None:
    """Return the moment that an HTTP date names, in any of its three spellings; ``None`` for anything else.

    Args:
        text: The date, such as ``Wed, 04 Mar 2026 12:00:20 GMT``.
        now: The moment from which two-digit years are read: never more than 50 years ahead.
    """
    match = next(filter(None, (pattern.fullmatch(text) for pattern in _DATES)), None)
    if match is None or match["month"] not in _MONTHS:
        return None
    year = int(match["year"])
    if len(match["year"]) == 2:
        year += now.year // 100 * 100
        year -= 100 if year > now.year + 50 else 0
    try:
        return datetime(
            year,
            _MONTHS.index(match["month"]) + 1,
            int(match["day"]),
            int(match["hour"]),
            int(match["minute"]),
            min(int(match["second"]), 59),  # a leap second is the end of its minute
            tzinfo=UTC,
        )
    except ValueError:
        return None
