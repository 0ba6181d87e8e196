"""``websdk new``."""

from __future__ import annotations

import re
import shlex
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import click

from websdk.cli.application import json_option, print_json

_NAME = re.compile(r"[a-z](?:[a-z0-9]|-(?=[a-z0-9])){0,31}")

# Template -> the file that it becomes.
PRESET = {
    "preset/pyproject.txt": "pyproject.toml",
    "preset/readme.txt": "README.md",
    "preset/init.txt": "src/%MODULE%_presets/__init__.py",
    "preset/preset.txt": "src/%MODULE%_presets/%NAME%.toml",
    "preset/answer.txt": "tests/answers/results.json",
    "preset/test.txt": "tests/test_%MODULE%.py",
}
PLUGIN = {
    "plugin/pyproject.txt": "pyproject.toml",
    "plugin/readme.txt": "README.md",
    "plugin/init.txt": "src/websdk_%MODULE%/__init__.py",
    "plugin/codec.txt": "src/websdk_%MODULE%/codec.py",
    "plugin/plugin.txt": "src/websdk_%MODULE%/plugin.py",
    "plugin/test_codec.txt": "tests/test_codec.py",
    "plugin/test_plugin.txt": "tests/test_plugin.py",
}


def _plain_name(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    if not _NAME.fullmatch(value):
        raise click.BadParameter("is lower-case letters, digits and single hyphens, at most 32, a letter first")
    return value


_name = click.argument("name", callback=_plain_name)
_folder = click.option(
    "--dir", "parent", type=click.Path(file_okay=False, path_type=Path), default=".", help="Where the folder goes."
)


@click.group()
def new() -> None:
    """Write a ready folder for a preset or a plugin of your own."""


@new.command(epilog="\b\nExample:\n  websdk new preset harbour")
@_name
@_folder
@json_option
def preset(name: str, parent: Path, as_json: bool) -> None:
    """Write a distribution with one preset, an answer and a test, which keeps the contract as it stands."""
    folder = parent / name
    file = folder / "src" / f"{_module(name)}_presets" / f"{name}.toml"
    _write(PRESET, folder, name, as_json, hint=f"websdk preset check {_quoted(file)}")


@new.command(epilog="\b\nExample:\n  websdk new plugin harbour")
@_name
@_folder
@json_option
def plugin(name: str, parent: Path, as_json: bool) -> None:
    """Write a distribution with a provider in Python and its tests, which keeps the contract as it stands."""
    folder = parent / f"websdk-{name}"
    _write(PLUGIN, folder, name, as_json, hint=f"cd {_quoted(folder)} && pip install --editable '.[test]' && pytest")


def _write(templates: dict[str, str], folder: Path, name: str, as_json: bool, *, hint: str) -> None:
    if folder.exists():
        raise click.UsageError(f"{folder} exists already; nothing was written")
    words = {
        "%NAME%": name,
        "%MODULE%": _module(name),
        "%CONSTANT%": _module(name).upper(),
        "%MONTH%": f"{datetime.now(UTC):%Y-%m}",
    }
    source = files("websdk.cli").joinpath("templates")
    written = []
    for template, target in templates.items():
        file = folder / _filled(target, words)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_filled(source.joinpath(template).read_text("utf-8"), words), "utf-8")
        written.append(str(file))
    if as_json:
        print_json({"files": written})
        return
    for path in written:
        click.echo(f"wrote {path}")
    click.echo(f"next: {hint}")


def _module(name: str) -> str:
    return name.replace("-", "_")


def _quoted(path: Path) -> str:
    """Return *path* as a shell takes it."""
    return shlex.quote(path.as_posix())


def _filled(text: str, words: dict[str, str]) -> str:
    for hole, word in words.items():
        text = text.replace(hole, word)
    return text
