"""``websdk tools``."""

import json
from pathlib import Path

import pytest

from websdk.cli.application import run


@pytest.fixture(autouse=True)
def own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a person's own settings and keys out."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("WEBSDK_CONFIG", "BRAVE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_without_search_only_reading_is_declared(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run(["tools", "--format", "anthropic", "--json"])

    printed = json.loads(capsys.readouterr().out)
    (tool,) = printed["tools"]
    assert "query" not in tool["input_schema"]["properties"]
    assert "urls" in tool["input_schema"]["properties"]
    assert "Working From Current Sources" in printed["prompt_section"]


@pytest.mark.parametrize(
    ("format_", "place"),
    [("openai", "parameters"), ("anthropic", "input_schema"), ("gemini", "parameters"), ("mcp", "inputSchema")],
)
def test_search_is_declared_where_it_is_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, format_: str, place: str
) -> None:
    monkeypatch.setenv("WEBSDK_SEARCH_ENABLED", "true")
    monkeypatch.setenv("WEBSDK_SEARCH_PROVIDER", "brave")
    monkeypatch.setenv("BRAVE_API_KEY", "key")

    assert 0 == run(["tools", "--format", format_, "--style", "pair", "--json"])

    names = {tool["name"]: tool[place]["properties"] for tool in json.loads(capsys.readouterr().out)["tools"]}
    assert {"web_search", "web_fetch"} == set(names)
    assert "recency" in names["web_search"]


def test_a_person_is_told_that_search_is_off(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run(["tools"])

    printed = capsys.readouterr()
    assert "search is not declared" in printed.err
    assert '"name": "search"' in printed.out


def test_no_byte_depends_on_the_provider(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBSDK_SEARCH_ENABLED", "true")
    outputs = set()
    for provider, chain in [
        ("hn-algolia", ""),
        ("gdelt", ""),
        ("crossref", "gdelt"),
        ("openalex", "x"),
        ("x", "gdelt"),
    ]:
        monkeypatch.setenv("WEBSDK_SEARCH_PROVIDER", provider)
        monkeypatch.setenv("WEBSDK_SEARCH_CHAIN", chain)
        assert 0 == run(["tools", "--json"])
        outputs.add(capsys.readouterr().out)

    assert 1 == len(outputs)
    assert "query" in outputs.pop()
