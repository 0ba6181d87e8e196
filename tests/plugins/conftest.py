"""Throw-away distributions: real metadata and real files in a temporary folder, found like anything installed."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

Install = Callable[..., None]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path; what is imported from it is forgotten afterwards."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    for name, module in list(sys.modules.items()):
        places = [getattr(module, "__file__", None) or "", *getattr(module, "__path__", ())]
        if any(str(place).startswith(str(folder)) for place in places):
            del sys.modules[name]


@pytest.fixture
def install(site: Path) -> Install:
    """Return a function that installs a distribution into :func:`site`."""

    def install(
        distribution: str,
        *,
        files: Mapping[str, str],
        entry_points: Mapping[str, Mapping[str, str]],
        version: str = "1.0",
    ) -> None:
        for name, text in files.items():
            path = site / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")
        info = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        groups = [
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
            for group, entries in entry_points.items()
        ]
        (info / "entry_points.txt").write_text("\n".join(groups))

    return install


PRESET = """
schema = 1

[vendor]
name = "{id}"
base_url = "https://api.{id}.example"

[search]
path = "/search"
query = {{ at = "q" }}
results = {{ at = "results", url = "url" }}
"""


@pytest.fixture
def preset_text() -> Callable[[str], str]:
    """Return a function that writes the smallest preset of an id."""
    return lambda id: PRESET.format(id=id)
