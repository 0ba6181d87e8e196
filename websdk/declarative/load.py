"""A preset's text becomes a value, or one failure that lists everything that is wrong with it. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from operator import is_
from typing import TYPE_CHECKING, Any

import attrs

from websdk.declarative.asking import FilterRules
from websdk.declarative.checks import KeyProblem
from websdk.declarative.schema import Preset, SearchProviderPreset
from websdk.declarative.settings import field_setting
from websdk.declarative.words import CHECKS, HOST, PAGE_MEANINGS, holes
from websdk.errors import PresetError
from websdk.model.convert import make_converter

if TYPE_CHECKING:
    from cattrs import Converter

SCHEMA = 1
MAX_PRESET_BYTES = 16 * 1024  # four times the longest bundled file; a preset is read by people
MAX_KEY_PARTS = 6  # as deep as `search.filters.country.values.DE` and one table inside a word


def load_preset(text: str, *, name: str, source: str | None = None) -> Preset:
    """Return the preset that *text* describes.

    Args:
        text: TOML text, at most 16 KiB.
        name: Id of the preset: the name of its file without the ending.
        source: Where the text came from, for messages.

    Raises:
        PresetError: The text is wrong; ``problems`` has one line for each problem, beginning with the path of its key.
    """
    where = source or name
    if len(text.encode()) > MAX_PRESET_BYTES:
        raise PresetError(f"{where} cannot be loaded", problems=[f"the file: has more than {MAX_PRESET_BYTES:,} bytes"])
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        raise PresetError(f"{where} cannot be loaded", problems=[f"the file: is no TOML: {exc}"]) from None
    preset, problems = _structure(data)
    if preset is not None and not problems:
        problems = list(_contradictions(preset))
    if preset is None or problems:
        raise PresetError(f"{where} cannot be loaded", problems=problems)
    return attrs.evolve(preset, vendor=attrs.evolve(preset.vendor, id=name), source=source)


def _structure(data: dict[str, Any]) -> tuple[Preset | None, list[str]]:
    problems = [f"{path}: has more than {MAX_KEY_PARTS} parts" for path in _too_deep(data)]
    if "schema" in data and (type(data["schema"]) is not int or data["schema"] != SCHEMA):
        problems.append(f"schema: is {SCHEMA}; this version reads no other")
    vendor = data.get("vendor")
    if isinstance(vendor, dict) and "id" in vendor:  # the name of the file says it
        problems.append("vendor.id: unknown key")
    if "source" in data:
        problems.append("source: unknown key")
    try:
        preset = _converter().structure(data, Preset)
    except ExceptionGroup as group:
        return None, problems + list(dict.fromkeys(_lines(group, "")))
    return preset, problems


def _too_deep(value: Any, path: str = "", depth: int = 0) -> Iterator[str]:
    if depth > MAX_KEY_PARTS:
        yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _too_deep(item, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _too_deep(item, f"{path}[{position}]", depth)


@lru_cache(maxsize=1)
def _converter() -> Converter:
    converter = make_converter(strict=True)
    for kind, check in CHECKS.items():
        converter.register_structure_hook_func(partial(is_, kind), _hook(check))
    return converter


def _hook(check: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda value, _: check(value)


def _lines(error: BaseException, path: str) -> Iterator[str]:
    """Yield one line for each problem inside *error*, which the converter nests as the data is nested."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _lines(inner, _deeper(path, inner))
        return
    unknown = getattr(error, "extra_fields", None)
    if unknown:
        for key in sorted(unknown):
            yield f"{path}.{key}: unknown key" if path else f"{key}: unknown key"
    elif isinstance(error, KeyProblem):
        key = f"{path}.{error.key}" if path else error.key
        yield f"{key}: {error}"
    elif isinstance(error, KeyError):
        yield f"{path or 'the file'}: is missing"
    else:
        yield f"{path or 'the file'}: {_said(error)}"


def _said(error: BaseException) -> str:
    text = str(error)
    if isinstance(error, (TypeError, AttributeError)) and not text.startswith("must be"):
        return "has another shape than this key takes"
    return text


def _deeper(path: str, error: BaseException) -> str:
    for note in getattr(error, "__notes__", ()):
        name = getattr(note, "name", None)
        if name is not None:
            return f"{path}.{name}" if path else str(name)
        index = getattr(note, "index", None)
        if index is not None:
            return f"{path}[{index}]" if isinstance(index, int) else f"{path}.{index}"
    return path


def _contradictions(preset: Preset) -> Iterator[str]:
    """Yield what is wrong between tables that are right each for itself."""
    vendor, search, fetch = preset.vendor, preset.search, preset.fetch
    patterns: dict[str, str | None] = {"vendor.base_url": vendor.base_url, "vendor.probe": vendor.probe}
    if search is not None:
        patterns |= {"search.base_url": search.base_url, "search.path": search.path, "search.site": search.site}
        patterns |= {f"search.results.url[{n}]": url for n, url in enumerate(search.results.url) if "://" in url}
        patterns |= {f"search.topics.{name}.path": topic.path for name, topic in search.topics.items()}
        yield from _search_contradictions(preset, search)
    if fetch is not None:
        patterns |= {"fetch.base_url": fetch.base_url, "fetch.path": fetch.path}
    for path, text in patterns.items():
        for hole in holes(text or ""):
            if hole != "key" and hole not in vendor.settings:
                yield f"{path}: {{{hole}}} needs vendor.settings.{hole}"


def _search_contradictions(preset: Preset, search: SearchProviderPreset) -> Iterator[str]:
    for number, rule in enumerate(search.errors):
        if rule.means in PAGE_MEANINGS:
            yield f"search.errors[{number}].means: speaks of a page; that belongs to fetch.errors"
    for name, rule in _rules(search.filters):
        if name == "language" and rule.at == HOST and "language" not in preset.vendor.settings:
            yield "search.filters.language.at: host needs vendor.settings.language"
        elif rule.at == HOST and name != "language":
            yield f"search.filters.{name}.at: only the language can stand in the host"
        if rule.at is None and not (search.site and name.endswith("domains")) and name != "dates":
            yield f"search.filters.{name}.at: is missing"
        for other in rule.unless:
            if other not in {"recency", "country", "language", "safe_search", "topic"}:
                yield f"search.filters.{name}.unless.{other}: is no filter with single values"
        texts = (getattr(rule, "pattern", None), getattr(rule, "after", None), getattr(rule, "range", None))
        if any("{field}" in (text or "") for text in texts):
            setting = field_setting(name)
            if setting not in preset.vendor.settings:
                yield f"search.filters.{name}: {{field}} needs vendor.settings.{setting}"
    topics = set(search.filters.topic.values or ()) if search.filters.topic else set()
    for name, topic in search.topics.items():
        if topic.path is None and name not in topics:
            yield f"search.topics.{name}: has neither `path` nor a word in search.filters.topic.values"


def _rules(filters: FilterRules) -> Iterator[tuple[str, Any]]:
    for field in attrs.fields(FilterRules):
        rule = getattr(filters, field.name)
        if rule is not None:
            yield field.name, rule
