"""The command line, as a person and as a program see it."""

import io
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from websdk import read
from websdk.cli.application import run
from websdk.client.parts import Parts
from websdk.errors import Unreadable
from websdk.model import Via
from websdk.protocols import Call, CheckedUrl, RawDocument

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a person's own settings and keys out."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("WEBSDK_CONFIG", "BRAVE_API_KEY", "EXA_API_KEY", "OLLAMA_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def words(text: str) -> list[str]:
    return text.split()


def answer(capsys: pytest.CaptureFixture[str], text: str, *, code: int = 0) -> dict[str, Any]:
    """Run a command and return its one object."""
    returned = run(words(text))
    printed = capsys.readouterr()
    assert code == returned, printed.err
    lines = printed.out.strip().splitlines()
    assert len(lines) == 1, printed.out
    found: dict[str, Any] = json.loads(lines[0])
    return found


def test_dry_run_shows_the_wire_request_and_the_fate_of_filters(capsys: pytest.CaptureFixture[str]) -> None:
    plan = answer(capsys, "search asyncio --provider brave --recency week --dry-run --json")

    assert ("GET", None) == (plan["method"], plan["body"])
    assert "freshness=pw" in plan["url"]
    assert {"X-Subscription-Token": "***"} == plan["headers"]
    assert [] == plan["unsupported_filters"]
    assert ["applied"] == [item["status"] for item in plan["filter_outcomes"]]


def test_vendor_without_filters_names_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    plan = answer(capsys, "search x --provider ollama --recency week --include-domain docs.python.org --dry-run --json")

    assert ["recency", "include_domains"] == plan["unsupported_filters"]
    assert "docs.python.org" not in plan["url"] + plan["body"]


@pytest.mark.parametrize(
    ("domains", "unsupported"), [(["a.example"], []), (["a.example", "b.example"], ["include_domains"])]
)
def test_second_domain_is_reported_when_the_vendor_takes_one(
    capsys: pytest.CaptureFixture[str], domains: list[str], unsupported: list[str]
) -> None:
    asked = " ".join(f"--include-domain {domain}" for domain in domains)
    plan = answer(capsys, f"search x --provider google-cse {asked} --dry-run --json")

    assert unsupported == plan["unsupported_filters"]


def test_search_without_a_provider_lists_what_works_now(capsys: pytest.CaptureFixture[str]) -> None:
    failure = answer(capsys, "search x --json", code=2)["error"]

    assert ("ConfigurationError", False) == (failure["type"], failure["sent"])
    assert failure["message"].index("(no key needed)") < failure["message"].index("with a key of yours")
    assert "--provider elasticsearch" not in failure["message"]
    assert re.search(r"once configured.*: .*elasticsearch", failure["message"])


def test_missing_key_fails_unsent(capsys: pytest.CaptureFixture[str]) -> None:
    failure = answer(capsys, "search x --provider brave --json", code=2)["error"]

    assert ("CredentialRejected", False) == (failure["type"], failure["sent"])
    assert "BRAVE_API_KEY" in failure["message"]


def test_refused_filters_exit_as_refused(capsys: pytest.CaptureFixture[str]) -> None:
    failure = answer(capsys, "search x --provider ollama --recency week --on-unsupported refuse --json", code=3)[
        "error"
    ]

    assert ("FiltersUnsupported", ["recency"]) == (failure["type"], failure["keys"])


@pytest.mark.parametrize(
    "wrong",
    [
        "search",
        "search x --provider brave --recency fortnight",
        "search x --provider brave --country XX",
        "search x --provider brave --published-after yesterday",
        "search x --provider brave --include-domain https://a.example/",
        "search x --provider brave --max-results 0",
        "fetch http://a.example/ --via teleport",
        "fetch http://a.example/ --allow nonsense",
        "nonsense",
        "search x --provider nobody",
    ],
)
def test_wrong_usage_is_told_on_stderr_or_as_an_object(capsys: pytest.CaptureFixture[str], wrong: str) -> None:
    plain, printed = run(words(wrong)), capsys.readouterr()
    failure = answer(capsys, f"{wrong} --json", code=2)["error"]

    assert plain == 2
    assert printed.out == ""
    assert printed.err
    assert failure["message"]
    assert failure["sent"] is False


