"""Commands that installed distributions add. A command's code is imported when it is called, and not before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from websdk.errors import PluginError
from websdk.plugins.installed import COMMAND_GROUP, Installed, find_installed


@attrs.frozen(kw_only=True)
class InstalledCommand:
    """One command of a distribution.

    Attributes:
        name: The word after ``websdk``.
        offered: Every entry point of that name; more than one is refused when the command is called.
    """

    name: str
    offered: tuple[Installed, ...]

    @property
    def distribution(self) -> str:
        """The distribution that brings the command; several, separated by commas, where they clash."""
        return ", ".join(item.distribution or "unknown" for item in self.offered)

    def load(self) -> Callable[..., Any]:
        """Import the command.

        Raises:
            PluginError: It cannot be imported, cannot be called, or two distributions offer the name.
        """
        if len(self.offered) > 1:
            raise PluginError(
                f"command {self.name!r} is offered by several distributions: {self.distribution}; uninstall all but one"
            )
        [item] = self.offered
        command = item.load()
        if not callable(command):
            raise PluginError(
                f"command {self.name!r} of distribution {self.distribution} cannot be called",
                distribution=item.distribution,
            )
        return command  # type: ignore[no-any-return]


def installed_commands() -> dict[str, InstalledCommand]:
    """Return every command that an installed distribution offers, by name; none is imported."""
    by_name: dict[str, tuple[Installed, ...]] = {}
    for item in find_installed(COMMAND_GROUP)[COMMAND_GROUP]:
        by_name[item.name] = (*by_name.get(item.name, ()), item)
    return {name: InstalledCommand(name=name, offered=offered) for name, offered in by_name.items()}
