"""What a search is narrowed by, and what became of each filter that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

import attrs

from websdk.errors import InvalidRequest
from websdk.model.domains import bare_host
from websdk.model.places import country_code, language_tag


class FilterKey(StrEnum):
    """The filters that a request can carry."""

    RECENCY = "recency"
    PUBLISHED_AFTER = "published_after"
    PUBLISHED_BEFORE = "published_before"
    INCLUDE_DOMAINS = "include_domains"
    EXCLUDE_DOMAINS = "exclude_domains"
    COUNTRY = "country"
    LANGUAGE = "language"
    SAFE_SEARCH = "safe_search"
    TOPIC = "topic"


class Recency(StrEnum):
    """A window that ends today."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"

    @property
    def days(self) -> int:
        """Length of the window in days: 1, 7, 30 or 365."""
        return _DAYS[self]

    def start(self, today: date) -> date:
        """Return the first day of the window that ends on *today*."""
        return today - timedelta(days=self.days)


# One meaning of each window for every vendor; a preset only says how a vendor spells it.
_DAYS = {Recency.DAY: 1, Recency.WEEK: 7, Recency.MONTH: 30, Recency.YEAR: 365}


class SafeSearch(StrEnum):
    """How strictly adult material is left out."""

    OFF = "off"
    MODERATE = "moderate"
    STRICT = "strict"


class FilterStatus(StrEnum):
    """What became of an asked filter."""

    APPLIED = "applied"
    """The vendor restricts the result by the whole value."""
    EMULATED = "emulated"
    """An operator in the query text says the whole value."""
    APPROXIMATE = "approximate"
    """Only a hint, a boost or a widened window was sent."""
    PARTIAL = "partial"
    """Part of the value restricts the result."""
    UNSUPPORTED = "unsupported"
    """Nothing was sent for it."""

    @property
    def restricts_in_full(self) -> bool:
        """Whether the filter restricts the result by its whole value."""
        return self in (FilterStatus.APPLIED, FilterStatus.EMULATED)


_TOPIC = re.compile(r"[a-z][a-z0-9_-]{0,31}")
MAX_DOMAINS = 1_000  # twice the longest list that any known vendor takes (500), so that a mistake is caught early


def _recency(value: Any) -> Recency | None:
    if value is None or value == "":
        return None
    try:
        return Recency(value)
    except ValueError:
        raise InvalidRequest("recency is one of day, week, month, year") from None


def _safe_search(value: Any) -> SafeSearch | None:
    if value is None or value == "":
        return None
    try:
        return SafeSearch(value)
    except ValueError:
        raise InvalidRequest("safe_search is one of off, moderate, strict") from None


def _day(value: Any, name: str) -> date | None:
    if value is None or value == "":
        return None
    if isinstance(value, datetime):
        raise InvalidRequest(f"{name} is a day: give a date, not a date with a time")
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise InvalidRequest(f"{name} is a date such as 2026-03-31") from None


