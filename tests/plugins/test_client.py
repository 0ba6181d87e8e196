"""Plugins in a client: what is installed, given or broken, as the one who embeds it sees it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from websdk import AsyncClient, PluginError, Settings

CODE = """
    from types import SimpleNamespace
    from websdk import hookimpl

    class Provider:
        id = "acme"
        filter_keys = frozenset()

        def unsupported_filters(self, filters):
            return tuple(filters.asked())

        async def search(self, request, *, call): ...

    @hookimpl
    def websdk_search_providers(assembly):
        return [Provider()] if assembly.options("good").get("on", True) else []
"""


def install_pair(install: Any) -> None:
    install("acme-good", files={"acme_client_good.py": CODE}, entry_points={"websdk": {"good": "acme_client_good"}})
    install(
        "acme-broken", files={"acme_client_bad.py": "import gone"}, entry_points={"websdk": {"bad": "acme_client_bad"}}
    )


def test_installed_provider_is_found_by_a_client(install: Any) -> None:
    install_pair(install)

    plan = AsyncClient(Settings(plugins=("good",))).plan("tides", provider="acme")

    assert "acme" == plan.provider
    assert plan.request is None


def test_broken_plugin_stops_a_client_by_its_name(install: Any) -> None:
    install_pair(install)

    with pytest.raises(PluginError) as caught:
        AsyncClient(Settings(plugins=("bad", "good")))

    assert "acme-broken" == caught.value.distribution


def test_reported_plugin_leaves_the_good_one_usable(install: Any) -> None:
    install_pair(install)

    client = AsyncClient(Settings(plugins=("bad", "good"), on_plugin_error="report"))

    assert "acme" == client.plan("tides", provider="acme").provider
    assert ["acme-broken"] == [failure.distribution for failure in client.parts.host.failures]


def test_options_come_from_the_table_of_the_plugin(install: Any) -> None:
    install_pair(install)

    client = AsyncClient(Settings(plugins=("good",), plugin={"good": {"on": False}}))

    assert "acme" not in client.parts.provider_ids()


def test_import_of_the_package_and_of_commands_leaves_the_plugin_manager_alone() -> None:
    code = "import sys, websdk, websdk.plugins, websdk.plugins.commands; print('pluggy' in sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )

    assert "False" == done.stdout.strip()
