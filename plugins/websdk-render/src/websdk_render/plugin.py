"""What this distribution offers to a client."""

from __future__ import annotations

from collections.abc import Iterable

from websdk import Assembly, FetchRung, hookimpl

PLUGIN = "render"
PAGES = "pages"


@hookimpl
def websdk_fetch_rungs(assembly: Assembly) -> Iterable[FetchRung]:
    """Offer the rung ``render`` as ``[plugin.render]`` describes it; no browser is started yet."""
    from websdk_render.options import RenderOptions
    from websdk_render.rung import RenderRung

    options = RenderOptions.of(assembly.options(PLUGIN))
    return (
        RenderRung(
            guard=assembly.guard,
            options=options,
            connection=assembly.connection(PAGES),
            max_page_bytes=assembly.max_page_bytes,
        ),
    )
