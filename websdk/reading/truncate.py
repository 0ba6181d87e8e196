"""Cut Markdown to a length without breaking what it holds."""

from __future__ import annotations

import re

import attrs

from websdk.model import graphemes

_FENCE = re.compile(r"^((?:[ \t]|>|[-*+] |\d{1,9}[.)] )*)(`{3,}|~{3,})([^`\n]*)$")
# What is longer than these bounds is no label, address or code that a person wrote, and costs its length many times.
_SPAN = re.compile(
    r"!?\[(?:\\.|[^\[\]\\]|\[[^\[\]]{0,200}\]){0,1000}+\]\((?:\\.|[^)\\\n]){0,4000}\)|<[a-z]+:[^>\s]{0,4000}>"
    r"|(?P<ticks>`{1,100})(?!`).{1,4000}?(?<!`)(?P=ticks)(?!`)|<(?P<raised>su[bp])>[^<\n]{0,40}</(?P=raised)>"
    r"|(?<![\\$\d])\$[^$\n]{1,400}\$|\\.",
    re.S,
)
# A cut is moved back to a blank line where that costs no more than this share of the text.
_BLOCK_SHARE = 0.25


@attrs.frozen(kw_only=True)
class Cut:
    """Markdown within its budget.

    Attributes:
        markdown: The text, notice included.
        truncated: Whether anything was left out.
    """

    markdown: str
    truncated: bool


def truncate(markdown: str, limit: int | None) -> Cut:
    """Cut *markdown* to *limit* code points, the notice included.

    The cut falls at the end of a block where one is near, else at the end of a list item, table row or word; never
    inside a fence, link, code span, table row or character. A fence that alone is longer than the budget keeps its
    first lines and is closed.

    Args:
        markdown: The whole text.
        limit: The budget in code points; ``None`` for no limit.

    Returns:
        The text and whether it was cut.
    """
    if limit is None or len(markdown) <= limit:
        return Cut(markdown=markdown, truncated=False)
    widest = _notice(len(markdown), len(markdown))
    if limit < 2 * len(widest):
        return Cut(markdown=_before_row(_at_word(markdown, limit), markdown) if limit > 0 else "", truncated=True)
    kept = _fit(markdown, limit - len(widest))
    return Cut(markdown=kept + _notice(len(kept), len(markdown)), truncated=True)


def _before_row(kept: str, whole: str) -> str:
    """Text that ends inside a table row, without the part of the row."""
    start = kept.rfind("\n") + 1
    if kept[start:].startswith("|") and whole[len(kept) : len(kept) + 1] not in ("", "\n"):
        return kept[:start].rstrip()
    return kept


def _notice(kept: int, whole: int) -> str:
    return f"\n\n*Text cut here: {kept:,} of {whole:,} characters shown.*"


def _fit(markdown: str, room: int) -> str:
    """Cut at the last good line end that fits."""
    lines = markdown.split("\n")
    position = 0
    line_end = block_end = 0
    fence: tuple[str, str, int] | None = None
    for line in lines:
        end = position + len(line)
        match = _FENCE.match(line)
        if fence is None and match:
            fence = (match.group(1), match.group(2), position)
        elif fence is not None and _closes(line, fence[1]):
            fence = None
        if end > room:
            break
        if fence is None:
            if line.strip():
                line_end = end
            else:
                block_end = line_end
        position = end + 1
    if block_end >= (1 - _BLOCK_SHARE) * room:
        return markdown[:block_end].rstrip()
    if line_end >= (1 - _BLOCK_SHARE) * room:
        return markdown[:line_end].rstrip()
    if fence is not None and fence[2] < _BLOCK_SHARE * room:
        return _part_of_fence(markdown, fence, room)
    if line_end > room // 2 or (fence is not None and line_end):
        return markdown[:line_end].rstrip()
    rest = markdown[line_end:]
    start = len(rest) - len(rest.lstrip("\n"))
    if rest.lstrip().startswith("|"):
        return markdown[:line_end].rstrip()
    return markdown[:line_end] + rest[:start] + _at_word(rest[start:], room - line_end - start)


def _closes(line: str, mark: str) -> bool:
    bare = line.strip(" \t>")
    return len(bare) >= len(mark) and set(bare) == {mark[0]}


def _part_of_fence(markdown: str, fence: tuple[str, str, int], room: int) -> str:
    prefix, mark, _ = fence
    quote = re.sub(r"[-*+]|\d{1,9}[.)]", lambda found: " " * len(found.group()), prefix)
    closing = f"\n{quote}{mark}"
    # A fence around a long run of its own marks has marks that are longer still, and may not fit the room at all.
    end = markdown.rfind("\n", 0, max(room - len(closing), 0))
    return markdown[:end] + closing if end > fence[2] else markdown[: fence[2]].rstrip()


def _at_word(text: str, room: int) -> str:
    """Cut prose at a blank, outside every link, code span and escape."""
    if len(text) <= room:
        return text
    cut = room
    for match in _SPAN.finditer(text[: room + 4_096]):
        if match.start() >= cut:
            break
        if match.end() > cut:
            cut = match.start()
            break
    blank = max(text.rfind(" ", 0, cut + 1), text.rfind("\n", 0, cut + 1))
    if blank >= cut // 2:
        cut = blank
    return text[: graphemes.whole(text, 0, cut)].rstrip() if cut else ""
