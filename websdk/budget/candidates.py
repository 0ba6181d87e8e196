"""From a vendor's rows to admitted results: bounded, normalised, told apart, and checked against the filters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Literal

import attrs

from websdk.model.bounds import whole
from websdk.model.domains import is_within
from websdk.model.filters import FilterKey, FilterOutcome, Filters
from websdk.model.graphemes import cut
from websdk.model.search import SearchResult
from websdk.model.urls import WebUrl, parse

EnforceFilters = Literal["flag", "drop"]
MAX_SCORE_MAGNITUDE = 1e300  # beyond it a float no longer compares or prints usefully

# C0 and C1 controls, bidirectional overrides and embeddings, tag characters: nothing a title or snippet needs.
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\U000e0000-\U000e007f\ud800-\udfff]")
_BLANKS = re.compile(r"\s+")


@attrs.frozen(kw_only=True)
class CandidateLimits:
    """How long the fields of an admitted result may be.

    Attributes:
        title: Characters of a title.
        snippet: Characters of a snippet.
        url: Characters of an address; a longer one drops its row, because a cut address is another address.
    """

    title: int = attrs.field(default=300, validator=whole(1))
    snippet: int = attrs.field(default=2_000, validator=whole(1))
    url: int = attrs.field(default=2_048, validator=whole(1))


@attrs.frozen(kw_only=True)
class Admitted:
    """What came through.

    Attributes:
        results: Admitted results in the vendor's order.
        outcomes: The outcomes that were handed in, with counts.
        notices: What was left out or marked, in plain sentences.
    """

    results: tuple[SearchResult, ...]
    outcomes: tuple[FilterOutcome, ...]
    notices: tuple[str, ...]


def admit(
    rows: Iterable[SearchResult],
    outcomes: Iterable[FilterOutcome],
    filters: Filters,
    *,
    provider: str,
    max_results: int,
    today: date,
    enforce: EnforceFilters = "flag",
    limits: CandidateLimits = CandidateLimits(),
) -> Admitted:
    """Turn a vendor's rows into admitted results, and count them against every filter that can be checked.

    Args:
        rows: Rows in the vendor's order.
        outcomes: One outcome for each asked filter.
        filters: What was asked for.
        provider: Id of the provider, which becomes a source of every result.
        max_results: How many results are wanted.
        today: The day that recency counts back from.
        enforce: ``flag`` marks a result that breaks a filter, ``drop`` leaves it out; both count it.
        limits: How long fields may be.

    Returns:
        Results, counted outcomes and notices.
    """
    usable, unusable = _normalised(rows, provider, limits)
    results = tuple(attrs.evolve(row, violates=_violates(row, url, filters, today)) for row, url in usable)
    counted = tuple(_counted(outcome, results) for outcome in outcomes)
    notices = [_plural(unusable, "result", "without a usable web address was left out")] if unusable else []
    breaking = sum(1 for row in results if row.violates)
    if breaking and enforce == "drop":
        results = tuple(row for row in results if not row.violates)
        notices.append(_plural(breaking, "result", "that breaks an asked filter was left out"))
    elif breaking:
        notices.append(_plural(breaking, "result", "breaks an asked filter and is marked"))
    if len(results) > max_results:
        notices.append(_plural(len(results) - max_results, "result", "beyond the asked number was left out"))
    return Admitted(results=results[:max_results], outcomes=counted, notices=tuple(notices))


def _plural(count: int, noun: str, rest: str) -> str:
    if count == 1:
        return f"1 {noun} {rest}"
    for one, many in (("was ", "were "), ("breaks ", "break "), (" is ", " are ")):
        rest = rest.replace(one, many)
    return f"{count} {noun}s {rest}"


def _normalised(
    rows: Iterable[SearchResult], provider: str, limits: CandidateLimits
) -> tuple[list[tuple[SearchResult, WebUrl]], int]:
    """Return rows with usable addresses, the first of each address only, and how many had none."""
    kept: dict[str, tuple[SearchResult, WebUrl]] = {}
    unusable = 0
    for row in rows:
        url = _address(row, limits)
        if url is None or url.has_credentials or len(url.href) > limits.url:
            unusable += 1
        elif url.href not in kept:
            kept[url.href] = (_bounded(row, url, provider, limits), url)
    return list(kept.values()), unusable


def _bounded(row: SearchResult, url: WebUrl, provider: str, limits: CandidateLimits) -> SearchResult:
    return attrs.evolve(
        row,
        url=url.href,
        title=_cut(_BLANKS.sub(" ", readable(row.title)).strip(), limits.title),
        snippet=_cut(readable(row.snippet).strip(), limits.snippet),
        content=readable(row.content) or None,
        published=row.published if isinstance(row.published, date) else None,
        published_text=readable(row.published_text) or None,
        score=_figure(row.score),
        sources=row.sources or (provider,),
    )


def _address(row: object, limits: CandidateLimits) -> WebUrl | None:
    """Return the address of a row; the row is a plugin's, and one that is of another kind must not lose the others."""
    if not isinstance(row, SearchResult) or not isinstance(row.url, str) or len(row.url) > limits.url:
        return None
    return parse(row.url)


def readable(text: object) -> str:
    """Return *text* without signs that nobody sees; what is no text is as good as none."""
    return _INVISIBLE.sub("", text) if isinstance(text, str) else ""


def _figure(score: object) -> float | None:
    if isinstance(score, bool) or not isinstance(score, (int, float)):
        return None
    return score if -MAX_SCORE_MAGNITUDE < score < MAX_SCORE_MAGNITUDE else None


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: cut(text, 0, limit - 1)].rstrip() + "…"


def _day(published: date | datetime) -> date:
    return published.date() if isinstance(published, datetime) else published


def _violates(row: SearchResult, url: WebUrl, filters: Filters, today: date) -> tuple[FilterKey, ...]:
    broken = []
    day = None if row.published is None else _day(row.published)
    if day is not None:
        if filters.recency is not None and day < filters.recency.start(today):
            broken.append(FilterKey.RECENCY)
        if filters.published_after is not None and day < filters.published_after:
            broken.append(FilterKey.PUBLISHED_AFTER)
        if filters.published_before is not None and day > filters.published_before:
            broken.append(FilterKey.PUBLISHED_BEFORE)
    if filters.include_domains and not any(is_within(url.host, domain) for domain in filters.include_domains):
        broken.append(FilterKey.INCLUDE_DOMAINS)
    if any(is_within(url.host, domain) for domain in filters.exclude_domains):
        broken.append(FilterKey.EXCLUDE_DOMAINS)
    return tuple(broken)


_BY_DATE = frozenset({FilterKey.RECENCY, FilterKey.PUBLISHED_AFTER, FilterKey.PUBLISHED_BEFORE})
_BY_HOST = frozenset({FilterKey.INCLUDE_DOMAINS, FilterKey.EXCLUDE_DOMAINS})


def _counted(outcome: FilterOutcome, results: tuple[SearchResult, ...]) -> FilterOutcome:
    """Return *outcome* with its counts, where results can be checked against its filter at all."""
    if outcome.key not in _BY_DATE | _BY_HOST:
        return outcome
    violated = sum(1 for row in results if outcome.key in row.violates)
    unverified = sum(1 for row in results if row.published is None) if outcome.key in _BY_DATE else 0
    return attrs.evolve(outcome, kept=len(results) - violated - unverified, violated=violated, unverified=unverified)
