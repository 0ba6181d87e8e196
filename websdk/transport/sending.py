"""Sending with a record: whatever becomes of a request, the receipt knows that it was made."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from websdk.errors import EgressRefused
from websdk.model.receipt import Attempt
from websdk.model.urls import parse
from websdk.protocols.call import Call
from websdk.protocols.transport import FailureKind, Limits, Transport, TransportFailure
from websdk.wire import HttpRequest, HttpResponse
from websdk.wire.status import Meaning, meaning


def by_status(reply: HttpResponse) -> str:
    """Return what the receipt says of *reply*, by its status alone."""
    found = meaning(reply.status, has_body=bool(reply.body))
    return "ok" if found in (Meaning.CONTENT, Meaning.PARTIAL) else found.value


async def send_recorded(
    transport: Transport,
    request: HttpRequest,
    *,
    limits: Limits,
    recipient: str,
    call: Call,
    outcome: Callable[[HttpResponse], str] = by_status,
) -> HttpResponse:
    """Send *request* once and record it, also where it fails or is cancelled.

    Args:
        transport: What sends.
        request: The request.
        limits: Bounds of the exchange.
        recipient: Provider or rung, for the record.
        call: The call whose record it is.
        outcome: What the record says of a reply.

    Raises:
        TransportFailure: No usable reply.
        EgressRefused: The guard forbids the address.
    """
    target = parse(request.url)
    host = "" if target is None else f"{target.host}:{target.port}"
    attempt = Attempt(recipient=recipient, host=host, outcome="cancelled")
    started = call.clock.monotonic()
    try:
        reply = await transport.send(request, limits=limits)
        attempt = attrs.evolve(
            attempt,
            outcome=outcome(reply),
            status=reply.status,
            wire_bytes=reply.wire_bytes,
            proxied=reply.proxied,
        )
        return reply
    except TransportFailure as failure:
        attempt = attrs.evolve(attempt, outcome=failure.kind.value)
        raise
    except EgressRefused:
        attempt = attrs.evolve(attempt, outcome="refused")
        raise
    except Exception:  # an embedder's part broke, which is no cancelling
        attempt = attrs.evolve(attempt, outcome=FailureKind.BROKEN.value)
        raise
    finally:
        call.record(attrs.evolve(attempt, elapsed_s=call.clock.monotonic() - started))
