"""What a reply to a page read means: content, or one of the failures that a caller can act on. Pure."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlsplit

import attrs

from websdk.errors import AskAgain, FetchError, NotFound, Redirected, TooLarge, Unreadable
from websdk.model.urls import join, without_credentials
from websdk.protocols.fetch import CheckedUrl, RawDocument
from websdk.protocols.transport import FailureKind, TransportFailure
from websdk.reading import Seen
from websdk.wire.retry_after import ORIGIN_WAIT_CEILING_S, retry_after
from websdk.wire.status import Meaning, meaning

MAX_DESTINATION = 2_048  # as long as any address that a result may carry
NO_TLS = "tls_failure"
BAD_CODING = "content_coding"
# What the beginning of a page may look like whose rest never came. Other kinds of failure the rest would not change.
_OF_A_PART = frozenset(
    {
        Seen.EMPTY,
        Seen.HIDDEN_ONLY,
        Seen.SCRIPT_SHELL,
        Seen.CONSENT_WALL,
        Seen.LOGIN,
        Seen.CHALLENGE,
        "broken_pdf",
        "pdf_without_text",
    }
)


def failure_of(raw: RawDocument, url: CheckedUrl, *, now: datetime) -> FetchError | None:
    """Return the failure that the page's status means, or ``None`` where its bytes are to be read.

    One table serves every rung. A rung that does not know the origin's status states none.

    Args:
        raw: What the rung brought back.
        url: The address that was asked for.
        now: The aware moment, for waits that are stated as dates.
    """
    status = 200 if raw.status is None else raw.status
    found = meaning(status, has_body=bool(raw.body.strip()))
    if found in (Meaning.CONTENT, Meaning.PARTIAL):
        return None
    if found is Meaning.EMPTY and raw.incomplete:
        return _broke_off(raw, url)
    if found is Meaning.EMPTY:
        return Unreadable(f"the page of {url.host} came back empty", seen=Seen.EMPTY)
    if found is Meaning.REDIRECT:
        return _redirected(raw.location, status, url)
    if found is Meaning.NOT_THERE:
        return NotFound(f"{url.host} has no such page (status {status})", status=status)
    if found is Meaning.ASK_AGAIN:
        wait_s = retry_after(raw.retry_after, now=now, ceiling_s=ORIGIN_WAIT_CEILING_S)
        return AskAgain(_ask_again(url.host, status, wait_s), wait_s=wait_s, status=status)
    return Unreadable(f"{url.host} does not hand out the page (status {status})", seen=f"status_{status}")


def unread(failure: Unreadable, raw: RawDocument, url: CheckedUrl) -> FetchError:
    """Return what it means that nothing was read of *raw*: of a reply that broke off, nothing is known.

    Args:
        failure: What the reading says.
        raw: What the rung brought back.
        url: The address that was asked for.
    """
    is_part = raw.status is not None and meaning(raw.status) is Meaning.PARTIAL
    return _broke_off(raw, url) if raw.incomplete and not is_part and failure.seen in _OF_A_PART else failure


def received(raw: RawDocument) -> RawDocument:
    """Return *raw* with what its status says about its wholeness, and with a serving address that is one.

    A vendor names that address, so it is text of a stranger: credentials go, and what is no address is as good as none.
    """
    served = None if raw.served_url is None else without_credentials(raw.served_url)
    if served is not None and len(served) > MAX_DESTINATION:
        served = None
    partial = raw.status is not None and meaning(raw.status) is Meaning.PARTIAL
    return attrs.evolve(raw, served_url=served, incomplete=raw.incomplete or partial)


def untransported(failure: TransportFailure, url: CheckedUrl, *, timeout_s: float) -> FetchError:
    """Return the failure of a page read whose reply never arrived whole.

    Args:
        failure: What the transport says.
        url: The address that was asked for.
        timeout_s: Seconds that the exchange had.
    """
    host, sent = url.host, failure.sent
    if failure.kind is FailureKind.TOO_LARGE:
        limit = failure.limit_bytes or 0
        return TooLarge(f"the page of {host} is larger than {limit:,} bytes", limit_bytes=limit, sent=sent)
    if failure.kind is FailureKind.CODING:
        return Unreadable(f"{host} sent a content coding that is not read here", seen=BAD_CODING, sent=sent)
    if failure.kind is FailureKind.TLS:
        return Unreadable(f"no trusted connection to {host} came about", seen=NO_TLS, sent=sent)
    said = {
        FailureKind.RESOLVE: f"the name {host} does not resolve",
        FailureKind.CONNECT: f"{host} takes no connection",
        FailureKind.TIMEOUT: f"{host} did not answer within {timeout_s:.3g} s",
    }.get(failure.kind, f"{host} broke off its reply")
    return AskAgain(f"{said}; the same read may work later", sent=sent)


def _broke_off(raw: RawDocument, url: CheckedUrl) -> AskAgain:
    return AskAgain(f"{url.host} broke off its reply; the same read may work later", status=raw.status)


def _ask_again(host: str, status: int, wait_s: float | None) -> str:
    when = "later" if wait_s is None else f"in {wait_s:g} s"
    return f"{host} cannot answer now (status {status}); ask again {when}"


def _redirected(location: str | None, status: int, url: CheckedUrl) -> Redirected:
    destination = _destination(location, url)
    if destination is None:
        return Redirected(
            f"{url.host} redirects without a usable destination (status {status})", destination=None, status=status
        )
    host = urlsplit(destination).hostname
    return Redirected(
        f"the page moved to {host} (status {status}); redirects are not followed, read the destination instead",
        destination=destination,
        status=status,
    )


def _destination(location: str | None, url: CheckedUrl) -> str | None:
    if not location or len(location) > 2 * MAX_DESTINATION:
        return None
    joined = join(url.href, _as_sent(location))
    bare = None if joined is None else without_credentials(joined)
    return bare if bare is not None and len(bare) <= MAX_DESTINATION else None


def _as_sent(location: str) -> str:
    """Read a field that was taken for Latin-1 as the UTF-8 that browsers take it for."""
    try:
        return location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return location
