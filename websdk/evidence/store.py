"""The bounded store of one session."""

from __future__ import annotations

from base64 import b32encode
from collections import OrderedDict
from collections.abc import Iterable
from datetime import date, datetime
from hashlib import blake2b
from itertools import count

import attrs

from websdk.errors import RefExpired, RefUnknown
from websdk.evidence.options import EvidenceOptions
from websdk.model.evidence import PassageOrigin, Ref
from websdk.model.graphemes import cut
from websdk.model.search import ResultKind
from websdk.protocols.call import Clock

_TAG_CHARACTERS = 5  # 25 bits beside the running number: a handle of another session is told from an expired one
_OVERHEAD_BYTES = 512  # what Python itself needs for one passage, so that many tiny ones are bounded as well


@attrs.frozen(kw_only=True)
class Passage:
    """One admitted result or page, as it is kept.

    Attributes:
        url: Its address.
        title: Its title.
        text: The passage; may be empty.
        kind: What kind of source it is.
        origin: Where the text comes from.
        asked_characters: Length that was asked of whoever made the text, where one was stated.
        published: Day or moment of publication.
        sources: Ids of the providers that returned it.
        clipped: Whether the text was longer than what is kept.
    """

    url: str
    title: str = ""
    text: str = ""
    kind: ResultKind = ResultKind.SEARCH
    origin: PassageOrigin = PassageOrigin.EXCERPT
    asked_characters: int | None = None
    published: date | datetime | None = None
    sources: tuple[str, ...] = ()
    clipped: bool = False

    @property
    def size(self) -> int:
        """Bytes that keeping it takes."""
        texts = (self.url, self.title, self.text, *self.sources)
        return _OVERHEAD_BYTES + sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


@attrs.define(eq=False)
class Entry:
    """One stored answer.

    Attributes:
        ref: Its name.
        passages: Its results, numbered from 1 in this order.
        left_out: Results of the answer that were beyond the bounds and are not kept.
        size: Bytes that it takes.
    """

    ref: Ref
    passages: tuple[Passage, ...]
    left_out: int
    size: int
    _made: float
    _read: float

    @property
    def clipped(self) -> bool:
        """Whether something of the answer is not kept."""
        return self.left_out > 0 or any(passage.clipped for passage in self.passages)


class EvidenceStore:
    """Answers of one session, kept within bounds; the least recently used goes first.

    Entries are dropped by the next activity after their time, without timers.

    Args:
        options: The bounds.
        clock: Where time comes from.
        key: Random bytes of the session, from which handles get their unguessable part.
    """

    def __init__(self, options: EvidenceOptions, *, clock: Clock, key: bytes) -> None:
        self._options = options
        self._clock = clock
        self._key = key
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._numbers = count(1)
        self._issued = 0
        self._size = 0

    @property
    def size(self) -> int:
        """Bytes that everything kept takes."""
        return self._size

    def __len__(self) -> int:
        return len(self._entries)

    def put(self, passages: Iterable[Passage]) -> Entry | None:
        """Keep an answer; the same answer again, soon after, is the entry that is there already.

        Args:
            passages: Its admitted results in order. Texts beyond the bounds are clipped and say so.

        Returns:
            The entry, or ``None`` where there is nothing to keep or it alone would pass the byte bound.
        """
        self._drop_stale()
        kept, left_out = self._clip(tuple(passages))
        size = sum(passage.size for passage in kept)
        if not kept or size > self._options.bytes:
            return None
        twin = self._twin(kept, left_out)
        if twin is not None:
            self.touch(twin)
            return twin
        while self._entries and (
            len(self._entries) >= self._options.entries or self._size + size > self._options.bytes
        ):
            self._drop(next(iter(self._entries)))
        now = self._clock.monotonic()
        self._issued = next(self._numbers)
        entry = Entry(Ref(handle=self._handle(self._issued)), kept, left_out, size, now, now)
        self._entries[entry.ref.handle] = entry
        self._size += size
        return entry

    def entry(self, ref: Ref) -> Entry:
        """Return the entry that *ref* names or belongs to; :meth:`touch` it once the read has come to something.

        Raises:
            RefUnknown: This session never gave out such a ref.
            RefExpired: It did, and the entry was dropped by age or for room.
        """
        self._drop_stale()
        entry = self._entries.get(ref.handle)
        if entry is None:
            if self._was_issued(ref.handle):
                raise RefExpired("the stored answer was dropped by age or for room: search or read the page again")
            raise RefUnknown("this session has no such ref: refs end with their session")
        if ref.number is not None and ref.number > len(entry.passages):
            raise RefUnknown(f"the stored answer has results 1 to {len(entry.passages)}")
        return entry

    def touch(self, entry: Entry) -> None:
        """Count a read of *entry*: its idle time begins anew, and it is the last to go for room."""
        if self._entries.get(entry.ref.handle) is entry:
            entry._read = self._clock.monotonic()
            self._entries.move_to_end(entry.ref.handle)

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()
        self._size = 0

    def _twin(self, passages: tuple[Passage, ...], left_out: int) -> Entry | None:
        """Return an entry of the same content that is young enough to live as long as a new one would idle."""
        oldest = self._clock.monotonic() - self._options.idle_s
        for entry in self._entries.values():
            if entry._made > oldest and entry.left_out == left_out and entry.passages == passages:
                return entry
        return None

    def _clip(self, passages: tuple[Passage, ...]) -> tuple[tuple[Passage, ...], int]:
        options = self._options
        room = options.entry_characters
        kept = []
        for passage in passages[: options.results]:
            limit = min(options.passage_characters, room)
            text = passage.text if len(passage.text) <= limit else _shorten(passage.text, limit)
            room -= len(text)
            kept.append(
                attrs.evolve(
                    passage,
                    text=text,
                    title=_shorten(passage.title, options.metadata_characters),
                    clipped=passage.clipped or len(text) < len(passage.text),
                )
            )
        return tuple(kept), max(0, len(passages) - options.results)

    def _drop_stale(self) -> None:
        now = self._clock.monotonic()
        options = self._options
        for handle, entry in list(self._entries.items()):
            if now - entry._read >= options.idle_s or now - entry._made >= options.lifetime_s:
                self._drop(handle)

    def _drop(self, handle: str) -> None:
        self._size -= self._entries.pop(handle).size

    def _handle(self, number: int) -> str:
        digest = blake2b(b"handle %d" % number, key=self._key, digest_size=5).digest()
        return f"{b32encode(digest).decode('ascii').lower()[:_TAG_CHARACTERS]}{number}"

    def _was_issued(self, handle: str) -> bool:
        number = handle[_TAG_CHARACTERS:]
        if not (number.isdecimal() and number.isascii() and len(number) <= len(str(self._issued))):
            return False
        return 1 <= int(number) <= self._issued and handle == self._handle(int(number))


def _shorten(text: str, limit: int) -> str:
    return text[: cut(text, 0, limit)] if limit > 0 else ""
