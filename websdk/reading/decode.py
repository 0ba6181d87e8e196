"""Turn the bytes of a page into text, as a browser would, and never fail."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from websdk.reading.characters import without_controls
from websdk.reading.legacy import decode_as, is_multibyte
from websdk.reading.prescan import encoding_of, meta_labels, xml_declaration
from websdk.reading.sniff import Kind

_MARKS: tuple[tuple[bytes, str], ...] = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16le"),
    (b"\xfe\xff", "utf-16be"),
)
_ASCII = bytes(range(0x80))
# Begins letters of two bytes in ISO-2022-JP, whose pages are ASCII and so valid UTF-8 as well.
_SHIFTS = b"\x1b$B"
# Whole sequences that prove UTF-8 under a Latin label.
_PROOF = 4
# Characters that an encoding of several bytes explains for each byte it does not, where it is the right one and the
# page is damaged; the second is for the first few bytes, as one alone weighs much in a short page.
_WHOLE_SHARE = 20
_WHOLE_SHARE_OF_FEW = 2
_FEW = 2
# Whole sequences of UTF-8 for four bytes that fit none are still UTF-8 where nothing else is declared: in Latin text,
# the only other candidate then, such sequences do not occur.
_STRAY_ALONE = 4
# The detector's sample: enough words to tell an alphabet, few enough to cost a millisecond or two.
_DETECT_BYTES = 24_000
# Share of the detector's own doubt ("chaos") above which its answer is not believed.
_DETECT_CHAOS = 0.2
# What text of Central Europe has in windows-1250 and Western text in windows-1252 has not: letters inside words where
# the other has signs, and the long letters of Hungarian, one of which Portuguese has before an e alone.
_EASTERN = re.compile(
    rb"[a-zA-Z\xc0-\xff][\x9a\x9d\x9e\x9f\xb3\xb9\xbc\xbe\xbf\xfe]|[a-mo-zA-MO-Z]\xba"
    rb"|[\x9a\x9d\x9e\x9f\xa3\xb3\xb9\xbe][a-z\xe0-\xff]|\xf5[^e]|\x9c[^ufr]"
)
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
    known = [name for name in map(encoding_of, labels) if name]
    if _SHIFTS in body and (not labels or "iso-2022-jp" in known) and decode_as(body, "iso-2022-jp")[1] == 0:
        return _finish(body, "iso-2022-jp")
    if known and known[0] != "utf-8" and _is_plainly_utf8(body):
        return _finish(body, "utf-8")
    for name in known:
        rivals = set(known) - {name}
        if (text := _explained(body, name, rivals)) is not None:
            return _cleaned(text, name)
    if labels and "utf-8" not in known and (not known or _is_valid_utf8(body)):
        return _finish(body, "utf-8")
    if known:
        return _finish(body, "windows-1252" if known[0] == "utf-8" else known[0])
    if _is_valid_utf8(body) or _mostly_utf8(body):
        return _finish(body, "utf-8")
    return _finish(body, _detect(body) or "windows-1252")


def _labels(body: bytes, charset: str | None, kind: Kind) -> list[str]:
    labels = [charset] if charset else []
    if kind is Kind.HTML:
        inside = [_as_meta(label) for label in _until_usable(meta_labels(body))]
        labels += inside
    if kind in (Kind.HTML, Kind.XML):
        labels += [label for label in (xml_declaration(body),) if label]
    if kind is Kind.JSON and not labels:
        labels = ["utf-8"]
    return labels


def _until_usable(labels: Iterable[str]) -> Iterator[str]:
    for label in labels:
        yield label
        if encoding_of(_as_meta(label)):
            return


def _as_meta(label: str) -> str:
    """A meta element was read as ASCII, so it cannot mean UTF-16; the private label means windows-1252."""
    name = encoding_of(label)
    if name in ("utf-16le", "utf-16be"):
        return "utf-8"
    if label.strip().lower() == "x-user-defined":
        return "windows-1252"
    return label


def _explained(body: bytes, name: str, rivals: set[str]) -> str | None:
    """The text of *body* if encoding *name*, which was declared beside *rivals*, explains its bytes.

    An encoding of single bytes explains any bytes, so it must never be asked before those with a structure have failed
    plainly: one damaged byte is no reason to read a page by another declaration.
    """
    if name.startswith("utf-16") and body.isascii() and b"\0" not in body:
        return None
    text, bad = decode_as(body, name)
    if bad and name == "utf-8" and not _mostly_utf8(body, weight=1 if rivals else _STRAY_ALONE):
        return None
    if bad and is_multibyte(name):
        whole = len(text) - len(text.encode("ascii", "ignore")) - bad
        if whole < bad * (_WHOLE_SHARE_OF_FEW if bad <= _FEW else _WHOLE_SHARE):
            return None
        if any(is_multibyte(rival) and decode_as(body, rival)[1] == 0 for rival in rivals):
            return None
    return text


def _is_valid_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_plainly_utf8(body: bytes) -> bool:
    """Whether bytes with another label are UTF-8, but for damage: a server's default label over a page that is none.

    Text in another encoding of which so much happens to be valid UTF-8 does not occur at this length.
    """
    if body.isascii():
        return False
    whole, stray = _sequences(body)
    return whole >= max(_PROOF, _WHOLE_SHARE * stray)


def _mostly_utf8(body: bytes, *, weight: int = 1) -> bool:
    """Whether broken UTF-8 is still UTF-8: some sequences are whole, and they outnumber the bytes that fit none."""
    whole, stray = _sequences(body)
    return whole > 0 and weight * whole >= stray


def _sequences(body: bytes) -> tuple[int, int]:
    """How many sequences of more than one byte are whole in *body*, and how many upper bytes are in none."""
    whole = body.decode("utf-8", "ignore").encode().translate(None, _ASCII)
    return len(whole.decode()), len(body.translate(None, _ASCII)) - len(whole)


def _detect(body: bytes) -> str | None:
    """Ask the detector about the words of a page that declares nothing.

    Returns:
        A WHATWG name, or ``None`` where it is unsure.
    """
    words = _TAGS.sub(b" ", body[: 8 * _DETECT_BYTES])[:_DETECT_BYTES]
    name = _asked(words)
    if words[-1:] > b"\x7f" and not (name and is_multibyte(name)):
        # The page or its sample may end inside a character, with which no structure is seen.
        shorter = _asked(words[:-1])
        name = shorter if shorter and is_multibyte(shorter) else name
    if name == "windows-1250" and not _EASTERN.search(words):
        return "windows-1252"
    return name


def _asked(words: bytes) -> str | None:
    from charset_normalizer import from_bytes

    best = from_bytes(words, steps=5, chunk_size=1_024).best()
    if best is None or best.chaos > _DETECT_CHAOS:
        return None
    return encoding_of(best.encoding.replace("_", "-")) or encoding_of(_PYTHON_LABELS.get(best.encoding, ""))


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
    return _cleaned(decode_as(body, name)[0], name)


def _cleaned(text: str, name: str) -> Decoded:
    return Decoded(text=without_controls(text), encoding=name)
