"""The session: what an agent's tools sit on. The order of a call is written here, once."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

import attrs

from websdk.budget.fit import preview_within
from websdk.errors import ConfigurationError, DeadlineExceeded, InvalidRequest, WebSdkError
from websdk.model.document import Via
from websdk.model.effort import Effort, Family
from websdk.model.evidence import EvidencePage, Ref
from websdk.model.filters import Filters
from websdk.model.intent import Intent
from websdk.model.reach import Reach
from websdk.model.search import SearchRequest, SearchResponse
from websdk.protocols.call import Clock
from websdk.protocols.given import require_callable, require_kind
from websdk.protocols.permission import Authorize
from websdk.protocols.state import SharedState
from websdk.session.backend import Allowance, Backend
from websdk.session.compose import ShownPages, ShownResults, show_pages, show_results
from websdk.session.contact import Contacts
from websdk.session.joined import ceiling
from websdk.session.options import SessionOptions
from websdk.session.pages import PageOutcome, PageReader
from websdk.session.searching import Judge, Searcher
from websdk.session.shelf import Shelf, Shown, passage_from_document, passage_from_result
from websdk.state import MemoryState
from websdk.tools import PagesCall, RefCall, SearchCall, Surface, ToolResult, read_arguments

Randomness = Callable[[int], bytes]
_KEY_BYTES = 32
_MARK_BYTES = 4  # a page is written before the mark is drawn, and an answer has one


class AsyncSession:
    """The cheap object of one tenant: it owns evidence, and its calls share and reuse work.

    Made by ``client.session(...)``. Everything is in memory, and refs die with the session.

    Args:
        backend: Makes single searches and page reads.
        surface: What the tools consist of.
        clock: Where time comes from.
        options: Bounds.
        scope: Whose the session is in a state that others share; ``None`` for a scope of its own.
        state: Where reuse, running requests and pauses live; ``None`` for a state that dies with the session.
        authorize: The embedder's permission function, asked before each contact, on each hit, and for local reads.
        judge: Sees results before anything else is done with them and returns those to keep.
        randomness: Returns so many random bytes.

    Raises:
        ConfigurationError: An argument is not of its kind.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        surface: Surface,
        clock: Clock,
        options: SessionOptions | None = None,
        scope: str | None = None,
        state: SharedState | None = None,
        authorize: Authorize | None = None,
        judge: Judge | None = None,
        randomness: Randomness = os.urandom,
    ) -> None:
        require_kind("state", state, SharedState, "a SharedState, such as MemoryState")
        require_kind("scope", scope, str, "a text")
        require_callable("authorize", authorize)
        require_callable("judge", judge)
        if scope == "":
            raise ConfigurationError("scope is empty; give None for a scope that nobody else has")
        options = options or SessionOptions()
        key = randomness(_KEY_BYTES)
        self._options = options
        self._surface = surface
        self._clock = clock
        self._randomness = randomness
        self._own_state = MemoryState(options.reuse, clock=clock, key=randomness(_KEY_BYTES)) if state is None else None
        self._contacts = Contacts(
            backend,
            state if state is not None else self._own_state,  # type: ignore[arg-type]  # one of the two is there
            scope=scope if scope is not None else secrets.token_hex(16),
            authorize=authorize,
            clock=clock,
        )
        self._searcher = Searcher(backend, self._contacts, timeout_s=options.search_timeout_s, judge=judge)
        self._pages = PageReader(
            backend,
            self._contacts,
            timeout_s=options.fetch_timeout_s,
            max_characters=options.page_characters,
            judge=judge,
        )
        self._preview = preview_within(options.preview, options.fit)
        self._shelf = Shelf(options.evidence, self._preview, surface=surface, clock=clock, key=key)

    # -- life --------------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Forget all evidence, and what this session put into a state that others share; later calls are refused."""
        self._contacts.close()
        self._shelf.clear()
        if self._own_state is not None:
            await self._own_state.aclose()
        else:
            await self._contacts.forget()

    async def end_work(self) -> None:
        """End requests of this session that are still running on this loop; what is stored stays."""
        if self._own_state is not None:
            await self._own_state.flights.aclose()

    # -- what a model is told ----------------------------------------------------------------------------------------

    @property
    def surface(self) -> Surface:
        """What the tools consist of; ``websdk.tools.declarations`` and ``prompt_section`` take the session itself."""
        return self._surface

    def reaches(self, name: str, arguments: Mapping[str, Any] | None = None) -> Reach:
        """Tell whom a tool call can contact, from its arguments alone and before it is made.

        Raises:
            InvalidRequest: The arguments do not make a call.
        """
        call = read_arguments(self._surface, name, arguments)
        if isinstance(call, SearchCall):
            sources = self._searcher.candidates(call.effort, call.family)
            servers = dict.fromkeys(server for source in sources for server in source.servers)
            return Reach(providers=tuple(source.id for source in sources), servers=tuple(servers))
        if isinstance(call, PagesCall):
            return Reach(providers=self._pages.readers(call.via), rungs=self._pages.reached(call.via))
        return Reach()

    # -- calls -------------------------------------------------------------------------------------------------------

    async def call(
        self, name: str, arguments: Mapping[str, Any] | None = None, *, allowance: Allowance | None = None
    ) -> ToolResult:
        """Run one tool call of a model.

        Args:
            name: The tool.
            arguments: Its arguments as the model gave them; null, empty and absent are alike.
            allowance: The budget of the invocation that the call belongs to.

        Returns:
            The answer in text and as data, each within the preview's budget and the outer bounds. Pages that could not
            be read stand beside those that could; :func:`websdk.failed_call` makes a result of whatever this raises.

        Raises:
            InvalidRequest: The arguments do not make a call; ``next_call`` is the one that would have been right.
            NotAuthorized: The permission function refused.
            EvidenceError: The ref or cursor is none of this session's, or its entry was dropped.
            ProviderError: Nobody answered the search.
            SearchFailed: The judge broke, or not even the account of the search fits the outer bounds.
            DeadlineExceeded: The time ran out.
        """
        asked = read_arguments(self._surface, name, arguments)
        if isinstance(asked, SearchCall):
            found = await self._search(asked, allowance)
            return ToolResult(text=found.packed.text, structured=found.packed.structured, details=found.response)
        if isinstance(asked, PagesCall):
            read = await self._fetch(asked, allowance)
            return ToolResult(text=read.packed.text, structured=read.packed.structured, details=read.pages)
        shown = await self._read(asked)
        return ToolResult(text=shown.packed.text, structured=shown.packed.structured, details=shown.page)

    async def search(
        self,
        query: str,
        *,
        filters: Filters | None = None,
        max_results: int | None = None,
        effort: Effort | str = Effort.FAST,
        family: Family | str = Family.WEB,
        allowance: Allowance | None = None,
    ) -> SearchResponse:
        """Search, and keep what came back; see :meth:`call` for failures.

        Args:
            query: What to look for.
            filters: What it is narrowed by.
            max_results: How many results over all providers; ``None`` for the setting, which is also the most.
            effort: ``fast`` asks one provider, ``thorough`` at most two of each family at the same time.
            family: ``web``, ``code`` or ``both``.
            allowance: The budget of the invocation.

        Returns:
            The results with their refs, within the outer bounds. Further ones are stored and reached by ``next_call``.
        """
        call = SearchCall(
            query=query,
            filters=filters if filters is not None else Filters(),
            max_results=max_results,
            effort=effort,
            family=family,
        )
        return (await self._search(call, allowance)).response

    async def fetch(
        self, urls: str | Sequence[str], *, via: Via | str | None = None, allowance: Allowance | None = None
    ) -> tuple[PageOutcome, ...]:
        """Read pages without a search, at most three at a time, and keep what came.

        Args:
            urls: Addresses, in the order in which outcomes are wanted.
            via: The rung that reads them; ``None`` for the usual one.
            allowance: The budget of the invocation.

        Returns:
            One outcome for each address, in the order asked.

        Raises:
            InvalidRequest: *urls* are no addresses, or *via* is no rung.
        """
        rung = via if via is not None else next(iter(self._surface.rungs), Via.LOCAL)
        return (await self._fetch(PagesCall(urls=urls, via=rung), allowance)).pages

    async def read(self, ref: str, *, find: str | None = None, cursor: str | None = None) -> EvidencePage:
        """Read a stored result on, or look for a text in it; nothing is contacted.

        Args:
            ref: A result such as ``h:3``, or with *find* a whole answer ``h``.
            find: Text to look for, whatever its letter case.
            cursor: Where to go on.

        Raises:
            InvalidRequest: A value is no text, *find* and *cursor* are both given, or a whole answer is to be read as
                one text.
            EvidenceError: The ref or cursor is none of this session's, or its entry was dropped.
        """
        call = RefCall(ref=ref, find=find, cursor=cursor)
        if find is not None and cursor is not None:
            raise InvalidRequest("find and cursor do not combine")
        if Ref.parse(ref).number is None and find is None:
            raise InvalidRequest("a whole answer is listed by call(); read one result of it, such as h:1")
        shown = await self._read(call)
        if shown.page is None:
            raise InvalidRequest("the ref names no single result")
        return shown.page

    # -- the order of things -----------------------------------------------------------------------------------------

    async def _search(self, call: SearchCall, allowance: Allowance | None) -> ShownResults:
        self._contacts.refuse_when_closed()
        wanted, adjustments = ceiling(call.max_results, self._options.max_results)
        request = SearchRequest(query=call.query, max_results=wanted, filters=call.filters)
        async with self._deadline(self._options.search_timeout_s) as remaining_s:
            gathered = await self._searcher.search(
                request, effort=call.effort, family=call.family, remaining_s=remaining_s, allowance=allowance
            )
        self._contacts.refuse_when_closed()
        entry = self._shelf.put(passage_from_result(result) for result in gathered.response.results)
        response = attrs.evolve(gathered.response, adjustments=(*adjustments, *gathered.response.adjustments))
        return show_results(
            response,
            entry,
            several=gathered.several,
            max_results=wanted,
            onward=self._shelf.after_results(entry),
            mark=self._mark(),
            fit=self._options.fit,
            options=self._preview,
        )

    async def _fetch(self, call: PagesCall, allowance: Allowance | None) -> ShownPages:
        self._contacts.refuse_when_closed()
        end = self._clock.monotonic() + self._options.fetch_timeout_s
        pages = await self._pages.read(
            call.urls, via=call.via, remaining_s=lambda: max(0.0, end - self._clock.monotonic()), allowance=allowance
        )
        self._contacts.refuse_when_closed()
        entry = self._shelf.put(
            passage_from_document(page.document, self._options.page_characters) for page in pages if page.document
        )
        return show_pages(pages, entry, after=self._shelf.after_piece, mark=self._mark(), options=self._preview)

    async def _read(self, call: RefCall) -> Shown:
        self._contacts.refuse_when_closed()
        await self._contacts.permit(Intent(operation="read_ref"))
        return self._shelf.read(call, mark=self._mark())

    @asynccontextmanager
    async def _deadline(self, seconds: float) -> AsyncIterator[Callable[[], float]]:
        end = self._clock.monotonic() + seconds
        try:
            async with asyncio.timeout(seconds) as scope:
                yield lambda: max(0.0, end - self._clock.monotonic())
        except TimeoutError as exc:
            if isinstance(exc, WebSdkError) or not scope.expired():
                raise
            raise DeadlineExceeded(f"the search took longer than {seconds:g} s", deadline_s=seconds) from None

    def _mark(self) -> str:
        return self._randomness(_MARK_BYTES).hex()
