"""Values: frozen requests, answers and their parts.

Texts and numbers come in and are validated at this edge; nothing here does I/O.
"""

from websdk.model.budget import BudgetSnapshot
from websdk.model.connection import Connection
from websdk.model.document import Document, FetchRequest, Link, Via
from websdk.model.evidence import EvidencePage, PassageOrigin, Ref
from websdk.model.filters import (
    Adjustment,
    FilterKey,
    FilterOutcome,
    Filters,
    FilterStatus,
    Recency,
    SafeSearch,
    accounted,
    outcomes_from_keys,
    unsupported_keys,
)
from websdk.model.receipt import Attempt, Disclosure, Receipt, Usage
from websdk.model.search import (
    DEFAULT_MAX_RESULTS,
    ResultKind,
    SearchAnswer,
    SearchPlan,
    SearchRequest,
    SearchResponse,
    SearchResult,
    WireRequest,
)

__all__ = [
    "DEFAULT_MAX_RESULTS",
    "Adjustment",
    "Attempt",
    "BudgetSnapshot",
    "Connection",
    "Disclosure",
    "Document",
    "EvidencePage",
    "FetchRequest",
    "FilterKey",
    "FilterOutcome",
    "FilterStatus",
    "Filters",
    "Link",
    "PassageOrigin",
    "Receipt",
    "Recency",
    "Ref",
    "ResultKind",
    "SafeSearch",
    "SearchAnswer",
    "SearchPlan",
    "SearchRequest",
    "SearchResponse",
    "SearchResult",
    "Usage",
    "Via",
    "WireRequest",
    "accounted",
    "outcomes_from_keys",
    "unsupported_keys",
]
