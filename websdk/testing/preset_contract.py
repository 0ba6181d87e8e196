"""The contract of presets as tests."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from websdk.declarative import Preset
from websdk.testing.example_file import Example, load_examples
from websdk.testing.preset import check_preset, check_text
from websdk.testing.report import RULES, ContractReport


class PresetContract:
    """What every preset promises.

    Name a subclass ``Test...`` and say which file, and where recorded answers are::

        class TestHarbour(PresetContract):
            preset = Path(__file__).parent / "harbour.toml"
            examples = Path(__file__).parent / "answers"

    Attributes:
        preset: The file, or the loaded preset.
        examples: The folder of recorded answers; ``None`` without any.
    """

    preset: ClassVar[Path | Preset]
    examples: ClassVar[Path | None] = None
    _report: ClassVar[ContractReport]

    def report(self) -> ContractReport:
        """Return what is found in the preset; it is checked once for all tests of the class."""
        own = type(self)
        if "_report" not in vars(own):
            own._report = _checked(own.preset, own.examples)
        return own._report

    @pytest.mark.parametrize("rule", [rule.name for rule in RULES])
    def test_rule_is_kept(self, rule: str) -> None:
        """Nothing of the preset breaks the rule; a rule that has nothing to look at is skipped by name."""
        report = self.report()
        found = [f"{item.path} (line {item.line}): {item.message}" for item in report.problems if item.rule == rule]

        assert [] == found, "\n".join(found)
        if rule not in report.checked:
            pytest.skip("nothing in the preset concerns it")


def _checked(preset: Path | Preset, folder: Path | None) -> ContractReport:
    recorded: tuple[Example, ...] = load_examples(folder) if folder is not None else ()
    if isinstance(preset, Preset):
        return check_preset(preset, examples=recorded)
    return check_text(preset.read_text("utf-8"), name=preset.stem, examples=recorded)
