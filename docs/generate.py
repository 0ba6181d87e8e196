"""Write the generated parts of the reference pages from the code.

A page holds its own prose, and blocks between ``<!-- generated: NAME -->`` and ``<!-- end -->`` that this script fills.
Run it with ``make docs``; a test fails where a page and the code differ.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import textwrap
import types
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs

REFERENCE = Path(__file__).parent / "reference"
_BLOCK = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n).*?(<!-- end -->\n)", re.S)
_CLASS_ROLE = re.compile(r":(?:class|func|meth|attr|data):`[~.]?([\w.]+)`")


def _plain(text: str) -> str:
    """Return the text of a docstring as Markdown in one line."""
    text = _CLASS_ROLE.sub(lambda match: f"`{match[1].removeprefix('websdk.')}`", text)
    return " ".join(text.replace("``", "`").split())


def _section(doc: str | None, title: str) -> dict[str, str]:
    """Return the entries of a section of a docstring, such as its attributes, by name."""
    match = re.search(rf"^{title}:\n((?:[ ]+.*\n?|\n)+)", inspect.cleandoc(doc or ""), re.M)
    entries: dict[str, str] = {}
    for part in re.split(r"^(?=\S)", textwrap.dedent(match[1]) if match else "", flags=re.M):
        name, _, text = part.partition(":")
        if text:
            entries[name.strip()] = _plain(text)
    return entries


def _summary(doc: str | None) -> str:
    """Return the first paragraph of a docstring."""
    return _plain(inspect.cleandoc(doc or "").split("\n\n")[0])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


# -- settings ----------------------------------------------------------------------------------------------------------


def _words_of(kind: Any) -> str:
    """Return the words for a type in a settings file."""
    plain = {str: "text", int: "whole number", float: "number", bool: "true or false", Path: "path"}
    if kind in plain:
        return plain[kind]
    if get_origin(kind) is Literal:
        return " or ".join(f"`{word}`" for word in get_args(kind))
    if get_origin(kind) is tuple:
        return "list of " + (_words_of(get_args(kind)[0]) if not attrs.has(get_args(kind)[0]) else "tables")
    if get_origin(kind) in (Union, types.UnionType):
        return " or ".join(_words_of(part) for part in get_args(kind) if part is not type(None))
    if inspect.isclass(kind) and issubclass(kind, StrEnum):
        return " or ".join(f"`{word}`" for word in kind)
    return "table"


def _default(field: attrs.Attribute[Any]) -> str:
    default: Any = field.default
    if hasattr(default, "factory"):
        default = default.factory()
    if default is attrs.NOTHING:
        return "required"
    if default in (None, (), {}, ""):
        return "none"
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, (int, float)):
        return f"{default:,}" if isinstance(default, int) else f"{default:g}"
    return f"`{default}`" if isinstance(default, str) else ", ".join(f"`{item}`" for item in default)


def _variable(path: str, default: Any) -> str:
    """Return the environment variable that sets the value at *path*, found by setting it; empty where none does."""
    from websdk.settings import Settings, origin_of

    variable = f"WEBSDK_{path.replace('.', '_')}".upper()
    text = str(default).lower() if isinstance(default, bool) else str(default)
    nowhere = {"XDG_CONFIG_HOME": os.devnull, "APPDATA": os.devnull}
    found = Settings.load(environ={**nowhere, variable: text})
    return f"`{variable}`" if origin_of(found, path) == "environment" else ""


def _settings_rows(kind: type[Any], prefix: str = "") -> Iterator[tuple[str, ...]]:
    meanings, hints = _section(kind.__doc__, "Attributes"), get_type_hints(kind)
    for field in attrs.fields(kind):
        if field.name == "origins":
            continue  # filled by loading; not a setting
        path, hint = f"{prefix}{field.name}", hints[field.name]
        if attrs.has(hint):
            yield from _settings_rows(hint, f"{path}.")
            continue
        yield path, _words_of(hint), _default(field), _variable(path, field.default), meanings.get(field.name, "")
        for part in get_args(hint):
            if attrs.has(part):
                suffix = "[]" if get_origin(hint) is tuple else ".<name>"
                yield from _settings_rows(part, f"{path}{suffix}.")


def settings() -> str:
    """Return the table of every setting."""
    from websdk.settings import Settings

    rows = [
        (f"`{path}`", kind, default, variable, meaning)
        for path, kind, default, variable, meaning in _settings_rows(Settings)
    ]
    return _table(("Setting", "Value", "Default", "Environment", "Meaning"), rows)


# -- errors ------------------------------------------------------------------------------------------------------------


def _failures() -> Iterator[tuple[type[Any], int]]:
    from websdk import errors

    def below(cls: type[Any], depth: int) -> Iterator[tuple[type[Any], int]]:
        if not cls.__name__.startswith("_"):
            yield cls, depth
            depth += 1
        for child in cls.__subclasses__():
            if child.__module__ == errors.__name__:
                yield from below(child, depth)

    return below(errors.WebSdkError, 0)


def errors() -> str:
    """Return the table of failures, in the order of the tree."""
    rows = []
    for cls, depth in _failures():
        fields = ", ".join(f"`{name}`" for name in _section(cls.__doc__, "Attributes"))
        answers = ("yes" if cls.sent else "no", "yes" if cls.retryable else "no")
        rows.append(("&nbsp;&nbsp;" * depth + f"`{cls.__name__}`", *answers, fields, _summary(cls.__doc__)))
    return _table(("Failure", "Sent?", "Try again?", "Fields", "When"), rows)


# -- hooks -------------------------------------------------------------------------------------------------------------


def hook_functions() -> dict[str, Callable[..., Any]]:
    """Return every hook by its name, in the order of the module."""
    from websdk import hookspecs

    return {name: value for name, value in vars(hookspecs).items() if name.startswith("websdk_")}


def signature(name: str, function: Callable[..., Any]) -> str:
    """Return the line by which a plugin author declares the hook."""
    return f"def {name}{inspect.signature(function)}".replace("'", "")


def hooks() -> str:
    """Return a section for each hook: its signature, when it is called, what it gets and gives."""
    parts = []
    for name, function in hook_functions().items():
        doc = inspect.cleandoc(function.__doc__ or "")
        prose = re.split(r"^(?:Args|Returns|Raises):|^\.\. ", doc, flags=re.M)[0]
        paragraphs = "\n\n".join(_plain(part) for part in prose.strip().split("\n\n"))
        lines = [f"## {name}", "", "```text", signature(name, function), "```", "", paragraphs, ""]
        lines += [f"- `{argument}`: {text}" for argument, text in _section(doc, "Args").items()]
        returned = re.search(r"^Returns:\n((?: +.*\n?)+)", doc, re.M)
        if returned:
            lines.append(f"- Returns: {_plain(returned[1])}")
        since = re.search(r"versionadded:: (\S+)", doc)
        if since:
            lines += ["", f"Since {since[1]}."]
        parts.append("\n".join(lines).rstrip() + "\n")
    return "\n" + "\n".join(parts) + "\n"


# -- egress ------------------------------------------------------------------------------------------------------------


def egress_reasons() -> str:
    """Return every word that a verdict gives as its reason."""
    from websdk.egress.reasons import reasons

    return _table(("Reason", "Meaning"), [(f"`{word}`", meaning) for word, meaning in reasons().items()])


def egress_table() -> str:
    """Return the address table, narrowest block first."""
    from websdk.egress.addresses import TABLE_DATE, table

    rows = [(f"`{block}`", word) for block, word in table()]
    return f"\nAs of {TABLE_DATE}.\n\n" + _table(("Block", "Word"), rows)


# -- reading -----------------------------------------------------------------------------------------------------------


def _members(kind: type[StrEnum]) -> list[tuple[str, str]]:
    """Return each word of an enumeration with the text that stands below it."""
    (body,) = ast.parse(inspect.getsource(kind)).body
    meanings: dict[str, str] = {}
    name = ""
    for node in body.body if isinstance(body, ast.ClassDef) else ():
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and name:
            meanings[name] = _plain(str(node.value.value))
    return [(f"`{member.value}`", meanings.get(member.name, "")) for member in kind]


def seen() -> str:
    """Return what may stand where the content of a page should be."""
    from websdk.reading.seen import Seen

    return _table(("Word", "Meaning"), _members(Seen))


def strategies() -> str:
    """Return the readings that may choose the content of a page."""
    from websdk.reading.strategy import Strategy

    return _table(("Word", "Meaning"), _members(Strategy))


# -- command line ------------------------------------------------------------------------------------------------------


def cli() -> str:
    """Return the help text of every command."""
    import click

    from websdk.cli.application import websdk

    def helps(command: click.Command, parent: click.Context | None, name: str) -> Iterator[tuple[str, str]]:
        # A fixed width: the page must not depend on the terminal that it is written on.
        width = {"terminal_width": 100, "max_content_width": 100}
        context = click.Context(command, info_name=name, parent=parent, **{**command.context_settings, **width})
        yield context.command_path, command.get_help(context)
        if isinstance(command, click.Group):
            for child in command.list_commands(context):
                found = command.get_command(context, child)
                if found is not None and found.callback and found.callback.__module__.startswith("websdk."):
                    yield from helps(found, context, child)

    parts = [f"## {path}\n\n```text\n{text.rstrip()}\n```\n" for path, text in helps(websdk, None, "websdk")]
    return "\n" + "\n".join(parts) + "\n"


# -- providers ---------------------------------------------------------------------------------------------------------


def filter_matrix() -> str:
    """Return what each bundled vendor does with an ordinary value of each filter."""
    from websdk.client.catalog import describe
    from websdk.model.filters import FilterKey
    from websdk.settings import Settings
    from websdk.sync import Client

    rows = [
        (f"`{item.id}`", *(str(item.filters.get(key, "-")) for key in FilterKey))
        for item in describe(Client(Settings(plugins=())).parts)
        if item.source == "bundled"
    ]
    return _table(("Provider", *(f"`{key}`" for key in FilterKey)), rows)


def preset_keys() -> str:
    """Return a row for every key of the preset language, counted over the bundled files."""
    import tomllib

    from websdk.declarative import bundled_preset_texts
    from websdk.declarative.language import reference_table

    return reference_table([tomllib.loads(text) for text in bundled_preset_texts().values()])


GENERATORS: dict[str, Callable[[], str]] = {
    "cli": cli,
    "egress-reasons": egress_reasons,
    "egress-table": egress_table,
    "errors": errors,
    "filter-matrix": filter_matrix,
    "hooks": hooks,
    "preset-keys": preset_keys,
    "seen": seen,
    "settings": settings,
    "strategies": strategies,
}


def filled(text: str) -> str:
    """Return a page with each of its blocks written anew."""
    return _BLOCK.sub(lambda match: match[1] + GENERATORS[match["name"]]() + match[3], text)


def pages() -> tuple[Path, ...]:
    """Return the pages that hold generated blocks."""
    return tuple(page for page in sorted(REFERENCE.glob("*.md")) if _BLOCK.search(page.read_text("utf-8")))


def main() -> None:
    """Write every page whose blocks changed."""
    for page in pages():
        before = page.read_text("utf-8")
        after = filled(before)
        if after != before:
            page.write_text(after, "utf-8")
            print(f"wrote {page.name}")


if __name__ == "__main__":
    main()
