"""Values by which filters are varied, and settings by which a preset is completed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from websdk.declarative import Preset, PresetCodec
from websdk.errors import InvalidRequest
from websdk.model import Connection, FilterKey, Filters

Samples = Mapping[FilterKey, tuple[Any, ...]]

HOSTS = ("port.example", "docs.harbour.example", "tide.test")
DAYS = (date(2026, 1, 5), date(2026, 2, 17))
LATER_DAYS = (date(2026, 2, 20), date(2026, 2, 27))
COUNTRIES = ("DE", "FR", "US", "JP", "IS", "VA")
LANGUAGES = ("de", "fr", "en", "ja", "is", "pt-BR")
OPERATOR_BASE = "http://127.0.0.1:9"
"""Stands for a service that an operator runs; nothing is dialled."""

ORDINARY: Samples = {
    FilterKey.RECENCY: ("day", "week", "month", "year"),
    FilterKey.PUBLISHED_AFTER: DAYS,
    FilterKey.PUBLISHED_BEFORE: LATER_DAYS,
    FilterKey.INCLUDE_DOMAINS: ((HOSTS[0],), (HOSTS[1],)),
    FilterKey.EXCLUDE_DOMAINS: ((HOSTS[0],), (HOSTS[1],)),
    FilterKey.COUNTRY: COUNTRIES,
    FilterKey.LANGUAGE: LANGUAGES,
    FilterKey.SAFE_SEARCH: ("off", "moderate", "strict"),
    FilterKey.TOPIC: ("news", "images", "general"),
}
"""Two values or more of each filter, all of them valid."""


def of_preset(preset: Preset, codec: PresetCodec) -> Samples:
    """Return values of each filter: every word that the preset knows, and ordinary ones where it has no table."""
    search = preset.search
    assert search is not None
    samples = dict(ORDINARY)
    for key in (FilterKey.COUNTRY, FilterKey.LANGUAGE, FilterKey.SAFE_SEARCH):
        rule = getattr(search.filters, key.value)
        if rule is not None and rule.values is not None:
            samples[key] = tuple(word for word in rule.values if is_askable(key, word))
    if codec.topics:
        samples[FilterKey.TOPIC] = tuple(word for word in codec.topics if is_askable(FilterKey.TOPIC, word))
    return samples


def is_askable(key: FilterKey, value: Any) -> bool:
    """Tell whether a caller can ask for *value*."""
    try:
        return bool(Filters(**{key.value: value}).asked())
    except InvalidRequest:
        return False


def outside(key: FilterKey, known: Any) -> Iterator[Any]:
    """Yield values of *key* that are none of *known*."""
    folded = {str(word).casefold() for word in known}
    more = {FilterKey.LANGUAGE: ("tlh",), FilterKey.COUNTRY: ("NU",), FilterKey.TOPIC: ("zzz-unknown",)}
    for value in (*more.get(key, ()), *ORDINARY[key]):
        if str(value).casefold() not in folded:
            yield value


def settings_of(preset: Preset) -> dict[str, str]:
    """Return a value for every setting of *preset*, the optional ones too."""
    return {name: setting.default or _setting(name) for name, setting in preset.vendor.settings.items()}


def _setting(name: str) -> str:
    return name.removesuffix("_field") + "1" if name.endswith("_field") else f"{name.replace('_', '-')}-1"


def connection_of(preset: Preset, *, base_url: str | None = None) -> Connection:
    """Return a connection with everything that *preset* asks for."""
    halves = [half.base_url for half in (preset.search, preset.fetch) if half is not None]
    written = preset.vendor.base_url or all(halves)
    return Connection(
        name=preset.vendor.id,
        vendor=preset.vendor.id,
        base_url=base_url or (None if written else OPERATOR_BASE),
        settings=settings_of(preset),
    )
