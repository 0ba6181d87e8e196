"""Folders that `websdk new` writes pass their own tests at once."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from websdk.cli.application import run

ROOT = Path(__file__).parents[2]


def run_tests(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "-rs"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize(("kind", "name"), [("preset", "harbour"), ("preset", "my-old-port"), ("plugin", "my-port")])
def test_new_folder_passes_its_tests_at_once(kind: str, name: str, tmp_path: Path) -> None:
    assert 0 == run(["new", kind, name, "--dir", str(tmp_path)])
    [folder] = tmp_path.iterdir()
    written = [file.read_text() for file in folder.rglob("*") if file.is_file()]
    done = run_tests(folder)

    assert 0 == done.returncode, done.stdout + done.stderr
    assert " failed" not in done.stdout
    assert tomllib.loads((folder / "pyproject.toml").read_text())["project"]["name"]
    assert not [text for text in written if "%NAME%" in text or "%MODULE%" in text]


def test_new_preset_is_checked_and_asked_without_pytest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run(["new", "preset", "harbour", "--dir", str(tmp_path), "--json"])
    written = json.loads(capsys.readouterr().out)["files"]
    [file] = [path for path in written if path.endswith("harbour.toml")]
    answers = str(tmp_path / "harbour/tests/answers")

    assert 0 == run(["preset", "check", file, "--examples", answers])
    assert "keeps the contract" in capsys.readouterr().out
    assert 0 == run(["search", "tides", "--preset", file, "--recency", "week", "--dry-run", "--json"])
    assert "age=7d" in json.loads(capsys.readouterr().out)["url"]


def test_new_plugin_is_tidy(tmp_path: Path) -> None:
    assert 0 == run(["new", "plugin", "harbour", "--dir", str(tmp_path)])
    folder = tmp_path / "websdk-harbour"
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--config", str(ROOT / "pyproject.toml")]
    # Which imports are a package's own depends on where it stands.
    done = subprocess.run(
        [*command, "--ignore", "I001", "src"], cwd=folder, capture_output=True, text=True, check=False
    )

    assert 0 == done.returncode, done.stdout


@pytest.mark.parametrize("name", ["Harbour", "-x", "a--b", "x/../y", "", "a" * 40, "1st"])
def test_name_that_no_id_can_be_is_refused(name: str, tmp_path: Path) -> None:
    assert 2 == run(["new", "preset", "--dir", str(tmp_path), "--", name])
    assert [] == list(tmp_path.iterdir())


def test_folder_that_exists_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "harbour").mkdir()

    assert 2 == run(["new", "preset", "harbour", "--dir", str(tmp_path)])
    assert "nothing was written" in capsys.readouterr().err
    assert [] == list((tmp_path / "harbour").iterdir())


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        ("plugin", "next: cd '{parent}/websdk-my-port' && pip install --editable '.[test]' && pytest"),
        ("preset", "next: websdk preset check '{parent}/my-port/src/my_port_presets/my-port.toml'"),
    ],
)
def test_hint_says_every_step_from_where_one_stands(
    kind: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parent = tmp_path / "my work"
    parent.mkdir()
    run(["new", kind, "my-port", "--dir", str(parent)])

    assert hint.format(parent=parent.as_posix()) == capsys.readouterr().out.splitlines()[-1]


def test_folder_without_examples_is_no_silent_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "answer.txt").write_text("{}")

    assert 2 == run(["preset", "check", str(ROOT / "presets/exa.toml"), "--examples", str(tmp_path)])
    assert "holds no example: no file there ends in .json" in capsys.readouterr().err
