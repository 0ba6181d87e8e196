"""``websdk plugins`` names what each plugin brings, and is the place where a broken one is found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from websdk.cli.application import run

PROVIDER = """
    from types import SimpleNamespace
    from websdk import hookimpl

    async def search(request, *, call): ...

    @hookimpl
    def websdk_search_providers(assembly):
        yield SimpleNamespace(id="acme", filter_keys=frozenset(), unsupported_filters=lambda filters: (), search=search)
"""


def test_listing_names_providers_and_tells_of_a_broken_plugin(
    install: Any, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    install("acme-good", files={"acme_listed.py": PROVIDER}, entry_points={"websdk": {"good": "acme_listed"}})
    install("acme-bad", files={"acme_unlisted.py": "import gone"}, entry_points={"websdk": {"bad": "acme_unlisted"}})
    settings = tmp_path / "settings.toml"
    settings.write_text('plugins = ["good", "bad"]\nplugins_blocked = ["mispelt"]\n')

    code = run(["plugins", "--config", str(settings), "--json"])
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["plugins"]}

    assert 0 == code
    assert [{"kind": "search_provider", "id": "acme"}] == rows["good"]["offers"]
    assert "acme-bad" == rows["bad"]["distribution"]
    assert "No module named 'gone'" in rows["bad"]["failure"]
    assert (None, True) == (rows["mispelt"]["kind"], rows["mispelt"]["blocked"])
