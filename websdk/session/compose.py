"""From what was gathered and stored to what is shown. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from websdk.budget.answer import Onward, Packed, Remarks
from websdk.budget.fit import FitOptions, fit_response
from websdk.budget.options import PreviewOptions
from websdk.budget.passages import Failure, Piece, pack_passages
from websdk.budget.preview import Record, pack_results
from websdk.errors import Redirected
from websdk.evidence import Entry, Passage
from websdk.model.evidence import Ref
from websdk.model.filters import Adjustment
from websdk.model.search import SearchResponse, SearchResult
from websdk.search.merge import passage_of, select
from websdk.session.pages import PageOutcome
from websdk.session.shelf import CLIPPED, ORIGIN_WORDS, TOO_LARGE, day, settled
from websdk.tools.result import failure_facts, failure_message

_EXCERPT_SOURCE = 2_000  # characters of a longer passage that an excerpt is made of, as many as a snippet may have
_ROOM_TO_GO_ON = 200  # a cursor and a call with their escapes, known only once the preview is packed
_SUPPRESSED = "left out by this application"


@attrs.frozen(kw_only=True)
class ShownResults:
    """A search as it is given out."""

    response: SearchResponse
    packed: Packed


@attrs.frozen(kw_only=True)
class ShownPages:
    """Pages as they are given out."""

    pages: tuple[PageOutcome, ...]
    packed: Packed


def show_results(
    response: SearchResponse,
    entry: Entry | None,
    *,
    several: bool,
    max_results: int,
    onward: Callable[[tuple[int, ...], int | None], Onward | None],
    mark: str,
    fit: FitOptions,
    options: PreviewOptions,
) -> ShownResults:
    """Number, choose, fit and pack results: what a model is shown is cut from what fits, never the other way round.

    Args:
        response: All admitted results, in stored order.
        entry: Where they are stored; ``None`` where they are not.
        several: Whether each result says whom it is from.
        max_results: How many are shown at most, over all providers.
        onward: Says how the list goes on.
        mark: Random text of the answer.
        fit: Outer bounds of the answer.
        options: Bounds of the preview.

    Raises:
        SearchFailed: Not even the account of the search fits.
    """
    results = tuple(_with_ref(result, number, entry) for number, result in enumerate(response.results, start=1))
    chosen = select(results, max_results)
    stored = _stored_notices(entry, bool(results))
    whole = attrs.evolve(
        response,
        results=tuple(results[position] for position in chosen),
        ref=str(entry.ref) if entry else None,
        notices=(*stored, *response.notices),
    )
    listing = onward((), None)
    fitted = fit_response(whole, fit, reach=listing.call if listing else None, reserve=_ROOM_TO_GO_ON)
    kept = dict(zip(chosen, fitted.results, strict=False))  # the most wanted stay
    remarks = Remarks(
        ref=fitted.ref,
        found=len(results),
        stored=len(entry.passages) if entry else None,
        providers=tuple(response.provider.split("+")),
        unsupported=tuple(str(key) for key in response.unsupported_filters),
        adjustments=tuple(adjusted(adjustment) for adjustment in response.adjustments),
        notices=fitted.notices,
        answer=fitted.answer,
    )
    packed = pack_results(
        [_record(result, results[position], position + 1, several=several) for position, result in kept.items()],
        remarks,
        onward=onward,
        mark=mark,
        options=options,
    )
    more = len(packed.shown) < len(results)
    shown = attrs.evolve(
        fitted,
        results=tuple(kept[position] for position in sorted(kept)),
        more=True if more else response.more,
        truncated=packed.truncated or fitted.truncated,
        cursor=packed.onward.cursor if packed.onward else None,
        next_call=packed.onward.call if packed.onward else None,
    )
    return ShownResults(response=shown, packed=packed)


def show_pages(
    pages: Sequence[PageOutcome],
    entry: Entry | None,
    *,
    after: Callable[[Sequence[Ref | None]], Callable[[int, int], Onward | None]],
    mark: str,
    options: PreviewOptions,
) -> ShownPages:
    """Number and pack pages, and name those that did not come.

    Args:
        pages: What became of each, in the order asked.
        entry: Where those that came are stored; ``None`` where they are not.
        after: Says how passages go on.
        mark: Random text of the answer.
        options: Bounds of the preview.
    """
    refs: list[Ref | None] = []
    pieces: list[Piece] = []
    failures: list[Failure] = []
    told: list[PageOutcome] = []
    notices: list[str] = []
    for number, page in enumerate(pages, start=1):
        if page.document is None:
            failures.append(_failure(number, page))
            told.append(page)
            continue
        index = len(pieces)
        passage = entry.passages[index] if entry and index < len(entry.passages) else None
        ref = entry.ref.of(index + 1) if entry and passage else None
        refs.append(ref)
        pieces.append(_piece(number, page, ref, passage))
        told.append(attrs.evolve(page, document=attrs.evolve(page.document, ref=str(ref) if ref else None)))
        label = f"{number}: " if len(pages) > 1 else ""
        notices += [f"{label}{notice}" for notice in page.document.notices]
    packed = pack_passages(
        pieces,
        Remarks(ref=str(entry.ref) if entry else None, notices=(*_stored_notices(entry, bool(pieces)), *notices)),
        onward=after(refs),
        mark=mark,
        options=options,
        failures=failures,
    )
    return ShownPages(pages=tuple(told), packed=packed)


def adjusted(adjustment: Adjustment) -> str:
    """Return an adjustment as one sentence."""
    sent = "left out" if adjustment.sent is None else f"{adjustment.sent} was sent"
    return f"{adjustment.what}: {adjustment.asked} was asked for, {sent}: {adjustment.reason}"


def _stored_notices(entry: Entry | None, anything: bool) -> tuple[str, ...]:
    if entry is None:
        return (TOO_LARGE,) if anything else ()
    return (CLIPPED,) if entry.clipped else ()


def _with_ref(result: SearchResult, number: int, entry: Entry | None) -> SearchResult:
    stored = entry is not None and number <= len(entry.passages)
    return attrs.evolve(result, ref=str(entry.ref.of(number)) if entry and stored else None)


def _record(result: SearchResult, stored: SearchResult, number: int, *, several: bool) -> Record:
    """Return *result* as a preview shows it; more of it may be stored than it carries."""
    text = result.snippet or (result.content or "")[:_EXCERPT_SOURCE]
    return Record(
        number=number,
        url=result.url,
        title=result.title,
        text=text,
        rest=result.ref is not None and len(passage_of(stored)) > len(text),
        ref=result.ref,
        published=day(result.published),
        sources=result.sources if several or len(result.sources) > 1 else (),
        violates=tuple(str(key) for key in result.violates),
    )


def _piece(number: int, page: PageOutcome, ref: Ref | None, passage: Passage | None) -> Piece:
    document = page.document
    assert document is not None
    kept = passage or Passage(url=document.url, title=document.title, text=settled(document.markdown))
    facts: dict[str, Any] = {"origin": str(kept.origin), "via": str(document.via)} if document.via else {}
    if kept.asked_characters is not None:
        facts["asked_characters"] = kept.asked_characters
    if kept.clipped:
        facts["stored_clipped"] = True
    if document.truncated or document.truncated_upstream:
        facts["page_truncated"] = True
    if document.hidden_content_detected:
        facts["hidden_content_detected"] = True
    if document.docs_index:
        facts["docs_index"] = document.docs_index
    return Piece(
        url=document.served_url or document.url,
        title=document.title,
        text=kept.text,
        ref=str(ref) if ref else None,
        number=number,
        words=ORIGIN_WORDS[kept.origin],
        facts=facts,
    )


def _failure(number: int, page: PageOutcome) -> Failure:
    if page.error is None:
        facts: dict[str, Any] = {"type": "Suppressed", "sent": True, "retryable": False}
        return Failure(number=number, url=page.url, message=_SUPPRESSED, facts=facts)
    return Failure(
        number=number,
        url=page.url,
        message=f"{type(page.error).__name__}: {failure_message(page.error)}",
        facts=failure_facts(page.error),
        destination=page.error.destination if isinstance(page.error, Redirected) else None,
    )
