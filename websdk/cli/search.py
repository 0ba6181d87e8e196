"""``websdk search``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from websdk.cli.application import config_option, json_option, print_json
from websdk.cli.record import record_option, recorded
from websdk.errors import ConfigurationError, FiltersUnsupported, InvalidRequest
from websdk.model.convert import to_dict
from websdk.model.filters import Adjustment, FilterOutcome, Filters, Recency, SafeSearch
from websdk.model.search import SearchPlan, SearchRequest, SearchResponse
from websdk.settings import ConnectionSettings, Settings

if TYPE_CHECKING:
    from websdk.sync import Client

EXCERPT = 240  # characters of a snippet on a terminal: three lines of the usual width


@click.command(
    epilog="""\b
Examples:
  websdk search "asyncio taskgroup" --provider brave --recency month --include-domain docs.python.org
  websdk search "tide tables" --provider ollama --country GB --dry-run
  websdk search "release notes" --provider mine --preset mine.toml --base-url http://127.0.0.1:8080"""
)
@click.argument("query")
@click.option("--provider", metavar="ID", help="Who searches; `websdk providers` lists them.")
@click.option("--preset", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Use this preset file.")
@click.option("--recency", type=click.Choice([str(item) for item in Recency]), help="Only the last day, week, ...")
@click.option("--published-after", metavar="DATE", help="First day of publication, YYYY-MM-DD.")
@click.option("--published-before", metavar="DATE", help="Last day of publication, YYYY-MM-DD.")
@click.option("--include-domain", "include_domains", metavar="D", multiple=True, help="Only this host; repeatable.")
@click.option("--exclude-domain", "exclude_domains", metavar="D", multiple=True, help="Not this host; repeatable.")
@click.option("--country", metavar="CC", help="ISO 3166-1 alpha-2 code.")
@click.option("--language", metavar="TAG", help="BCP 47 tag.")
@click.option("--safe-search", type=click.Choice([str(item) for item in SafeSearch]))
@click.option("--topic", metavar="WORD", help="A vertical of the vendor, such as news.")
@click.option("--max-results", type=click.IntRange(min=1), metavar="N")
@click.option("--page", type=click.IntRange(min=1), default=1, show_default=True, metavar="N")
@click.option(
    "--on-unsupported", type=click.Choice(["report", "refuse"]), help="What to do with filters that fall short."
)
@click.option("--enforce-filters", type=click.Choice(["flag", "drop"]), help="What to do with results that break one.")
@click.option("--timeout", "timeout_s", type=click.FloatRange(min=0.05), metavar="SECONDS")
@click.option(
    "--setting", "given", metavar="NAME=VALUE", multiple=True, help="What the vendor needs from you; repeatable."
)
@click.option("--base-url", metavar="URL", help="Another base address; the vendor's credential never goes there.")
@record_option
@click.option("--dry-run", is_flag=True, help="Show what would be sent, and send nothing.")
@config_option
@json_option
def search(
    query: str,
    provider: str | None,
    preset: Path | None,
    max_results: int | None,
    page: int,
    on_unsupported: Any,
    enforce_filters: Any,
    timeout_s: float | None,
    given: tuple[str, ...],
    base_url: str | None,
    record: Path | None,
    dry_run: bool,
    config: str | None,
    as_json: bool,
    **filters: Any,
) -> None:
    """Search at one provider.

    Every filter that is asked for is applied by the vendor, or named as not applied, and every result is checked
    against the asked domains and dates.
    """
    settings = Settings.load(config)
    try:
        request = SearchRequest(
            query=query,
            max_results=max_results if max_results is not None else settings.search.max_results,
            page=page,
            filters=Filters(**filters),
        )
    except InvalidRequest as exc:
        raise click.UsageError(str(exc)) from None
    client, name = _client(settings, provider, preset, base_url, _pairs(given))
    with client:
        if dry_run:
            plan = client.plan(request, provider=name)
            if on_unsupported == "refuse" and plan.unsupported_filters:
                raise FiltersUnsupported(
                    f"{plan.provider} cannot apply in full: {', '.join(plan.unsupported_filters)}",
                    keys=plan.unsupported_filters,
                    outcomes=plan.filter_outcomes,
                )
            _show_plan(plan, as_json)
            return
        with recorded(client, record, half="search", name=name, request=_as_example(request)):
            response = client.search(
                request,
                provider=name,
                on_unsupported=on_unsupported,
                enforce_filters=enforce_filters,
                timeout_s=timeout_s,
            )
    if as_json:
        print_json(to_dict(response))
    else:
        show_response(response)


def _as_example(request: SearchRequest) -> dict[str, Any]:
    """Return a request in the format of examples, defaults left out."""
    filters = {str(key): to_dict(request.filters)[key] for key in request.filters.asked()}
    asked: dict[str, Any] = {"query": request.query, "max_results": request.max_results}
    if request.page != 1:
        asked["page"] = request.page
    return {**asked, **({"filters": filters} if filters else {})}


def _pairs(given: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name:
            raise click.BadParameter("is written NAME=VALUE", param_hint="--setting")
        pairs[name] = value
    return pairs


def _client(
    settings: Settings, provider: str | None, preset: Path | None, base_url: str | None, given: dict[str, str]
) -> tuple[Client, str]:
    """Return a client for one search, and the id of its provider."""
    from websdk.sync import Client

    if preset is not None:
        from websdk.declarative import load_preset

        if provider not in (None, preset.stem):
            click.echo(f"{preset.name} stands in for {provider}", err=True)
        tried = load_preset(preset.read_text("utf-8"), name=provider or preset.stem, source=str(preset))
        provider = tried.vendor.id
    name = provider or settings.search.provider
    if base_url is not None or given:
        if not name:
            raise ConfigurationError("--base-url and --setting need --provider")
        known = settings.connections.get(name, ConnectionSettings(vendor=name))
        changed = attrs.evolve(known, base_url=base_url or known.base_url, settings={**known.settings, **given})
        settings = attrs.evolve(settings, connections={**settings.connections, name: changed})
    client = Client(settings)
    if preset is not None:
        client.parts.try_preset(tried)
    return client, name


def _show_plan(plan: SearchPlan, as_json: bool) -> None:
    wire = plan.request
    if as_json:
        data = to_dict(plan)
        request = data.pop("request") or {"method": None, "url": None, "headers": {}, "body": None}
        print_json({**data, **request})
        return
    if wire is None:
        click.echo(f"{plan.provider} sends no request.")
    else:
        click.echo(f"{wire.method} {wire.url}")
        for header, value in wire.headers.items():
            click.echo(f"{header}: {value}")
        if wire.body is not None:
            click.echo(f"\n{wire.body}")
    show_accounting(plan.filter_outcomes, plan.adjustments, plan.notices)


def show_response(response: SearchResponse) -> None:
    """Print results for a person, then what became of everything that was asked for."""
    for number, row in enumerate(response.results, start=1):
        click.echo(f"{number}. {click.style(row.title or row.url, bold=True)}")
        click.echo(f"   {click.style(row.url, fg='blue')}")
        day = row.published_text if row.published is None else row.published.isoformat()[:10]
        marks = [f"breaks {', '.join(row.violates)}"] if row.violates else []
        facts = [item for item in (day, *marks) if item]
        if facts:
            click.echo(f"   {click.style(' · '.join(facts), dim=True)}")
        excerpt = " ".join(row.snippet.split())
        if excerpt:
            click.echo(f"   {excerpt if len(excerpt) <= EXCERPT else excerpt[: EXCERPT - 1] + '…'}")
    if not response.results:
        click.echo("no results")
    if response.answer:
        click.echo(f"\nGenerated by {response.provider}, not evidence: {response.answer}")
    show_accounting(response.filter_outcomes, response.adjustments, response.notices)


def show_accounting(
    outcomes: tuple[FilterOutcome, ...], adjustments: tuple[Adjustment, ...], notices: tuple[str, ...]
) -> None:
    """Print what became of everything that was asked for."""
    if outcomes:
        click.echo("\nFilters")
        width = max(len(outcome.key) for outcome in outcomes)
        for outcome in outcomes:
            colour = "green" if outcome.status.restricts_in_full else "yellow"
            status = click.style(f"{outcome.status:<11}", fg=colour)
            click.echo(f"  {outcome.key:<{width}}  {status}  {_explained(outcome)}".rstrip())
    for adjustment in adjustments:
        sent = "nothing" if adjustment.sent is None else adjustment.sent
        click.echo(f"Adjusted: {adjustment.what} {adjustment.asked} -> {sent} ({adjustment.reason})")
    for notice in notices:
        click.echo(f"Note: {notice}")


def _explained(outcome: FilterOutcome) -> str:
    parts = [item for item in (outcome.sent and f"sent {outcome.sent}", outcome.reason) if item]
    if outcome.kept is not None:
        counts = [f"{outcome.kept} kept", f"{outcome.violated} break it"]
        if outcome.unverified:
            counts.append(f"{outcome.unverified} cannot be checked")
        parts.append(", ".join(counts))
    return "; ".join(parts)
