"""The vendors' own packages take the declarations."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from websdk.model import Via
from websdk.tools import Style, Surface, ToolFormat, declarations

pytestmark = [pytest.mark.officials, pytest.mark.requires("officials")]

SURFACES = [Surface(style=style, rungs=rungs) for style in Style for rungs in ((Via.LOCAL,), tuple(Via))]


@pytest.fixture(params=SURFACES, ids=lambda surface: f"{surface.style}-{len(surface.rungs)}")
def surface(request):
    return request.param


@pytest.mark.parametrize("format", [ToolFormat.OPENAI, ToolFormat.OPENAI_LOOSE])
def test_openai_takes_them(surface, format):
    from openai.types.responses import FunctionTool
    from openai.types.responses.function_tool_param import FunctionToolParam

    for tool in declarations(surface, format):
        read = FunctionTool.model_validate(tool, strict=True)
        assert tool == read.model_dump(exclude_unset=True)
        assert set(tool) <= set(get_type_hints(FunctionToolParam))


def test_openai_finds_nothing_to_repair_in_the_strict_form(surface):
    from openai.lib._pydantic import _ensure_strict_json_schema

    for tool in declarations(surface, ToolFormat.OPENAI):
        schema = tool["parameters"]
        repaired = _ensure_strict_json_schema(dict(schema), path=(), root=schema)
        assert schema == repaired


def test_anthropic_takes_them(surface):
    from anthropic.types import ToolParam
    from pydantic import TypeAdapter

    for tool in declarations(surface, ToolFormat.ANTHROPIC):
        assert tool == TypeAdapter(ToolParam).validate_python(tool)
        assert set(tool) <= set(get_type_hints(ToolParam))


def test_gemini_takes_them(surface):
    from google.genai import types

    for tool in declarations(surface, ToolFormat.GEMINI):
        read = types.FunctionDeclaration.model_validate(tool)
        assert tool == read.model_dump(mode="json", exclude_unset=True)


def test_mcp_takes_them(surface):
    from mcp.types import Tool

    for tool in declarations(surface, ToolFormat.MCP):
        read = Tool.model_validate(tool)
        assert tool == read.model_dump(mode="json", by_alias=True, exclude_unset=True)
