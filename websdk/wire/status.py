"""What an HTTP status means: one table for every rung and, as the default, for every vendor. Pure."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from websdk.errors import (
    CredentialRejected,
    MalformedAnswer,
    ProviderError,
    ProviderRejected,
    RateLimited,
    Unavailable,
)
from websdk.wire.message import HttpResponse
from websdk.wire.retry_after import ENDPOINT_WAIT_CEILING_S, retry_after


class Meaning(StrEnum):
    """What a reply says to the one who asked."""

    CONTENT = "content"
    EMPTY = "empty"
    """A success that brings nothing: an honest empty read."""
    PARTIAL = "partial"
    """A part of the content, though no part was asked for."""
    REDIRECT = "redirect"
    """Any 3xx: it moved, or a validator that was never sent is answered. Nothing is followed."""
    NOT_THERE = "not_there"
    ASK_AGAIN = "ask_again"
    """The same request may succeed later."""
    FINAL = "final"
    """The server cannot do this, now or later."""
    REFUSED = "refused"
    """The request was understood and turned down."""
    UNEXPECTED = "unexpected"
    """No final status of HTTP."""


# Statuses that mean something else than their class does (RFC 9110 section 15, RFC 6585, RFC 8470).
_OWN_MEANING = {
    204: Meaning.EMPTY,
    205: Meaning.EMPTY,
    206: Meaning.PARTIAL,
    404: Meaning.NOT_THERE,
    408: Meaning.ASK_AGAIN,
    410: Meaning.NOT_THERE,
    425: Meaning.ASK_AGAIN,
    429: Meaning.ASK_AGAIN,
    501: Meaning.FINAL,
    505: Meaning.FINAL,
    507: Meaning.FINAL,
}
_CLASS_MEANING = {2: Meaning.CONTENT, 3: Meaning.REDIRECT, 4: Meaning.REFUSED, 5: Meaning.ASK_AGAIN}


def meaning(status: int, *, has_body: bool = True) -> Meaning:
    """Return what *status* means.

    Args:
        status: The HTTP status.
        has_body: Whether the reply brought any byte; a success without one is :attr:`Meaning.EMPTY`.
    """
    found = _OWN_MEANING.get(status) or _CLASS_MEANING.get(status // 100, Meaning.UNEXPECTED)
    if found is Meaning.CONTENT and not has_body:
        return Meaning.EMPTY
    return found


def classify(response: HttpResponse, *, provider: str, now: datetime) -> ProviderError | None:
    """Return the failure that a vendor's reply means by its status alone, or ``None`` for a success.

    A preset's own rules come before this one. No text of the reply is carried.

    Args:
        response: The reply.
        provider: Id of the vendor, for the message.
        now: The aware moment at which it arrived.
    """
    status = response.status
    found = meaning(status)
    if found in (Meaning.CONTENT, Meaning.EMPTY):
        if response.incomplete:
            return Unavailable(f"{provider} broke off its reply; try again", provider=provider, status=status)
        return None
    wait_s = retry_after(response.header("retry-after"), now=now, ceiling_s=ENDPOINT_WAIT_CEILING_S)
    if status == 429:
        return RateLimited(f"{provider} asks for fewer calls", provider=provider, status=status, wait_s=wait_s)
    if found is Meaning.ASK_AGAIN:
        return Unavailable(f"{provider} answered with status {status}", provider=provider, status=status, wait_s=wait_s)
    if found is Meaning.FINAL:
        return Unavailable(
            f"{provider} cannot serve this (status {status})", provider=provider, status=status, retryable=False
        )
    if status in (401, 403):
        return CredentialRejected(
            f"{provider} does not accept the credential (status {status})", provider=provider, status=status
        )
    if found in (Meaning.PARTIAL, Meaning.UNEXPECTED):
        return MalformedAnswer(
            f"{provider} answered with status {status}, which was not asked for", provider=provider, status=status
        )
    return ProviderRejected(_rejection(provider, status, found), provider=provider, status=status)


def _rejection(provider: str, status: int, found: Meaning) -> str:
    if found is Meaning.REDIRECT:
        return f"{provider} answered with a redirect (status {status}), which is not followed; check its base address"
    if status == 402:
        return f"{provider} wants payment (status 402): its plan or credit is used up"
    if found is Meaning.NOT_THERE:
        return f"{provider} has nothing at this address (status {status}); check its base address"
    return f"{provider} refused the request (status {status})"
