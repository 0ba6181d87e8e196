"""What to say to somebody who named no provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websdk.client.catalog import ProviderInfo, describe

if TYPE_CHECKING:
    from websdk.client.parts import Parts


def no_provider(parts: Parts) -> str:
    """Return the refusal of a search without a provider: what works offline or without a key first, then the rest."""
    lines = ["a search needs a provider, and none is the default; for example:"]
    everyone = parts.provider_ids()
    plugins = [name for name in everyone if name not in parts.host.preset_ids()]
    for name in plugins:
        lines.append(f"  websdk search QUERY --provider {name}    (installed here)")
    if "index" not in plugins:
        lines.append(
            "  pip install websdk-index, then websdk index add FOLDER --base-url URL    (offline, your own pages)"
        )
    vendors = [item for item in describe(parts) if item.id not in plugins]
    free = [item for item in vendors if item.credential in ("not needed", "optional")]
    for item in free:
        if item.blocker is None:
            lines.append(f"  websdk search QUERY --provider {item.id}    (no key needed)")
    for item in vendors:
        if item.credential == "found" and item.blocker is None:
            lines.append(f"  websdk search QUERY --provider {item.id}    (its key is there)")
    for words, found in (
        ("with a key of yours", [item.id for item in vendors if item.credential == "missing"]),
        ("once configured (websdk doctor tells what is missing)", [item.id for item in vendors if _wants(item)]),
    ):
        if found:
            lines.append(f"  {words}: {', '.join(found)}")
    if idle := parts.idle_plugins():
        lines.append(f"  installed and not configured (websdk doctor tells what is missing): {', '.join(idle)}")
    lines.append("or name one for good: search.provider in settings")
    return "\n".join(lines)


def _wants(item: ProviderInfo) -> bool:
    """Tell whether it is something else than a key that a provider lacks."""
    return item.blocker is not None and item.credential != "missing"
