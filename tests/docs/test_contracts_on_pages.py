"""Tests that a page tells its reader to run are run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_provider_of_the_plugin_guide_keeps_its_contract(tmp_path: Path) -> None:
    page = (ROOT / "docs/how-to/write-a-private-plugin.md").read_text("utf-8")
    files = re.findall(r"```python file=(\S+)\n(.*?)```", page, re.S)
    for name, text in files:
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert ["team_notes.py", "test_team_notes.py"] == [name for name, _ in files]
    assert 0 == done.returncode, done.stdout
    assert "5 passed" in done.stdout
