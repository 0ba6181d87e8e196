"""Tests of what a codec or provider makes of answers; the contracts of both are made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest

from websdk.errors import RateLimited, WebSdkError
from websdk.model import SearchAnswer
from websdk.testing.answer_rules import HOSTILE, MARKED_UP, PLAIN
from websdk.testing.claims_contract import ClaimsContract
from websdk.testing.wire import wire_place
from websdk.wire import HttpResponse

Row = Mapping[str, str | None]
"""``url``, ``title`` and ``snippet`` of a row; ``None`` is a null, and what is left out is missing."""

ECHOED = "sk-demo-123"
NEAR_TWINS = (
    "https://a.example/x?b=1&c=2",
    "https://a.example/x?c=2&b=1",
    "https://a.example/x",
    "https://a.example/X",
    "https://a.example/x/",
    "https://a.example/x#one",
    "http://a.example/x",
    "https://a.example/x?utm_source=n",
)


class AnswersContract(ClaimsContract):
    """What holds for answers. Subclasses write rows in their vendor's shape, in :meth:`reply`.

    Attributes:
        html: Which of ``title`` and ``snippet`` the vendor sends as HTML.
        throttled: Replies by which the vendor asks for fewer calls.
        failed_sources: A good reply without rows whose own sources failed; ``None`` where the vendor has none.
        second_page: Values by place (``name``, ``header:name``) that ask for page 2 of 20 results; ``None`` for a
            vendor with one page.
        is_get: Whether places of ``second_page`` are those of a query string.
    """

    html: ClassVar[Sequence[str]] = ()
    throttled: ClassVar[Sequence[HttpResponse]] = (HttpResponse(status=429),)
    failed_sources: ClassVar[HttpResponse | None] = None
    second_page: ClassVar[Mapping[str, str] | None] = None
    is_get: ClassVar[bool] = True

    def reply(self, rows: Sequence[Row]) -> HttpResponse:
        """Return the vendor's good reply with *rows*."""
        raise NotImplementedError

    def _read(self, reply: HttpResponse) -> SearchAnswer:
        return self.desk().answer(reply)

    def test_rows_are_handed_on_in_their_order(self) -> None:
        """Near twins are different pages, and every row of the vendor arrives, whatever was asked."""
        answer = self._read(self.reply([{"url": url, "title": "T", "snippet": "s"} for url in NEAR_TWINS]))

        assert [row.url for row in answer.results] == list(NEAR_TWINS)

    def test_rows_that_break_a_filter_are_handed_on_for_the_client_to_mark(self) -> None:
        """A provider does not hide that its vendor disobeyed."""
        urls = ["https://port.example/a", "https://port.example.test/b", "https://shop.test/port.example"]
        desk = self.desk()
        answer = desk.answer(
            self.reply([{"url": url, "title": "T", "snippet": "s"} for url in urls]), **_asked_for("port.example")
        )

        assert [row.url for row in answer.results] == urls

    def test_missing_and_null_fields_lose_no_row(self) -> None:
        """A row with an address is a result, and a null is as good as nothing."""
        rows: list[Row] = [
            {"url": "https://a.example/1", "title": "One", "snippet": "s"},
            {"url": "https://a.example/2", "title": "Two"},
            {"url": "https://a.example/3"},
            {"url": "https://a.example/4", "title": None, "snippet": None},
        ]
        found = self._read(self.reply(rows)).results

        assert [row.url for row in found] == [row["url"] for row in rows]
        assert [("One", "s"), ("Two", "")] == [(row.title, row.snippet) for row in found[:2]]
        assert ("", "") == (found[2].title, found[2].snippet) == (found[3].title, found[3].snippet)

    def test_row_without_an_address_costs_itself_alone(self) -> None:
        """What has no address is no result, and the others are."""
        rows: list[Row] = [{"title": "None"}, {"url": None, "title": "Null"}, {"url": "https://a.example/3"}]
        found = self._read(self.reply(rows)).results

        assert ["https://a.example/3"] == [row.url for row in found]

    def test_empty_answer_is_a_good_one(self) -> None:
        """No rows are no failure."""
        assert () == self._read(self.reply([])).results

    @pytest.mark.parametrize("name", ["title", "snippet"])
    def test_text_is_text(self, name: str) -> None:
        """Plain text arrives unchanged, and HTML loses its tags and is decoded once."""
        sent, wanted = (MARKED_UP, PLAIN) if name in self.html else (HOSTILE, HOSTILE)
        row: Row = {"url": "https://a.example/1", "title": "T", "snippet": "s", name: sent}
        [found] = self._read(self.reply([row])).results

        assert wanted == getattr(found, name)

    def test_error_inside_a_good_status_is_a_failure_that_does_not_repeat_it(self) -> None:
        """Not an empty success, no crash, and nothing of the vendor's text."""
        body = {"error": {"code": "quota", "message": f"monthly plan used up for key {ECHOED}"}}
        with pytest.raises(WebSdkError) as caught:
            self._read(HttpResponse(status=200, body=json.dumps(body).encode()))

        assert ECHOED not in f"{caught.value} {caught.value!r} {caught.value.__cause__!r}"

    @pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
    def test_failing_status_is_a_failure(self, status: int) -> None:
        """Never an empty success."""
        with pytest.raises(WebSdkError):
            self._read(HttpResponse(status=status, body=b"{}"))

    def test_throttling_is_a_rate_limit(self) -> None:
        """In whatever dress the vendor sends it."""
        for reply in self.throttled:
            with pytest.raises(RateLimited):
                self._read(reply)

    def test_sources_that_failed_are_not_told_as_no_results(self) -> None:
        """An answer without rows whose sources failed is a failure, or says that it is incomplete."""
        if self.failed_sources is None:
            pytest.skip("the vendor has no sources of its own that can fail")
        try:
            answer = self._read(self.failed_sources)
        except WebSdkError:
            return
        assert answer.incomplete
        assert answer.notices

    def test_second_page_is_asked_for_in_the_vendors_unit(self) -> None:
        """Rows or pages, from 0 or from 1."""
        desk = self.desk()
        if self.second_page is None:
            assert desk.refuses(page=2)
            return
        wire = desk.wire(max_results=20, page=2)

        assert dict(self.second_page) == {
            place: wire.get(wire_place(place, is_get=self.is_get)) for place in self.second_page
        }


def _asked_for(host: str) -> dict[str, Any]:
    from websdk.model import Filters

    return {"filters": Filters(include_domains=(host,))}
