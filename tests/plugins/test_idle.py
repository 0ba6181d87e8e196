"""A plugin that is installed and not configured is a state, and everything that is asked for it says so."""

from __future__ import annotations

import json

import pytest

from websdk import Client, Settings
from websdk.cli.application import run
from websdk.errors import ConfigurationError

MODULE = """
    from websdk import hookimpl

    class Provider:
        id = "acme-tickets"
        filter_keys = frozenset()

        def unsupported_filters(self, filters):
            return ()

        async def search(self, request, *, call):
            raise NotImplementedError

    @hookimpl
    def websdk_search_providers(assembly):
        return [Provider()] if assembly.options("acme") else []
"""


@pytest.fixture(autouse=True)
def acme(install, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    install("websdk-acme", files={"acme_search.py": MODULE}, entry_points={"websdk": {"acme": "acme_search"}})


def refusal(provider, **settings):
    with (
        Client(Settings(plugins=("acme",), **settings)) as client,
        pytest.raises(ConfigurationError) as caught,
    ):
        client.search("x", provider=provider)
    return str(caught.value)


def test_a_search_at_a_plugin_that_is_not_configured_says_where_its_settings_stand():
    assert "the plugin acme is installed and offers no search provider: it lacks its settings" in refusal("acme")
    assert "[plugin.acme]" in refusal("acme")


def test_a_search_at_a_provider_of_another_name_names_the_plugin_that_may_bring_it():
    assert "no search provider called acme-tickets" in refusal("acme-tickets")
    assert "Installed and not configured: acme" in refusal("acme-tickets")


def test_a_search_at_nobody_names_the_plugin_too():
    assert "installed and not configured (websdk doctor tells what is missing): acme" in refusal(None)


def test_a_plugin_that_is_configured_is_not_idle():
    with Client(Settings(plugins=("acme",), plugin={"acme": {"on": True}})) as client:
        assert () == client.parts.idle_plugins()
        assert "acme-tickets" in client.parts.provider_ids()


def test_doctor_tells_what_a_plugin_lacks(capsys, tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text('plugins = ["acme"]\n')
    run(["doctor", "--config", str(file), "--json"])
    report = json.loads(capsys.readouterr().out)
    run(["doctor", "--config", str(file)])
    shown = capsys.readouterr().out

    [line] = report["plugins_idle"]
    assert line.startswith("the plugin acme: it lacks its settings, which stand under [plugin.acme]")
    assert f"Installed and not configured: {line}" in shown
