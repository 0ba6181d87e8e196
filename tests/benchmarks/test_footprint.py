"""Ceilings on what the tools and their answers cost."""

from __future__ import annotations

import asyncio
import json

import pytest

from websdk.tools import Style, Surface, ToolFormat

from . import footprint

DIRECT, STRUCTURED = 3_800, 4_000


@pytest.mark.parametrize(
    ("style", "format", "ceiling"),
    [
        (Style.UNIFIED, ToolFormat.JSON_SCHEMA, 300),
        (Style.UNIFIED, ToolFormat.OPENAI, 360),
        (Style.PAIR, ToolFormat.JSON_SCHEMA, 400),
    ],
)
def test_declarations_and_section_keep_to_their_ceiling(style, format, ceiling):
    assert footprint.estimate(footprint.declared(Surface(style=style), format)) <= ceiling


def test_the_fixture_is_what_the_ceilings_speak_of():
    rows = [row for answer in footprint.Fixture().answers.values() for row in answer]
    addresses = [row.url for row in rows]

    assert 24 == len(rows)
    assert 20 == len(set(addresses))
    assert all(60 == len(row.title) and 70 == len(row.url) and len(row.snippet) >= 600 for row in rows)


@pytest.mark.parametrize("arguments", [{}, {"max_results": 8}, {"effort": "fast"}], ids=json.dumps)
def test_two_dozen_documents_keep_to_their_ceiling(arguments):
    _, result = asyncio.run(footprint.answer(**arguments))
    size = footprint.measured(result)

    assert size.shown >= 8
    assert size.direct <= DIRECT
    assert size.structured <= STRUCTURED
    assert all(len(row["snippet"]) >= 140 for row in result.structured["results"])


def test_every_document_is_reached_by_refs_without_another_request():
    async def play():
        agent, result = await footprint.answer()
        handle, seen = result.structured["ref"], {}
        call = {"ref": handle}
        while call:
            page = (await agent.call("search", call)).structured
            for row in page["results"]:
                read = await agent.read(row["ref"])
                seen[read.url] = read.text
            call = {"ref": handle, "cursor": page["cursor"]} if page["more"] else None
        return seen

    expected = {row.url: row.snippet for answer in footprint.Fixture().answers.values() for row in answer}
    assert expected == asyncio.run(play())
