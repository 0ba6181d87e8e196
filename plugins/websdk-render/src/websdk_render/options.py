"""What an operator says about the browser: the settings table ``[plugin.render]``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from typing import Any

import attrs

from websdk import SettingsError
from websdk.model.bounds import above_zero, whole

# Where a browser is looked for when settings name none; a browser that Playwright itself brought comes after these.
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


@attrs.frozen(kw_only=True)
class RenderOptions:
    """How pages are rendered.

    Attributes:
        executable: Path of the Chromium to use; blank for the first one found on the path, else Playwright's own.
        sandbox: Whether Chromium confines the processes that run page scripts. Off only where the system cannot do it,
            such as in a container that runs as root.
        browsers: Browsers at once; each takes some 300 MB.
        max_dom_bytes: Ceiling for the markup that leaves the browser, as for the bytes of any page.
        max_network_bytes: Ceiling for everything that one read may load: scripts, styles and data, pictures not being
            asked for.
        quiet_s: Length of the intervals that must pass without a change.
        screens: Screenfuls that are scrolled through for content that waits to be seen.
    """

    executable: str = ""
    sandbox: bool = True
    browsers: int = attrs.field(default=2, validator=whole(1))
    max_dom_bytes: int = attrs.field(default=2 * 1024 * 1024, validator=whole(1))
    max_network_bytes: int = attrs.field(default=64 * 1024 * 1024, validator=whole(1))
    quiet_s: float = attrs.field(default=0.5, validator=above_zero)
    screens: int = attrs.field(default=12, validator=whole(1))

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> RenderOptions:
        """Return the options that a settings table states.

        Raises:
            SettingsError: A key is unknown or a value does not fit; all of them are named.
        """
        problems = []
        known = {field.name: field for field in attrs.fields(cls)}
        for key, value in table.items():
            if key not in known:
                problems.append(f"plugin.render.{key}: unknown key")
            elif not _fits(value, known[key].default):
                problems.append(f"plugin.render.{key}: not of its kind")
        if problems:
            raise SettingsError("the render rung cannot be set up", problems=problems)
        try:
            return cls(**table)
        except SettingsError as exc:
            raise SettingsError("the render rung cannot be set up", problems=[f"plugin.render.{exc}"]) from exc

    def browser_path(self) -> str | None:
        """Return the Chromium to use; ``None`` leaves it to Playwright."""
        if self.executable:
            return self.executable
        return next((path for path in map(shutil.which, _NAMES) if path is not None and os.access(path, os.X_OK)), None)


def _fits(value: Any, default: Any) -> bool:
    if isinstance(default, bool) or isinstance(value, bool):
        return type(value) is type(default)
    return isinstance(value, (int, float)) if isinstance(default, float) else isinstance(value, type(default))
