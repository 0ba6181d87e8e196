"""The store under any sequence of calls: bounds hold, and every stored character is read exactly once."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule

from websdk.errors import RefExpired
from websdk.evidence import Cursors, EvidenceOptions, EvidenceStore, Passage
from websdk.model.graphemes import cut

OPTIONS = EvidenceOptions(
    entries=3,
    bytes=9_000,
    results=4,
    passage_characters=300,
    entry_characters=500,
    metadata_characters=20,
    idle_s=10,
    lifetime_s=25,
)
pieces = st.sampled_from(["word ", "é", "e\u0301", "\U0001f468\u200d\U0001f469", "\n", '"', "x" * 40, "漢字"])
texts = st.lists(pieces, max_size=60).map("".join)


class EvidenceMachine(RuleBasedStateMachine):
    entries = Bundle("entries")

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0
        clock = SimpleNamespace(monotonic=lambda: self.seconds)
        self.store = EvidenceStore(OPTIONS, clock=clock, key=b"machine")
        self.cursors = Cursors(b"machine")
        self.born: dict[str, float] = {}
        self.read: dict[str, float] = {}

    @rule(target=entries, texts=st.lists(texts, max_size=6))
    def put(self, texts):
        entry = self.store.put(Passage(url="https://a.example/", title="t" * 30, text=text) for text in texts)
        if entry is None:
            assert not texts
            return multiple()
        assert all(kept.text == text[: len(kept.text)] for kept, text in zip(entry.passages, texts, strict=False))
        self.born.setdefault(str(entry.ref), self.seconds)
        self.read[str(entry.ref)] = self.seconds
        return entry

    @rule(seconds=st.sampled_from([0.5, 4.0, 9.5]))
    def wait(self, seconds):
        self.seconds += seconds

    @rule(entry=entries, limit=st.integers(1, 50))
    def read_to_the_end(self, entry, limit):
        name = str(entry.ref)
        due = self.seconds - self.read[name] >= OPTIONS.idle_s or self.seconds - self.born[name] >= OPTIONS.lifetime_s
        try:
            found = self.store.entry(entry.ref)
        except RefExpired:
            return
        assert not due
        self.store.touch(found)
        self.read[name] = self.seconds
        for number, passage in enumerate(found.passages, start=1):
            assert passage.text == self._walk(found.ref.of(number), passage.text, limit)

    def _walk(self, ref, text, limit):
        read, position = [], 0
        while position < len(text):
            end = cut(text, position, limit)
            read.append(text[position:end])
            if end == len(text):
                break
            position = self.cursors.position(ref, self.cursors.at(ref, end), length=len(text))
            assert position == end
        return "".join(read)

    @invariant()
    def bounds_hold(self):
        entries = list(self.store._entries.values())
        assert len(entries) <= OPTIONS.entries
        assert self.store.size == sum(passage.size for entry in entries for passage in entry.passages)
        assert self.store.size <= OPTIONS.bytes
        for entry in entries:
            assert len(entry.passages) <= OPTIONS.results
            assert sum(len(passage.text) for passage in entry.passages) <= OPTIONS.entry_characters
            for passage in entry.passages:
                assert len(passage.text) <= OPTIONS.passage_characters
                assert len(passage.title) <= OPTIONS.metadata_characters


TestEvidence = EvidenceMachine.TestCase
