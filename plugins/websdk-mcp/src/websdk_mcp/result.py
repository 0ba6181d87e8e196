"""What a tool answered, as the JSON that a preset reads. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import attrs

from websdk_mcp.server import Grammar

MAX_CHARACTERS = 2 * 1024 * 1024  # as many as a reply over the wire may have bytes; a host may hand over anything
_BETWEEN = re.compile(r"\n+-{3,}\n+(?=Title:)")  # a highlight may hold such a line; it is not followed by a title
_FIELD = re.compile(r"(Title|URL|Published|Author|Highlights):[ \t]*(.*)")


@attrs.frozen(kw_only=True)
class ToolResult:
    """What a tool answered.

    Attributes:
        texts: Its texts in order.
        structured: Its structured content; ``None`` where it sent none.
        is_error: Whether it says that it failed.
    """

    texts: tuple[str, ...] = ()
    structured: Any = None
    is_error: bool = False

    @classmethod
    def of(cls, given: Any) -> ToolResult:
        """Return the result that *given* holds: a result of the official client, or its JSON as a mapping.

        Raises:
            ValueError: It holds none, or more text than an answer may have.
        """
        blocks = _field(given, "content")
        if not isinstance(blocks, (list, tuple)):
            raise ValueError("a tool's result has a list of content")
        texts = tuple(
            text
            for block in blocks
            if _field(block, "type") == "text" and isinstance(text := _field(block, "text"), str)
        )
        if sum(map(len, texts)) > MAX_CHARACTERS:
            raise ValueError("a tool's result has too much text")
        structured = _field(given, "structured_content", "structuredContent")
        return cls(texts=texts, structured=structured, is_error=_field(given, "is_error", "isError") is True)

    def as_json(self, grammar: Grammar) -> dict[str, Any]:
        """Return the answer: structured content, else JSON text, else what *grammar* reads, else the bare text.

        A list stands under ``results``, a bare text under ``text``; ``is_error`` is added to a failure.
        """
        structured = _unwrapped(self.structured)
        texts = (structured,) if isinstance(structured, str) else self.texts
        text = "\n".join(texts)
        if self.is_error:
            return {"is_error": True, "text": text}
        found = structured if isinstance(structured, (dict, list)) else _json_of(texts)
        if found is None and grammar is Grammar.RECORDS:
            found = records(text)
        if isinstance(found, list):
            return {"results": found}
        return found if isinstance(found, dict) else {"text": text}


def _unwrapped(structured: Any) -> Any:
    """Return what a server's library wrapped into an object only because structured content had to be one."""
    return structured["result"] if isinstance(structured, dict) and set(structured) == {"result"} else structured


def records(text: str) -> list[dict[str, str]] | None:
    """Return the records of *text*; ``None`` where it is no list of records."""
    if not text.startswith("Title:"):
        return None
    return [_record(part) for part in _BETWEEN.split(text)]


def _record(text: str) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.split("\n"):
        field = _FIELD.fullmatch(line)
        # Highlights come last and are the page's own text: what looks like a field in them is none.
        if field is not None and "highlights" not in found and field[1].lower() not in found:
            current = found[field[1].lower()] = [field[2]]
        else:
            current.append(line)
    values = {name: "\n".join(lines).strip() for name, lines in found.items()}
    return {name: value for name, value in values.items() if value and value != "N/A"}


def _json_of(texts: tuple[str, ...]) -> Any:
    found = []
    for text in texts:
        try:
            found.append(json.loads(text))
        except (ValueError, RecursionError):
            return None
    return found[0] if len(found) == 1 else found or None


def _field(given: Any, *names: str) -> Any:
    for name in names:
        value = given.get(name) if isinstance(given, Mapping) else getattr(given, name, None)
        if value is not None:
            return value
    return None
