"""``websdk doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
import click

from websdk import __version__
from websdk.cli.application import config_option, json_option, print_json
from websdk.model.convert import to_dict

if TYPE_CHECKING:
    from websdk.client.parts import Parts
    from websdk.client.probe import Probed


@click.command()
@click.option("--probe", "probes", is_flag=True, help="Also ask each configured vendor whether it answers, once.")
@config_option
@json_option
def doctor(probes: bool, config: str | None, as_json: bool) -> None:
    """Tell what is configured, where each value came from, and what would keep a call from working.

    Nothing is sent without --probe. With it, each configured vendor that names a request which costs nothing is asked
    once, all of them within five seconds; the others are named and not asked.
    """
    from websdk.cli import rungs, sources
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
        "search_faults": sources.faults(parts),
        "plugins_idle": sources.idle(parts),
        "rungs": rungs.serving(parts),
        "rung_faults": rungs.faults(parts),
        "disclosures": rungs.disclosures(parts) if settings.fetch.enabled else [],
        "plugins_failed": [f"{item.plugin}: {item.message}" for item in parts.host.failures],
    }
    probed = _probed(parts) if probes else ()
    if probes:
        report["probes"] = [to_dict(item) for item in probed]
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
    for item in found:
        if item.blocker is not None:
            click.echo(f"Not configured: {item.blocker.splitlines()[0]}")
    for line in report["plugins_idle"]:
        click.echo(f"Installed and not configured: {line}")
    for line in report["search_faults"]:
        click.echo(click.style(f"Fault: {line}", fg="red"))
    click.echo(f"Page reads: {', '.join(report['rungs']) or 'switched off (fetch.enabled)'}")
    for line in report["rung_faults"]:
        click.echo(click.style(f"Fault: {line}", fg="red"))
    for line in report["disclosures"]:
        click.echo(f"  {line}")
    for line in report["plugins_failed"]:
        click.echo(click.style(f"Plugin failed: {line}", fg="red"))
    if probes:
        _show_probes(probed)


def _probed(parts: Parts) -> tuple[Probed, ...]:
    import asyncio

    from websdk.client.probe import probe

    return asyncio.run(probe(parts))


def _show_probes(probed: tuple[Probed, ...]) -> None:
    sent = sum(item.asked for item in probed)
    click.echo(f"\nProbes: {sent} request{'' if sent == 1 else 's'} sent, which cost nothing")
    for item in probed:
        colour = {True: "green", False: "red", None: "yellow"}[item.ok]
        took = f" ({item.elapsed_s * 1000:.0f} ms)" if item.elapsed_s is not None else ""
        click.echo(f"  {item.vendor}: {click.style(item.message, fg=colour)}{took}")
    if not probed:
        click.echo("  no vendor is configured")


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
