"""Addresses as the WHATWG URL standard reads them. Pure; the parser is the one door to ``ada_url``."""

from __future__ import annotations

import attrs

WEB_SCHEMES = frozenset({"http", "https"})


@attrs.frozen(kw_only=True)
class WebUrl:
    """The parts of an http(s) address after WHATWG parsing.

    Attributes:
        href: The whole serialisation.
        scheme: ``http`` or ``https``.
        host: Lower-case A-label host, or a literal address (IPv6 in brackets).
        port: The port that a connection would use, 1 to 65,535.
        origin: ``scheme://host[:port]`` with the default port left out.
        has_credentials: Whether a user name or password was written.
    """

    href: str = attrs.field(repr=False)
    scheme: str
    host: str
    port: int
    origin: str
    has_credentials: bool


def parse(url: str, base: str | None = None) -> WebUrl | None:
    """Parse *url* (against *base*) by the WHATWG rules; ``None`` for a failure or a scheme other than http(s)."""
    import ada_url

    try:
        parsed = ada_url.URL(url, base=base)
    except (ValueError, UnicodeError):
        return None
    scheme = parsed.protocol.removesuffix(":")
    if scheme not in WEB_SCHEMES or not parsed.hostname:
        return None
    return WebUrl(
        href=parsed.href,
        scheme=scheme,
        host=parsed.hostname,
        port=int(parsed.port) if parsed.port else (443 if scheme == "https" else 80),
        origin=parsed.origin,
        has_credentials=bool(parsed.username or parsed.password),
    )


def serialise(url: str) -> str | None:
    """Return the WHATWG serialisation of an http(s) *url*, fragment kept; ``None`` where it is not one."""
    parsed = parse(url)
    return None if parsed is None else parsed.href


def join(base: str, reference: str) -> str | None:
    """Resolve *reference* against *base* as a browser does; ``None`` where the outcome is no http(s) address."""
    import ada_url

    try:
        href = str(ada_url.join_url(base, reference))
    except (ValueError, UnicodeError):
        return None
    return href if href.startswith(("http://", "https://")) else None


def without_credentials(url: str) -> str | None:
    """Return the serialisation of *url* without user name and password; ``None`` where it is no http(s) address."""
    import ada_url

    parsed = parse(url)
    if parsed is None or not parsed.has_credentials:
        return None if parsed is None else parsed.href
    bare = ada_url.URL(parsed.href)
    bare.username = ""
    bare.password = ""
    return bare.href


def ascii_host(host: str) -> str | None:
    """Return *host* in lower-case A-labels, or ``None`` where IDNA does not allow it."""
    import ada_url

    try:
        labels = ada_url.idna_to_ascii(host)
    except (ValueError, UnicodeError):
        return None
    text = labels.decode("ascii") if isinstance(labels, bytes) else str(labels)
    return text.lower() or None


def host_of(url: str) -> str | None:
    """Return the host of an http(s) *url* for a message or a log line; ``None`` where it has none."""
    parsed = parse(url)
    return None if parsed is None else parsed.host
