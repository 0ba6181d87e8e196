"""``websdk guard``."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from websdk.cli.application import config_option, json_option


@click.command(
    epilog="""\b
Examples:
  websdk guard https://docs.python.org/3/
  websdk guard http://printer.example/ --address 10.0.0.7
  websdk guard - < cases.jsonl"""
)
@click.argument("url")
@click.option("--address", "addresses", metavar="IP", multiple=True, help="What the host resolves to; repeatable.")
@config_option
@json_option
def guard(url: str, addresses: tuple[str, ...], config: str | None, as_json: bool) -> None:
    """Tell whether a page read may reach URL, as one JSON object: {"allowed": ..., "reason": ...}.

    With addresses nothing is resolved, and nothing is ever dialled. As - it reads one {"url": ..., "addresses": [...]}
    a line and answers one verdict a line, in order; a line that holds no such object is answered as not allowed.
    """
    from websdk.settings import Settings

    allow = Settings.load(config).egress.allow
    if url != "-":
        click.echo(json.dumps(_verdict(url, list(addresses) if addresses else None, allow)))
        return
    for line in sys.stdin:
        if line.strip():
            case = _case(line)
            verdict = {"allowed": False, "reason": "unreadable_case"} if case is None else _verdict(*case, allow)
            click.echo(json.dumps(verdict))


def _case(line: str) -> tuple[str, list[str] | None] | None:
    """Return the address and the addresses of one line, or ``None`` where it holds no case."""
    try:
        case = json.loads(line)
    except ValueError:
        return None
    if not isinstance(case, dict) or not isinstance(case.get("url"), str):
        return None
    addresses = case.get("addresses")
    if addresses is not None and not (isinstance(addresses, list) and all(isinstance(item, str) for item in addresses)):
        return None
    return case["url"], addresses


def _verdict(url: str, addresses: list[str] | None, allow: Any) -> dict[str, Any]:
    """Judge *url* with *addresses*, or with what its host resolves to where none are given."""
    from websdk.egress import judge_url, verdict
    from websdk.errors import EgressRefused

    if addresses is None:
        try:
            checked = judge_url(url, allow=allow)
            addresses = _resolved(checked.host, checked.port)
        except EgressRefused as refused:
            return {"allowed": False, "reason": refused.reason}
        except OSError:
            return {"allowed": False, "reason": "resolution_failed"}
    found = verdict(url, addresses, allow=allow)
    return {"allowed": found.allowed, "reason": found.reason}


def _resolved(host: str, port: int) -> list[str]:
    import asyncio

    from websdk.egress import SystemResolver

    async def look_up() -> list[str]:
        return list(await SystemResolver().resolve(host, port))

    return asyncio.run(look_up())
