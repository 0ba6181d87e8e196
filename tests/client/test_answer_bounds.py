"""The outer bounds of an answer, from settings to what a session of a client gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from websdk import Client, FitOptions, SearchAnswer, SearchRequest, SearchResult, Settings, hookimpl
from websdk.budget.answer import to_json
from websdk.model.convert import to_dict
from websdk.protocols.call import Call
from websdk.settings import SearchOptions


class Wordy:
    """A provider whose results are long."""

    id = "wordy"
    filter_keys: frozenset[Any] = frozenset()

    def unsupported_filters(self, filters: Any) -> tuple[Any, ...]:
        return filters.asked()  # type: ignore[no-any-return]

    async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
        return SearchAnswer(
            results=tuple(
                SearchResult(url=f"https://wordy.example/{number}", snippet="word " * 390) for number in range(10)
            )
        )


class Offer:
    """A plugin that offers it."""

    @hookimpl
    def websdk_search_providers(self, assembly: Any) -> Iterator[Any]:
        yield Wordy()


def test_settings_bound_the_answers_of_sessions() -> None:
    tested = Settings(
        plugins=(),
        search=SearchOptions(enabled=True, provider="wordy"),
        fit=FitOptions(max_utf16_units=9_000, max_utf8_bytes=20_000),
    )

    with Client(tested, plugins=[Offer()]) as client, client.session() as session:
        found = session.search("x")

    assert 0 < len(found.results) < 10
    assert len(to_json(to_dict(found))) <= 9_000
