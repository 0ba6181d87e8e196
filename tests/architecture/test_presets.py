"""Every bundled vendor loads, and its file is what the house asks of one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parents[2] / "presets").glob("*.toml"))
MAX_BYTES = 16 * 1024  # what the loader takes of one preset
MAX_PARTS = 6


def _parts(table, above=()):
    for key, value in table.items():
        path = (*above, key)
        yield path
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, dict):
                yield from _parts(child, path)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_preset_loads_under_its_own_name(file):
    from websdk.declarative import load_preset

    assert file.stem == load_preset(file.read_text("utf-8"), name=file.stem, source=file.name).vendor.id


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_preset_is_small_and_flat_and_names_its_schema(file):
    data = tomllib.loads(file.read_text("utf-8"))

    assert 1 == data["schema"]
    assert file.stat().st_size <= MAX_BYTES
    assert max(len(path) for path in _parts(data)) <= MAX_PARTS


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_preset_says_where_its_facts_come_from_and_when_they_were_read(file):
    head = file.read_text("utf-8").partition("schema =")[0]

    assert re.search(r"^# .*\w.*", head, re.M)
    assert re.search(r"\b20\d\d-\d\d\b", head)


def test_the_folder_holds_presets_and_nothing_else():
    folder = Path(__file__).parents[2] / "presets"
    others = [path.name for path in folder.iterdir() if path.suffix != ".toml" and path.name != "__pycache__"]

    assert ["__init__.py"] == others


def test_the_package_holds_the_files_of_the_folder():
    from websdk.plugins.host import PluginHost

    assert {file.stem for file in FILES} == set(PluginHost(selected=()).preset_ids())
