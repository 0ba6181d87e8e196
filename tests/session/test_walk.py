"""Whatever a vendor sends, however small the preview: every stored character is reached by the calls that are named."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from websdk.budget.answer import to_json
from websdk.budget.options import PreviewOptions
from websdk.evidence import EvidenceOptions
from websdk.model import SearchResult
from websdk.session import AsyncSession, SessionOptions
from websdk.session.shelf import settled
from websdk.tools import Style, Surface

from .conftest import HandClock, Script

MOST_CALLS = 2_000  # far more than any walk below takes; one that stands still ends here

pieces = st.sampled_from(
    [
        "word ",
        "é",
        "\U0001f468\u200d\U0001f469",
        "\n",
        '"',
        "\\",
        "Note: x\n",
        "漢字",
        "\x07",
        "[x](y)",
        "x" * 120,
        "\u2028",
    ]
)
texts = st.lists(pieces, max_size=60).map("".join)
rows = st.builds(
    lambda path, title, snippet, content: SearchResult(
        url=f"https://a.example/{path}", title=title, snippet=snippet, content=content, sources=("brave",)
    ),
    path=st.integers(0, 10**6) | st.integers(10**600, 10**601),
    title=texts,
    snippet=texts,
    content=st.none() | texts,
)


class Walk:
    """One session whose named calls are followed."""

    def __init__(self, results, budget, style):
        clock = HandClock()
        script = Script(clock)
        script.answers["brave"] = tuple(results)
        self.budget = budget
        self.calls = 0
        self.session = AsyncSession(
            script,
            surface=Surface(style=style),
            clock=clock,
            options=SessionOptions(
                preview=PreviewOptions(max_characters=budget), evidence=EvidenceOptions(passage_characters=3_000)
            ),
            randomness=lambda size: b"r" * size,
        )

    async def call(self, name, arguments):
        self.calls += 1
        assert self.calls < MOST_CALLS
        result = await self.session.call(name, arguments)
        assert len(result.text) <= self.budget
        assert len(to_json(result.structured)) <= self.budget
        return SimpleNamespace(**({"more": False} | result.structured))

    async def follow(self, next_call):
        name, _, body = next_call.partition("(")
        return await self.call(name, json.loads(body.removesuffix(")")))

    async def read(self, page):
        text = page.text
        while page.more:
            page = await self.follow(page.next_call)
            text += page.text
        return text


@settings(max_examples=60, deadline=None)
@given(results=st.lists(rows, max_size=8), budget=st.integers(1_000, 4_000), style=st.sampled_from(Style))
def test_every_stored_character_is_reached_by_the_calls_that_are_named(results, budget, style):
    async def play():
        walk = Walk(results, budget, style)
        searching, reading = ("search",) * 2 if style is Style.UNIFIED else ("web_search", "web_fetch")
        answer = await walk.call(searching, {"query": "x"})
        if not results:
            return
        entry = next(iter(walk.session._shelf._store._entries.values()))
        listed, page = [], await walk.call(reading, {"ref": answer.ref})
        passed_over = 0
        while hasattr(page, "results"):
            listed += [row["ref"] for row in page.results]
            passed_over += not page.results  # its name alone is longer than the whole answer may be
            if not page.more:
                break
            page = await walk.follow(page.next_call)
        every = [f"{entry.ref}:{number}" for number in range(1, len(entry.passages) + 1)]
        assert listed == [ref for ref in every if ref in listed]
        assert len(every) == len(listed) + passed_over
        assert not passed_over or budget < 3_000
        for number, passage in enumerate(entry.passages, start=1):
            first = await walk.call(reading, {"ref": f"{entry.ref}:{number}"})
            assert passage.text == await walk.read(first)
            assert settled(passage.text) == passage.text

    asyncio.run(play())


@settings(max_examples=60, deadline=None)
@given(results=st.lists(rows, min_size=1, max_size=4), wanted=texts.filter(str.strip), budget=st.integers(1_000, 4_000))
def test_what_is_found_is_shown_where_it_stands(results, wanted, budget):
    async def play():
        walk = Walk(results, budget, Style.UNIFIED)
        answer = await walk.call("search", {"query": "x"})
        found = await walk.call("search", {"ref": answer.ref, "find": wanted[:100]})
        entry = next(iter(walk.session._shelf._store._entries.values()))
        sought = (settled(wanted[:100]) or wanted[:100]).lower()
        count = sum(passage.text.lower().count(sought) for passage in entry.passages)
        assert count == found.matches
        if count:
            place = entry.passages[int(found.ref.partition(":")[2]) - 1].text[found.found_at :]
            assert place.lower().startswith(sought)

    asyncio.run(play())
