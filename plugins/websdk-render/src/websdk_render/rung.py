"""The render rung: a judged address goes in, the markup that a browser made of it comes out."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator, Iterable
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
    Guard,
    RawDocument,
    TooLarge,
    Unreadable,
    Via,
    WebSdkError,
    __version__,
)
from websdk_render.browser import CLOSE_S, running
from websdk_render.options import RenderOptions
from websdk_render.passage import GuardedPassage, Passage
from websdk_render.script import PREPARE, NoPage, capture_call, run
from websdk_render.settle import Traffic, scroll_through, settle

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Dialog, Page, Response

# Kept back for the capture and for ending the browser, so that a restless page is read late and not lost.
CAPTURE_S = 3.0
# A picture or frame that never arrives holds up the load event, and not the reader.
LOAD_S = 10.0
# A frame of another origin is part of the page when it takes this share of the screen, else an advertisement.
FRAME_SHARE = 0.25
MAX_FRAMES = 5
MAX_HOSTS = 50  # hosts listed in the receipt; a page of news contacts a few dozen
VIEWPORT = (1280, 1024)
RESTLESS = "The page kept changing until its time ran out; what it showed then was read."
EXHAUSTED = "The page loaded more than it may; connections were cut."
_PAGE_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/json", "application/xml", "text/xml")


class RenderRung:
    """Reads pages with a headless Chromium, a new one for each read.

    Args:
        guard: Judges every address that the browser would connect to, and opens what it judged.
        options: How pages are rendered.
        connection: The connection of page reads. A browser takes no proxy, authority or client certificate from it, so
            one that names any makes every read fail instead of going past it.
    """

    def __init__(
        self, *, guard: Guard, options: RenderOptions | None = None, connection: Connection | None = None
    ) -> None:
        self._guard = guard
        self._options = options or RenderOptions()
        self._connection = connection
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
        async with self._place():
            passage = GuardedPassage(self._guard, max_bytes=self._options.max_network_bytes, page_host=url.host)
            outcome, status = "cancelled", None
            started = call.clock.monotonic()
            try:
                async with passage.serving(), running(self._options, proxy_port=passage.port) as browser:
                    visit = _Visit(url=url, call=call, options=self._options, passage=passage, guard=self._guard)
                    raw = await visit.read(browser.browser)
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
    response: Response | None = None
    crashed: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def read(self, browser: Browser) -> RawDocument:
        from playwright.async_api import Error

        browser.on("disconnected", lambda _: self.crashed.set())
        try:
            context = await self._context(browser)
            page = await context.new_page()
            context.on("page", _close_popup)
            page.on("crash", lambda _: self.crashed.set())
            page.on("dialog", _dismiss)
            page.on("response", self._remember)
            return await self._unless_it_crashes(self._render(page))
        except Error as exc:
            raise self._crash() from exc

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

    async def _unless_it_crashes(self, work: Any) -> RawDocument:
        rendering = asyncio.ensure_future(work)
        crash = asyncio.ensure_future(self.crashed.wait())
        try:
            await asyncio.wait({rendering, crash}, return_when=asyncio.FIRST_COMPLETED)
            if self.crashed.is_set() and (not rendering.done() or rendering.exception() is not None):
                raise self._crash()
            raw: RawDocument = rendering.result()
            return raw
        finally:
            for task in (rendering, crash):
                task.cancel()
            await asyncio.gather(rendering, crash, return_exceptions=True)

    def _crash(self) -> Unreadable:
        return Unreadable(f"the page of {self.url.host} took down the browser", seen="browser_crashed")

    async def _render(self, page: Page) -> RawDocument:
        from playwright.async_api import Error

        traffic = Traffic(page)
        session = await page.context.new_cdp_session(page)
        await self._go(page)
        self._check_type()
        with suppress(Error):  # what is there already is waited for and read
            await page.wait_for_load_state("load", timeout=min(LOAD_S, self._left()) * 1000)
        came_to_rest = await self._settled(session, traffic)
        if await scroll_through(session, screens=self.options.screens, timeout_s=self._left()):
            came_to_rest = await self._settled(session, traffic) and came_to_rest
        return await self._captured(page, session, came_to_rest=came_to_rest)

    async def _go(self, page: Page) -> None:
        from playwright.async_api import Error

        try:
            self.response = await page.goto(self.url.href, wait_until="commit", timeout=self._left() * 1000)
        except Error as error:
            self._explain(error, page)

    def _explain(self, error: Exception, page: Page) -> NoReturn:
        """Raise what a failed navigation means."""
        for passage in reversed(self.passage.log):
            if passage.refusal is not None and passage.outcome == "refused" and self._is_where_it_led(passage):
                raise passage.refusal
        words = str(error)
        host = self.url.host
        if self.response is not None and self.response.status in (204, 205):
            raise Unreadable(f"the page of {host} came back empty", seen="empty") from None
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

    def _is_where_it_led(self, passage: Passage) -> bool:
        """Whether a refused connection belongs to the page itself: nothing else is loaded before it is there."""
        return self.response is None or passage.host == self.url.host

    def _remember(self, response: Response) -> None:
        """Keep the last reply to a navigation of the page itself."""
        from playwright.async_api import Error

        request = response.request
        with suppress(Error):  # a request whose frame is gone already is not the page
            is_page = request.is_navigation_request() and request.frame.parent_frame is None
            if is_page and not 300 <= response.status < 400:
                self.response = response

    def _check_type(self) -> None:
        if self.response is None:
            return
        media_type = self.response.headers.get("content-type", "text/html").split(";")[0].strip().lower()
        if media_type and media_type not in _PAGE_TYPES:
            kept = "".join(char for char in media_type if char.isalnum() or char in "/+.-")[:100]
            raise Unreadable(f"a browser shows no text of the type {kept}", seen=f"unsupported_type:{kept}")

    def _left(self) -> float:
        """Seconds for the page, the capture's own share kept back."""
        left = self.call.remaining_s()
        return max(0.05, left - min(CAPTURE_S, left / 3))

    async def _settled(self, session: CDPSession, traffic: Traffic) -> bool:
        return await settle(session, traffic, quiet_s=self.options.quiet_s, timeout_s=self._left())

    async def _captured(self, page: Page, session: CDPSession, *, came_to_rest: bool) -> RawDocument:
        timeout_s = max(0.1, self.call.remaining_s() - CLOSE_S / 2)
        code = capture_call(max_bytes=self.options.max_dom_bytes, frame_share=FRAME_SHARE)
        try:
            async with asyncio.timeout(timeout_s):
                shot = await run(session, code, timeout_s=timeout_s)
                html, cut = await self._with_frames(page, shot)
        except (NoPage, TimeoutError):
            raise Unreadable("the page never came to rest in the browser", seen="restless_page") from None
        notices = [] if came_to_rest else [RESTLESS]
        if self.passage.is_exhausted:
            notices.append(EXHAUSTED)
        return RawDocument(
            body=html.encode("utf-8", "replace"),
            content_type="text/html; charset=utf-8",
            status=None if self.response is None else self.response.status,
            retry_after=None if self.response is None else self.response.headers.get("retry-after"),
            served_url=self._served(str(shot["url"])),
            truncated_upstream=cut,
            incomplete=self.passage.is_exhausted,
            notices=tuple(notices),
        )

    def _served(self, shown: str) -> str:
        """Return the page's address as the browser shows it, judged like any other."""
        parts = urlsplit(shown)
        if parts.scheme not in ("http", "https"):
            raise Unreadable("the browser shows no page of the web", seen="no_page")
        return self.guard.judge(shown).href

    async def _with_frames(self, page: Page, shot: dict[str, Any]) -> tuple[str, bool]:
        """Return the markup with the large frames of other origins written into their places."""
        html, cut = str(shot["html"]), bool(shot["cut"])
        for number, address in enumerate(shot["frames"][:MAX_FRAMES]):
            inner = await self._frame(page, str(address), max_bytes=self.options.max_dom_bytes - len(html.encode()))
            cut = cut or bool(inner.get("cut"))
            place = f'<div data-frame="{number}"></div>'
            html = html.replace(place, f"<div>{_body(str(inner.get('html', '')))}</div>", 1)
        return html, cut

    async def _frame(self, page: Page, address: str, *, max_bytes: int) -> dict[str, Any]:
        from playwright.async_api import Error

        frame = next((frame for frame in page.frames if frame.url == address), None)
        if frame is None or max_bytes <= 0:
            return {"cut": max_bytes <= 0}
        try:
            session = await page.context.new_cdp_session(frame)
            code = capture_call(max_bytes=max_bytes, frame_share=FRAME_SHARE)
            shot: dict[str, Any] = await run(session, code, timeout_s=1.0)
        except (Error, NoPage):
            return {}
        return shot


async def _close_popup(page: Page) -> None:
    from playwright.async_api import Error

    with suppress(Error):  # gone already
        await page.close()


async def _dismiss(dialog: Dialog) -> None:
    from playwright.async_api import Error

    with suppress(Error):  # gone already
        await dialog.dismiss()


def _body(html: str) -> str:
    start = html.find("<body")
    start = html.find(">", start) + 1 if start != -1 else 0
    end = html.rfind("</body>")
    return html[start : end if end != -1 else len(html)]


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
