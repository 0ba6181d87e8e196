"""A search page of Google as an address: what each filter becomes, and what Google cannot say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from urllib.parse import urlencode

import attrs

from websdk import FilterKey, FilterOutcome, Filters, FilterStatus, SearchRequest

MAX_RESULTS = 10  # Google's pages have ten results and no more
FIRST_DAY = date(1990, 1, 1)  # before the web; an open beginning has to be some day
_RECENCY = {"day": "qdr:d", "week": "qdr:w", "month": "qdr:m", "year": "qdr:y"}
_SAFE = {"off": "off", "strict": "active"}
# Signs by which a query is more than words. Google reads no brackets, so nothing can be put safely beside it then.
_OPERATORS = re.compile(r"""["“”()|]|(?:^|\s)(?:OR|AND|AROUND)(?=\s|$|\()|(?:^|\s)[-+]\S|(?:^|\s)[A-Za-z]+:\S""")


@attrs.frozen(kw_only=True)
class Part:
    """What one filter becomes.

    Attributes:
        status: How far it restricts the result.
        parameters: Parameters of the address.
        operator: What follows the query.
        reason: Why it does not restrict in full.
    """

    status: FilterStatus = FilterStatus.UNSUPPORTED
    parameters: tuple[tuple[str, str], ...] = ()
    operator: str = ""
    reason: str | None = None

    def outcome(self, key: FilterKey) -> FilterOutcome:
        """Return the account of filter *key*."""
        sent = [f"{name}={value}" for name, value in self.parameters]
        sent += [f"q={self.operator}"] if self.operator else []
        return FilterOutcome(key=key, status=self.status, sent=" ".join(sent) or None, reason=self.reason)


def parts(request: SearchRequest, *, today: date) -> dict[FilterKey, Part]:
    """Return what each asked filter of *request* becomes."""
    filters = request.filters
    return {key: _part(key, filters, request.query, today) for key in filters.asked()}


def address(request: SearchRequest, found: Mapping[FilterKey, Part], **more: str) -> str:
    """Return the address of the search page, with *more* parameters behind Google's own."""
    count = min(request.max_results, MAX_RESULTS)
    operators = [part.operator for part in found.values() if part.operator]
    parameters = {
        "q": " ".join([request.query, *operators]),
        "num": str(count),
        "start": str((request.page - 1) * count),
    }
    for part in found.values():
        parameters.update(part.parameters)
    return f"https://www.google.com/search?{urlencode(parameters | more)}"


def _part(key: FilterKey, filters: Filters, query: str, today: date) -> Part:
    match key:
        case FilterKey.RECENCY | FilterKey.PUBLISHED_AFTER | FilterKey.PUBLISHED_BEFORE:
            return Part(status=FilterStatus.APPLIED, parameters=(("tbs", _dates(filters, today)),))
        case FilterKey.INCLUDE_DOMAINS | FilterKey.EXCLUDE_DOMAINS:
            return _domains(key, filters, query)
        case FilterKey.COUNTRY:
            return _hint("gl", str(filters.country).lower(), "Google takes the country as a place to search from")
        case FilterKey.LANGUAGE:
            bare = str(filters.language).partition("-")[0]
            return _hint("hl", bare, "Google takes the language as that of its own page")
        case FilterKey.SAFE_SEARCH:
            word = _SAFE.get(str(filters.safe_search))
            if word is None:
                return Part(reason="Google filters strictly or not at all")
            return Part(status=FilterStatus.APPLIED, parameters=(("safe", word),))
        case _:
            return Part(reason="other topics are other pages, which are not asked here")


def _dates(filters: Filters, today: date) -> str:
    """Return the one key of all dates. A window beside days is counted in days, so that both hold."""
    if filters.recency and not (filters.published_after or filters.published_before):
        return _RECENCY[filters.recency]
    starts = [day for day in (filters.published_after, filters.recency and filters.recency.start(today)) if day]
    start = max(starts, default=FIRST_DAY)
    end = filters.published_before or max(today, start)
    return f"cdr:1,cd_min:{_day(start)},cd_max:{_day(end)}"


def _day(day: date) -> str:
    return f"{day.month}/{day.day}/{day.year}"


def _domains(key: FilterKey, filters: Filters, query: str) -> Part:
    if _OPERATORS.search(query):
        return Part(reason="the query holds operators or quotes, and Google has no brackets to keep them apart")
    if key is FilterKey.INCLUDE_DOMAINS:
        operator = " OR ".join(f"site:{host}" for host in filters.include_domains)
    else:
        operator = " ".join(f"-site:{host}" for host in filters.exclude_domains)
    return Part(status=FilterStatus.EMULATED, operator=operator)


def _hint(name: str, value: str, reason: str) -> Part:
    return Part(status=FilterStatus.APPROXIMATE, parameters=((name, value),), reason=reason)
