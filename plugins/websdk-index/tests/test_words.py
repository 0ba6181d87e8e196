from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websdk_index.words import all_of, any_of, split_words, spread

from websdk.model.search import _UNSENDABLE

SCHEMA = "CREATE VIRTUAL TABLE w USING fts5(body, content='', tokenize='porter unicode61 remove_diacritics 2')"
queries = st.text(min_size=1, max_size=200).filter(lambda text: text.strip() and not _UNSENDABLE.search(text))
# Letters and digits that the tokenizer's Unicode tables know for sure, mixed with everything that looks like syntax.
words = st.lists(
    st.text(st.characters(max_codepoint=0x24F, categories=["Ll", "Lu", "Nd"]), min_size=1, max_size=12),
    min_size=1,
    max_size=10,
)
syntax = st.sampled_from(
    ['"', "'", " AND ", " OR ", " NOT ", " NEAR(", ")", "*", "^", ":", "title:", "{", "}", "+", "-", ";"]
)


def matches(body: str, expression: str) -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(SCHEMA)
        connection.execute("INSERT INTO w (rowid, body) VALUES (1, ?)", (spread(body),))
        return connection.execute("SELECT 1 FROM w WHERE w MATCH ?", (expression,)).fetchone() is not None


@given(queries)
def test_no_text_is_ever_a_syntax_error(query: str) -> None:
    found, _ = split_words(query)

    matches("anything", all_of(found))
    matches("anything", any_of(found))


@given(words, st.lists(syntax, min_size=10, max_size=10), st.randoms(use_true_random=False))
def test_a_page_that_holds_all_the_words_is_found_whatever_stands_between_them(
    tokens: list[str], marks: list[str], random: Random
) -> None:
    query = "".join(token + mark + " " for token, mark in zip(tokens, marks, strict=False))
    body = query.split()
    random.shuffle(body)

    assert matches("before " + " ".join(body) + " after", all_of(split_words(query)[0]))


@pytest.mark.parametrize("word", ["AND", "NOT", "NEAR", "title:gear", 'x" OR "gear', "gear*", "^gear", "{title}:gear"])
def test_operators_are_words(word: str) -> None:
    assert not matches("gear", all_of((word, "absentword")))
    assert not matches("gearing up", all_of(("NOT", "gear")))


def test_unspaced_scripts_are_found_inside_a_run_of_characters() -> None:
    assert matches("本日は東京都庁に行きました", all_of(split_words("東京都")[0]))
    assert not matches("東の京都", all_of(split_words("東京都")[0]))


def test_inflected_words_and_accents_meet() -> None:
    assert matches("Installing the plugins of a café", all_of(split_words("install plugin CAFE")[0]))


def test_words_beyond_the_bound_are_left_out_and_that_is_said() -> None:
    found, cut = split_words(" ".join(f"w{number}" for number in range(70)))

    assert 64 == len(found)
    assert cut
    assert not split_words("one two one")[1]


@pytest.fixture(scope="module")
def filled(new_desk: Callable[[], Any]) -> Any:
    desk = new_desk()
    desk.write("a.md", "one page about gears")
    desk.add()
    return desk


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(queries)
def test_the_whole_search_takes_any_text(filled: Any, query: str) -> None:
    assert () == filled.answer(query).filter_outcomes
