"""The short-lived token of the tickets service, and where it stands in a request."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import attrs

from websdk import (
    Call,
    CredentialRejected,
    CredentialSource,
    HttpRequest,
    HttpResponse,
    Limits,
    MalformedAnswer,
    Secret,
    Transport,
    TransportFailure,
    Unavailable,
    classify_status,
)

PROVIDER = "acme-login"
MAX_REPLY_BYTES = 64 * 1024  # a token is a few kilobytes; a longer reply is a login page
MAX_LIFETIME_S = 24 * 3600  # a clock or unit mistake of the login service must not keep a token for years
MARGIN_S = 30  # a token that ends while its request travels is refused, so it is renewed that much earlier


@attrs.frozen(kw_only=True)
class Bearer:
    """Writes a token into the ``Authorization`` header."""

    def sign(self, request: HttpRequest, secret: Secret, now: datetime) -> HttpRequest:
        """Return *request* with the token. This is the one place that reveals it."""
        return request.with_headers([("Authorization", f"Bearer {secret.reveal()}")])


@attrs.frozen(kw_only=True)
class ShortLivedToken:
    """Exchanges a long-lived client secret for a token. The client keeps the token until it expires.

    Attributes:
        url: Where tokens are given out.
        client_id: Who asks.
        client_secret: Where the long-lived secret comes from; ``None`` where none is configured.
        transport: Sends the exchange, with the CA, client certificate and proxy of its connection.
    """

    url: str
    client_id: str
    client_secret: CredentialSource | None
    transport: Transport

    async def get(self, call: Call) -> Secret:
        """Return a fresh token, within what is left of the deadline of *call*.

        Raises:
            CredentialRejected: No client secret is configured, or the service refuses it.
            Unavailable: The service cannot be reached.
            MalformedAnswer: Its reply is no token.
        """
        if self.client_secret is None:
            raise CredentialRejected(
                "acme-tickets needs a client secret: name one under [connections.acme-login]",
                provider=PROVIDER,
                sent=False,
            )
        secret = await self.client_secret.get(call)
        form = {"grant_type": "client_credentials", "client_id": self.client_id, "client_secret": secret.reveal()}
        request = HttpRequest(
            method="POST",
            url=self.url,
            headers=(("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")),
            body=urlencode(form).encode(),
        )
        try:
            reply = await self.transport.send(
                request, limits=Limits(max_bytes=MAX_REPLY_BYTES, timeout_s=call.remaining_s())
            )
        except TransportFailure as failure:
            raise Unavailable(f"{PROVIDER}: {failure}", provider=PROVIDER, sent=failure.sent) from None
        now = call.clock.now()
        error = classify_status(reply, provider=PROVIDER, now=now)
        if error is not None:
            raise error
        token, lifetime_s = _token(reply)
        return Secret(token, expires_at=now + timedelta(seconds=max(0, lifetime_s - MARGIN_S)))


def _token(reply: HttpResponse) -> tuple[str, int]:
    try:
        answer: Any = json.loads(reply.body)
        token, lifetime_s = answer["access_token"], answer["expires_in"]
    except (ValueError, KeyError, TypeError):
        token, lifetime_s = None, None
    if not isinstance(token, str) or not token or type(lifetime_s) is not int:
        # The reply is not shown: whatever it is, it may hold a token.
        raise MalformedAnswer(f"{PROVIDER} answered without a token", provider=PROVIDER, status=reply.status)
    return token, min(lifetime_s, MAX_LIFETIME_S)
