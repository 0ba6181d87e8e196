"""One table of settings, composed of the options of each room.

A call's own value beats arguments in code, these beat the environment, environment beats the file, the file beats the
default. ``Settings()`` reads nothing; :meth:`Settings.load` does.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import attrs

from websdk.budget.candidates import CandidateLimits, EnforceFilters
from websdk.budget.fit import FitOptions
from websdk.budget.options import PreviewOptions
from websdk.egress.policy import EgressOptions
from websdk.errors import SettingsError
from websdk.evidence import EvidenceOptions
from websdk.fetch.options import FetchOptions
from websdk.model.bounds import number, whole, word
from websdk.model.connection import Connection
from websdk.model.convert import structure_strictly
from websdk.model.search import DEFAULT_MAX_RESULTS
from websdk.reuse import ReuseOptions

OnUnsupported = Literal["report", "refuse"]
OnPluginError = Literal["raise", "report"]
MAX_FILE_BYTES = 256 * 1024  # a settings file is a page or two; more is the wrong file
ENVIRONMENT_PREFIX = "WEBSDK_"


def _paths(values: Iterable[str | Path]) -> tuple[Path, ...]:
    return tuple(Path(value) for value in values)


@attrs.frozen(kw_only=True)
class SearchOptions:
    """How searches are made.

    Attributes:
        enabled: Whether sessions and tools offer search; a call that names its provider does not ask.
        provider: Provider of a call that names none; blank means that such a call is an error.
        chain: Providers after ``provider``, in order. A session asks the next one where one fails in a way that may
            pass, and two of each family at once for a thorough search; a call that names its provider asks no other.
        max_results: Results of a call that names no number, and the most that a tool call may ask for.
        on_unsupported: Whether a filter that cannot be applied in full is reported or refuses the call.
        enforce_filters: Whether a result that breaks an asked filter is marked or dropped.
        timeout_s: Wall-clock seconds of a search.
    """

    enabled: bool = False
    provider: str = ""
    chain: tuple[str, ...] = ()
    max_results: int = attrs.field(default=DEFAULT_MAX_RESULTS, validator=whole(1))
    on_unsupported: OnUnsupported = attrs.field(default="report", validator=word("report", "refuse"))
    enforce_filters: EnforceFilters = attrs.field(default="flag", validator=word("flag", "drop"))
    timeout_s: float = attrs.field(default=45.0, validator=number(0.05))


@attrs.frozen(kw_only=True)
class CredentialSettings:
    """Where one named credential comes from; exactly one of the three.

    Attributes:
        env: Name of an environment variable.
        file: File that holds the credential and nothing else.
        source: Name of a source that a plugin offers.
    """

    env: str | None = None
    file: Path | None = None
    source: str | None = None

    def __attrs_post_init__(self) -> None:
        if sum(item is not None for item in (self.env, self.file, self.source)) != 1:
            raise SettingsError("give exactly one of env, file and source")


@attrs.frozen(kw_only=True)
class ConnectionSettings:
    """What an operator says of one connection; see :class:`websdk.Connection`.

    Attributes:
        transport: Name of a transport that a plugin offers.
        auth: Name of a signing scheme that a plugin offers.
        min_interval_s: Seconds between two calls in place of the preset's, as a larger plan allows.
    """

    vendor: str = ""
    base_url: str | None = None
    credential: str | None = None
    ca_file: Path | None = None
    client_cert: Path | None = None
    proxy: str | None = None
    transport: str | None = None
    auth: str | None = None
    min_interval_s: float | None = attrs.field(default=None, validator=attrs.validators.optional(number(0)))
    settings: dict[str, str] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class Settings:
    """Everything that can be configured, with the defaults of this package.

    Attributes:
        search: How searches are made.
        fetch: How pages are read.
        egress: What page reads of an intranet may reach.
        limits: How long the fields of a result may be.
        evidence: What a session keeps to be read on.
        fit: How large an answer of a session may be as it is serialised.
        preview: How much of an answer a model is shown at once.
        reuse: What a session gives again instead of asking twice.
        connections: Network identities by name; ``pages`` is that of page reads.
        credentials: Where named credentials come from.
        presets: Folders with preset files of one's own.
        plugins: ``auto`` for every installed plugin, or the names of those to load.
        plugins_blocked: Names that are never loaded.
        on_plugin_error: Whether a plugin that fails to load raises or is reported.
        plugin: Tables of the plugins' own options, by plugin.
        origins: Where each value came from that is not a default: ``file`` or ``environment``.
    """

    search: SearchOptions = attrs.field(factory=SearchOptions)
    fetch: FetchOptions = attrs.field(factory=FetchOptions)
    egress: EgressOptions = attrs.field(factory=EgressOptions)
    limits: CandidateLimits = attrs.field(factory=CandidateLimits)
    evidence: EvidenceOptions = attrs.field(factory=EvidenceOptions)
    fit: FitOptions = attrs.field(factory=FitOptions)
    preview: PreviewOptions = attrs.field(factory=PreviewOptions)
    reuse: ReuseOptions = attrs.field(factory=ReuseOptions)
    connections: dict[str, ConnectionSettings] = attrs.field(factory=dict)
    credentials: dict[str, CredentialSettings] = attrs.field(factory=dict)
    presets: tuple[Path, ...] = attrs.field(default=(), converter=_paths)
    plugins: Literal["auto"] | tuple[str, ...] = "auto"
    plugins_blocked: tuple[str, ...] = ()
    on_plugin_error: OnPluginError = attrs.field(default="raise", validator=word("raise", "report"))
    plugin: dict[str, dict[str, Any]] = attrs.field(factory=dict)
    origins: dict[str, str] = attrs.field(factory=dict, eq=False, repr=False)

    @classmethod
    def load(cls, path: str | Path | None = None, *, environ: Mapping[str, str] | None = None) -> Settings:
        """Read settings from a file and the environment.

        Args:
            path: A TOML file. Without one, ``WEBSDK_CONFIG`` names it, else ``websdk/settings.toml`` in the user's
                configuration folder is read where it exists. Nothing is looked for in the working directory.
            environ: The environment; ``None`` for the process's own.

        Raises:
            SettingsError: A named file is missing or any value is wrong; every problem at once, each with its path.
        """
        env = os.environ if environ is None else environ
        chosen = _file(path, env)
        data: dict[str, Any] = {} if chosen is None else _read(chosen)
        origins = dict.fromkeys(_leaves(data), "file")
        problems = _overlay(data, env, origins)
        value, found = structure_strictly({**data, "origins": origins}, cls)
        problems.extend(found)
        if problems or value is None:
            source = "the environment" if chosen is None else chosen.name
            raise SettingsError(f"the settings of {source} cannot be used:", problems=problems)
        return value

    def connection(self, name: str, *, vendor: str = "") -> Connection:
        """Return the connection called *name*, with nothing but the defaults where none is configured."""
        found = self.connections.get(name)
        if found is None:
            return Connection(name=name, vendor=vendor)
        return Connection(
            name=name,
            vendor=found.vendor or vendor,
            base_url=found.base_url,
            credential=found.credential,
            ca_file=found.ca_file,
            client_cert=found.client_cert,
            proxy=found.proxy,
            settings=found.settings,
        )


def _file(path: str | Path | None, env: Mapping[str, str]) -> Path | None:
    named = path or env.get("WEBSDK_CONFIG")
    try:
        if named:
            return Path(named).expanduser()
        found = user_config_folder(env) / "settings.toml"
        return found if found.is_file() else None
    except RuntimeError:  # a user without a home, as in many containers, or one whom nobody knows
        if named:
            raise SettingsError(f"the settings file {Path(named).name} cannot be read: its ~ is no folder") from None
        return None
    except PermissionError:  # a home that belongs to somebody else holds no settings of this user
        return None


def user_config_folder(env: Mapping[str, str]) -> Path:
    """Return the folder of a person's own settings and presets on this platform."""
    if os.name == "nt":
        return Path(env.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "websdk"
    return Path(env.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "websdk"


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except OSError as exc:
        raise SettingsError(f"the settings file {path.name} cannot be read: {exc.strerror}") from None
    if len(content) > MAX_FILE_BYTES:
        raise SettingsError(f"the settings file {path.name} is larger than {MAX_FILE_BYTES // 1024} KiB")
    try:
        return tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise SettingsError(f"the settings file {path.name} is not TOML: {exc}") from None


def _leaves(data: Mapping[str, Any], prefix: str = "") -> list[str]:
    leaves = []
    for key, value in data.items():
        path = f"{prefix}{key}"
        leaves.extend(_leaves(value, path + ".") if isinstance(value, dict) else [path])
    return leaves


# What one variable may set: the plain values of these sections. Egress, plugins, presets and addresses decide what may
# be reached and what code runs; an environment is too easily inherited for that.
_FROM_ENVIRONMENT: tuple[tuple[str, type[Any]], ...] = (
    ("search", SearchOptions),
    ("fetch", FetchOptions),
    ("limits", CandidateLimits),
    ("evidence", EvidenceOptions),
    ("fit", FitOptions),
    ("preview", PreviewOptions),
    ("reuse", ReuseOptions),
)


def _overlay(data: dict[str, Any], env: Mapping[str, str], origins: dict[str, str]) -> list[str]:
    """Lay the values of *env* over *data*, and return what is wrong with them."""
    problems = []
    for section, kind in _FROM_ENVIRONMENT:
        prefix = f"{ENVIRONMENT_PREFIX}{section}_".upper()
        known = {prefix + field.name.upper() for field in attrs.fields(kind)}
        for name in env:
            # The key of a preset whose id begins like a section ends so.
            if name.startswith(prefix) and name not in known and not name.endswith("_KEY"):
                problems.append(f"{name}: there is no such setting")
        for field in attrs.fields(kind):
            variable = f"{ENVIRONMENT_PREFIX}{section}_{field.name}".upper()
            if variable not in env:
                continue
            try:
                value = _typed(env[variable], field.default)
            except ValueError as exc:
                problems.append(f"{variable}: {exc}")
                continue
            table = data.setdefault(section, {})
            if isinstance(table, dict):
                table[field.name] = value
                origins[f"{section}.{field.name}"] = "environment"
    return problems


def _typed(text: str, default: Any) -> Any:
    if isinstance(default, bool):
        word = text.strip().lower()
        if word in ("1", "true", "yes", "on"):
            return True
        if word in ("0", "false", "no", "off"):
            return False
        raise ValueError("is one of true, false")
    if isinstance(default, (int, float)):
        try:
            return type(default)(text)
        except ValueError:
            raise ValueError(f"is a {'whole ' if isinstance(default, int) else ''}number") from None
    if isinstance(default, tuple):
        return [item.strip() for item in text.split(",") if item.strip()]
    return text


def origin_of(settings: Settings, path: str) -> str:
    """Return where the value at *path* came from: ``file``, ``environment`` or ``default``."""
    return settings.origins.get(path, "default")


__all__ = [
    "ConnectionSettings",
    "CredentialSettings",
    "OnPluginError",
    "OnUnsupported",
    "SearchOptions",
    "Settings",
    "origin_of",
    "user_config_folder",
]
