"""Values to and from plain JSON data. The one door to ``cattrs``."""

from __future__ import annotations

import types
from collections.abc import Iterator
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, cast, get_args, get_origin

import attrs

from websdk.credentials import Secret
from websdk.model.bounds import is_finite

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")
SCHEMA = 1


def _moment(value: Any) -> date | datetime:
    if isinstance(value, (date, datetime)):
        return value
    return datetime.fromisoformat(value) if "T" in value else date.fromisoformat(value)


def _refuse_secret(value: Any, *_: Any) -> Any:
    raise TypeError("a Secret is not serialised; name the credential and resolve it where it is used")


def _is_day_or_moment(kind: Any) -> bool:
    return get_origin(kind) in (Union, types.UnionType) and set(get_args(kind)) - {type(None)} == {date, datetime}


def _is_word(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is Literal


def _word(value: Any, kind: Any) -> Any:
    if value not in get_args(kind):
        raise TypeError(f"must be {' or '.join(map(str, get_args(kind)))}")
    return value


def _is_word_or_texts(kind: Any) -> bool:
    """Tell whether *kind* is one of some words, or a tuple of texts."""
    parts = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else ()
    return len(parts) == 2 and _is_word(parts[0]) and parts[1] == tuple[str, ...]


def _word_or_texts(value: Any, kind: Any) -> str | tuple[str, ...]:
    words = get_args(get_args(kind)[0])
    if isinstance(value, str) and value in words:
        return value
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise TypeError(f"must be {' or '.join(words)}, or a list of texts")


_PLAIN: dict[type[Any], str] = {str: "a text", int: "a whole number", float: "a finite number", bool: "true or false"}


def _member(value: Any, kind: Any) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise ValueError(f"is one of {', '.join(map(str, kind))}") from None


def _exactly(kind: type[Any], words: str) -> Any:
    """Return a hook that takes a value of *kind* only, where the library would convert anything it can."""

    def structure(value: Any, _: Any) -> Any:
        fits = is_finite(value) if kind is float else type(value) is kind
        if not fits:
            raise TypeError(f"must be {words}")
        return kind(value)

    return structure


def make_converter(*, strict: bool) -> Converter:
    """Return a converter of this project's values.

    Args:
        strict: Whether unknown keys are problems; all problems are collected, each with its path.
    """
    from cattrs import Converter

    converter = Converter(forbid_extra_keys=strict, detailed_validation=strict)
    if strict:
        for kind, words in _PLAIN.items():
            converter.register_structure_hook(kind, _exactly(kind, words))
        # The hook for texts would also take every enumeration of texts, and leave it a text.
        converter.register_structure_hook(StrEnum, _member)
        converter.register_structure_hook_func(_is_word, _word)
    converter.register_unstructure_hook(datetime, lambda value: value.isoformat())
    converter.register_structure_hook(datetime, lambda value, _: datetime.fromisoformat(value))
    converter.register_unstructure_hook(date, lambda value: value.isoformat())
    converter.register_structure_hook(date, lambda value, _: date.fromisoformat(value))
    converter.register_structure_hook_func(
        _is_day_or_moment, lambda value, _: None if value is None else _moment(value)
    )
    converter.register_unstructure_hook_func(
        _is_day_or_moment, lambda value: None if value is None else value.isoformat()
    )
    converter.register_structure_hook(int | str, lambda value, _: value)
    converter.register_structure_hook(int | str | None, lambda value, _: value)
    converter.register_structure_hook_func(lambda kind: kind == str | int | float | bool | None, lambda value, _: value)
    converter.register_structure_hook_func(_is_word_or_texts, _word_or_texts)
    converter.register_unstructure_hook_func(_is_word_or_texts, lambda value: value)
    converter.register_unstructure_hook_func(
        lambda kind: isinstance(kind, type) and issubclass(kind, StrEnum), lambda value: value.value
    )
    converter.register_unstructure_hook(Path, str)
    converter.register_structure_hook(Path, lambda value, _: Path(value))
    converter.register_unstructure_hook(Secret, _refuse_secret)
    converter.register_structure_hook(Secret, _refuse_secret)
    return converter


@lru_cache(maxsize=1)
def _lenient() -> Converter:
    return make_converter(strict=False)


def to_dict(value: Any) -> dict[str, Any]:
    """Return a public value as plain JSON data, marked with the schema it was written in.

    Args:
        value: An instance of a value class of this package.

    Raises:
        TypeError: *value* is not such a value, or holds a secret.
    """
    if not attrs.has(type(value)):
        raise TypeError(f"{type(value).__name__} is not a value of this package")
    return {"schema": SCHEMA, **_lenient().unstructure(value)}


def from_dict(kind: type[T], data: dict[str, Any]) -> T:
    """Return the value of class *kind* that :func:`to_dict` made *data* from; unknown fields are ignored.

    Args:
        kind: A value class of this package.
        data: Plain JSON data.

    Raises:
        TypeError: *kind* is no value class.
        ValueError: *data* was written in a later schema, or a field does not fit.
    """
    if not attrs.has(kind):
        raise TypeError(f"{kind.__name__} is not a value class of this package")
    if data.get("schema", SCHEMA) != SCHEMA:
        raise ValueError(f"the data was written in schema {data['schema']!r}; this version reads {SCHEMA}")
    try:
        value: Any = _lenient().structure({key: item for key, item in data.items() if key != "schema"}, kind)
        return cast(T, value)
    except (TypeError, KeyError, AttributeError) as exc:
        raise ValueError(f"the data does not fit {kind.__name__}") from exc


def structure_strictly(data: dict[str, Any], kind: type[T]) -> tuple[T | None, tuple[str, ...]]:
    """Structure *data* as *kind* and collect every problem.

    Returns:
        The value and no problems, or ``None`` and one line a problem, each beginning with the path of its key.
    """
    try:
        value: Any = make_converter(strict=True).structure(data, kind)
    except ExceptionGroup as group:
        return None, tuple(dict.fromkeys(problems_of(group)))
    return cast(T, value), ()


def problems_of(error: BaseException, path: str = "") -> Iterator[str]:
    """Yield one line for each problem inside *error*, which a strict converter nests as the data is nested."""
    place = path or "the file"
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from problems_of(inner, _below(path, inner))
    elif unknown := getattr(error, "extra_fields", None):
        for key in sorted(unknown):
            yield f"{path}.{key}: unknown key" if path else f"{key}: unknown key"
    elif several := getattr(error, "problems", None):
        for problem in several:
            yield f"{place}: {problem}"
    elif isinstance(error, KeyError):
        yield f"{place}: is missing"
    elif isinstance(error, (TypeError, AttributeError)) and not str(error).startswith("must be"):
        yield f"{place}: has another shape than this key takes"
    else:
        yield f"{place}: {error}"


def _below(path: str, error: BaseException) -> str:
    """Return the path of the value that *error* is about, from the note that the converter left on it."""
    for note in getattr(error, "__notes__", ()):
        name, index = getattr(note, "name", None), getattr(note, "index", None)
        if name is not None:
            return f"{path}.{name}" if path else str(name)
        if index is not None:
            return f"{path}[{index}]" if isinstance(index, int) else f"{path}.{index}"
    return path
