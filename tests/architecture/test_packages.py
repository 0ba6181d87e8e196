"""What pyproject.toml says about the tree is what the tree holds."""

from __future__ import annotations

import re

import websdk


def test_every_package_of_the_tree_is_shipped(pyproject, root):
    found = {path.parent.relative_to(root).as_posix().replace("/", ".") for path in root.glob("websdk/**/__init__.py")}

    assert sorted(found | {"websdk.presets"}) == pyproject["tool"]["setuptools"]["packages"]


def test_types_are_announced(root):
    packages = [root / "websdk", *(path.parent for path in root.glob("plugins/**/src/*/__init__.py"))]
    with_code = [package for package in packages if len(list(package.rglob("*.py"))) > 1]

    assert [] == [package.name for package in with_code if not (package / "py.typed").is_file()]


def test_version_is_the_same_in_package_and_metadata(pyproject):
    assert pyproject["project"]["version"] == websdk.__version__


def test_one_type_check_covers_every_neighbour(pyproject, root):
    found = sorted(folder.relative_to(root).as_posix() for folder in root.glob("plugins/**/src"))

    assert found == pyproject["tool"]["mypy"]["mypy_path"]


def test_test_tools_are_an_extra_and_no_plain_dependency(pyproject):
    plain = {re.split(r"[^\w-]", line)[0] for line in pyproject["project"]["dependencies"]}

    assert {"hypothesis", "pytest"} == {
        re.split(r"[^\w-]", line)[0] for line in pyproject["project"]["optional-dependencies"]["testing"]
    }
    assert set() == plain & {"hypothesis", "pytest", "pypdf"}


def test_no_extra_names_a_neighbour(pyproject):
    extras = pyproject["project"]["optional-dependencies"]

    assert [] == [line for lines in extras.values() for line in lines if line.startswith("websdk")]


def test_core_brings_no_plugin_to_foreign_test_runs(pyproject):
    assert "pytest11" not in pyproject["project"].get("entry-points", {})


def test_every_imported_package_is_a_dependency(rules, pyproject):
    extras = pyproject["project"]["optional-dependencies"]
    lines = pyproject["project"]["dependencies"] + extras["testing"] + extras["pdf"]
    declared = {re.split(r"[^\w-]", line)[0].replace("-", "_") for line in lines}

    assert set() == set(rules["doors"]) - declared
