"""Take out characters that nobody sees and a machine still reads.

Joiners, single variation selectors, direction marks and isolates are orthography and stay.
"""

from __future__ import annotations

import html
import re

import attrs

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# UTF-8 that was taken for Latin-1 and written as UTF-8 once more, and the upper controls that no text has otherwise.
_TWICE = re.compile(
    "[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}"
)
_UPPER = re.compile("[\u0080-\u009f]")
# References to characters that are judged here, in every spelling: a parser would bring them back after the cleaning.
_REFERENCES = re.compile(
    r"&(?:#(?:0{0,20}([0-8]|1[1-9]|2[0-9]|3[01]|12[7-9]|1[34][0-9]|15[0-9]|820[3-5]|823[4-8]|828[89]|829[0-9]|830[0-3]"
    r"|6158|650[23][0-9]|65279|655[23][0-9]|5[5-7][0-9]{3}|91[78][0-9]{3}|127988)(?![0-9])"
    r"|[xX]0{0,20}([0-8b-fB-F]|1[0-9a-fA-F]|7[fF]|[89][0-9a-fA-F]|20(?:0[b-dB-D]|2[a-eA-E]|6[0-9a-fA-F])|180[eE]"
    r"|[fF](?:[eE]0[0-9a-fA-F]|[eE][fF]{2}|[fF]{2}[0-9a-fA-F])|[dD][89a-fA-F][0-9a-fA-F]{2}|[eE]0[01][0-9a-fA-F]{2}"
    r"|1[fF]3[fF]4)(?![0-9a-fA-F]));?"
    r"|(zwn?j|ZeroWidthSpace|Negative(?:VeryThin|Thin|Medium|Thick)Space|NoBreak|ApplyFunction|af|InvisibleTimes|it"
    r"|InvisibleComma|ic);)"
)
_JUDGED = re.compile(
    "[\u200b-\u200d\u202a-\u202e\u2060-\u2064\u206a-\u206f\u180e\ufeff\ufe00-\ufe0f\ufff9-\ufffb"
    "\U0001f3f4\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
# References that come into being when what stood inside them is removed are looked for this often; what is built
# deeper than that is built to deceive, and stays the source text it pretends to be.
_ROUNDS = 3
# A flag is the black flag, tag letters or digits, and the cancel tag; three such flags are in use, all this short.
_TAGS = re.compile("(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,7}\U000e007f)|[\U000e0000-\U000e007f]+")
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
    """Return *text* with LF line ends and without control characters, lone surrogates and non-characters.

    A form feed parts words, so a blank takes its place. Controls in the middle of UTF-8 that was encoded twice are the
    rest of letters, and letters they become.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x0c" in text:
        text = text.replace("\x0c", " ")
    few = _extraordinary(text)
    if not _CONTROLS.search(few):
        return text
    if any(_UPPER.search(match.group()) and _once(match) != match.group() for match in _TWICE.finditer(few)):
        text = _TWICE.sub(_once, text)
    return _CONTROLS.sub("", text)


def _once(match: re.Match[str]) -> str:
    """What was encoded twice, or the same where that cannot be."""
    try:
        return match.group().encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return match.group()


def _meant(match: re.Match[str]) -> str:
    """What a reference stands for, as a browser shows it: nothing for a control, unless it means a letter."""
    decimal, hexadecimal, name = match.groups()
    if name:
        return html.unescape(match.group())
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if code == 0x0C:
        return " "
    if code < 0xA0:
        return bytes((code,)).decode("cp1252", "ignore") if code >= 0x80 else ""
    if 0xD800 <= code <= 0xDFFF or code in (0xFFFE, 0xFFFF):
        return ""
    return chr(code) if _JUDGED.match(chr(code)) else match.group()


def _as_source(match: re.Match[str]) -> str:
    reference = match.group()
    return reference if _meant(match) == reference else "&amp;" + reference[1:]


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
        spelled = "".join(
            chr(ord(char) - 0xE0000)
            for match in _TAGS.finditer(text)
            if not match.group(1)
            for char in match.group()
            if "\U000e0020" <= char <= "\U000e007e"
        )
        text = _TAGS.sub(r"\1", text)
    for pattern in (_OVERRIDES, _ANNOTATION, _ZERO_WIDTH_RUN, _SELECTOR_RUN):
        if pattern.search(few):
            text = pattern.sub("", text)
    return Cleaned(text=text, removed=before - len(text), spelled=spelled)


def clean_markup(markup: str) -> Cleaned:
    """Remove the same from markup, be it written as characters or as references.

    References to control characters go as well: those of the upper half mean letters of windows-1252, as in a browser;
    the others show nothing, and would steer the terminal that shows the text.

    Args:
        markup: HTML.

    Returns:
        As :func:`clean`.
    """
    removed, spelled = 0, ""
    for _ in range(_ROUNDS):
        markup, found = _REFERENCES.subn(_meant, markup) if "&" in markup else (markup, 0)
        cleaned = clean(markup)
        markup, removed, spelled = cleaned.text, removed + cleaned.removed, spelled + cleaned.spelled
        if not found and not cleaned.removed:
            return Cleaned(text=markup, removed=removed, spelled=spelled)
    markup = _REFERENCES.sub(_as_source, markup)
    return Cleaned(text=markup, removed=removed, spelled=spelled)
