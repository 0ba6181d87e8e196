"""What a preset declares about reading pages, held against its request and against replies in its shape. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import attrs

from websdk.declarative import Preset, PresetReader
from websdk.declarative.schema import FetchProviderPreset
from websdk.errors import WebSdkError
from websdk.protocols import CheckedUrl, RawDocument
from websdk.testing.desk import NOW, first_request, played
from websdk.testing.replies import json_response, page_body, page_response, put, takes_whole_body
from websdk.testing.report import Finding
from websdk.testing.samples import connection_of
from websdk.testing.wire import Leaves, differences, leaves, stands_at, wire_place
from websdk.wire import HttpRequest, HttpResponse

PAGE = "https://port.example/tides?day=1&sea=a%20b"
OTHER_PAGE = "https://port.example/moorings"
ODD_VALUES: tuple[Any, ...] = (None, 7, [], {"x": 1})
FIELDS = {
    "html": "<h1>Tides</h1><p>High water at noon.</p>",
    "markdown": "# Tides\n\nHigh water at noon.",
    "title": "Tides",
    "published": "2026-03-01",
    "status": 200,
    "served_url": PAGE,
}


@attrs.define(kw_only=True)
class ReaderDesk:
    """Asks the reading half of a preset; counts what it was asked."""

    preset: Preset
    reader: PresetReader
    looked: int = 0

    @classmethod
    def of(cls, preset: Preset, reader: PresetReader | None = None) -> ReaderDesk:
        """Make a desk with a value for everything that the preset asks for."""
        return cls(preset=preset, reader=PresetReader(preset, connection_of(preset)) if reader is None else reader)

    @property
    def fetch(self) -> FetchProviderPreset:
        """The reading half."""
        assert self.preset.fetch is not None
        return self.preset.fetch

    def request(self, url: str = PAGE, *, for_evidence: bool = False) -> HttpRequest:
        """Return the request for a page."""
        self.looked += 1
        return first_request(self.reader.exchange(checked(url), for_evidence=for_evidence))

    def wire(self, url: str = PAGE) -> Leaves:
        """Return the request for a page, by place."""
        return leaves(self.request(url))

    def read(self, reply: HttpResponse, url: str = PAGE) -> RawDocument | str:
        """Return the page, or the name of the failure."""
        self.looked += 1
        try:
            found = played(self.reader.exchange(checked(url)), self.classify, (reply,))
        except WebSdkError as error:
            return type(error).__name__
        assert isinstance(found, RawDocument)
        return found

    def classify(self, reply: HttpResponse) -> Any:
        """Return the failure that a reply means."""
        return self.reader.classify(reply, now=NOW)

    def good(self, **fields: Any) -> HttpResponse:
        """Return a good reply with one page."""
        return page_response(self.fetch, PAGE, {**FIELDS, **fields})


def checked(url: str) -> CheckedUrl:
    """Return *url* as the guard would hand it on."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return CheckedUrl(href=url, scheme=parts.scheme, host=host, port=443, origin=f"{parts.scheme}://{host}")


def page_arrives(desk: ReaderDesk) -> Iterator[Finding]:
    """Vary the address."""
    place = wire_place(desk.fetch.url, is_get=desk.fetch.method == "GET")
    for url in (PAGE, OTHER_PAGE):
        if not any(value == url for leaf, value in desk.wire(url).items() if stands_at(leaf, (place,))):
            yield Finding(path="fetch.url", message=f"the whole address is not at {desk.fetch.url}")
    strays = [leaf for leaf in differences(desk.wire(PAGE), desk.wire(OTHER_PAGE)) if not stands_at(leaf, (place,))]
    if strays:
        yield Finding(path="fetch.url", message=f"two pages differ at {', '.join(strays)}")


def evidence_alone(desk: ReaderDesk) -> Iterator[Finding]:
    """Ask for a page as evidence and for a person, and compare."""
    is_get = desk.fetch.method == "GET"
    places = {at: wire_place(at, is_get=is_get) for at in desk.fetch.evidence}
    plain, evidence = desk.wire(), leaves(desk.request(for_evidence=True))
    changed = differences(plain, evidence)
    for at, place in places.items():
        if not any(stands_at(leaf, (place,)) for leaf in changed):
            yield Finding(path=f"fetch.evidence.{at}", message="changes nothing")
    page = wire_place(desk.fetch.url, is_get=is_get)
    strays = [leaf for leaf in changed if stands_at(leaf, (page,)) or not stands_at(leaf, tuple(places.values()))]
    if strays:
        yield Finding(path="fetch.evidence", message=f"a read for evidence also differs at {', '.join(sorted(strays))}")


def page_read(desk: ReaderDesk) -> Iterator[Finding]:
    """Read a page in the declared shape, one without text, and one with odd fields."""
    found = desk.read(desk.good())
    if isinstance(found, str):
        yield Finding(path="fetch.page", message=f"a page in the declared shape is taken for {found}")
        return
    if b"High water at noon." not in found.body:
        yield Finding(path="fetch.page.html", message="is sent in the declared place and not read")
    empty = desk.read(desk.good(html="", markdown=""))
    if empty != "Unreadable":
        yield Finding(path="fetch.page", message="a page without text is not reported as empty")
    if takes_whole_body(desk.fetch):
        return
    if desk.fetch.page.title is not None and found.title != "Tides":
        yield Finding(path="fetch.page.title", message="is sent in the declared place and not read")
    for name in ("title", "published", "served_url"):
        for value in ODD_VALUES:
            odd = desk.read(desk.good(**{name: value}))
            # An address by which the page is found cannot be odd and found all the same.
            shared = set(getattr(desk.fetch.page, name) or ()) & set(desk.fetch.page.url or ())
            if isinstance(odd, str) and not shared:
                yield Finding(path=f"fetch.page.{name}", message="a page is lost when it is odd or null")
                break
    if desk.fetch.page.status is not None:
        gone = desk.read(desk.good(status=404))
        if gone != "NotFound":
            yield Finding(path="fetch.page.status", message="a 404 of the page's own origin is not told")


def page_identity(desk: ReaderDesk) -> Iterator[Finding]:
    """Answer with another page."""
    if desk.fetch.page.url is None or takes_whole_body(desk.fetch):
        return
    if desk.fetch.page.at is not None:
        body = page_body(desk.fetch, OTHER_PAGE, {**FIELDS, "served_url": OTHER_PAGE})
        if not isinstance(desk.read(json_response(body)), str):
            yield Finding(path="fetch.page.url", message="another page is taken for the one that was asked for")


def page_failures(desk: ReaderDesk) -> Iterator[Finding]:
    """Name a failure of this page, and of another."""
    rules = desk.fetch.failures
    if rules is None:
        return
    for url, wanted in ((PAGE, True), (OTHER_PAGE, False)):
        entry: Any = None
        for path, value in rules.where.items():
            entry = put(entry, path, value[0] if isinstance(value, list) else value)
        if rules.url is not None:
            entry = put(entry, rules.url[0], url)
        elif not wanted:
            continue
        body = put(page_body(desk.fetch, PAGE, FIELDS), rules.at, [entry or {"reason": "failed"}])
        if rules.at == desk.fetch.page.at:
            body = put(None, rules.at, [entry])
            wanted = True
        found = desk.read(json_response(body))
        if isinstance(found, str) != wanted:
            said = "its own failure is not told" if wanted else "another page's failure is told for it"
            yield Finding(path="fetch.failures", message=f"of a page {said}")
