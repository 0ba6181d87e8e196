"""Requests to read a page, and the page that was read."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Any

import attrs

from websdk.errors import InvalidRequest
from websdk.model.receipt import Receipt


class Via(StrEnum):
    """The rungs of the page reader; the operator decides which exist, the caller which serves."""

    LOCAL = "local"
    """This machine asks the origin, guarded and pinned."""
    PROXY = "proxy"
    """A named vendor fetches the page."""
    RENDER = "render"
    """A headless browser on this machine builds the page."""


def _via(value: Any) -> Via:
    try:
        return Via(value)
    except ValueError:
        raise InvalidRequest("via is one of local, proxy, render") from None


def _url(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidRequest("url is a text that is not empty: the address of a page such as https://example.org/")
    return value


def _ceiling(instance: object, attribute: attrs.Attribute[int | None], value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InvalidRequest("max_characters is a whole number from 1, or None for the setting")


@attrs.frozen(kw_only=True)
class FetchRequest:
    """One page to read.

    Attributes:
        url: Its address, as the caller has it; the egress guard judges it.
        via: The rung that serves.
        provider: The reader of the ``proxy`` rung; ``None`` means the one that settings name.
        max_characters: How long the text may be, notice included; ``None`` means the setting.

    Raises:
        InvalidRequest: A value is not of its kind.
    """

    url: str = attrs.field(converter=_url, repr=False)
    via: Via = attrs.field(default=Via.LOCAL, converter=_via)
    provider: str | None = None
    max_characters: int | None = attrs.field(default=None, validator=_ceiling)


@attrs.frozen(kw_only=True)
class Link:
    """A link of a page.

    Attributes:
        text: Its visible text, blanks folded.
        url: Its absolute address.
    """

    text: str
    url: str


@attrs.frozen(kw_only=True)
class Document:
    """A page as text.

    Attributes:
        url: The address that was asked for.
        served_url: The address that served it; ``None`` where a vendor does not say.
        canonical_url: What the page calls its own address.
        title: Its title; empty where it has none.
        markdown: Its main content as Markdown.
        language: BCP 47 tag as the page declares it.
        published: Day or aware moment of publication as the page declares it.
        links: Links of the main content, absolute.
        via: The rung that read it; ``None`` for bytes that were handed in.
        reader: The vendor that fetched it, on the ``proxy`` rung.
        extracted_by: Who made Markdown of it: ``websdk``, or the id of a vendor.
        strategy: Which reading of the page won, a word of ``docs/reference/reading.md``.
        remaining_rungs: Rungs that exist here and were not used.
        truncated: Whether ``markdown`` was cut to the asked length.
        truncated_upstream: Whether the bytes were already cut before they were read.
        incomplete: Whether part of the page was lost, such as markup nested beyond the bounds.
        hidden_content_detected: Whether prose was removed that no visitor could see.
        hidden_counts: How much was removed, by kind.
        docs_index: Address of an index for language models at the serving origin; ``None`` where none was found.
        media_type: The kind of content that was read.
        encoding: The encoding that the bytes were read in.
        receipt: What was sent to whom.
        ref: Handle of the stored page; ``None`` outside a session.
        notices: Plain sentences a reader of the text should know. In an answer of a session the words of a vendor
            stand in quotation marks behind its name.
        said_by_vendor: Those of ``notices`` that hold the vendor's own words; empty where they are quoted already.
    """

    url: str
    title: str
    markdown: str
    served_url: str | None = None
    canonical_url: str | None = None
    language: str | None = None
    published: date | datetime | None = None
    links: tuple[Link, ...] = ()
    via: Via | None = None
    reader: str | None = None
    extracted_by: str = "websdk"
    strategy: str = ""
    remaining_rungs: tuple[Via, ...] = ()
    truncated: bool = False
    truncated_upstream: bool = False
    incomplete: bool = False
    hidden_content_detected: bool = False
    hidden_counts: dict[str, int] = attrs.field(factory=dict)
    docs_index: str | None = None
    media_type: str | None = None
    encoding: str | None = None
    receipt: Receipt | None = None
    ref: str | None = None
    notices: tuple[str, ...] = ()
    said_by_vendor: tuple[str, ...] = ()
