"""What was sent to whom, what it cost, and who learned what."""

from __future__ import annotations

from datetime import datetime

import attrs


@attrs.frozen(kw_only=True)
class Usage:
    """What a vendor says a call cost.

    Attributes:
        amount: The figure.
        unit: What it counts, such as ``credits``, ``usd`` or ``tokens``.
        left: What is left of the quota, in the same unit; ``None`` where the vendor does not say.
    """

    amount: float | None = None
    unit: str | None = None
    left: float | None = None


@attrs.frozen(kw_only=True)
class Attempt:
    """One request that left, or was about to.

    Attributes:
        recipient: Provider or rung that was contacted.
        host: Host and port that got the request.
        outcome: ``ok``, or the category of the failure.
        status: HTTP status; ``None`` where no reply arrived.
        elapsed_s: Wall-clock seconds from the request to the end of its reply.
        wire_bytes: Bytes of the reply's body as they came over the wire.
        proxied: Whether a configured proxy carried it, and therefore resolved the name.
    """

    recipient: str
    host: str
    outcome: str
    status: int | None = None
    elapsed_s: float | None = None
    wire_bytes: int | None = None
    proxied: bool = False


@attrs.frozen(kw_only=True)
class Receipt:
    """The record of one call; it holds no query, page path, credential or remote text.

    Attributes:
        call_id: Id of the call, as in its events, log lines and errors.
        operation: ``search`` or ``fetch``.
        recipient: The provider or rung that served.
        started_at: Aware moment of the start.
        elapsed_s: Wall-clock seconds.
        attempts: Every request, in order.
        cached: Whether the answer was reused and nothing was sent.
    """

    call_id: str
    operation: str
    recipient: str
    started_at: datetime
    elapsed_s: float
    attempts: tuple[Attempt, ...] = ()
    cached: bool = False


@attrs.frozen(kw_only=True)
class Disclosure:
    """Who learns what by a search.

    Attributes:
        recipient: The vendor that receives the query.
        text: Sentences for the person who decides.
    """

    recipient: str
    text: str
