"""PDF to text, in a child process. The one door to ``pypdf``."""

from __future__ import annotations

import re
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

from websdk.errors import Unreadable
from websdk.model.document import Document

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_PAGES = 200  # a long report; what is beyond is named, not read
MEMORY_BYTES = 256 * 1024 * 1024  # a page's content streams inflate without a bound of their own
PAGE_BREAK = "\n\n---\n\n"
_MAX_TITLE = 300


class PdfExtractor:
    """Reads the text of a PDF file, page by page."""

    media_types = frozenset({"application/pdf"})
    memory_bytes = MEMORY_BYTES

    def extract(self, body: bytes, *, url: str, max_characters: int | None) -> Document:
        """Return the file's text with a rule between pages, and its title.

        Raises:
            Unreadable: The file is broken, locked, or holds no text (a scan).
        """
        from pypdf import PdfReader
        from pypdf.errors import DependencyError, PyPdfError

        try:
            reader = PdfReader(BytesIO(body), strict=False)
            if reader.is_encrypted and not reader.decrypt(""):
                raise Unreadable(
                    "cannot read content of the type application/pdf: a password locks it", seen="locked_pdf"
                )
            pages = len(reader.pages)
            text = _text(reader)
            title = _title(reader)
        except DependencyError as exc:  # AES needs a library that the extra does not bring
            raise Unreadable(
                "cannot read content of the type application/pdf: the file is locked", seen="locked_pdf"
            ) from exc
        except PyPdfError as exc:
            raise Unreadable(
                "cannot read content of the type application/pdf: the file is broken", seen="broken_pdf"
            ) from exc
        if not text.replace("---", "").strip():
            raise Unreadable(
                "nothing to read in application/pdf: the file holds no text, as a scan does", seen="pdf_without_text"
            )
        return _document(text, url=url, title=title, pages=pages, max_characters=max_characters)


def available() -> tuple[PdfExtractor, ...]:
    """Return the extractor where the extra ``pdf`` is installed, else nothing."""
    return (PdfExtractor(),) if find_spec("pypdf") is not None else ()


def _text(reader: PdfReader) -> str:
    return PAGE_BREAK.join(_tidy(page.extract_text() or "") for page in reader.pages[:MAX_PAGES])


def _tidy(text: str) -> str:
    from websdk.reading.characters import clean, without_controls

    lines = (line.rstrip() for line in clean(without_controls(text)).text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _title(reader: PdfReader) -> str:
    stated = reader.metadata.title if reader.metadata is not None else None
    return " ".join(_tidy(stated or "").split())[:_MAX_TITLE]


def _document(text: str, *, url: str, title: str, pages: int, max_characters: int | None) -> Document:
    from websdk.reading import Strategy
    from websdk.reading.truncate import truncate

    notices: tuple[str, ...] = ()
    if pages > MAX_PAGES:
        notices = (f"The file has {pages} pages; the first {MAX_PAGES} were read.",)
    cut = truncate(text, max_characters)
    return Document(
        url=url,
        title=title,
        markdown=cut.markdown,
        truncated=cut.truncated,
        incomplete=pages > MAX_PAGES,
        strategy=Strategy.PDF,
        media_type="application/pdf",
        notices=notices,
    )
