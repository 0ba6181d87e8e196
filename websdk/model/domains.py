"""Host names as filters use them, and the public-suffix list. Pure; the one door to ``tldextract``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from websdk.model.urls import ascii_host

if TYPE_CHECKING:
    from tldextract import TLDExtract

MAX_HOST_CHARACTERS = 253  # RFC 1035 section 2.3.4, without the trailing dot
_HOST = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9-]{0,61}[a-z0-9])?")
_NUMERIC_TAIL = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")


def bare_host(text: str) -> str | None:
    """Return *text* as a lower-case A-label host name, or ``None`` where it is anything else.

    A scheme, port, path, wildcard, credentials or a literal address is not a host name. One trailing dot is dropped.
    """
    name = text.removesuffix(".")
    if not name.isascii():
        name = ascii_host(name) or ""
    name = name.lower()
    if len(name) > MAX_HOST_CHARACTERS or not _HOST.fullmatch(name) or _NUMERIC_TAIL.fullmatch(name):
        return None
    return name


def is_within(host: str, domain: str) -> bool:
    """Tell whether *host* is *domain* or a subdomain of it (both lower-case A-labels)."""
    return host == domain or host.endswith("." + domain)


@lru_cache(maxsize=1)
def _suffixes() -> TLDExtract:
    from tldextract import TLDExtract

    # The bundled snapshot and no cache folder: a look-up must touch neither network nor disk.
    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=False)


def registrable_domain(host: str) -> str | None:
    """Return the registrable part of *host* (``example.co.uk`` of ``docs.example.co.uk``), or ``None`` without one."""
    return _suffixes()(host).top_domain_under_public_suffix or None


def is_public_suffix(host: str) -> bool:
    """Tell whether *host* is a public suffix such as ``com`` or ``co.uk``, under which anybody may register."""
    parts = _suffixes()(host)
    return bool(parts.suffix) and not parts.domain
