"""Tell an index for language models (``/llms.txt``) from a page that merely answers under that address."""

from __future__ import annotations

import re

import attrs

_FULL = re.compile(r"llms-full\.txt\b")
# What may stand before it in an address, looked at from its end; a longer address is no address.
_BEFORE_FULL = re.compile(r"(?:^|[\s(<\"'/])([^\s()<>\"']*)\Z")
_MAX_ADDRESS = 2_048
# What may stand before the first line: front matter and comments. Atomic: what was read is not read in another way.
_PREAMBLE = re.compile(r"\s*+(?>---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z))?+\s*+(?>(?:<!--.*?-->)\s*+)*+", re.S)
_HEADING = re.compile(r"# *\S[^\n]*|[^\s#<>\[{][^\n]*(?=\n=+[ \t]*(?:\n|\Z))")
_ANY_HEADING = re.compile(r"^# +\S[^\n]*", re.M)
# An entry of a list that is, or begins with, a link.
_ENTRY = re.compile(r"^ {0,8}(?:[-*+]|\d{1,4}[.)])[ \t]+[^\s\[<]{0,4} ?\[[^\[\]\n]+\]\([^()\s]+\)", re.M)
_TAG = re.compile(r"^\s*<[a-z!/?](?!ttps?:)", re.I | re.M)
# A site that answers every address says so in Markdown too.
_NOT_THERE = re.compile(r"(?:.{0,40}\b)?(?:not found|404)\W*\Z|error\b\W*(?:\d{3}\W*)?\Z", re.I)
# Characters in which a page shows its tags.
_HEAD = 1_000
# Enough to tell what the file is; the file itself may be large.
_LOOKED_AT = 64_000


@attrs.frozen(kw_only=True)
class DocsIndex:
    """What an index file says.

    Attributes:
        title: Its first heading; empty where it has none.
        full: The address of the whole text as the index writes it; ``None`` where it lists none.
    """

    title: str
    full: str | None


def read_llms_txt(body: bytes, content_type: str | None = None) -> DocsIndex | None:
    """Read an answer to ``/llms.txt``.

    Args:
        body: The bytes that came.
        content_type: Their label.

    Returns:
        The index, or ``None`` where the answer is something else, such as a page that says "not found" with a 200.
    """
    label = (content_type or "").split(";")[0].strip().lower()
    if label.endswith(("html", "xml", "json")):
        return None
    text = body[:_LOOKED_AT].decode("utf-8", "replace").lstrip("\ufeff").replace("\r\n", "\n")
    opening = _PREAMBLE.match(text)
    start = text[opening.end() :] if opening else text
    if "\x00" in text or start.startswith(("<", "{")):
        return None
    heading = _HEADING.match(start)
    if heading is None:  # the format asks for one; without it, only a list of links tells an index from a sentence
        if not _ENTRY.search(start) or _TAG.search(start[:_HEAD]):
            return None
        heading = _ANY_HEADING.search(start)
    title = heading.group().lstrip("# ").strip() if heading else ""
    if _NOT_THERE.match(title):
        return None
    return DocsIndex(title=title[:300], full=_full_text(text))


def _full_text(text: str) -> str | None:
    for name in _FULL.finditer(text):
        before = _BEFORE_FULL.search(text[max(0, name.start() - _MAX_ADDRESS) : name.start()])
        if before is not None:
            return before.group(1) + name.group()
    return None
