"""Where a vendor's key goes, and where it must not. Pure: a provider is driven by hand over a scripted transport."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

from websdk.credentials import Secret
from websdk.declarative import Preset, PresetCodec, PresetReader
from websdk.testing.desk import NOW
from websdk.testing.report import Finding
from websdk.testing.wire import leaves, stands_at, wire_place
from websdk.wire import HttpRequest, HttpResponse

KEY = "canary-key-4711:second/part+=&9"


def key_place(preset: Preset, codec: PresetCodec | PresetReader, request: HttpRequest) -> Iterator[Finding]:
    """Sign a request, and compare it with the one before."""
    rule, auth = preset.vendor.auth, codec.auth
    if rule is None or auth is None:
        return
    place = wire_place(rule.at, is_get=True)
    signed = auth.sign(request, Secret(KEY), NOW)
    before, after = leaves(request), leaves(signed)
    if place in before and place not in _stand_ins(preset):
        yield Finding(path="vendor.auth.at", message=f"the key takes the place of something else at {rule.at}")
    for leaf in {*before, *after}:
        changed = before.get(leaf) != after.get(leaf)
        if changed and not stands_at(leaf, (place,)) and leaf not in _stand_ins(preset):
            yield Finding(path="vendor.auth.at", message=f"signing also changes {leaf}")
    if place not in after:
        yield Finding(path="vendor.auth.at", message=f"the key is not at {rule.at}")


def _stand_ins(preset: Preset) -> frozenset[str]:
    halves = [half for half in (preset.search, preset.fetch) if half is not None]
    return frozenset(wire_place(place, is_get=half.method == "GET") for half in halves for place in half.keyless or {})


def key_hidden(preset: Preset, codec: PresetCodec | PresetReader, request: HttpRequest) -> Iterator[Finding]:
    """Look for the key in the address, in representations, and in what failures say that echo it."""
    rule, auth = preset.vendor.auth, codec.auth
    if rule is None or auth is None:
        return
    secret = Secret(KEY)
    signed = auth.sign(request, secret, NOW)
    if not rule.at.startswith("query:") and _shows(secret, signed.url):
        yield Finding(path="vendor.auth", message="the key is in the address, and is not declared there")
    if _shows(secret, repr(signed), repr(secret), repr(auth), repr(codec)):
        yield Finding(path="vendor.auth", message="the key is in a representation")
    if _shows(secret, signed.body.decode("utf-8", "replace")):
        yield Finding(path="vendor.auth", message="the key is in the body")
    echo = json.dumps({"error": {"message": f"bad key {KEY}"}, "detail": KEY, "message": KEY}).encode()
    for status in (200, 401, 429, 500):
        with _logged() as records:
            error = codec.classify(HttpResponse(status=status, headers=(("X-Echo", KEY),), body=echo), now=NOW)
        if error is not None and _shows(secret, str(error), repr(error), repr(error.__cause__), repr(vars(error))):
            yield Finding(path="vendor.auth", message=f"a failure with status {status} repeats the key")
        if _shows(secret, *records):
            yield Finding(path="vendor.auth", message="the key is in a log line")


def _shows(secret: Secret, *texts: str) -> bool:
    return any(spelling in text for text in texts for spelling in secret.spellings())


class _logged:
    """Collects every log line while it is open."""

    def __enter__(self) -> list[str]:
        self._lines: list[str] = []
        self._handler = logging.Handler()
        self._handler.emit = lambda record: self._lines.append(record.getMessage())  # type: ignore[method-assign]
        self._root = logging.getLogger()
        self._level = self._root.level
        self._root.addHandler(self._handler)
        self._root.setLevel(logging.DEBUG)
        return self._lines

    def __exit__(self, *exc: Any) -> None:
        self._root.removeHandler(self._handler)
        self._root.setLevel(self._level)
