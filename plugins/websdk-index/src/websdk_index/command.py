"""``websdk index``: add pages, search them, see what is there."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from websdk.cli.application import REFUSED, config_option, json_option, print_json
from websdk.errors import InvalidRequest
from websdk.model.filters import Filters, Recency, SafeSearch
from websdk.settings import Settings

if TYPE_CHECKING:
    from websdk_index.add import AddOptions, Progress
    from websdk_index.report import Report

PLUGIN = "index"
# A page of the web is stored whole; its bytes are bounded already, and no text has more characters than bytes.
_WHOLE_PAGE = 2 * 1024 * 1024


def _index_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--index",
        "index_file",
        type=click.Path(dir_okay=False, path_type=Path),
        help="The index file. Default: the setting plugin.index.file, else one in the user's data folder.",
    )(function)


def _load(config: str | None, index_file: Path | None) -> tuple[Settings, Path]:
    """Return the settings with the index file in them, and the file."""
    from websdk_index.location import configured_file

    settings = Settings.load(config)
    options = settings.plugin.get(PLUGIN, {})
    file = index_file or configured_file(options)
    return attrs.evolve(settings, plugin={**settings.plugin, PLUGIN: {**options, "file": str(file)}}), file


@click.group(
    epilog="""\b
Examples:
  websdk index add site/ --base-url https://docs.example.com/
  websdk index add https://docs.example.com/faq.html
  websdk index search "rotate a key" --include-domain docs.example.com --recency year
  websdk index status --json"""
)
def index() -> None:
    """Private search over one's own pages, on this machine alone."""


@index.command(
    epilog="""\b
Examples:
  websdk index add site/ --base-url https://docs.example.com/
  websdk index add saved-pages/                 (each page names its address in a canonical link)
  websdk index add notes.md --base-url https://intranet.example/notes/ --language en
  websdk index add https://docs.example.com/faq.html"""
)
@click.argument("targets", nargs=-1, required=True, metavar="PATH_OR_URL...")
@click.option("--base-url", metavar="URL", help="Address of the folder; a file's address is this and its path.")
@click.option("--language", metavar="TAG", help="BCP 47 tag of pages that state no language.")
@_index_option
@config_option
@json_option
def add(
    targets: tuple[str, ...],
    base_url: str | None,
    language: str | None,
    index_file: Path | None,
    config: str | None,
    as_json: bool,
) -> None:
    """Add folders, files and pages of the web, or bring them up to date.

    HTML, Markdown and text are taken; files that did not change are skipped, and pages whose file is gone are removed.
    Dot files and symbolic links are passed over. A page that cannot be taken is named, and the exit code is then 3.
    """
    from websdk_index.add import AddOptions
    from websdk_index.address import checked_base

    try:
        options = AddOptions(language=language or None)
        if base_url is not None:
            checked_base(base_url)
    except InvalidRequest as exc:
        raise click.UsageError(str(exc)) from None
    paths = [target for target in targets if not _is_url(target)]
    urls = [target for target in targets if _is_url(target)]
    if base_url is not None and not paths:
        raise click.UsageError("--base-url goes with a path; a page of the web has its own address")
    settings, file = _load(config, index_file)
    with _progress_bar() as progress:
        report = asyncio.run(_add(file, paths, urls, base_url, settings, options, progress))
    _show_report(report, file, as_json)
    if report.refused:
        click.get_current_context().exit(REFUSED)


def _is_url(target: str) -> bool:
    return target.lower().startswith(("http://", "https://"))


async def _add(
    file: Path,
    paths: list[str],
    urls: list[str],
    base_url: str | None,
    settings: Settings,
    options: AddOptions,
    progress: Progress,
) -> Report:
    from websdk_index.add import add_path, add_urls
    from websdk_index.reader import PageReader
    from websdk_index.report import Report

    total = Report()
    async with PageReader() as read:
        for path in paths:
            try:
                report = await add_path(
                    file, Path(path), base_url=base_url, read=read, options=options, progress=progress
                )
            except InvalidRequest as exc:  # this folder or file cannot be taken; the others can
                total.refuse(path, str(exc))
            else:
                total.include(report, under=path if len(paths) > 1 else None)
    if urls:
        from websdk import AsyncClient

        async with AsyncClient(settings) as client:
            report = await add_urls(
                file,
                urls,
                fetch=lambda url: client.fetch(url, max_characters=_WHOLE_PAGE),
                options=options,
                progress=progress,
            )
        total.include(report)
    return total


