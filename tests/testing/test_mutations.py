"""Every bundled preset, changed for the worse in one place after the other: the contract sees each change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from websdk.declarative import Preset, bundled_preset_texts, load_preset
from websdk.declarative.words import FILTER_TERMS, HOST, QUERY_TEXT
from websdk.testing import check_preset

PRESETS = {name: load_preset(text, name=name) for name, text in bundled_preset_texts().items()}
RESERVED = (QUERY_TEXT, FILTER_TERMS, HOST, None)


def search_mutants(preset: Preset) -> Iterator[tuple[str, Preset]]:
    """Yield worse versions of a search half, each with what was done to it."""
    search = preset.search
    assert search is not None
    query = search.query.at[0]

    def worse(what: str, **changes: Any) -> tuple[str, Preset]:
        return what, attrs.evolve(preset, search=attrs.evolve(search, **changes))

    def with_rule(name: str, **changes: Any) -> tuple[str, Preset]:
        rule = attrs.evolve(getattr(search.filters, name), **changes)
        return worse(f"{name}: {changes}", filters=attrs.evolve(search.filters, **{name: rule}))

    if search.count.at is not None:
        yield worse("the count over the query", count=attrs.evolve(search.count, at=query))
    if search.page is not None:
        yield worse("the page over the query", page=attrs.evolve(search.page, at=query))
    for name in ("recency", "include_domains", "country", "language", "safe_search", "topic"):
        rule = getattr(search.filters, name)
        if rule is None or rule.at in RESERVED:
            continue
        if not query.endswith("[]"):
            yield with_rule(name, at=query, pattern=None)
        is_table = name in ("recency", "country", "safe_search") and len(rule.values or ()) > 1
        if is_table and rule.approximate is None:
            yield with_rule(name, values=dict.fromkeys(rule.values, "same"))
        if name == "country" and rule.values:
            yield with_rule(name, values={**rule.values, "UK": "x"})
    dates = search.filters.dates
    if dates is not None and dates.at is None and dates.before is not None:
        yield with_rule("dates", before=dates.after)
    if preset.vendor.auth is not None and search.method == "GET" and ":" not in query:
        auth = attrs.evolve(preset.vendor.auth, at=f"query:{query}")
        yield "the key over the query", attrs.evolve(preset, vendor=attrs.evolve(preset.vendor, auth=auth))


@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if preset.search is not None])
def test_change_for_the_worse_is_seen(name: str) -> None:
    survivors = [what for what, mutant in search_mutants(PRESETS[name]) if check_preset(mutant).ok]

    assert [] == survivors
