"""Fit the answer that a session gives into its outer bounds, as it is serialised: whole parts go, and each is named.

What goes first is what is worth least: text that was generated about the results, then long passages, which are one ref
away, then whole results from the last. A result that stays keeps its address, title and snippet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from websdk.budget.answer import left_out
from websdk.budget.markdown import excerpt
from websdk.budget.options import PreviewOptions
from websdk.errors import SearchFailed
from websdk.model.bounds import whole
from websdk.model.convert import to_dict
from websdk.model.search import SearchResponse, SearchResult

# Half of each is for what an answer owes in any case (outcomes of filters, receipt, disclosure, notices), also where
# four providers were asked; the other half holds a result of ordinary length, and a preview of its least length.
LEAST_UTF16_UNITS = 8_000
LEAST_UTF8_BYTES = 16_000
# What stays of a passage that has no room, where the vendor sent no snippet beside it: as long as a preview shows it.
_EXCERPT = 400


@attrs.frozen
class Size:
    """How large something is as compact JSON, characters beyond ASCII as themselves.

    Attributes:
        units: UTF-16 code units.
        octets: UTF-8 bytes.
    """

    units: int = 0
    octets: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(self.units + other.units, self.octets + other.octets)

    def __sub__(self, other: Size) -> Size:
        return Size(self.units - other.units, self.octets - other.octets)


_COMMA = Size(1, 1)


@attrs.frozen(kw_only=True)
class FitOptions:
    """Outer bounds of an answer as it is serialised, escapes included; both hold.

    Attributes:
        max_utf16_units: UTF-16 code units of an answer of a session, as hosts in JavaScript count.
        max_utf8_bytes: UTF-8 bytes of an answer of a session, as the wire counts.
    """

    max_utf16_units: int = attrs.field(default=32_000, validator=whole(LEAST_UTF16_UNITS))
    max_utf8_bytes: int = attrs.field(default=64 * 1024, validator=whole(LEAST_UTF8_BYTES))

    def holds(self, size: Size) -> bool:
        """Tell whether both bounds hold *size*."""
        return size.units <= self.max_utf16_units and size.octets <= self.max_utf8_bytes


def measure(data: Any) -> Size:
    """Return the size of plain JSON data; half surrogates and figures that are none count as they are written."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Size(len(text.encode("utf-16-le", "surrogatepass")) // 2, len(text.encode("utf-8", "surrogatepass")))


def preview_within(preview: PreviewOptions, fit: FitOptions) -> PreviewOptions:
    """Return *preview* so short that *fit* holds whatever it shows: a character has up to two units and four bytes."""
    most = min(preview.max_characters, fit.max_utf16_units // 2, fit.max_utf8_bytes // 4)
    return attrs.evolve(preview, max_characters=most)


def fit_response(
    response: SearchResponse, options: FitOptions, *, reach: str | None = None, reserve: int = 0
) -> SearchResponse:
    """Fit an answer.

    How much is given up depends on the answer's parts alone, and on the bounds only where the giving up ends: a larger
    bound never loses a result.

    Args:
        response: The answer, its results with the most wanted first.
        options: The bounds.
        reach: The call that lists the stored results; ``None`` where nothing is stored.
        reserve: ASCII characters to be left free for what is still added.

    Returns:
        The same answer where it fits; otherwise one that does, ``truncated``, with notices of what was left out.

    Raises:
        SearchFailed: Not even the account without results and notices fits.
    """
    spare = Size(reserve, reserve)
    data = to_dict(response)
    if options.holds(measure(data) + spare):
        return response
    brief = tuple(_without_passage(result) for result in response.results)
    long = [index for index, result in enumerate(response.results) if brief[index] is not result]
    whole = [measure(row) + _COMMA for row in data["results"]]
    short = list(whole)
    for index in long:
        short[index] = measure(to_dict(attrs.evolve(response, results=(brief[index],)))["results"][0]) + _COMMA
    frame = data | {"results": [], "answer": None, "truncated": True}
    ways = _ways(whole, short, long, len(response.notices))
    if not response.answer:
        next(ways)  # nothing would be given up in it
    for way in ways:
        notices = (*_told(response, way, reach), *_kept_notices(response.notices, way.notices))
        size = measure(frame | {"notices": notices}) + way.size + spare
        if options.holds(size - _COMMA if way.results else size):
            kept = (*response.results[: way.whole], *brief[way.whole : way.results])
            return attrs.evolve(response, results=kept, answer=None, truncated=True, notices=notices)
    raise SearchFailed("the account of this search is larger than the bounds of an answer", reason="fit")


@attrs.frozen(kw_only=True)
class _Way:
    """One way to make an answer smaller.

    Attributes:
        results: How many results stay.
        whole: The first of them that keep their long passages.
        brief: How many of those that stay lose theirs.
        notices: How many notices stay.
        size: Size of the results, each with a comma behind it.
    """

    results: int
    whole: int
    brief: int
    notices: int
    size: Size


def _ways(whole: Sequence[Size], short: Sequence[Size], long: Sequence[int], notices: int) -> Iterator[_Way]:
    """Name the ways from the mildest on, the generated text being gone in each."""
    count = len(whole)
    size = sum(whole, Size())
    way = _Way(results=count, whole=count, brief=0, notices=notices, size=size)
    yield way
    for brief, index in enumerate(reversed(long), start=1):
        size = size - whole[index] + short[index]
        way = attrs.evolve(way, whole=index, brief=brief, size=size)
        yield way
    for kept in range(count - 1, -1, -1):
        size -= short[kept]
        way = attrs.evolve(
            way, results=kept, whole=min(way.whole, kept), brief=sum(1 for index in long if index < kept), size=size
        )
        yield way
    for kept in range(notices - 1, -1, -1):
        yield attrs.evolve(way, notices=kept)


def _without_passage(result: SearchResult) -> SearchResult:
    """Return *result* with its snippet in place of a long passage, or an excerpt where the vendor sent none."""
    if not result.content or len(result.content) <= _EXCERPT:
        return result
    return attrs.evolve(result, content=None, snippet=result.snippet or excerpt(result.content, _EXCERPT))


def _told(response: SearchResponse, way: _Way, reach: str | None) -> tuple[str, ...]:
    """Say what is left out of *response*, and by which call it is reached."""
    told = ["The text generated about the results is left out for room."] if response.answer else []
    if way.brief:
        gone = [result for index, result in enumerate(response.results[: way.results]) if index >= way.whole]
        gone = [result for result in gone if _without_passage(result) is not result]
        told.append(_named(gone, "The long passage of {} is left out for room", reach))
    if way.results < len(response.results):
        told.append(_named(response.results[way.results :], "{} left out for room", reach))
    return tuple(told)


def _named(gone: Sequence[SearchResult], sentence: str, reach: str | None) -> str:
    stored = sum(1 for result in gone if result.ref) if reach else 0
    told = sentence.format("1 result" if len(gone) == 1 else f"{len(gone)} results")
    if not stored:
        return f"{told} and not stored: make another, narrower search to see more."
    return f"{told}; {stored} stored, listed by {reach}"


def _kept_notices(notices: Sequence[str], kept: int) -> tuple[str, ...]:
    if kept == len(notices):
        return tuple(notices)
    return (*notices[:kept], left_out(len(notices) - kept))
