"""Which servers there are, by which names their search tool goes, and how their answers are written."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

import attrs

from websdk import Preset, PresetError, SettingsError, load_preset

_KEYS = frozenset({"preset", "tools", "grammar", "name"})


class Grammar(StrEnum):
    """How a server writes its answer where it sends no structured content."""

    JSON = "json"
    """One text that is JSON, or one such text for each result."""
    RECORDS = "records"
    """Text with ``Title:``, ``URL:``, ``Published:``, ``Highlights:``, and a line ``---`` between records."""


@attrs.frozen(kw_only=True)
class Server:
    """One search server.

    Attributes:
        id: Id of the provider.
        tools: Names of the search tool, the current one first; one that the server does not offer is never called.
        preset: What the tool takes, and where results stand in its answer.
        grammar: How the answer is written.
        name: What a host that calls tools itself knows the server by.
    """

    id: str
    tools: tuple[str, ...]
    preset: Preset
    grammar: Grammar = Grammar.JSON
    name: str


# The names change under one address: the crawling tool of the first of these was renamed within a year.
_TOOLS = {"exa-mcp": ("web_search_exa",), "parallel-mcp": ("web_search",)}
_GRAMMARS = {"exa-mcp": Grammar.RECORDS}


def servers(options: Mapping[str, Any]) -> tuple[Server, ...]:
    """Return the known servers and those of *options*, the settings table of this plugin.

    Raises:
        SettingsError: A server in *options* is not described in full; all problems at once.
    """
    problems: list[str] = []
    wanted = options.get("servers", {})
    if not isinstance(wanted, Mapping):
        raise SettingsError("settings cannot be used", problems=["plugin.mcp.servers: must be a table"])
    found = [_known(id, wanted.get(id, {})) for id in _TOOLS]
    for id, table in wanted.items():
        if id not in _TOOLS:
            server = _described(id, table, problems)
            found += [server] if server is not None else []
        elif not isinstance(table, Mapping) or set(table) - {"name"}:
            problems.append(f"plugin.mcp.servers.{id}: is a known server and takes `name` alone")
    if problems:
        raise SettingsError("settings cannot be used", problems=problems)
    return tuple(found)


def _known(id: str, table: Any) -> Server:
    text = (files("websdk_mcp") / "servers" / f"{id}.toml").read_text(encoding="utf-8")
    return Server(
        id=id,
        tools=_TOOLS[id],
        preset=load_preset(text, name=id, source=f"websdk_mcp/servers/{id}.toml"),
        grammar=_GRAMMARS.get(id, Grammar.JSON),
        name=str(table.get("name", id)) if isinstance(table, Mapping) else id,
    )


def _described(id: str, table: Any, problems: list[str]) -> Server | None:
    where = f"plugin.mcp.servers.{id}"
    before = len(problems)
    if not isinstance(table, Mapping):
        problems.append(f"{where}: must be a table")
        return None
    problems += [f"{where}.{key}: unknown key" for key in sorted(set(table) - _KEYS)]
    tools = table.get("tools")
    if not isinstance(tools, list) or not tools or not all(isinstance(tool, str) and tool for tool in tools):
        problems.append(f"{where}.tools: must be a list of names of the search tool")
    grammar = table.get("grammar", Grammar.JSON)
    if grammar not in tuple(Grammar):
        problems.append(f"{where}.grammar: is one of {', '.join(Grammar)}")
    preset = _preset(id, table.get("preset"), where, problems)
    if len(problems) > before or preset is None:
        return None
    return Server(id=id, tools=tuple(tools or ()), preset=preset, grammar=Grammar(grammar), name=table.get("name", id))


def _preset(id: str, path: Any, where: str, problems: list[str]) -> Preset | None:
    if not isinstance(path, str) or not Path(path).expanduser().is_absolute():
        problems.append(f"{where}.preset: must be the absolute path of a preset file")
        return None
    try:
        preset = load_preset(Path(path).expanduser().read_text(encoding="utf-8"), name=id, source=path)
    except (OSError, UnicodeDecodeError):
        problems.append(f"{where}.preset: the file cannot be read")
        return None
    except PresetError as error:
        problems += [f"{where}.preset: {problem}" for problem in error.problems]
        return None
    if preset.search is None or preset.search.method != "POST":
        problems.append(f"{where}.preset: must search with method POST, whose body is the tool's arguments")
        return None
    return preset
