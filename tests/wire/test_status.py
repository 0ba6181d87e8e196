from __future__ import annotations

from datetime import UTC, datetime

import pytest

from websdk.errors import (
    CredentialRejected,
    MalformedAnswer,
    ProviderError,
    ProviderRejected,
    RateLimited,
    Unavailable,
)
from websdk.wire import ENDPOINT_WAIT_CEILING_S, HttpResponse, Meaning, classify, meaning

NOW = datetime(2026, 3, 4, 12, 0, 0, tzinfo=UTC)
CANARY = "k+/=&9"


def classified(status, *headers, **kwargs):
    return classify(HttpResponse(status=status, headers=headers, **kwargs), provider="acme", now=NOW)


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ((200, 201, 202, 203, 299), Meaning.CONTENT),
        ((204, 205), Meaning.EMPTY),
        ((206,), Meaning.PARTIAL),
        ((300, 301, 302, 303, 304, 307, 308, 399), Meaning.REDIRECT),
        ((404, 410), Meaning.NOT_THERE),
        ((408, 425, 429, 500, 502, 503, 504, 508, 511, 520, 529, 599), Meaning.ASK_AGAIN),
        ((501, 505, 507), Meaning.FINAL),
        ((400, 401, 402, 403, 405, 406, 409, 415, 418, 422, 451, 499), Meaning.REFUSED),
        ((0, 100, 101, 199, 600, 999), Meaning.UNEXPECTED),
    ],
)
def test_each_status_has_one_meaning(statuses, expected):
    assert {expected} == {meaning(status) for status in statuses}


def test_a_success_without_a_byte_is_an_empty_read():
    assert Meaning.EMPTY is meaning(200, has_body=False)
    assert Meaning.NOT_THERE is meaning(404, has_body=False)
    assert Meaning.PARTIAL is meaning(206, has_body=False)


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (301, ProviderRejected, False),
        (304, ProviderRejected, False),
        (206, MalformedAnswer, False),
        (199, MalformedAnswer, False),
        (400, ProviderRejected, False),
        (401, CredentialRejected, False),
        (402, ProviderRejected, False),
        (403, CredentialRejected, False),
        (404, ProviderRejected, False),
        (408, Unavailable, True),
        (422, ProviderRejected, False),
        (429, RateLimited, True),
        (500, Unavailable, True),
        (501, Unavailable, False),
        (503, Unavailable, True),
        (505, Unavailable, False),
        (507, Unavailable, False),
        (529, Unavailable, True),
    ],
)
def test_a_vendor_reply_becomes_the_failure_of_its_status(status, kind, retryable):
    failure = classified(status)

    assert kind is type(failure)
    assert (retryable, True, status, "acme") == (
        failure.retryable,
        failure.sent,
        failure.status,
        failure.provider,
    )


@pytest.mark.parametrize("status", [200, 201, 202, 203, 204])
def test_a_success_is_no_failure(status):
    assert classified(status, body=b"{}") is None


def test_a_reply_that_broke_off_is_no_success():
    failure = classified(200, body=b'{"results": [', incomplete=True)

    assert Unavailable is type(failure)
    assert failure.retryable


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("value", ["20", "Wed, 04 Mar 2026 12:00:20 GMT"])
def test_a_wait_is_read_alike_from_both_statuses_and_both_spellings(status, value):
    assert 20.0 == classified(status, ("Retry-After", value)).wait_s


def test_a_word_gives_no_wait_and_a_long_wait_is_clamped():
    assert classified(429, ("retry-after", "later")).wait_s is None
    assert ENDPOINT_WAIT_CEILING_S == classified(429, ("retry-after", "7200")).wait_s


@pytest.mark.parametrize("status", range(100, 600, 7))
def test_no_text_of_the_reply_is_carried(status):
    headers = (("Location", f"https://a.example/?key={CANARY}"), ("X-Echo", CANARY), ("Retry-After", CANARY))
    failure = classified(status, *headers, body=CANARY.encode())

    assert failure is None or isinstance(failure, ProviderError)
    assert CANARY not in f"{failure} {failure!r} {vars(failure) if failure else ''}"
