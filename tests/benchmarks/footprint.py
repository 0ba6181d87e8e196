"""What the tools and their answers cost a model's context, in characters and in a quarter of them.

A quarter of the characters is a rough measure that needs no tokenizer; it is nobody's bill. Run as
``python -m tests.benchmarks.footprint``; the ceilings are tests beside this file.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import cycle, islice
from typing import Any

import attrs

from websdk.model import Document, FetchRequest, SearchRequest, SearchResponse, SearchResult, Via
from websdk.model.intent import Intent
from websdk.session import Answered, AsyncSession, CallOptions, SessionOptions, Source
from websdk.tools import Style, Surface, ToolFormat, ToolResult, declarations, prompt_section

WORDS = (
    "The release notes say which interface was removed and what stands in its place, how a program that still calls "
    "the old one fails, and from which version on the new one is there. Migration takes three steps, all shown here. "
)
TITLE, ADDRESS, PASSAGE = 60, 70, 640
DOCUMENTS, DUPLICATES = 24, 4


@attrs.frozen(kw_only=True)
class Measured:
    """The size of one answer, in characters."""

    shown: int
    direct: int
    structured: int


def text(length: int, start: int) -> str:
    """Return so many characters of prose, another piece for each *start*."""
    return "".join(islice(cycle(WORDS[start % len(WORDS) :] + WORDS), length)).strip().ljust(length, ".")


def document(number: int, provider: str) -> SearchResult:
    """Return one document with a title of 60 characters, an address of 70 and a passage of 640."""
    return SearchResult(
        url=f"https://docs-{number:02}.example/reference/".ljust(ADDRESS, "x"),
        title=f"{number:02} {text(TITLE - 3, 7 * number)}",
        snippet=text(PASSAGE, 13 * number),
        sources=(provider,),
    )


class Fixture:
    """A backend of two providers: 24 documents, four of which both return."""

    def __init__(self) -> None:
        half = (DOCUMENTS + DUPLICATES) // 2
        self.answers = {
            "first": [document(number, "first") for number in range(1, half - 1)],
            "second": [
                document(number, "second") for number in range(half - 1 - DUPLICATES, DOCUMENTS - DUPLICATES + 1)
            ],
        }

    def sources(self) -> Sequence[Source]:
        return [Source(id=provider) for provider in self.answers]

    def readers(self) -> Sequence[str]:
        return ()

    def rungs(self) -> Sequence[Via]:
        return (Via.LOCAL,)

    def reached(self, via: Via) -> Sequence[Via]:
        return (via,)

    async def identity(self, recipient: str, key: bytes) -> str:
        return ""

    def search_intent(self, provider: str, request: SearchRequest) -> Intent:
        return Intent(operation="search", recipient=provider)

    def fetch_intent(self, request: FetchRequest) -> Intent:
        return Intent(operation="fetch")

    async def search_one(self, provider: str, request: SearchRequest, *, options: CallOptions) -> Answered:
        rows = tuple(self.answers[provider])
        return Answered(response=SearchResponse(results=rows, provider=provider, unsupported_filters=()))

    async def fetch_one(self, request: FetchRequest, *, options: CallOptions) -> Document:
        raise NotImplementedError


class Clock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


def session(style: Style = Style.UNIFIED) -> AsyncSession:
    """Return a session over the fixture."""
    return AsyncSession(Fixture(), surface=Surface(style=style), clock=Clock(), options=SessionOptions())


def estimate(characters: int) -> int:
    """Return a quarter of *characters*, rounded up."""
    return -(-characters // 4)


def declared(surface: Surface, format: ToolFormat) -> int:
    """Return the characters of the declarations, compact, and of the prompt section."""
    tools = (json.dumps(tool, separators=(",", ":"), ensure_ascii=False) for tool in declarations(surface, format))
    return sum(map(len, tools)) + len(prompt_section(surface))


def measured(result: ToolResult) -> Measured:
    """Return the size of *result* in both forms."""
    structured = json.dumps(result.structured, separators=(",", ":"), ensure_ascii=False)
    return Measured(shown=len(result.structured["results"]), direct=len(result.text), structured=len(structured))


async def answer(**arguments: Any) -> tuple[AsyncSession, ToolResult]:
    """Run one search of the fixture with both providers."""
    agent = session()
    return agent, await agent.call("search", {"query": "what changed", "effort": "thorough", **arguments})


def main() -> None:
    """Print the figures."""
    print("declarations and prompt section: characters, a quarter of them")
    for style in Style:
        for format in ToolFormat:
            size = declared(Surface(style=style), format)
            print(f"  {style:8} {format:13} {size:6,} {estimate(size):5,}")
    print("continuation: 0, because it is part of the same declaration")
    print(f"{DOCUMENTS} documents, {DUPLICATES} of them twice: results shown, characters direct and structured")
    for arguments in ({}, {"max_results": 8}, {"effort": "fast"}):
        _, result = asyncio.run(answer(**arguments))
        size_of = measured(result)
        print(f"  {json.dumps(arguments):20} {size_of.shown:3} {size_of.direct:6,} {size_of.structured:6,}")


if __name__ == "__main__":
    main()