@contextmanager
def _progress_bar() -> Iterator[Progress]:
    """Give a progress bar where a person watches, and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("Adding pages"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _show_report(report: Report, file: Path, as_json: bool) -> None:
    if as_json:
        data = {"index": str(file), **attrs.asdict(report)}
        if report.refused:
            message = f"{_plural(report.refused, 'page')} refused by name; the others were added"
            data["error"] = {"type": "Refused", "message": message, "sent": False, "retryable": False}
        print_json(data)
        return
    counts = ("added", "updated", "unchanged", "removed", "refused")
    click.echo(", ".join(f"{getattr(report, name):,} {name}" for name in counts))
    if report.skipped:
        listed = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in sorted(report.skipped.items()))
        click.echo(f"Passed over: {listed}")
    for refusal in report.refusals:
        click.echo(f"{click.style('refused', fg='red')} {refusal.name}: {refusal.reason}", err=True)
    if report.refused > len(report.refusals):
        click.echo(f"... and {report.refused - len(report.refusals):,} more", err=True)


@index.command(
    epilog="""\b
Examples:
  websdk index search "rotate a key"
  websdk index search "release notes" --recency month --include-domain docs.example.com --json"""
)
@click.argument("query")
@click.option("--recency", type=click.Choice([str(item) for item in Recency]), help="Only the last day, week, ...")
@click.option("--published-after", metavar="DATE", help="First day of publication, YYYY-MM-DD.")
@click.option("--published-before", metavar="DATE", help="Last day of publication, YYYY-MM-DD.")
@click.option("--include-domain", "include_domains", metavar="D", multiple=True, help="Only this host; repeatable.")
@click.option("--exclude-domain", "exclude_domains", metavar="D", multiple=True, help="Not this host; repeatable.")
@click.option("--country", metavar="CC", help="ISO 3166-1 alpha-2 code.")
@click.option("--language", metavar="TAG", help="BCP 47 tag.")
@click.option("--safe-search", type=click.Choice([str(item) for item in SafeSearch]))
@click.option("--topic", metavar="WORD", help="Reported as unsupported; the index has no topics.")
@click.option("--max-results", type=click.IntRange(min=1), metavar="N")
@click.option("--page", type=click.IntRange(min=1), default=1, show_default=True, metavar="N")
@_index_option
@config_option
@json_option
def search(
    query: str,
    max_results: int | None,
    page: int,
    index_file: Path | None,
    config: str | None,
    as_json: bool,
    **filters: Any,
) -> None:
    """Search the index; `websdk search QUERY --provider index` does the same."""
    from websdk.cli.search import show_response
    from websdk.model import SearchRequest
    from websdk.model.convert import to_dict
    from websdk.sync import Client
    from websdk_index import plugin

    settings, _ = _load(config, index_file)
    try:
        request = SearchRequest(
            query=query,
            max_results=max_results or settings.search.max_results,
            page=page,
            filters=Filters(**filters),
        )
    except InvalidRequest as exc:
        raise click.UsageError(str(exc)) from None
    # This one plugin and no other: the search goes nowhere else, and a broken plugin is no reason to fail.
    with Client(attrs.evolve(settings, plugins=()), plugins=(plugin,)) as client:
        response = client.search(request, provider=PLUGIN)
    if as_json:
        print_json(to_dict(response))
    else:
        show_response(response)


@index.command(
    epilog="""\b
Examples:
  websdk index status
  websdk index status --index team.sqlite3 --json"""
)
@_index_option
@config_option
@json_option
def status(index_file: Path | None, config: str | None, as_json: bool) -> None:
    """Show what the index holds."""
    from websdk.model.convert import to_dict
    from websdk_index.status import read_status

    _, file = _load(config, index_file)
    found = read_status(file)
    if as_json:
        print_json(to_dict(found))
        return
    pages, hosts = _plural(found.pages, "page"), _plural(found.hosts, "host")
    click.echo(f"{found.index}: {pages} on {hosts}, {found.bytes / 1e6:,.1f} MB")
    if found.first_day is not None:
        click.echo(f"Dated {found.first_day} to {found.last_day}")
    for root in found.roots:
        when = f"complete at {root.updated}" if root.updated else "not complete: add it again"
        click.echo(f"  {root.location or 'the web'}: {_plural(root.pages, 'page')}, {when}")


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
