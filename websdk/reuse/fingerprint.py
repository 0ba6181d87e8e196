"""Names for requests that hold neither the request nor a secret: keyed hashes."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from websdk.credentials import Secret

_DIGEST_BYTES = 20  # 160 bits: no two requests meet by chance
NO_CREDENTIAL = "none"


def fingerprint(key: bytes, **parts: Any) -> str:
    """Return the name of what *parts* describe; equal parts get equal names under one key.

    Args:
        key: Random bytes, at most 64; without them nobody can try out what a name stands for.
        parts: Plain JSON data by name.

    Raises:
        TypeError: A part is no plain data.
    """
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return blake2b(text.encode("ascii"), key=key, digest_size=_DIGEST_BYTES).hexdigest()


def credential_fingerprint(key: bytes, secret: Secret | None) -> str:
    """Return the name of a credential, which changes when the credential does and tells nothing of it."""
    return NO_CREDENTIAL if secret is None else fingerprint(key, credential=secret.reveal())
