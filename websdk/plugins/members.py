"""The plugins of one host as rows: who they are, where they come from, what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Literal

import attrs

from websdk.errors import PluginError
from websdk.plugins.installed import PLUGIN_GROUP, PRESET_GROUP, Installed, find_installed
from websdk.plugins.offers import Offer

Selected = Literal["auto"] | Sequence[str]


class SourceKind(StrEnum):
    """How a plugin came in."""

    BUNDLED = "bundled"
    """It is part of this package."""
    PRESETS = "presets"
    """A data-only distribution, entry-point group ``websdk.presets``."""
    FOLDER = "folder"
    """A folder that settings name."""
    PLUGIN = "plugin"
    """A Python distribution, entry-point group ``websdk``."""
    ARGUMENT = "argument"
    """An object given in code."""


@attrs.define(kw_only=True, eq=False)
class Member:
    """One plugin of a host.

    Attributes:
        name: What settings select and block it by.
        kind: How it came in.
        load: Returns the object with the hooks; imports it where that is needed.
        distribution: The distribution that brought it.
        version: Version of that distribution.
        blocked: Whether it is left out because its name is blocked.
        failure: Why it is left out, or what of it is; ``None`` where all is well.
    """

    name: str
    kind: SourceKind
    load: Callable[[], object]
    distribution: str | None = None
    version: str | None = None
    blocked: bool = False
    failure: str | None = None

    @property
    def label(self) -> str:
        """What tells it from every other plugin of the host."""
        return "bundled presets" if self.kind is SourceKind.BUNDLED else f"{self.kind.value} {self.name}"

    def __str__(self) -> str:
        origin = f" (distribution {self.distribution} {self.version})" if self.distribution else ""
        return f"{self.label}{origin}"


@attrs.frozen(kw_only=True)
class PluginInfo:
    """A plugin as a listing shows it.

    Attributes:
        name: What settings select and block it by.
        kind: How it came in; ``None`` for a blocked name that nothing has.
        distribution: The distribution that brought it; ``None`` for folders, arguments and what is bundled.
        version: Version of that distribution.
        offers: What it brings.
        blocked: Whether it is left out because its name is blocked.
        failure: Why it, or something of it, is left out; ``None`` where all is well.
    """

    name: str
    kind: SourceKind | None
    distribution: str | None = None
    version: str | None = None
    offers: tuple[Offer, ...] = ()
    blocked: bool = False
    failure: str | None = None


@attrs.frozen(kw_only=True)
class PluginFailure:
    """Something that a host left out, because it was told to report instead of to raise.

    Attributes:
        plugin: Name of the plugin.
        kind: How it came in.
        distribution: The distribution that brought it.
        message: What went wrong and whose it is.
        error: The failure itself, its cause chained.
    """

    plugin: str
    kind: SourceKind
    distribution: str | None
    message: str
    error: PluginError = attrs.field(repr=False, eq=False)


def gather(*, selected: Selected, folders: Iterable[Path], explicit: Iterable[object]) -> list[Member]:
    """Return every plugin there is, in the order in which they are registered. Nothing is imported yet."""
    installed = _installed(selected)
    return [
        Member(name="bundled", kind=SourceKind.BUNDLED, load=_bundled),
        *(_of(SourceKind.PRESETS, item) for item in installed[PRESET_GROUP] if _wants(selected, item)),
        *(_folder(path) for path in folders),
        *(_of(SourceKind.PLUGIN, item) for item in installed[PLUGIN_GROUP] if _wants(selected, item)),
        *_unknown(selected, installed),
        *_arguments(explicit),
    ]


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return a half-sentence that names the word of *known* that was probably meant; empty where none is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, sorted(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _bundled() -> object:
    from websdk.plugins.bundled import Bundled

    return Bundled()


def _installed(selected: Selected) -> dict[str, tuple[Installed, ...]]:
    if selected != "auto" and not selected:
        return {PRESET_GROUP: (), PLUGIN_GROUP: ()}  # nobody asked for any: the look costs tens of milliseconds
    return find_installed(PRESET_GROUP, PLUGIN_GROUP)


def _wants(selected: Selected, item: Installed) -> bool:
    return selected == "auto" or item.name in selected


def _of(kind: SourceKind, item: Installed) -> Member:
    load = item.load if kind is SourceKind.PLUGIN else partial(_package, item.value)
    return Member(name=item.name, kind=kind, load=load, distribution=item.distribution, version=item.version)


def _package(value: str) -> object:
    from websdk.plugins.packages import preset_package

    return preset_package(value)


def _folder(path: Path) -> Member:
    def load() -> object:
        from websdk.plugins.packages import preset_folder

        return preset_folder(path)

    return Member(name=str(path), kind=SourceKind.FOLDER, load=load)


def _unknown(selected: Selected, installed: dict[str, tuple[Installed, ...]]) -> Iterator[Member]:
    if selected == "auto":
        return
    names = sorted({item.name for items in installed.values() for item in items})
    for name in selected:
        if name not in names:
            there = ", ".join(names) or "none"
            problem = f"no such plugin is installed{suggestion(name, names)} (installed: {there})"
            yield Member(name=name, kind=SourceKind.PLUGIN, load=partial(_refuse, problem))


def _refuse(problem: str) -> object:
    raise PluginError(problem)


def _arguments(explicit: Iterable[object]) -> Iterator[Member]:
    seen: dict[str, int] = {}
    for plugin in explicit:
        name = _name(plugin)
        seen[name] = seen.get(name, 0) + 1
        shown = name if seen[name] == 1 else f"{name}-{seen[name]}"
        yield Member(name=shown, kind=SourceKind.ARGUMENT, load=partial(_itself, plugin))


def _name(plugin: Any) -> str:
    return str(getattr(plugin, "__name__", type(plugin).__name__))


def _itself(plugin: object) -> object:
    return plugin
