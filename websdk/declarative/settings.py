"""What an operator gives for a vendor: checked, and filled into the holes that take it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from websdk.declarative.vendor import HttpVendor
from websdk.declarative.words import HOLE
from websdk.errors import ConfigurationError
from websdk.model.connection import Connection
from websdk.model.urls import parse

# One segment of a path or label of a host: what the operator writes can add no slash, dot segment or port.
_SEGMENT = re.compile(r"[A-Za-z0-9_~-](?:[A-Za-z0-9._~-]{0,62}[A-Za-z0-9_~-])?")
# A stored field, also a nested one; nothing in it can end a quoted text or a term of an expression.
_FIELD = re.compile(r"[A-Za-z_@][A-Za-z0-9_@-]{0,63}(?:\.[A-Za-z_@][A-Za-z0-9_@-]{0,63}){0,5}")
_IN_ADDRESSES = ("index", "site", "language")
MAX_SETTING_CHARACTERS = 512  # a list of field names; anything longer is a pasted mistake


def given_settings(vendor: HttpVendor, connection: Connection) -> dict[str, str]:
    """Return every setting that has a value; those that are missing are left out.

    Raises:
        ConfigurationError: A value does not suit its place, or the vendor has no such setting.
    """
    for name in connection.settings:
        if name not in vendor.settings:
            known = ", ".join(vendor.settings) or "none"
            raise ConfigurationError(f"{vendor.id}: there is no setting {name!r}; it knows {known}")
    found = {}
    for name, setting in vendor.settings.items():
        value = connection.settings.get(name, setting.default)
        if value:
            found[name] = _checked(vendor.id, name, value)
            if (setting.at or "").startswith("header:") and not value.isascii():
                raise ConfigurationError(f"{vendor.id}: setting {name} goes into a header and is plain ASCII")
    return found


def missing_settings(vendor: HttpVendor, connection: Connection) -> tuple[str, ...]:
    """Name the settings without which there is no call."""
    return tuple(
        name
        for name, setting in vendor.settings.items()
        if setting.default is None and not connection.settings.get(name)
    )


def require_settings(vendor: HttpVendor, connection: Connection) -> None:
    """Refuse a connection that lacks a setting.

    Raises:
        ConfigurationError: Names what is missing and how to give it.
    """
    missing = missing_settings(vendor, connection)
    if missing:
        named = "; ".join(f"{name}: {vendor.settings[name].about}" for name in missing)
        lines = " and ".join(f'{name} = "..."' for name in missing)
        raise ConfigurationError(
            f"{vendor.id} needs {'a setting' if len(missing) == 1 else 'settings'} from you ({named}): "
            f"write {lines} under [connections.{connection.name}.settings]"
        )


def base_of(vendor: HttpVendor, own: str | None, connection: Connection) -> str | None:
    """Return the base address: the connection's, else that of the call, else the vendor's; ``None`` without one.

    Raises:
        ConfigurationError: The connection's is no plain http(s) address.
    """
    if connection.base_url is None:
        return own or vendor.base_url
    parsed = parse(connection.base_url)
    if parsed is None or parsed.has_credentials or "?" in parsed.href or "#" in parsed.href:
        raise ConfigurationError(f"{vendor.id}: base_url is an http(s) address without credentials, query or fragment")
    return parsed.href.rstrip("/")


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return *text* with its holes filled from *values*."""
    return HOLE.sub(lambda match: values.get(match[1], match[0]), text)


def placeholders(vendor: HttpVendor, given: Mapping[str, str]) -> dict[str, str]:
    """Return the settings with a name in angle brackets for each that is missing."""
    return {
        name: given.get(name) or ("" if setting.default == "" else f"<{name}>")
        for name, setting in vendor.settings.items()
    }


def _checked(vendor: str, name: str, value: str) -> str:
    if len(value) > MAX_SETTING_CHARACTERS or not value.isprintable():
        raise ConfigurationError(f"{vendor}: setting {name} is one line of at most {MAX_SETTING_CHARACTERS} characters")
    if name in _IN_ADDRESSES and not _SEGMENT.fullmatch(value):
        raise ConfigurationError(f"{vendor}: setting {name} is one plain word of an address (letters, digits, . _ ~ -)")
    if name.endswith("_field") and not _FIELD.fullmatch(value):
        raise ConfigurationError(f"{vendor}: setting {name} is the name of a stored field")
    return value


def field_setting(name: str) -> str:
    """Return the setting that names the stored field of a filter or of a part of a result."""
    return {"dates": "published", "include_domains": "domain", "exclude_domains": "domain"}.get(name, name) + "_field"
