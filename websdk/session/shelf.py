"""Evidence on a session's shelf: what is put there, and how it is read on. Reaches nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime

import attrs

from websdk.budget.answer import Onward, Packed, Remarks
from websdk.budget.options import PreviewOptions
from websdk.budget.passages import Piece, pack_passages
from websdk.budget.preview import Record, pack_results
from websdk.evidence import Cursors, Entry, EvidenceOptions, EvidenceStore, Match, Passage, find
from websdk.model.document import Document
from websdk.model.evidence import EvidencePage, PassageOrigin, Ref
from websdk.model.graphemes import cut
from websdk.model.search import ResultKind, SearchResult
from websdk.protocols.call import Clock
from websdk.search.merge import passage_of
from websdk.tools.arguments import RefCall, next_call
from websdk.tools.surface import Surface

NOT_FOUND = "Not in the stored excerpt. Nothing is said of the rest of the page."
TOO_LARGE = "The answer is too large to be stored, so that nothing of it can be read on."
CLIPPED = "What is stored of this is clipped."

_BEFORE, _AFTER = 200, 300  # characters of context around a match: a sentence before it and a few behind
_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_UNKEEPABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")

ORIGIN_WORDS = {
    PassageOrigin.EXCERPT: "excerpt by the search vendor",
    PassageOrigin.VENDOR_PAGE: "page text by a vendor",
    PassageOrigin.PAGE: "page read here",
}


def settled(text: str) -> str:
    """Return *text* as it is kept: one kind of line break, no control characters, no half surrogates."""
    return _UNKEEPABLE.sub("", _BREAKS.sub("\n", text))


def passage_from_result(result: SearchResult) -> Passage:
    """Return what is kept of a search result."""
    return Passage(
        url=result.url,
        title=result.title,
        text=settled(passage_of(result)),
        kind=result.kind,
        origin=PassageOrigin.VENDOR_PAGE if result.content else PassageOrigin.EXCERPT,
        published=result.published,
        sources=result.sources,
    )


def passage_from_document(document: Document, asked_characters: int | None) -> Passage:
    """Return what is kept of a page."""
    read_here = document.extracted_by == "websdk"
    return Passage(
        url=document.served_url or document.url,
        title=document.title,
        text=settled(document.markdown),
        kind=ResultKind.PAGE,
        origin=PassageOrigin.PAGE if read_here else PassageOrigin.VENDOR_PAGE,
        asked_characters=asked_characters,
        published=document.published,
        sources=(document.reader or str(document.via or "local"),),
    )


def day(published: date | datetime | None) -> str | None:
    """Return a day of publication as text; the hour tells a model nothing."""
    if published is None:
        return None
    return (published.date() if isinstance(published, datetime) else published).isoformat()


@attrs.frozen(kw_only=True)
class Shown:
    """A reading of stored evidence.

    Attributes:
        packed: As a model reads it.
        page: The passage that was read; ``None`` for a list.
    """

    packed: Packed
    page: EvidencePage | None = None


class Shelf:
    """Keeps and shows the evidence of one session.

    Args:
        options: Bounds of what is kept.
        preview: Bounds of what is shown at once.
        surface: The tools that go on.
        clock: Where time comes from.
        key: Random bytes of the session.
    """

    def __init__(
        self, options: EvidenceOptions, preview: PreviewOptions, *, surface: Surface, clock: Clock, key: bytes
    ) -> None:
        self._store = EvidenceStore(options, clock=clock, key=key)
        self._cursors = Cursors(key)
        self._preview = preview
        self._surface = surface

    def put(self, passages: Iterable[Passage]) -> Entry | None:
        """Keep an answer; see :meth:`websdk.evidence.EvidenceStore.put`."""
        return self._store.put(passages)

    def clear(self) -> None:
        """Forget everything."""
        self._store.clear()

    def after_results(self, entry: Entry | None) -> Callable[[tuple[int, ...], int | None], Onward | None]:
        """Return what says how a list of results of *entry* goes on."""

        def onward(shown: tuple[int, ...], partly: int | None) -> Onward | None:
            if entry is None:
                return None
            rest = set(range(1, len(entry.passages) + 1)) - set(shown)
            if not rest:
                return None if partly is None else Onward(call=self._call(entry.ref.of(partly)))
            if not shown or shown != tuple(range(1, len(shown) + 1)):
                return Onward(call=self._call(entry.ref))
            return self._on_from(entry.ref, len(shown))

        return onward

    def after_piece(self, refs: Sequence[Ref | None]) -> Callable[[int, int], Onward | None]:
        """Return what says how the passages named *refs* go on."""

        def onward(index: int, end: int) -> Onward | None:
            ref = refs[index]
            if ref is None:
                return None
            return self._on_from(ref, end) if end > 0 else Onward(call=self._call(ref))

        return onward

    def read(self, call: RefCall, *, mark: str) -> Shown:
        """Read stored evidence.

        Raises:
            RefUnknown: This session never gave out such a ref.
            RefExpired: It did, and the entry was dropped.
            CursorInvalid: The cursor was altered or belongs elsewhere.
        """
        ref = Ref.parse(call.ref)
        entry = self._store.entry(ref)
        if call.find is not None:
            shown = self._find(entry, ref, call.find, mark)
        elif ref.number is None:
            shown = self._list(entry, call.cursor, mark)
        else:
            start = self._place(ref, call.cursor, len(entry.passages[ref.number - 1].text))
            shown = self._passage(entry, ref, mark, start=start)
        self._store.touch(entry)
        return shown

    def _place(self, ref: Ref, cursor: str | None, length: int) -> int:
        return 0 if cursor is None else self._cursors.position(ref, cursor, length=length)

    def _list(self, entry: Entry, cursor: str | None, mark: str) -> Shown:
        start = self._place(entry.ref, cursor, len(entry.passages))
        records = [
            Record(
                number=number,
                url=passage.url,
                title=passage.title,
                ref=str(entry.ref.of(number)),
                published=day(passage.published),
            )
            for number, passage in enumerate(entry.passages, start=1)
            if number > start
        ]

        def onward(shown: tuple[int, ...], partly: int | None) -> Onward | None:
            # A result whose name alone is too long for the list is passed over, and told among those not shown.
            last = shown[-1] if shown else start + 1
            if last < len(entry.passages):
                return self._on_from(entry.ref, last)
            return Onward(call=self._call(entry.ref.of(last)))

        packed = pack_results(
            records,
            Remarks(ref=str(entry.ref), found=len(entry.passages), notices=(CLIPPED,) if entry.clipped else ()),
            onward=onward,
            mark=mark,
            first=start + 1,
            options=self._preview,
        )
        return Shown(packed=packed)

    def _find(self, entry: Entry, ref: Ref, wanted: str, mark: str) -> Shown:
        """Look for *wanted* in one result, or in all of an entry, and show its first place."""
        wanted = settled(wanted) or wanted  # spelt as what is kept is spelt
        numbers = [ref.number] if ref.number else list(range(1, len(entry.passages) + 1))
        matches = [(number, find(entry.passages[number - 1].text, wanted)) for number in numbers]
        found = [(number, match) for number, match in matches if match is not None]
        count = sum(match.count for _, match in found)
        if not found:
            shown = ref if ref.number else ref.of(1)
            return self._passage(entry, shown, mark, start=0, end=0, matches=0, everywhere=not ref.number)
        number, first = found[0]
        text = entry.passages[number - 1].text
        start, end = _window(text, first)
        return self._passage(
            entry,
            ref.of(number),
            mark,
            start=start,
            end=end,
            matches=count,
            found_at=first.start,
            everywhere=not ref.number,
        )

    def _passage(
        self,
        entry: Entry,
        ref: Ref,
        mark: str,
        *,
        start: int,
        end: int | None = None,
        matches: int | None = None,
        found_at: int | None = None,
        everywhere: bool = False,
    ) -> Shown:
        passage = entry.passages[(ref.number or 1) - 1]
        notices = (*((NOT_FOUND,) if matches == 0 else ()), *((CLIPPED,) if passage.clipped else ()))
        words = [ORIGIN_WORDS[passage.origin]]
        facts: dict[str, str | int | bool] = {"origin": str(passage.origin)}
        if passage.asked_characters is not None:
            words.append(f"{passage.asked_characters} characters were asked for")
            facts["asked_characters"] = passage.asked_characters
        if passage.clipped:
            facts["stored_clipped"] = True
        if matches is not None:
            facts["matches"] = matches
            where = " in all results of the answer" if everywhere else ""
            words.append(f"{matches} match{'' if matches == 1 else 'es'}{where}")
        if found_at is not None:
            facts["found_at"] = found_at
            words.append(f"the first at {found_at}")
        piece = Piece(
            url=passage.url,
            title=passage.title,
            text=passage.text,
            ref=str(ref),
            start=start,
            end=end,
            words=", ".join(words),
            facts=facts,
        )
        packed = pack_passages(
            [piece],
            Remarks(notices=notices),
            onward=self.after_piece([ref]),
            mark=mark,
            options=self._preview,
        )
        stop = packed.ends[0] if packed.ends else start
        page = EvidencePage(
            ref=str(ref),
            url=passage.url,
            title=passage.title,
            text=passage.text[start:stop],
            start=start,
            length=len(passage.text),
            origin=passage.origin,
            asked_characters=passage.asked_characters,
            stored_clipped=passage.clipped,
            matches=matches,
            more=stop < len(passage.text),
            cursor=packed.onward.cursor if packed.onward else None,
            next_call=packed.onward.call if packed.onward else None,
            notices=notices,
        )
        return Shown(packed=packed, page=page)

    def _call(self, ref: Ref) -> str:
        return next_call(self._surface, ref=str(ref))

    def _on_from(self, ref: Ref, position: int) -> Onward:
        cursor = self._cursors.at(ref, position)
        return Onward(call=next_call(self._surface, ref=str(ref), cursor=cursor), cursor=cursor)


def _window(text: str, match: Match) -> tuple[int, int]:
    before = max(0, match.start - _BEFORE)
    start = cut(text, 0, before) if before else 0
    return start, cut(text, start, match.end + _AFTER - start)
