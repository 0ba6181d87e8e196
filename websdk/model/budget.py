"""What is left of a budget."""

from __future__ import annotations

from datetime import datetime

import attrs


@attrs.frozen(kw_only=True)
class BudgetSnapshot:
    """What an invocation may still spend.

    Attributes:
        calls_left: Searches that may still be sent.
        sources_left: Sources that may still be admitted.
        as_of: Aware moment of the count.
    """

    calls_left: int
    sources_left: int
    as_of: datetime
