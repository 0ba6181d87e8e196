"""The asynchronous client: the order of a call, in one place."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, get_args
from weakref import WeakSet

from websdk.budget.candidates import EnforceFilters
from websdk.client.account import answered, intent_of, page_intent, planned, respond
from websdk.client.clock import SystemClock
from websdk.client.credentials import Credential, sources_of
from websdk.client.guard import PageGuard
from websdk.client.parts import Parts
from websdk.client.reading import PageReading
from websdk.client.runtime import PAGES, Runtimes
from websdk.errors import ConfigurationError, FiltersUnsupported, InvalidRequest, WebSdkError
from websdk.model.bounds import is_finite
from websdk.model.connection import Connection
from websdk.model.document import Document, FetchRequest, Via
from websdk.model.filters import Filters
from websdk.model.intent import Intent
from websdk.model.search import SearchPlan, SearchRequest, SearchResponse
from websdk.plugins.host import PluginHost
from websdk.protocols.call import Call, Clock
from websdk.protocols.given import require_callable, require_kind
from websdk.protocols.permission import Authorize, require_permission
from websdk.protocols.search import WebSearchProvider
from websdk.protocols.state import SharedState
from websdk.protocols.transport import Connector, Resolver, Transport
from websdk.search.http_provider import HttpSearchProvider
from websdk.settings import OnUnsupported, Settings
from websdk.tools.surface import Style, Surface

if TYPE_CHECKING:
    from websdk.fetch import Ladder
    from websdk.session import AsyncSession, Judge


T = TypeVar("T")


def _new_call_id() -> str:
    return secrets.token_hex(8)


def _one_of(words: Any, name: str, given: T | None, otherwise: T) -> T:
    """Return *given*, or *otherwise* where nothing was given; a word that nobody knows must not pass for the default.

    Raises:
        InvalidRequest: *given* is none of *words*.
    """
    if given is None:
        return otherwise
    if given not in get_args(words):
        raise InvalidRequest(f"{name} is one of {', '.join(get_args(words))}")
    return given


class AsyncClient:
    """Searches the web and reads pages.

    Used as ``async with AsyncClient() as client`` it keeps connections between calls; used plainly it closes them after
    each call, so that one client may serve several event loops, in turn or at once.

    Args:
        settings: What is configured; ``None`` for the defaults, which read neither file nor environment.
        plugins: Plugin objects or modules beside the installed ones.
        credentials: Credentials by the name of a vendor, a connection or a credential of settings.
        transport: Carries vendor calls in place of the client's own; page reads never use it.
        state: Where reuse and cooldowns live for sessions; ``None`` keeps them in each session.
        authorize: The embedder's permission function, asked before each contact.
        resolver: Turns host names of pages into addresses; ``None`` for the system's.
        connector: Opens connections to judged addresses; ``None`` for the system's.
        clock: Where time comes from; ``None`` for the machine's.

    Raises:
        ConfigurationError: Settings, a preset or a plugin cannot be used, or an argument is not of its kind.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        plugins: Sequence[object] = (),
        credentials: Mapping[str, Credential] | None = None,
        transport: Transport | None = None,
        state: SharedState | None = None,
        authorize: Authorize | None = None,
        resolver: Resolver | None = None,
        connector: Connector | None = None,
        clock: Clock | None = None,
    ) -> None:
        require_kind("settings", settings, Settings, "a Settings value")
        require_kind("plugins", plugins, Sequence, "a list of plugins")
        require_kind("transport", transport, Transport, "a Transport, such as HttpxTransport(client)")
        require_kind("state", state, SharedState, "a SharedState, such as MemoryState")
        require_callable("authorize", authorize)
        require_kind("resolver", resolver, Resolver, "a Resolver")
        require_kind("connector", connector, Connector, "a Connector")
        require_kind("clock", clock, Clock, "a Clock")
        self.settings = settings if settings is not None else Settings()
        self._plugins = tuple(plugins)
        self._given = sources_of(credentials)
        self._foreign = transport
        self._state = state
        self._authorize = authorize
        self._clock: Clock = clock if clock is not None else SystemClock()
        self._new_id: Callable[[], str] = _new_call_id
        self._runtimes = Runtimes(self._make_transport)
        self._guard = PageGuard(self.settings.egress, resolver=resolver, connector=connector)
        self._parts = self._assemble()
        self._reading = PageReading(self._parts)
        self._sessions: WeakSet[AsyncSession] = WeakSet()

    # -- life --------------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._runtimes.keep()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close every connection and end every worker of the running loop; the client may be used again."""
        for session in list(self._sessions):
            await session.end_work()
        await self._reading.aclose_rungs()
        await self._runtimes.aclose()
        await self._reading.aclose_workers()

    # -- search ------------------------------------------------------------------------------------------------------

    async def search(
        self,
        request: SearchRequest | str,
        *,
        provider: str | None = None,
        max_results: int | None = None,
        page: int | None = None,
        filters: Filters | None = None,
        on_unsupported: OnUnsupported | None = None,
        enforce_filters: EnforceFilters | None = None,
        timeout_s: float | None = None,
    ) -> SearchResponse:
        """Search once, at one provider.

        Args:
            request: The query, or a whole request; a whole request takes none of its fields beside it.
            provider: Id of the provider; ``None`` for the one that settings name.
            max_results: How many results at most, from 1.
            page: Which page, from 1.
            filters: What the search is narrowed by.
            on_unsupported: ``report`` or ``refuse`` for filters that cannot be applied in full.
            enforce_filters: ``flag`` or ``drop`` for results that break an asked filter.
            timeout_s: Wall-clock seconds for everything.

        Returns:
            Results in the provider's order, and exactly one outcome for each asked filter.

        Raises:
            InvalidRequest: The values do not make a request, or the vendor has no such request.
            ConfigurationError: No provider is named, or there is none of that name.
            FiltersUnsupported: A filter cannot be applied in full and the caller wanted a refusal; nothing was sent.
            NotAuthorized: The permission function refused; nothing was sent.
            ProviderError: The vendor, the connection or the credential failed.
            DeadlineExceeded: The time ran out.
        """
        wanted = self._search_request(request, max_results=max_results, page=page, filters=filters)
        response, _ = await self._search_at(
            self._parts.provider(self._provider_name(provider)),
            wanted,
            authorize=self._authorize,
            on_unsupported=on_unsupported,
            enforce_filters=enforce_filters,
            timeout_s=timeout_s if timeout_s is not None else self.settings.search.timeout_s,
        )
        return response

    async def _search_at(
        self,
        chosen: WebSearchProvider,
        wanted: SearchRequest,
        *,
        timeout_s: float,
        authorize: Authorize | None = None,
        on_unsupported: OnUnsupported | None = None,
        enforce_filters: EnforceFilters | None = None,
        spend: Callable[[], Awaitable[None]] | None = None,
    ) -> tuple[SearchResponse, bool]:
        """Search once at a provider of this client; :meth:`search` and sessions are made of it.

        Args:
            chosen: The provider.
            wanted: What to look for.
            timeout_s: Wall-clock seconds for everything.
            authorize: The permission function; ``None`` where permission was asked before.
            on_unsupported: As for :meth:`search`.
            enforce_filters: As for :meth:`search`.
            spend: Debits a budget, as the last step before bytes leave.

        Returns:
            The answer, and whether the vendor had something to say about it or part of it is missing.
        """
        refuses = _one_of(OnUnsupported, "on_unsupported", on_unsupported, self.settings.search.on_unsupported)
        enforce = _one_of(EnforceFilters, "enforce_filters", enforce_filters, self.settings.search.enforce_filters)
        call = self._call("search", timeout_s)
        call.spend = spend
        today = call.clock.now().date()
        plan = planned(chosen, wanted, today)
        if refuses == "refuse" and plan.unsupported_filters:
            raise FiltersUnsupported(
                f"{chosen.id} cannot apply in full: {', '.join(plan.unsupported_filters)}",
                keys=plan.unsupported_filters,
                outcomes=plan.filter_outcomes,
                call_id=call.id,
            )
        try:
            async with self._runtimes.in_use(), call.within_deadline():
                await require_permission(authorize, intent_of(plan, wanted), call_id=call.id)
                if not isinstance(chosen, HttpSearchProvider):
                    await call.pay()  # what a provider of another make sends is its own affair
                answer = await answered(chosen, wanted, call)
        except WebSdkError as error:
            error.call_id = error.call_id or call.id
            call.emit("search.failed", provider=chosen.id, error=type(error).__name__, sent=error.sent)
            raise
        response = respond(
            answer,
            plan,
            wanted,
            receipt=call.receipt(chosen.id),
            today=today,
            enforce=enforce,
            limits=self.settings.limits,
        )
        call.emit("search.finished", provider=chosen.id, results=len(response.results), elapsed_s=call.elapsed_s())
        return response, bool(answer.notices) or answer.incomplete

    def plan(
        self,
        request: SearchRequest | str,
        *,
        provider: str | None = None,
        max_results: int | None = None,
        page: int | None = None,
        filters: Filters | None = None,
    ) -> SearchPlan:
        """Tell what :meth:`search` would send and what would become of each filter; nothing is sent.

        Raises:
            InvalidRequest: The values do not make a request, or the vendor has no such request.
            ConfigurationError: No provider is named, or there is none of that name.
        """
        wanted = self._search_request(request, max_results=max_results, page=page, filters=filters)
        chosen = self._parts.provider(self._provider_name(provider))
        return planned(chosen, wanted, self._clock.now().date())

    # -- fetch -------------------------------------------------------------------------------------------------------

    async def fetch(
        self,
        request: FetchRequest | str,
        *,
        via: Via | str | None = None,
        provider: str | None = None,
        max_characters: int | None = None,
        timeout_s: float | None = None,
    ) -> Document:
        """Read one page as Markdown, over the one rung that is named.

        Args:
            request: The address, or a whole request; a whole request takes none of its fields beside it.
            via: ``local`` (default), ``proxy`` or ``render``.
            provider: The reader of the ``proxy`` rung; ``None`` for the one that settings name.
            max_characters: How long the text may be, notice included; ``None`` for the setting.
            timeout_s: Wall-clock seconds for everything, extraction included; ``None`` for the setting.

        Raises:
            InvalidRequest: The values do not make a request, or the rung does not exist here.
            EgressRefused: The guard refused the address; nothing was sent.
            NotAuthorized: The permission function refused; nothing was sent.
            FetchError: The page did not come, or holds nothing to read.
            ProviderError: The reader vendor failed.
            DeadlineExceeded: The time ran out.
        """
        if isinstance(request, FetchRequest):
            if (via, provider, max_characters) != (None, None, None):
                raise InvalidRequest("give a FetchRequest or its fields, not both")
            wanted = request
        else:
            wanted = FetchRequest(url=request, via=via or Via.LOCAL, provider=provider, max_characters=max_characters)
        seconds = timeout_s if timeout_s is not None else self.settings.fetch.deadline_s
        return await self._fetch_over(self._reading.ladder, wanted, timeout_s=seconds, authorize=self._authorize)

    async def _fetch_over(
        self,
        ladder: Ladder,
        wanted: FetchRequest,
        *,
        timeout_s: float,
        authorize: Authorize | None = None,
        for_evidence: bool = False,
    ) -> Document:
        """Read one page with a ladder of this client; :meth:`fetch` and sessions are made of it.

        Args:
            ladder: The rungs.
            wanted: The page and the rung.
            timeout_s: Wall-clock seconds for everything, extraction included.
            authorize: The permission function; ``None`` where permission was asked before.
            for_evidence: Whether the page is kept as evidence.
        """
        call = self._call("fetch", timeout_s)
        call.for_evidence = for_evidence
        try:
            async with self._runtimes.in_use(), call.within_deadline():
                await require_permission(authorize, page_intent(wanted), call_id=call.id)
                return await ladder.read(wanted, call=call)
        except WebSdkError as error:
            error.call_id = error.call_id or call.id
            call.emit("fetch.failed", via=str(wanted.via), error=type(error).__name__, sent=error.sent)
            raise

    # -- sessions ----------------------------------------------------------------------------------------------------

    def session(
        self,
        *,
        credentials: Mapping[str, Credential] | None = None,
        scope: str | None = None,
        style: Style | str = Style.UNIFIED,
        authorize: Authorize | None = None,
        judge: Judge | None = None,
        state: SharedState | None = None,
    ) -> AsyncSession:
        """Open a session: the cheap object of one tenant, on which an agent's tools sit.

        Args:
            credentials: The tenant's own credentials by name; where it has none, the client's serve.
            scope: Whose the session is in a state that several share; ``None`` for a scope that nobody else has.
            style: ``unified`` for one tool, ``pair`` for ``web_search`` and ``web_fetch``.
            authorize: The permission function; ``None`` for the client's.
            judge: Sees results before anything else is done with them and returns those to keep.
            state: Where reuse, running requests and pauses live; ``None`` for the client's ``state``, and where that is
                not given either, for one that dies with the session.

        Raises:
            ConfigurationError: Settings or a plugin cannot be used, or an argument is not of its kind.
            InvalidRequest: The style is none.
        """
        if style not in tuple(Style):
            raise InvalidRequest(f"style is one of {', '.join(Style)}")
        from websdk.client.sessions import ClientBackend, session_options
        from websdk.session import AsyncSession

        parts = self._parts if not credentials else self._parts.for_tenant(sources_of(credentials))
        backend = ClientBackend(self, parts, self._reading.ladder_of(parts))
        rungs = tuple(backend.rungs())
        opened = AsyncSession(
            backend,
            surface=Surface(search=bool(backend.sources()), fetch=bool(rungs), rungs=rungs, style=Style(style)),
            clock=self._clock,
            options=session_options(self.settings),
            scope=scope,
            state=state if state is not None else self._state,
            authorize=authorize if authorize is not None else self._authorize,
            judge=judge,
        )
        self._sessions.add(opened)
        return opened

    def _search_intent(self, provider: WebSearchProvider, request: SearchRequest) -> Intent:
        """Return what a search at *provider* is about to do."""
        return intent_of(planned(provider, request, self._clock.now().date()), request)

    def _fetch_intent(self, request: FetchRequest) -> Intent:
        """Return what a page read is about to do."""
        return page_intent(request)

    # -- parts -------------------------------------------------------------------------------------------------------

    @property
    def parts(self) -> Parts:
        """The client's providers, rungs and plugins, for listings and readiness."""
        return self._parts

    def _search_request(
        self, request: SearchRequest | str, *, max_results: int | None, page: int | None, filters: Filters | None
    ) -> SearchRequest:
        if isinstance(request, SearchRequest):
            if (max_results, page, filters) != (None, None, None):
                raise InvalidRequest("give a SearchRequest or its fields, not both")
            return request
        return SearchRequest(
            query=request,
            max_results=max_results if max_results is not None else self.settings.search.max_results,
            page=page if page is not None else 1,
            filters=filters if filters is not None else Filters(),
        )

    def _provider_name(self, given: str | None) -> str:
        if given is not None and not isinstance(given, str):
            raise InvalidRequest("provider is the id of a provider, a text")
        name = given or self.settings.search.provider
        if name:
            return name
        from websdk.client.advice import no_provider

        raise ConfigurationError(no_provider(self._parts))

    def _call(self, operation: str, deadline_s: float) -> Call:
        """Return the record of a call that begins now.

        Raises:
            InvalidRequest: The deadline is no finite number.
        """
        if not is_finite(deadline_s):
            raise InvalidRequest("timeout_s is a finite number of seconds")
        return Call.start(
            id=self._new_id(), operation=operation, clock=self._clock, deadline_s=deadline_s, sink=self._parts.host.emit
        )

    def _assemble(self) -> Parts:
        host = PluginHost(
            selected=self.settings.plugins,
            blocked=self.settings.plugins_blocked,
            on_error=self.settings.on_plugin_error,
            preset_folders=self.settings.presets,
            explicit=self._plugins,
        )
        return Parts(
            self.settings,
            host,
            self._runtimes,
            clock=self._clock,
            guard=self._guard,
            credentials=self._given,
            transport=self._foreign,
        )

    def _make_transport(self, connection: Connection) -> Transport:
        """Return a transport of the running loop: page reads are pinned to judged addresses, vendors dialled freely."""
        from websdk.transport import HttpTransport, page_transport

        if connection.name == PAGES:
            return page_transport(connection, pinned=self._guard.backend, direct=self._guard.direct())
        return HttpTransport(connection, backend=self._guard.direct())
