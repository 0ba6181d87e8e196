"""Trying a vendor before it is installed: check its file, record its answers, ask whether it is well."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from websdk.cli.application import run
from websdk.testing import VendorServer

ROOT = Path(__file__).parents[2]
KEY = "canary-key-4711"


@pytest.fixture(scope="module")
def server() -> Iterator[VendorServer]:
    with VendorServer(["brave", "exa", "meilisearch", "jina", "mojeek"], key=KEY) as server:
        yield server


@pytest.fixture
def config(server: VendorServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings file by which the vendors on this machine are asked."""
    server.behave("answer")
    server.received.clear()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LOCAL_VENDOR_KEY", KEY)
    monkeypatch.delenv("WEBSDK_CONFIG", raising=False)
    lines = ['[credentials.local]\nenv = "LOCAL_VENDOR_KEY"\n']
    for name, connection in server.settings().connections.items():
        lines.append(f'[connections.{name}]\nbase_url = "{connection.base_url}"\ncredential = "local"\n')
        if connection.settings:
            pairs = "\n".join(f'{key} = "{value}"' for key, value in connection.settings.items())
            lines.append(f"[connections.{name}.settings]\n{pairs}\n")
    file = tmp_path / "settings.toml"
    file.write_text("\n".join(lines))
    return file


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    returned = run(list(words))
    seen = capsys.readouterr()
    assert code == returned, seen.out + seen.err
    return seen


