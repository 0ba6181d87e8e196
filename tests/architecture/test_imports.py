"""Who may import whom."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys

import pytest

import websdk


def _floors(rules):
    return {room: floor for floor, rooms in enumerate(rules["order"]) for room in rooms}


def _breaches(modules, rules):
    floors, typing_only = _floors(rules), set(rules["typing_only"])
    found = []
    for module in modules:
        if not module.room:
            continue  # the package itself only says where its names live
        for imported in module.imports:
            top, _, rest = imported.module.partition(".")
            room = rest.partition(".")[0]
            if top != "websdk" or room in (module.room, "__version__"):
                continue
            place = f"{module.path}:{imported.line}: {module.room} -> {room}"
            if room not in floors:
                # The public face looks down on every room; only what stands above all of them may use it.
                found.append(f"{place} (not a room)")
            elif floors[room] >= floors[module.room] and not (
                imported.typing_only and f"{module.room} -> {room}" in typing_only
            ):
                found.append(place)
    return found


def test_rooms_import_only_from_rooms_before_them(core, rules):
    assert [] == _breaches(core, rules)


def test_every_room_stands_in_the_order(core, rules):
    assert set() == {module.room for module in core if module.room and module.room != "presets"} - set(_floors(rules))


@pytest.mark.parametrize(
    ("source", "breach"),
    [
        ("import websdk.client\n", "reading -> client"),
        ("from websdk import client\n", "reading -> client"),
        ("from websdk.declarative import load\n", "reading -> declarative"),
        ("from ..cli import main\n", "reading -> cli"),
        ("def late():\n    from websdk.search import x\n", "reading -> search"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from websdk.client import X\n", "reading -> client"),
        ("import importlib\nimportlib.import_module('websdk.sync')\n", "reading -> sync"),
    ],
)
def test_an_import_that_points_up_or_sideways_is_found(parse_module, rules, source, breach):
    module = parse_module(source, path="websdk/reading/x.py", name="websdk.reading.x")

    assert [breach] == [found.partition(": ")[2].removesuffix(" (not a room)") for found in _breaches([module], rules)]


def _strangers(modules, doors, own=()):
    found = []
    for module in modules:
        for imported in module.imports:
            package = imported.module.partition(".")[0]
            if package in sys.stdlib_module_names or package == "websdk" or package in own:
                continue
            if not any(module.path == door or module.path.startswith(door + "/") for door in doors.get(package, ())):
                found.append(f"{module.path}:{imported.line}: {package}")
    return found


def test_third_party_packages_come_in_by_their_door(core, rules):
    assert [] == _strangers(core, rules["doors"])


def test_a_package_beside_its_door_is_found(parse_module, rules):
    module = parse_module("def late():\n    import httpx\n", path="websdk/model/x.py", name="websdk.model.x")

    assert ["websdk/model/x.py:2: httpx"] == _strangers([module], rules["doors"])


def test_every_door_is_used(core, rules, root):
    imported = {name.module.partition(".")[0] for module in core for name in module.imports}
    built = {package for package, doors in rules["doors"].items() if any((root / door).exists() for door in doors)}
    unused = built - imported

    assert set() == unused


def _is_public(dotted, open_modules):
    """Whether `websdk` or the room exports the name, or it stands in a module that is opened by name."""
    module, _, name = dotted.rpartition(".")
    if name in websdk.__all__ or module.removeprefix("websdk.") in open_modules:
        return True
    room = ".".join(dotted.split(".")[:2])
    return name in getattr(importlib.import_module(room), "__all__", ())


def test_neighbours_import_public_names_only(neighbours, rules):
    private = [
        f"{module.path}:{imported.line}: {imported.module}"
        for module in neighbours
        for imported in module.imports
        if imported.module.startswith("websdk.") and not _is_public(imported.module, rules["open"])
    ]

    assert [] == private


def test_no_module_is_a_drawer_for_everything(core, neighbours):
    drawers = {"utils", "util", "helpers", "helper", "common", "base", "misc", "manager", "managers"}

    assert [] == [module.path for module in (*core, *neighbours) if drawers & set(module.name.split("."))]


def test_importing_the_package_loads_no_heavy_library(rules):
    program = "import json, sys, websdk; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)

    assert set() == set(json.loads(done.stdout)) & set(rules["lazy"])
