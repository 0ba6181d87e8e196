"""Reading values out of an answer, whatever shape it has: nothing here raises on odd data."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from websdk.wire.message import HttpResponse

MAX_WORDS = 20_000  # an abstract has a few hundred; a position beyond this is no position
_HALF_PAIRS = re.compile("[\ud800-\udfff]")  # JSON can spell them; no text can hold them
_STEP = re.compile(r"[^.\[\]]+|\[(\d+)\]")


def look(data: Any, path: str) -> Any:
    """Return what stands at *path* of *data*; ``None`` where there is nothing."""
    for match in _STEP.finditer(path.removeprefix("-")):
        if match[1] is not None:
            index = int(match[1])
            if not isinstance(data, list) or index >= len(data):
                return None
            data = data[index]
        else:
            if not isinstance(data, dict):
                return None
            data = data.get(match[0])
    return data


def look_everywhere(response: HttpResponse | None, data: Any, path: str) -> Any:
    """Return what stands at *path*, which may name a header of *response*."""
    if path.startswith("header:"):
        return None if response is None else response.header(path[7:])
    return look(data, path)


def is_filled(value: Any) -> bool:
    """Tell whether *value* says something: false, zero and everything empty do not."""
    return bool(value)


def first_text(data: Any, paths: Iterable[str] | None, *, gap: str = " … ") -> str:
    """Return the first text that one of *paths* holds; empty without one."""
    for path in paths or ():
        text = text_of(look(data, path), gap=gap)
        if text:
            return text
    return ""


def text_of(value: Any, *, gap: str = " … ") -> str:
    """Return *value* as text: lists joined, word indexes written out, other shapes ignored."""
    if isinstance(value, str):
        return whole(value).strip()
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, (int, float)):
        return str(value) if isinstance(value, int) or math.isfinite(value) else ""
    if isinstance(value, list):
        return gap.join(filter(None, (text_of(item, gap=gap) for item in value if not isinstance(item, list))))
    return _from_word_index(value) if isinstance(value, dict) else ""


def whole(text: str) -> str:
    """Return *text* with halves of surrogate pairs replaced."""
    return text if text.isascii() else _HALF_PAIRS.sub("\ufffd", text)


def _from_word_index(index: dict[str, Any]) -> str:
    """Return the text of a word-to-positions index; empty for any other table."""
    places: dict[int, str] = {}
    for word, positions in index.items():
        if not isinstance(positions, list):
            return ""
        for position in positions:
            if type(position) is int and 0 <= position < MAX_WORDS:
                places[position] = whole(word)
    return " ".join(places[position] for position in sorted(places))


def number_of(value: Any) -> float | None:
    """Return *value* as a finite number; the last of a comma-separated list, which is its longest window."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        value = value.rsplit(",", 1)[-1].split(";", 1)[0].strip()
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def fulfils(row: Any, where: dict[str, Any]) -> bool:
    """Tell whether *row* holds what *where* asks for: for each path one value, or one of a list."""
    return all(
        any(same(look(row, path), item) for item in (wanted if isinstance(wanted, list) else [wanted]))
        for path, wanted in where.items()
    )


def same(found: Any, wanted: Any) -> bool:
    """Tell whether two plain values are equal; a number and its text are."""
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    if isinstance(found, (str, int, float)) and isinstance(wanted, (str, int, float)):
        return str(found) == str(wanted)
    return False


def sentences(value: Any, *, depth: int = 0) -> Iterator[str]:
    """Yield what a vendor says in *value*, a text, a table or a list of these."""
    if depth > 4:  # the deepest known shape has three levels
        return
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield whole(str(value))
    elif isinstance(value, list):
        if value and all(isinstance(item, str) for item in value) and depth:
            yield whole(": ".join(value))
        else:
            for item in value:
                yield from sentences(item, depth=depth + 1)
    elif isinstance(value, dict):
        for name in ("message", "detail", "text", "info", "warnings"):
            if is_filled(value.get(name)) and isinstance(value[name], (str, list)):
                yield from sentences(value[name], depth=depth + 1)
                return
        for item in value.values():
            yield from sentences(item, depth=depth + 1)
