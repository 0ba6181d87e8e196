"""Declarations of the tools, in the form that each model interface takes."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from websdk.model.effort import Effort, Family
from websdk.model.filters import Recency
from websdk.tools.prompt import FETCH_TRIGGER, SEARCH_TRIGGER
from websdk.tools.surface import HoldsTools, Surface

Schema = dict[str, Any]


class ToolFormat(StrEnum):
    """Who reads the declarations."""

    JSON_SCHEMA = "json-schema"
    """Name, description and parameters, and nothing of any vendor."""
    OPENAI = "openai"
    """Functions of the OpenAI Responses interface, strict."""
    OPENAI_LOOSE = "openai-loose"
    """The same without strict mode."""
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    MCP = "mcp"


def declarations(holder: HoldsTools, format: ToolFormat | str = ToolFormat.JSON_SCHEMA) -> list[dict[str, Any]]:
    """Return one declaration for each tool.

    In the strict form every argument is required, and an empty text, an empty list or 0 stands for one that is not
    given; the session reads them so.

    Args:
        holder: A session or a surface.
        format: Who reads them.

    Raises:
        ValueError: There is no such format.
    """
    surface, format = holder.surface, ToolFormat(format)
    return [_declaration(surface, name, arguments, format) for name, arguments in surface.tools.items()]


def _declaration(surface: Surface, name: str, arguments: tuple[str, ...], format: ToolFormat) -> dict[str, Any]:
    start = {"name": name, "description": _description(surface, name)}
    if format is ToolFormat.OPENAI:
        parameters = _object(surface, arguments, strict=True)
        return {"type": "function", **start, "strict": True, "parameters": parameters}
    parameters = _object(surface, arguments)
    match format:
        case ToolFormat.OPENAI_LOOSE:
            return {"type": "function", **start, "strict": False, "parameters": parameters}
        case ToolFormat.ANTHROPIC:
            return {**start, "input_schema": parameters}
        case ToolFormat.MCP:
            # Nothing on the caller's side changes by a call, and it reaches out into the world.
            return {**start, "inputSchema": parameters, "annotations": {"readOnlyHint": True, "openWorldHint": True}}
        case ToolFormat.GEMINI:
            return {**start, "parameters": _for_gemini(parameters)}
        case _:
            return {**start, "parameters": parameters}


def _description(surface: Surface, name: str) -> str:
    reads_only = name == "web_fetch" or not surface.search
    return FETCH_TRIGGER if reads_only else SEARCH_TRIGGER


def _object(surface: Surface, arguments: tuple[str, ...], *, strict: bool = False) -> Schema:
    properties = {name: _property(surface, name, strict=strict) for name in arguments}
    required = {"required": list(arguments)} if strict else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def _property(surface: Surface, name: str, *, strict: bool) -> Schema:
    match name:
        case "urls" | "include_domains" | "exclude_domains":
            return {"type": "array", "items": {"type": "string"}}
        case "max_results":
            return {"type": "integer"}
        case "recency":
            return _words(*Recency, strict=strict, optional=True)
        case "via":
            return _words(*surface.rungs, strict=strict)
        case "effort":
            return _words(*Effort, strict=strict)
        case "family":
            return _words(*Family, strict=strict)
        case _:
            return {"type": "string"}


def _words(*words: str, strict: bool, optional: bool = False) -> Schema:
    listed = [str(word) for word in words]
    # Strict mode wants a type beside the words, and a word for "not given" where no usual one exists.
    return {"type": "string", "enum": ["", *listed] if optional else listed} if strict else {"enum": listed}


def _for_gemini(schema: Schema) -> Schema:
    """Return *schema* in the subset of OpenAPI that Gemini takes: every part typed, nothing about further members."""
    typed = {"type": "STRING", "format": "enum"} if "enum" in schema else {"type": schema["type"].upper()}
    rest = {key: value for key, value in schema.items() if key not in ("type", "additionalProperties")}
    if "properties" in rest:
        rest["properties"] = {name: _for_gemini(part) for name, part in rest["properties"].items()}
    if "items" in rest:
        rest["items"] = _for_gemini(rest["items"])
    return typed | rest
