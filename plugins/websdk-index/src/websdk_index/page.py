"""Make an indexable page of a document, and of a file's bytes."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import Protocol

import attrs

from websdk.errors import DeadlineExceeded, TooLarge, Unreadable
from websdk.model import Document
from websdk.model.places import language_tag
from websdk.model.urls import parse, serialise
from websdk_index.address import readable
from websdk_index.bounds import MAX_TITLE_CHARACTERS, MAX_URL_CHARACTERS
from websdk_index.folder import FileRefused, FoundFile
from websdk_index.front_matter import split_front_matter

# Stands for the address of a file that has none yet. The name is reserved (RFC 2606), so that a canonical link that
# was relative, and would take its host from here, is told apart from a real address.
_NOWHERE = "https://page.invalid/"
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$", re.M)
_HEADING_WITHIN = 2_000  # characters in which the heading that titles a page is looked for
_SURROGATES = re.compile("[\ud800-\udfff]")


class ReadPage(Protocol):
    """Makes a document of a page's bytes."""

    def __call__(self, body: bytes, *, url: str, content_type: str) -> Awaitable[Document]:
        """Return the document.

        Raises:
            Unreadable: There is nothing to read.
            TooLarge: The page passes a bound of the reader.
            DeadlineExceeded: Reading took too long.
        """
        ...


@attrs.frozen(kw_only=True)
class Page:
    """A page as it is stored.

    Attributes:
        name: Its name below its root: the encoded path of a file, or the address that was asked for.
        url: Its address.
        host: Host of the address.
        title: Its title; never empty.
        body: Its text as Markdown.
        day: Day of publication; ``None`` where neither page nor file says one.
        published: The same as written by the page, or as the file's day.
        published_by: ``page`` or ``file``.
        language: BCP 47 tag in lower case.
        stated_language: The tag that was given for pages that state none.
        from_base: Whether the address comes from a base address.
    """

    name: str
    url: str
    host: str
    title: str
    body: str
    day: date | None
    published: str | None
    published_by: str | None
    language: str | None
    stated_language: str | None
    from_base: bool


async def read_file(body: bytes, file: FoundFile, *, base: str | None, language: str | None, read: ReadPage) -> Page:
    """Make a page of a file's bytes.

    Args:
        body: The bytes.
        file: The file, as it was when they were read.
        base: Checked base address; without one, the page's own canonical link is its address.
        language: Language of pages that state none.
        read: The page reader.

    Raises:
        FileRefused: It has no address, or holds nothing to read.
    """
    try:
        if base is not None:
            url = base + file.name
            document = await read(body, url=url, content_type=file.media_type)
        else:
            document = await read(body, url=_NOWHERE + file.name, content_type=file.media_type)
            url = _canonical(document)
            document = await read(body, url=url, content_type=file.media_type)  # for the page's relative links
    except Unreadable as exc:
        raise FileRefused(f"cannot be read: {exc.seen.replace('_', ' ')}") from exc
    except (TooLarge, DeadlineExceeded) as exc:
        raise FileRefused(f"cannot be read: {exc}") from exc
    if file.media_type == "text/markdown":
        document = _with_front_matter(document)
    return make_page(
        document,
        name=file.name,
        url=url,
        from_base=base is not None,
        file_day=_day_of(file.mtime_ns),
        language=language,
    )


def _with_front_matter(document: Document) -> Document:
    facts = split_front_matter(document.markdown)
    if not facts.body.strip():
        return document
    return attrs.evolve(
        document,
        title=facts.title or document.title,
        published=document.published or facts.published,
        language=document.language or facts.language,
        markdown=facts.body.strip("\n"),
    )


def _day_of(mtime_ns: int) -> date | None:
    try:
        return datetime.fromtimestamp(mtime_ns / 1e9, UTC).date()
    except (ValueError, OverflowError, OSError):
        return None  # archives carry time stamps that no calendar has


def make_page(
    document: Document, *, name: str, url: str, from_base: bool, file_day: date | None, language: str | None
) -> Page:
    """Make a page of a document.

    Args:
        document: The document.
        name: Name of the page below its root.
        url: Its address.
        from_base: Whether the address comes from a base address.
        file_day: Day of the file's last change; ``None`` for a page of the web.
        language: Language of pages that state none.

    Raises:
        FileRefused: The address is too long.
    """
    parsed = parse(url)
    if parsed is None or len(parsed.href) > MAX_URL_CHARACTERS:
        raise FileRefused(f"its address is longer than {MAX_URL_CHARACTERS:,} characters")
    own = document.published
    day = file_day if own is None else own.date() if isinstance(own, datetime) else own
    written = own or file_day
    stated = language_tag(document.language) if document.language else None
    known = stated or language
    body = _SURROGATES.sub("\ufffd", document.markdown)
    return Page(
        name=name,
        url=parsed.href,
        host=parsed.host,
        title=_SURROGATES.sub("\ufffd", _title(document, name))[:MAX_TITLE_CHARACTERS],
        body=body,
        day=day,
        published=written.isoformat() if written else None,
        published_by=None if written is None else "page" if own else "file",
        language=known.lower() if known else None,
        stated_language=language,
        from_base=from_base,
    )


def _canonical(document: Document) -> str:
    parsed = parse(document.canonical_url) if document.canonical_url else None
    nowhere = parse(_NOWHERE)
    if parsed is None or nowhere is None or parsed.host == nowhere.host or parsed.has_credentials:
        raise FileRefused("has no address: give --base-url, or a canonical link in the page")
    return serialise(parsed.href.partition("#")[0]) or parsed.href


def _title(document: Document, name: str) -> str:
    if document.title.strip():
        return document.title.strip()
    heading = _HEADING.search(document.markdown[:_HEADING_WITHIN])
    return heading[1].strip() if heading else readable(PurePosixPath(name).name)