def test_recorded_answer_is_an_example_that_passes_and_holds_no_key(
    capsys: pytest.CaptureFixture[str], config: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "answers"
    words = ("tide tables", "--provider", "brave", "--record", str(folder), "--config", str(config), "--json")
    printed(capsys, "search", *words, "--country", "DE")
    printed(capsys, "search", *words)
    files = sorted(folder.glob("*.json"))
    example = json.loads(files[1].read_text())

    assert ["search-2.json", "search.json"] == [file.name for file in files]
    assert {"query": "tide tables", "max_results": 10, "filters": {"country": "DE"}} == example["request"]
    assert 10 == len(example["expected"]["results"])
    assert not any(KEY in file.read_text() for file in files)
    report = json.loads(
        printed(capsys, "preset", "check", str(ROOT / "presets/brave.toml"), "--examples", str(folder), "--json").out
    )
    assert (True, 2, []) == (report["ok"], report["examples"], report["problems"])


def test_failure_is_recorded_as_well_and_what_a_vendor_echoes_is_masked(
    capsys: pytest.CaptureFixture[str], config: Path, server: VendorServer, tmp_path: Path
) -> None:
    server.behave("reject_key")
    folder = tmp_path / "answers"
    printed(
        capsys, "search", "x", "--provider", "exa", "--record", str(folder), "--config", str(config), "--json", code=4
    )
    text = (folder / "search.json").read_text()

    assert {"failure": "CredentialRejected"} == json.loads(text)["expected"]
    assert KEY not in text
    assert "bad key ***" in text


def test_reader_is_tried_and_recorded(
    capsys: pytest.CaptureFixture[str], config: Path, tmp_path: Path, server: VendorServer
) -> None:
    file = tmp_path / "exa.toml"
    file.write_text((ROOT / "presets/exa.toml").read_text())
    folder = tmp_path / "answers"
    seen = printed(
        capsys,
        *("fetch", "https://port.example/tides", "--preset", str(file), "--record", str(folder)),
        *("--config", str(config), "--json"),
    )
    example = json.loads((folder / "fetch.json").read_text())

    assert "High water at noon." in json.loads(seen.out)["markdown"]
    assert ("fetch", {"url": "https://port.example/tides"}) == (example["half"], example["request"])
    assert [] == [line for line in server.refused() if line]
    printed(capsys, "preset", "check", str(file), "--examples", str(folder))


def test_nothing_is_recorded_of_what_is_no_vendor(
    capsys: pytest.CaptureFixture[str], config: Path, tmp_path: Path
) -> None:
    seen = printed(capsys, "fetch", "https://port.example/", "--record", str(tmp_path / "x"), code=2)

    assert "--record keeps answers of vendors" in seen.err
    assert not (tmp_path / "x").exists()


def test_ids_and_strange_fields_are_taken_out(tmp_path: Path) -> None:
    from websdk.declarative import bundled_preset_texts, load_preset
    from websdk.testing.record import recorded_example
    from websdk.wire import HttpResponse

    preset = load_preset(bundled_preset_texts()["exa"], name="exa")
    trace = "3f2b8c1e-4a5d-4e6f-8a9b-0c1d2e3f4a5b"
    body = {"requestId": "abc", "results": [{"url": "https://a.example/", "id": "kept", "note": f"x {trace}"}]}
    reply = HttpResponse(
        status=200, headers=(("Set-Cookie", "s=1"), ("Content-Type", "text/x")), body=json.dumps(body).encode()
    )
    kept = recorded_example(preset, "search", {"query": "x"}, reply)["reply"]

    assert {"Content-Type": "text/x"} == kept["headers"]
    assert "removed" == kept["body"]["requestId"]
    assert "kept" == kept["body"]["results"][0]["id"]
    assert trace not in json.dumps(kept)


def test_doctor_sends_nothing_unless_told_to(
    capsys: pytest.CaptureFixture[str], config: Path, server: VendorServer
) -> None:
    report = json.loads(printed(capsys, "doctor", "--config", str(config), "--json").out)

    assert "probes" not in report
    assert [] == server.received


def test_doctor_asks_each_configured_vendor_that_names_a_free_request_once(
    capsys: pytest.CaptureFixture[str], config: Path, server: VendorServer
) -> None:
    report = json.loads(printed(capsys, "doctor", "--probe", "--config", str(config), "--json").out)
    probes = {item["vendor"]: item for item in report["probes"]}

    assert (
        ["meilisearch"]
        == [item.vendor for item in server.received if item.half == "probe"]
        == [item.vendor for item in server.received]
    )
    assert (True, True, "answers") == tuple(probes["meilisearch"][key] for key in ("asked", "ok", "message"))
    assert [False] * 4 == [item["asked"] for name, item in probes.items() if name != "meilisearch"]
    shown = printed(capsys, "doctor", "--probe", "--config", str(config)).out
    assert "Probes: 1 request sent, which cost nothing" in shown


def test_doctor_says_that_a_vendor_cannot_be_reached(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = tmp_path / "settings.toml"
    file.write_text(
        '[connections.meilisearch]\nbase_url = "http://127.0.0.1:9"\n[connections.meilisearch.settings]\nindex = "p"\n'
    )
    [probe] = json.loads(printed(capsys, "doctor", "--probe", "--config", str(file), "--json").out)["probes"]

    assert (True, False) == (probe["asked"], probe["ok"])


def test_check_tells_line_and_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    file = ROOT / "tests/data/broken-presets/values-differ.toml"
    seen = printed(capsys, "preset", "check", str(file), code=2).out
    report = json.loads(printed(capsys, "preset", "check", str(file), "--json", code=2).out)

    assert f"{file}:14: search.filters.recency day and week make the same request" in seen
    assert "values-differ: Give each value a word of its own" in seen
    assert "values-differ: 1 problem; looked at" in seen
    [problem] = report["problems"]
    assert (False, "values-differ", 14) == (report["ok"], problem["rule"], problem["line"])
    assert problem["remedy"]


def test_check_of_a_file_that_does_not_load_tells_its_lines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = ROOT / "tests/data/broken-presets/loads.toml"
    seen = printed(capsys, "preset", "check", str(file), code=2).out

    assert f"{file}:12: search.limit unknown key" in seen
    (tmp_path / "no.toml").write_bytes(b"\xff")
    printed(capsys, "preset", "check", str(tmp_path / "no.toml"), code=2)