def test_stored_bytes_are_read_without_a_network(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(
        b"<main><h1>pad</h1><p>Pads a tuple. <a href='next'>On</a></p>"
        b"<pre><code class='language-python'># no heading</code></pre></main>"
    )
    document = answer(capsys, f"read {page} --url https://docs.example/a/b --json")

    assert "```python" in document["markdown"]
    assert [{"text": "On", "url": "https://docs.example/a/next"}] == document["links"]

    assert run(words(f"read {page} --url https://docs.example/a/b --outline")) == 0
    assert capsys.readouterr().out == "# pad\n"
    assert run(words(f"read {page} --url https://docs.example/a/b --links")) == 0
    assert capsys.readouterr().out == "https://docs.example/a/next\tOn\n"


def test_bytes_that_are_no_page_fail_with_what_was_seen(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "x.bin"
    file.write_bytes(b"GIF89a\x00\x00")
    failure = answer(capsys, f"read {file} --url https://a.example/ --json", code=4)["error"]

    assert failure["type"] == "Unreadable"
    assert "gif" in failure["seen"]
    assert (False, None, []) == (failure["sent"], failure["rung"], failure["remaining_rungs"])


def test_reading_in_the_library_says_too_that_nothing_was_sent() -> None:
    with pytest.raises(Unreadable) as caught:
        read(b"", url="https://a.example/")

    assert caught.value.sent is False


def test_bytes_come_from_the_standard_input_too() -> None:
    done = subprocess.run(
        [*COMMAND, *words("read - --url https://docs.example/a/b")],
        input=b"<main><h1>Pad</h1><p>Pads a tuple. <a href=next>On</a></p></main>",
        capture_output=True,
        check=True,
    )

    assert b"# Pad\n\nPads a tuple. [On](https://docs.example/a/next)\n" == done.stdout


PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n"
    b"4 0 obj<</Length 38>>stream\nBT /F 9 Tf 9 9 Td (Tide tables) Tj ET \nendstream endobj\n"
    b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n"
)


def test_stored_pdf_file_is_read_as_a_fetched_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("pypdf", reason="the extra 'pdf' is not installed")
    file = tmp_path / "tides.pdf"
    file.write_bytes(PDF)
    document = answer(capsys, f"read {file} --url https://a.example/tides.pdf --json")

    assert ("pdf", "Tide tables") == (document["strategy"], document["markdown"])


def test_what_a_pdf_file_needs_is_said_where_it_is_missing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("websdk.workers.pdf.available", tuple)
    file = tmp_path / "tides.pdf"
    file.write_bytes(PDF)

    assert 4 == run(words(f"read {file} --url https://a.example/tides.pdf"))
    assert "pip install 'websdk-core[pdf]'" in capsys.readouterr().err


def test_guard_judges_one_address(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"allowed": False, "reason": "loopback"} == answer(capsys, "guard http://127.0.0.1/")
    assert answer(capsys, "guard https://docs.example/ --address 93.184.215.14")["allowed"] is True
    assert answer(capsys, "guard https://docs.example/ --address 93.184.215.14 --address 10.0.0.1")["allowed"] is False


def test_guard_answers_a_stream_in_order() -> None:
    cases = [
        {"url": "https://docs.example/", "addresses": ["93.184.215.14"]},
        {"url": "http://10.0.0.1/", "addresses": []},
        {"url": "http://docs.example/", "addresses": ["127.0.0.1"]},
    ]
    done = subprocess.run(
        [sys.executable, "-c", "from websdk.cli import main; main()", "guard", "-"],
        input="\n".join(json.dumps(case) for case in cases),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )

    assert [True, False, False] == [json.loads(line)["allowed"] for line in done.stdout.splitlines()]


def test_every_provider_is_listed_with_every_filter(capsys: pytest.CaptureFixture[str]) -> None:
    listed = answer(capsys, "providers --json")["providers"]
    brave = next(item for item in listed if item["id"] == "brave")

    assert 9 == len(brave["filters"])
    assert ("missing", "bundled") == (brave["credential"], brave["source"])


def test_readers_are_listed_with_what_keeps_them_from_working(capsys: pytest.CaptureFixture[str]) -> None:
    readers = {item["id"]: item for item in answer(capsys, "providers --json")["readers"]}

    assert len(readers) >= 13
    assert ("optional", False, None) == tuple(
        readers["jina"][field] for field in ("credential", "names_served_url", "blocker")
    )
    assert "needs a setting" in readers["brightdata"]["blocker"]


def test_credential_is_found_in_the_vendors_variable(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "canary-key")
    assert run(words("providers --json")) == 0
    printed = capsys.readouterr()

    assert "canary-key" not in printed.out + printed.err
    assert "found" == next(item["credential"] for item in json.loads(printed.out)["providers"] if item["id"] == "brave")


def test_foreign_base_never_receives_the_vendors_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "canary-key")
    plan = answer(capsys, "search x --provider brave --base-url http://127.0.0.1:9 --dry-run --json")

    assert plan["url"].startswith("http://127.0.0.1:9/")
    assert {} == plan["headers"]


