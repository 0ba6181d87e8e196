"""What a session needs of a client: one search, one page, and who is there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import attrs

from websdk.model.budget import BudgetSnapshot
from websdk.model.document import Document, FetchRequest, Via
from websdk.model.effort import Family
from websdk.model.intent import Intent
from websdk.model.search import SearchRequest, SearchResponse

Spend = Callable[[], Awaitable[None]]


@attrs.frozen(kw_only=True)
class Source:
    """A search provider that can be used, as a session sees it.

    Attributes:
        id: Its id.
        family: What kind of sources it searches.
        servers: MCP servers that have to run for it.
        shares: Whether its answers may be reused and its running requests joined. Not so for a provider whose every
            call must pass the host's own permission and result handling; such a one never cools down here either.
    """

    id: str
    family: Family = Family.WEB
    servers: tuple[str, ...] = ()
    shares: bool = True


@attrs.frozen(kw_only=True)
class CallOptions:
    """How one contact is made.

    Attributes:
        timeout_s: Wall-clock seconds.
        spend: Debits a budget; awaited as the last step before bytes leave, and its refusal sends nothing.
    """

    timeout_s: float
    spend: Spend | None = None


@attrs.frozen(kw_only=True)
class Answered:
    """One provider's answer.

    Attributes:
        response: The answer, admitted and accounted for.
        warned: Whether the vendor had something to say about it, or part of it is missing.
    """

    response: SearchResponse
    warned: bool = False


class Backend(Protocol):
    """What a session needs of a client. Nothing here asks permission: the session does, before each contact."""

    def sources(self) -> Sequence[Source]:
        """Return the search providers that are configured and can be used, in the operator's order."""
        ...

    def readers(self) -> Sequence[str]:
        """Return the readers of the ``proxy`` rung in the operator's order; more than one only where a chain is set."""
        ...

    def rungs(self) -> Sequence[Via]:
        """Return the ways to read a page that exist, the usual one first."""
        ...

    def reached(self, via: Via) -> Sequence[Via]:
        """Return every way by which a read over *via* contacts somebody, *via* itself first.

        ``local`` stands beside another one where this machine asks the origin of a page for an index.
        """
        ...

    async def identity(self, recipient: str, key: bytes) -> str:
        """Return what tells this use of *recipient* from another: its settings and its credential's fingerprint.

        Args:
            recipient: A provider or reader; empty for the local rung.
            key: What fingerprints are keyed with.

        Raises:
            CredentialRejected: Its credential cannot be had.
        """
        ...

    def search_intent(self, provider: str, request: SearchRequest) -> Intent:
        """Return what a search is about to do."""
        ...

    def fetch_intent(self, request: FetchRequest) -> Intent:
        """Return what a page read is about to do."""
        ...

    async def search_one(self, provider: str, request: SearchRequest, *, options: CallOptions) -> Answered:
        """Search once at one provider.

        Raises:
            WebSdkError: It failed.
        """
        ...

    async def fetch_one(self, request: FetchRequest, *, options: CallOptions) -> Document:
        """Read one page over one rung.

        Raises:
            WebSdkError: It failed.
        """
        ...


class Allowance(Protocol):
    """The budget that one invocation may spend; several may be open over one session."""

    async def spend_call(self, recipient: str) -> None:
        """Debit one search at *recipient*.

        Raises:
            BudgetExhausted: None is left.
        """
        ...

    async def claim(self, urls: Sequence[str]) -> Sequence[bool]:
        """Claim a place for each source in one step, and tell which got one; an address seen before costs nothing."""
        ...

    def snapshot(self) -> BudgetSnapshot:
        """Return what is left."""
        ...
