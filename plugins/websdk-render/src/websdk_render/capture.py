"""The rendered page as markup: the main frame, and the large frames of other origins in their places."""

from __future__ import annotations

import asyncio
import secrets
from time import monotonic
from typing import TYPE_CHECKING, Any

import attrs

from websdk_render.script import NoPage, capture_call, frame_within, run

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Frame, Page

# A frame of another origin is part of the page when it takes this share of the screen, else an advertisement.
FRAME_SHARE = 0.25
MAX_FRAMES = 5
MAX_FRAME_DEPTH = 3  # an application in a frame has its text in a frame of its own at times, hardly ever deeper
FRAME_S = 1.0  # writing a large page takes a fraction of this; a frame that is stuck takes no more from the others
SPARE_S = 0.3  # kept back from the frames, so that the page is handed over whatever they do


@attrs.frozen(kw_only=True)
class Capture:
    """What the browser showed.

    Attributes:
        html: The markup.
        url: Address as the browser shows it.
        state: ``document.readyState``.
        is_cut: Whether the ceiling cut it.
        lost_frames: Frames that did not answer.
    """

    html: str
    url: str
    state: str
    is_cut: bool
    lost_frames: int


async def captured(page: Page, session: CDPSession, *, max_bytes: int, timeout_s: float) -> Capture:
    """Write the page as markup of at most *max_bytes*.

    Raises:
        NoPage: The page went away or did not answer.
        TimeoutError: It took longer than *timeout_s*.
    """
    deadline = monotonic() + timeout_s
    frames = _Frames(page=page, max_bytes=max_bytes, until=deadline - SPARE_S)
    async with asyncio.timeout(timeout_s):
        shot = await run(session, frames.code(max_bytes), timeout_s=timeout_s)
        html, is_cut = await frames.written_into(shot, session, None, 0)
    return Capture(html=html, url=str(shot["url"]), state=str(shot["state"]), is_cut=is_cut, lost_frames=frames.lost)


@attrs.define(kw_only=True)
class _Frames:
    """Writes frames into the places that a capture left for them."""

    page: Page
    max_bytes: int
    until: float
    mark: str = attrs.field(factory=lambda: f"data-{secrets.token_hex(16)}")
    lost: int = 0
    _taken: int = 0
    _asked: set[Frame] = attrs.field(factory=set)
    _sessions: dict[str, CDPSession] = attrs.field(factory=dict)

    def code(self, max_bytes: int) -> str:
        return capture_call(max_bytes=max_bytes, frame_share=FRAME_SHARE, mark=self.mark)

    async def written_into(
        self, shot: dict[str, Any], session: CDPSession, frame_id: str | None, depth: int
    ) -> tuple[str, bool]:
        """Return the markup of *shot* with its frames, and whether anything was cut."""
        html, is_cut = str(shot["html"]), bool(shot["cut"])
        for number in range(shot["frames"]):
            inner, inner_cut = "", False
            if self._taken < MAX_FRAMES and depth < MAX_FRAME_DEPTH:
                self._taken += 1
                room = self.max_bytes - len(html.encode("utf-8", "replace"))
                inner, inner_cut = await self._inner(session, frame_id, number, room, depth)
            is_cut = is_cut or inner_cut
            html = html.replace(f'<div {self.mark}="{number}"></div>', f"<div>{inner}</div>", 1)
        return html, is_cut

    async def _inner(
        self, session: CDPSession, frame_id: str | None, number: int, room: int, depth: int
    ) -> tuple[str, bool]:
        from playwright.async_api import Error

        seconds = min(FRAME_S, self.until - monotonic())
        if room <= 0 or seconds <= 0:
            self.lost += seconds <= 0
            return "", room <= 0
        try:
            async with asyncio.timeout(seconds):
                found = await frame_within(session, number, frame_id=frame_id)
                if found is None:
                    return "", False
                own = await self._session(found)
                # A frame without a process of its own is reached by way of the session of the one around it.
                session, inside = (session, found) if own is None else (own, None)
                shot = await run(session, self.code(room), timeout_s=seconds, frame_id=inside)
            html, is_cut = await self.written_into(shot, session, inside, depth + 1)
        except (Error, NoPage, TimeoutError):
            self.lost += 1
            return "", False
        return _body(html), is_cut

    async def _session(self, frame_id: str) -> CDPSession | None:
        """Return the session of a frame that has a process of its own."""
        from playwright.async_api import Error

        for frame in self.page.frames:
            if frame_id in self._sessions:
                break
            if frame in self._asked or frame == self.page.main_frame:
                continue
            self._asked.add(frame)
            try:
                session = await self.page.context.new_cdp_session(frame)
                target = await session.send("Target.getTargetInfo")
            except Error:  # it shares a process, or is gone
                continue
            self._sessions[target["targetInfo"]["targetId"]] = session
        return self._sessions.get(frame_id)


def _body(html: str) -> str:
    start = html.find("<body")
    start = html.find(">", start) + 1 if start != -1 else 0
    end = html.rfind("</body>")
    return html[start : end if end != -1 else len(html)]