def test_preset_file_is_tried_before_it_is_installed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text((ROOT / "presets" / "ollama.toml").read_text())
    plan = answer(capsys, f"search x --provider mine --preset {file} --dry-run --json")

    assert plan["provider"] == "mine"
    assert {"ok": True, "id": "mine"}.items() <= answer(capsys, f"preset check {file} --json").items()


def test_broken_preset_tells_every_problem(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("schema = 1\n[vendor]\nnam = 'x'\n[search]\nmethod = 'PATCH'\n")
    failure = answer(capsys, f"preset check {file} --json", code=2)["error"]

    assert failure["type"] == "PresetError"
    assert len(failure["problems"]) >= 3


def test_doctor_tells_where_values_came_from(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBSDK_SEARCH_MAX_RESULTS", "7")
    report = answer(capsys, "doctor --json")

    assert {"value": 7, "from": "environment"} == report["settings"]["search.max_results"]
    assert {"value": 45.0, "from": "default"} == report["settings"]["search.timeout_s"]


class _Browser:
    via = Via.RENDER

    async def read(self, url: CheckedUrl, *, call: Call) -> RawDocument:
        raise NotImplementedError  # doctor only asks what there is


@pytest.mark.parametrize(
    ("environment", "installed", "rungs", "faults"),
    [
        ({}, False, ["local"], []),
        ({}, True, ["local"], []),
        ({"RENDER": "true"}, True, ["local", "render"], []),
        ({"RENDER": "true"}, False, ["local"], ["fetch.render is on, and no browser rung is installed"]),
        ({"PROXY": "jina", "RENDER": "true"}, True, ["local", "proxy", "render"], []),
        ({"PROXY": "nosuch"}, False, ["local"], ["fetch.proxy: there is no reader called nosuch; there are: "]),
        ({"PROXY": "jinna"}, False, ["local"], ["there is no reader called jinna; did you mean jina?"]),
        ({"PROXY": "jina", "CHAIN": "nosuch"}, False, ["local", "proxy"], ["fetch.chain: there is no reader called "]),
        ({"PROXY": "exa"}, False, ["local"], ["fetch.proxy: exa needs a credential: set EXA_API_KEY"]),
        ({"ENABLED": "false", "PROXY": "jina"}, True, [], []),
    ],
)
def test_doctor_names_the_rungs_that_serve_and_what_is_wrong(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    installed: bool,
    rungs: list[str],
    faults: list[str],
) -> None:
    monkeypatch.setattr(Parts, "rungs", {Via.RENDER: _Browser()} if installed else {})
    for name, value in environment.items():
        monkeypatch.setenv(f"WEBSDK_FETCH_{name}", value)
    report = answer(capsys, "doctor --json")
    run(words("doctor"))
    shown = capsys.readouterr().out

    assert rungs == report["rungs"]
    assert len(faults) == len(report["rung_faults"]) == shown.count("Fault: ")
    assert all(part in line for part, line in zip(faults, report["rung_faults"], strict=True))
    assert "nosuch" not in "".join(report["disclosures"])


@pytest.mark.parametrize(
    ("probes", "said"),
    [("true", "asks the origin of every page for /llms.txt"), ("false", "no origin hears from this machine")],
)
def test_doctor_says_what_choosing_a_reader_discloses(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, probes: str, said: str
) -> None:
    monkeypatch.setenv("WEBSDK_FETCH_PROXY", "jina")
    monkeypatch.setenv("WEBSDK_FETCH_DOCS_INDEX_DISCOVERY", probes)
    run(words("doctor"))
    shown = capsys.readouterr().out

    assert "Choosing via=proxy tells jina every address that is read, query string included" in shown
    assert "cannot be judged here" in shown
    assert said in shown


def test_version_needs_nothing_but_python() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.argv = ['websdk', '--version']\n"
            "from websdk.cli import main\n"
            "try:\n    main()\nfinally:\n    print(sorted({'click', 'attrs', 'httpx', 'lxml'} & set(sys.modules)))",
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )

    assert done.stdout.endswith("[]\n")
    assert done.stdout.startswith("websdk 26.")


def test_demo_searches_plans_and_reads(capsys: pytest.CaptureFixture[str]) -> None:
    report = answer(capsys, "demo --json")

    assert {"brave", "exa", "ollama"} == set(report["plans"])
    assert ["recency", "include_domains"] == report["plans"]["ollama"]["unsupported_filters"]
    assert "```python" in report["document"]["markdown"]
    assert report["document"]["hidden_content_detected"] is True
    assert "life jackets" not in report["document"]["markdown"]


COMMAND = [sys.executable, "-c", "from websdk.cli import main; main()"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("preset schema", 0),
        ("search x --provider brave --dry-run", 0),
        ("--help", 0),
        ("search x --provider nobody --json", 2),
        ("fetch http://127.0.0.1/ --json", 3),
    ],
)
def test_reader_that_goes_away_changes_no_code_and_is_not_complained_about(text: str, code: int) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMMAND, *words(text)], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)

    assert (code, b"") == (done.returncode, done.stderr)


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("text", ["--version", "--help", "preset schema", "search x --provider brave --dry-run --json"])
def test_output_that_cannot_be_written_is_said_in_a_line(text: str) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run([*COMMAND, *words(text)], stdout=full, stderr=subprocess.PIPE, check=False)

    assert 4 == done.returncode
    assert done.stderr.startswith(b"the output cannot be written: ")
    assert 1 == done.stderr.count(b"\n")


