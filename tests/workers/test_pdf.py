"""PDF files become text in a child; needs the extra ``pdf``."""

from __future__ import annotations

import asyncio
import sys
import zlib

import pytest

from websdk.errors import Unreadable
from websdk.model.document import Document
from websdk.workers import ExtractionPool
from websdk.workers.jobs import OUT_OF_MEMORY
from websdk.workers.pdf import MAX_PAGES

pytest.importorskip("pypdf", reason="the extra 'pdf' is not installed")

URL = "https://docs.example/report.pdf"


def make_pdf(pages: list[str], *, title: str | None = None, password: str | None = None) -> bytes:
    """Write a small PDF file by hand, as plain objects and a cross-reference table."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for i, text in enumerate(pages):
        content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * i} 0 R >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    objects.append(f"<< /Title ({title or ''}) >>")
    out = b"%PDF-1.4\n"
    offsets = []
    for number, text in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1")
    start = len(out)
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    trailer = (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\nstartxref\n{start}\n%%EOF\n"
    )
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode("latin-1")
    return out if password is None else locked(out, password)


def locked(body: bytes, password: str) -> bytes:
    from io import BytesIO

    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(PdfReader(BytesIO(body)))
    writer.encrypt(password, algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def read(body: bytes, content_type: str | None = "application/pdf") -> Document:
    async def main() -> Document:
        pool = ExtractionPool()
        try:
            return await pool.extract(body, url=URL, content_type=content_type, deadline_s=60)
        finally:
            await pool.aclose()

    return asyncio.run(main())


def test_a_pdf_file_is_read_page_by_page_with_its_title() -> None:
    document = read(make_pdf(["The first page speaks.", "The second answers."], title="Two pages"))

    assert "The first page speaks.\n\n---\n\nThe second answers." == document.markdown
    assert "Two pages" == document.title
    assert "application/pdf" == document.media_type
    assert "pdf" == document.strategy


def test_a_pdf_file_is_known_by_its_signature_whatever_its_label() -> None:
    assert "spoken" in read(make_pdf(["A word is spoken here."]), content_type="text/html").markdown


def test_pages_beyond_the_bound_are_named() -> None:
    document = read(make_pdf([f"Page {i}" for i in range(MAX_PAGES + 3)]))

    assert f"Page {MAX_PAGES - 1}" in document.markdown
    assert f"Page {MAX_PAGES}" not in document.markdown
    assert document.incomplete
    assert (f"The file has {MAX_PAGES + 3} pages; the first {MAX_PAGES} were read.",) == document.notices


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        (b"%PDF-1.7\n\x93\xfa\x00\xff\xfe" * 40, "broken_pdf"),
        (make_pdf(["", ""]), "pdf_without_text"),
        (make_pdf(["Nothing for you."], password="secret"), "locked_pdf"),
    ],
    ids=["broken", "scan", "locked"],
)
def test_a_pdf_file_without_readable_text_is_unreadable(body: bytes, seen: str) -> None:
    with pytest.raises(Unreadable) as failure:
        read(body)

    assert seen == failure.value.seen
    assert "%PDF" not in str(failure.value)


def packed(content: bytes, *, times: int = 1) -> bytes:
    """Return a stream object that inflates to *content*, *times* over."""
    packer = zlib.compressobj(9)
    stream = b"".join(packer.compress(content) for _ in range(times)) + packer.flush()
    return f"<< /Filter /FlateDecode /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream"


def with_stream(body: bytes, page: int, stream: bytes) -> bytes:
    """Return *body* with another content of one of its pages; the library finds objects again that have moved."""
    start = -1
    for _ in range(page):
        start = body.index(b"<< /Length", start + 1)
    end = body.index(b"endstream", start) + len(b"endstream")
    return body[:start] + stream + body[end:]


ENDLESS = packed(bytes(2**20), times=100)


@pytest.mark.parametrize("stream", [ENDLESS, b"<< /Filter /Unheard /Length 3 >>\nstream\n@@@\nendstream"])
def test_a_page_that_cannot_be_read_costs_no_other_page(stream: bytes) -> None:
    document = read(with_stream(make_pdf(["The front page.", "@", "The last page."]), 2, stream))

    assert "The front page.\n\n---\n\nThe last page." == document.markdown
    assert document.incomplete
    assert ("Page 2 of the file cannot be read and is missing.",) == document.notices


def test_a_bound_that_was_reached_is_no_broken_file() -> None:
    with pytest.raises(Unreadable) as failure:
        read(with_stream(make_pdf(["@"]), 1, ENDLESS))

    assert "too_complex" == failure.value.seen


@pytest.mark.skipif(sys.platform != "linux", reason="no memory limit here")
def test_a_stream_that_inflates_without_end_takes_no_more_than_its_memory() -> None:
    body = with_stream(make_pdf(["@"]), 1, packed(bytes(2**20), times=300))

    with pytest.raises(Unreadable) as failure:
        read(body)

    assert failure.value.seen in (OUT_OF_MEMORY, "too_complex")
