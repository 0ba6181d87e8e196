"""How much of an answer a model is shown at once."""

from __future__ import annotations

from typing import Any

import attrs

# Below this the sentences that an answer owes (what was left out, how to go on) would crowd out every result.
LEAST_CHARACTERS = 1_000


def _from(minimum: int) -> Any:
    def check(instance: object, attribute: attrs.Attribute[int], value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
            raise ValueError(f"{attribute.name} is a whole number from {minimum:,}")

    return check


@attrs.frozen(kw_only=True)
class PreviewOptions:
    """Bounds of one answer as a model reads it, each for the text and for the structured form alike.

    Attributes:
        max_characters: Code points of the whole answer, JSON escapes included.
        excerpt: Code points of one excerpt.
        excerpts: Code points of all excerpts of an answer together, shared evenly; more is one ref away. Ten results
            with long passages then take about half of ``max_characters``.
        notices: Code points of all notices together; whole ones only, the rest is counted.
        answer: Code points of a text that a vendor or model wrote about the results.
    """

    max_characters: int = attrs.field(default=8_000, validator=_from(LEAST_CHARACTERS))
    excerpt: int = attrs.field(default=400, validator=_from(1))
    excerpts: int = attrs.field(default=1_700, validator=_from(1))
    notices: int = attrs.field(default=1_200, validator=_from(0))
    answer: int = attrs.field(default=800, validator=_from(0))
