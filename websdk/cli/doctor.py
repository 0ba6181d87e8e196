"""``websdk doctor``."""

from __future__ import annotations

from typing import Any

import attrs
import click

from websdk import __version__
from websdk.cli.application import config_option, json_option, print_json


@click.command()
@config_option
@json_option
def doctor(config: str | None, as_json: bool) -> None:
    """Tell what is configured, where each value came from, and what would keep a call from working; sends nothing."""
    from websdk.client.catalog import describe
    from websdk.settings import Settings
    from websdk.sync import Client

    settings = Settings.load(config)
    parts = Client(settings).parts
    found = describe(parts)
    report: dict[str, Any] = {
        "version": __version__,
        "settings": _values(settings),
        "providers": {item.id: item.blocker or item.credential for item in found},
        "rungs": ["local", *(str(via) for via in parts.rungs), *(["proxy"] if settings.fetch.proxy else [])],
        "plugins_failed": [f"{item.plugin}: {item.message}" for item in parts.host.failures],
    }
    if as_json:
        print_json(report)
        return
    click.echo(f"websdk {__version__}")
    click.echo("\nSettings that are not defaults")
    changed = {path: entry for path, entry in report["settings"].items() if entry["from"] != "default"}
    for path, entry in changed.items():
        click.echo(f"  {path} = {entry['value']}  ({entry['from']})")
    if not changed:
        click.echo("  none")
    ready = [item.id for item in found if item.blocker is None and item.credential != "missing"]
    missing = [item for item in found if item.blocker is None and item.credential == "missing"]
    click.echo(f"\nSearch providers that can be called: {', '.join(ready) or 'none'}")
    click.echo(f"Without a credential: {', '.join(item.id for item in missing) or 'none'}")
    click.echo(f"Page reads: {', '.join(report['rungs'])}")
    for line in report["plugins_failed"]:
        click.echo(click.style(f"Plugin failed: {line}", fg="red"))
    if settings.fetch.proxy:
        click.echo(
            f"The proxy rung sends every address it reads, query string included, to {settings.fetch.proxy}, "
            "which follows redirects that nobody here can judge."
        )


def _values(settings: Any) -> dict[str, dict[str, Any]]:
    """Return each plain value with where it came from; connections and credentials by name only."""
    from websdk.settings import origin_of

    values: dict[str, dict[str, Any]] = {}
    for section in ("search", "fetch", "limits"):
        options = getattr(settings, section)
        for field in attrs.fields(type(options)):
            path = f"{section}.{field.name}"
            values[path] = {"value": getattr(options, field.name), "from": origin_of(settings, path)}
    for name in ("plugins", "plugins_blocked", "on_plugin_error"):
        values[name] = {"value": getattr(settings, name), "from": origin_of(settings, name)}
    values["egress.allow"] = {"value": len(settings.egress.allow), "from": origin_of(settings, "egress.allow")}
    values["connections"] = {
        "value": sorted(settings.connections),
        "from": "file" if settings.connections else "default",
    }
    values["credentials"] = {
        "value": sorted(settings.credentials),
        "from": "file" if settings.credentials else "default",
    }
    return values
