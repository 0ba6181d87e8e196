"""What an operator says of sessions; composed of the settings of other rooms."""

from __future__ import annotations

import attrs

from websdk.budget.fit import FitOptions
from websdk.budget.options import PreviewOptions
from websdk.evidence import EvidenceOptions
from websdk.model.bounds import above_zero, whole
from websdk.model.search import DEFAULT_MAX_RESULTS
from websdk.reuse import ReuseOptions


@attrs.frozen(kw_only=True)
class SessionOptions:
    """Bounds of a session's calls.

    Attributes:
        max_results: Results of a search that asks for no number, and the most that one may ask for.
        search_timeout_s: Wall-clock seconds of a search over all its providers.
        fetch_timeout_s: Wall-clock seconds of a call that reads pages, over all of them.
        page_characters: Length that is asked of a page, in code points; ``None`` where the reader's setting holds.
        evidence: Bounds of what is kept.
        fit: Outer bounds of an answer as it is serialised.
        preview: Bounds of what a model is shown at once.
        reuse: Bounds of what is given again.
    """

    max_results: int = attrs.field(default=DEFAULT_MAX_RESULTS, validator=whole(1))
    search_timeout_s: float = attrs.field(default=45.0, validator=above_zero)
    fetch_timeout_s: float = attrs.field(default=30.0, validator=above_zero)
    page_characters: int | None = attrs.field(default=None, validator=attrs.validators.optional(whole(1)))
    evidence: EvidenceOptions = attrs.field(factory=EvidenceOptions)
    fit: FitOptions = attrs.field(factory=FitOptions)
    preview: PreviewOptions = attrs.field(factory=PreviewOptions)
    reuse: ReuseOptions = attrs.field(factory=ReuseOptions)
