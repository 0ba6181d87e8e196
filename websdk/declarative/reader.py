"""A preset at one connection, as the pure half of a page reader."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from datetime import date, datetime
from typing import Any

from websdk.declarative.answers import FailureRules
from websdk.declarative.codec import PresetConnection
from websdk.declarative.dates import read_day
from websdk.declarative.draft import Draft
from websdk.declarative.paths import first_text, fulfils, look, number_of
from websdk.declarative.render import address, write_constants
from websdk.declarative.replies import Read, failure_of, malformed, notices_of, read_reply, unexplained_error, wait_of
from websdk.declarative.schema import FetchProviderPreset, Preset
from websdk.declarative.settings import require_settings
from websdk.declarative.words import PAGE_MEANINGS, Meaning
from websdk.errors import AskAgain, ConfigurationError, FetchError, NotFound, ProviderError, Unreadable
from websdk.model.connection import Connection
from websdk.model.urls import serialise
from websdk.protocols.fetch import CheckedUrl, RawDocument
from websdk.wire import status as common
from websdk.wire.message import HttpRequest, HttpResponse, Pause

WHOLE_BODY = "body"
# What a failed read saw, in words that every rung uses.
EMPTY = "empty"
VENDOR_FAILURE = "vendor_failure"

ReadExchange = Generator[HttpRequest | Pause, HttpResponse | None, RawDocument]


class PresetReader(PresetConnection):
    """The reading half of a preset at a connection; a :class:`~websdk.protocols.fetch.ReaderCodec`.

    Args:
        preset: The preset; it has a ``[fetch]`` table.
        connection: Base address and settings in place of the preset's own.

    Raises:
        ConfigurationError: The preset does not read pages, or a setting does not suit its place.
    """

    def __init__(self, preset: Preset, connection: Connection) -> None:
        if preset.fetch is None:
            raise ConfigurationError(f"{preset.vendor.id} does not read pages")
        self._fetch: FetchProviderPreset = preset.fetch
        super().__init__(preset, connection, preset.fetch)

    @property
    def names_served_url(self) -> bool:
        """Whether the vendor says which address served a page."""
        return self._fetch.page.served_url is not None

    def exchange(self, url: CheckedUrl, *, for_evidence: bool = False) -> ReadExchange:
        """Read one page as a generator: yields the request, receives the reply, returns the page.

        Args:
            url: The page.
            for_evidence: Whether the page is kept as evidence, for which the preset may ask in another way.

        Raises:
            ConfigurationError: A setting or the base address is missing.
            FetchError: The vendor says that the page did not come.
            MalformedAnswer: The reply is not what the vendor documents, or is about another page.
        """
        require_settings(self._preset.vendor, self._connection)
        draft = Draft(self._fetch.method)
        over = self._fetch.evidence if for_evidence else None
        write_constants(draft, self._preset.vendor, self._fetch, self._settings, over=over)
        draft.write(self._fetch.url, url.href)
        base = self._known_base()
        response = yield draft.request(address(self._preset.vendor, base, self._fetch.path, self._settings))
        if response is None:
            raise RuntimeError("a request was yielded, and no reply came back")
        return self._page(read_reply(self._fetch.errors, response), url.href)

    def classify(self, response: HttpResponse, *, now: datetime) -> ProviderError | FetchError | None:
        """Return the failure that *response* means, or ``None`` for a success."""
        read = read_reply(self._fetch.errors, response)
        if read.meaning in PAGE_MEANINGS:
            wait_s = wait_of(self._fetch.reply.wait, response, read.data, now=now)
            return self._page_failure(read.meaning, None, wait_s)
        vendor = self._preset.vendor
        error = failure_of(vendor, read.meaning, response, read.data, self._fetch.reply.wait, now=now)
        if error is None and read.meaning is None and not self._takes_whole_body and self._page_at(read.data) is None:
            return unexplained_error(vendor, response, read.data)
        return error

    @property
    def _takes_whole_body(self) -> bool:
        return WHOLE_BODY in (*(self._fetch.page.html or ()), *(self._fetch.page.markdown or ()))

    def _page_at(self, data: Any) -> Any:
        return data if self._fetch.page.at is None else look(data, self._fetch.page.at)

    def _page(self, read: Read, url: str) -> RawDocument:
        if read.meaning in PAGE_MEANINGS:
            raise self._page_failure(read.meaning, None, None)
        if self._takes_whole_body:
            return self._whole_body(read.response)
        self._raise_told_failure(read.data, url)
        page = self._page_at(read.data)
        if isinstance(page, list):
            if not page:
                raise self._page_failure(Meaning.UNREADABLE, None, None)
            page = self._matching(page, url)
            if page is None:
                raise malformed(self._preset.vendor, read.response, "the reply is about another page")
        if not isinstance(page, dict):
            raise malformed(self._preset.vendor, read.response, "the reply holds no page")
        return self._document(read, page)

    def _whole_body(self, response: HttpResponse) -> RawDocument:
        if not response.body.strip():
            raise self._empty()
        served = [response.header(path[7:]) for path in self._fetch.page.served_url or () if path.startswith("header:")]
        return RawDocument(
            body=response.body,
            content_type=response.header("content-type"),
            served_url=next((found for found in served if found and serialise(found)), None),
            is_markdown=WHOLE_BODY in (self._fetch.page.markdown or ()),
            reader=self.id,
            incomplete=response.incomplete,
            proxied=response.proxied,
        )

    def _document(self, read: Read, page: dict[str, Any]) -> RawDocument:
        rules = self._fetch.page
        number = number_of(look(page, rules.status)) if rules.status is not None else None
        status = int(number) if number is not None and 100 <= number <= 599 else None
        if status is not None:
            meant = _meant_by(status)
            if meant is not None:
                raise self._page_failure(meant, status, None)
        html = first_text(page, rules.html, gap="\n\n")
        text = html or first_text(page, rules.markdown, gap="\n\n")
        if not text:
            raise self._empty()
        served = first_text(page, rules.served_url)
        said = notices_of(read.data, self._fetch.reply.notices)
        return RawDocument(
            body=text.encode("utf-8", "replace"),
            content_type="text/html; charset=utf-8" if html else "text/markdown; charset=utf-8",
            status=status,
            served_url=served if served and serialise(served) else None,
            is_markdown=not html,
            title=first_text(page, rules.title) or None,
            published=self._published(page),
            reader=self.id,
            incomplete=read.response.incomplete,
            proxied=read.response.proxied,
            notices=said,
            said_by_vendor=said,
        )

    def _published(self, page: dict[str, Any]) -> date | datetime | None:
        days = (read_day(look(page, path), today=None) for path in self._fetch.page.published or ())
        return next((day for day in days if day is not None), None)

    def _matching(self, rows: list[Any], url: str) -> dict[str, Any] | None:
        """Return the row about *url*, found by address and never by position."""
        for row in rows:
            if isinstance(row, dict) and any(_same_page(found, url) for found in _texts(row, self._fetch.page.url)):
                return row
        return None

    def _raise_told_failure(self, data: Any, url: str) -> None:
        """Raise what a list of failures inside a good reply says about *url*."""
        rules = self._fetch.failures
        entries = look(data, rules.at) if rules is not None else None
        if rules is None or not isinstance(entries, list):
            return
        for entry in entries:
            if not isinstance(entry, dict) or not fulfils(entry, rules.where):
                continue
            if rules.url is None or any(_same_page(found, url) for found in _texts(entry, rules.url)):
                raise self._entry_failure(rules, entry)

    def _entry_failure(self, rules: FailureRules, entry: dict[str, Any]) -> FetchError:
        number = number_of(look(entry, rules.status)) if rules.status is not None else None
        status = int(number) if number is not None and 100 <= number <= 599 else None
        word = first_text(entry, (rules.key,)) if rules.key is not None else ""
        meant = rules.values.get(word) or (_meant_by(status) if status is not None else None)
        return self._page_failure(meant or Meaning.UNREADABLE, status, None)

    def _page_failure(self, meaning: Meaning | None, status: int | None, wait_s: float | None) -> FetchError:
        if meaning is Meaning.NOT_FOUND:
            return NotFound(f"{self.id} says that there is no such page", status=status)
        if meaning is Meaning.ASK_AGAIN:
            return AskAgain(f"{self.id} could not get the page now; try again", wait_s=wait_s, status=status)
        seen = VENDOR_FAILURE if status is None else f"status_{status}"
        return Unreadable(f"{self.id} did not bring the page ({seen})", seen=seen, rung="proxy")

    def _empty(self) -> Unreadable:
        return Unreadable(f"{self.id} brought an empty page", seen=EMPTY, rung="proxy")


def _meant_by(status: int) -> Meaning | None:
    """Return what the status of the page's own origin means; ``None`` for a page."""
    found = common.meaning(status)
    if found in (common.Meaning.CONTENT, common.Meaning.PARTIAL):
        return None
    if found is common.Meaning.NOT_THERE:
        return Meaning.NOT_FOUND
    return Meaning.ASK_AGAIN if found is common.Meaning.ASK_AGAIN else Meaning.UNREADABLE


def _texts(row: dict[str, Any], paths: tuple[str, ...] | None) -> Iterator[str]:
    for path in paths or ():
        found = look(row, path)
        if isinstance(found, str):
            yield found


def _same_page(found: str, url: str) -> bool:
    """Tell whether two addresses are one page to a vendor: fragment and a last slash aside."""
    return _bare(found) == _bare(url)


def _bare(url: str) -> str:
    return (serialise(url) or url).partition("#")[0].rstrip("/")
