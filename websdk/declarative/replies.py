"""What a vendor's reply means: the preset's own rules in order, then its status. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime, time
from typing import Any

import attrs

from websdk.declarative.answers import ErrorRule
from websdk.declarative.dates import read_day
from websdk.declarative.paths import is_filled, look, look_everywhere, number_of, same, sentences
from websdk.declarative.vendor import HttpVendor
from websdk.declarative.words import Meaning
from websdk.errors import (
    CredentialRejected,
    MalformedAnswer,
    ProviderError,
    ProviderRejected,
    RateLimited,
    Unavailable,
)
from websdk.wire import status as common
from websdk.wire.message import HttpResponse
from websdk.wire.retry_after import ENDPOINT_WAIT_CEILING_S, retry_after

MAX_NOTICES = 12  # what a person reads; vendors repeat one warning for each key
MAX_NOTICE_CHARACTERS = 300
# JSON allows eight escapes and \\u; a vendor that writes others still means its text.
_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)')
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")


def read_json(body: bytes) -> Any:
    """Return the JSON value of *body*; ``None`` where it is none."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    for candidate in (text, None):
        try:
            return json.loads(_repaired(text) if candidate is None else candidate, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _repaired(text: str) -> str:
    return _ESCAPE.sub(lambda match: match[0] if match[1] else "\\\\", text)


def meaning_of(rules: Iterable[ErrorRule], response: HttpResponse, data: Any) -> Meaning | None:
    """Return what the first rule that fits says of *response*; ``None`` where none fits."""
    for rule in rules:
        if rule.status and response.status not in rule.status:
            continue
        if rule.at is not None:
            found = look_everywhere(response, data, rule.at)
            if not _holds(rule, found):
                continue
        if rule.means is Meaning.OK and not 200 <= response.status < 300:
            continue
        return rule.means
    return None


def _holds(rule: ErrorRule, found: Any) -> bool:
    if rule.equals:
        return any(same(found, wanted) for wanted in rule.equals)
    if rule.begins:
        return isinstance(found, str) and found.startswith(tuple(rule.begins))
    return is_filled(found)


def failure_of(
    vendor: HttpVendor,
    meaning: Meaning | None,
    response: HttpResponse,
    data: Any,
    wait: Iterable[str] | None,
    *,
    now: datetime,
) -> ProviderError | None:
    """Return the failure for *meaning*, or for the status alone where no rule spoke.

    Args:
        vendor: Who answered.
        meaning: What a rule of the preset says; ``None`` where none fits.
        response: The reply.
        data: Its JSON value.
        wait: Paths of the waiting time.
        now: The aware moment at which the reply arrived.
    """
    if meaning is Meaning.EMPTY:
        return None
    wait_s = wait_of(wait, response, data, now=now)
    if meaning in (None, Meaning.OK):
        error = common.classify(response, provider=vendor.id, now=now)
        if isinstance(error, (RateLimited, Unavailable)) and wait_s is not None:
            error.wait_s = wait_s
        return error
    id, status = vendor.id, response.status
    if meaning is Meaning.RATE_LIMITED:
        return RateLimited(f"{vendor.id} asks for fewer calls", provider=id, status=status, wait_s=wait_s)
    if meaning is Meaning.UNAVAILABLE:
        return Unavailable(f"{vendor.id} reports an outage", provider=id, status=status, wait_s=wait_s)
    if meaning is Meaning.CREDENTIAL:
        return CredentialRejected(f"{vendor.id} does not accept the credential", provider=id, status=status)
    if meaning is Meaning.REJECTED:
        return ProviderRejected(f"{vendor.id} refused the request", provider=id, status=status)
    return None


def unexplained_error(vendor: HttpVendor, response: HttpResponse, data: Any) -> ProviderError | None:
    """Return a failure for a good status whose body holds an error and nothing else that counts."""
    if isinstance(data, dict) and (is_filled(data.get("error")) or is_filled(data.get("errors"))):
        return ProviderRejected(
            f"{vendor.id} reports an error inside a good status", provider=vendor.id, status=response.status
        )
    return None


def malformed(vendor: HttpVendor, response: HttpResponse, what: str) -> MalformedAnswer:
    """Return the failure of a reply that is not what the vendor documents."""
    return MalformedAnswer(f"{vendor.id}: {what}", provider=vendor.id, status=response.status)


def wait_of(paths: Iterable[str] | None, response: HttpResponse, data: Any, *, now: datetime) -> float | None:
    """Return the seconds that a reply asks to wait, clamped; ``None`` where it says nothing readable."""
    for path in paths or ():
        found = look_everywhere(response, data, path)
        seconds = _window(path, str(found), response) if isinstance(found, str) and "," in found else None
        if seconds is None:
            seconds = _seconds(path, found, now)
        if seconds is not None:
            return seconds
    return retry_after(response.header("retry-after"), now=now, ceiling_s=ENDPOINT_WAIT_CEILING_S)


def pause_of(paths: Iterable[str] | None, data: Any) -> float | None:
    """Return the seconds that a good answer asks to hold back: a number in its body."""
    for path in paths or ():
        found = None if path.startswith("header:") else look(data, path)
        number = None if isinstance(found, str) else number_of(found)
        if number is not None and number > 0:
            return min(number, ENDPOINT_WAIT_CEILING_S)
    return None


def _seconds(path: str, found: Any, now: datetime) -> float | None:
    if isinstance(found, bool) or not isinstance(found, (str, int, float)):
        return None
    try:
        number = float(found)
    except (ValueError, OverflowError):
        moment = read_day(found, today=now.date())
        if moment is None:
            return retry_after(str(found), now=now, ceiling_s=ENDPOINT_WAIT_CEILING_S)
        if not isinstance(moment, datetime):
            moment = datetime.combine(moment, time(), UTC)
        number = (moment - now).total_seconds()
    if path.lower().endswith("-ms"):
        number /= 1000
    if not math.isfinite(number) or number < 0:
        return None
    return min(number, ENDPOINT_WAIT_CEILING_S)


def _window(path: str, found: str, response: HttpResponse) -> float | None:
    """Return the wait of a list with one figure for each window: the longest that is used up, else the shortest."""
    resets = [_number(part) for part in found.split(",")]
    left = response.header(re.sub(r"(?i)reset$", "Remaining", path.removeprefix("header:")))
    used_up = [_number(part) == 0 for part in (left or "").split(",")]
    known = [reset for reset in resets if reset is not None]
    if not known:
        return None
    spent = [reset for reset, is_spent in zip(resets, used_up, strict=False) if is_spent and reset is not None]
    return min(max(spent) if spent else min(known), ENDPOINT_WAIT_CEILING_S)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def notices_of(data: Any, paths: Iterable[str] | None) -> tuple[str, ...]:
    """Return what the vendor says at *paths*, bounded and without control characters."""
    said: dict[str, None] = {}
    for path in paths or ():
        for sentence in sentences(look(data, path)):
            text = _CONTROLS.sub(" ", sentence).strip()
            if text:
                said[text[:MAX_NOTICE_CHARACTERS]] = None
            if len(said) >= MAX_NOTICES:
                return tuple(said)
    return tuple(said)


@attrs.frozen(kw_only=True)
class Read:
    """A reply with its JSON value and what the preset's rules say of it."""

    response: HttpResponse
    data: Any
    meaning: Meaning | None


def read_reply(rules: Iterable[ErrorRule], response: HttpResponse) -> Read:
    """Read *response* once for classifying and parsing."""
    data = read_json(response.body)
    return Read(response=response, data=data, meaning=meaning_of(rules, response, data))
