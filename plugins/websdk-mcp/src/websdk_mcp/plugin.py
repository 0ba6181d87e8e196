"""What the distribution offers: one provider for each search server. Nothing is connected until a call needs it.

A vendor's server and its HTTP interface are two providers with two ids; a key that turns up switches nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from websdk import Assembly, PresetCodec, WebSearchProvider, hookimpl
from websdk_mcp.link import CallTool, ClientLink, HostLink
from websdk_mcp.provider import McpProvider
from websdk_mcp.server import Server, servers

PLUGIN = "mcp"


@attrs.frozen(kw_only=True)
class McpServers:
    """The plugin. The installed one connects by itself; a host that calls tools passes its own caller.

    Attributes:
        call_tool: The host's ``call_tool(server, tool, arguments)``, plain or async. Its permission and result handling
            then run for every call, and no connection is opened here. Block the installed plugin ``mcp`` beside it.
    """

    call_tool: CallTool | None = None

    @hookimpl
    def websdk_search_providers(self, assembly: Assembly) -> Iterable[WebSearchProvider]:
        """Offer the known servers and those that settings describe."""
        for server in servers(assembly.options(PLUGIN)):
            yield self._provider(server, assembly)

    def _provider(self, server: Server, assembly: Assembly) -> McpProvider:
        connection = assembly.connection(server.id)
        codec = PresetCodec(server.preset, connection)
        if self.call_tool is not None:
            link = HostLink(server=server, call_tool=self.call_tool)
            return McpProvider(server=server, codec=codec, link=link, credential=None)
        # At an address of the operator's own, the key is one that the operator names for it.
        own = connection.base_url is not None and connection.credential is None
        return McpProvider(
            server=server,
            codec=codec,
            link=ClientLink(server=server, transport=assembly.transport(connection), auth=codec.auth),
            credential=None if own else assembly.credential(connection),
        )


installed = McpServers()
