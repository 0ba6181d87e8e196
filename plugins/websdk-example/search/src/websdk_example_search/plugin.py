"""What the distribution offers. Settings name everything that is used; nothing is picked up by itself::

[plugin.example-search]
base_url = "https://tickets.acme.example"
token_url = "https://login.acme.example/token"
client_id = "reader"

[connections.acme-login]
credential = "acme-client"

[credentials.acme-client]
env = "ACME_CLIENT_SECRET"
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from websdk import Assembly, SettingsError, WebSearchProvider, hookimpl
from websdk_example_search.codec import TicketsCodec
from websdk_example_search.token import Bearer, ShortLivedToken

PLUGIN = "example-search"
WANTED = ("base_url", "token_url", "client_id")


@hookimpl
def websdk_search_providers(assembly: Assembly) -> Iterable[WebSearchProvider]:
    """Offer ``acme-tickets``, where the operator has configured it."""
    options = assembly.options(PLUGIN)
    if not options:
        return []  # installed and not configured is a state, not a mistake
    missing = [name for name in WANTED if not isinstance(options.get(name), str)]
    if missing:
        raise SettingsError(
            "settings are incomplete", problems=[f"plugin.{PLUGIN}.{name}: missing" for name in missing]
        )
    login = assembly.connection("acme-login")
    token = ShortLivedToken(
        url=options["token_url"],
        client_id=options["client_id"],
        client_secret=assembly.credential(login),
        transport=assembly.transport(login),
    )
    base_url = options["base_url"].rstrip("/")
    parts = urlsplit(base_url)
    return [
        assembly.http_provider(
            TicketsCodec(base_url=base_url),
            connection=assembly.connection("acme-tickets"),
            auth=Bearer(),
            # The token goes to this origin. Should the service name another address, it gets no token.
            origins=frozenset({f"{parts.scheme}://{parts.netloc}"}),
            credential=token,
        )
    ]
