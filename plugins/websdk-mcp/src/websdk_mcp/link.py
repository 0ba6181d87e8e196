"""Ways to call a tool: over the official client, or through a host that calls tools itself."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from websdk import (
    Attempt,
    AuthScheme,
    Call,
    HttpRequest,
    MalformedAnswer,
    NotAuthorized,
    ProviderError,
    ProviderRejected,
    Secret,
    Transport,
    Unavailable,
    __version__,
)
from websdk_mcp.result import ToolResult
from websdk_mcp.server import Server

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import DiscoverResult, Tool

    from websdk_mcp.wire import Wire

REMEMBERED_S = 900.0  # the generation of a server changes with its releases, not within a quarter of an hour
MAX_PAGES = 5  # of a list of tools; a search server has a handful of tools, and a list must end

CallTool = Callable[[str, str, Mapping[str, Any]], Awaitable[Any] | Any]
"""``call_tool(server, tool, arguments)`` of a host, plain or async; returns the result as the protocol has it."""


class RpcError(Exception):
    """The server answered a request of the protocol with an error.

    Attributes:
        code: The number of the error.
        text: What the server says; never shown.
    """

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"the server answered with error {code}")
        self.code = code
        self.text = text


class Link(Protocol):
    """Calls the search tool of one server."""

    async def search(self, asked: HttpRequest, *, secret: Secret | None, call: Call) -> ToolResult:
        """Call the tool once.

        Args:
            asked: Where the server is and, as JSON in its body, the arguments.
            secret: The key; ``None`` for none.
            call: The call that it belongs to.

        Raises:
            ProviderError: It could not be called.
            RpcError: The server answered with an error of the protocol.
        """
        ...


@attrs.frozen(kw_only=True)
class HostLink:
    """Calls through the host, so that its own permission and result handling run for every call.

    Attributes:
        server: The server.
        call_tool: The host's caller.
    """

    server: Server
    call_tool: CallTool

    async def search(self, asked: HttpRequest, *, secret: Secret | None, call: Call) -> ToolResult:
        """Call the tool by its current name.

        Raises:
            NotAuthorized: The host raised a :class:`PermissionError`; nobody else is asked in its place. Whatever else
                it raises is told by the client as a failure of this provider, the host's exception being the cause.
            MalformedAnswer: The host handed back no result.
        """
        started = call.clock.monotonic()
        outcome = "failed"
        try:
            given = await _invoked(self.call_tool, self.server.name, self.server.tools[0], json.loads(asked.body))
            outcome = "ok"
        except PermissionError as exc:
            raise NotAuthorized(f"{self.server.id}: the host refused the call", call_id=call.id) from exc
        finally:
            elapsed_s = call.clock.monotonic() - started
            call.record(Attempt(recipient=self.server.id, host=self.server.name, outcome=outcome, elapsed_s=elapsed_s))
        try:
            return ToolResult.of(given)
        except ValueError as exc:
            raise MalformedAnswer(f"{self.server.id}: {exc}", provider=self.server.id) from None


async def _invoked(function: CallTool, *args: Any) -> Any:
    if inspect.iscoroutinefunction(function):
        return await function(*args)
    given = await asyncio.to_thread(function, *args)
    return await given if inspect.isawaitable(given) else given


@attrs.frozen(kw_only=True)
class _Known:
    """Which generation of the protocol a server speaks.

    Attributes:
        mode: The generation, as the official client names it.
        discovered: What the server said of itself, in the current generation.
        until: Monotonic seconds after which it is asked again.
    """

    mode: str
    discovered: DiscoverResult | None
    until: float


@attrs.define(kw_only=True, eq=False)
class ClientLink:
    """Calls over the official client, which speaks both generations of the protocol.

    A connection is made by a call that needs it and closed at its end; only the server's generation is kept. The tools
    are listed by every call: the official client wants the list anyway, to check what the tool answers.

    Attributes:
        server: The server.
        transport: Sends and reads within bounds.
        auth: Writes the key.
    """

    server: Server
    transport: Transport
    auth: AuthScheme | None
    _known: _Known | None = None

    async def search(self, asked: HttpRequest, *, secret: Secret | None, call: Call) -> ToolResult:
        """Call the tool under the first of its names that the server offers."""
        from websdk_mcp.wire import Wire

        wire = Wire(
            provider=self.server.id, url=asked.url, transport=self.transport, auth=self.auth, secret=secret, call=call
        )
        quiet = _QUIET.set(True)
        try:
            return ToolResult.of(await self._called(wire, asked, call))
        # The official client raises groups, its library's errors and its own; this is their door.
        except Exception as exc:
            self._known = None
            raise self._translated(exc, wire) from exc
        finally:
            _QUIET.reset(quiet)

    async def _called(self, wire: Wire, asked: HttpRequest, call: Call) -> Any:
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client
        from mcp.types import Implementation

        from websdk_mcp.wire import WireTransport

        _silence()
        known = self._known if self._known is not None and call.clock.monotonic() < self._known.until else None
        arguments = json.loads(asked.body)
        headers = [(name, value) for name, value in asked.headers if name.lower() != "content-type"]
        async with (
            httpx2.AsyncClient(
                transport=WireTransport(wire), headers=headers, trust_env=False, timeout=None, follow_redirects=False
            ) as http,
            Client(
                streamable_http_client(asked.url, http_client=http),
                mode="auto" if known is None else known.mode,
                prior_discover=None if known is None else known.discovered,
                client_info=Implementation(name="websdk", version=__version__),
            ) as client,
        ):
            if known is None:
                self._known = self._learnt(client, call)
            tool = await self._offered(client)
            self._check(tool, arguments)
            return await client.call_tool(tool.name, arguments)

    def _learnt(self, client: Client, call: Call) -> _Known:
        discovered = client.session.discover_result
        mode = "legacy" if discovered is None else client.protocol_version
        return _Known(mode=mode, discovered=discovered, until=call.clock.monotonic() + REMEMBERED_S)

    async def _offered(self, client: Client) -> Tool:
        """Find the search tool among those that the server offers; none is called blindly."""
        offered: dict[str, Tool] = {}
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await client.list_tools(cursor=cursor)
            offered |= {tool.name: tool for tool in page.tools}
            cursor = page.next_cursor
            if not cursor:
                break
        for name in self.server.tools:
            if name in offered:
                return offered[name]
        wanted = " or ".join(self.server.tools)
        raise ProviderRejected(f"{self.server.id} does not offer the tool {wanted}", provider=self.server.id)

    def _check(self, tool: Tool, arguments: Mapping[str, Any]) -> None:
        """Refuse arguments that the tool does not take: it would pass them over, and with them a filter."""
        taken = tool.input_schema.get("properties")
        gone = sorted(set(arguments) - set(taken)) if isinstance(taken, dict) else []
        if gone:
            raise ProviderRejected(
                f"{self.server.id}: the tool {tool.name} does not take {', '.join(gone)}; the query was not sent",
                provider=self.server.id,
            )

    def _translated(self, exc: Exception, wire: Wire) -> Exception:
        from mcp import MCPError

        if wire.failure is not None:
            return wire.failure
        inner = list(_leaves(exc))
        for error in inner:
            if isinstance(error, ProviderError):
                return error
        for error in inner:
            if isinstance(error, MCPError):
                return RpcError(error.error.code, error.error.message)
        if any(isinstance(error, (ValueError, RuntimeError, TypeError)) for error in inner):
            return MalformedAnswer(f"{self.server.id} gave an answer of another shape", provider=self.server.id)
        return Unavailable(f"{self.server.id} could not be called ({type(inner[0]).__name__})", provider=self.server.id)


def _leaves(exc: BaseException) -> Iterator[BaseException]:
    if isinstance(exc, BaseExceptionGroup):
        for inner in exc.exceptions:
            yield from _leaves(inner)
    else:
        yield exc


_QUIET: ContextVar[bool] = ContextVar("websdk_mcp_quiet", default=False)


class _Silence(logging.Filter):
    """Keeps the official client's own log lines back during calls from here: they hold queries and remote bodies."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not _QUIET.get()


_SILENCE = _Silence()


def _silence() -> None:
    # A filter works on the logger that it stands at and not on those below, so each one gets it; a second time changes
    # nothing. Whatever the host itself does with the library is logged as before.
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("mcp", "httpx2", "client"):
            logging.getLogger(name).addFilter(_SILENCE)
