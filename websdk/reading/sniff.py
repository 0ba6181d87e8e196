"""Say what kind of content some bytes are, whatever their label claims."""

from __future__ import annotations

import re
from enum import StrEnum

import attrs

from websdk.reading.prescan import encoding_of


class Kind(StrEnum):
    """The kinds of content this room reads."""

    HTML = "html"
    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    XML = "xml"
    UNSUPPORTED = "unsupported"


@attrs.frozen(kw_only=True)
class Sniffed:
    """What the bytes are.

    Attributes:
        kind: How they are read.
        media_type: The type that was found, lower case, without parameters.
        charset: The charset parameter of the label; ``None`` where it states none.
    """

    kind: Kind
    media_type: str
    charset: str | None


_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\x00\x01\x00\x00\x00", "font/ttf"),
    (b"OTTO\x00", "font/otf"),
    (b"OggS\x00", "application/ogg"),
    (b"ID3\x03", "audio/mpeg"),
    (b"ID3\x04", "audio/mpeg"),
    (b"fLaC\x00", "audio/flac"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x7fELF", "application/x-elf"),
    (b"\xca\xfe\xba\xbe", "application/java-vm"),
    (b"\x00asm", "application/wasm"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"{\\rtf", "application/rtf"),
    (b"%!PS-", "application/postscript"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
)
# A PDF may have a few stray bytes before its signature; readers look at the first 1,024.
_PDF_WINDOW = 1_024
# Quotes may be missing, doubled or escaped, and a second label may follow a comma.
_CHARSET = re.compile(r"""[;,]\s*charset\s*=[\s"'\\]*([^;,"']*)""", re.I)
# What may stand before the first element. Atomic: a comment that was read is never read again in another way, for which
# there are as many ways as subsets of its arrows.
_PREAMBLE = rb"(?:\xef\xbb\xbf)?\s*+(?>(?:<!--.*?-->|<\?[^>]*>)\s*+)*+"
_MARKUP = re.compile(
    _PREAMBLE
    + rb"<(?:!doctype\s+html|html|head|body|title|meta|script|style|link|h1|div|p|table|a|br|main|article|section)"
    rb"[\s>/]",
    re.I | re.S,
)
_XML_ROOT = re.compile(_PREAMBLE + rb"<(?:rss|feed|rdf:RDF)[\s>]", re.I | re.S)
_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_MARKDOWN_TYPES = frozenset({"text/markdown", "text/x-markdown"})
# Labels that say nothing: the bytes decide.
_VAGUE = frozenset(
    {"", "application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown", "*/*"}
)
_TEXTUAL = frozenset(
    {
        "application/javascript",
        "application/x-javascript",
        "application/ecmascript",
        "application/x-sh",
        "application/x-yaml",
        "application/yaml",
        "application/toml",
        "application/sql",
        "application/graphql",
        "application/x-tex",
        "application/x-ndjson",
        "application/jsonl",
        "message/rfc822",
    }
)
# Bytes that no text has, the escape of ISO-2022 and the form feed left out.
_BINARY = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
_SAMPLE = 4_096
# So many of them are damage in what is labelled as text; a tenth of all bytes is usual in what is binary.
_HANDFUL = 8
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def sniff(body: bytes, content_type: str | None) -> Sniffed:
    """Say how *body* is to be read.

    A signature of another kind beats the label, and a label that names a kind beats a guess from the text.

    Args:
        body: The bytes of the page.
        content_type: The label they came with.

    Returns:
        The kind, the media type and the stated charset.
    """
    label = (content_type or "").strip()
    media_type = label.split(";", 1)[0].strip().lower()
    match = _CHARSET.search(label)
    charset = match.group(1).replace("\\", "").strip() if match else None
    signature = _signature(body)
    if signature:
        return Sniffed(kind=Kind.UNSUPPORTED, media_type=signature, charset=charset)
    kind = _by_label(media_type)
    if kind is None and (media_type in _VAGUE or "/" not in media_type):
        kind, media_type = _by_content(body, charset)
    elif kind is Kind.HTML and _XML_ROOT.match(body[:_SAMPLE]):
        kind = Kind.XML
    elif kind is Kind.XML and _MARKUP.match(body[:_SAMPLE]):
        kind = Kind.HTML
    elif kind in (None, Kind.JSON) and _MARKUP.match(body[:_SAMPLE]):
        # A page of an error or a login under the label of the file that was asked for; no such file begins like it.
        kind, media_type = Kind.HTML, "text/html"
    elif kind is not None and _looks_binary(body, charset, labelled=True):
        kind, media_type = Kind.UNSUPPORTED, "application/octet-stream"
    return Sniffed(kind=kind or Kind.UNSUPPORTED, media_type=media_type, charset=charset)


def _signature(body: bytes) -> str | None:
    head = body[:_PDF_WINDOW]
    for signature, media_type in _SIGNATURES:
        if head.startswith(signature):
            return media_type
    if head[:4] == b"RIFF" and head[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}[head[8:12]]
    if head[4:8] == b"ftyp":
        return "image/avif" if head[8:12] in (b"avif", b"heic", b"mif1") else "video/mp4"
    start = head.find(b"%PDF-")
    if start != -1 and b"<" not in head[:start]:
        return "application/pdf"
    return None


def _by_label(media_type: str) -> Kind | None:
    if media_type in _HTML_TYPES:
        return Kind.HTML
    if media_type in _MARKDOWN_TYPES:
        return Kind.MARKDOWN
    if media_type in ("application/json", "text/json") or media_type.endswith("+json"):
        return Kind.JSON
    if media_type in ("application/xml", "text/xml") or (media_type.endswith("+xml") and media_type != "image/svg+xml"):
        return Kind.XML
    if media_type.startswith("text/") or media_type in _TEXTUAL:
        return Kind.TEXT
    return None


def _by_content(body: bytes, charset: str | None) -> tuple[Kind, str]:
    head = body[:_SAMPLE]
    if _XML_ROOT.match(head):
        return Kind.XML, "application/xml"
    if _MARKUP.match(head):
        return Kind.HTML, "text/html"
    if not body.strip():
        return Kind.HTML, "text/html"
    if _looks_binary(body, charset):
        return Kind.UNSUPPORTED, "application/octet-stream"
    if body.lstrip()[:1] in (b"{", b"[") and body.rstrip()[-1:] in (b"}", b"]"):
        return Kind.JSON, "application/json"
    if body.lstrip()[:1] == b"<":
        return Kind.HTML, "text/html"
    return Kind.TEXT, "text/plain"


def _looks_binary(body: bytes, charset: str | None, *, labelled: bool = False) -> bool:
    sample = body[:_SAMPLE]
    if sample.startswith(_MARKS) or (encoding_of(charset or "") or "").startswith("utf-16"):
        return False
    found = len(_BINARY.findall(sample))
    if labelled and found <= len(sample) // 3:
        return found > max(_HANDFUL, len(sample) // 20)
    return found > len(sample) // 100
