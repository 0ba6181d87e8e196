"""What a client is to its sessions: single searches and page reads for which permission was asked elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from websdk.client.runtime import PAGES
from websdk.errors import ConfigurationError
from websdk.fetch.proxy import HttpReader
from websdk.model.convert import to_dict
from websdk.model.document import Document, FetchRequest, Via
from websdk.model.effort import Family
from websdk.model.intent import Intent
from websdk.model.search import SearchRequest
from websdk.protocols.search import BelongsToFamily, CredentialSource, RunsThroughServers, WebSearchProvider
from websdk.reuse import credential_fingerprint, fingerprint
from websdk.search.http_provider import HttpSearchProvider
from websdk.session import Answered, CallOptions, SessionOptions, Source

if TYPE_CHECKING:
    from websdk.client.asynchronous import AsyncClient
    from websdk.client.parts import Parts
    from websdk.fetch import Ladder
    from websdk.settings import Settings


def session_options(settings: Settings) -> SessionOptions:
    """Return the bounds of a session that *settings* make."""
    return SessionOptions(
        max_results=settings.search.max_results,
        search_timeout_s=settings.search.timeout_s,
        fetch_timeout_s=settings.fetch.deadline_s,
        page_characters=settings.fetch.max_characters,
        evidence=settings.evidence,
        fit=settings.fit,
        preview=settings.preview,
        reuse=settings.reuse,
    )


class ClientBackend:
    """A client as a session's :class:`~websdk.session.Backend`.

    Args:
        client: Makes the calls.
        parts: Its parts, or parts with credentials of one tenant.
        ladder: Reads pages with these parts.
    """

    def __init__(self, client: AsyncClient, parts: Parts, ladder: Ladder) -> None:
        self._client = client
        self._parts = parts
        self._ladder = ladder

    def sources(self) -> Sequence[Source]:
        """Return the providers that settings name and that can be used, in order."""
        options = self._parts.settings.search
        if not options.enabled:
            return ()
        found = []
        for name in dict.fromkeys(filter(None, (options.provider, *options.chain))):
            try:
                provider = self._parts.provider(name)
            except ConfigurationError:
                continue  # readiness tells why; one that cannot be used takes no place
            if _is_usable(provider):
                found.append(self._source(name, provider))
        return found

    def readers(self) -> Sequence[str]:
        """Return the readers that settings name and that exist, in order."""
        options = self._parts.settings.fetch
        named = dict.fromkeys(filter(None, (options.proxy, *options.chain)))
        return tuple(name for name in named if self._parts.reads(name))

    def rungs(self) -> Sequence[Via]:
        """Return the rungs that exist; none where reading pages is off."""
        return self._ladder.rungs if self._parts.settings.fetch.enabled else ()

    def reached(self, via: Via) -> Sequence[Via]:
        """Return *via*, and ``local`` beside it where this machine asks origins for an index."""
        return (via,) if via is Via.LOCAL or not self._ladder.probes_origins else (via, Via.LOCAL)

    async def identity(self, recipient: str, key: bytes) -> str:
        """Return the fingerprint of everything but the request that decides what *recipient* answers."""
        settings = self._parts.settings
        if not recipient:
            pages = self._parts.connection(PAGES)
            return fingerprint(
                key, fetch=to_dict(settings.fetch), egress=to_dict(settings.egress), connection=to_dict(pages)
            )
        secret = None
        source = self._credential(recipient)
        if source is not None:
            secret = await source.get(self._client._call("credential", settings.search.timeout_s))
        return fingerprint(
            key,
            connection=to_dict(self._parts.connection(recipient)),
            credential=credential_fingerprint(key, secret),
            search=to_dict(settings.search),
            fetch=to_dict(settings.fetch),
            egress=to_dict(settings.egress),
            limits=to_dict(settings.limits),
        )

    def search_intent(self, provider: str, request: SearchRequest) -> Intent:
        """Return what a search at *provider* is about to do."""
        return self._client._search_intent(self._parts.provider(provider), request)

    def fetch_intent(self, request: FetchRequest) -> Intent:
        """Return what a page read is about to do."""
        return self._client._fetch_intent(request)

    async def search_one(self, provider: str, request: SearchRequest, *, options: CallOptions) -> Answered:
        """Search once at *provider*, asking nobody's permission."""
        response, warned = await self._client._search_at(
            self._parts.provider(provider), request, timeout_s=options.timeout_s, spend=options.spend
        )
        return Answered(response=response, warned=warned)

    async def fetch_one(self, request: FetchRequest, *, options: CallOptions) -> Document:
        """Read one page for the session to keep, asking nobody's permission."""
        return await self._client._fetch_over(self._ladder, request, timeout_s=options.timeout_s, for_evidence=True)

    def _source(self, name: str, provider: WebSearchProvider) -> Source:
        family = provider.family if isinstance(provider, BelongsToFamily) else self._parts.family(name)
        runs_elsewhere = isinstance(provider, RunsThroughServers)
        return Source(
            id=name,
            family=Family(family),
            servers=provider.servers if isinstance(provider, RunsThroughServers) else (),
            shares=not runs_elsewhere,
        )

    def _credential(self, recipient: str) -> CredentialSource | None:
        """Return where the credential of a provider or reader comes from; both have it from one vendor's connection."""
        if self._parts.reads(recipient):
            reader = self._parts.reader(recipient)
            if isinstance(reader, HttpReader):
                return reader.caller.credential
        try:
            provider = self._parts.provider(recipient)
        except ConfigurationError:
            provider = None
        if isinstance(provider, HttpSearchProvider):
            return provider.caller.credential
        return self._parts.credential(self._parts.connection(recipient))


def _is_usable(provider: WebSearchProvider) -> bool:
    if not isinstance(provider, HttpSearchProvider):
        return True
    return provider.caller.credential is not None or not provider.caller.needs_credential
