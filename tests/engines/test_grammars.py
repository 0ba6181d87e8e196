"""The filter languages mean what their engines document, so that a filter that breaks out of its place is seen."""

from __future__ import annotations

from typing import Any

import pytest

from .grammars import Meilisearch, NotUnderstood, Reader, Typesense, Vespa, bool_query

ROWS: list[dict[str, Any]] = [
    {"id": "a", "kind": "horror", "by": "Jordan Peele", "year": 2017, "tags": ["x.example", "example"]},
    {"id": "b", "kind": "comedy", "by": 'O"Neil', "year": 1994, "tags": ["y.example", "example"]},
    {"id": "c", "kind": "drama", "year": 1972},
]
FIELDS = {"kind", "by", "year", "tags"}


def read(reader: type[Reader], text: str) -> str:
    """Return the rows that pass an expression."""
    opened: Any = reader(text, FIELDS)
    test = opened.statement() if reader is Vespa else opened.expression()
    opened.end()
    return "".join(row["id"] for row in ROWS if test(row))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("kind = horror", "a"),
        ("kind = HORROR", "a"),
        ("by = 'Jordan Peele'", "a"),
        (r'by = "O\"Neil"', "b"),
        ("kind != horror", "bc"),
        ("by != 'Jordan Peele'", "bc"),
        ("NOT kind = horror", "bc"),
        ("kind IN [horror, 'comedy']", "ab"),
        ("kind NOT IN [horror, comedy,]", "c"),
        ("by EXISTS", "ab"),
        ("by NOT EXISTS", "c"),
        ("year 1990 TO 2000", "b"),
        ("year >= 1994 AND year <= 2017", "ab"),
        ("kind = horror OR kind = comedy AND year > 2000", "a"),
        ("(kind = horror OR kind = comedy) AND year < 2000", "b"),
        ('tags = "example" AND tags != "x.example"', "b"),
        ('tags = "z" OR tags != "x.example"', "bc"),
    ],
)
def test_meilisearch(text: str, ids: str) -> None:
    assert ids == read(Meilisearch, text)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("kind:=horror", "a"),
        ("by:Jordan", "a"),
        ("by:=Jordan", ""),
        ("kind:!=horror", "bc"),
        ("kind:=[horror, comedy]", "ab"),
        ("kind:![horror, comedy]", "c"),
        ("by:=`Jordan Peele`", "a"),
        ("year:>=1994 && year:<=2017", "ab"),
        ("kind:=horror || kind:=comedy && year:>2000", "a"),
        ("(kind:=horror || kind:=comedy) && year:<2000", "b"),
        ("tags:=example && tags:!=x.example", "b"),
        ("tags:=xexample", "a"),
    ],
)
def test_typesense(text: str, ids: str) -> None:
    assert ids == read(Typesense, text)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("userQuery()", "abc"),
        ('kind contains "horror"', "a"),
        (r'by contains "O\"Neil"', "b"),
        ('userQuery() and !(kind contains "horror")', "bc"),
        ("year >= 1994 and year <= 2017", "ab"),
        ('kind contains "horror" or kind contains "comedy" and year > 2000', "a"),
        ('(kind contains "horror" or kind contains "comedy") and year < 2000', "b"),
    ],
)
def test_vespa(text: str, ids: str) -> None:
    assert ids == read(Vespa, f"select * from sources * where {text}")


@pytest.mark.parametrize(
    ("body", "ids"),
    [
        ({"filter": [{"term": {"kind": "horror"}}]}, "a"),
        (
            {"filter": [{"terms": {"kind": ["horror", "comedy"]}}], "must_not": [{"terms": {"tags": ["x.example"]}}]},
            "b",
        ),
        ({"must": [{"multi_match": {"query": "x", "fields": ["by"]}}]}, "abc"),
        ({"filter": [{"term": {"unknown": "horror"}}]}, ""),
        ({"must_not": [{"term": {"kind": "horror"}}]}, "bc"),
    ],
)
def test_bool_query(body: Any, ids: str) -> None:
    test = bool_query({"bool": body}, FIELDS)

    assert ids == "".join(row["id"] for row in ROWS if test(row))


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (Meilisearch, "kind = "),
        (Meilisearch, "kind = horror kind = comedy"),
        (Meilisearch, 'kind = "horror'),
        (Meilisearch, "(kind = horror"),
        (Meilisearch, "other = horror"),
        (Meilisearch, "NOT = horror"),
        (Meilisearch, "year > soon"),
        (Typesense, "kind=horror"),
        (Typesense, "kind:=horror &&"),
        (Typesense, "kind:=horror) || (kind:=comedy"),
        (Typesense, "other:=horror"),
        (Vespa, "select * from sources * where kind contains horror"),
        (Vespa, 'select * from sources * where kind contains "horror" or'),
        (Vespa, "select title from sources * where userQuery()"),
    ],
)
def test_what_is_no_expression_is_refused(reader: type[Reader], text: str) -> None:
    with pytest.raises(NotUnderstood):
        read(reader, text)


@pytest.mark.parametrize("body", [{"term": {"kind": "x"}, "bool": {}}, {"match_all": {}}, {"bool": {"filters": []}}])
def test_what_is_no_query_is_refused(body: Any) -> None:
    with pytest.raises(NotUnderstood):
        bool_query(body, FIELDS)
