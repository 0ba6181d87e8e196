"""Pack a list of results for a model: whole records within one budget, and everything else named as left out."""

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
)
from websdk.budget.markdown import excerpt, inline, link, one_line
from websdk.budget.options import PreviewOptions


@attrs.frozen(kw_only=True)
class Record:
    """One result as an answer shows it.

    Attributes:
        number: Its number in stored order, from 1.
        url: Its address.
        title: Its title.
        text: What the excerpt is taken from.
        rest: Whether more is stored of it than ``text``.
        ref: Its ref; ``None`` where nothing is stored.
        published: Its date, as text.
        sources: Who returned it, where that is worth saying.
        violates: Asked filters that it breaks.
    """

    number: int
    url: str
    title: str = ""
    text: str = ""
    rest: bool = False
    ref: str | None = None
    published: str | None = None
    sources: tuple[str, ...] = ()
    violates: tuple[str, ...] = ()


def pack_results(
    records: Sequence[Record],
    remarks: Remarks,
    *,
    onward: Callable[[tuple[int, ...], int | None], Onward | None],
    mark: str,
    first: int = 1,
    options: PreviewOptions,
) -> Packed:
    """Pack a list of results.

    Which records are shown depends on the order given and on the budget alone, so that a larger budget never loses one.

    Args:
        records: Results in the order in which they take room; shown in the order of their numbers.
        remarks: What the answer says of itself.
        onward: Called with the numbers shown and the first of them that is not shown whole; says how to go on.
        mark: Random text of this answer.
        first: Number at which the list begins; what lies before it is not called left out.
        options: The bounds.

    Returns:
        The answer; as many whole records as fit, counted from the first.
    """
    lines = [one_line(record.text) for record in records]
    level = _level([len(line) for line in lines], options)
    partly = {record.number for record, line in zip(records, lines, strict=True) if record.rest or len(line) > level}
    excerpts = [excerpt(line, level) for line in lines]
    texts = [_record_text(record, shown) for record, shown in zip(records, excerpts, strict=True)]
    values = [_record_value(record, shown) for record, shown in zip(records, excerpts, strict=True)]
    remarks = attrs.evolve(
        remarks, notices=bound_notices(remarks.notices, options), answer=_answer(remarks.answer, texts, options)
    )

    def with_first(count: int, remarks: Remarks) -> Packed:
        chosen = sorted(range(count), key=lambda index: records[index].number)
        numbers = tuple(records[index].number for index in chosen)
        cut_numbers = [number for number in numbers if number in partly]
        cut_number = next((number for number in cut_numbers if number <= remarks.within_reach), None)
        omitted = _gaps(numbers, first, remarks.found)
        truncated = bool(omitted or cut_numbers)
        whole = set(numbers) - partly
        lost = len(set(range(max(first, remarks.within_reach + 1), remarks.found + 1)) - whole)
        if lost:
            remarks = attrs.evolve(remarks, notices=(*remarks.notices, _not_stored(lost, remarks)))
        step = onward(numbers, cut_number) if truncated else None
        going_on = onward_values(step, more=bool(omitted), truncated=truncated)
        missing = {"not_shown": omitted} if omitted else {}
        return Packed(
            text=_text(remarks, omitted, [texts[index] for index in chosen], step, mark),
            structured=remark_values(remarks) | missing | going_on | {"results": [values[index] for index in chosen]},
            shown=numbers,
            truncated=truncated,
            onward=step,
        )

    for count in range(_most(texts, options), 0, -1):
        packed = with_first(count, remarks)
        if fits(packed, options):
            return packed
    return barest(lambda bare: with_first(0, bare), remarks, options)


def _most(texts: Sequence[str], options: PreviewOptions) -> int:
    """Return how many records could fit if nothing else were said, so that a long list is not packed in vain."""
    room = options.max_characters
    for count, text in enumerate(texts):
        room -= len(text)
        if room < 0:
            return count
    return len(texts)


def _level(lengths: Sequence[int], options: PreviewOptions) -> int:
    """Return the excerpt length at which all excerpts together stay within their share; short ones leave room."""
    room = options.excerpts
    for left, length in zip(range(len(lengths), 0, -1), sorted(lengths), strict=True):
        if length * left > room:
            return min(options.excerpt, max(1, room // left))
        room -= length
    return options.excerpt


def _answer(answer: str | None, texts: Sequence[str], options: PreviewOptions) -> str | None:
    """Return the generated text within its bound; one that only repeats the results is dropped."""
    answer = (answer or "").strip()
    if not answer or not options.answer or answer == "\n".join(texts).strip():
        return None
    return excerpt(answer, options.answer)


def _gaps(numbers: Sequence[int], first: int, last: int) -> str:
    """Name the numbers from *first* to *last* that are not among *numbers*, as ranges; empty where none is missing."""
    ranges = []
    start = first
    for number in (*numbers, last + 1):
        if number > start:
            ranges.append(str(start) if number - 1 == start else f"{start}-{number - 1}")
        start = number + 1
    return ", ".join(ranges)


def _not_stored(lost: int, remarks: Remarks) -> str:
    if remarks.ref is None:
        return NOT_STORED
    return PARTLY_STORED.format("1 result is" if lost == 1 else f"{lost} results are")


def _record_text(record: Record, shown: str) -> str:
    facts = ", ".join(
        [
            *([record.published] if record.published else []),
            *([f"from {' + '.join(record.sources)}"] if record.sources else []),
            *([f"breaks {' + '.join(record.violates)}"] if record.violates else []),
        ]
    )
    passage = inline(shown)
    line = f"{record.number}. {link(record.title, record.url)}"
    return line + (f" ({inline(facts)})" if facts else "") + (f": {passage}" if passage else "")


def _record_value(record: Record, shown: str) -> dict[str, Any]:
    value: dict[str, Any] = {"ref": record.ref} if record.ref else {}
    value |= {"title": one_line(record.title), "url": record.url}
    if shown:
        value["snippet"] = shown
    if record.published:
        value["published"] = record.published
    if record.sources:
        value["sources"] = list(record.sources)
    if record.violates:
        value["violates"] = list(record.violates)
    return value


def _text(remarks: Remarks, omitted: str, shown: Sequence[str], onward: Onward | None, mark: str) -> str:
    of = f"{len(shown)} of {remarks.found}" if omitted else str(remarks.found)
    by = f" by {', '.join(remarks.providers)}" if remarks.providers else ""
    last = remarks.within_reach
    where = f", refs {remarks.ref}:1 to {remarks.ref}:{last}" if last else ""
    gaps = f"; not shown: {omitted}" if omitted else ""
    ours = [
        f"Results: {of}{by}{where}{gaps}.",
        *remark_lines(remarks),
        *([f"Next: {onward.call}"] if onward else []),
    ]
    generated = [f"Generated: about the results, no evidence: {inline(remarks.answer)}\n"] if remarks.answer else []
    return joined(ours, [*generated, *shown], mark)
