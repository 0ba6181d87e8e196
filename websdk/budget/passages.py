"""Pack passages for a model: as much of each as fits, cut between characters, each with its exact continuation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from websdk.budget.answer import (
    NOT_STORED,
    PARTLY_STORED,
    Onward,
    Packed,
    Remarks,
    barest,
    bound_notices,
    fits,
    joined,
    onward_values,
    remark_lines,
    remark_values,
    to_json,
)
from websdk.budget.markdown import escape_lines, inline, link, one_line
from websdk.budget.options import PreviewOptions
from websdk.model.graphemes import cut

_LEAST_PIECE = 200  # a shorter beginning of a page is not worth its heading; the page is named instead


@attrs.frozen(kw_only=True)
class Piece:
    """A passage that is to be shown from one place on.

    Attributes:
        url: Its address.
        title: Its title.
        text: The whole passage.
        ref: Its ref; ``None`` where nothing is stored.
        number: Which page of several it is, from 1; ``None`` for one alone.
        start: Where the piece begins, in code points.
        end: Where it ends at the latest; ``None`` for the end of the passage.
        words: What is said of it in the text form, such as where its text comes from.
        facts: What is said of it in the structured form.
    """

    url: str
    title: str
    text: str
    ref: str | None = None
    number: int | None = None
    start: int = 0
    end: int | None = None
    words: str = ""
    facts: dict[str, Any] = attrs.field(factory=dict)

    def stop(self, level: int) -> int:
        """Return where the piece ends when it may have *level* code points."""
        last = len(self.text) if self.end is None else min(self.end, len(self.text))
        if level < 1:
            return self.start
        return last if self.start + level >= last else cut(self.text, self.start, level)


@attrs.frozen(kw_only=True)
class Failure:
    """A page that could not be read.

    Attributes:
        number: Which page of the call, from 1.
        url: Its address as it was asked for.
        message: Why, in one sentence of ours.
        facts: What is said of it in the structured form.
        destination: Where the page's origin points instead, which is text from the web.
    """

    number: int
    url: str
    message: str
    facts: dict[str, Any] = attrs.field(factory=dict)
    destination: str | None = None


def pack_passages(
    pieces: Sequence[Piece],
    remarks: Remarks,
    *,
    onward: Callable[[int, int], Onward | None],
    mark: str,
    options: PreviewOptions,
    failures: Sequence[Failure] = (),
) -> Packed:
    """Pack passages, sharing the room evenly.

    Args:
        pieces: What is to be shown, in order.
        remarks: What the answer says of itself.
        onward: Called with the index of a piece and the place where it ends here; says how to go on from there.
        mark: Random text of this answer.
        options: The bounds.
        failures: Pages that could not be read, named beside the others.

    Returns:
        The answer. Pieces without room for a useful beginning are named as stored.
    """
    failures, unnamed = _bound_failures(failures, options)
    notices = bound_notices(remarks.notices, options)
    remarks = attrs.evolve(remarks, notices=(*unnamed, *notices))

    def build(count: int, level: int, remarks: Remarks = remarks, *, bare: bool = False) -> Packed:
        shown = pieces[:count]
        ends = tuple(piece.stop(level) for piece in shown)
        steps = tuple(
            onward(index, end) if end < len(piece.text) else None
            for index, (piece, end) in enumerate(zip(shown, ends, strict=True))
        )
        return _assemble(shown, ends, steps, pieces[count:], failures, remarks, mark, bare=bare)

    for count in range(len(pieces), 0, -1):
        least = min(_LEAST_PIECE, max(len(piece.text) for piece in pieces[:count]))
        if fits(build(count, max(1, least)), options):
            return _fill(lambda level, count=count: build(count, level), max(1, least), options)  # type: ignore[misc]
    if len(pieces) == 1 and fits(build(1, 1, bare=True), options):
        return _fill(lambda level: build(1, level, bare=True), 1, options)
    return barest(lambda fewer: build(0, 0, fewer), remarks, options)


def _bound_failures(failures: Sequence[Failure], options: PreviewOptions) -> tuple[Sequence[Failure], tuple[str, ...]]:
    """Keep failures within half the budget: without their addresses where these are too long, then fewer of them."""
    room = options.max_characters // 2
    if _weight(failures) > room:
        failures = [attrs.evolve(failure, url="", destination=None) for failure in failures]
    kept = len(failures)
    while _weight(failures[:kept]) > room:
        kept -= 1
    lost = len(failures) - kept
    return failures[:kept], (f"{lost} more pages could not be read.",) if lost else ()


def _weight(failures: Sequence[Failure]) -> int:
    text = sum(2 * len(failure.message) + 2 * len(failure.destination or "") + 40 for failure in failures)
    return max(text, len(to_json([_failure_value(failure) for failure in failures])))


def _fill(build: Callable[[int], Packed], least: int, options: PreviewOptions) -> Packed:
    """Return the answer at the highest level that fits, *least* being one that does."""
    best = build(options.max_characters)
    if fits(best, options):
        return best
    low, high = least, options.max_characters
    best = build(low)
    while high - low > 1:
        middle = (low + high) // 2
        packed = build(middle)
        if fits(packed, options):
            low, best = middle, packed
        else:
            high = middle
    return best


def _assemble(
    shown: Sequence[Piece],
    ends: Sequence[int],
    steps: Sequence[Onward | None],
    unshown: Sequence[Piece],
    failures: Sequence[Failure],
    remarks: Remarks,
    mark: str,
    *,
    bare: bool,
) -> Packed:
    cut_pieces = [piece for piece, end in zip(shown, ends, strict=True) if end < len(piece.text)]
    lost = sum(1 for piece in (*cut_pieces, *unshown) if piece.ref is None)
    if lost:
        stored = any(piece.ref for piece in (*cut_pieces, *unshown))
        told = PARTLY_STORED.format("1 page is" if lost == 1 else f"{lost} pages are") if stored else NOT_STORED
        remarks = attrs.evolve(remarks, notices=(*remarks.notices, told))
    ours = remark_lines(remarks)
    foreign: list[str] = []
    pages: list[tuple[int, dict[str, Any]]] = []
    for piece, end, step in zip(shown, ends, steps, strict=True):
        ours += _piece_lines(piece, end, step)
        foreign += _piece_text(piece, end, mark, bare=bare)
        pages.append((piece.number or 0, _piece_value(piece, end, step, bare=bare)))
    for failure in failures:
        ours.append(f"Failed: {failure.number}: {inline(failure.message)}")
        if failure.destination:
            foreign.append(f"{failure.number} points to {link(failure.destination, failure.destination)}")
        pages.append((failure.number, _failure_value(failure)))
    for piece in unshown:
        named = piece.ref or "not stored"
        ours.append(f"Stored: {piece.number} is not shown for want of room: {named}")
        pages.append((piece.number or 0, {"number": piece.number, "ref": piece.ref, "not_shown": True}))
    alone = len(pages) == 1 and pages[0][0] == 0
    values = pages[0][1] if alone else {"pages": [value for _, value in sorted(pages, key=lambda page: page[0])]}
    return Packed(
        text=joined(ours, foreign, mark),
        structured=remark_values(remarks) | values,
        shown=tuple(piece.number or 1 for piece in shown),
        truncated=bool(cut_pieces or unshown),
        onward=next((step for step in steps if step), None),
        ends=tuple(ends),
    )


def _failure_value(failure: Failure) -> dict[str, Any]:
    named = {"url": one_line(failure.url)} if failure.url else {}
    pointed = {"destination": one_line(failure.destination)} if failure.destination else {}
    return {"number": failure.number, **named, "error": {**failure.facts, "message": failure.message, **pointed}}


def _piece_lines(piece: Piece, end: int, step: Onward | None) -> list[str]:
    name = piece.ref or "not stored"
    number = f"{piece.number} is " if piece.number else ""
    words = f", {piece.words}" if piece.words else ""
    line = f"Passage: {number}{name}, characters {piece.start}-{end} of {len(piece.text)}{words}."
    return [line, *([f"Next: {step.call}"] if step else [])]


def _piece_text(piece: Piece, end: int, mark: str, *, bare: bool) -> list[str]:
    heading = [f"Mark: {mark}, page {piece.number}"] if piece.number else []
    if not bare:
        heading += [link(piece.title, piece.url), ""]
    return [*heading, escape_lines(piece.text[piece.start : end])]


def _piece_value(piece: Piece, end: int, step: Onward | None, *, bare: bool) -> dict[str, Any]:
    value: dict[str, Any] = {"ref": piece.ref} if piece.ref else {}
    if piece.number:
        value["number"] = piece.number
    if not bare:
        value |= {"title": one_line(piece.title), "url": piece.url}
    more = end < len(piece.text)
    value |= {"start": piece.start, "length": len(piece.text), **piece.facts}
    return value | onward_values(step, more=more, truncated=more) | {"text": piece.text[piece.start : end]}
