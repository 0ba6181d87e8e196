"""Presets as files: data packages, which are located and never imported, and folders that settings name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from websdk.errors import PluginError
from websdk.hookspecs import PresetSource, hookimpl

MAX_PRESET_FILES = 1_000  # far above all vendors there are, so that a wrong folder is noticed and not read


@attrs.frozen(kw_only=True)
class PresetFolders:
    """A plugin that offers every ``*.toml`` of its folders.

    Attributes:
        folders: Where the files lie.
        origin: How messages name the place; a file's name is added to it.
    """

    folders: tuple[Path, ...]
    origin: str

    @hookimpl
    def websdk_presets(self) -> Iterable[PresetSource]:
        """Read each file; its name without ``.toml`` is the vendor's id."""
        return [PresetSource(name=path.stem, text=_text(path), source=f"{self.origin}/{path.name}") for path in self]

    def __iter__(self) -> Iterator[Path]:
        paths = [path for folder in self.folders for path in sorted(folder.glob("*.toml"))]
        if len(paths) > MAX_PRESET_FILES:
            raise PluginError(f"{self.origin} holds more than {MAX_PRESET_FILES:,} presets")
        return (path for path in paths if not path.name.startswith("."))


def _text(path: Path) -> str:
    from websdk.declarative.load import MAX_PRESET_BYTES  # what a text may have, and therefore what is read of a file

    with path.open("rb") as file:
        data = file.read(MAX_PRESET_BYTES + 1)
    if len(data) > MAX_PRESET_BYTES:
        raise PluginError(f"preset {path.name} is larger than {MAX_PRESET_BYTES // 1024} KiB")
    try:
        return data.decode()
    except UnicodeDecodeError as exc:
        raise PluginError(f"preset {path.name} is not UTF-8") from exc


def preset_folder(folder: Path) -> PresetFolders:
    """Return the plugin for a folder that settings name.

    Raises:
        PluginError: There is no such folder.
    """
    if not folder.is_dir():
        raise PluginError(f"preset folder {folder} does not exist")
    return PresetFolders(folders=(folder,), origin=str(folder))


def preset_package(package: str) -> PresetFolders:
    """Return the plugin for a top-level package of presets. Its code, if it has any, is not run.

    Args:
        package: Name of the package, without a dot: to locate a nested one Python would import its parent.

    Raises:
        PluginError: The name is not that of an installed top-level package that lies in a folder.
    """
    from importlib.util import find_spec

    if not package.isidentifier():
        raise PluginError(f"{package!r} is not the name of a top-level package")
    try:
        spec = find_spec(package)
    except (ImportError, ValueError) as exc:
        raise PluginError(f"package {package!r} cannot be located") from exc
    if spec is None:
        raise PluginError(f"package {package!r} is not there")
    folders = tuple(Path(place) for place in spec.submodule_search_locations or () if Path(place).is_dir())
    if not folders:
        raise PluginError(f"{package!r} is not a package that lies in a folder")
    return PresetFolders(folders=folders, origin=package)
