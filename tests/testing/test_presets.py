"""The contract of presets: kept by every bundled file, and broken by a file or codec for each of its rules."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import attrs
import pytest

from websdk.declarative import PresetCodec, PresetReader, bundled_preset_texts, load_preset
from websdk.errors import InvalidRequest, PresetError, Unavailable
from websdk.model import Filters, FilterStatus, SearchRequest
from websdk.testing import RULES, check_preset, check_text, load_examples
from websdk.testing.example_file import load_example
from websdk.testing.lines import key_lines, line_of
from websdk.testing.samples import connection_of

ROOT = Path(__file__).parents[2]
BROKEN = sorted((ROOT / "tests/data/broken-presets").glob("*.toml"))
BUNDLED = bundled_preset_texts()

TODAY = date(2026, 3, 4)
GOOD = """
schema = 1
[vendor]
name = "Harbour"
base_url = "https://api.harbour.example"
auth = { at = "header:X-Key" }

[search]
path = "/search"
query = { at = "q", max = 100 }
count = { at = "limit", max = 20 }

[search.filters]
country = { at = "country", values = ["DE", "FR"] }
include_domains = { at = "sites[]", max = 2 }

[search.results]
at = "results"
url = "url"
title = "title"

[fetch]
path = "/read"
url = "url"
page = { markdown = "text" }
"""


def report_of(path: Path) -> Any:
    folder = path.with_suffix("")
    examples = load_examples(folder) if folder.is_dir() else ()
    return check_text(path.read_text("utf-8"), name=path.stem, examples=examples)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_preset_keeps_the_contract(name: str) -> None:
    report = check_text(BUNDLED[name], name=name, examples=load_examples(ROOT / "tests/data/examples" / name))

    assert report.ok, str(report)
    assert report.examples
    assert sum(report.checked.values()) > 20


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_preset_that_breaks_a_rule_is_caught_by_it_with_the_line(path: Path) -> None:
    report = report_of(path)
    caught = [problem for problem in report.problems if problem.rule == path.stem]

    assert caught
    assert all(problem.line is not None for problem in caught) or path.with_suffix("").is_dir()
    assert path.read_text("utf-8").startswith("# ")


def test_line_is_that_of_the_key() -> None:
    [problem] = report_of(ROOT / "tests/data/broken-presets/values-differ.toml").problems
    lines = (ROOT / "tests/data/broken-presets/values-differ.toml").read_text("utf-8").splitlines()

    assert problem.line is not None
    assert lines[problem.line - 1].startswith("recency = ")


class CutsQueries(PresetCodec):
    """Sends the first characters of a long query."""

    def exchange(self, request: SearchRequest, **more: Any) -> Any:
        return super().exchange(attrs.evolve(request, query=request.query[:99]), **more)


class ForgetsOutcomes(PresetCodec):
    """Accounts for the first filter alone."""

    def explain(self, request: SearchRequest, **more: Any) -> Any:
        outcomes, adjustments = super().explain(request, **more)
        return outcomes[:1], adjustments


class ClaimsEverything(PresetCodec):
    """Says that it applied whatever it was asked."""

    def explain(self, request: SearchRequest, **more: Any) -> Any:
        outcomes, adjustments = super().explain(request, **more)
        return tuple(attrs.evolve(item, status=FilterStatus.APPLIED, sent="x=1") for item in outcomes), adjustments


class ReplacesUnknownWords(PresetCodec):
    """Sends DE for every country that the table does not hold."""

    def _with(self, request: SearchRequest) -> SearchRequest:
        filters = request.filters
        return attrs.evolve(request, filters=attrs.evolve(filters, country="DE") if filters.country else filters)

    def explain(self, request: SearchRequest, **more: Any) -> Any:
        return super().explain(self._with(request), **more)

    def exchange(self, request: SearchRequest, **more: Any) -> Any:
        return super().exchange(self._with(request), **more)


class FailsWithoutRows(PresetCodec):
    """Takes an empty answer for an outage."""

    def classify(self, response: Any, **more: Any) -> Any:
        if response.body.replace(b" ", b"") == b'{"results":[]}':
            return Unavailable("harbour found nothing", provider=self.id)
        return super().classify(response, **more)


@pytest.mark.parametrize(
    ("codec", "rule"),
    [
        (CutsQueries, "query-limit"),
        (ForgetsOutcomes, "every-filter-accounted"),
        (ClaimsEverything, "undeclared-is-reported"),
        (ReplacesUnknownWords, "outside-vocabulary"),
        (FailsWithoutRows, "empty-is-empty"),
    ],
)
def test_codec_that_breaks_what_no_file_can_break_is_caught(codec: type[PresetCodec], rule: str) -> None:
    preset = load_preset(GOOD, name="harbour")
    report = check_preset(preset, codec=codec(preset, connection_of(preset)))

    assert rule in {problem.rule for problem in report.problems}


class AsksForTheHomePage(PresetReader):
    """Asks for the front page of whatever host it is given."""

    def exchange(self, url: Any, **more: Any) -> Any:
        return super().exchange(attrs.evolve(url, href=f"{url.origin}/"), **more)


def test_reader_that_asks_for_another_page_is_caught() -> None:
    preset = load_preset(GOOD, name="harbour")
    report = check_preset(preset, reader=AsksForTheHomePage(preset, connection_of(preset)))

    assert "page-arrives" in {problem.rule for problem in report.problems}


def test_preset_of_these_tests_is_right() -> None:
    report = check_text(GOOD, name="harbour")

    assert report.ok, str(report)


def test_every_rule_is_proved_by_a_broken_file_or_codec() -> None:
    by_codec = {"query-limit", "every-filter-accounted", "undeclared-is-reported", "outside-vocabulary"}
    by_codec |= {"empty-is-empty", "page-arrives"}

    assert {rule.name for rule in RULES} == {path.stem for path in BROKEN} | by_codec


def test_broken_settings_of_a_list_are_caught_where_either_host_would_do() -> None:
    text = GOOD.replace('at = "sites[]", max = 2', 'at = "query-text", pattern = "site:{value}", max = 5')
    report = check_text(text, name="harbour")

    assert {"list-is-whole"} == {problem.rule for problem in report.problems}


def test_query_of_combined_letters_is_counted_in_code_points() -> None:
    preset = load_preset(GOOD, name="harbour")
    codec = PresetCodec(preset, connection_of(preset))
    with pytest.raises(InvalidRequest):
        codec.explain(SearchRequest(query="x" * 99 + "e\u0301", filters=Filters()), today=TODAY)


def test_scanner_finds_headers_keys_lists_and_inner_keys() -> None:
    text = (
        'schema = 1\n[a."b.c"]\nx = { y = 1, "z" = 2 }\n[[a.list]]\nk = 1\n[[a.list]]\nk = 2\n'
        "text = '''\nnot = 1\n'''\nlast = 1\n"
    )
    lines = key_lines(text)

    assert (1, 2, 3, 3, 3) == tuple(lines[key] for key in ("schema", "a.b.c", "a.b.c.x", "a.b.c.x.y", "a.b.c.x.z"))
    assert (5, 7, 11) == tuple(lines[key] for key in ("a.list[0].k", "a.list[1].k", "a.list[1].last"))
    assert "a.list[1].not" not in lines
    assert (6, 4, None) == (line_of(lines, "a.list[1].none.at.all"), line_of(lines, "a.list"), line_of(lines, "b.c"))


ORDINARY = {"half": "search", "request": {"query": "x"}, "reply": {"status": 200, "body": {"results": []}}}


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("{", ("is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",)),
        ("[]", ("is a list or a plain value, and no object",)),
        ("{}", ("half: is missing", "request: is missing", "reply: is missing")),
        ('{"results": []}', ("results: unknown key; known are about, half, request, wire, reply, expected",
            "half: is missing", "request: is missing", "reply: is missing")),
        ('{"half": "read", "request": [], "reply": 5, "expected": []}',
            ("request: is an object", "reply: is an object", "expected: is an object", "half: is search or fetch")),
    ],
)  # fmt: skip
def test_file_that_is_no_example_is_told_every_problem_and_what_one_looks_like(
    text: str, problems: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "odd.json").write_text(text)
    with pytest.raises(PresetError, match=r"odd\.json is no example of an answer: an example is a JSON obj") as caught:
        load_example(tmp_path / "odd.json")

    assert problems == caught.value.problems


@pytest.mark.parametrize(
    ("part", "value", "problem"),
    [
        ("request", {}, "request: query is a text that is not empty"),
        ("request", {"query": "x", "max_results": "a"}, "request: max_results is a whole number from 1"),
        ("request", {"query": "x", "filters": []}, "request.filters: is an object of filters"),
        ("request", {"query": "x", "filters": {"colour": "red"}}, "request.filters.colour: unknown key; known are rec"),
        ("request", {"query": "x", "filters": {"recency": "ever"}}, "request: recency is one of"),
        ("request", {"query": "x", "url": "y"}, "request.url: unknown key; known are query, filters, max_results, pag"),
        ("reply", {"body": {}}, "reply.status: is an HTTP status, such as 200"),
        ("reply", {"status": "200"}, "reply.status: is an HTTP status, such as 200"),
        ("reply", {"status": 200, "headers": []}, "reply.headers: is an object of texts"),
        ("reply", {"status": 200, "text": {}}, "reply.text: is a text; JSON stands in body"),
        ("reply", {"status": 200, "text": "", "body": {}}, "reply: has a body (JSON) or a text, not both"),
        ("half", "fetch", "request.query: unknown key; known are url"),
    ],
)
def test_part_of_an_example_that_does_not_fit_is_told(part: str, value: Any, problem: str, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text(json.dumps({**ORDINARY, part: value}))
    with pytest.raises(PresetError) as caught:
        load_example(tmp_path / "odd.json")

    assert caught.value.problems[0].startswith(problem)


def test_example_that_is_not_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe")
    with pytest.raises(PresetError, match="is not UTF-8"):
        load_example(tmp_path / "odd.json")


def test_answer_that_the_preset_cannot_read_is_told_with_its_reason(tmp_path: Path) -> None:
    answer = {**ORDINARY, "reply": {"status": 200, "body": {"nothing": "of the kind"}}}
    (tmp_path / "a.json").write_text(json.dumps(answer))
    report = check_text(GOOD, name="harbour", examples=load_examples(tmp_path))

    assert any(item.message.startswith("is taken for MalformedAnswer: ") for item in report.problems)


def test_example_of_a_half_that_is_missing_is_told(tmp_path: Path) -> None:
    text = GOOD[: GOOD.index("[fetch]")]
    example = {"half": "fetch", "request": {"url": "https://a.example/"}, "reply": {"status": 200, "body": {}}}
    (tmp_path / "page.json").write_text(json.dumps(example))
    report = check_text(text, name="harbour", examples=load_examples(tmp_path))

    assert [("example-expected", "page")] == [(problem.rule, problem.path) for problem in report.problems]


def test_check_needs_no_test_tools() -> None:
    program = (
        "import sys\n"
        "sys.modules['pytest'] = sys.modules['hypothesis'] = None\n"
        "from websdk.testing import VendorServer, check_text\n"
        "from websdk.declarative import bundled_preset_texts\n"
        "print(check_text(bundled_preset_texts()['exa'], name='exa').ok)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)

    assert "True\n" == done.stdout
