"""A search request as the vendor expects it. Pure: no I/O, no clock."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import attrs

from websdk.declarative.asking import CountRule
from websdk.declarative.draft import Draft
from websdk.declarative.effects import Decisions
from websdk.declarative.filters import decide
from websdk.declarative.schema import FetchProviderPreset, Preset, SearchProviderPreset
from websdk.declarative.settings import filled
from websdk.declarative.vendor import HttpVendor
from websdk.declarative.words import Escape
from websdk.errors import ConfigurationError, InvalidRequest
from websdk.model.filters import Adjustment
from websdk.model.search import SearchRequest
from websdk.wire.message import HttpRequest

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?|<[a-z_]+>")


@attrs.frozen(kw_only=True)
class Rendered:
    """One search, decided: everything but the base address.

    Attributes:
        decisions: What becomes of each filter.
        adjustments: Values that go out differently from what was asked.
        count: The number of results that is asked for; ``None`` where the vendor takes none.
        page: The number that asks for a later page; ``None`` for the first.
    """

    decisions: Decisions
    adjustments: tuple[Adjustment, ...]
    count: int | None
    page: int | None


def prepare(preset: Preset, request: SearchRequest, settings: Mapping[str, str], today: date) -> Rendered:
    """Decide what goes out for *request*.

    Raises:
        InvalidRequest: The query is too long for the vendor, or the page cannot exist.
    """
    search = preset.search
    assert search is not None
    if search.query.max is not None and len(request.query) > search.query.max:
        raise InvalidRequest(
            f"{preset.vendor.id} takes at most {search.query.max} characters in a query, not {len(request.query)}"
        )
    count, adjustment = _count(search.count, request.max_results)
    page = _page(preset.vendor.id, search, request.page, count)
    decisions = decide(preset, search, request.filters, request.query, settings, today)
    adjustments = decisions.adjustments()
    if adjustment is not None:
        adjustments = (adjustment, *adjustments)
    return Rendered(decisions=decisions, adjustments=adjustments, count=count, page=page)


def write_request(
    preset: Preset, request: SearchRequest, rendered: Rendered, settings: Mapping[str, str], base: str
) -> HttpRequest:
    """Return the request, unsigned.

    Args:
        preset: The preset.
        request: What is asked.
        rendered: What :func:`prepare` decided for it.
        settings: What the operator gave.
        base: The base address, holes unfilled.
    """
    search = preset.search
    assert search is not None
    draft = Draft(search.method)
    effects = rendered.decisions.effects()
    write_constants(draft, preset.vendor, search, settings)
    operators = [operator for effect in effects for operator in effect.operators]
    for place in search.query.at:
        draft.write(place, _query_text(search, request.query, operators))
    if search.count.at is not None and rendered.count is not None:
        draft.write(search.count.at, rendered.count)
    if search.page is not None and rendered.page is not None:
        draft.write(search.page.at, rendered.page)
    for effect in effects:
        for place, value in effect.writes:
            draft.write(place, value)
    terms = [term for effect in effects for term in effect.terms]
    if search.terms is not None and terms:
        earlier = draft.text_at(search.terms.at)
        draft.write(search.terms.at, search.terms.join.join([earlier, *terms] if earlier else terms))
    holes = dict(settings)
    path: str = search.path
    for effect in effects:
        if effect.language is not None:
            holes["language"] = effect.language
        if effect.topic is not None:
            path = search.topics[effect.topic].path or path
    return draft.request(address(preset.vendor, base, path, holes))


def write_constants(
    draft: Draft,
    vendor: HttpVendor,
    half: SearchProviderPreset | FetchProviderPreset,
    settings: Mapping[str, str],
    *,
    over: Mapping[str, Any] | None = None,
) -> None:
    """Write what every request of one half of a preset carries; what stands in for a key goes when one is signed.

    Args:
        draft: The request so far.
        vendor: Who is asked.
        half: The half of the preset.
        settings: What the operator gave.
        over: Values in place of those that the half fixes, by place.
    """
    for place, value in {**half.fixed, **(over or {}), **(half.keyless or {})}.items():
        draft.write(place, value)
    for name, setting in vendor.settings.items():
        value = settings.get(name)
        if setting.at is not None and value:
            draft.write(setting.at, [part.strip() for part in value.split(",")] if setting.at.endswith("[]") else value)


def address(vendor: HttpVendor, base: str, path: str, holes: Mapping[str, str]) -> str:
    """Return the absolute address of a call, its holes filled.

    Raises:
        ConfigurationError: A value cannot stand in a host name.
    """
    scheme, _, rest = base.partition("://")
    host, slash, prefix = rest.partition("/")
    for name in ("language", "site", "index"):
        if f"{{{name}}}" in host and not _LABEL.fullmatch(holes.get(name, "")):
            raise ConfigurationError(f"{vendor.id}: setting {name} is one label of a host name")
    return f"{scheme}://{filled(host, holes)}{slash}{filled(prefix, holes)}{filled(path, holes)}"


def _query_text(search: SearchProviderPreset, query: str, operators: list[str]) -> str:
    if operators:
        query = " ".join([f"({query})" if search.query.brackets else query, *operators])
    if search.query.escape is Escape.PERCENT:
        query = query.replace("%", "%25").replace("+", "%2B")
    return query


def _count(rule: CountRule, asked: int) -> tuple[int | None, Adjustment | None]:
    sent = asked
    if rule.step is not None:
        sent = math.ceil(sent / rule.step) * rule.step
    if rule.min is not None:
        sent = max(sent, rule.min)
    if rule.max is not None:
        sent = min(sent, rule.max)
    reason = None
    if sent < asked:
        reason = f"the vendor gives at most {sent} results a call"
    elif sent > asked and rule.at is not None:
        reason = f"the vendor takes {rule.min} or more" if sent == rule.min else f"the vendor counts in {rule.step}s"
    adjustment = None if reason is None else Adjustment(what="max_results", asked=asked, sent=sent, reason=reason)
    return (sent if rule.at is not None else None), adjustment


def _page(id: str, search: SearchProviderPreset, page: int, count: int | None) -> int | None:
    if page == 1:
        return None
    rule = search.page
    if rule is None:
        raise InvalidRequest(f"{id} has one page of results; ask for page 1")
    rows_before = (page - 1) * (count or 0)
    if rule.last is not None:
        reached = rows_before + (count or 0) if rule.style.counts_rows else page
        if reached > rule.last:
            unit = "result" if rule.style.counts_rows else "page"
            raise InvalidRequest(f"{id} ends at {unit} {rule.last}; there is no page {page}")
    return (rows_before if rule.style.counts_rows else page - 1) + rule.style.first
