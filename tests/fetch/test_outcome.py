"""What replies to page reads mean."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from websdk.egress import judge_url
from websdk.errors import AskAgain, Unreadable
from websdk.fetch.outcome import failure_of
from websdk.protocols.fetch import RawDocument

NOW = datetime(2026, 3, 4, tzinfo=UTC)
PAGE = judge_url("https://a.example/page")


@pytest.mark.parametrize("body", [b"", b" \n"])
def test_reply_that_broke_off_before_the_page_is_an_outage_and_no_empty_page(body: bytes) -> None:
    torn = RawDocument(body=body, content_type="text/html", status=200, served_url=PAGE.href, incomplete=True)

    failure = failure_of(torn, PAGE, now=NOW)

    assert isinstance(failure, AskAgain)
    assert failure.retryable is True


def test_whole_reply_without_a_page_is_an_empty_page() -> None:
    empty = RawDocument(body=b"", content_type="text/html", status=200, served_url=PAGE.href)

    assert isinstance(failure_of(empty, PAGE, now=NOW), Unreadable)
