"""Checks of the options that bound something: a figure that is none, or is endless, would bound nothing."""

from __future__ import annotations

import sys
from typing import Any

import attrs

from websdk.errors import SettingsError


def is_finite(value: Any) -> bool:
    """Tell whether *value* is a number that ends; a truth value is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def whole(least: int) -> Any:
    """Return a validator of an attribute that is a whole number from *least*.

    The validator raises :class:`websdk.SettingsError`, as all of this module do.
    """

    def check(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise SettingsError(f"{attribute.name} is a whole number from {least:,}")

    return check


def number(least: float) -> Any:
    """Return a validator of an attribute that is a finite number from *least*."""

    def check(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if not is_finite(value) or value < least:
            raise SettingsError(f"{attribute.name} is a finite number from {least:g}")

    return check


def above_zero(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    """Refuse what is no finite number above zero; a validator."""
    if not is_finite(value) or value <= 0:
        raise SettingsError(f"{attribute.name} is a finite number above zero")


def word(*words: str) -> Any:
    """Return a validator of an attribute that is one of *words*."""

    def check(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value not in words:
            raise SettingsError(f"{attribute.name} is one of {', '.join(words)}")

    return check
