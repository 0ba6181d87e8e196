"""The egress guard's judgement: a URL as text, then the addresses that its host resolves to. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NoReturn

from websdk.egress.addresses import PUBLIC, parse_address, word_for
from websdk.egress.policy import AllowEntry
from websdk.egress.ports import BAD_PORTS
from websdk.egress.reasons import ALLOWED
from websdk.errors import EgressRefused
from websdk.model.domains import bare_host, is_within
from websdk.model.urls import WEB_SCHEMES, WebUrl, parse
from websdk.protocols.fetch import CheckedUrl, Verdict

MAX_URL_CHARACTERS = 8_192  # what servers commonly take in a request line; longer ones are no addresses of pages

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_IPV6 = re.compile(r"\[[0-9A-Fa-f:.]*\]")
# Names that mean this machine (RFC 6761), or a metadata service, on every network that knows them. A proxy resolves
# names out of our sight, so they are refused as names.
_LOCAL_NAMES = ("localhost", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal")


def judge_url(url: str, *, allow: Sequence[AllowEntry] = ()) -> CheckedUrl:
    """Judge an address as text, and its host where that is a literal address. No name is looked up.

    Args:
        url: The address, verbatim.
        allow: What the operator opened.

    Returns:
        The address in its one serialisation. Where the host is a name, what it resolves to is still to be judged.

    Raises:
        EgressRefused: A rule forbids the address; ``reason`` names it.
    """
    host = _host_as_written(_authority(url))
    parsed = parse(url)
    if parsed is None or not parsed.host:
        _refuse("unparsable_host")
    if parsed.port in BAD_PORTS:
        _refuse("blocked_port", parsed.host)
    checked = _checked(parsed)
    if parse_address(checked.host) is None:
        _judge_name(checked.host)
        return checked
    verdict = judge_addresses(checked, (checked.host,), allow)
    if not verdict.allowed:
        _refuse(verdict.reason, checked.host)
    if not host.startswith("[") and host != checked.host:
        _refuse("host_spelling", checked.host)
    return checked


def _authority(url: str) -> str:
    if not isinstance(url, str) or not url.strip():
        _refuse("no_scheme")
    if len(url) > MAX_URL_CHARACTERS:
        _refuse("too_long")
    if url != url.strip() or _CONTROL.search(url):
        _refuse("control_character")
    scheme = _SCHEME.match(url)
    if scheme is None:
        _refuse("no_scheme")
    if scheme[1].lower() not in WEB_SCHEMES:
        _refuse("scheme")
    rest = url[scheme.end() :]
    authority = re.split(r"[/?#]", rest[2:], maxsplit=1)[0]
    if not rest.strip("/") or (rest.startswith("//") and not authority):
        _refuse("empty_host")
    # One parser skips missing or doubled slashes, another reads them as a path; a backslash is a slash to some only.
    if not rest.startswith("//") or "\\" in authority:
        _refuse("host_spelling")
    if "@" in authority:
        _refuse("credentials")
    return authority


def _host_as_written(authority: str) -> str:
    if authority.startswith("["):
        bracketed, bracket, tail = authority.partition("]")
        host = bracketed + bracket
        if "%" in host:
            _refuse("zone_id")
        if not _IPV6.fullmatch(host) or (tail and not tail.startswith(":")):
            _refuse("unparsable_host")
        colon, port = tail[:1], tail[1:]
    else:
        host, colon, port = authority.partition(":")
    if not host:
        _refuse("empty_host")
    if "%" in host:
        _refuse("host_spelling")
    if colon and not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) <= 65_535):
        _refuse("bad_port")
    return host


def _judge_name(host: str) -> None:
    if host.endswith("."):
        _refuse("local_name" if _is_local(host.rstrip(".")) else "host_spelling", host)
    if _is_local(host):
        _refuse("local_name", host)
    if bare_host(host) != host:
        _refuse("unparsable_host")


def _is_local(host: str) -> bool:
    return any(is_within(host, name) for name in _LOCAL_NAMES)


def _checked(parsed: WebUrl) -> CheckedUrl:
    return CheckedUrl(
        href=parsed.href.partition("#")[0],
        scheme=parsed.scheme,
        host=parsed.host.removeprefix("[").removesuffix("]"),
        port=parsed.port,
        origin=parsed.origin,
    )


def judge_addresses(checked: CheckedUrl, addresses: Iterable[str], allow: Sequence[AllowEntry] = ()) -> Verdict:
    """Judge what the host of *checked* resolves to; one address that is denied denies the whole set.

    Args:
        checked: An address that :func:`judge_url` returned.
        addresses: Every answer of the one look-up, as literals; a scope id does not matter.
        allow: What the operator opened.
    """
    return judge_host(checked.host, checked.port, addresses, allow)


def judge_host(host: str, port: int, addresses: Iterable[str], allow: Sequence[AllowEntry] = ()) -> Verdict:
    """Judge what *host* resolves to for a connection to *port*; see :func:`judge_addresses`."""
    answers = tuple(addresses)
    if not answers:
        return Verdict(allowed=False, reason="resolution_failed")
    entries = [entry for entry in allow if entry.covers(host, port)]
    for answer in answers:
        reason = _objection(answer, entries)
        if reason is not None:
            return Verdict(allowed=False, reason=reason)
    return Verdict(allowed=True, reason=ALLOWED if entries else PUBLIC)


def _objection(answer: str, entries: Sequence[AllowEntry]) -> str | None:
    address = parse_address(answer)
    if address is None:
        return "not_an_address"
    word = word_for(address)
    if not entries:
        return None if word == PUBLIC else word
    if any(entry.admits(address) for entry in entries):
        return None
    return "outside_allowed_networks" if word == PUBLIC else word


def verdict(url: str, addresses: Iterable[str] = (), allow: Sequence[AllowEntry] = ()) -> Verdict:
    """Return what the guard says of *url* whose host resolves to *addresses*.

    Args:
        url: The address, verbatim.
        addresses: What its host resolves to; may be empty where the host is a literal address.
        allow: What the operator opened.

    Returns:
        Whether a page read may go there, and the rule that decided.
    """
    try:
        checked = judge_url(url, allow=allow)
    except EgressRefused as refused:
        return Verdict(allowed=False, reason=refused.reason)
    answers = tuple(addresses)
    if parse_address(checked.host) is not None:
        answers = (checked.host, *answers)
    return judge_addresses(checked, answers, allow)


def refusal(reason: str, host: str | None = None) -> EgressRefused:
    """Return the refusal for *reason*; its message names the host and the rule, and nothing that was resolved."""
    at = f" at {host}" if host else ""
    return EgressRefused(f"the egress guard refuses the address{at}: {reason}", reason=reason, host=host)


def _refuse(reason: str, host: str | None = None) -> NoReturn:
    raise refusal(reason, host)
