"""The example distributions install with plain pip and are found."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[2] / "plugins" / "websdk-example"
ASK = """
import json, sys
from websdk.plugins.host import PluginHost
host = PluginHost(selected=["example-presets", "example-search"])
print(json.dumps({
    "rows": {item.name: [item.distribution, item.kind, item.failure, [o.kind for o in item.offers]]
             for item in host.listing() if item.name.startswith("example")},
    "imported": "websdk_example_presets" in sys.modules,
}))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both halves in a folder of their own, installed by pip from a copy, because building leaves files behind."""
    setuptools = pytest.importorskip("setuptools")
    if int(setuptools.__version__.partition(".")[0]) < 77:
        pytest.skip("building needs setuptools 77 or later")
    place = tmp_path_factory.mktemp("example")
    shutil.copytree(EXAMPLE, place / "source")
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    sources = [str(place / "source" / half) for half in ("presets", "search")]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(place / "site"), *sources]
    subprocess.run(command, check=True, capture_output=True)
    return place / "site"


def test_both_halves_install_with_plain_pip_and_are_found(installed: Path) -> None:
    root = str(Path(__file__).parents[2])
    code = f"import sys; sys.path[:0] = [{str(installed)!r}, {root!r}]\n{ASK}"

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    answer: Any = json.loads(done.stdout)

    assert {
        "example-presets": ["websdk-example-presets", "presets", None, ["preset"]],
        "example-search": ["websdk-example-search", "plugin", None, ["search_provider"]],
    } == answer["rows"]
    assert not answer["imported"]


def test_both_halves_carry_the_licence(installed: Path) -> None:
    licence = (Path(__file__).parents[2] / "LICENSE").read_text("utf-8")
    carried = [path.read_text("utf-8") for path in sorted(installed.glob("*.dist-info/licenses/LICENSE"))]

    assert [licence, licence] == carried
