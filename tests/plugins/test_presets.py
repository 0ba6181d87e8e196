"""Presets of plugins: parsed when used, blamed on whoever brought them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from websdk.declarative.load import MAX_PRESET_BYTES
from websdk.errors import ConfigurationError, PluginError, PresetError
from websdk.hookspecs import hookimpl
from websdk.plugins.host import PluginHost
from websdk.plugins.members import SourceKind

READER = """
schema = 1

[vendor]
name = "Reader"
base_url = "https://reader.example"

[fetch]
path = "/read"
url = "url"
page = { html = "html" }
"""


def host(*folders: Path, **more: Any) -> PluginHost:
    return PluginHost(**{"selected": [], "preset_folders": folders, "blocked": ["bundled"], **more})


def test_bundled_presets_are_there_and_say_so() -> None:
    plugins = PluginHost(selected=[])

    assert plugins.preset_ids()
    assert {SourceKind.BUNDLED} == {plugins.preset_kind(id) for id in plugins.preset_ids()}


def test_ids_are_listed_without_parsing_and_a_wrong_text_is_named_when_used(tmp_path: Path, preset_text: Any) -> None:
    (tmp_path / "broken.toml").write_text("schema = [")
    (tmp_path / "good.toml").write_text(preset_text("good"))
    plugins = host(tmp_path)

    assert ("broken", "good") == plugins.preset_ids()
    assert "good" == plugins.preset("good").vendor.id
    with pytest.raises(PresetError) as caught:
        plugins.preset("broken")
    assert str(tmp_path / "broken.toml") in str(caught.value)


def test_wrong_text_raises_or_is_reported_when_all_are_asked_for(tmp_path: Path, preset_text: Any) -> None:
    (tmp_path / "broken.toml").write_text("schema = [")
    (tmp_path / "good.toml").write_text(preset_text("good"))
    reporting = host(tmp_path, on_error="report")

    assert ["good"] == list(reporting.presets()) == list(reporting.presets())
    [failure] = reporting.failures
    assert (str(tmp_path), SourceKind.FOLDER) == (failure.plugin, failure.kind)
    assert isinstance(failure.error.__cause__, PresetError)
    with pytest.raises(PresetError):
        host(tmp_path).presets()


def test_preset_is_parsed_once(tmp_path: Path, preset_text: Any) -> None:
    (tmp_path / "good.toml").write_text(preset_text("good"))
    plugins = host(tmp_path)

    assert plugins.preset("good") is plugins.preset("good")


def test_unknown_preset_names_a_near_one(tmp_path: Path, preset_text: Any) -> None:
    (tmp_path / "handbook.toml").write_text(preset_text("handbook"))

    with pytest.raises(ConfigurationError, match="did you mean 'handbook'"):
        host(tmp_path).preset("handbok")


def test_file_that_takes_the_id_of_a_bundled_preset_names_both(tmp_path: Path, preset_text: Any) -> None:
    taken = PluginHost(selected=[]).preset_ids()[0]
    (tmp_path / f"{taken}.toml").write_text(preset_text(taken))

    with pytest.raises(PluginError) as caught:
        host(tmp_path, blocked=[]).preset_ids()
    reporting = host(tmp_path, blocked=[], on_error="report")

    assert f"preset '{taken}' is offered by bundled presets as well" in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    assert SourceKind.BUNDLED is reporting.preset_kind(taken)


@pytest.mark.parametrize(
    ("data", "words"), [(b"\xff", "is not UTF-8"), (b"#" * (MAX_PRESET_BYTES + 1), "is larger than 16 KiB")]
)
def test_file_that_is_no_preset_is_blamed_on_its_folder(tmp_path: Path, data: bytes, words: str) -> None:
    (tmp_path / "odd.toml").write_bytes(data)

    with pytest.raises(PluginError) as caught:
        host(tmp_path).preset_ids()

    assert f"preset odd.toml {words}" in str(caught.value)
    assert f"folder {tmp_path}" in str(caught.value)


class Provider:
    """A plugin with one provider in Python."""

    def __init__(self, id: str) -> None:
        self.id = id

    @hookimpl
    def websdk_search_providers(self, assembly: Any) -> Any:
        async def search(request: Any, *, call: Any) -> Any: ...

        yield SimpleNamespace(
            id=self.id, filter_keys=frozenset(), unsupported_filters=lambda filters: (), search=search
        )


def test_provider_in_code_cannot_take_the_id_of_a_preset_that_searches(tmp_path: Path, preset_text: Any) -> None:
    (tmp_path / "acme.toml").write_text(preset_text("acme"))
    assembly: Any = object()

    with pytest.raises(PluginError) as caught:
        host(tmp_path, explicit=[Provider("acme")]).search_providers(assembly)

    assert f"search provider 'acme' is offered by folder {tmp_path} as well" in str(caught.value)
    assert "argument Provider cannot be used" in str(caught.value)


def test_vendor_may_read_as_data_and_search_in_code(tmp_path: Path) -> None:
    (tmp_path / "reader.toml").write_text(READER)
    plugins = host(tmp_path, explicit=[Provider("reader")])
    assembly: Any = object()

    assert ["reader"] == list(plugins.search_providers(assembly))
    assert plugins.preset("reader").fetch is not None


def test_id_of_a_broken_preset_stays_taken(tmp_path: Path) -> None:
    (tmp_path / "acme.toml").write_text("schema = [")
    plugins = host(tmp_path, explicit=[Provider("acme")], on_error="report")
    assembly: Any = object()

    assert {} == plugins.search_providers(assembly)
    assert ["Provider"] == [failure.plugin for failure in plugins.failures]
