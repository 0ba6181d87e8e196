"""Read the few facts that Markdown files state before their text. Pure."""

from __future__ import annotations

import re
from datetime import date, datetime

import attrs

_BLOCK = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_LINE = re.compile(r"(title|date|published|lang|language)[ \t]*:[ \t]*(.*?)[ \t]*\Z", re.I)
_MAX_CHARACTERS = 10_000  # real blocks take a few lines; beyond this it is text between two rules


@attrs.frozen(kw_only=True)
class FrontMatter:
    """Facts of a Markdown file.

    Attributes:
        title: Its title; empty where none is stated.
        published: Its day, or moment with a zone.
        language: As written.
        body: The text after the block.
    """

    title: str = ""
    published: date | datetime | None = None
    language: str | None = None
    body: str


def split_front_matter(text: str) -> FrontMatter:
    """Return the facts of a leading block of ``key: value`` lines between two ``---``, and the text after it.

    Only plain values on one line are read; everything else of YAML is passed over.
    """
    block = _BLOCK.match(text[:_MAX_CHARACTERS])
    if block is None:
        return FrontMatter(body=text)
    facts: dict[str, str] = {}
    for line in block[1].split("\n"):
        if match := _LINE.match(line):
            facts.setdefault(match[1].lower(), _unquoted(match[2]))
    return FrontMatter(
        title=facts.get("title", ""),
        published=_day(facts.get("date", "") or facts.get("published", "")),
        language=facts.get("lang") or facts.get("language"),
        body=text[block.end() :],
    )


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def _day(text: str) -> date | datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    # A time without a zone is no moment; its day is what it says.
    return moment.date() if moment.tzinfo is None else moment
