"""Secrets: values that no representation, log line or file ever shows."""

from __future__ import annotations

import base64
import hmac
import json
from datetime import datetime
from typing import NoReturn, final
from urllib.parse import quote, quote_plus

MASK = "***"
MIN_SCRUBBED = 6  # a shorter text is no credential of any vendor, and masking it would eat ordinary words


@final
class Secret:
    """A credential, masked everywhere but in :meth:`reveal`.

    Args:
        value: The credential's text; not empty.
        expires_at: Aware moment after which the source must be asked again; ``None`` for no end.
    """

    __slots__ = ("_value", "expires_at")

    def __init__(self, value: str, expires_at: datetime | None = None) -> None:
        if not isinstance(value, str) or not value:
            raise ValueError("a secret is a text that is not empty")
        self._value = value
        self.expires_at = expires_at

    def reveal(self) -> str:
        """Return the credential itself, for the one place that writes it into a request."""
        return self._value

    def spellings(self) -> frozenset[str]:
        """Return every text under which the secret may show: raw, percent-, form-, JSON- and base64-encoded."""
        raw = self._value
        encoded = base64.b64encode(raw.encode()).decode()
        return frozenset(
            {
                raw,
                quote(raw, safe=""),
                quote(raw),
                quote_plus(raw),
                quote(raw, safe="").lower(),
                json.dumps(raw)[1:-1],
                json.dumps(raw, ensure_ascii=False)[1:-1],
                encoded,
                encoded.rstrip("="),
                base64.urlsafe_b64encode(raw.encode()).decode().rstrip("="),
            }
        )

    def masked_in(self, text: str) -> str:
        """Return *text* with every spelling of the secret masked, the longest first."""
        if len(self._value) < MIN_SCRUBBED:
            return text
        for spelling in sorted(self.spellings(), key=len, reverse=True):
            if spelling in text:
                text = text.replace(spelling, MASK)
        return text

    def is_expired(self, now: datetime) -> bool:
        """Tell whether the secret may no longer be used at *now* (aware)."""
        return self.expires_at is not None and now >= self.expires_at

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._value.encode(), other._value.encode())

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is not serialised; name the credential and resolve it where it is used")

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: object) -> Secret:
        return self
