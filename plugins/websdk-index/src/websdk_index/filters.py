"""What the index makes of each filter. Pure."""

from __future__ import annotations

import json
from datetime import date

from websdk.model import FilterKey, FilterOutcome, Filters, FilterStatus

APPLIED = frozenset(
    {
        FilterKey.RECENCY,
        FilterKey.PUBLISHED_AFTER,
        FilterKey.PUBLISHED_BEFORE,
        FilterKey.INCLUDE_DOMAINS,
        FilterKey.EXCLUDE_DOMAINS,
        FilterKey.LANGUAGE,
    }
)
BY_DATE = frozenset({FilterKey.RECENCY, FilterKey.PUBLISHED_AFTER, FilterKey.PUBLISHED_BEFORE})
_REASONS = {
    FilterKey.COUNTRY: "pages do not say which country they are for",
    FilterKey.SAFE_SEARCH: "pages of one's own are not rated",
    FilterKey.TOPIC: "the index has no topics",
}
_WITHIN = (
    "(SELECT hosts.id FROM json_each({list}) AS asked CROSS JOIN hosts"
    # "/" is the character after ".", so the range holds the domain and all below it.
    " ON hosts.reversed >= asked.value || '.' AND hosts.reversed < asked.value || '/')"
)


def outcomes_of(filters: Filters) -> tuple[FilterOutcome, ...]:
    """Return one outcome for each asked filter."""
    return tuple(
        FilterOutcome(key=key, status=FilterStatus.APPLIED)
        if key in APPLIED
        else FilterOutcome(key=key, status=FilterStatus.UNSUPPORTED, reason=_REASONS[key])
        for key in filters.asked()
    )


def reversed_host(host: str) -> str:
    """Return ``com.example.docs.`` for ``docs.example.com``."""
    return ".".join(reversed(host.split("."))) + "."


def conditions(filters: Filters, *, today: date) -> tuple[str, dict[str, str | int]]:
    """Return the SQL conditions on table ``pages`` that *filters* ask for, and their values.

    Args:
        filters: What was asked for; filters that the index cannot apply are passed over.
        today: The day that recency counts back from.

    Returns:
        Text that begins with ``AND`` or is empty, and its named values.
    """
    terms: list[str] = []
    values: dict[str, str | int] = {}
    first_days = [filters.published_after, filters.recency and filters.recency.start(today)]
    if asked := [day.toordinal() for day in first_days if day]:
        terms.append("pages.day >= :first_day")
        values["first_day"] = max(asked)
    if filters.published_before:
        terms.append("pages.day <= :last_day")
        values["last_day"] = filters.published_before.toordinal()
    for name, operator, domains in (
        ("include", "IN", filters.include_domains),
        ("exclude", "NOT IN", filters.exclude_domains),
    ):
        if domains:
            terms.append(f"pages.host {operator} {_WITHIN.format(list=':' + name)}")
            values[name] = json.dumps([reversed_host(domain).removesuffix(".") for domain in domains])
    if filters.language:
        # Basic filtering of RFC 4647: "pt" takes pt and pt-BR, "pt-BR" does not take pt.
        terms.append(
            "(pages.language = :language OR pages.language >= :language || '-' AND pages.language < :language || '.')"
        )
        values["language"] = filters.language.lower()
    return "".join(f" AND {term}" for term in terms), values
