"""What replies mean: rules in order, errors in good statuses, waiting times (the kinds K13 and K15)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from websdk.errors import CredentialRejected, ProviderRejected, RateLimited, Unavailable
from websdk.wire.message import HttpResponse

Make = Callable[..., Any]


# -- K13 -------------------------------------------------------------------------------------------------------------


def test_error_inside_a_good_status_is_a_failure_without_its_text(
    make_desk: Make, make_reply: Make, now: datetime
) -> None:
    body = {"error": {"code": "quota", "message": "monthly plan used up for key sk-demo-123"}}
    error = make_desk().codec.classify(make_reply(body), now=now)

    assert isinstance(error, ProviderRejected)
    assert "sk-demo-123" not in f"{error} {error!r} {vars(error)}"
    assert 200 == error.status


@pytest.mark.parametrize("rest", [{}, {"error": None}, {"error": "a remark"}])
def test_error_member_beside_results_is_no_failure(make_desk: Make, make_reply: Make, now: datetime, rest: Any) -> None:
    assert make_desk().codec.classify(make_reply({"results": [], **rest}), now=now) is None


# -- K15 -------------------------------------------------------------------------------------------------------------


def test_throttling_in_disguise_is_a_rate_limit(make_desk: Make, make_reply: Make, now: datetime) -> None:
    desk = make_desk('errors = [{ status = 202, means = "rate_limited" }]\n')
    error = desk.codec.classify(make_reply("<html><body>One moment</body></html>", status=202), now=now)

    assert isinstance(error, RateLimited)
    assert (True, 202) == (error.retryable, error.status)


# -- rules -----------------------------------------------------------------------------------------------------------

RULES = """
errors = [
  { at = "state", begins = "OK", means = "ok" },
  { at = "state", begins = ["ERROR: Daily", "ERROR: Rate"], means = "rate_limited" },
  { status = 429, at = "error.code", equals = ["NO_MONEY", 17], means = "rejected" },
  { status = [432, 433], means = "rejected" },
  { at = "header:X-Down", means = "unavailable" },
  { at = "error.code", equals = "KEY", means = "credential" },
  { at = "success", equals = false, means = "rejected" },
  { status = 200, at = "state", means = "rejected" },
]
"""


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (200, {"state": "OK", "results": []}, None),
        (200, {"state": "OKAY", "success": False}, None),
        (200, {"state": "ERROR: Daily Limit Reached"}, RateLimited),
        (200, {"state": "ERROR: other"}, ProviderRejected),
        (500, {"state": "OK"}, Unavailable),
        (429, {"error": {"code": "NO_MONEY"}}, ProviderRejected),
        (429, {"error": {"code": 17}}, ProviderRejected),
        (429, {"error": {"code": "OTHER"}}, RateLimited),
        (429, "plain text", RateLimited),
        (433, {}, ProviderRejected),
        (200, {"error": {"code": "KEY"}}, CredentialRejected),
        (200, {"success": False, "results": []}, ProviderRejected),
        (200, {"success": True, "results": []}, None),
        (200, {"success": 0, "results": []}, None),
        (401, {}, CredentialRejected),
        (403, {}, CredentialRejected),
        (404, {}, ProviderRejected),
        (302, {}, ProviderRejected),
        (503, {}, Unavailable),
    ],
)
def test_first_rule_that_fits_counts_and_the_status_comes_last(
    make_desk: Make, make_reply: Make, now: datetime, status: int, body: Any, kind: type[Exception] | None
) -> None:
    error = make_desk(RULES).codec.classify(make_reply(body, status=status), now=now)

    assert kind is (None if error is None else type(error))


def test_rule_can_look_at_a_header(make_desk: Make, make_reply: Make, now: datetime) -> None:
    response = make_reply({"results": []}, headers=(("x-down", "1"),))

    assert isinstance(make_desk(RULES).codec.classify(response, now=now), Unavailable)


def test_reply_that_broke_off_is_an_outage(make_desk: Make, now: datetime) -> None:
    response = HttpResponse(status=200, body=b'{"results": [', incomplete=True)

    assert isinstance(make_desk().codec.classify(response, now=now), Unavailable)


# -- waits -----------------------------------------------------------------------------------------------------------

WAITS = """
[search.results]
at = "results"
url = "url"
[search.reply]
wait = ["header:retry-after-ms", "error.retry_after", "header:X-RateLimit-Reset", "reset_at"]
"""


@pytest.mark.parametrize(
    ("headers", "body", "wait"),
    [
        ({"Retry-After": "20"}, {}, 20.0),
        ({"Retry-After": "Wed, 04 Mar 2026 12:00:20 GMT"}, {}, 20.0),
        ({"Retry-After": "later"}, {}, None),
        ({"Retry-After": "20", "Retry-After-Ms": "1500"}, {}, 1.5),
        ({}, {"error": {"retry_after": 12}}, 12.0),
        ({}, {"error": {"retry_after": "7"}}, 7.0),
        ({}, {"error": {"retry_after": "soon"}}, None),
        ({}, {"error": {"retry_after": -1}}, None),
        ({}, {"error": {"retry_after": True}}, None),
        ({}, {"error": {"retry_after": 1e400}}, None),
        ({}, {"error": {"retry_after": 9999}}, 60.0),
        ({"X-RateLimit-Reset": "1, 50"}, {}, 1.0),
        ({"X-RateLimit-Reset": "1, 50", "X-RateLimit-Remaining": "1, 0"}, {}, 50.0),
        ({"X-RateLimit-Reset": "1, 50", "X-RateLimit-Remaining": "0, 900"}, {}, 1.0),
        ({"X-RateLimit-Reset": "a, b"}, {}, None),
        ({}, {"reset_at": "2026-03-04T12:00:30Z"}, 30.0),
        ({}, {"reset_at": "2026-03-04T11:00:00Z"}, None),
        ({}, {}, None),
    ],
)
def test_waiting_time_is_read_wherever_it_stands(
    make_desk: Make, make_reply: Make, now: datetime, headers: dict[str, str], body: Any, wait: float | None
) -> None:
    response = make_reply(body, status=429, headers=tuple(headers.items()))
    error = make_desk(results=WAITS).codec.classify(response, now=now)

    assert isinstance(error, RateLimited)
    assert wait == error.wait_s


def test_header_of_a_good_answer_orders_no_pause(make_desk: Make) -> None:
    answer = make_desk(results=WAITS).answer({"results": []}, headers=(("X-RateLimit-Reset", "30"),))

    assert answer.pause_s is None
