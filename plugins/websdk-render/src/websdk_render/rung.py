"""The render rung: a judged address goes in, the markup that a browser made of it comes out."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

import attrs

from websdk import (
    AskAgain,
    Attempt,
    Call,
    CheckedUrl,
    ConfigurationError,
    Connection,
    FetchOptions,
    Guard,
    RawDocument,
    TooLarge,
    Unreadable,
    Via,
    WebSdkError,
    __version__,
)
from websdk_render.browser import CLOSE_S, Running, running
from websdk_render.capture import captured
from websdk_render.main_document import MainDocument
from websdk_render.options import RenderOptions
from websdk_render.passage import GuardedPassage, Passage
from websdk_render.script import PREPARE, NoPage
from websdk_render.settle import LOADING, Traffic, scroll_through, settle

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Dialog, Page

# Kept back for the capture and for ending the browser, so that a restless page is read late and not lost.
CAPTURE_S = 3.0
# A picture or frame that never arrives holds up the load event, and not the reader.
LOAD_S = 10.0
MAX_HOSTS = 50  # hosts listed in the receipt; a page of news contacts a few dozen
VIEWPORT = (1280, 1024)
RESTLESS = "The page kept changing until its time ran out; what it showed then was read."
EXHAUSTED = "The page loaded more than it may; connections were cut."
UNFINISHED = (
    "The page was still being sent, or waited for a script, when its time ran out; what was there then was read."
)
FRAMES_LOST = "A frame of the page did not answer; its text is missing."
CLOSED = "the client was closed during the read; the same read may work later"


class RenderRung:
    """Reads pages with a headless Chromium, a new one for each read.

    Args:
        guard: Judges every address that the browser would connect to, and opens what it judged.
        options: How pages are rendered.
        max_page_bytes: Ceiling for the bytes of the page's own document, as on every rung.
        connection: The connection of page reads. A browser takes no proxy, authority or client certificate from it, so
            one that names any makes every read fail instead of going past it.
    """

    def __init__(
        self,
        *,
        guard: Guard,
        options: RenderOptions | None = None,
        connection: Connection | None = None,
        max_page_bytes: int | None = None,
    ) -> None:
        self._guard = guard
        self._options = options or RenderOptions()
        self._connection = connection
        self._max_page_bytes = FetchOptions().max_response_bytes if max_page_bytes is None else max_page_bytes
        self._reading: set[asyncio.Task[RawDocument]] = set()
        self._places: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            weakref.WeakKeyDictionary()
        )

    @property
    def via(self) -> Via:
        """Which rung it is."""
        return Via.RENDER

    async def read(self, url: CheckedUrl, *, call: Call) -> RawDocument:
        """Render the page once, within the deadline of *call*.

        Raises:
            EgressRefused: The page led to an address that a page read may not reach.
            FetchError: The page did not come, or the browser gave up on it.
            ConfigurationError: There is no browser, or the connection of page reads asks for what it cannot do.
        """
        self._check_connection()
        reading = asyncio.create_task(self._read(url, call))
        self._reading.add(reading)
        try:
            await asyncio.wait({reading})
        finally:
            self._reading.discard(reading)
            if not reading.done():
                reading.cancel()
                await asyncio.wait({reading})
                reading.cancelled() or reading.exception()  # the caller left; what became of it is seen here
        if reading.cancelled():
            raise AskAgain(CLOSED, sent=True)
        return reading.result()

    async def aclose(self) -> None:
        """End the reads of the running loop; their browsers are gone when this returns."""
        loop = asyncio.get_running_loop()
        ending = {reading for reading in self._reading if reading.get_loop() is loop}
        for reading in ending:
            reading.cancel()
        if ending:
            await asyncio.wait(ending)

    async def _read(self, url: CheckedUrl, call: Call) -> RawDocument:
        async with self._place():
            passage = GuardedPassage(self._guard, max_bytes=self._options.max_network_bytes, page_host=url.host)
            outcome, status = "cancelled", None
            started = call.clock.monotonic()
            try:
                async with passage.serving(), running(self._options, proxy_port=passage.port) as browser:
                    visit = _Visit(
                        url=url,
                        call=call,
                        options=self._options,
                        passage=passage,
                        guard=self._guard,
                        max_page_bytes=self._max_page_bytes,
                    )
                    raw = await visit.read(browser)
                outcome, status = "ok", raw.status
                return raw
            except WebSdkError as error:
                outcome = error.category
                raise
            finally:
                elapsed_s = call.clock.monotonic() - started
                host = f"{url.host}:{url.port}"
                call.record(Attempt(recipient="render", host=host, outcome=outcome, status=status, elapsed_s=elapsed_s))
                for other in _others(passage.log, host):
                    call.record(other)

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        places = self._places.setdefault(loop, asyncio.Semaphore(self._options.browsers))
        async with places:
            yield

    def _check_connection(self) -> None:
        asked = self._connection
        if asked is None:
            return
        named = [name for name in ("proxy", "ca_file", "client_cert") if getattr(asked, name) is not None]
        if named:
            raise ConfigurationError(
                f"the render rung cannot use {', '.join(named)} of the connection {asked.name}; read over another rung"
            )


@attrs.define(kw_only=True, slots=False)  # Playwright hangs its wrapper of a handler on the handler's object
class _Visit:
    """One page in one browser."""

    url: CheckedUrl
    call: Call
    options: RenderOptions
    passage: GuardedPassage
    guard: Guard
    max_page_bytes: int
    crashed: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def read(self, running: Running) -> RawDocument:
        from playwright.async_api import Error

        try:
            with running.watched(self.crashed.set):
                return await self._visit(running.browser)
        except Error as exc:
            raise self._crash() from exc

    async def _visit(self, browser: Browser) -> RawDocument:
        context = await self._context(browser)
        page = await context.new_page()
        context.on("page", _close_popup)
        page.on("crash", lambda _: self.crashed.set())
        page.on("dialog", _dismiss)
        session = await context.new_cdp_session(page)
        main = await MainDocument(
            session=session, host=self.url.host, guard=self.guard, max_bytes=self.max_page_bytes
        ).watch()
        try:
            return await self._first_end(self._render(page, session, main), main)
        finally:
            await main.close()

    async def _context(self, browser: Browser) -> BrowserContext:
        width, height = VIEWPORT
        context = await browser.new_context(
            accept_downloads=False,
            service_workers="block",
            permissions=[],
            viewport={"width": width, "height": height},
            user_agent=_user_agent(browser.version),
        )
        await context.add_init_script(PREPARE)
        return context

    async def _first_end(self, work: Coroutine[Any, Any, RawDocument], main: MainDocument) -> RawDocument:
        """Return what comes first: the rendered page, a reply that is not to be rendered, or the browser's end."""
        rendering = asyncio.ensure_future(work)
        crash = asyncio.ensure_future(self.crashed.wait())
        try:
            ends: set[asyncio.Future[Any]] = {rendering, crash, main.outcome}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if main.outcome.done():
                return main.outcome.result()
            if self.crashed.is_set() and (not rendering.done() or rendering.exception() is not None):
                raise self._crash()
            return rendering.result()
        finally:
            for task in (rendering, crash):
                task.cancel()
            await asyncio.gather(rendering, crash, return_exceptions=True)

    def _crash(self) -> Unreadable:
        return Unreadable(f"the page of {self.url.host} took down the browser", seen="browser_crashed")

    async def _render(self, page: Page, session: CDPSession, main: MainDocument) -> RawDocument:
        from playwright.async_api import Error

        traffic = Traffic(page)
        try:
            await page.goto(self.url.href, wait_until="commit", timeout=self._left() * 1000)
        except Error as error:
            if main.is_taking:
                return await self._taken(main)
            if main.is_refused:
                return main.bare()
            self._explain(error, main)
        main.is_shown = True
        with suppress(Error):  # what is there already is waited for and read
            await page.wait_for_load_state("load", timeout=min(LOAD_S, self._left()) * 1000)
        came_to_rest = await self._settled(session, traffic)
        if await scroll_through(session, screens=self.options.screens, timeout_s=self._left()):
            came_to_rest = await self._settled(session, traffic) and came_to_rest
        return await self._captured(page, session, main, traffic, came_to_rest=came_to_rest)

    async def _taken(self, main: MainDocument) -> RawDocument:
        try:
            async with asyncio.timeout(max(0.1, self.call.remaining_s() - CLOSE_S / 2)):
                return await asyncio.shield(main.outcome)
        except TimeoutError:
            raise AskAgain(f"{self.url.host} did not send its page in time; the same read may work later") from None

    def _explain(self, error: Exception, main: MainDocument) -> NoReturn:
        """Raise what a failed navigation means."""
        # The class is public in newer versions of Playwright only. The failure may be here before the end of the
        # browser's process is noticed.
        if type(error).__name__ == "TargetClosedError":
            raise self._crash() from error
        for passage in reversed(self.passage.log):
            if passage.refusal is not None and passage.outcome == "refused" and self._is_where_it_led(passage, main):
                raise passage.refusal
        words = str(error)
        host = self.url.host
        if "Download is starting" in words or "ERR_ABORTED" in words:
            raise Unreadable("the address is a download, not a page", seen="download") from None
        if "ERR_CERT" in words or "ERR_SSL" in words:
            raise Unreadable(f"no trusted connection to {host} came about", seen="tls_failure") from None
        if "ERR_TOO_MANY_REDIRECTS" in words:
            raise Unreadable(f"the page of {host} redirects in a circle", seen="redirect_loop") from None
        if "ERR_UNSAFE_PORT" in words:
            raise Unreadable(
                f"the page of {host} leads to a port that no page is read from", seen="unsafe_port"
            ) from None
        if self.passage.is_exhausted:
            limit = self.options.max_network_bytes
            raise TooLarge(f"the page of {host} loads more than {limit:,} bytes", limit_bytes=limit) from None
        raise AskAgain(f"{host} did not answer the browser; the same read may work later") from None

    def _is_where_it_led(self, passage: Passage, main: MainDocument) -> bool:
        """Whether a refused connection belongs to the page itself: nothing else is loaded before it is there."""
        return main.status is None or passage.host == self.url.host

    def _left(self) -> float:
        """Seconds for the page, the capture's own share kept back."""
        left = self.call.remaining_s()
        return max(0.05, left - min(CAPTURE_S, left / 3))

    async def _settled(self, session: CDPSession, traffic: Traffic) -> bool:
        return await settle(session, traffic, quiet_s=self.options.quiet_s, timeout_s=self._left())

    async def _captured(
        self, page: Page, session: CDPSession, main: MainDocument, traffic: Traffic, *, came_to_rest: bool
    ) -> RawDocument:
        timeout_s = max(0.1, self.call.remaining_s() - CLOSE_S / 2)
        # A ladder refuses what is larger than a page may be; cut to that, it can be read.
        max_bytes = min(self.options.max_dom_bytes, self.max_page_bytes)
        try:
            shot = await captured(page, session, max_bytes=max_bytes, timeout_s=timeout_s)
        except (NoPage, TimeoutError):
            raise Unreadable("the page never came to rest in the browser", seen="restless_page") from None
        is_unfinished = shot.state == LOADING and traffic.is_unfinished
        said = {
            UNFINISHED: is_unfinished,
            RESTLESS: not came_to_rest and not is_unfinished,
            EXHAUSTED: self.passage.is_exhausted,
            FRAMES_LOST: shot.lost_frames > 0,
        }
        return RawDocument(
            body=shot.html.encode("utf-8", "replace"),
            content_type="text/html; charset=utf-8",
            status=main.status,
            retry_after=main.fields.get("retry-after"),
            served_url=self._served(shot.url),
            truncated_upstream=shot.is_cut,
            incomplete=self.passage.is_exhausted or main.is_broken or is_unfinished,
            notices=tuple(notice for notice, holds in said.items() if holds),
        )

    def _served(self, shown: str) -> str:
        """Return the page's address as the browser shows it, judged like any other."""
        parts = urlsplit(shown)
        if parts.scheme not in ("http", "https"):
            raise Unreadable("the browser shows no page of the web", seen="no_page")
        return self.guard.judge(shown).href


async def _close_popup(page: Page) -> None:
    from playwright.async_api import Error

    with suppress(Error):  # gone already
        await page.close()


async def _dismiss(dialog: Dialog) -> None:
    from playwright.async_api import Error

    with suppress(Error):  # gone already
        await dialog.dismiss()


def _user_agent(version: str) -> str:
    """Return what the browser says of itself, and who has it read."""
    major = version.split(".")[0]
    return (
        f"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/{major}.0.0.0 "
        f"Safari/537.36 websdk/{__version__}"
    )


def _others(log: Iterable[Passage], page: str) -> list[Attempt]:
    """Return one entry for each further host that the page's scripts had the browser contact, or wanted to."""
    seen: dict[str, str] = {}
    for passage in log:
        host = f"{passage.host}:{passage.port}"
        if passage.host and host != page and passage.outcome != "own":
            seen.setdefault(host, "ok" if passage.outcome == "open" else passage.outcome)
    return [Attempt(recipient="render", host=host, outcome=outcome) for host, outcome in list(seen.items())[:MAX_HOSTS]]