@pytest.mark.skipif(os.name != "posix", reason="closes the output with a shell of POSIX")
@pytest.mark.parametrize("text", ["--version", "--help", "preset schema", "search x --provider brave --dry-run --json"])
def test_work_is_done_where_the_output_is_closed(text: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, *words(text)], stderr=subprocess.PIPE, check=False
    )

    assert (0, b"") == (done.returncode, done.stderr)


def on_a_terminal(text: str, **environment: str) -> bytes:
    """Run a command that writes to a terminal, and return what it wrote there."""
    pytest.importorskip("pty")
    ours, theirs = os.openpty()
    child = subprocess.Popen(
        [*COMMAND, *words(text)], stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", **environment}
    )
    os.close(theirs)
    written = b""
    try:
        while chunk := os.read(ours, 65_536):
            written += chunk
    except OSError:  # how Linux tells that the other end is closed
        pass
    os.close(ours)
    child.wait()
    return written


COLOURED = ["search x --provider brave --recency week --dry-run", "search x --provider nobody"]


@pytest.mark.parametrize("text", COLOURED)
def test_terminal_gets_colours(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)

    assert b"\x1b[3" in on_a_terminal(text)


@pytest.mark.parametrize("text", COLOURED)
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["no_color", "dumb"])
def test_terminal_that_wants_no_colours_gets_none(text: str, environment: dict[str, str]) -> None:
    assert b"\x1b" not in on_a_terminal(text, **environment)


