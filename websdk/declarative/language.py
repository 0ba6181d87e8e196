"""The preset language as data: its JSON Schema, and its reference rows with how many vendors use each key."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

import attrs

from websdk.declarative.schema import Preset
from websdk.declarative.words import (
    CHECKS,
    WORDS,
    Addresses,
    AnswerPaths,
    FixedValues,
    Places,
    Scalars,
    Statuses,
    Texts,
    WordTable,
)

_TEXT = {"type": "string", "minLength": 1}
_SCALAR = {"type": ["string", "number", "boolean"]}
# Keys of the frozen values that the loader fills in itself.
_NOT_WRITTEN = {"id", "source"}
_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    FixedValues: {"type": "object"},
    WordTable: {"anyOf": [{"type": "object", "minProperties": 1}, {"type": "array", "items": _TEXT, "minItems": 1}]},
}
_LISTS: dict[Any, dict[str, Any]] = {
    Places: _TEXT,
    AnswerPaths: _TEXT,
    Addresses: _TEXT,
    Texts: _TEXT,
    Scalars: _SCALAR,
    Statuses: {"type": "integer", "minimum": 100, "maximum": 599},
}
_ALLOWED: dict[str, str] = {
    "Place": "place",
    "FilterPlace": "place, `query-text`, `filter-terms` or `host`",
    "Places": "place or list of places",
    "AnswerPath": "path",
    "AnswerPaths": "path or list of paths",
    "Addresses": "paths, or https:// patterns",
    "Pattern": "pattern",
    "BaseUrl": "https:// address",
    "UrlPath": "path of an address",
    "FixedValues": "table of places and values",
    "WordTable": "table or list of words",
    "Statuses": "HTTP status or list",
    "Texts": "text or list",
    "Scalars": "value or list",
}


def preset_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a preset file as data."""
    schema = _object(Preset)
    schema["properties"]["schema"] = {"const": 1, "description": schema["properties"]["schema"]["description"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "websdk preset, schema 1",
        **schema,
    }


@attrs.frozen(kw_only=True)
class KeyRow:
    """One key of the language.

    Attributes:
        path: Where it stands, with ``*`` for names that the file chooses.
        allowed: What it may be.
        about: What it means.
        used: How many of the counted presets have it.
    """

    path: str
    allowed: str
    about: str
    used: int


def key_rows(files: Iterable[Mapping[str, Any]]) -> tuple[KeyRow, ...]:
    """Return a row for every key of the language, counted over *files*.

    Args:
        files: Preset files as TOML data.
    """
    rows = {row.path: row for row in _rows(Preset, "")}
    for data in files:
        for path in {_generic(path, rows) for path in _paths(data, "")}:
            if path in rows:
                rows[path] = attrs.evolve(rows[path], used=rows[path].used + 1)
    return tuple(rows.values())


def key_words(rows: Iterable[KeyRow]) -> tuple[str, ...]:
    """Return the distinct words that files have to know, wherever they stand."""
    return tuple(sorted({row.path.rsplit(".", 1)[-1].removesuffix("[]") for row in rows} - {"*"}))


def reference_table(files: Iterable[Mapping[str, Any]]) -> str:
    """Return the reference rows as a Markdown table."""
    lines = ["| Key | Value | Meaning | Presets |", "| --- | --- | --- | ---: |"]
    for row in key_rows(files):
        about = row.about.replace("``", "`").replace("|", "\\|")
        lines.append(f"| `{row.path}` | {row.allowed} | {about} | {row.used} |")
    return "\n".join(lines) + "\n"


def _object(kind: type[Any]) -> dict[str, Any]:
    properties, required = {}, []
    for name, hint, field, about in _fields(kind):
        properties[name] = {**_schema_of(hint), "description": about}
        if field.default is attrs.NOTHING:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _schema_of(hint: Any) -> dict[str, Any]:
    hint = _without_none(hint)
    if hint in WORDS:
        return {"enum": [str(word) for word in hint]}
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    if hint in _LISTS:
        return {"anyOf": [_LISTS[hint], {"type": "array", "items": _LISTS[hint], "minItems": 1}]}
    if hint in CHECKS:
        return dict(_TEXT)
    if attrs.has(hint):
        return _object(hint)
    arguments = get_args(hint)
    if get_origin(hint) is dict:
        return {"type": "object", "additionalProperties": True if arguments[1] is Any else _schema_of(arguments[1])}
    return {"type": "array", "items": _schema_of(arguments[0])}


def _rows(kind: type[Any], prefix: str) -> Iterator[KeyRow]:
    for name, hint, _, about in _fields(kind):
        path = f"{prefix}{name}"
        inner = _without_none(hint)
        arguments = get_args(inner)
        if get_origin(inner) is dict and attrs.has(arguments[1]):
            yield KeyRow(path=path, allowed="tables by name", about=about, used=0)
            yield from _rows(arguments[1], f"{path}.*.")
        elif get_origin(inner) is tuple and attrs.has(arguments[0]):
            yield KeyRow(path=path, allowed="list of tables", about=about, used=0)
            yield from _rows(arguments[0], f"{path}[].")
        elif attrs.has(inner):
            yield KeyRow(path=path, allowed="table", about=about, used=0)
            if kind.__name__ != "FilterRules" or name in ("recency", "dates"):
                yield from _rows(
                    inner, f"{path}." if name == "dates" or kind.__name__ != "FilterRules" else f"{prefix}*."
                )
        else:
            yield KeyRow(path=path, allowed=_allowed(inner), about=about, used=0)


def _allowed(hint: Any) -> str:
    if hint in WORDS:
        return ", ".join(f"`{word}`" for word in hint)
    if hint in CHECKS:
        return _ALLOWED[hint.__name__]
    names = {str: "text", int: "whole number", float: "number", bool: "`true`, `false`"}
    if hint in names:
        return names[hint]
    arguments = get_args(hint)
    if get_origin(hint) is tuple:
        return f"list of {_allowed(arguments[0])}"
    return "table" if arguments[1] is Any else f"table of names and {_allowed(arguments[1])}"


def _fields(kind: type[Any]) -> Iterator[tuple[str, Any, attrs.Attribute[Any], str]]:
    hints = get_type_hints(kind)
    about = _descriptions(kind)
    for field in attrs.fields(kind):
        if not (kind.__name__ in ("HttpVendor", "Preset") and field.name in _NOT_WRITTEN):
            yield field.name, hints[field.name], field, about[field.name]


def _descriptions(kind: type[Any]) -> dict[str, str]:
    """Return what the ``Attributes:`` section of a docstring says, which is the only place where it is written."""
    section = (kind.__doc__ or "").partition("Attributes:\n")[2]
    found = re.findall(r"^ {4,8}(\w+): (.*(?:\n {9,}.*)*)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in found}


def _without_none(hint: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        return next(item for item in get_args(hint) if item is not type(None))
    return hint


def _paths(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            here = f"{path}.{key}" if path else key
            yield here
            yield from _paths(item, here)
    elif isinstance(value, list):
        for item in value:
            yield from _paths(item, f"{path}[]")


def _generic(path: str, rows: Mapping[str, KeyRow]) -> str:
    """Return the path of the row that *path* belongs to: names that a file chooses become ``*``."""
    if path in rows:
        return path
    parts = path.split(".")
    for position in range(1, len(parts)):
        candidate = ".".join([*parts[:position], "*", *parts[position + 1 :]])
        if candidate in rows:
            return candidate
    return path
