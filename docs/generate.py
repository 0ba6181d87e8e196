"""Write the generated parts of the reference pages from the code.

A page holds its own prose, and blocks between ``<!-- generated: NAME -->`` and ``<!-- end -->`` that this script fills.
Run it with ``make docs``; a test fails where a page and the code differ.
"""

from __future__ import annotations

import ast
import inspect
import json
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


# -- vendors -----------------------------------------------------------------------------------------------------------

VENDORS = REFERENCE / "vendors"
_FEW = 12  # more words than these fill a page that a person reads


def conformance_rules() -> str:
    """Return the rules of the contract of presets."""
    from websdk.testing import RULES

    return _table(
        ("Rule", "What holds", "What to do about a problem"),
        [(f"`{rule.name}`", rule.about, rule.remedy) for rule in RULES],
    )


def vendor_pages() -> dict[Path, str]:
    """Return the page of every bundled vendor, and the list of them."""
    from websdk.declarative import bundled_preset_texts

    texts = bundled_preset_texts()
    pages = {VENDORS / f"{name}.md": _vendor_page(name, text) for name, text in texts.items()}
    return {VENDORS / "README.md": _vendor_list(texts), **pages}


def _vendor_list(texts: dict[str, str]) -> str:
    from websdk.declarative import load_preset

    rows = []
    for name, text in texts.items():
        preset = load_preset(text, name=name)
        keyless = any(half is not None and half.keyless is not None for half in (preset.search, preset.fetch))
        key = "none" if preset.vendor.auth is None else "optional" if keyless else "needed"
        halves = ["yes" if half is not None else "-" for half in (preset.search, preset.fetch)]
        where = "the vendor's" if preset.vendor.base_url or any(_bases(preset)) else "your own"
        rows.append((f"[{preset.vendor.name}]({name}.md)", f"`{name}`", *halves, key, where))
    head = "# Vendors\n\nEvery bundled vendor, written from its preset.\n"
    head += "What each does with every filter at a glance: [providers and filters](../filter-matrix.md).\n\n"
    return head + _table(("Vendor", "Id", "Searches", "Reads pages", "Key", "Service"), rows)


def _bases(preset: Any) -> list[str]:
    return [half.base_url for half in (preset.search, preset.fetch) if half is not None and half.base_url]


def _vendor_page(name: str, text: str) -> str:
    from websdk.declarative import load_preset

    preset = load_preset(text, name=name)
    about = " ".join(line.lstrip("# ") for line in text.partition("schema =")[0].splitlines() if line.startswith("#"))
    parts = [
        f"# {preset.vendor.name}\n\nId `{name}`, written from `presets/{name}.toml`.\n",
        re.sub(r"(?<=[.!?]) (?=[A-Z])", "\n", about) + "\n",
    ]
    parts.append(_table(("Fact", "Value"), list(_identity(preset))))
    if preset.vendor.settings:
        rows = [
            (
                f"`{key}`",
                item.about,
                "needed" if item.default is None else f"`{item.default}`" if item.default else "none",
            )
            for key, item in preset.vendor.settings.items()
        ]
        parts.append("## Settings\n\nWritten under `[connections." + name + ".settings]`.\n")
        parts.append(_table(("Setting", "What it is", "Default"), rows))
    if preset.search is not None:
        parts += ["## Search\n", _table(("Fact", "Value"), list(_search_facts(preset.search)))]
        filters = list(_filter_rows(preset.search))
        if filters:
            parts += ["### Filters\n", _table(("Filter", "Goes to", "Values", "Notes"), filters)]
        parts.append(_meanings(preset.search.errors))
    if preset.fetch is not None:
        parts += [
            "## Pages\n",
            _table(("Fact", "Value"), list(_fetch_facts(preset.fetch))),
            _meanings(preset.fetch.errors),
        ]
    return "\n".join(part for part in parts if part)


def _identity(preset: Any) -> Iterator[tuple[str, str]]:
    vendor = preset.vendor
    bases = list(dict.fromkeys(base for base in (vendor.base_url, *_bases(preset)) if base))
    yield "Address", ", ".join(f"`{base}`" for base in bases) or "your own service: `base_url` of the connection"
    if vendor.auth is None:
        yield "Key", "none"
    else:
        scheme = f" after `{vendor.auth.scheme}`" if vendor.auth.scheme else ""
        yield "Key", f"`{vendor.auth.at}`{scheme}"
        yield "Environment", ", ".join(f"`{item}`" for item in vendor.env) or "none of its own"
    keyless = [
        word
        for word, half in (("search", preset.search), ("pages", preset.fetch))
        if half is not None and half.keyless is not None
    ]
    if keyless and vendor.auth is not None:
        yield "Works without a key", " and ".join(keyless)
    if vendor.min_interval_s:
        yield "Between two calls", f"{vendor.min_interval_s:g} s"
    yield "Health", f"`{vendor.probe}`" if vendor.probe else "no request that costs nothing is known"


