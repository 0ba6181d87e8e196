"""The preset keeps the contract of presets."""

from __future__ import annotations

from pathlib import Path

from websdk.testing import PresetContract


class TestHandbook(PresetContract):
    """Every declared key and value, varied."""

    preset = Path(__file__).parents[1] / "src/websdk_example_presets/acme-handbook.toml"
