"""``websdk fetch`` and ``websdk read``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from websdk.cli.application import config_option, json_option, on_terminal, print_json
from websdk.cli.record import record_option, recorded
from websdk.errors import InvalidRequest
from websdk.model.convert import to_dict
from websdk.model.document import Document, Via

if TYPE_CHECKING:
    from websdk.settings import Settings
    from websdk.sync import Client

MAX_STORED_BYTES = 32 * 1024 * 1024  # larger than any page; a mistaken file should not fill the memory

_SHOW = (
    click.option("--links", is_flag=True, help="List the page's links instead of its text."),
    click.option("--outline", is_flag=True, help="List the page's headings instead of its text."),
)


def _show_options(function: Any) -> Any:
    for option in reversed(_SHOW):
        function = option(function)
    return function


@click.command(
    epilog="""\b
Examples:
  websdk fetch https://docs.python.org/3/library/asyncio.html
  websdk fetch https://example.com/ --via proxy --provider jina
  websdk fetch http://127.0.0.1:8000/ --allow http://127.0.0.1:8000"""
)
@click.argument("url")
@click.option(
    "--via", type=click.Choice([str(item) for item in Via]), help="The rung. Default: local; proxy with --preset."
)
@click.option("--provider", metavar="ID", help="The reader of the proxy rung.")
@click.option("--preset", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Use this preset file.")
@click.option("--allow", metavar="ORIGIN", multiple=True, help="Also allow this origin of an intranet; repeatable.")
@click.option("--max-characters", type=click.IntRange(min=1), metavar="N", help="Length of the text, notice included.")
@click.option("--timeout", "timeout_s", type=click.FloatRange(min=0.05), metavar="SECONDS")
@record_option
@_show_options
@config_option
@json_option
def fetch(
    url: str,
    via: str | None,
    provider: str | None,
    preset: Path | None,
    allow: tuple[str, ...],
    max_characters: int | None,
    timeout_s: float | None,
    record: Path | None,
    links: bool,
    outline: bool,
    config: str | None,
    as_json: bool,
) -> None:
    """Read the page at URL as Markdown.

    Redirects are not followed: the failure names where the page went, so that the next call can judge that address.
    """
    from websdk.egress import AllowEntry, EgressOptions
    from websdk.settings import Settings
    from websdk.sync import Client

    settings = Settings.load(config)
    if allow:
        try:
            entries = (*settings.egress.allow, *(AllowEntry(origin=origin) for origin in allow))
        except (ValueError, InvalidRequest) as exc:
            raise click.BadParameter(str(exc), param_hint="--allow") from None
        settings = attrs.evolve(settings, egress=EgressOptions(allow=entries))
    via = via or ("local" if preset is None else "proxy")
    if record is not None and via != "proxy":
        raise click.UsageError("--record keeps answers of vendors; the other rungs ask none")
    with Client(settings) as client:
        if preset is not None:
            provider = _tried(client, preset, provider)
        name = provider or settings.fetch.proxy
        with recorded(client, record, half="fetch", name=name, request={"url": url}):
            document = client.fetch(url, via=via, provider=provider, max_characters=max_characters, timeout_s=timeout_s)
    _show(document, links=links, outline=outline, as_json=as_json)


def _tried(client: Client, preset: Path, provider: str | None) -> str:
    """Use a preset file in place of whatever has its id, and return that id."""
    from websdk.declarative import load_preset

    tried = load_preset(preset.read_text("utf-8"), name=provider or preset.stem, source=str(preset))
    client.parts.try_preset(tried)
    return tried.vendor.id


@click.command(
    epilog="""\b
Examples:
  websdk read page.html --url https://example.com/page
  curl -s https://example.com/page | websdk read - --url https://example.com/page
  websdk read page.bin --url https://example.com/ --content-type "text/html; charset=shift_jis" --json"""
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--url", required=True, help="The address that the bytes came from; links resolve against it.")
@click.option("--content-type", metavar="CT", help="The Content-Type that came with them.")
@click.option("--max-characters", type=click.IntRange(min=1), metavar="N", help="Length of the text, notice included.")
@_show_options
@config_option
@json_option
def read(
    file: str,
    url: str,
    content_type: str | None,
    max_characters: int | None,
    links: bool,
    outline: bool,
    config: str | None,
    as_json: bool,
) -> None:
    """Read the stored bytes of FILE, or of the standard input where FILE is -, as Markdown, without a network."""
    import asyncio

    from websdk.fetch.stored import unsent
    from websdk.model.urls import parse
    from websdk.settings import Settings

    if parse(url) is None:  # every link would be lost without a word
        raise click.BadParameter("is an http(s) address such as https://example.com/page", param_hint="--url")
    with click.open_file(file, "rb") as stream:
        body = stream.read(MAX_STORED_BYTES + 1)
    if len(body) > MAX_STORED_BYTES:
        raise InvalidRequest(f"the file is larger than {MAX_STORED_BYTES // (1024 * 1024)} MiB")
    settings = Settings.load(config)
    if max_characters is not None:
        settings = attrs.evolve(settings, fetch=attrs.evolve(settings.fetch, max_characters=max_characters))
    with unsent():
        document = asyncio.run(_read(settings, body, url, content_type))
    _show(document, links=links, outline=outline, as_json=as_json)


async def _read(settings: Settings, body: bytes, url: str, content_type: str | None) -> Document:
    """Read with what a fetch reads with: every extractor that is installed, in a worker that can be stopped."""
    from websdk.reading import ReadingOptions
    from websdk.sync import Client
    from websdk.workers import ExtractionPool

    pool = ExtractionPool(extractors=tuple(Client(settings).parts.host.extractors().values()))
    options = ReadingOptions(max_characters=settings.fetch.max_characters)
    try:
        return await pool.extract(
            body, url=url, content_type=content_type, options=options, deadline_s=settings.fetch.deadline_s
        )
    finally:
        await pool.aclose()


def _show(document: Document, *, links: bool, outline: bool, as_json: bool) -> None:
    if as_json:
        print_json(to_dict(document))
    elif links:
        for link in document.links:
            click.echo(f"{link.url}\t{link.text}")
    elif outline:
        for line in headings(document.markdown):
            click.echo(line)
    elif on_terminal():
        _show_rendered(document)
    else:
        click.echo(document.markdown)
        if document.truncated:
            click.echo("the text was cut: --max-characters gives it more room", err=True)


def headings(markdown: str) -> list[str]:
    """Return the heading lines of *markdown*, those inside fences left out."""
    found, fence = [], ""
    for line in markdown.splitlines():
        stripped = line.lstrip()
        if fence:
            if stripped.startswith(fence) and not stripped.strip(fence[0]):
                fence = ""
        elif stripped.startswith(("```", "~~~")):
            fence = stripped[: len(stripped) - len(stripped.lstrip(stripped[0]))]
        elif line.startswith("#") and line.lstrip("#").startswith(" "):
            found.append(line)
    return found


def _show_rendered(document: Document) -> None:
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.text import Text

    console = Console()
    if document.title:
        console.rule(Text(document.title))
    console.print(Markdown(document.markdown))
    facts = [f"read via {document.via}" if document.via else "", f"chosen by {document.strategy}"]
    if document.docs_index:
        facts.append(f"index for models: {document.docs_index}")
    if document.hidden_content_detected:
        facts.append("text that no visitor sees was removed")
    console.print(" · ".join(fact for fact in facts if fact), style="dim")
    for notice in document.notices:
        console.print(Text(f"Note: {notice}"), style="yellow")
