"""Values to and from plain JSON data. The one door to ``cattrs``."""

from __future__ import annotations

import types
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Union, cast, get_args, get_origin

import attrs

from websdk.credentials import Secret

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


_PLAIN: dict[type[Any], str] = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def _exactly(kind: type[Any], words: str) -> Any:
    """Return a hook that takes a value of *kind* only, where the library would convert anything it can."""

    def structure(value: Any, _: Any) -> Any:
        fits = type(value) is kind or (kind is float and type(value) is int)
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
    from cattrs import transform_error

    try:
        value: Any = make_converter(strict=True).structure(data, kind)
    except Exception as exc:  # every problem of the data arrives in one group
        return None, tuple(_problem(line) for line in transform_error(exc, path=""))
    return cast(T, value), ()


def _problem(line: str) -> str:
    message, _, path = line.rpartition(" @ ")
    return f"{path.lstrip('.') or 'the file'}: {message}" if message else line
