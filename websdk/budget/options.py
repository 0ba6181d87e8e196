"""How much of an answer a model is shown at once."""

from __future__ import annotations

import attrs

from websdk.model.bounds import whole

# Below this the sentences that an answer owes (what was left out, how to go on) would crowd out every result.
LEAST_CHARACTERS = 1_000


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

    max_characters: int = attrs.field(default=8_000, validator=whole(LEAST_CHARACTERS))
    excerpt: int = attrs.field(default=400, validator=whole(1))
    excerpts: int = attrs.field(default=1_700, validator=whole(1))
    notices: int = attrs.field(default=1_200, validator=whole(0))
    answer: int = attrs.field(default=800, validator=whole(0))
