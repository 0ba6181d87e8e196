"""What a host takes in, in which order, and what it says of what it leaves out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from websdk.errors import PluginError
from websdk.hookspecs import PresetSource, hookimpl
from websdk.plugins.host import PluginHost
from websdk.plugins.members import PluginInfo, SourceKind
from websdk.plugins.offers import Offer, OfferKind

GOOD = """
    from websdk.hookspecs import hookimpl

    class Source:
        async def get(self, call): ...

    @hookimpl
    def websdk_credential_sources():
        return {"%s": Source()}
"""


def row(host: PluginHost, name: str) -> PluginInfo:
    [found] = [item for item in host.listing() if item.name == name]
    return found


@attrs.frozen(kw_only=True)
class Presets:
    """Offers presets without texts."""

    ids: tuple[str, ...]

    @hookimpl
    def websdk_presets(self) -> list[PresetSource]:
        return [PresetSource(name=id, text="", source=f"memory/{id}") for id in self.ids]


class Credentials:
    """Offers one credential source."""

    def __init__(self, name: Any) -> None:
        self.name = name

    @hookimpl
    def websdk_credential_sources(self) -> Any:
        return {self.name: SimpleNamespace(get=lambda call: None)}


# -- the four ways in


def test_installed_python_plugin_is_found_and_asked(install: Any) -> None:
    install("acme-vault", files={"acme_vault.py": GOOD % "vault"}, entry_points={"websdk": {"acme": "acme_vault"}})

    host = PluginHost(selected=["acme"])

    assert ["vault"] == list(host.credential_sources())
    assert PluginInfo(
        name="acme",
        kind=SourceKind.PLUGIN,
        distribution="acme-vault",
        version="1.0",
        offers=(Offer(kind=OfferKind.CREDENTIAL_SOURCE, id="vault"),),
    ) == row(host, "acme")


def test_auto_takes_what_is_installed(install: Any) -> None:
    install("acme-vault", files={"acme_auto.py": GOOD % "vault"}, entry_points={"websdk": {"acme-auto": "acme_auto"}})

    assert "acme-auto" in [item.name for item in PluginHost().listing()]


def test_data_package_is_read_and_never_imported(install: Any, preset_text: Any) -> None:
    install(
        "acme-presets",
        files={
            "acme_presets/__init__.py": "raise RuntimeError('imported')",
            "acme_presets/acme.toml": preset_text("acme"),
        },
        entry_points={"websdk.presets": {"acme": "acme_presets"}},
    )

    host = PluginHost(selected=["acme"])

    assert "acme" in host.preset_ids()
    assert SourceKind.PRESETS is host.preset_kind("acme")


def test_data_package_needs_no_init_file(install: Any, preset_text: Any) -> None:
    install(
        "acme-presets",
        files={"acme_bare/acme.toml": preset_text("acme")},
        entry_points={"websdk.presets": {"acme": "acme_bare"}},
    )

    assert "acme" in PluginHost(selected=["acme"]).preset_ids()


def test_folder_of_settings_is_read(tmp_path: Any, preset_text: Any) -> None:
    (tmp_path / "acme.toml").write_text(preset_text("acme"))
    (tmp_path / ".acme.toml").write_text("an editor's leftover")
    (tmp_path / "notes.txt").write_text("no preset")

    host = PluginHost(selected=[], preset_folders=[tmp_path])

    assert SourceKind.FOLDER is host.preset_kind("acme")
    assert (Offer(kind=OfferKind.PRESET, id="acme"),) == row(host, str(tmp_path)).offers


def test_object_given_in_code_is_asked() -> None:
    host = PluginHost(selected=[], explicit=[Credentials("vault")])

    assert ["vault"] == list(host.credential_sources())
    assert SourceKind.ARGUMENT is row(host, "Credentials").kind


def test_two_objects_of_one_class_are_two_plugins() -> None:
    host = PluginHost(selected=[], explicit=[Credentials("one"), Credentials("two")])

    assert ["one", "two"] == list(host.credential_sources())
    assert ["Credentials", "Credentials-2"] == [item.name for item in host.listing()][1:]


def test_plugins_are_listed_in_the_order_of_registration(install: Any, tmp_path: Any) -> None:
    install("z-data", files={"z_data/z.toml": ""}, entry_points={"websdk.presets": {"data": "z_data"}})
    install("a-code", files={"a_code.py": GOOD % "code"}, entry_points={"websdk": {"code": "a_code"}})

    host = PluginHost(
        selected=["code", "data"], preset_folders=[tmp_path], explicit=[Credentials("own")], blocked=["nothing"]
    )

    assert ["bundled", "data", str(tmp_path), "code", "Credentials", "nothing"] == [
        item.name for item in host.listing()
    ]


def test_offers_come_in_the_order_of_registration_whatever_a_plugin_asks() -> None:
    class Eager:
        @hookimpl(tryfirst=True)
        def websdk_credential_sources(self) -> Any:
            return {"eager": SimpleNamespace(get=print)}

    class Modest:
        @hookimpl(trylast=True)
        def websdk_credential_sources(self) -> Any:
            return {"modest": SimpleNamespace(get=print)}

    one = PluginHost(selected=[], explicit=[Eager(), Credentials("plain"), Modest()])
    other = PluginHost(selected=[], explicit=[Modest(), Credentials("plain"), Eager()])

    assert ["eager", "plain", "modest"] == list(one.credential_sources())
    assert ["modest", "plain", "eager"] == list(other.credential_sources())


def test_empty_selection_does_not_even_look(monkeypatch: pytest.MonkeyPatch) -> None:
    def look() -> Any:
        raise AssertionError("nobody asked for installed plugins")

    monkeypatch.setattr("importlib.metadata.entry_points", look)

    assert ["bundled"] == [item.name for item in PluginHost(selected=[]).listing()]


def test_empty_selection_takes_no_installed_plugin(install: Any) -> None:
    install("acme-vault", files={"acme_none.py": GOOD % "vault"}, entry_points={"websdk": {"acme-none": "acme_none"}})

    assert ["bundled"] == [item.name for item in PluginHost(selected=[]).listing()]


def test_one_distribution_may_bring_code_and_data_under_one_name(install: Any, preset_text: Any) -> None:
    install(
        "acme-both",
        files={"acme_both_data/acme.toml": preset_text("acme"), "acme_both.py": GOOD % "vault"},
        entry_points={"websdk": {"both": "acme_both"}, "websdk.presets": {"both": "acme_both_data"}},
    )

    host = PluginHost(selected=["both"])

    assert "acme" in host.preset_ids()
    assert "vault" in host.credential_sources()


# -- blocking and selecting


def test_blocked_plugin_is_not_even_imported(install: Any) -> None:
    install("acme", files={"acme_blocked.py": "raise RuntimeError"}, entry_points={"websdk": {"bad": "acme_blocked"}})

    host = PluginHost(selected=["bad"], blocked=["bad"])

    assert PluginInfo(name="bad", kind=SourceKind.PLUGIN, distribution="acme", version="1.0", blocked=True) == row(
        host, "bad"
    )


@pytest.mark.parametrize("name", ["bundled", "Credentials"])
def test_every_way_in_can_be_blocked(name: str) -> None:
    host = PluginHost(selected=[], blocked=[name], explicit=[Credentials("vault")])

    assert row(host, name).blocked
    assert () == row(host, name).offers


def test_data_package_and_folder_can_be_blocked(install: Any, tmp_path: Any, preset_text: Any) -> None:
    install(
        "acme-presets",
        files={"acme_off/acme.toml": preset_text("acme")},
        entry_points={"websdk.presets": {"off": "acme_off"}},
    )
    (tmp_path / "other.toml").write_text(preset_text("other"))

    host = PluginHost(selected=["off"], preset_folders=[tmp_path], blocked=["off", str(tmp_path)])

    assert not {"acme", "other"} & set(host.preset_ids())


def test_blocked_name_that_nothing_has_is_listed() -> None:
    host = PluginHost(selected=[], blocked=["mispelt"])

    assert PluginInfo(name="mispelt", kind=None, blocked=True) == row(host, "mispelt")


def test_unknown_selected_name_is_an_error_with_those_installed(install: Any) -> None:
    install("acme-vault", files={"acme_known.py": GOOD % "v"}, entry_points={"websdk": {"acme-known": "acme_known"}})

    with pytest.raises(PluginError) as caught:
        PluginHost(selected=["acme-knwon"])

    assert "plugin acme-knwon cannot be used: no such plugin is installed" in str(caught.value)
    assert "did you mean 'acme-known'?" in str(caught.value)
    assert "installed: " in str(caught.value)


# -- broken plugins

BROKEN = {"acme_broken.py": "import a_module_that_is_not_there"}


def test_plugin_that_does_not_import_is_blamed_on_its_distribution(install: Any) -> None:
    install("acme-broken", files=BROKEN, entry_points={"websdk": {"broken": "acme_broken"}}, version="2.5")

    with pytest.raises(PluginError) as caught:
        PluginHost(selected=["broken"])

    assert "acme-broken" == caught.value.distribution
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)
    assert "(distribution acme-broken 2.5)" in str(caught.value)
    assert "a_module_that_is_not_there" in str(caught.value)


def test_half_installed_distribution_is_told_of_by_the_name_of_its_plugin(install: Any, site: Any) -> None:
    install("acme-half", files=BROKEN, entry_points={"websdk": {"half": "acme_broken"}})
    (site / "acme_half-1.0.dist-info" / "METADATA").unlink()

    with pytest.raises(PluginError) as caught:
        PluginHost(selected=["half"])

    assert caught.value.distribution is None
    assert "plugin half cannot be used" in str(caught.value)


def test_plugin_that_exits_on_import_is_a_failure_and_not_an_exit(install: Any) -> None:
    install("acme-exit", files={"acme_exit.py": "raise SystemExit(3)"}, entry_points={"websdk": {"exit": "acme_exit"}})

    with pytest.raises(PluginError) as caught:
        PluginHost(selected=["exit"])

    assert "acme-exit" == caught.value.distribution


def install_three(install: Any) -> None:
    misspelt = GOOD.replace("websdk_credential_sources", "websdk_credential_source") % "typo"
    install("acme-broken", files=BROKEN, entry_points={"websdk": {"broken": "acme_broken"}})
    install("acme-good", files={"acme_good.py": GOOD % "good"}, entry_points={"websdk": {"good": "acme_good"}})
    install("acme-typo", files={"acme_typo.py": misspelt}, entry_points={"websdk": {"typo": "acme_typo"}})


def test_reported_failures_leave_the_good_plugin_working(install: Any) -> None:
    install_three(install)

    host = PluginHost(selected=["broken", "good", "typo"], on_error="report")

    assert ["good"] == list(host.credential_sources())
    assert [("broken", "acme-broken"), ("typo", "acme-typo")] == [
        (failure.plugin, failure.distribution) for failure in host.failures
    ]
    assert isinstance(host.failures[0].error.__cause__, ModuleNotFoundError)
    assert host.failures[0].message == row(host, "broken").failure
    assert row(host, "good").failure is None


def test_raising_names_one_and_blocking_it_lets_the_good_one_work(install: Any) -> None:
    install_three(install)

    with pytest.raises(PluginError, match="acme-broken"):
        PluginHost(selected=["broken", "good", "typo"])
    with pytest.raises(PluginError, match="acme-typo"):
        PluginHost(selected=["broken", "good", "typo"], blocked=["broken"])
    host = PluginHost(selected=["broken", "good", "typo"], blocked=["broken", "typo"])

    assert ["good"] == list(host.credential_sources())
    assert () == host.failures


def test_misspelt_hook_is_named_with_its_plugin_and_a_suggestion(install: Any) -> None:
    install_three(install)

    with pytest.raises(PluginError) as caught:
        PluginHost(selected=["typo"])

    assert "acme-typo" == caught.value.distribution
    assert "there is no hook 'websdk_credential_source'" in str(caught.value)
    assert "did you mean 'websdk_credential_sources'?" in str(caught.value)


def test_optional_hook_of_a_later_version_is_no_mistake() -> None:
    class Ahead:
        @hookimpl(optionalhook=True)
        def websdk_of_tomorrow(self) -> None: ...

        @hookimpl
        def websdk_credential_sources(self) -> Any:
            return {}

    assert () == PluginHost(selected=[], explicit=[Ahead()]).failures


def unmarked() -> Any:
    class Unmarked:
        def websdk_presets(self) -> list[PresetSource]:
            return []

    return Unmarked()


def unknown_argument() -> Any:
    class Wrong:
        @hookimpl
        def websdk_search_providers(self, client: Any) -> Any: ...

    return Wrong()


def wrapper() -> Any:
    class Wrapper:
        @hookimpl(wrapper=True)
        def websdk_presets(self) -> Any:
            return (yield)

    return Wrapper()


def waits() -> Any:
    class Waits:
        @hookimpl
        async def websdk_event(self, event: Any) -> None: ...

    return Waits()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (object, "it implements no hook"),
        (unmarked, "'websdk_presets' is not marked with @hookimpl"),
        (unknown_argument, "{'client'}"),
        (wrapper, "'websdk_presets' is a wrapper"),
        (waits, "'websdk_event' is async"),
        (lambda: Credentials, "a plugin is a module or an object"),
        (lambda: None, "a plugin is a module or an object"),
    ],
)
@pytest.mark.parametrize("on_error", ["raise", "report"])
def test_what_pluggy_would_pass_over_is_refused(make: Any, words: str, on_error: Any) -> None:
    with pytest.raises(PluginError) as caught:
        PluginHost(selected=[], explicit=[make()])
    host = PluginHost(selected=[], explicit=[make(), Credentials("good")], on_error="report")

    assert words in str(caught.value)
    assert [words] == [words for failure in host.failures if words in failure.message]
    assert ["good"] == list(host.credential_sources())


def test_object_registered_twice_is_named_as_both() -> None:
    plugin = Credentials("vault")

    with pytest.raises(PluginError) as caught:
        PluginHost(selected=[], explicit=[plugin, plugin])

    assert "argument Credentials-2 cannot be used" in str(caught.value)
    assert "registered already, as argument Credentials" in str(caught.value)


def test_name_that_two_distributions_claim_names_both(install: Any) -> None:
    install("acme-a", files={"acme_a.py": GOOD % "a"}, entry_points={"websdk": {"twin": "acme_a"}})
    install("acme-b", files={"acme_b.py": GOOD % "b"}, entry_points={"websdk": {"twin": "acme_b"}})

    with pytest.raises(PluginError) as caught:
        PluginHost(selected=["twin"])

    assert "distribution acme-a" in str(caught.value)
    assert "acme-b" == caught.value.distribution


def test_missing_preset_folder_is_an_error(tmp_path: Any) -> None:
    with pytest.raises(PluginError, match="does not exist"):
        PluginHost(selected=[], preset_folders=[tmp_path / "none"])


@pytest.mark.parametrize("value", ["acme.nested", "acme_module_only", "acme_not_there"])
def test_data_package_that_is_no_top_level_folder_is_an_error(install: Any, value: str) -> None:
    install(
        "acme-odd", files={"acme_module_only.py": "raise RuntimeError"}, entry_points={"websdk.presets": {"odd": value}}
    )

    with pytest.raises(PluginError) as caught:
        PluginHost(selected=["odd"])

    assert "acme-odd" == caught.value.distribution


# -- what plugins offer


def test_preset_that_two_plugins_offer_names_both() -> None:
    host = PluginHost(selected=[], explicit=[Presets(ids=("acme", "one")), Presets(ids=("acme", "two"))])

    with pytest.raises(PluginError) as caught:
        host.preset_ids()

    assert "preset 'acme' is offered by argument Presets as well" in str(caught.value)
    assert "argument Presets-2 cannot be used" in str(caught.value)


def test_reported_duplicate_leaves_the_first_and_everything_else() -> None:
    plugins = [Presets(ids=("acme", "one")), Presets(ids=("acme", "two"))]

    host = PluginHost(selected=[], explicit=plugins, on_error="report", blocked=["bundled"])

    assert ("acme", "one", "two") == host.preset_ids()
    assert ["Presets-2"] == [failure.plugin for failure in host.failures]


def test_credential_that_two_plugins_offer_names_both() -> None:
    host = PluginHost(selected=[], explicit=[Credentials("vault"), Credentials("vault")])

    with pytest.raises(PluginError, match="credential source 'vault' is offered by argument Credentials as well"):
        host.credential_sources()


def provider(id: Any) -> Any:
    async def search(request: Any, *, call: Any) -> Any: ...

    return SimpleNamespace(id=id, filter_keys=frozenset(), unsupported_filters=lambda filters: (), search=search)


class Providers:
    """Offers what it was given."""

    def __init__(self, *items: Any) -> None:
        self.items = items

    @hookimpl
    def websdk_search_providers(self, assembly: Any) -> Any:
        return self.items


def test_provider_is_offered_for_the_assembly_that_asks() -> None:
    seen = []

    class Asked:
        @hookimpl
        def websdk_search_providers(self, assembly: Any) -> Any:
            seen.append(assembly)
            yield provider("acme")

    host = PluginHost(selected=[], explicit=[Asked()])
    before = row(host, "Asked").offers
    first: Any = object()
    second: Any = object()
    host.search_providers(first)
    found = host.search_providers(second)

    assert ["acme"] == list(found)
    assert [first, second] == seen
    assert (Offer(kind=OfferKind.SEARCH_PROVIDER),) == before
    assert (Offer(kind=OfferKind.SEARCH_PROVIDER, id="acme"),) == row(host, "Asked").offers


def test_listing_with_an_assembly_knows_the_ids_of_providers() -> None:
    host = PluginHost(selected=[], explicit=[Providers(provider("acme"))])
    assembly: Any = object()

    listed = host.listing(assembly)[-1]

    assert (Offer(kind=OfferKind.SEARCH_PROVIDER, id="acme"),) == listed.offers


def test_provider_that_two_plugins_offer_names_both() -> None:
    host = PluginHost(selected=[], explicit=[Providers(provider("acme")), Providers(provider("acme"))])
    assembly: Any = object()

    with pytest.raises(PluginError, match="search provider 'acme' is offered by argument Providers as well"):
        host.search_providers(assembly)


def rung(via: str) -> Any:
    async def read(url: Any, *, call: Any) -> Any: ...

    return SimpleNamespace(via=via, read=read)


class Rungs:
    """Offers what it was given."""

    def __init__(self, *items: Any) -> None:
        self.items = items

    @hookimpl
    def websdk_fetch_rungs(self, assembly: Any) -> Any:
        return self.items


def test_rung_is_offered_once() -> None:
    assembly: Any = object()

    assert ["render"] == list(PluginHost(selected=[], explicit=[Rungs(rung("render"))]).fetch_rungs(assembly))
    with pytest.raises(PluginError, match="fetch rung 'render' is offered by argument Rungs as well"):
        PluginHost(selected=[], explicit=[Rungs(rung("render")), Rungs(rung("render"))]).fetch_rungs(assembly)


def test_local_rung_cannot_be_replaced() -> None:
    host = PluginHost(selected=[], explicit=[Rungs(rung("local"))])
    assembly: Any = object()

    with pytest.raises(PluginError, match="the rung 'local' is the client's own"):
        host.fetch_rungs(assembly)


def raises() -> Any:
    raise KeyError("canary-of-a-secret")


@pytest.mark.parametrize(
    ("hook", "result", "words"),
    [
        ("websdk_presets", lambda: "acme", "returned str where a list is expected"),
        ("websdk_presets", lambda: 7, "returned int where a list is expected"),
        ("websdk_presets", lambda: ["acme"], "offers str, which is no PresetSource"),
        ("websdk_presets", lambda: [PresetSource(name="Acme", text="", source="")], "'Acme' is not an id"),
        ("websdk_credential_sources", list, "where a mapping of names is expected"),
        ("websdk_credential_sources", lambda: {"vault": object()}, "offers object, which has no 'get'"),
        ("websdk_credential_sources", lambda: {"a vault": Credentials("x")}, "'a vault' is not an id"),
        # an answer of several providers joins their ids with this sign
        ("websdk_presets", lambda: [PresetSource(name="a+b", text="", source="")], "'a+b' is not an id"),
        ("websdk_auth_schemes", lambda: {"hmac": Credentials}, "where an instance is expected"),
        ("websdk_auth_schemes", lambda: {"hmac": SimpleNamespace(sign=1)}, "'sign' cannot be called"),
        ("websdk_transports", lambda: {"own": object()}, "has no '__call__'"),
        ("websdk_extractors", lambda: [object()], "has no 'media_types'"),
        (
            "websdk_extractors",
            lambda: [SimpleNamespace(media_types={"PDF"}, extract=print)],
            "'PDF' is not a media type",
        ),
        ("websdk_presets", raises, "KeyError"),
    ],
)
def test_wrong_offer_is_blamed_on_its_plugin_and_hook(hook: str, result: Any, words: str) -> None:
    def offer() -> Any:
        return result()

    offer.__name__ = hook
    broken = SimpleNamespace(**{hook: hookimpl(offer)})
    host = PluginHost(selected=[], explicit=[broken, Credentials("good")], on_error="report")

    host.listing()

    [failure] = host.failures
    assert f"argument SimpleNamespace cannot be used: {hook}: " in failure.message
    assert words in failure.message
    assert "canary-of-a-secret" not in failure.message
    assert ["good"] == list(host.credential_sources())


def test_hook_that_returns_nothing_offers_nothing() -> None:
    class Nothing:
        @hookimpl
        def websdk_presets(self) -> Any: ...

        @hookimpl
        def websdk_transports(self) -> Any: ...

    host = PluginHost(selected=[], explicit=[Nothing()], blocked=["bundled"])

    assert () == host.preset_ids()
    assert {} == host.transports()


def test_all_named_offers_come_back_under_their_names() -> None:
    source, scheme, extractor = (
        SimpleNamespace(get=print),
        SimpleNamespace(sign=print),
        SimpleNamespace(media_types=frozenset({"application/x-a", "application/x-b"}), extract=print),
    )

    maker: Any = print

    class Everything:
        @hookimpl
        def websdk_credential_sources(self) -> Any:
            return {"vault": source}

        @hookimpl
        def websdk_auth_schemes(self) -> Any:
            return {"hmac": scheme}

        @hookimpl
        def websdk_transports(self) -> Any:
            return {"own": maker}

        @hookimpl
        def websdk_extractors(self) -> Any:
            return [extractor]

    host = PluginHost(selected=[], explicit=[Everything()])

    assert {"vault": source} == host.credential_sources()
    assert {"hmac": scheme} == host.auth_schemes()
    assert {"own": maker} == host.transports()
    assert {"application/x-a": extractor, "application/x-b": extractor} == host.extractors()


def test_plugins_are_asked_once_for_what_does_not_change() -> None:
    asked = []

    class Counting:
        @hookimpl
        def websdk_credential_sources(self) -> Any:
            asked.append(1)
            return {}

    host = PluginHost(selected=[], explicit=[Counting()])
    host.credential_sources()
    host.credential_sources()

    assert [1] == asked


def test_hosts_share_nothing() -> None:
    one = PluginHost(selected=[], explicit=[Credentials("one")])
    two = PluginHost(selected=[], explicit=[Credentials("two")])

    assert (["one"], ["two"]) == (list(one.credential_sources()), list(two.credential_sources()))
