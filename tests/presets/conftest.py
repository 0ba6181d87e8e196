"""The bundled presets, and what is known of their vendors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from websdk.declarative import Preset, PresetCodec, PresetReader, bundled_preset_texts, load_preset
from websdk.model import Connection

SETTINGS = {
    "engine": "e1",
    "index": "pages",
    "country_field": "land",
    "language_field": "tongue",
    "topic_field": "kind",
    "zone": "z1",
}


@pytest.fixture(scope="session")
def presets() -> dict[str, Preset]:
    """Every bundled preset by its id."""
    return {name: load_preset(text, name=name) for name, text in bundled_preset_texts().items()}


@pytest.fixture(scope="session")
def facts() -> dict[str, Any]:
    """What the vendors take, written down apart from the presets."""
    found: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data/presets/vendors.json").read_text("utf-8"))
    return found


def connection_of(preset: Preset) -> Connection:
    """Return a connection with everything that the preset asks for."""
    vendor = preset.vendor
    settings = {name: value for name, value in SETTINGS.items() if name in vendor.settings}
    if vendor.id == "cloudflare":
        settings["site"] = "account-1"
    written = vendor.base_url or (preset.search and preset.search.base_url)
    base_url = None if written else "http://127.0.0.1:9200"
    return Connection(name=vendor.id, vendor=vendor.id, settings=settings, base_url=base_url)


@pytest.fixture(scope="session")
def codecs(presets: dict[str, Preset]) -> dict[str, PresetCodec]:
    """A codec of every preset that searches."""
    searching = {name: preset for name, preset in presets.items() if preset.search is not None}
    return {name: PresetCodec(preset, connection_of(preset)) for name, preset in searching.items()}


@pytest.fixture(scope="session")
def readers(presets: dict[str, Preset]) -> dict[str, PresetReader]:
    """A reader of every preset that reads pages."""
    reading = {name: preset for name, preset in presets.items() if preset.fetch is not None}
    return {name: PresetReader(preset, connection_of(preset)) for name, preset in reading.items()}
