"""What installed distributions declare in their entry points. Nothing of theirs is imported by looking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from websdk.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint

PLUGIN_GROUP = "websdk"
PRESET_GROUP = "websdk.presets"
COMMAND_GROUP = "websdk.commands"
MAX_REASON_CHARACTERS = 300  # an import error's first line; a whole traceback stays with the chained cause


@attrs.frozen(kw_only=True)
class Installed:
    """One entry point of an installed distribution.

    Attributes:
        name: Name of the entry point.
        value: What it points to, ``module:object``.
        distribution: Name of the distribution; ``None`` for metadata without one.
        version: Version of the distribution.
    """

    name: str
    value: str
    distribution: str | None
    version: str | None
    entry: EntryPoint = attrs.field(repr=False)

    def load(self) -> Any:
        """Import what the entry point names.

        Raises:
            PluginError: The import failed; names the distribution, the cause is chained.
        """
        try:
            return self.entry.load()
        except (Exception, SystemExit) as exc:
            raise PluginError(
                f"{self.name!r} of distribution {self.distribution or 'unknown'} cannot be loaded "
                f"from {self.value!r}: {first_line(exc)}",
                distribution=self.distribution,
            ) from exc


def first_line(exc: BaseException) -> str:
    """Return the kind of *exc* and the beginning of its text."""
    text = str(exc).strip().partition("\n")[0][:MAX_REASON_CHARACTERS]
    return f"{type(exc).__name__}: {text}" if text else type(exc).__name__


def find_installed(*groups: str) -> dict[str, tuple[Installed, ...]]:
    """Return the entry points of each of *groups*, by name and distribution, whatever order the disk has.

    The import of the standard library's metadata reader and the look at every distribution's folder are the whole cost,
    so several groups share one look.
    """
    from importlib.metadata import entry_points

    found = entry_points()
    return {group: tuple(sorted(_of(found.select(group=group)), key=_order)) for group in groups}


def _of(entries: Any) -> Iterator[Installed]:
    for entry in entries:
        # An installation that broke off leaves entry points without a name and a version.
        about = (entry.dist.metadata if entry.dist is not None else None) or {}
        yield Installed(
            name=entry.name,
            value=entry.value,
            distribution=about.get("Name"),
            version=about.get("Version"),
            entry=entry,
        )


def _order(item: Installed) -> tuple[str, str]:
    return item.name, item.distribution or ""
