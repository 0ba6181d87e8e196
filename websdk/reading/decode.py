"""Turn the bytes of a page into text, as a browser would, and never fail."""

from __future__ import annotations

import re

import attrs

from websdk.reading.characters import without_controls
from websdk.reading.prescan import meta_label, xml_declaration
from websdk.reading.sniff import Kind

_MARKS: tuple[tuple[bytes, str], ...] = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16le"),
    (b"\xfe\xff", "utf-16be"),
)
# Encodings whose Python codec is narrower than the label means on the web.
_WIDER = {
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "windows-1252": "cp1252",
    "windows-874": "cp874",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "iso-8859-8-i": "iso8859_8",
    "utf-16le": "utf_16_le",
    "utf-16be": "utf_16_be",
}
_NO_TEXT = frozenset({"replacement", "x-user-defined"})
# Valid sequences of more than one byte, and single bytes that are none.
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}", re.S)
_HIGH = re.compile(rb"[\x80-\xff]")
# Whole sequences that prove UTF-8 under a Latin label.
_PROOF = 4
# The detector's sample: enough words to tell an alphabet, few enough to cost a millisecond or two.
_DETECT_BYTES = 24_000
# Share of the detector's own doubt ("chaos") above which its answer is not believed.
_DETECT_CHAOS = 0.2
_TAGS = re.compile(rb"<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>|[\x00-\x1f ]+", re.I | re.S)


@attrs.frozen(kw_only=True)
class Decoded:
    """Text of a page.

    Attributes:
        text: The text, LF line ends, no control characters, NULs or lone surrogates.
        encoding: WHATWG name of the encoding in effect.
    """

    text: str
    encoding: str


def decode(body: bytes, *, charset: str | None, kind: Kind) -> Decoded:
    """Decode *body*.

    The order is: byte order mark, header, declaration inside the page, UTF-8 where it is valid, a detector for pages
    that declare nothing, windows-1252.

    Args:
        body: The bytes.
        charset: The label of the header; ``None`` or empty where it states none.
        kind: What the bytes are; declarations inside count for markup only.

    Returns:
        The text and the encoding that was used.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return _finish(body[len(mark) :], name)
    labels = _labels(body, charset, kind)
    known = [name for name in map(_encoding_of, labels) if name]
    if known and known[0] == "windows-1252" and _is_plainly_utf8(body):
        return _finish(body, "utf-8")
    for name in known:
        if _fits(body, name):
            return _finish(body, name)
    if known and "utf-8" not in known and _fits(body, "utf-8"):
        return _finish(body, "utf-8")
    if known and (known[0] != "utf-8" or _mostly_utf8(body)):
        return _finish(body, known[0])
    if known:
        return _finish(body, "windows-1252")
    if labels or _fits(body, "utf-8"):
        return _finish(body, "utf-8")
    return _finish(body, _detect(body) or "windows-1252")


def _labels(body: bytes, charset: str | None, kind: Kind) -> list[str]:
    labels = [charset] if charset else []
    if kind in (Kind.HTML, Kind.XML):
        labels += [label for label in (xml_declaration(body),) if label]
    if kind is Kind.HTML:
        inside = meta_label(body)
        if inside:
            labels.append(_as_meta(inside))
    if kind is Kind.JSON and not labels:
        labels = ["utf-8"]
    return labels


def _as_meta(label: str) -> str:
    """A meta element was read as ASCII, so it cannot mean UTF-16; the private label means windows-1252."""
    name = _encoding_of(label)
    if name in ("utf-16le", "utf-16be"):
        return "utf-8"
    if label.strip().lower() == "x-user-defined":
        return "windows-1252"
    return label


def _encoding_of(label: str) -> str | None:
    import webencodings

    try:
        found = webencodings.lookup(label)
    except (UnicodeError, AttributeError):
        return None
    return found.name if found is not None and found.name not in _NO_TEXT else None


def _codec(name: str) -> str:
    return _WIDER.get(name, name)


def _fits(body: bytes, name: str) -> bool:
    try:
        body.decode(_codec(name))
    except (UnicodeError, LookupError):
        return name == "windows-1252"
    return True


def _is_plainly_utf8(body: bytes) -> bool:
    """Whether bytes labelled as Latin are UTF-8 all through: a server's default label over a page that is none.

    Any bytes are windows-1252, and Latin text that happens to be valid UTF-8 does not occur at this length.
    """
    return len(_MULTIBYTE.findall(body)) >= _PROOF and _fits(body, "utf-8")


def _mostly_utf8(body: bytes) -> bool:
    """Whether broken UTF-8 is still UTF-8: some sequences are whole, and they outnumber the bytes that fit none."""
    whole = _MULTIBYTE.findall(body)
    stray = len(_HIGH.findall(body)) - sum(map(len, whole))
    return len(whole) >= stray


def _detect(body: bytes) -> str | None:
    """Ask the detector about the words of a page that declares nothing.

    Returns:
        A WHATWG name, or ``None`` where it is unsure.
    """
    from charset_normalizer import from_bytes

    words = _TAGS.sub(b" ", body[: 8 * _DETECT_BYTES])[:_DETECT_BYTES]
    best = from_bytes(words, steps=5, chunk_size=1_024).best()
    if best is None or best.chaos > _DETECT_CHAOS:
        return None
    return _encoding_of(best.encoding.replace("_", "-")) or _encoding_of(_PYTHON_LABELS.get(best.encoding, ""))


_PYTHON_LABELS = {
    "cp932": "shift_jis",
    "shift_jis_2004": "shift_jis",
    "shift_jisx0213": "shift_jis",
    "cp949": "euc-kr",
    "johab": "euc-kr",
    "cp1250": "windows-1250",
    "cp1251": "windows-1251",
    "cp1252": "windows-1252",
    "cp1253": "windows-1253",
    "cp1254": "windows-1254",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "cp1257": "windows-1257",
    "cp1258": "windows-1258",
    "cp874": "windows-874",
    "tis_620": "windows-874",
    "big5hkscs": "big5",
    "cp950": "big5",
    "gb18030": "gb18030",
    "gb2312": "gbk",
    "hz": "gbk",
    "euc_jis_2004": "euc-jp",
    "euc_jisx0213": "euc-jp",
    "mac_cyrillic": "x-mac-cyrillic",
    "mac_roman": "macintosh",
    "latin_1": "windows-1252",
}


def _finish(body: bytes, name: str) -> Decoded:
    text = body.decode(_codec(name), "replace")
    return Decoded(text=without_controls(text), encoding=name)
