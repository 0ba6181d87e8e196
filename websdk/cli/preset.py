"""``websdk preset``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from websdk.cli.application import DONE, USAGE, json_option, print_json
from websdk.errors import PresetError

if TYPE_CHECKING:
    from websdk.testing.report import ContractReport


@click.group()
def preset() -> None:
    """Check preset files, and print the schema of their language."""


@preset.command()
@click.option("--json", "as_json", is_flag=True, help="Accepted for uniformity; the schema is JSON already.")
def schema(as_json: bool) -> None:
    """Print the JSON Schema of preset files."""
    from websdk.declarative import preset_schema

    click.echo(json.dumps(preset_schema(), indent=2, ensure_ascii=False))


@preset.command(
    epilog="""\b
Examples:
  websdk preset check mine.toml
  websdk preset check mine.toml --examples answers/"""
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--examples",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Recorded answers of the vendor, one JSON file each; `search --record DIR` writes them.",
)
@json_option
def check(file: Path, examples: Path | None, as_json: bool) -> int:
    """Hold a preset file against the contract; nothing is sent.

    Every declared key and value is varied, and what would go out is compared with what the file says. Answers are made
    in the declared shape, with odd fields too, and read. Each problem is told with its line and what to do about it.
    """
    from websdk.declarative import load_preset
    from websdk.testing.example_file import load_examples
    from websdk.testing.preset import check_text

    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError:
        raise PresetError(f"{file.name} is not UTF-8") from None
    recorded = load_examples(examples) if examples is not None else ()
    if examples is not None and not recorded:
        raise click.UsageError(f"{examples} holds no example: no file there ends in .json")
    if as_json:
        load_preset(text, name=file.stem, source=str(file))  # a file that is no preset is the failure of every command
    report = check_text(text, name=file.stem, examples=recorded)
    if as_json:
        print_json(_as_data(report, text))
    else:
        _show(report, file, examples)
    return DONE if report.ok else USAGE


def _as_data(report: ContractReport, text: str) -> dict[str, Any]:
    remedies = _remedies()
    return {
        "ok": report.ok,
        "id": report.preset,
        **_halves(text, report),
        "problems": [
            {
                "rule": item.rule,
                "path": item.path,
                "line": item.line,
                "message": item.message,
                "remedy": remedies[item.rule],
            }
            for item in report.problems
        ],
        "checked": dict(report.checked),
        "examples": report.examples,
    }


def _halves(text: str, report: ContractReport) -> dict[str, bool]:
    from websdk.declarative import load_preset

    loaded = load_preset(text, name=report.preset)
    return {"search": loaded.search is not None, "fetch": loaded.fetch is not None}


def _show(report: ContractReport, file: Path, examples: Path | None) -> None:
    remedies = _remedies()
    for item in report.problems:
        if examples is not None and item.rule.startswith("example-"):
            click.echo(f"{examples / item.path}.json: {item.message}")
        else:
            where = f"{file}:{item.line}" if item.line is not None else str(file)
            click.echo(f"{where}: {click.style(item.path, bold=True)} {item.message}")
        click.echo(f"    {click.style(item.rule, dim=True)}: {remedies[item.rule]}")
    looked = f"{sum(report.checked.values()):,} requests and replies by {len(report.checked)} rules"
    answers = f", {report.examples} recorded answer{'' if report.examples == 1 else 's'}" if report.examples else ""
    if report.ok:
        halves = ", ".join(name for name, there in _halves(file.read_text("utf-8"), report).items() if there)
        click.echo(f"{report.preset}: loads ({halves}) and keeps the contract")
        click.echo(f"looked at {looked}{answers}")
    else:
        count = len(report.problems)
        click.echo(f"\n{report.preset}: {count} problem{'' if count == 1 else 's'}; looked at {looked}{answers}")


def _remedies() -> dict[str, str]:
    from websdk.testing.report import RULES

    return {rule.name: rule.remedy for rule in RULES}
