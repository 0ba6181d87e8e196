"""The hooks: what a plugin may offer, and when it is asked.

A plugin offers named things; which credential, transport or signing scheme is used is decided by settings and arguments
alone. All hooks but :func:`websdk_event` serve to put a client together, each when its kind of thing is first needed,
and return without waiting for anything. A hook that raises fails the client's call in the name of its plugin.

A plugin is a module or an object whose functions carry :data:`hookimpl`::

    from websdk import hookimpl

    @hookimpl
    def websdk_credential_sources():
        return {"vault": VaultToken()}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import attrs
import pluggy

if TYPE_CHECKING:
    from websdk.events import Event
    from websdk.model.connection import Connection
    from websdk.protocols.assembly import Assembly
    from websdk.protocols.fetch import Extractor, FetchRung
    from websdk.protocols.search import AuthScheme, CredentialSource, WebSearchProvider
    from websdk.protocols.transport import Transport

PROJECT = "websdk"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function of a plugin as the implementation of the hook of its name."""


@attrs.frozen(kw_only=True)
class PresetSource:
    """The text of one preset, not yet read.

    Attributes:
        name: Id of the vendor: the file's name without ``.toml``.
        text: The TOML.
        source: Where the text comes from, for messages: a path, or a package with the file's name.
    """

    name: str
    text: str = attrs.field(repr=lambda text: f"<{len(text)} characters>")
    source: str


@hookspec
def websdk_presets() -> Iterable[PresetSource]:
    """Offer vendors as data.

    Called once by the host, when a client, or a command such as ``websdk providers``, first asks which vendors there
    are. A text is parsed only when its vendor is used, so offering many costs little. A plugin that only has presets
    needs no code: see the entry-point group ``websdk.presets``.

    Returns:
        One source for each vendor. An id that another plugin offers is an error.

    .. versionadded:: 26.1.0
    """
    raise NotImplementedError


@hookspec
def websdk_search_providers(assembly: Assembly) -> Iterable[WebSearchProvider]:
    """Offer search providers that need code.

    Called once for each client, when it first has to know its providers: for a call that names one which is no preset,
    or for a listing. A provider is used only by a call, or a setting, that names its id.

    Args:
        assembly: The client under construction; a vendor that speaks HTTP is best a ``SearchCodec`` handed to
            ``assembly.http_provider``.

    Returns:
        The providers. An id that another plugin or a preset has is an error.

    .. versionadded:: 26.1.0
    """
    raise NotImplementedError


@hookspec
def websdk_fetch_rungs(assembly: Assembly) -> Iterable[FetchRung]:
    """Offer another way to a page's bytes, such as a browser that renders it.

    Called once for each client, when it first has to know its rungs. A rung is used only by a read that names it, and
    gets addresses that the egress guard has judged; whatever else it opens goes through ``assembly.guard``. The rung
    ``local`` is the client's own and cannot be offered. A rung with something running for its reads is a
    ``ClosableRung`` as well, and is closed with the client.

    Args:
        assembly: The client under construction.

    Returns:
        The rungs, each ``via`` at most once over all plugins.

    .. versionadded:: 26.1.0
    """
    raise NotImplementedError


@hookspec
def websdk_extractors() -> Iterable[Extractor]:
    """Offer readers for kinds of content that the page reader itself does not read.

    Called once by the host, when a client first has to know what it can read. An extractor gets bytes that were
    fetched under the client's own bounds, and sends nothing.

    Returns:
        The extractors, each media type at most once over all plugins.

    .. versionadded:: 26.1.0
    """
    raise NotImplementedError


@hookspec
def websdk_credential_sources() -> Mapping[str, CredentialSource]:
    """Offer places that credentials come from, such as a vault or a token service.

    Called once by the host, when a connection of its client first names a source. A source is asked only for a
    connection whose settings name it, on the calls of that connection.

    Returns:
        Sources by the name that settings use in ``credential = "<name>"``.

    .. versionadded:: 26.1.0
    """
    raise NotImplementedError


@hookspec
def websdk_auth_schemes() -> Mapping[str, AuthScheme]:
    """Offer ways of writing a credential into a request, such as a signature over its body.

    Called once by the host, when a connection of its client first names a scheme. A scheme is used only where settings
    name it; it is pure and gets one request, one secret and the moment.

    Returns:
        Schemes by the name that settings use.

    .. versionadded:: 26.1.0
    """
    raise NotImplementedError


@hookspec
def websdk_transports() -> Mapping[str, Callable[[Connection], Transport]]:
    """Offer transports for calls to vendors, such as one over a company's own HTTP client.

    Called once by the host, when a connection of its client first names a transport. A transport is made only for a
    connection whose settings name it, and never serves page reads.

    Returns:
        Makers by the name that settings use; each is called with the connection and returns its transport.

    .. versionadded:: 26.1.0
    """
    raise NotImplementedError


@hookspec
def websdk_event(event: Event) -> None:
    """Observe what happens during calls. The one hook that runs while calls run.

    Called by the client for each event of each call, on the loop of the call, so it must return at once. It changes
    nothing: an observer that raises is logged once by its plugin's name and not called again, and the call goes on.

    Args:
        event: What happened; it holds no query, page path, credential or remote text.

    .. versionadded:: 26.1.0
    """
    raise NotImplementedError
