"""The document of the page's main frame as the network delivers it: its status, its wholeness, and bytes to read."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any, Self

import attrs

from websdk import Guard, RawDocument, TooLarge, Unreadable, WebSdkError
from websdk_render.script import main_frame

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

CHUNK_BYTES = 64 * 1024
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NOTHING_NEW = frozenset({204, 205})
# What a browser builds a page of. A reply that states no type is looked at by the browser.
_PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml"})
# What ends a reply in mid-body without being the origin's doing: the page or the reader went elsewhere.
_ABORTED = "net::ERR_ABORTED"
_BAD_CODING = "net::ERR_CONTENT_DECODING_FAILED"


@attrs.define(kw_only=True, eq=False, slots=False)  # Playwright hangs its wrapper of a handler on the handler's object
class MainDocument:
    """Watches every reply to a navigation of the page itself, before the browser makes anything of it.

    Attributes:
        session: A session with the page.
        host: Host that was asked for, for messages.
        guard: Judges the address that served.
        max_bytes: Ceiling for the document's bytes, content codings undone.
        frame_id: The main frame.
        outcome: Ends the read where no rendering is to come: bytes for the reader, a status, or a failure.
        is_shown: Whether a page was there already. Then what a browser would not show in its place is not the page.
        is_taking: Whether bytes for the reader are on their way.
        is_broken: Whether the reply broke off in mid-body.
        status: Status of the last reply.
        fields: Its header fields, names in lower case.
    """

    session: CDPSession
    host: str
    guard: Guard
    max_bytes: int
    frame_id: str = ""
    outcome: asyncio.Future[RawDocument] = attrs.field(factory=lambda: asyncio.get_running_loop().create_future())
    is_shown: bool = False
    is_taking: bool = False
    is_broken: bool = False
    status: int | None = None
    fields: dict[str, str] = attrs.field(factory=dict)
    _address: str = ""
    _request: str = ""
    _arrived: int = 0
    _tasks: set[asyncio.Task[None]] = attrs.field(factory=set)

    async def watch(self) -> Self:
        """Begin; to be called before the page goes anywhere."""
        self.frame_id = await main_frame(self.session)
        self.session.on("Fetch.requestPaused", self._paused)
        self.session.on("Network.dataReceived", self._received)
        self.session.on("Network.loadingFinished", self._finished)
        self.session.on("Network.loadingFailed", self._failed)
        await self.session.send("Network.enable")
        await self.session.send(
            "Fetch.enable", {"patterns": [{"resourceType": "Document", "requestStage": "Response"}]}
        )
        return self

    async def close(self) -> None:
        """Stop what is under way."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if not self.outcome.cancel() and not self.outcome.cancelled():
            self.outcome.exception()  # seen, whoever won

    @property
    def is_refused(self) -> bool:
        """Whether the status is that of no page."""
        return self.status is not None and not 200 <= self.status < 300

    def bare(self) -> RawDocument:
        """Return what the reply says without its content; the table of all rungs says what it means."""
        return RawDocument(
            body=b"",
            status=self.status,
            location=self.fields.get("location"),
            retry_after=self.fields.get("retry-after"),
            served_url=self._served(),
            incomplete=self.is_broken,
        )

    def _served(self) -> str:
        return self.guard.judge(self._address).href

    # -- what the browser reports ------------------------------------------------------------------------------------

    def _paused(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._decide(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _received(self, event: dict[str, Any]) -> None:
        if event["requestId"] == self._request:
            self._arrived += event["dataLength"]
            if self._arrived > self.max_bytes:
                self._fail(self._too_large())

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] == self._request and not self._arrived:
            self._end()

    def _failed(self, event: dict[str, Any]) -> None:
        if event["requestId"] != self._request or event["errorText"] == _ABORTED:
            return
        if event["errorText"] == _BAD_CODING:
            self._fail(Unreadable(f"{self.host} sent a content coding that is not what it says", seen="content_coding"))
            return
        self.is_broken = not self.is_refused
        if self.is_refused or not self._arrived:
            self._end()

    # -- what becomes of a reply -------------------------------------------------------------------------------------

    async def _decide(self, event: dict[str, Any]) -> None:
        from playwright.async_api import Error

        try:
            if not self._is_reply(event) or self._leaves_the_page(event):
                await self._go_on(event)
                return
            self._begin(event)
            if self._is_page() and not (self.is_refused and self.fields.get("content-length") == "0"):
                await self._go_on(event)
            elif self.is_refused or self.status in _NOTHING_NEW:
                self._end()
            elif self._is_attachment():
                self._fail(Unreadable("the address is a download, not a page", seen="download"))
            else:
                await self._take(event)
        except Error:  # the page went elsewhere, or the browser is gone: whoever waits for it is told
            return
        except WebSdkError as error:
            self._fail(error)

    def _is_reply(self, event: dict[str, Any]) -> bool:
        """Whether it is a final reply to the page itself: no frame, no redirect, no body that breaks off."""
        status = event.get("responseStatusCode")
        moved = status in _REDIRECTS and bool(_fields(event).get("location"))
        return event["frameId"] == self.frame_id and status is not None and not moved

    def _leaves_the_page(self, event: dict[str, Any]) -> bool:
        """Whether the page that is there stays: a browser takes such a reply for a download or for nothing."""
        if not self.is_shown:
            return False
        fields = _fields(event)
        kind = _type(fields)
        is_text = kind in _PAGE_TYPES or kind.startswith("text/") or kind.endswith(("json", "xml"))
        return event["responseStatusCode"] in _NOTHING_NEW or _is_attached(fields) or not is_text

    def _begin(self, event: dict[str, Any]) -> None:
        self.status, self.fields = event["responseStatusCode"], _fields(event)
        self._address = event["request"]["url"] + event["request"].get("urlFragment", "")
        self._request = event.get("networkId", "")
        self._arrived, self.is_broken = 0, False

    def _is_page(self) -> bool:
        return _type(self.fields) in _PAGE_TYPES and not self._is_attachment() and self.status not in _NOTHING_NEW

    def _is_attachment(self) -> bool:
        return _is_attached(self.fields)

    async def _go_on(self, event: dict[str, Any]) -> None:
        await self.session.send("Fetch.continueRequest", {"requestId": event["requestId"]})

    async def _take(self, event: dict[str, Any]) -> None:
        """Take the bytes past the browser, whose view of them is its own and not the reader's."""
        self.is_taking = True
        body, is_whole = await self._drained(event)
        kept = attrs.evolve(
            self.bare(), body=body, content_type=self.fields.get("content-type"), incomplete=not is_whole
        )
        if not self.outcome.done():
            self.outcome.set_result(kept)

    async def _drained(self, event: dict[str, Any]) -> tuple[bytes, bool]:
        from playwright.async_api import Error

        body = bytearray()
        try:
            stream = await self.session.send("Fetch.takeResponseBodyAsStream", {"requestId": event["requestId"]})
            while True:
                part = await self.session.send("IO.read", {"handle": stream["stream"], "size": CHUNK_BYTES})
                data = part["data"]
                body += base64.b64decode(data) if part.get("base64Encoded") else data.encode()
                if len(body) > self.max_bytes:
                    raise self._too_large()
                if part["eof"]:
                    return bytes(body), self._is_whole(len(body))
        except Error:  # the stream broke off
            return bytes(body), False

    def _is_whole(self, length: int) -> bool:
        stated = self.fields.get("content-length", "")
        return "content-encoding" in self.fields or not stated.isdigit() or length >= int(stated)

    # -- ends --------------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        if self.outcome.done():
            return
        self.outcome.set_result(self.bare())

    def _fail(self, error: Exception) -> None:
        if not self.outcome.done():
            self.outcome.set_exception(error)

    def _too_large(self) -> TooLarge:
        return TooLarge(f"the page of {self.host} is larger than {self.max_bytes:,} bytes", limit_bytes=self.max_bytes)


def _fields(event: dict[str, Any]) -> dict[str, str]:
    return {field["name"].lower(): field["value"] for field in event.get("responseHeaders", ())}


def _type(fields: dict[str, str]) -> str:
    return fields.get("content-type", "").split(";")[0].strip().lower()


def _is_attached(fields: dict[str, str]) -> bool:
    return fields.get("content-disposition", "").split(";")[0].strip().lower() == "attachment"
