"""Resolve the links of a page to absolute addresses, as a browser would."""

from __future__ import annotations

import re

from websdk.model import urls

_SCHEME = re.compile(r"[\s\x00-\x1f]*([a-zA-Z][a-zA-Z0-9+.\-\t\n\r]*):")
_MAILTO = re.compile(r"\s*mailto:([^\s<>()\[\]]+@[^\s<>()\[\]?]+)", re.I)
# Longer addresses are payload (inlined images, tracking blobs), not something to follow.
_MAX_URL = 2_048


class LinkBase:
    """What the relative links of one page are joined to.

    Args:
        url: The page's address.
        base_href: What its first ``base`` element says; ``None`` where it has none.
    """

    def __init__(self, url: str, base_href: str | None = None) -> None:
        self._base = urls.serialise(url)
        if base_href is not None:
            self._base = (urls.join(self._base, base_href) if self._base else urls.serialise(base_href)) or self._base
        self._known: dict[str, str | None] = {}

    def resolve(self, href: str) -> str | None:
        """Resolve one link.

        Args:
            href: The attribute as written.

        Returns:
            An absolute http, https or mailto address, or ``None`` where the link leads nowhere a reader could go
            (scripts, inlined data, other schemes, addresses that do not parse).
        """
        if href not in self._known:
            self._known[href] = self._resolve(href)
        return self._known[href]

    def _resolve(self, href: str) -> str | None:
        if len(href) > _MAX_URL:
            return None
        scheme = _SCHEME.match(href)
        if scheme is not None:
            name = re.sub(r"\s", "", scheme.group(1)).lower()
            if name == "mailto":
                mail = _MAILTO.match(href)
                return f"mailto:{mail.group(1)}" if mail else None
            if name not in urls.WEB_SCHEMES:
                return None
        found = urls.join(self._base, href) if self._base is not None else urls.serialise(href)
        return urls.without_credentials(found) if found is not None and "@" in found else found
