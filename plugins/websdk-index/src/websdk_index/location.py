"""Where the index lies when nobody names a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from websdk.errors import SettingsError


def default_file(environ: Mapping[str, str] | None = None, *, platform: str = sys.platform) -> Path:
    """Return the index file of this person: in the data folder that the platform gives each user.

    Args:
        environ: The environment; ``None`` for the process's own.
        platform: As :data:`sys.platform`.
    """
    env = os.environ if environ is None else environ
    return _data_folder(env, platform) / "websdk" / "index.sqlite3"


def configured_file(options: Mapping[str, Any]) -> Path:
    """Return the index file that the settings table ``[plugin.index]`` names, else :func:`default_file`.

    Raises:
        SettingsError: The table names no file by its ``file``, or holds anything else.
    """
    problems = [f"plugin.index.{key}: unknown key" for key in sorted(options) if key != "file"]
    file = options.get("file", "")
    if not isinstance(file, str):
        problems.append("plugin.index.file: is no text")
    if problems:
        raise SettingsError("the settings of the index cannot be used:", problems=problems)
    return Path(file).expanduser() if file else default_file()


def _data_folder(env: Mapping[str, str], platform: str) -> Path:
    if platform == "win32":
        return Path(env.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    named = env.get("XDG_DATA_HOME", "")
    # The XDG base directory specification has relative paths ignored.
    return Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"
