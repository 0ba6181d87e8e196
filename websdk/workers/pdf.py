"""PDF to text, in a child process. The one door to ``pypdf``."""

from __future__ import annotations

import re
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, NoReturn

import attrs

from websdk.errors import Unreadable
from websdk.model.document import Document

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_PAGES = 200  # a long report; what is beyond is named, not read
MEMORY_BYTES = 256 * 1024 * 1024  # a page's content streams inflate without a bound of their own
PAGE_BREAK = "\n\n---\n\n"
_MAX_TITLE = 300


@attrs.frozen(kw_only=True)
class _Pages:
    """What was read, page by page, and the numbers of the pages that could not be read."""

    texts: tuple[str, ...]
    lost: tuple[int, ...] = ()
    limited: bool = False


class PdfExtractor:
    """Reads the text of a PDF file, page by page."""

    media_types = frozenset({"application/pdf"})
    memory_bytes = MEMORY_BYTES

    def extract(self, body: bytes, *, url: str, max_characters: int | None) -> Document:
        """Return the file's text with a rule between pages, and its title.

        A page that cannot be read is left out and named; the others stand.

        Raises:
            Unreadable: The file is broken, locked, too complex, or holds no text (a scan).
        """
        from pypdf import PdfReader
        from pypdf.errors import DependencyError

        try:
            reader = PdfReader(BytesIO(body), strict=False)
            if reader.is_encrypted and not reader.decrypt(""):
                raise Unreadable(
                    "cannot read content of the type application/pdf: a password locks it", seen="locked_pdf"
                )
            count = len(reader.pages)
            pages = _read_pages(reader, min(count, MAX_PAGES))
        except DependencyError as exc:  # AES needs a library that the extra does not bring
            raise Unreadable(
                "cannot read content of the type application/pdf: the file is locked", seen="locked_pdf"
            ) from exc
        except _faults() as exc:
            _give_up(limited=_is_limit(exc), cause=exc)
        if not any(pages.texts):
            if pages.lost:
                _give_up(limited=pages.limited)
            raise Unreadable(
                "nothing to read in application/pdf: the file holds no text, as a scan does", seen="pdf_without_text"
            )
        return _document(pages, url=url, title=_title(reader), count=count, max_characters=max_characters)


def available() -> tuple[PdfExtractor, ...]:
    """Return the extractor where the extra ``pdf`` is installed, else nothing."""
    return (PdfExtractor(),) if find_spec("pypdf") is not None else ()


def _faults() -> tuple[type[Exception], ...]:
    """Return what the library raises over a file that is not what it says: its own kinds, and those of its slips."""
    from zlib import error as ZlibError

    from pypdf.errors import PyPdfError

    slips = (
        ArithmeticError,
        AssertionError,
        AttributeError,
        EOFError,
        LookupError,
        RuntimeError,
        TypeError,
        ValueError,
    )
    return (PyPdfError, ZlibError, *slips)


def _give_up(*, limited: bool, cause: Exception | None = None) -> NoReturn:
    what, seen = ("too complex", "too_complex") if limited else ("broken", "broken_pdf")
    raise Unreadable(f"cannot read content of the type application/pdf: the file is {what}", seen=seen) from cause


def _is_limit(failure: Exception) -> bool:
    """Tell a bound of the library, which an honest file may pass, from a file that is broken."""
    from pypdf import errors

    return isinstance(failure, (RecursionError, getattr(errors, "LimitReachedError", RecursionError)))


def _read_pages(reader: PdfReader, count: int) -> _Pages:
    faults = _faults()
    texts, lost, limited = [], [], False
    for number in range(count):
        try:
            texts.append(_tidy(reader.pages[number].extract_text() or ""))
        except faults as exc:
            lost.append(number + 1)
            limited = limited or _is_limit(exc)
    return _Pages(texts=tuple(texts), lost=tuple(lost), limited=limited)


def _tidy(text: str) -> str:
    from websdk.reading.characters import clean, without_controls

    lines = (line.rstrip() for line in clean(without_controls(text)).text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _title(reader: PdfReader) -> str:
    try:
        stated = reader.metadata.title if reader.metadata is not None else None
    except _faults():  # the pages were read; a title is not worth losing them
        return ""
    return " ".join(_tidy(stated or "").split())[:_MAX_TITLE]


def _notices(pages: _Pages, count: int) -> tuple[str, ...]:
    notices = []
    if count > MAX_PAGES:
        notices.append(f"The file has {count} pages; the first {MAX_PAGES} were read.")
    if len(pages.lost) == 1:
        notices.append(f"Page {pages.lost[0]} of the file cannot be read and is missing.")
    elif pages.lost:
        notices.append(
            f"{len(pages.lost)} pages of the file cannot be read and are missing, from page {pages.lost[0]}."
        )
    return tuple(notices)


def _document(pages: _Pages, *, url: str, title: str, count: int, max_characters: int | None) -> Document:
    from websdk.reading import Strategy
    from websdk.reading.truncate import truncate

    cut = truncate(PAGE_BREAK.join(pages.texts), max_characters)
    return Document(
        url=url,
        title=title,
        markdown=cut.markdown,
        truncated=cut.truncated,
        incomplete=count > MAX_PAGES or bool(pages.lost),
        strategy=Strategy.PDF,
        media_type="application/pdf",
        notices=_notices(pages, count),
    )
