"""The contract of presets as tests: of a file with answers, and of a preset that is loaded already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from websdk.declarative import bundled_preset_texts, load_preset
from websdk.testing import PresetContract

ROOT = Path(__file__).parents[2]


class TestFile(PresetContract):
    """A file with its answers."""

    preset = ROOT / "presets" / "brave.toml"
    examples = ROOT / "tests/data/examples/brave"


class TestLoaded(PresetContract):
    """A preset without a file."""

    preset = load_preset(bundled_preset_texts()["jina"], name="jina")


@pytest.mark.parametrize("rule", ["values-differ", "loads", "page-identity"])
def test_preset_that_breaks_a_rule_fails_the_test_of_it_alone(rule: str, broken_tests: Any) -> None:
    class OfBroken(PresetContract):
        preset = ROOT / f"tests/data/broken-presets/{rule}.toml"

    with pytest.raises(AssertionError, match="line"):
        OfBroken().test_rule_is_kept(rule)
    assert {"test_rule_is_kept"} == broken_tests(OfBroken())
    assert 1 == len({problem.rule for problem in OfBroken().report().problems})
