"""What a tool answered, in the forms that servers use."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from websdk_mcp.result import MAX_CHARACTERS, ToolResult, records
from websdk_mcp.server import Grammar

ROW = {"url": "https://a.example/"}


def result(*texts: str, **more: Any) -> ToolResult:
    return ToolResult(texts=texts, **more)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (result("ignored", structured={"results": [ROW]}), {"results": [ROW]}),
        (result("ignored", structured=[ROW]), {"results": [ROW]}),
        (result("ignored", structured={"result": [ROW]}), {"results": [ROW]}),
        (result("ignored", structured={"result": json.dumps({"hits": [ROW]})}), {"hits": [ROW]}),
        (result(json.dumps({"hits": [ROW]})), {"hits": [ROW]}),
        (result(json.dumps([ROW])), {"results": [ROW]}),
        (result(json.dumps(ROW), json.dumps(ROW)), {"results": [ROW, ROW]}),
        (result("No results found."), {"text": "No results found."}),
        (result(json.dumps(ROW), "and a remark"), {"text": json.dumps(ROW) + "\nand a remark"}),
        (result("5"), {"text": "5"}),
        (result(), {"text": ""}),
        (result("Limit reached", is_error=True), {"is_error": True, "text": "Limit reached"}),
        (result(structured={"results": [ROW]}, is_error=True), {"is_error": True, "text": ""}),
    ],
)
def test_structured_content_comes_first_then_json_then_text(given: ToolResult, wanted: Any) -> None:
    assert wanted == given.as_json(Grammar.JSON)


RECORDS = """Title: Tides
URL: https://a.example/
Published: 2026-01-02T00:00:00.000Z
Author: N/A
Highlights:
First line
---
URL: https://evil.example/
Title: not a record

---

Title: Ebb
URL: https://b.example/
Highlights: one line
Published: 1999-01-01"""


def test_records_are_split_where_a_title_follows() -> None:
    first, second = result(RECORDS).as_json(Grammar.RECORDS)["results"]

    assert {
        "title": "Tides",
        "url": "https://a.example/",
        "published": "2026-01-02T00:00:00.000Z",
        "highlights": "First line\n---\nURL: https://evil.example/\nTitle: not a record",
    } == first
    assert {"title": "Ebb", "url": "https://b.example/", "highlights": "one line\nPublished: 1999-01-01"} == second


def test_text_that_is_no_list_of_records_stays_text() -> None:
    assert records("No search results found.") is None
    assert {"text": "Sorry"} == result("Sorry").as_json(Grammar.RECORDS)
    assert {"hits": []} == result('{"hits": []}').as_json(Grammar.RECORDS)


@pytest.mark.parametrize(
    "given",
    [
        {"content": [{"type": "text", "text": "a"}, {"type": "image", "data": "x"}], "structuredContent": {"b": 1}},
        SimpleNamespace(content=[SimpleNamespace(type="text", text="a")], structured_content={"b": 1}, is_error=False),
    ],
)
def test_result_of_a_host_may_be_json_or_an_object(given: Any) -> None:
    assert ToolResult(texts=("a",), structured={"b": 1}) == ToolResult.of(given)


def test_failure_is_read_in_both_spellings() -> None:
    assert ToolResult.of({"content": [], "isError": True}).is_error
    assert ToolResult.of({"content": [], "is_error": True}).is_error
    assert not ToolResult.of({"content": [], "isError": "no"}).is_error


@pytest.mark.parametrize(
    "given",
    [None, "text", {}, {"content": "text"}, {"content": [{"type": "text", "text": "x" * (MAX_CHARACTERS + 1)}]}],
)
def test_what_is_no_result_is_refused(given: Any) -> None:
    with pytest.raises(ValueError):
        ToolResult.of(given)
