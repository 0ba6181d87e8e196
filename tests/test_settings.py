"""One table of settings, from a file and the environment."""

from pathlib import Path

import pytest

from websdk import Settings
from websdk.errors import SettingsError
from websdk.settings import origin_of

WHOLE = """
plugins = ["index"]
plugins_blocked = ["noisy"]
on_plugin_error = "report"
presets = ["/srv/presets"]

[search]
provider = "brave"
max_results = 5
timeout_s = 12

[fetch]
proxy = "jina"

[egress]
allow = [{ origin = "http://wiki.corp.example:8080", networks = ["10.1.0.0/16"] }, { host_suffix = "corp.example" }]

[connections.pages]
ca_file = "/etc/ssl/corp.pem"

[connections.brave]
credential = "team"

[credentials.team]
env = "TEAM_KEY"

[plugin.index]
file = "/srv/index.sqlite"
"""


def load(tmp_path: Path, text: str, **environ: str) -> Settings:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    return Settings.load(file, environ=environ)


def problems(tmp_path: Path, text: str, **environ: str) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, text, **environ)
    return caught.value.problems


def test_whole_file_is_read(tmp_path: Path) -> None:
    settings = load(tmp_path, WHOLE)

    assert ("brave", 5, 12.0) == (settings.search.provider, settings.search.max_results, settings.search.timeout_s)
    assert ("index",) == settings.plugins
    assert [Path("/srv/presets")] == list(settings.presets)
    assert "http://wiki.corp.example:8080" == settings.egress.allow[0].origin
    assert "corp.example" == settings.egress.allow[1].host_suffix
    assert Path("/etc/ssl/corp.pem") == settings.connection("pages").ca_file
    assert "team" == settings.connection("brave").credential
    assert {"file": "/srv/index.sqlite"} == settings.plugin["index"]


def test_defaults_read_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBSDK_SEARCH_PROVIDER", "brave")

    assert Settings().search.provider == ""


def test_environment_beats_the_file_and_is_named_as_origin(tmp_path: Path) -> None:
    settings = load(tmp_path, WHOLE, WEBSDK_SEARCH_MAX_RESULTS="7", WEBSDK_FETCH_DOCS_INDEX_DISCOVERY="off")

    assert 7 == settings.search.max_results
    assert settings.fetch.docs_index_discovery is False
    assert "environment" == origin_of(settings, "search.max_results")
    assert "file" == origin_of(settings, "search.provider")
    assert "default" == origin_of(settings, "fetch.deadline_s")


def test_file_is_named_by_the_environment_or_found_in_the_users_folder(tmp_path: Path) -> None:
    named = tmp_path / "named.toml"
    named.write_text('[search]\nprovider = "exa"\n')
    home = tmp_path / "config" / "websdk"
    home.mkdir(parents=True)
    (home / "settings.toml").write_text('[search]\nprovider = "kagi"\n')

    assert "exa" == Settings.load(environ={"WEBSDK_CONFIG": str(named)}).search.provider
    assert "kagi" == Settings.load(environ={"XDG_CONFIG_HOME": str(tmp_path / "config")}).search.provider


def test_nothing_is_read_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "settings.toml").write_text('[search]\nprovider = "exa"\n')
    (tmp_path / "websdk.toml").write_text('[search]\nprovider = "exa"\n')
    monkeypatch.chdir(tmp_path)

    assert Settings.load(environ={"XDG_CONFIG_HOME": str(tmp_path / "none")}).search.provider == ""


@pytest.mark.parametrize(
    "variable", ["WEBSDK_EGRESS_ALLOW", "WEBSDK_PLUGINS", "WEBSDK_CONNECTIONS_BRAVE_BASE_URL", "WEBSDK_PRESETS"]
)
def test_environment_opens_no_network_loads_no_code_and_moves_no_address(tmp_path: Path, variable: str) -> None:
    assert load(tmp_path, "", **{variable: "http://127.0.0.1/"}) == Settings()


def test_every_problem_is_named_with_its_path(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        """
unknown = 1
[search]
max_results = "many"
on_unsupported = "ignore"
colour = "red"
[fetch]
deadline_s = 0
[credentials.two]
env = "A"
file = "b"
""",
        WEBSDK_SEARCH_ENABLED="perhaps",
    )
    text = "\n".join(found)

    for path in (
        "unknown",
        "search.max_results",
        "search.colour",
        "fetch",
        "credentials",
        "WEBSDK_SEARCH_ENABLED",
    ):
        assert path in text, found


