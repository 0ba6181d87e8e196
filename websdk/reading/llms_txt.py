"""Tell an index for language models (``/llms.txt``) from a page that merely answers under that address."""

from __future__ import annotations

import re

import attrs

_FULL = re.compile(r"llms-full\.txt\b")
# What may stand before it in an address, looked at from its end; a longer address is no address.
_BEFORE_FULL = re.compile(r"(?:^|[\s(<\"'/])([^\s()<>\"']*)\Z")
_MAX_ADDRESS = 2_048
# Atomic: a comment that was read is never read again in another way.
_MARKUP = re.compile(r"\A\s*+(?>(?:<!--.*?-->)\s*+)*+<(?:!doctype|html|head|body|\?xml|script|div)\b", re.I | re.S)
_HEADING = re.compile(r"^#\s+\S", re.M)
_LINK = re.compile(r"\[[^\[\]\n]+\]\([^()\s]+\)")
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
    if content_type is not None and content_type.split(";")[0].strip().lower() in (
        "text/html",
        "application/xhtml+xml",
    ):
        return None
    text = body[:_LOOKED_AT].decode("utf-8", "replace").lstrip("\ufeff")
    if not text.strip() or "\x00" in text or _MARKUP.match(text):
        return None
    heading = _HEADING.search(text)
    if heading is None and not _LINK.search(text) and "llms" not in text:
        return None
    title = text[heading.start() :].split("\n", 1)[0].lstrip("# ").strip() if heading else ""
    return DocsIndex(title=title[:300], full=_full_text(text))


def _full_text(text: str) -> str | None:
    for name in _FULL.finditer(text):
        before = _BEFORE_FULL.search(text[max(0, name.start() - _MAX_ADDRESS) : name.start()])
        if before is not None:
            return before.group(1) + name.group()
    return None
