"""Take out characters that nobody sees and a machine still reads.

Joiners, single variation selectors, direction marks and isolates are orthography and stay.
"""

from __future__ import annotations

import re

import attrs

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_REFERENCES = re.compile(
    rb"&#(?:0{0,20}([0-8]|1[1-9]|2[0-9]|3[01]|12[7-9]|1[34][0-9]|15[0-9])(?![0-9])"
    rb"|[xX]0{0,20}([0-8b-fB-F]|1[0-9a-fA-F]|7[fF]|[89][0-9a-fA-F])(?![0-9a-fA-F]));?"
)
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
# A flag is the black flag, tag letters or digits, and the cancel tag; three such flags are in use, all this short.
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,7}\U000e007f")
_OVERRIDES = re.compile("[\u202a-\u202e]")
_ZERO_WIDTH_RUN = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{4,}")
_SELECTOR_RUN = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_ANNOTATION = re.compile("[\ufff9-\ufffb\u206a-\u206f]")
# Bytes of ordinary text; what is left without them is little, and looking through it alone is far faster.
_ORDINARY = bytes((0x09, 0x0A, 0x0C, 0x0D, *range(0x20, 0x7F)))


@attrs.frozen(kw_only=True)
class Cleaned:
    """Text without invisible machinery.

    Attributes:
        text: What is left.
        removed: How many characters went.
        spelled: Text that was spelt in tag characters, as letters.
    """

    text: str
    removed: int
    spelled: str


def without_controls(text: str) -> str:
    """Return *text* with LF line ends and without control characters, lone surrogates and non-characters."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", text) if _CONTROLS.search(_extraordinary(text)) else text


def without_references(markup: bytes) -> bytes:
    """Return *markup* without references to control characters, which would come back with the parsed text.

    Those of the upper half mean letters of windows-1252, as in a browser; the others show nothing, and would steer the
    terminal that shows the text.
    """
    return _REFERENCES.sub(_meant, markup) if b"&#" in markup else markup


def _meant(match: re.Match[bytes]) -> bytes:
    """What a browser shows for a reference to a control character."""
    decimal, hexadecimal = match.groups()
    code = int(decimal) if decimal else int(hexadecimal, 16)
    letter = bytes((code,)).decode("cp1252", "ignore") if 0x80 <= code <= 0x9F else ""
    return letter.encode()


def _extraordinary(text: str) -> str:
    """The characters of *text* that are no printable ASCII, tabs or line ends."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ORDINARY).decode("utf-8", "surrogatepass")


def clean(text: str) -> Cleaned:
    """Remove invisible characters that carry data or reorder what is seen.

    Args:
        text: Any text.

    Returns:
        The text that a person sees, how much went, and what the removed tag characters spell.
    """
    if text.isascii():
        return Cleaned(text=text, removed=0, spelled="")
    # What stands together in the text stands together here as well, so a pattern that misses here misses there.
    few = _extraordinary(text)
    before = len(text)
    spelled = ""
    if _TAGS.search(few):
        flags = _FLAG.findall(text)
        text = _FLAG.sub("\ufdd0", text)
        spelled = "".join(
            "".join(chr(ord(c) - 0xE0000) for c in run if "\U000e0020" <= c <= "\U000e007e")
            for run in _TAGS.findall(text)
        )
        text = _TAGS.sub("", text)
        for flag in flags:
            text = text.replace("\ufdd0", flag, 1)
    for pattern in (_OVERRIDES, _ANNOTATION, _ZERO_WIDTH_RUN, _SELECTOR_RUN):
        if pattern.search(few):
            text = pattern.sub("", text)
    return Cleaned(text=text, removed=before - len(text), spelled=spelled)