@pytest.mark.parametrize(
    "entry",
    [
        '{ origin = "ftp://a.example" }',
        '{ origin = "http://a.example/path" }',
        '{ host_suffix = "com" }',
        '{ host_suffix = "co.uk" }',
        '{ origin = "http://a.example", host_suffix = "a.example" }',
        "{}",
        '{ host_suffix = "corp.example", networks = ["169.254.0.0/16"] }',
        '{ host_suffix = "corp.example", networks = ["0.0.0.0/0"] }',
        '{ host_suffix = "corp.example", networks = ["127.0.0.0/8"] }',
        '{ host_suffix = "corp.example", networks = [] }',
    ],
)
def test_allowance_that_opens_too_much_is_refused(tmp_path: Path, entry: str) -> None:
    assert any("egress" in line for line in problems(tmp_path, f"[egress]\nallow = [{entry}]\n"))


def test_missing_named_file_and_broken_toml_are_typed_failures(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        Settings.load(tmp_path / "none.toml")
    with pytest.raises(SettingsError, match="not TOML"):
        load(tmp_path, "= = =")


@pytest.mark.parametrize(
    "text",
    [
        "[search]\ntimeout_s = nan\n",
        "[fetch]\ndeadline_s = nan\n",
        "[connections.brave]\nmin_interval_s = nan\n",
        "[connections.brave]\nmin_interval_s = inf\n",
        "[search]\ntimeout_s = inf\n",
        "[evidence]\nidle_s = nan\n",
        "[reuse]\nttl_s = inf\n",
        "[connections.brave]\nmin_interval_s = -1\n",
        "[limits]\ntitle = 0\n",
        "[limits]\nsnippet = -5\n",
    ],
)
def test_number_that_bounds_nothing_is_refused(tmp_path: Path, text: str) -> None:
    table, key = text.removeprefix("[").split("]\n")[0], text.split("\n")[1].split(" ")[0]

    assert any(table in line and key in line for line in problems(tmp_path, text))


def test_user_without_a_home_gets_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)

    assert Settings() == Settings.load(environ={})


def test_home_of_somebody_else_holds_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(path: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", closed)

    assert Settings() == Settings.load(environ={})


def test_named_file_in_the_home_of_nobody_is_a_typed_failure() -> None:
    with pytest.raises(SettingsError, match=r"settings\.toml cannot be read"):
        Settings.load(environ={"WEBSDK_CONFIG": "~nobody-of-this-name/settings.toml"})


def test_an_answer_too_small_to_hold_anything_is_refused_with_the_smallest_bounds_that_work(tmp_path: Path) -> None:
    found = problems(tmp_path, "[fit]\nmax_utf16_units = 7999\n", WEBSDK_FIT_MAX_UTF8_BYTES="15999")

    assert any("fit" in problem and "max_utf16_units is a whole number from 8,000" in problem for problem in found)


def test_the_bounds_of_an_answer_are_settings(tmp_path: Path) -> None:
    settings = load(tmp_path, "[fit]\nmax_utf16_units = 9000\n", WEBSDK_FIT_MAX_UTF8_BYTES="20000")

    assert (9_000, 20_000) == (settings.fit.max_utf16_units, settings.fit.max_utf8_bytes)
    assert (32_000, 65_536) == (Settings().fit.max_utf16_units, Settings().fit.max_utf8_bytes)


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("WEBSDK_SEARCH_MAXRESULTS", "5", "there is no such setting"),
        ("WEBSDK_SEARCH_MAX_RESULTS", "abc", "is a whole number"),
        ("WEBSDK_FETCH_DEADLINE_S", "soon", "is a number"),
    ],
)
def test_variable_that_means_nothing_is_named(tmp_path: Path, variable: str, value: str, said: str) -> None:
    assert (f"{variable}: {said}",) == problems(tmp_path, "", **{variable: value})


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_variable_that_is_no_finite_number_is_named(tmp_path: Path, value: str) -> None:
    (problem,) = problems(tmp_path, "", WEBSDK_FETCH_DEADLINE_S=value)

    assert "fetch.deadline_s: must be a finite number" == problem
