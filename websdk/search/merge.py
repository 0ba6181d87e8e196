"""Join answers of several providers: exact duplicates become one result that names all who returned it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from websdk.model.search import ResultKind, SearchResult
from websdk.model.urls import serialise


def passage_of(result: SearchResult) -> str:
    """Return the text that stands for *result* as evidence: its longer passage, with the excerpt where that differs."""
    if not result.content:
        return result.snippet
    if not result.snippet or result.snippet in result.content:
        return result.content
    return f"{result.snippet}\n\n{result.content}"


def merge(results: Iterable[SearchResult]) -> tuple[SearchResult, ...]:
    """Join results that are the same passage of the same address and kind, and put pages that were asked for first.

    The first of several duplicates stays, with the sources of all. Addresses are the same when their WHATWG
    serialisations are: query strings, fragments, schemes and trailing slashes tell pages apart, and so do different
    passages of one page. Nothing is judged similar.

    Args:
        results: Results in the order of their providers.

    Returns:
        The merged results; otherwise in the order given.
    """
    found: dict[tuple[str, str, ResultKind], SearchResult] = {}
    for result in results:
        identity = (serialise(result.url) or result.url, passage_of(result), result.kind)
        first = found.get(identity)
        if first is None:
            found[identity] = result
        else:
            sources = tuple(dict.fromkeys((*first.sources, *result.sources)))
            found[identity] = attrs.evolve(first, sources=sources)
    return tuple(sorted(found.values(), key=lambda result: result.kind is not ResultKind.PAGE))


def select(results: Sequence[SearchResult], max_results: int) -> tuple[int, ...]:
    """Choose which results a preview shows, the most wanted first.

    Every kind of source that returned something keeps at least one place, as far as *max_results* allows; the other
    places go to the first results.

    Args:
        results: Merged results in stored order.
        max_results: Places over all providers, from 1.

    Returns:
        Positions from 0; with one kind of source simply the first ones.
    """
    firsts: dict[bool, int] = {}
    for position, result in enumerate(results):
        firsts.setdefault(result.kind is ResultKind.CODE, position)
    order = dict.fromkeys([*sorted(firsts.values()), *range(len(results))])
    return tuple(order)[:max_results]
