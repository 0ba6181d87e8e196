"""How the environment is built, and what is said when it cannot be."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.requires("make")

ROOT = Path(__file__).parents[2]
TOOLS = ("make", "sh", "rm", "touch", "mkdir", "cat")
# Answers the two questions of the Makefile, and builds an environment whose Python may fail to install.
PYTHON = """#!/bin/sh
case "$*" in
  *version_info*) exit {too_old} ;;
  *ensurepip*) exit {no_venv} ;;
  --version) echo "{name} of the test" ;;
  *venv*)
    mkdir -p .venv/bin
    printf '#!/bin/sh\\nexit {no_install}\\n' > .venv/bin/python
    chmod +x .venv/bin/python ;;
esac
"""


@pytest.fixture
def checkout(tmp_path):
    """A folder with the Makefile, and a path that holds no Python but those that a test puts there."""
    (tmp_path / "checkout").mkdir()
    (tmp_path / "path").mkdir()
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / "checkout")
    for tool in (*TOOLS, "chmod"):
        (tmp_path / "path" / tool).symlink_to(shutil.which(tool))
    return tmp_path / "checkout"


def _python(checkout, name, *, too_old=0, no_venv=0, no_install=0):
    file = checkout.parent / "path" / name
    file.write_text(PYTHON.format(name=name, too_old=too_old, no_venv=no_venv, no_install=no_install))
    file.chmod(0o755)


def _make(checkout, **variables):
    environment = {"PATH": str(checkout.parent / "path"), **variables}
    return subprocess.run(
        [shutil.which("make"), ".venv/.complete"], cwd=checkout, env=environment, capture_output=True, text=True
    )


def test_newest_python_builds_the_environment_and_the_stamp_is_last(checkout):
    _python(checkout, "python3.12")
    _python(checkout, "python3.11")
    done = _make(checkout)

    assert 0 == done.returncode, done.stderr
    assert "python3.12 of the test" in done.stdout
    assert (checkout / ".venv" / ".complete").exists()


def test_named_python_comes_first(checkout):
    _python(checkout, "python3.12")
    _python(checkout, "my-python")

    assert "my-python of the test" in _make(checkout, PYTHON="my-python").stdout


def test_python_that_is_too_old_is_passed_over(checkout):
    _python(checkout, "python3.14", too_old=1)
    _python(checkout, "python3")

    assert "python3 of the test" in _make(checkout).stdout


def test_without_a_python_the_message_says_what_is_needed(checkout):
    done = _make(checkout)

    assert 0 != done.returncode
    assert "No Python from 3.11 on" in done.stderr


def test_python_that_cannot_make_environments_is_told_the_one_command(checkout):
    _python(checkout, "python3", no_venv=1)
    done = _make(checkout)

    assert 0 != done.returncode
    assert "apt install python3-venv" in done.stderr
    assert not (checkout / ".venv").exists()


def test_half_built_environment_is_removed(checkout):
    _python(checkout, "python3", no_install=1)
    done = _make(checkout)

    assert 0 != done.returncode
    assert not (checkout / ".venv").exists()


def test_environment_without_its_stamp_is_built_anew(checkout):
    _python(checkout, "python3")
    (checkout / ".venv").mkdir()
    (checkout / ".venv" / "left-over").touch()
    done = _make(checkout)

    assert 0 == done.returncode
    assert not (checkout / ".venv" / "left-over").exists()


def test_whole_environment_is_kept(checkout):
    _python(checkout, "python3")
    _make(checkout)
    (checkout / ".venv" / "mine").touch()
    _make(checkout)

    assert (checkout / ".venv" / "mine").exists()


def test_makefile_uses_nothing_newer_than_make_3_81():
    text = (ROOT / "Makefile").read_text("utf-8")

    assert [] == re.findall(r"^\.ONESHELL|^\.SHELLFLAGS|\$\(file |^\w+ *(?:!=|::=)", text, re.M)
