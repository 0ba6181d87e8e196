"""What ``websdk doctor`` says of searches: what settings ask for and cannot be had, and what lies idle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websdk.errors import WebSdkError

if TYPE_CHECKING:
    from websdk.client.parts import Parts


def faults(parts: Parts) -> list[str]:
    """Return what settings ask of searches and cannot be had."""
    options = parts.settings.search
    found = []
    for setting, names in (("search.provider", (options.provider,)), ("search.chain", options.chain)):
        for name in filter(None, names):
            fault = _fault(parts, name)
            if fault is not None:
                found.append(f"{setting}: {fault}")
    if options.enabled and not options.provider and not options.chain:
        found.append("search.enabled is on, and search.provider names nobody, so that no session offers a search")
    return found


def idle(parts: Parts) -> list[str]:
    """Return the plugins that could search and offer nothing, as they are configured."""
    from websdk.client.parts import wants_settings

    return [f"the plugin {name}: {wants_settings(name)}" for name in parts.idle_plugins()]


def _fault(parts: Parts, name: str) -> str | None:
    from websdk.client.catalog import describe_one, missing_credential

    try:
        info = describe_one(parts, name)
    except WebSdkError as error:
        return str(error).splitlines()[0]
    if info.blocker is not None:
        return info.blocker.splitlines()[0]
    return missing_credential(parts, info)
