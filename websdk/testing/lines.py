"""Where the keys of a TOML file stand. A scanner of headers and keys, because the parser keeps no lines."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PART = r"(?:[A-Za-z0-9_-]+|\"(?:[^\"\\]|\\.)*\"|'[^']*')"
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]\]?")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=\s*")
_INNER = re.compile(rf"[{{,]\s*({_DOTTED})\s*=")
_PARTS = re.compile(_PART)


def key_lines(text: str) -> Mapping[str, int]:
    """Return the line of every header and key of *text*, from 1, by its path; lists of tables count from 0."""
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    table, fence = "", ""
    for number, line in enumerate(text.splitlines(), start=1):
        if fence:
            fence = "" if fence in line else fence
            continue
        header = _HEADER.match(line)
        if header is not None:
            table = _joined(header[2])
            if header[1] == "[[":
                found.setdefault(table, number)
                counts[table] = counts.get(table, -1) + 1
                table = f"{table}[{counts[table]}]"
            found.setdefault(table, number)
            continue
        key = _KEY.match(line)
        if key is not None:
            path = f"{table}.{_joined(key[1])}" if table else _joined(key[1])
            found.setdefault(path, number)
            rest = line[key.end() :]
            fence = next((mark for mark in ('"""', "'''") if rest.count(mark) == 1), "")
            if rest.startswith("{"):
                for inner in _INNER.finditer(rest):
                    found.setdefault(f"{path}.{_joined(inner[1])}", number)
    return found


def line_of(lines: Mapping[str, int], path: str) -> int | None:
    """Return the line of *path*, or of the nearest table above it that is written; ``None`` where nothing is."""
    while path:
        if path in lines:
            return lines[path]
        cut = max(path.rfind("."), path.rfind("["))
        path = path[:cut] if cut > 0 else ""
    return None


def _joined(dotted: str) -> str:
    return ".".join(part.strip("\"'") for part in _PARTS.findall(dotted))
