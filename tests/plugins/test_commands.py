"""Commands of distributions are found without being imported, and fail alone."""

from __future__ import annotations

from typing import Any

import pytest

from websdk.errors import PluginError
from websdk.plugins.commands import installed_commands

COMMAND = """
    def main():
        return "ran"
"""


def test_command_is_imported_when_it_is_called(install: Any, site: Any) -> None:
    import sys

    install("acme-tool", files={"acme_tool.py": COMMAND}, entry_points={"websdk.commands": {"acme": "acme_tool:main"}})

    command = installed_commands()["acme"]
    before = "acme_tool" in sys.modules

    assert not before
    assert "acme-tool" == command.distribution
    assert "ran" == command.load()()


def test_broken_command_fails_alone_and_names_its_distribution(install: Any) -> None:
    install("acme-good", files={"acme_fine.py": COMMAND}, entry_points={"websdk.commands": {"fine": "acme_fine:main"}})
    install(
        "acme-bad",
        files={"acme_bad.py": "import not_there"},
        entry_points={"websdk.commands": {"bad": "acme_bad:main"}},
    )

    commands = installed_commands()
    with pytest.raises(PluginError) as caught:
        commands["bad"].load()

    assert "acme-bad" == caught.value.distribution
    assert "acme-bad" in str(caught.value)
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)
    assert "ran" == commands["fine"].load()()


def test_command_that_cannot_be_called_is_refused(install: Any) -> None:
    install("acme-odd", files={"acme_odd.py": "main = 3"}, entry_points={"websdk.commands": {"odd": "acme_odd:main"}})

    with pytest.raises(PluginError, match="cannot be called"):
        installed_commands()["odd"].load()


def test_command_of_two_distributions_names_both(install: Any) -> None:
    install("acme-a", files={"acme_ca.py": COMMAND}, entry_points={"websdk.commands": {"twin": "acme_ca:main"}})
    install("acme-b", files={"acme_cb.py": COMMAND}, entry_points={"websdk.commands": {"twin": "acme_cb:main"}})

    with pytest.raises(PluginError, match="acme-a, acme-b"):
        installed_commands()["twin"].load()
