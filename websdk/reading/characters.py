"""Take out characters that nobody sees and a machine still reads.

Joiners, single variation selectors, direction marks and isolates are orthography and stay.
"""

from __future__ import annotations

import re

import attrs

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
# A flag is the black flag, tag letters or digits, and the cancel tag; three such flags are in use, all this short.
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,7}\U000e007f")
_OVERRIDES = re.compile("[\u202a-\u202e]")
_ZERO_WIDTH_RUN = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{4,}")
_SELECTOR_RUN = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_ANNOTATION = re.compile("[\ufff9-\ufffb\u206a-\u206f]")
_ASCII = bytes(range(128))
_SUSPECT = re.compile(
    "[\u180e\u200b-\u200d\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)


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
    return _CONTROLS.sub("", text)


def _beyond_ascii(text: str) -> str:
    """The characters of *text* beyond ASCII: looking through them alone is far faster than through a whole page."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")


def clean(text: str) -> Cleaned:
    """Remove invisible characters that carry data or reorder what is seen.

    Args:
        text: Any text.

    Returns:
        The text that a person sees, how much went, and what the removed tag characters spell.
    """
    if text.isascii() or not _SUSPECT.search(_beyond_ascii(text)):
        return Cleaned(text=text, removed=0, spelled="")
    before = len(text)
    flags = _FLAG.findall(text)
    spelled = ""
    if _TAGS.search(text):
        text = _FLAG.sub("\ufdd0", text)
        spelled = "".join(
            "".join(chr(ord(c) - 0xE0000) for c in run if "\U000e0020" <= c <= "\U000e007e")
            for run in _TAGS.findall(text)
        )
        text = _TAGS.sub("", text)
        for flag in flags:
            text = text.replace("\ufdd0", flag, 1)
    text = _OVERRIDES.sub("", text)
    text = _ANNOTATION.sub("", text)
    text = _ZERO_WIDTH_RUN.sub("", text)
    text = _SELECTOR_RUN.sub("", text)
    return Cleaned(text=text, removed=before - len(text), spelled=spelled)
