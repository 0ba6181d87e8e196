"""``websdk tools``."""

from __future__ import annotations

import json

import click

from websdk.cli.application import config_option, json_option, print_json
from websdk.tools.declare import ToolFormat
from websdk.tools.surface import Style


@click.command(
    epilog="\b\nExamples:\n  websdk tools --format anthropic\n  websdk tools --style pair --format openai --json"
)
@click.option(
    "--format",
    "format_",
    type=click.Choice([str(item) for item in ToolFormat]),
    default=str(ToolFormat.JSON_SCHEMA),
    show_default=True,
    help="Who reads the declarations.",
)
@click.option(
    "--style",
    type=click.Choice([str(item) for item in Style]),
    default=str(Style.UNIFIED),
    show_default=True,
    help="One tool, or web_search and web_fetch.",
)
@config_option
@json_option
def tools(format_: str, style: str, config: str | None, as_json: bool) -> None:
    """Print the tool declarations for a model, and the section for its system prompt.

    What is declared follows from the settings: search only where it is enabled and a provider can be used, and the
    rungs that exist. No provider is named, so that changing providers changes nothing here.
    """
    from websdk.settings import Settings
    from websdk.sync import Client
    from websdk.tools import declarations, prompt_section

    with Client(Settings.load(config)) as client:
        surface = client.session(style=style).surface
    declared, section = declarations(surface, format_), prompt_section(surface)
    if as_json:
        print_json({"tools": declared, "prompt_section": section})
        return
    click.echo(json.dumps(declared, ensure_ascii=False, indent=2))
    if section:
        click.echo(f"\n{section}")
    if not surface.search:
        click.echo("search is not declared: enable it and name a provider that can be used (search.*)", err=True)
