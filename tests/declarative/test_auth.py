"""Where keys go, and where they do not."""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from websdk.credentials import MASK, Secret
from websdk.declarative import PresetCodec, PresetReader, load_preset
from websdk.errors import PresetError
from websdk.model import Connection

Make = Callable[..., Any]
KEY = "k+/=&9"


def signed(desk: Any, now: datetime, key: str = KEY) -> Any:
    """Return the signed request."""
    return desk.codec.auth.sign(desk.wire(), Secret(key), now)


@pytest.mark.parametrize(
    ("auth", "name", "value"),
    [
        ('{ at = "header:X-Key" }', "x-key", KEY),
        ('{ at = "header:Authorization", scheme = "Bearer" }', "authorization", f"Bearer {KEY}"),
        (
            '{ at = "header:Authorization", scheme = "Basic" }',
            "authorization",
            "Basic " + base64.b64encode(f"{KEY}:".encode()).decode(),
        ),
        ('{ at = "header:Authorization", scheme = "ApiKey" }', "authorization", f"ApiKey {KEY}"),
    ],
)
def test_key_goes_to_its_header(make_desk: Make, now: datetime, auth: str, name: str, value: str) -> None:
    desk = make_desk(vendor=f"auth = {auth}")
    request = signed(desk, now)

    assert value == request.header(name)
    assert KEY not in request.url
    assert KEY not in repr(request)
    assert KEY.encode() not in request.body


def test_user_and_password_are_encoded_together(make_desk: Make, now: datetime) -> None:
    desk = make_desk(vendor='auth = { at = "header:Authorization", scheme = "Basic" }')

    assert "Basic dTpw" == signed(desk, now, "u:p").header("authorization")


def test_key_in_the_query_is_escaped_and_changes_nothing_else(make_desk: Make, now: datetime) -> None:
    desk = make_desk('fixed = { empty = "", q2 = "a b&c+d" }\n', vendor='auth = { at = "query:key" }', method="GET")

    assert desk.wire().url + "&key=k%2B%2F%3D%269" == signed(desk, now).url
    assert signed(desk, now).url == desk.codec.auth.sign(signed(desk, now), Secret(KEY), now).url


@pytest.mark.parametrize(
    "auth",
    ['{ at = "header:X-Key" }', '{ at = "query:key" }', '{ at = "header:Authorization", scheme = "Basic" }'],
)
def test_masked_key_shows_as_a_mask(make_desk: Make, now: datetime, auth: str) -> None:
    request = signed(make_desk(vendor=f"auth = {auth}", method="GET"), now, MASK)

    assert any(text.endswith(MASK) for text in (request.url, *(value for _, value in request.headers)))


def test_stand_in_for_a_key_goes_when_a_key_is_signed(make_desk: Make, now: datetime) -> None:
    desk = make_desk(
        'keyless = { "header:X-Access" = "keyless" }\n',
        vendor='auth = { at = "header:Authorization", scheme = "Bearer" }',
    )

    assert not desk.codec.needs_credential
    assert "keyless" == desk.wire().header("x-access")
    assert signed(desk, now).header("x-access") is None


def test_shared_key_is_replaced_by_ones_own(make_desk: Make, now: datetime) -> None:
    desk = make_desk('keyless = { "header:X-Key" = "public" }\n', vendor='auth = { at = "header:X-Key" }')

    assert "public" == desk.wire().header("x-key")
    assert (KEY,) == tuple(value for name, value in signed(desk, now).headers if name == "X-Key")


def test_vendor_without_keys_has_no_scheme(make_desk: Make) -> None:
    codec = make_desk().codec

    assert (None, False) == (codec.auth, codec.needs_credential)


def test_key_is_bound_to_the_origins_that_the_file_writes(make_text: Make) -> None:
    text = make_text('base_url = "https://s.harbour.example/v1"\n', vendor='auth = { at = "header:X-Key" }')
    text += '\n[fetch]\nbase_url = "https://r.harbour.example"\npath = "/"\nurl = "url"\npage = { html = "body" }\n'
    preset = load_preset(text, name="harbour")
    own = frozenset({"https://api.harbour.example", "https://s.harbour.example", "https://r.harbour.example"})

    assert (
        own == PresetCodec(preset, Connection(name="x")).origins == PresetReader(preset, Connection(name="x")).origins
    )
    foreign = Connection(name="x", base_url="https://gate.example/h")
    assert frozenset() == PresetCodec(preset, foreign).origins
    named = Connection(name="x", base_url="https://gate.example/h", credential="gate")
    assert frozenset({"https://gate.example"}) == PresetCodec(preset, named).origins


def test_key_of_a_service_that_one_runs_goes_to_its_address(make_text: Make) -> None:
    text = make_text(vendor='auth = { at = "header:X-Key" }').replace('base_url = "https://api.harbour.example"', "")
    preset = load_preset(text, name="harbour")

    assert frozenset() == PresetCodec(preset, Connection(name="x")).origins
    there = Connection(name="x", base_url="http://127.0.0.1:7700")
    assert frozenset({"http://127.0.0.1:7700"}) == PresetCodec(preset, there).origins


def test_probe_is_a_plain_get_of_its_path(make_desk: Make) -> None:
    codec = make_desk(vendor='probe = "/health"\nmin_interval_s = 5\nmax_reply_bytes = 2048').codec
    request = codec.probe()

    assert ("GET", "https://api.harbour.example/health") == (request.method, request.url)
    assert (5.0, 2048) == (codec.min_interval_s, codec.max_reply_bytes)
    assert (None, None, 2 * 1024 * 1024) == (
        make_desk().codec.probe(),
        make_desk().codec.min_interval_s,
        make_desk().codec.max_reply_bytes,
    )


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_interval_that_is_no_finite_number_is_refused(make_text: Make, value: str) -> None:
    with pytest.raises(PresetError, match=r"vendor\.min_interval_s: must be a finite number"):
        load_preset(make_text(vendor=f"min_interval_s = {value}"), name="harbour")
