"""What a model is told about the tools: when to call them, and how to work from current sources."""

from __future__ import annotations

from websdk.tools.surface import HoldsTools

# When to call, not what the tool is: a model knows what a search is, and not that its own memory has run out. Every
# word of these is paid for with each request of an agent, which is why they are this short.
SEARCH_TRIGGER = "For APIs unread here, version claims, whether an approach is still recommended."
FETCH_TRIGGER = "To read pages of known address, or on from a ref."

HEADING = "## Working From Current Sources"
_GENERAL = ("Memory has a cutoff.", "Primary sources over summaries.")
_SEARCHING = (
    "Time-sensitive: set recency, include_domains.",
    "Focus queries, pursue what matters; limits are ceilings, not targets.",
    "Independent searches run together; dependent wait.",
)
_CLOSING = ("Say what is unverified.",)


def prompt_section(holder: HoldsTools) -> str:
    """Return the section that belongs into a system prompt.

    Args:
        holder: A session or a surface.

    Returns:
        The section; empty where there is neither search nor fetch.
    """
    surface = holder.surface
    if not surface.tools:
        return ""
    sentences = (*_GENERAL, *(_SEARCHING if surface.search else ()), *_CLOSING)
    return f"{HEADING}\n{' '.join(sentences)}"
