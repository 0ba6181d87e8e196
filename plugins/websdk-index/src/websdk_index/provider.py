"""The index as a search provider."""

from __future__ import annotations

import asyncio
import threading
from datetime import date
from pathlib import Path

from websdk.model import (
    Adjustment,
    FilterKey,
    FilterOutcome,
    Filters,
    SearchAnswer,
    SearchPlan,
    SearchRequest,
    unsupported_keys,
)
from websdk.protocols import Call
from websdk_index.bounds import MAX_RESULTS
from websdk_index.database import PROVIDER, Readers
from websdk_index.filters import APPLIED, outcomes_of
from websdk_index.location import default_file
from websdk_index.search import Query, search


class IndexProvider:
    """Searches an index file. Nothing leaves this machine, and nothing is created.

    Args:
        file: The index file; ``None`` for this person's own.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file or default_file()
        self._readers = Readers(self.file)

    def __repr__(self) -> str:
        return f"IndexProvider({str(self.file)!r})"

    @property
    def id(self) -> str:
        """Id by which calls name the provider."""
        return PROVIDER

    @property
    def filter_keys(self) -> frozenset[FilterKey]:
        """Filters that the index applies."""
        return APPLIED

    def filter_outcomes(self, filters: Filters) -> tuple[FilterOutcome, ...]:
        """Return exactly one outcome for each asked filter."""
        return outcomes_of(filters)

    def unsupported_filters(self, filters: Filters) -> tuple[FilterKey, ...]:
        """Name every filter of *filters* that would not restrict the result."""
        return unsupported_keys(outcomes_of(filters))

    def plan(self, request: SearchRequest, *, today: date) -> SearchPlan:
        """Say what would become of each filter; there is no wire request."""
        outcomes = outcomes_of(request.filters)
        return SearchPlan(
            provider=self.id,
            request=None,
            unsupported_filters=unsupported_keys(outcomes),
            filter_outcomes=outcomes,
            adjustments=_adjustments(request),
            notices=("the index lies on this machine; nothing is sent",),
        )

    async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
        """Search once, within the deadline of *call*; a search that nobody waits for any more is stopped.

        Raises:
            ConfigurationError: There is no index, or it cannot be used.
            Unavailable: It cannot be read now.
            DeadlineExceeded: The call's time ran out.
        """
        count = min(request.max_results, MAX_RESULTS)
        query = Query(
            text=request.query,
            filters=request.filters,
            first=(request.page - 1) * count,
            count=count,
            today=call.clock.now().date(),
        )
        stop = threading.Event()
        try:
            async with call.within_deadline():
                found = await asyncio.to_thread(search, self._readers, query, stop=stop)
        finally:
            stop.set()
        return SearchAnswer(
            results=found.results,
            filter_outcomes=outcomes_of(request.filters),
            adjustments=_adjustments(request),
            notices=found.notices,
            more=found.more,
        )


def _adjustments(request: SearchRequest) -> tuple[Adjustment, ...]:
    if request.max_results <= MAX_RESULTS:
        return ()
    return (
        Adjustment(
            what="max_results",
            asked=request.max_results,
            sent=MAX_RESULTS,
            reason="each result carries a whole page, so one search returns no more",
        ),
    )
