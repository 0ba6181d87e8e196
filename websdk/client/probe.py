"""Asking configured vendors whether they answer: one request each, and only where the vendor names a free one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import attrs

from websdk.declarative import PresetCodec, PresetReader
from websdk.errors import WebSdkError
from websdk.fetch.proxy import HttpReader
from websdk.protocols.call import Call
from websdk.protocols.transport import Limits, TransportFailure
from websdk.search.http_provider import HttpSearchProvider
from websdk.transport.sending import send_recorded
from websdk.transport.vendor import VendorCaller
from websdk.wire import HttpRequest, classify

if TYPE_CHECKING:
    from websdk.client.parts import Parts

PROBE_DEADLINE_S = 5.0  # for all vendors together: a service that is slower than this is not well
MAX_PROBE_BYTES = 64 * 1024  # a health report has a few hundred


@attrs.frozen(kw_only=True)
class Probed:
    """What one vendor's probe found.

    Attributes:
        vendor: Id of the vendor.
        asked: Whether a request was sent.
        ok: Whether it answers; ``None`` where nothing was sent.
        message: What that means, in one sentence.
        elapsed_s: Seconds until the answer; ``None`` where nothing was sent.
    """

    vendor: str
    asked: bool
    ok: bool | None
    message: str
    elapsed_s: float | None = None


def configured_vendors(parts: Parts) -> tuple[str, ...]:
    """Return the vendors that an operator has configured: by a connection, a setting or a credential."""
    named = {connection.vendor or name for name, connection in parts.settings.connections.items()}
    named |= {parts.settings.search.provider, parts.settings.fetch.proxy}
    presets = parts.host.presets()
    for name, preset in presets.items():
        try:
            part = _part(parts, name)
        except WebSdkError:
            continue
        if preset.vendor.auth is not None and part is not None and part.caller.credential is not None:
            named.add(name)
    return tuple(sorted(name for name in named if name in presets))


async def probe(parts: Parts, *, deadline_s: float = PROBE_DEADLINE_S) -> tuple[Probed, ...]:
    """Ask the probe of each configured vendor once, all at the same time.

    Args:
        parts: The client's parts.
        deadline_s: Wall-clock seconds for all of them together.
    """
    async with parts.runtimes.in_use():
        asked = [_probe(parts, name, deadline_s) for name in configured_vendors(parts)]
        return tuple(await asyncio.gather(*asked))


async def _probe(parts: Parts, name: str, deadline_s: float) -> Probed:
    call = Call.start(id=f"probe-{name}", operation="probe", clock=parts.clock, deadline_s=deadline_s)
    try:
        part = _part(parts, name)
        codec = part.codec if part is not None else None
        request = codec.probe() if isinstance(codec, (PresetCodec, PresetReader)) else None
        if part is None or request is None:
            return Probed(vendor=name, asked=False, ok=None, message="names no request that costs nothing; not asked")
        secret = await part.caller.credential.get(call) if part.caller.credential is not None else None
        request = part.caller.signed(request, secret, call.clock.now())
    except WebSdkError as error:
        return Probed(vendor=name, asked=False, ok=None, message=str(error))
    return await _asked(part.caller, request, call)


async def _asked(caller: VendorCaller, request: HttpRequest, call: Call) -> Probed:
    """Send the probe, and say what its answer means."""
    limits = Limits(max_bytes=MAX_PROBE_BYTES, timeout_s=call.remaining_s())
    try:
        reply = await send_recorded(caller.transport, request, limits=limits, recipient=caller.id, call=call)
    except TransportFailure as failure:
        return Probed(vendor=caller.id, asked=True, ok=False, message=str(failure), elapsed_s=call.elapsed_s())
    error = classify(reply, provider=caller.id, now=call.clock.now())
    message = "answers" if error is None else str(error)
    return Probed(vendor=caller.id, asked=True, ok=error is None, message=message, elapsed_s=call.elapsed_s())


def _part(parts: Parts, name: str) -> HttpSearchProvider | HttpReader | None:
    """Return the provider or reader of a preset, whichever half it has."""
    preset = parts.host.preset(name)
    part = parts.provider(name) if preset.search is not None else parts.reader(name)
    return part if isinstance(part, (HttpSearchProvider, HttpReader)) else None