def test_page_from_no_address_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<p>A page with a <a href='/next'>link</a> to follow.</p>")

    failure = answer(capsys, f"read {file} --url page.html --json", code=2)["error"]

    assert "--url" in failure["message"]


def test_line_that_holds_no_case_is_answered_in_its_place(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ['{"url": "https://docs.example/", "addresses": ["93.184.215.14"]}', "nonsense", '{"url": 5}', "[]"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))

    assert run(words("guard -")) == 0
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [True, False, False, False] == [verdict["allowed"] for verdict in verdicts]
    assert "unreadable_case" == verdicts[1]["reason"]


def test_refused_dry_run_says_what_the_call_would(capsys: pytest.CaptureFixture[str]) -> None:
    failure = answer(
        capsys, "search x --provider brave --topic images --on-unsupported refuse --dry-run --json", code=3
    )["error"]

    assert ("FiltersUnsupported", ["topic"]) == (failure["type"], failure["keys"])


def test_title_in_brackets_is_shown_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Of [/bold] and [x]</title><p>Text &#27;]0;of a window&#7; here.</p>", "utf-8")

    shown = on_a_terminal(f"read {page} --url https://a.test/")

    assert b"Of [/bold] and [x]" in shown
    assert b"\x1b]0;" not in shown
    assert b"Traceback" not in shown


class _EmptyPages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        return None


@pytest.fixture
def empty_origin() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _EmptyPages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(("proxy", "left"), [("", []), ("jina", ["proxy"])])
def test_an_empty_read_names_its_rung_and_those_left(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    empty_origin: str,
    proxy: str,
    left: list[str],
) -> None:
    monkeypatch.setenv("WEBSDK_FETCH_PROXY", proxy)
    failure = answer(capsys, f"fetch {empty_origin}/ --allow {empty_origin} --json", code=4)["error"]
    run(words(f"fetch {empty_origin}/ --allow {empty_origin}"))
    shown = capsys.readouterr().err

    assert ("local", left, True) == (failure["rung"], failure["remaining_rungs"], failure["sent"])
    assert "\n  rung: local\n" in shown
    assert f"\n  remaining rungs: {', '.join(f'--via {rung}' for rung in left) or 'none'}\n" in shown


@pytest.mark.parametrize(
    ("environment", "faults"),
    [
        ({}, []),
        ({"PROVIDER": "gdelt"}, []),
        ({"PROVIDER": "bravee"}, ["search.provider: there is no search provider called bravee: did you mean brave?"]),
        ({"PROVIDER": "brave"}, ["search.provider: brave needs a credential: set BRAVE_API_KEY"]),
        ({"PROVIDER": "meilisearch"}, ["search.provider: "]),
        ({"PROVIDER": "gdelt", "CHAIN": "exa,nosuch"}, ["search.chain: exa needs", "search.chain: there is no search"]),
        ({"ENABLED": "true"}, ["search.enabled is on, and search.provider names nobody"]),
        ({"ENABLED": "true", "PROVIDER": "gdelt"}, []),
    ],
)
def test_doctor_says_what_is_wrong_with_the_providers_that_settings_name(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    faults: list[str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(f"WEBSDK_SEARCH_{name}", value)
    report = answer(capsys, "doctor --json")
    run(words("doctor"))
    shown = capsys.readouterr().out

    assert len(faults) == len(report["search_faults"]) == shown.count("Fault: ")
    assert all(line.startswith(part) for part, line in zip(faults, report["search_faults"], strict=True))


def test_doctor_says_that_the_variable_of_a_named_credential_is_empty(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(
        '[search]\nprovider = "brave"\n[connections.brave]\ncredential = "team"\n[credentials.team]\nenv = "TEAM_KEY"\n'
    )
    report = answer(capsys, f"doctor --config {file} --json")

    assert ["search.provider: brave needs a credential: set TEAM_KEY"] == report["search_faults"]
