"""Wait until a page has become what it will be, as far as the time allows."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from websdk_render.script import MEASURE, SCROLL, TO_TOP, NoPage, run

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page, Request

QUIET_INTERVALS = 2
# A reply that takes longer is a channel that is kept open, not content on its way.
PENDING_S = 5.0
# Asked for this often, an address is polled; what it brings shows in the page or not at all.
POLLED = 3
# Between two screenfuls, so that what waits to be seen notices that it is seen.
SCROLL_S = 0.1
LOADING = "loading"  # the state of a document whose own text is still being read in


class Traffic:
    """What the page asks for and still waits for."""

    def __init__(self, page: Page) -> None:
        self._asked: dict[str, int] = {}
        self._pending: dict[Request, float] = {}
        self._news = 0
        page.on("request", self._started)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)

    @property
    def news(self) -> int:
        """A number that grows with every request that may bring content."""
        return self._news

    @property
    def is_waiting(self) -> bool:
        """Whether a reply that may bring content is on its way."""
        horizon = monotonic() - PENDING_S
        return any(started > horizon for started in self._pending.values())

    @property
    def is_unfinished(self) -> bool:
        """Whether any reply is still awaited, however long ago it was asked for."""
        return bool(self._pending)

    def _started(self, request: Request) -> None:
        parts = urlsplit(request.url)
        key = f"{request.method} {parts.netloc}{parts.path}"
        times = self._asked[key] = self._asked.get(key, 0) + 1
        if times <= POLLED and request.resource_type not in ("image", "media", "font", "ping", "websocket"):
            self._pending[request] = monotonic()
            self._news += 1

    def _ended(self, request: Request) -> None:
        if self._pending.pop(request, None) is not None:
            self._news += 1


async def settle(session: CDPSession, traffic: Traffic, *, quiet_s: float, timeout_s: float) -> bool:
    """Wait for two intervals in a row in which nothing changed and nothing was on its way.

    Args:
        session: A session with the page.
        traffic: What the page asks for.
        quiet_s: Length of an interval, in seconds.
        timeout_s: Seconds at most.

    Returns:
        Whether the page came to rest. A document whose own text is still being read in, because a reply that it waits
        for does not come, is not at rest however still it is.
    """
    deadline = monotonic() + timeout_s
    before: tuple[str | None, int] | None = None
    quiet = 0
    while True:
        now = (await _measured(session, timeout_s=max(0.1, deadline - monotonic())), traffic.news)
        at_rest = now == before and not traffic.is_waiting and not _is_coming(now[0], traffic)
        quiet = quiet + 1 if at_rest else 0
        if quiet >= QUIET_INTERVALS:
            return True
        if monotonic() + quiet_s > deadline:
            return False
        before = now
        await asyncio.sleep(quiet_s)


async def scroll_through(session: CDPSession, *, screens: int, timeout_s: float) -> bool:
    """Show the page screen by screen to whatever waits to be seen, and return to its top.

    Returns:
        Whether there was anything below the first screen, or the page went elsewhere meanwhile.
    """
    deadline = monotonic() + timeout_s
    moved = False
    try:
        for _ in range(screens):
            if monotonic() + SCROLL_S > deadline or not await run(session, SCROLL, timeout_s=1.0):
                break
            moved = True
            await asyncio.sleep(SCROLL_S)
        if moved:
            await run(session, TO_TOP, timeout_s=1.0)
    except NoPage:
        return True
    return moved


def _is_coming(measured: str | None, traffic: Traffic) -> bool:
    return measured is None or (measured.startswith(LOADING) and traffic.is_unfinished)


async def _measured(session: CDPSession, *, timeout_s: float) -> str | None:
    try:
        return str(await run(session, MEASURE, timeout_s=timeout_s))
    except NoPage:
        return None
