"""What to say to somebody who named no provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    keyless = [name for name in everyone if name not in plugins and parts.is_keyless(name)]
    for name in keyless:
        lines.append(f"  websdk search QUERY --provider {name}    (no key needed)")
    keyed = [name for name in everyone if name not in plugins and name not in keyless]
    lines.append(f"  with a key of yours: {', '.join(keyed)}")
    lines.append("or name one for good: search.provider in settings")
    return "\n".join(lines)
