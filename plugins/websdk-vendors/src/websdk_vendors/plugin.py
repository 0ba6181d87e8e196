"""What the distribution offers. Each provider is used only by a call or a setting that names it."""

from __future__ import annotations

from collections.abc import Iterable

from websdk import Assembly, WebSearchProvider, hookimpl


@hookimpl
def websdk_search_providers(assembly: Assembly) -> Iterable[WebSearchProvider]:
    """Offer ``arxiv``, which takes no key, and ``brightdata-serp``, which takes a key and a zone."""
    from websdk_vendors import arxiv, brightdata

    connection = assembly.connection(arxiv.PROVIDER)
    yield assembly.http_provider(
        arxiv.ArxivCodec(base_url=connection.base_url or arxiv.BASE_URL),
        connection=connection,
    )
    connection = assembly.connection(brightdata.PROVIDER)
    base_url = connection.base_url or brightdata.BASE_URL
    yield assembly.http_provider(
        brightdata.BrightDataCodec(base_url=base_url, zone=connection.settings.get("zone")),
        connection=connection,
        auth=brightdata.Bearer(),
        origins=frozenset({brightdata.origin(base_url)}),
    )