def _domains(value: Any, name: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidRequest(f"{name} is a list of host names, not one text")
    hosts: dict[str, None] = {}
    for position, item in enumerate(value, start=1):
        host = bare_host(item) if isinstance(item, str) else None
        if host is None:
            raise InvalidRequest(f"{name}: item {position} is not a bare host name (no scheme, port, path or wildcard)")
        hosts[host] = None
    if len(hosts) > MAX_DOMAINS:
        raise InvalidRequest(f"{name} holds more than {MAX_DOMAINS:,} host names")
    return tuple(hosts)


def _published_after(value: Any) -> date | None:
    return _day(value, "published_after")


def _published_before(value: Any) -> date | None:
    return _day(value, "published_before")


def _include_domains(value: Any) -> tuple[str, ...]:
    return _domains(value, "include_domains")


def _exclude_domains(value: Any) -> tuple[str, ...]:
    return _domains(value, "exclude_domains")


def _country(value: Any) -> str | None:
    if value is None or value == "":
        return None
    code = country_code(value) if isinstance(value, str) else None
    if code is None:
        raise InvalidRequest("country is an ISO 3166-1 alpha-2 code such as DE (the United Kingdom is GB)")
    return code


def _language(value: Any) -> str | None:
    if value is None or value == "":
        return None
    tag = language_tag(value) if isinstance(value, str) else None
    if tag is None:
        raise InvalidRequest("language is a BCP 47 tag such as de, pt-BR or zh-Hans")
    return tag


def _topic(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not _TOPIC.fullmatch(value):
        raise InvalidRequest("topic is one lower-case word such as news")
    return value


@attrs.frozen(kw_only=True)
class Filters:
    """What a search is narrowed by. An unset or empty filter was not asked for.

    Attributes:
        recency: Window that ends today, counted back 1, 7, 30 or 365 days.
        published_after: First day of publication that is wanted (inclusive).
        published_before: Last day of publication that is wanted (inclusive).
        include_domains: Only these hosts and their subdomains; bare host names, at most 1,000, IDNA allowed.
        exclude_domains: None of these hosts and their subdomains.
        country: ISO 3166-1 alpha-2 code, upper case.
        language: BCP 47 tag in its recommended letter case.
        safe_search: ``off``, ``moderate`` or ``strict``.
        topic: A vendor's own vertical in one word, such as ``news``.

    Raises:
        InvalidRequest: A value is not of its kind, or ``published_after`` lies behind ``published_before``.
    """

    recency: Recency | None = attrs.field(default=None, converter=_recency)
    published_after: date | None = attrs.field(default=None, converter=_published_after)
    published_before: date | None = attrs.field(default=None, converter=_published_before)
    include_domains: tuple[str, ...] = attrs.field(default=(), converter=_include_domains)
    exclude_domains: tuple[str, ...] = attrs.field(default=(), converter=_exclude_domains)
    country: str | None = attrs.field(default=None, converter=_country)
    language: str | None = attrs.field(default=None, converter=_language)
    safe_search: SafeSearch | None = attrs.field(default=None, converter=_safe_search)
    topic: str | None = attrs.field(default=None, converter=_topic)

    def __attrs_post_init__(self) -> None:
        if self.published_after and self.published_before and self.published_after > self.published_before:
            raise InvalidRequest("published_after lies behind published_before")

    def __getitem__(self, key: FilterKey | str) -> Any:
        return getattr(self, FilterKey(key).value)

    def asked(self) -> tuple[FilterKey, ...]:
        """Return the keys that were asked for, in the order of :class:`FilterKey`."""
        return tuple(key for key in FilterKey if self[key] not in (None, ()))

    def __iter__(self) -> Iterator[FilterKey]:
        return iter(self.asked())

    def without(self, *keys: FilterKey) -> Filters:
        """Return a copy in which *keys* are not asked for."""
        return attrs.evolve(self, **{key.value: None for key in keys})


@attrs.frozen(kw_only=True)
class FilterOutcome:
    """What became of one asked filter.

    Attributes:
        key: The filter.
        status: How far it restricts the result.
        sent: What went out for it, as ``place=value``; ``None`` where nothing did.
        reason: Why it is not simply applied, in one sentence; ``None`` where it is.
        kept: Results that fulfil it; ``None`` where results cannot be checked against this filter.
        violated: Results that break it.
        unverified: Results that cannot be judged, such as those without a date.
    """

    key: FilterKey
    status: FilterStatus
    sent: str | None = None
    reason: str | None = None
    kept: int | None = None
    violated: int | None = None
    unverified: int | None = None


@attrs.frozen(kw_only=True)
class Adjustment:
    """A value other than a filter that was sent differently from what was asked.

    Attributes:
        what: The name of the value, such as ``max_results``.
        asked: What the caller asked for.
        sent: What went out instead; ``None`` where it was left out.
        reason: Why, in one sentence.
    """

    what: str
    asked: int | str
    sent: int | str | None
    reason: str


def unsupported_keys(outcomes: Iterable[FilterOutcome]) -> tuple[FilterKey, ...]:
    """Name every filter of *outcomes* that does not restrict the result in full, in the order of :class:`FilterKey`."""
    named = {outcome.key for outcome in outcomes if not outcome.status.restricts_in_full}
    return tuple(key for key in FilterKey if key in named)


def accounted(outcomes: Iterable[FilterOutcome], filters: Filters) -> tuple[FilterOutcome, ...]:
    """Return exactly one outcome for each asked filter, whatever a provider handed in.

    Of several for one filter the one that restricts least counts. A filter that nobody speaks of is unsupported,
    because silence is no claim. What was not asked for has no outcome.
    """
    found: dict[FilterKey, FilterOutcome] = {}
    for outcome in outcomes:
        earlier = found.get(outcome.key)
        if earlier is None or _REACH.index(outcome.status) > _REACH.index(earlier.status):
            found[outcome.key] = outcome
    return tuple(found.get(key) or _unspoken(key) for key in filters.asked())


_REACH = tuple(FilterStatus)  # from the whole value to nothing at all


def _unspoken(key: FilterKey) -> FilterOutcome:
    return FilterOutcome(
        key=key, status=FilterStatus.UNSUPPORTED, reason="the provider does not say what became of this filter"
    )


def outcomes_from_keys(filters: Filters, unsupported: Iterable[FilterKey]) -> tuple[FilterOutcome, ...]:
    """Return one outcome for each asked filter of a provider that only names the keys it cannot apply."""
    named = frozenset(unsupported)
    return tuple(
        FilterOutcome(
            key=key,
            status=FilterStatus.UNSUPPORTED if key in named else FilterStatus.APPLIED,
            reason="the provider does not apply this filter in full" if key in named else None,
        )
        for key in filters.asked()
    )
