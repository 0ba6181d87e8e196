from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from websdk_index import IndexProvider, plugin

from websdk import Client, Settings
from websdk.cli.application import run
from websdk.errors import ConfigurationError
from websdk.hookspecs import PROJECT

PAGE = """<!doctype html><html lang="en"><head><title>{title}</title>{link}</head><body><main><h1>{title}</h1>
<p>The {title} of the old mill turn slowly, and the miller counts them each morning before the grain arrives.</p>
<p>See <a href="other.html">the other page</a> for what happens when one of them breaks in the middle of a harvest.</p>
</main></body></html>"""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("WEBSDK_CONFIG", raising=False)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "gears.html").write_text(PAGE.format(title="gears", link=""))
    (folder / "notes.md").write_text("# Notes\n\ngears and mills\n")
    (folder / "plain.txt").write_text("gears in plain text\n")
    return folder


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code = run([*words, "--json"])
    out = capsys.readouterr().out
    assert 1 == len(out.splitlines())
    return code, json.loads(out)


def test_a_folder_is_added_searched_and_shown(site: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, report = said(capsys, "index", "add", str(site), "--base-url", "https://docs.example.com/mill")
    assert (0, 3, 0) == (code, report["added"], report["refused"])
    assert "error" not in report
    assert str(tmp_path / "data" / "websdk" / "index.sqlite3") == report["index"]

    code, answer = said(capsys, "index", "search", "gears", "--include-domain", "example.com", "--topic", "news")
    assert 0 == code
    assert {f"https://docs.example.com/mill/{name}" for name in ("gears.html", "notes.md", "plain.txt")} == {
        row["url"] for row in answer["results"]
    }
    assert ["topic"] == answer["unsupported_filters"]
    assert "[the other page](https://docs.example.com/mill/other.html)" in next(
        row["content"] for row in answer["results"] if row["title"] == "gears"
    )

    code, status = said(capsys, "index", "status")
    assert (0, 3, 1) == (code, status["pages"], len(status["roots"]))


def test_pages_without_a_base_are_known_by_their_canonical_link_and_others_refused_by_name(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = '<link rel="canonical" href="https://mill.example/gears?v=1#top">'
    (site / "saved.html").write_text(PAGE.format(title="gears", link=link))
    (site / "relative.html").write_text(PAGE.format(title="gears", link='<link rel="canonical" href="/gears">'))

    code, report = said(capsys, "index", "add", str(site))

    assert (3, 1, 4) == (code, report["added"], report["refused"])
    assert ["gears.html", "notes.md", "plain.txt", "relative.html"] == [row["name"] for row in report["refusals"]]
    assert all("has no address" in row["reason"] for row in report["refusals"])
    assert {"type": "Refused", "sent": False, "retryable": False}.items() <= report["error"].items()
    [row] = said(capsys, "index", "search", "gears")[1]["results"]
    assert "https://mill.example/gears?v=1" == row["url"]
    assert "https://mill.example/other.html" in row["content"]


def test_a_missing_path_is_refused_and_the_others_added(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, report = said(capsys, "index", "add", str(site), str(site / "gone"), "--base-url", "https://x.example/")

    assert (3, 3, 1) == (code, report["added"], report["refused"])
    assert str(site / "gone") == report["refusals"][0]["name"]


@pytest.mark.parametrize(
    "words",
    [
        ["index", "add"],
        ["index", "add", "site", "--base-url", "docs.example.com"],
        ["index", "add", "site", "--language", "not a tag"],
        ["index", "add", "https://x.example/", "--base-url", "https://x.example/"],
        ["index", "search", "gears", "--published-after", "yesterday"],
        ["index", "search", "gears"],
        ["index", "status"],
    ],
)
def test_usage_and_configuration_are_code_2(
    words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, failure = said(capsys, *words)

    assert 2 == code
    assert not failure["error"]["sent"]
    assert not (tmp_path / "data").exists()


def test_words_for_people_name_what_was_refused_on_stderr(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "empty.md").write_text("")

    assert 3 == run(["index", "add", str(site), "--base-url", "https://x.example/"])
    printed = capsys.readouterr()
    assert "3 added, 0 updated, 0 unchanged, 0 removed, 1 refused\n" == printed.out
    assert "refused empty.md: cannot be read: empty\n" == printed.err
    assert 0 == run(["index", "status"])
    assert "3 pages on 1 host," in capsys.readouterr().out


def test_settings_name_the_index_for_command_and_client_alike(
    site: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "team.sqlite3"
    config = tmp_path / "settings.toml"
    config.write_text(f"[plugin.index]\nfile = '{file}'\n")

    assert (
        str(file)
        == said(capsys, "index", "add", str(site), "--base-url", "https://x.example/", "--config", str(config))[1][
            "index"
        ]
    )
    with Client(Settings(plugins=("index",), plugin={"index": {"file": str(file)}})) as client:
        assert 3 == len(client.search("gears", provider="index").results)


def test_the_provider_is_offered_and_never_chosen_by_itself(site: Path) -> None:
    with Client(Settings(plugins=()), plugins=(plugin,)) as client, pytest.raises(ConfigurationError):
        client.search("gears")


def test_the_plugin_offers_one_provider_with_the_configured_file(tmp_path: Path) -> None:
    class Assembly:
        def options(self, name: str) -> dict[str, str]:
            return {"file": str(tmp_path / "x.sqlite3")} if name == "index" else {}

    [provider] = plugin.websdk_search_providers(Assembly())  # type: ignore[arg-type]

    assert isinstance(provider, IndexProvider)
    assert tmp_path / "x.sqlite3" == provider.file
    assert "websdk" == PROJECT


def test_a_page_of_the_web_is_read_by_the_client(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    import http.server
    import threading

    body = PAGE.format(title="gears", link="").encode()

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/gears"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{server.server_port}"
        config = tmp_path / "settings.toml"
        config.write_text(f"[[egress.allow]]\norigin = '{origin}'\n")
        try:
            code, report = said(capsys, "index", "add", f"{origin}/gears", f"{origin}/gone", "--config", str(config))
        finally:
            server.shutdown()

    assert (3, 1, 1) == (code, report["added"], report["refused"])
    [row] = said(capsys, "index", "search", "gears")[1]["results"]
    assert f"{origin}/gears" == row["url"]
    assert "turn slowly" in row["content"]


def test_loading_the_command_loads_no_heavy_library() -> None:
    code = (
        "import sys, websdk_index.command;"
        "print([name for name in ('lxml', 'httpx', 'rich', 'trafilatura') if name in sys.modules])"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)}
    ).stdout

    assert "[]\n" == output
