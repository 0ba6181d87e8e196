"""Lay JSON out for a reader, every value as it was written."""

from __future__ import annotations

import json
import re

_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([{}\[\],:])|([^\s{}\[\],:"]+))', re.S)
# Characters that steer a terminal and that JSON may hold without an escape.
_STEERING = re.compile("[\x7f-\x9f\ufffe\uffff]")
_INDENT = "  "
# Deeper values stay on one line: the indent would outgrow the content.
_MAX_INDENT = 30


def pretty_json(text: str) -> str | None:
    """Indent JSON without changing a number, key order or duplicate.

    Args:
        text: The text of a JSON document.

    Returns:
        The same document laid out, or ``None`` where it is no JSON.
    """
    out: list[str] = []
    depth = position = 0
    previous = ""
    stack: list[str] = []
    while match := _TOKEN.match(text, position):
        position = match.end()
        string, mark, literal = match.groups()
        if string is not None:
            out.append(_readable(string))
        elif literal is not None:
            if not re.fullmatch(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null", literal):
                return None
            out.append(literal)
        elif mark in "{[":
            stack.append(mark)
            depth += 1
            out.append(mark + _line(depth))
        elif mark in "}]":
            if not stack or stack.pop() != {"}": "{", "]": "["}[mark]:
                return None
            depth -= 1
            if previous in ("{", "["):
                out[-1] = previous + mark
            else:
                out.append(_line(depth) + mark)
        elif mark == ",":
            out.append("," + _line(depth))
        else:
            out.append(": ")
        previous = mark or "value"
    if stack or text[position:].strip() or not out:
        return None
    return "".join(out)


def _line(depth: int) -> str:
    return "\n" + _INDENT * min(depth, _MAX_INDENT)


def _readable(string: str) -> str:
    """Show escaped letters as letters; escapes of controls and lone surrogates stay."""
    if "\\u" not in string:
        return string
    try:
        value = json.loads(string, strict=False)
        value.encode("utf-8")
    except (ValueError, RecursionError):
        return string
    return _STEERING.sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(value, ensure_ascii=False))
