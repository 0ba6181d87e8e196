"""The blocking client: a thin face over the asynchronous one, whose calls run on a private loop."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Callable, Coroutine, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from websdk.budget.candidates import EnforceFilters
from websdk.client import AsyncClient
from websdk.client.credentials import Credential
from websdk.model.document import Document, FetchRequest, Via
from websdk.model.effort import Effort, Family
from websdk.model.filters import Filters
from websdk.model.search import SearchPlan, SearchRequest, SearchResponse
from websdk.protocols.call import Clock
from websdk.protocols.permission import Authorize
from websdk.protocols.state import SharedState
from websdk.protocols.transport import Connector, Resolver, Transport
from websdk.settings import OnUnsupported, Settings
from websdk.tools.surface import Style, Surface

if TYPE_CHECKING:
    from websdk.client.parts import Parts
    from websdk.model.evidence import EvidencePage
    from websdk.model.reach import Reach
    from websdk.session import Allowance, AsyncSession, Judge, PageOutcome
    from websdk.tools import ToolResult

T = TypeVar("T")
CLOSE_TIMEOUT_S = 5.0  # how long leaving waits for connections and workers to end; then the thread is let go


class _Loop:
    """An event loop on a thread of its own, in one process."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="websdk", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self._serve()
        finally:
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.run_until_complete(self.loop.shutdown_default_executor())
            self.loop.close()

    def _serve(self) -> None:
        while True:
            try:
                self.loop.run_forever()
                return  # it was stopped
            except (SystemExit, KeyboardInterrupt):
                # asyncio lets these two out of a task and of the loop. The task holds it for its own caller; the calls
                # of other threads must not wait for ever on a loop that no longer turns.
                continue

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result()
        except BaseException:
            # An interrupt of the waiting thread must not leave the call running behind its back.
            future.cancel()
            raise

    def stop(self) -> None:
        if self.pid != os.getpid() or self.loop.is_closed():
            return
        self.loop.call_soon_threadsafe(self.loop.stop)
        if threading.current_thread() is not self._thread:
            self._thread.join(CLOSE_TIMEOUT_S)


class Client:
    """Searches the web and reads pages, blocking until the answer is there.

    It may be shared by threads, used inside a running event loop (which it then blocks), and used after a fork. Its
    arguments and errors are those of :class:`websdk.AsyncClient`. It keeps connections until :meth:`close`.
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
        self._client = AsyncClient(
            settings,
            plugins=plugins,
            credentials=credentials,
            transport=transport,
            state=state,
            authorize=authorize,
            resolver=resolver,
            connector=connector,
            clock=clock,
        )
        self._pid = os.getpid()
        self._guard = threading.Lock()
        self._loop: _Loop | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection and end every worker; the client may be used again."""
        with self._guard:
            loop, self._loop = self._loop, None
        if loop is not None and loop.pid == os.getpid():
            try:
                loop.run(self._client.aclose())
            finally:
                loop.stop()

    def search(
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
        """Search once, at one provider; see :meth:`websdk.AsyncClient.search`."""
        return self._run(
            self._client.search(
                request,
                provider=provider,
                max_results=max_results,
                page=page,
                filters=filters,
                on_unsupported=on_unsupported,
                enforce_filters=enforce_filters,
                timeout_s=timeout_s,
            )
        )

    def plan(
        self,
        request: SearchRequest | str,
        *,
        provider: str | None = None,
        max_results: int | None = None,
        page: int | None = None,
        filters: Filters | None = None,
    ) -> SearchPlan:
        """Tell what a search would send; see :meth:`websdk.AsyncClient.plan`."""
        return self._client.plan(request, provider=provider, max_results=max_results, page=page, filters=filters)

    def fetch(
        self,
        request: FetchRequest | str,
        *,
        via: Via | str | None = None,
        provider: str | None = None,
        max_characters: int | None = None,
        timeout_s: float | None = None,
    ) -> Document:
        """Read one page as Markdown; see :meth:`websdk.AsyncClient.fetch`."""
        return self._run(
            self._client.fetch(request, via=via, provider=provider, max_characters=max_characters, timeout_s=timeout_s)
        )

    def session(
        self,
        *,
        credentials: Mapping[str, Credential] | None = None,
        scope: str | None = None,
        style: Style | str = Style.UNIFIED,
        authorize: Authorize | None = None,
        judge: Judge | None = None,
        state: SharedState | None = None,
    ) -> Session:
        """Open a session; see :meth:`websdk.AsyncClient.session`."""
        opened = self._client.session(
            credentials=credentials, scope=scope, style=style, authorize=authorize, judge=judge, state=state
        )
        return Session(opened, self._run)

    @property
    def settings(self) -> Settings:
        """What is configured."""
        return self._client.settings

    @property
    def parts(self) -> Parts:
        """The client's providers, rungs and plugins, for listings and readiness."""
        return self._client.parts

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._running().run(work)

    def _running(self) -> _Loop:
        if self._pid != os.getpid():
            # A lock that another thread held at the moment of a fork stays locked in the child for ever.
            self._pid, self._guard = os.getpid(), threading.Lock()
        with self._guard:
            if self._loop is None or self._loop.pid != os.getpid():
                self._loop = _Loop()
                self._loop.run(self._client.__aenter__())
                weakref.finalize(self, self._loop.stop)
            return self._loop


class Session:
    """A session whose calls block; made by :meth:`Client.session`. See :class:`websdk.AsyncSession`."""

    def __init__(self, session: AsyncSession, run: Callable[[Coroutine[Any, Any, Any]], Any]) -> None:
        self._session = session
        self._run = run

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Forget all evidence, and what this session put into a state that others share."""
        self._run(self._session.aclose())

    @property
    def surface(self) -> Surface:
        """What the tools consist of."""
        return self._session.surface

    def reaches(self, name: str, arguments: Mapping[str, Any] | None = None) -> Reach:
        """Tell whom a tool call can contact; see :meth:`websdk.AsyncSession.reaches`."""
        return self._session.reaches(name, arguments)

    def call(
        self, name: str, arguments: Mapping[str, Any] | None = None, *, allowance: Allowance | None = None
    ) -> ToolResult:
        """Run one tool call of a model; see :meth:`websdk.AsyncSession.call`."""
        result: ToolResult = self._run(self._session.call(name, arguments, allowance=allowance))
        return result

    def search(
        self,
        query: str,
        *,
        filters: Filters | None = None,
        max_results: int | None = None,
        effort: Effort | str = Effort.FAST,
        family: Family | str = Family.WEB,
        allowance: Allowance | None = None,
    ) -> SearchResponse:
        """Search, and keep what came back; see :meth:`websdk.AsyncSession.search`."""
        response: SearchResponse = self._run(
            self._session.search(
                query, filters=filters, max_results=max_results, effort=effort, family=family, allowance=allowance
            )
        )
        return response

    def fetch(
        self, urls: str | Sequence[str], *, via: Via | str | None = None, allowance: Allowance | None = None
    ) -> tuple[PageOutcome, ...]:
        """Read pages without a search; see :meth:`websdk.AsyncSession.fetch`."""
        pages: tuple[PageOutcome, ...] = self._run(self._session.fetch(urls, via=via, allowance=allowance))
        return pages

    def read(self, ref: str, *, find: str | None = None, cursor: str | None = None) -> EvidencePage:
        """Read a stored result on, or look for a text in it; see :meth:`websdk.AsyncSession.read`."""
        page: EvidencePage = self._run(self._session.read(ref, find=find, cursor=cursor))
        return page
