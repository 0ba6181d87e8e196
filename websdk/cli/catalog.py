"""``websdk providers`` and ``websdk plugins``."""

from __future__ import annotations

import click

from websdk.cli.application import config_option, json_option, on_terminal, print_json
from websdk.model.convert import to_dict
from websdk.model.filters import FilterKey
from websdk.plugins.offers import Offer

FEW = 6  # more names than these do not fit a line
_MARKS = {"applied": "yes", "emulated": "query", "approximate": "hint", "partial": "part", "unsupported": "-"}
_SHORT = {
    FilterKey.PUBLISHED_AFTER: "after",
    FilterKey.PUBLISHED_BEFORE: "before",
    FilterKey.INCLUDE_DOMAINS: "include",
    FilterKey.EXCLUDE_DOMAINS: "exclude",
    FilterKey.SAFE_SEARCH: "safe",
}


@click.command(epilog="\b\nExample:\n  websdk providers --json")
@config_option
@json_option
def providers(config: str | None, as_json: bool) -> None:
    """List search providers, what becomes of an ordinary value of each filter, and readers of the proxy rung.

    yes: the vendor applies it. query: an operator in the query text says it. hint: only a hint or boost.
    part: part of it. -: not expressible, and reported as such.
    """
    from websdk.client.catalog import describe, describe_readers
    from websdk.settings import Settings
    from websdk.sync import Client

    parts = Client(Settings.load(config)).parts
    found, readers = describe(parts), describe_readers(parts)
    if as_json:
        print_json({"providers": [to_dict(item) for item in found], "readers": [to_dict(item) for item in readers]})
        return
    head = ["provider", *(_SHORT.get(key, str(key)) for key in FilterKey), "credential"]
    rows = [
        [item.id, *(_MARKS[item.filters[key]] if key in item.filters else "?" for key in FilterKey), item.credential]
        for item in found
    ]
    _table(head, rows)
    click.echo()
    served = [[item.id, "yes" if item.names_served_url else "-", item.credential] for item in readers]
    _table(["reader", "says which address served", "credential"], served)
    for id, blocker in [*((item.id, item.blocker) for item in found), *((item.id, item.blocker) for item in readers)]:
        if blocker:
            click.echo(f"{id}: {blocker.splitlines()[0]}", err=True)


def _table(head: list[str], rows: list[list[str]]) -> None:
    if on_terminal():
        from rich.console import Console
        from rich.table import Table

        table = Table(*head, box=None)
        for row in rows:
            table.add_row(*row)
        Console().print(table)
        return
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        click.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


@click.command()
@config_option
@json_option
def plugins(config: str | None, as_json: bool) -> None:
    """List plugins: where each comes from and what it brings."""
    import attrs

    from websdk.settings import Settings
    from websdk.sync import Client

    # A listing is how one finds out which plugin is broken, so it reports where a client would raise.
    parts = Client(attrs.evolve(Settings.load(config), on_plugin_error="report")).parts
    listing = parts.host.listing(parts)
    if as_json:
        print_json({"plugins": [to_dict(item) for item in listing]})
        return
    rows = []
    for item in listing:
        where = " ".join(word for word in (item.distribution, item.version) if word) or str(item.kind or "settings")
        rows.append([item.name, where, "blocked" if item.blocked else item.failure or _brings(item.offers)])
    _table(["plugin", "from", "brings"], rows)


def _brings(offers: tuple[Offer, ...]) -> str:
    """Return what a plugin brings, counted by kind where it is much."""
    by_kind: dict[str, list[str]] = {}
    for offer in offers:
        by_kind.setdefault(offer.kind.words, []).append(offer.id or "?")
    return (
        "; ".join(
            f"{words}: {', '.join(names)}" if len(names) <= FEW else f"{len(names)} {words}s"
            for words, names in by_kind.items()
        )
        or "nothing"
    )
