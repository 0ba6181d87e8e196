"""What an `add` did."""

from __future__ import annotations

from collections import Counter

import attrs

from websdk_index.bounds import MAX_NAMED_REFUSALS


@attrs.frozen(kw_only=True)
class Refusal:
    """A page that was left out.

    Attributes:
        name: Its path below the folder, or its address.
        reason: Why, as the end of a sentence that begins with the name.
    """

    name: str
    reason: str


@attrs.define
class Report:
    """What became of every page of one run.

    Attributes:
        added: Pages that were not there before.
        updated: Pages that replace an older version.
        unchanged: Pages that were as before.
        removed: Pages whose file is gone or was refused.
        refused: How many pages were left out.
        refusals: The first 1,000 of them by name.
        skipped: Entries of the folder that are no pages, by kind.
    """

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    refused: int = 0
    refusals: list[Refusal] = attrs.field(factory=list)
    skipped: Counter[str] = attrs.field(factory=Counter)

    def refuse(self, name: str, reason: str) -> None:
        """Count a page that was left out."""
        self.refused += 1
        if len(self.refusals) < MAX_NAMED_REFUSALS:
            self.refusals.append(Refusal(name=name, reason=reason))

    def include(self, other: Report, *, under: str | None = None) -> None:
        """Add the counts and names of *other*, its names under that of its folder where one is given."""
        self.added += other.added
        self.updated += other.updated
        self.unchanged += other.unchanged
        self.removed += other.removed
        self.skipped.update(other.skipped)
        for refusal in other.refusals:
            self.refuse(refusal.name if under is None else f"{under}: {refusal.name}", refusal.reason)
        self.refused += other.refused - len(other.refusals)
