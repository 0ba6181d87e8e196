"""Declarations: what they hold, what they cost, and that they are valid."""

from __future__ import annotations

import json

import jsonschema
import pytest

from websdk.model import Via
from websdk.tools import Style, Surface, ToolFormat, declarations, prompt_section

ALL_RUNGS = tuple(Via)
FILTERS = {
    "recency",
    "published_after",
    "published_before",
    "include_domains",
    "exclude_domains",
    "country",
    "language",
    "safe_search",
    "topic",
}
CLOSED = {"query", "urls", "ref", "find", "cursor", "via", "max_results", "effort", "family"} | FILTERS


def parameters(declaration):
    return declaration.get("parameters") or declaration.get("input_schema") or declaration["inputSchema"]


def size(surface, format):
    declared = sum(len(json.dumps(tool, separators=(",", ":"))) for tool in declarations(surface, format))
    return -(-(declared + len(prompt_section(surface))) // 4)


def test_the_unified_tool_takes_the_closed_list_of_arguments():
    (tool,) = declarations(Surface())

    assert "search" == tool["name"]
    assert CLOSED == set(tool["parameters"]["properties"])


def test_the_pair_shares_what_reads_on():
    search, fetch = declarations(Surface(style=Style.PAIR))

    assert ("web_search", "web_fetch") == (search["name"], fetch["name"])
    assert CLOSED - {"urls", "via"} == set(search["parameters"]["properties"])
    assert {"urls", "via", "ref", "find", "cursor"} == set(fetch["parameters"]["properties"])


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize(
    ("ability", "absent"),
    [({"search": False}, {"query", "effort", "family", "max_results"} | FILTERS), ({"fetch": False}, {"urls", "via"})],
    ids=["no search", "no fetch"],
)
def test_what_a_session_cannot_do_is_not_declared(style, ability, absent):
    (tool,) = declarations(Surface(style=style, **ability))

    assert CLOSED - absent == set(tool["parameters"]["properties"])


def test_a_session_that_can_do_nothing_has_no_tools_and_no_section():
    surface = Surface(search=False, fetch=False)

    assert [] == declarations(surface)
    assert "" == prompt_section(surface)


def test_the_words_of_via_are_the_rungs_that_exist():
    (tool,) = declarations(Surface(rungs=(Via.LOCAL, Via.RENDER)))

    assert ["local", "render"] == tool["parameters"]["properties"]["via"]["enum"]


@pytest.mark.parametrize("format", ToolFormat)
@pytest.mark.parametrize("style", Style)
def test_declarations_are_plain_json_and_each_call_gets_its_own(style, format):
    surface = Surface(style=style, rungs=ALL_RUNGS)
    first = declarations(surface, format)
    parameters(first[0])["properties"].clear()

    assert declarations(surface, format) == json.loads(json.dumps(declarations(surface, format)))
    assert parameters(declarations(surface, format)[0])["properties"]


@pytest.mark.parametrize("format", [form for form in ToolFormat if form is not ToolFormat.GEMINI])
@pytest.mark.parametrize("style", Style)
def test_parameters_are_a_valid_closed_json_schema(style, format):
    for tool in declarations(Surface(style=style, rungs=ALL_RUNGS), format):
        schema = parameters(tool)
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        lead = next(iter(schema["properties"]))
        strict = dict.fromkeys(schema["properties"], "")

        assert schema["additionalProperties"] is False
        assert not validator.is_valid({lead: "x", "provider": "brave"})
        if format is not ToolFormat.OPENAI:
            assert validator.is_valid({"ref": "h:1"})
        else:
            assert set(schema["required"]) == set(strict)


def test_strict_arguments_all_have_a_way_to_be_not_given():
    (tool,) = declarations(Surface(), ToolFormat.OPENAI)
    blank = {"array": [], "integer": 0, "string": ""}
    filled = {
        name: part["enum"][0] if "enum" in part else blank[part["type"]]
        for name, part in tool["parameters"]["properties"].items()
    }

    jsonschema.validate(filled, tool["parameters"])
    assert tool["strict"] is True


def test_every_part_of_a_gemini_schema_has_a_type_of_its_own_spelling():
    def walk(schema):
        assert schema["type"] in {"OBJECT", "ARRAY", "STRING", "INTEGER"}
        assert set(schema) <= {"type", "format", "enum", "properties", "items"}
        for part in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
            walk(part)

    for tool in declarations(Surface(style=Style.PAIR), ToolFormat.GEMINI):
        walk(tool["parameters"])


def test_an_unknown_format_is_refused():
    with pytest.raises(ValueError, match="smoke-signals"):
        declarations(Surface(), "smoke-signals")


@pytest.mark.parametrize("rungs", [(Via.LOCAL,), ALL_RUNGS], ids=["local", "all rungs"])
@pytest.mark.parametrize(
    ("style", "format", "ceiling"),
    [
        (Style.UNIFIED, ToolFormat.JSON_SCHEMA, 300),
        (Style.UNIFIED, ToolFormat.OPENAI, 360),
        (Style.PAIR, ToolFormat.JSON_SCHEMA, 400),
    ],
)
def test_declaration_and_section_keep_to_their_ceiling(style, format, ceiling, rungs):
    assert size(Surface(style=style, rungs=rungs), format) <= ceiling


def test_going_on_adds_nothing_to_the_schema():
    (tool,) = declarations(Surface())

    assert not {"page", "offset", "continue", "result_id"} & set(tool["parameters"]["properties"])


@pytest.mark.parametrize("words", ["APIs", "version claims", "still recommended"])
def test_the_description_says_when_to_call(words):
    assert words in declarations(Surface())[0]["description"]
    assert words in declarations(Surface(style=Style.PAIR))[0]["description"]


@pytest.mark.parametrize(
    "words",
    [
        "Working From Current Sources",
        "cutoff",
        "Primary sources over summaries",
        "recency",
        "include_domains",
        "unverified",
        "ceilings, not targets",
        "run together",
        "dependent wait",
        "Focus",
    ],
)
def test_the_section_says_how_to_work(words):
    assert words in prompt_section(Surface())


def test_a_session_without_search_is_told_nothing_of_its_filters():
    section = prompt_section(Surface(search=False))

    assert "recency" not in section
    assert "Working From Current Sources" in section
