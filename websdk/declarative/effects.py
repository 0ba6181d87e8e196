"""What becomes of a filter, as a value: what goes out for it, or why nothing does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from websdk.model.filters import Adjustment, FilterKey, FilterOutcome, FilterStatus


@attrs.frozen(kw_only=True)
class Miss:
    """Nothing goes out for a filter.

    Attributes:
        reason: Why, in one sentence.
    """

    reason: str


@attrs.frozen(kw_only=True)
class Effect:
    """What goes out for a filter.

    Attributes:
        sent: The value as ``place=value``; ``None`` where it is decided here.
        status: How far it restricts the result.
        reason: Why it does so in part only.
        writes: Values by place.
        operators: Texts that follow the query.
        terms: Terms of the filter expression.
        language: The language that stands in the host.
        topic: The topic that is asked or answered elsewhere.
        adjustment: A value that was mapped to a wider or narrower one.
        caveat: What the vendor may do in spite of the filter.
    """

    sent: str | None
    status: FilterStatus = FilterStatus.APPLIED
    reason: str | None = None
    writes: tuple[tuple[str, Any], ...] = ()
    operators: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    language: str | None = None
    topic: str | None = None
    adjustment: Adjustment | None = None
    caveat: str | None = None


Found = Effect | Miss


@attrs.frozen(kw_only=True)
class Decisions:
    """What becomes of all asked filters, in the order of :class:`FilterKey`."""

    found: Mapping[FilterKey, Found]

    def effects(self) -> tuple[Effect, ...]:
        """Return what goes out; one effect that serves two filters stands once."""
        effects: list[Effect] = []
        for item in self.found.values():
            if isinstance(item, Effect) and not any(item is earlier for earlier in effects):
                effects.append(item)
        return tuple(effects)

    def outcomes(self) -> tuple[FilterOutcome, ...]:
        """Return one outcome for each asked filter."""
        return tuple(_outcome(key, item) for key, item in self.found.items())

    def adjustments(self) -> tuple[Adjustment, ...]:
        """Return the values that were mapped to wider or narrower ones."""
        return tuple(effect.adjustment for effect in self.effects() if effect.adjustment is not None)

    def caveats(self) -> tuple[str, ...]:
        """Return what the vendor may do in spite of the filters."""
        return tuple(dict.fromkeys(effect.caveat for effect in self.effects() if effect.caveat is not None))


def _outcome(key: FilterKey, item: Found) -> FilterOutcome:
    if isinstance(item, Miss):
        return FilterOutcome(key=key, status=FilterStatus.UNSUPPORTED, reason=item.reason)
    return FilterOutcome(key=key, status=item.status, sent=item.sent, reason=item.reason)
