"""The codec keeps the contract of codecs; one reply serves the start of a search and each look at it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from websdk_example_search.codec import TicketsCodec

from websdk import HttpResponse
from websdk.testing import SearchCodecContract


class TestTickets(SearchCodecContract):
    """A search that is started, waited for and fetched."""

    second_page = {"offset": "20", "limit": "20"}
    is_get = False

    def make_codec(self) -> TicketsCodec:
        return TicketsCodec(base_url="https://tickets.acme.example")

    def reply(self, rows: Sequence[Any]) -> HttpResponse:
        names = {"url": "url", "title": "title", "snippet": "summary"}
        hits = [{names[key]: value for key, value in row.items()} for row in rows]
        return HttpResponse(status=200, body=json.dumps({"id": "job-1", "state": "done", "hits": hits}).encode())
