"""Bounds of the evidence that one session keeps."""

from __future__ import annotations

import attrs

from websdk.model.bounds import above_zero, whole


@attrs.frozen(kw_only=True)
class EvidenceOptions:
    """Bounds of the evidence that one session keeps.

    Attributes:
        entries: Answers kept at once; an agent goes back to its last few searches.
        bytes: UTF-8 bytes of everything kept, names and addresses included.
        results: Results kept of one answer.
        passage_characters: Code points kept of one passage.
        entry_characters: Code points of all passages of one answer.
        metadata_characters: Code points kept of a title or another field beside the passage; addresses are kept whole.
        idle_s: Seconds an entry lives without being read.
        lifetime_s: Seconds an entry lives at most, however often it is read, because the web moves on.
    """

    entries: int = attrs.field(default=32, validator=whole(1))
    bytes: int = attrs.field(default=8 * 1024 * 1024, validator=whole(1))
    results: int = attrs.field(default=256, validator=whole(1))
    passage_characters: int = attrs.field(default=64_000, validator=whole(1))
    entry_characters: int = attrs.field(default=256_000, validator=whole(1))
    metadata_characters: int = attrs.field(default=1_000, validator=whole(1))
    idle_s: float = attrs.field(default=600.0, validator=above_zero)
    lifetime_s: float = attrs.field(default=3_600.0, validator=above_zero)
