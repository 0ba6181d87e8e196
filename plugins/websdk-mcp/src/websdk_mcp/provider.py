"""One search server as a provider."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import attrs

from websdk import (
    Call,
    CredentialRejected,
    CredentialSource,
    FilterKey,
    FilterOutcome,
    Filters,
    HttpRequest,
    HttpResponse,
    MalformedAnswer,
    PresetCodec,
    ProviderRejected,
    SearchAnswer,
    SearchPlan,
    SearchRequest,
    Secret,
    WireRequest,
)
from websdk_mcp.link import Link, RpcError
from websdk_mcp.server import Server

# Errors of the protocol that speak of the request (JSON-RPC 2.0, section 5.1); any other may pass.
_OF_THE_REQUEST = frozenset({-32600, -32601, -32602})


@attrs.define(kw_only=True, eq=False)
class McpProvider:
    """Searches with the tool of one server.

    Attributes:
        server: The server.
        codec: What the tool takes, and how its answers are read.
        link: How the tool is called.
        credential: Where the key comes from; ``None`` where none is configured, or where the host has its own.
        shares: Whether a session may reuse answers and join running calls: never, so that a host's permission and
            result handling run for every call.
    """

    server: Server
    codec: PresetCodec
    link: Link
    credential: CredentialSource | None
    shares: bool = False

    @property
    def servers(self) -> tuple[str, ...]:
        """Servers that a call contacts, by the names that a host knows them by."""
        return (self.server.name,)

    @property
    def id(self) -> str:
        """Id by which calls name the provider."""
        return self.server.id

    @property
    def filter_keys(self) -> frozenset[FilterKey]:
        """Filters of which the tool can apply at least some values."""
        return self.codec.filter_keys

    def filter_outcomes(self, filters: Filters) -> tuple[FilterOutcome, ...]:
        """Return one outcome for each asked filter."""
        return self.codec.filter_outcomes(filters)

    def unsupported_filters(self, filters: Filters) -> tuple[FilterKey, ...]:
        """Name every filter of *filters* whose value would not restrict the result in full."""
        return _short(self.filter_outcomes(filters))

    def plan(self, request: SearchRequest, *, today: date) -> SearchPlan:
        """Return the call of the tool, and what would become of each filter."""
        outcomes, adjustments = self.codec.explain(request, today=today)
        rendered = next(self.codec.exchange(request, today=today))
        assert isinstance(rendered, HttpRequest)  # a preset never begins with a pause
        body = {
            "method": "tools/call",
            "params": {"name": self.server.tools[0], "arguments": json.loads(rendered.body)},
        }
        return SearchPlan(
            provider=self.id,
            request=WireRequest(method="POST", url=rendered.url, body=json.dumps(body, ensure_ascii=False)),
            unsupported_filters=_short(outcomes),
            filter_outcomes=outcomes,
            adjustments=adjustments,
        )

    async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
        """Call the tool once.

        Raises:
            ProviderError: The tool could not be called, or says that it failed.
        """
        today = call.clock.now().date()
        outcomes, adjustments = self.codec.explain(request, today=today)
        secret = await self._secret(call)
        exchange = self.codec.exchange(request, today=today)
        rendered = next(exchange)
        assert isinstance(rendered, HttpRequest)
        try:
            result = await self.link.search(rendered, secret=secret, call=call)
            status, data, failed = 200, result.as_json(self.server.grammar), result.is_error
        except RpcError as error:
            status = 400 if error.code in _OF_THE_REQUEST else 503
            data, failed = {"error": {"code": error.code, "message": error.text}}, False
        except CredentialRejected as error:
            self._forget(error)
            raise
        reply = _reply(status, data, secret)
        refused = self.codec.classify(reply, now=call.clock.now())
        if refused is not None:
            refused.call_id = call.id
            raise refused
        try:
            exchange.send(reply)
        except StopIteration as done:
            answer: SearchAnswer = done.value
            return attrs.evolve(
                answer,
                filter_outcomes=answer.filter_outcomes or outcomes,
                adjustments=adjustments + answer.adjustments,
            )
        except MalformedAnswer as error:
            error.call_id = call.id
            if failed:  # and no rule of the preset says that this failure is an empty answer
                raise ProviderRejected(
                    f"{self.id}: the tool says that it failed", provider=self.id, call_id=call.id
                ) from None
            raise
        raise MalformedAnswer(f"{self.id}: one call of a tool is the whole exchange", provider=self.id)

    async def _secret(self, call: Call) -> Secret | None:
        if self.credential is not None:
            return await self.credential.get(call)
        return None

    def _forget(self, error: CredentialRejected) -> None:
        forget = getattr(self.credential, "forget", None)
        if forget is not None and forget():
            error.retryable = True


def _short(outcomes: tuple[FilterOutcome, ...]) -> tuple[FilterKey, ...]:
    named = {outcome.key for outcome in outcomes if not outcome.status.restricts_in_full}
    return tuple(key for key in FilterKey if key in named)


def _reply(status: int, data: Mapping[str, Any], secret: Secret | None) -> HttpResponse:
    text = json.dumps(data, ensure_ascii=False)
    if secret is not None:
        text = secret.masked_in(text)  # servers echo keys in what they say
    return HttpResponse(status=status, headers=(("Content-Type", "application/json"),), body=text.encode())
