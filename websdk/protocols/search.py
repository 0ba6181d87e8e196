"""Roles of searching."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date, datetime
from typing import Protocol, runtime_checkable

from websdk.credentials import Secret
from websdk.errors import ProviderError
from websdk.model.filters import Adjustment, FilterKey, FilterOutcome, Filters
from websdk.model.search import SearchAnswer, SearchPlan, SearchRequest
from websdk.protocols.call import Call
from websdk.wire.message import HttpRequest, HttpResponse, Pause


@runtime_checkable
class WebSearchProvider(Protocol):
    """Anything that searches.

    A provider that cannot apply a filter in full names it; an empty tuple claims that every asked filter restricts the
    result by its whole value.
    """

    @property
    def id(self) -> str:
        """Id by which calls name the provider."""
        ...

    @property
    def filter_keys(self) -> frozenset[FilterKey]:
        """Filters of which the provider can apply at least some values."""
        ...

    def unsupported_filters(self, filters: Filters) -> tuple[FilterKey, ...]:
        """Name every filter of *filters* whose value would not restrict the result in full."""
        ...

    async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
        """Search once, within the deadline of *call*."""
        ...


@runtime_checkable
class ExplainsFilters(Protocol):
    """A provider that says what becomes of each filter, not only which fall short."""

    def filter_outcomes(self, filters: Filters) -> tuple[FilterOutcome, ...]:
        """Return exactly one outcome for each asked filter."""
        ...


@runtime_checkable
class PlansSearches(Protocol):
    """A provider that can say beforehand what it would send."""

    def plan(self, request: SearchRequest, *, today: date) -> SearchPlan:
        """Return the first wire request and what would become of each filter; nothing is sent."""
        ...


Exchange = Generator[HttpRequest | Pause, HttpResponse | None, SearchAnswer]
"""Yields what to send or how long to pause, receives each reply (``None`` after a pause), returns the answer."""


class SearchCodec(Protocol):
    """The pure half of an HTTP search provider: requests out, replies in, no I/O."""

    @property
    def id(self) -> str:
        """Id of the provider."""
        ...

    @property
    def filter_keys(self) -> frozenset[FilterKey]:
        """Filters of which the vendor can apply at least some values."""
        ...

    def explain(
        self, request: SearchRequest, *, today: date
    ) -> tuple[tuple[FilterOutcome, ...], tuple[Adjustment, ...]]:
        """Return one outcome for each asked filter, and every value that is sent differently.

        Raises:
            InvalidRequest: The vendor has no such request, such as a page past its last.
        """
        ...

    def exchange(self, request: SearchRequest, *, today: date) -> Exchange:
        """Run one search as a generator; see :data:`Exchange`."""
        ...

    def classify(self, response: HttpResponse, *, now: datetime) -> ProviderError | None:
        """Return the failure that *response* means, or ``None`` for a success."""
        ...


@runtime_checkable
class PreviewsRequests(Protocol):
    """A codec that can show its first request although something it needs is not configured yet."""

    def preview(self, request: SearchRequest, *, today: date) -> HttpRequest:
        """Return the unsigned request, with the names of what is missing in angle brackets; nothing may send it.

        Raises:
            ConfigurationError: Not even its address is known.
        """
        ...


@runtime_checkable
class BelongsToFamily(Protocol):
    """A provider that says which kind of sources it searches; one that does not say searches the web."""

    @property
    def family(self) -> str:
        """``web`` or ``code``."""
        ...


@runtime_checkable
class RunsThroughServers(Protocol):
    """A provider whose calls run through MCP servers of the host.

    A session neither reuses its answers nor shares its running requests, and never lets it cool down, so that the
    host's own permission and result handling sees every call.
    """

    @property
    def servers(self) -> tuple[str, ...]:
        """Names of the servers that have to run for a call."""
        ...


class AuthScheme(Protocol):
    """Writes a credential into a request. Pure."""

    def sign(self, request: HttpRequest, secret: Secret, now: datetime) -> HttpRequest:
        """Return *request* with *secret* in its place."""
        ...


class CredentialSource(Protocol):
    """Where a credential comes from; asked on each call and kept until it expires."""

    async def get(self, call: Call) -> Secret:
        """Return the credential.

        Raises:
            CredentialRejected: There is none.
        """
        ...
