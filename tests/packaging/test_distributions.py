"""What is shipped, and whether it works where nothing but the wheel is."""

from __future__ import annotations

import json
import re
import tarfile
import threading
import tomllib
from email.parser import HeaderParser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = [pytest.mark.requires("distributions"), pytest.mark.xdist_group("packaging")]

ROOT = Path(__file__).parents[2]
CODE_AND_DATA = (".py", ".toml", ".json", ".md", ".html", ".txt", ".typed")


def _expected():
    """Files of the tree that a wheel has to carry, by their names in it."""
    core = [path for path in (ROOT / "websdk").rglob("*") if path.suffix in CODE_AND_DATA or path.name == "py.typed"]
    names = {path.relative_to(ROOT).as_posix() for path in core if "__pycache__" not in path.parts}
    return names | {f"websdk/presets/{path.name}" for path in (ROOT / "presets").iterdir() if path.is_file()}


def _metadata(wheel):
    with ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return HeaderParser().parsestr(archive.read(name).decode())


def test_wheel_holds_the_package_and_nothing_else(wheel):
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert _expected() == names


def test_wheel_carries_its_licence_and_its_command(wheel):
    with ZipFile(wheel) as archive:
        extra = {name.partition(".dist-info/")[2]: name for name in archive.namelist() if ".dist-info/" in name}
        licence = archive.read(extra["licenses/LICENSE"]).decode()
        commands = archive.read(extra["entry_points.txt"]).decode()

    assert (ROOT / "LICENSE").read_text("utf-8") == licence
    assert "websdk = websdk.cli:main" in commands
    assert "pytest11" not in commands


def test_metadata_says_what_the_project_file_says(wheel):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    metadata = _metadata(wheel)
    plain = {line.replace(" ", "") for line in metadata.get_all("Requires-Dist") if "extra ==" not in line}

    assert ("websdk-core", "Apache-2.0", ">=3.11") == (
        metadata["Name"],
        metadata["License-Expression"],
        metadata["Requires-Python"],
    )
    assert {line.replace(" ", "") for line in project["dependencies"]} == plain
    assert sorted(project["optional-dependencies"]) == sorted(metadata.get_all("Provides-Extra"))


def test_source_distribution_builds_without_the_repository(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {name.replace("websdk/presets/", "presets/") for name in _expected()}

    assert set() == needed - names
    assert {"pyproject.toml", "README.md", "LICENSE", "Makefile"} <= names
    assert [] == [name for name in names if name.startswith(("plugins/", ".ci", ".venv"))]


def test_command_tells_its_version(installed):
    assert re.fullmatch(r"websdk \d+\.\d+\.\d+\n", installed.run("websdk", "--version").stdout)


def test_bare_install_brings_no_test_tools(installed):
    program = (
        "import importlib.util as u; print([n for n in ('hypothesis', 'pytest', 'pypdf', 'mypy') if u.find_spec(n)])"
    )

    assert "[]\n" == installed.run("python", "-c", program).stdout


def test_bundled_vendors_are_those_of_the_folder(installed):
    listed = json.loads(installed.run("websdk", "providers", "--json").stdout)["providers"]
    files = {path.stem for path in (ROOT / "presets").glob("*.toml")}

    assert files >= {provider["id"] for provider in listed}
    assert {"brave", "exa", "ollama"} <= {provider["id"] for provider in listed}


def test_planned_search_shows_its_wire_request(installed):
    words = ("search", "asyncio", "--provider", "brave", "--recency", "week", "--dry-run", "--json")
    plan = json.loads(installed.run("websdk", *words).stdout)

    assert "GET" == plan["method"]
    assert "asyncio" in plan["url"]
    assert [] == plan["unsupported_filters"]
    assert ["recency"] == [outcome["key"] for outcome in plan["filter_outcomes"]]


def test_demo_runs(installed):
    printed = installed.run("websdk", "demo").stdout

    assert "unsupported" in printed or "not applied" in printed
    assert "ollama" in printed


@pytest.fixture
def site(tmp_path):
    """An address on loopback that serves one page."""
    text = "<p>" + "The tide table lists the hours of high water for every day of the year. " * 8 + "</p>"
    (tmp_path / "page.html").write_text(f"<html lang=en><title>Tides</title><main><h1>Tides</h1>{text}</main></html>")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_bare_install_reads_a_page(installed, site):
    document = json.loads(installed.run("websdk", "fetch", f"{site}/page.html", "--allow", site, "--json").stdout)

    assert "local" == document["via"]
    assert "high water" in document["markdown"]


def test_current_installer_takes_the_source_distribution(make_environment, sdist):
    environment = make_environment()
    environment.install("--upgrade", "pip")
    environment.install(str(sdist))

    assert "ok" in environment.run("python", "-c", "import websdk.presets; print('ok')").stdout


def test_plain_installer_takes_the_tree_as_editable(make_environment, tmp_path):
    environment = make_environment()
    environment.install("--no-deps", "--editable", str(ROOT))
    program = "import importlib.resources as r; print(sorted(p.name for p in r.files('websdk.presets').iterdir()))"

    assert "brave.toml" in environment.run("python", "-c", program).stdout
