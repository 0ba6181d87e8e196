"""Roles of reading pages."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date, datetime
from typing import Protocol, runtime_checkable

import attrs

from websdk.errors import FetchError, ProviderError
from websdk.model.document import Document, Via
from websdk.protocols.call import Call
from websdk.wire.message import HttpRequest, HttpResponse, Pause


@attrs.frozen(kw_only=True)
class Verdict:
    """What the egress guard says of an address.

    Attributes:
        allowed: Whether a page read may go there.
        reason: The rule that decided, a word of ``docs/reference/egress.md``.
    """

    allowed: bool
    reason: str


@attrs.frozen(kw_only=True)
class CheckedUrl:
    """An address that the egress guard has judged; made by the guard alone.

    Attributes:
        href: WHATWG serialisation without fragment and credentials.
        scheme: ``http`` or ``https``.
        host: Lower-case A-label host, or a literal address (IPv6 without brackets).
        port: Port that a connection uses.
        origin: ``scheme://host[:port]``, the default port left out.
    """

    href: str = attrs.field(repr=False)
    scheme: str
    host: str
    port: int
    origin: str


@attrs.frozen(kw_only=True)
class RawDocument:
    """What a rung brings back before it is read.

    Attributes:
        body: The page's bytes, content codings undone.
        content_type: The whole ``Content-Type``, where one was stated.
        status: HTTP status of the page at its origin, where it is known.
        location: The ``Location`` field of a redirect, as sent.
        retry_after: The ``Retry-After`` field, as sent.
        served_url: Address that served it; ``None`` where unknown.
        is_markdown: Whether ``body`` is Markdown that a vendor wrote instead of the page's own bytes.
        title: Title that a vendor states; ``None`` leaves it to the reader.
        published: Day or moment of publication that a vendor states.
        reader: The vendor that fetched it.
        truncated_upstream: Whether it was cut before it reached us.
        incomplete: Whether its end is missing.
        proxied: Whether a configured proxy carried it.
        notices: Plain sentences for the reader.
        said_by_vendor: Those of ``notices`` that hold the vendor's own words, letter for letter.
    """

    body: bytes = attrs.field(repr=lambda body: f"<{len(body)} bytes>")
    content_type: str | None = None
    status: int | None = None
    location: str | None = None
    retry_after: str | None = None
    served_url: str | None = None
    is_markdown: bool = False
    title: str | None = None
    published: date | datetime | None = None
    reader: str | None = None
    truncated_upstream: bool = False
    incomplete: bool = False
    proxied: bool = False
    notices: tuple[str, ...] = ()
    said_by_vendor: tuple[str, ...] = ()


class ReaderCodec(Protocol):
    """The pure half of a reader vendor: requests out, replies in, no I/O."""

    @property
    def id(self) -> str:
        """Id of the vendor."""
        ...

    def exchange(
        self, url: CheckedUrl, *, for_evidence: bool = False
    ) -> Generator[HttpRequest | Pause, HttpResponse | None, RawDocument]:
        """Read one page as a generator: yields what to send, receives each reply, returns the page.

        Args:
            url: The page.
            for_evidence: Whether its text is kept as evidence. A vendor that writes Markdown and can leave out images
                and link targets is then asked to; a page for a person keeps both.

        Raises:
            FetchError: The vendor says that the page did not come.
            ProviderError: The reply is not what the vendor documents.
        """
        ...

    def classify(self, response: HttpResponse, *, now: datetime) -> ProviderError | FetchError | None:
        """Return the failure that *response* means, or ``None`` for a success."""
        ...


@runtime_checkable
class FetchRung(Protocol):
    """One way to a page's bytes."""

    @property
    def via(self) -> Via:
        """Which rung it is."""
        ...

    async def read(self, url: CheckedUrl, *, call: Call) -> RawDocument:
        """Fetch the page once, within the deadline of *call*.

        Raises:
            FetchError: The page did not come.
            ProviderError: The vendor in between failed.
        """
        ...


@runtime_checkable
class ClosableRung(Protocol):
    """What a rung is too where something runs for each of its reads, such as a browser."""

    async def aclose(self) -> None:
        """End the reads under way on the running loop, each with an error of this package; the rung can read again."""
        ...


class Extractor(Protocol):
    """Makes a document of one kind of content that the reader itself does not read."""

    @property
    def media_types(self) -> frozenset[str]:
        """Media types it reads, lower-case."""
        ...

    def extract(self, body: bytes, *, url: str, max_characters: int | None) -> Document:
        """Return the document. Pure, and run in a worker process.

        Raises:
            Unreadable: There is nothing to read.
        """
        ...
