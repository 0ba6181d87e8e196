"""The presets that come with the package, as texts; nothing is parsed here."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

PACKAGE = "websdk.presets"


def bundled_preset_texts() -> dict[str, str]:
    """Return the text of every bundled preset by its id, in order of the alphabet.

    They stand in the data package ``websdk.presets``, or in ``presets/`` beside ``websdk/`` in a source tree.
    """
    folder = _installed() or _beside()
    if folder is None:
        return {}
    found = sorted((item for item in folder.iterdir() if item.name.endswith(".toml")), key=lambda item: item.name)
    return {item.name.removesuffix(".toml"): item.read_text(encoding="utf-8") for item in found}


def _installed() -> Traversable | None:
    try:
        folder = files(PACKAGE)
    except ModuleNotFoundError:
        return None
    return folder if any(item.name.endswith(".toml") for item in folder.iterdir()) else None


def _beside() -> Path | None:
    """Return the folder of a source tree; a `pyproject.toml` tells it from a chance neighbour of an installation."""
    root = Path(__file__).resolve().parents[2]
    return root / "presets" if (root / "pyproject.toml").is_file() and (root / "presets").is_dir() else None
