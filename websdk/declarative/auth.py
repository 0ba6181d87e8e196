"""Writing a vendor's key into a request, as the last step before it leaves. Pure."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from datetime import datetime
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import attrs

from websdk.credentials import MASK, Secret
from websdk.declarative.draft import escaped
from websdk.declarative.vendor import Auth, HttpVendor
from websdk.wire.message import HttpRequest


@attrs.frozen(kw_only=True)
class PresetAuth:
    """Signs as a preset declares; what is sent in place of a key goes away.

    Attributes:
        rule: Where the key goes.
        stand_ins: Names of headers and query keys that are sent only without a key.
    """

    rule: Auth
    stand_ins: frozenset[str] = frozenset()

    @classmethod
    def of(cls, vendor: HttpVendor, stand_ins: Iterable[str]) -> PresetAuth | None:
        """Return the scheme of *vendor*; ``None`` where it takes no key."""
        if vendor.auth is None:
            return None
        return cls(rule=vendor.auth, stand_ins=frozenset(map(str.lower, stand_ins)))

    def sign(self, request: HttpRequest, secret: Secret, now: datetime) -> HttpRequest:
        """Return *request* with *secret* in its place."""
        carrier, _, name = self.rule.at.partition(":")
        value = self._written(secret.reveal())
        headers = tuple(h for h in request.headers if f"header:{h[0].lower()}" not in self.stand_ins)
        request = attrs.evolve(request, headers=headers)
        if carrier == "header":
            return request.with_headers([(name, value)])
        parts = urlsplit(request.url)
        pairs = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] != name]
        query = "&".join(f"{escaped(key)}={escaped(item)}" for key, item in [*pairs, (name, value)])
        return attrs.evolve(request, url=urlunsplit(parts._replace(query=query)))

    def _written(self, key: str) -> str:
        if self.rule.scheme is None:
            return key
        if self.rule.scheme == "Basic" and key != MASK:
            # A key without a password is written with an empty one (RFC 7617 section 2).
            key = base64.b64encode((key if ":" in key else key + ":").encode()).decode()
        return f"{self.rule.scheme} {key}"