def _search_facts(search: Any) -> Iterator[tuple[str, str]]:
    yield "Call", f"`{search.method} {search.path}`"
    limit = f", at most {search.query.max:,} code points" if search.query.max else ""
    yield "Query", ", ".join(f"`{at}`" for at in search.query.at) + limit
    count = search.count
    bounds = [f"{word} {value:,}" for word, value in (("from", count.min), ("to", count.max)) if value is not None]
    yield "Results", " ".join([f"`{count.at}`" if count.at else "the vendor's own number", *bounds])
    page = search.page
    last = f", the last is {page.last}" if page is not None and page.last is not None else ""
    yield "Later pages", "none" if page is None else f"`{page.at}`, {page.style}{last}"
    if search.site:
        yield "Serves", f"`{search.site}` alone"
    fields = ("title", "snippet", "content", "published", "score")
    yield (
        "A result has",
        ", ".join(["address", *(name for name in fields if getattr(search.results, name) is not None)]),
    )
    if search.reply.answer:
        yield "Also writes", "an answer of its own, which is no evidence"


def _filter_rows(search: Any) -> Iterator[tuple[str, str, str, str]]:
    for field in attrs.fields(type(search.filters)):
        rule = getattr(search.filters, field.name)
        if rule is None:
            continue
        if field.name == "dates":
            places = rule.at or ", ".join(text for text in (rule.after, rule.before) if text)
            ends = "first and last day" if rule.before or rule.range else "first day"
            yield "`dates`", f"`{places}`", f"{ends}, {rule.format}", _notes(rule)
            continue
        words = list(rule.values or ())
        shown = ", ".join(f"`{word}`" for word in words[:_FEW]) + (
            f" and {len(words) - _FEW} more" if len(words) > _FEW else ""
        )
        most = f"at most {rule.max}" if rule.max else ""
        yield f"`{field.name}`", f"`{rule.at or 'decided here'}`", shown or most or "any", _notes(rule)


def _notes(rule: Any) -> str:
    notes = [getattr(rule, "approximate", None), rule.caveat]
    notes += [f"not beside {other} {', '.join(words)}" for other, words in rule.unless.items()]
    return "; ".join(note.rstrip(".") for note in notes if note)


def _fetch_facts(fetch: Any) -> Iterator[tuple[str, str]]:
    yield "Call", f"`{fetch.method} {fetch.path}`"
    yield "Address of the page", f"`{fetch.url}`"
    yield "Sends", " or ".join(word for word in ("HTML", "Markdown") if getattr(fetch.page, word.lower()) is not None)
    if fetch.evidence:
        yield "Asks for evidence", ", ".join(f"`{at} = {json.dumps(value)}`" for at, value in fetch.evidence.items())
    yield "Says which address served the page", "yes" if fetch.page.served_url else "no"
    yield "Says the page's own status", "yes" if fetch.page.status else "no"


def _meanings(rules: Sequence[Any]) -> str:
    if not rules:
        return ""
    rows = []
    for rule in rules:
        when = [f"status {', '.join(map(str, rule.status))}"] if rule.status else []
        if rule.at is not None:
            said = " or ".join(f"`{item}`" for item in (*rule.equals, *rule.begins))
            verb = "is" if rule.equals else "begins with" if rule.begins else "is filled"
            when.append(f"`{rule.at}` {verb} {said}".rstrip())
        rows.append((" and ".join(when), f"`{rule.means}`"))
    return "### Replies of its own\n\n" + _table(("When", "Means"), rows)


GENERATORS: dict[str, Callable[[], str]] = {
    "cli": cli,
    "conformance-rules": conformance_rules,
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
    VENDORS.mkdir(exist_ok=True)
    whole = vendor_pages()
    for stale in set(VENDORS.glob("*.md")) - set(whole):
        stale.unlink()
    for page, after in whole.items():
        if not page.exists() or page.read_text("utf-8") != after:
            page.write_text(after, "utf-8")
            print(f"wrote vendors/{page.name}")


if __name__ == "__main__":
    main()
