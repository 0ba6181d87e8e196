"""Run against the tree where the distribution is not installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

if find_spec("websdk_example_presets") is None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
