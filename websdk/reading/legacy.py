"""Decode the encodings of the web with the web's tables, where Python's codecs differ from them."""

from __future__ import annotations

import codecs
from collections.abc import Callable

_MISSING = "\ufffd"
# Holes in one page that are looked up one by one, at some microseconds each; a page with more of them is junk.
_MAX_HOLES = 20_000
# Codecs whose Python name differs, or whose Python namesake is narrower than the label means on the web.
_CODECS = {
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
# Characters that a Python codec gives where the web's table has another; none comes from any other bytes.
_CHINESE = dict(
    zip(
        (0xE7C7, *range(0xE78D, 0xE797), 0xE81E, 0xE826, 0xE82B, 0xE82C, 0xE832, 0xE843, 0xE854, 0xE864),
        (0x1E3F, 0xFE10, 0xFE12, 0xFE11, *range(0xFE13, 0xFE1A), *range(0x9FB4, 0x9FBC)),
        strict=True,
    )
)
_OTHERS: dict[str, dict[int, int]] = {
    "shift_jis": {0xF8F0: 0xFFFD, 0xF8F1: 0xFFFD, 0xF8F2: 0xFFFD, 0xF8F3: 0xFFFD},
    "koi8-u": {0x255D: 0x45E, 0x256C: 0x40E},
    "euc-jp": {0x301C: 0xFF5E, 0x2016: 0x2225, 0x2212: 0xFF0D, 0xA2: 0xFFE0, 0xA3: 0xFFE1, 0xAC: 0xFFE2},
    "gbk": _CHINESE,
    "gb18030": _CHINESE,
}
_MULTIBYTE = frozenset({"shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "gbk", "gb18030", "big5"})


def is_multibyte(name: str) -> bool:
    """Whether a legacy encoding called *name* has a structure that bytes of another one break."""
    return name in _MULTIBYTE


def decode_as(body: bytes, name: str) -> tuple[str, int]:
    """Decode *body*, never failing.

    Args:
        body: The bytes.
        name: WHATWG name of an encoding.

    Returns:
        The text, and how many U+FFFD stand in it for bytes that the encoding does not explain.
    """
    codec = _CODECS.get(name, name)
    others = _OTHERS.get(name)
    try:
        text = body.decode(codec)
    except UnicodeDecodeError:
        text = body.decode(codec, "replace")
        if text.count(_MISSING) <= _MAX_HOLES:
            text = body.decode(codec, _handler(name))
    else:
        if others is None or body.isascii():
            return text, 0
    if others:
        text = text.translate(others)
    # In Unicode the character may be meant.
    written = body.count(_MISSING.encode(name)) if name.startswith("utf-") else 0
    return text, max(0, text.count(_MISSING) - written)


def _handler(name: str) -> str:
    """Name of the error handler for *name*; Python keeps these by name alone, so it is told again each time."""
    if name.startswith("utf-") or name in ("iso-2022-jp", "euc-kr", "shift_jis"):
        return "replace"
    own = f"websdk-{name}"
    codecs.register_error(own, _on_error(_EXPLAINED.get(name, _single)))
    return own


def _on_error(explain: Callable[[bytes], tuple[str, int]]) -> Callable[[UnicodeError], tuple[str, int]]:
    def handle(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        text, length = explain(error.object[error.start : error.start + 2])
        return (text, error.start + length) if text else (_MISSING, error.end)

    return handle


def _single(pair: bytes) -> tuple[str, int]:
    """In encodings of one byte a hole among the upper controls is that control."""
    return (chr(pair[0]), 1) if pair[0] < 0xA0 else ("", 0)


def _hebrew(pair: bytes) -> tuple[str, int]:
    return ("\u05ba", 1) if pair[:1] == b"\xca" else _single(pair)


def _gb(pair: bytes) -> tuple[str, int]:
    return ("\u20ac", 1) if pair[:1] == b"\x80" else ("", 0)


def _big5(pair: bytes) -> tuple[str, int]:
    return _one(pair, "cp950")


def _euc_jp(pair: bytes) -> tuple[str, int]:
    """Rows that only vendors have stand in Shift_JIS at the place their number gives them."""
    if len(pair) < 2 or min(pair) < 0xA1 or max(pair) > 0xFE:
        return "", 0
    row, cell = pair[0] - 0xA1, pair[1] - 0xA1
    lead = row // 2 + (0x81 if row < 62 else 0xC1)
    trail = cell + 0x9F if row % 2 else cell + (0x40 if cell < 63 else 0x41)
    return _one(bytes((lead, trail)), "cp932")


def _one(pair: bytes, codec: str) -> tuple[str, int]:
    """The one character of *codec* that two bytes mean, if they mean one."""
    text = pair.decode(codec, "replace")
    return (text, 2) if len(text) == 1 and len(pair) == 2 and text != _MISSING else ("", 0)


_EXPLAINED: dict[str, Callable[[bytes], tuple[str, int]]] = {
    "windows-1255": _hebrew,
    "gbk": _gb,
    "gb18030": _gb,
    "big5": _big5,
    "euc-jp": _euc_jp,
}
