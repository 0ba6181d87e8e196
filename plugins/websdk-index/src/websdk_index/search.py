"""Find the pages that answer a query."""

from __future__ import annotations

import sqlite3
import threading
from datetime import date, datetime

import attrs

from websdk.model import Filters, SearchResult
from websdk_index.bounds import LEAST_SCORED_PAGES, MAX_CONTENT_CHARACTERS, SCORED_WORDS, TITLE_WEIGHT
from websdk_index.database import Readers
from websdk_index.filters import BY_DATE, conditions
from websdk_index.snippet import make_snippet
from websdk_index.words import all_of, any_of, quoted, split_words

# Steps of SQLite's machine between two looks at whether anybody still waits; a tenth of a millisecond.
_STEPS_PER_LOOK = 1_000
_HOLDS = "words MATCH :match"
# CROSS JOIN holds SQLite to going from matches to pages.
_MATCHES = "words CROSS JOIN pages ON pages.id = words.rowid"

_Row = tuple[int, float | None]
"""A row, and its score where one is known."""


@attrs.frozen(kw_only=True)
class Query:
    """What is looked for.

    Attributes:
        text: The words.
        filters: What the search is narrowed by.
        first: Results to pass over.
        count: Results wanted.
        today: The day that recency counts back from.
    """

    text: str
    filters: Filters
    first: int
    count: int
    today: date


@attrs.frozen(kw_only=True)
class Found:
    """What was found.

    Attributes:
        results: Pages in the order of their score.
        more: Whether there are more.
        notices: What the caller should know.
    """

    results: tuple[SearchResult, ...]
    more: bool
    notices: tuple[str, ...]


def search(readers: Readers, query: Query, *, stop: threading.Event | None = None) -> Found:
    """Search the index once, in one unchanging view of it.

    Pages that hold all the words come first; only where there is none, pages that hold any of the rarer words do.

    Args:
        readers: Connections to the index.
        query: What is looked for.
        stop: Set by a caller who no longer waits.

    Raises:
        ConfigurationError: There is no index, or it cannot be used.
        Unavailable: It cannot be read now, or *stop* was set.
    """
    with readers.reading() as connection:
        if stop is not None:
            connection.set_progress_handler(lambda: int(stop.is_set()), _STEPS_PER_LOOK)
        return _Search(connection, query).run()


class _Search:
    def __init__(self, connection: sqlite3.Connection, query: Query) -> None:
        self._connection = connection
        self._query = query
        self._words, self._cut = split_words(query.text)
        self._where, self._values = conditions(query.filters, today=query.today)
        # Scoring a page takes time for each word.
        self._most = max(LEAST_SCORED_PAGES, SCORED_WORDS // max(1, len(self._words)))
        self._full = False
        self._notices: list[str] = []

    def run(self) -> Found:
        query = self._query
        if self._cut:
            self._notices.append(f"only the first {len(self._words)} different words of the query were looked for")
        if query.first >= 2 * self._most:
            return Found(results=(), more=False, notices=())
        wanted = query.first + query.count + 1
        match = all_of(self._words)
        rows = self._distinct(match, wanted)
        if not rows and len(self._words) > 1 and (words := self._rare_words()):
            match = any_of(words)
            rows = self._distinct(match, wanted)
            if rows:
                self._notices.append("no page holds all the words; these hold some of them")
        if self._full:
            self._notices.append(
                f"more than {self._most:,} pages match: those with the words in the title go first, and of the others "
                "not all were compared"
            )
        shown = rows[query.first : query.first + query.count]
        results = self._results(shown)
        return Found(results=results, more=len(rows) == wanted, notices=tuple(self._notices))

    def _distinct(self, match: str, wanted: int) -> list[_Row]:
        """Return the best rows for *match*, one for each address."""
        limit = wanted
        while True:
            rows = self._rank(match, limit)
            urls: dict[str, _Row] = {}
            for row, score in rows:
                urls.setdefault(self._url(row), (row, score))
            # Two files of one address are rare, so most queries end here.
            if len(urls) >= wanted or len(rows) < limit:
                return list(urls.values())[:wanted]
            limit *= 2

    def _rank(self, match: str, limit: int) -> list[_Row]:
        """Return the best rows for *match* with their scores."""
        self._full = self._matches_more_than(self._most, match)
        if not self._full:
            return self._score(match, limit)
        # The text tells so many pages apart badly, and scoring them all would take long: their titles go first. The two
        # scores have no common measure.
        titled = self._score(f"title : ({match})", limit)
        others = self._score(match, limit) if len(titled) < limit else []
        unscored: dict[int, float | None] = dict.fromkeys(row for row, _ in titled + others)
        return list(unscored.items())[:limit]

    def _matches_more_than(self, most: int, match: str) -> bool:
        # The first count looks at no page and is cheap, so that most queries need no other.
        return all(
            self._connection.execute(
                f"SELECT count(*) FROM (SELECT 1 FROM {matches} LIMIT :most)",  # noqa: S608
                {**self._values, "match": match, "most": most + 1},
            ).fetchone()[0]
            > most
            for matches in (f"words WHERE {_HOLDS}", f"{_MATCHES} WHERE {_HOLDS}{self._where}")
        )

    def _score(self, match: str, limit: int) -> list[_Row]:
        # The inner limit stops the scoring, the outer one the answer; bm25 is computed only for rows that the filters
        # let through. Fixed texts of this module are put in; every value is bound.
        return self._connection.execute(
            f"""
            WITH scored AS MATERIALIZED (
              SELECT words.rowid AS page, bm25(words, :title_weight, 1.0) AS score
              FROM {_MATCHES} WHERE {_HOLDS}{self._where} LIMIT :most
            )
            SELECT page, score FROM scored ORDER BY score, page LIMIT :limit
            """,  # noqa: S608
            {**self._values, "match": match, "title_weight": TITLE_WEIGHT, "most": self._most, "limit": limit},
        ).fetchall()

    def _rare_words(self) -> tuple[str, ...]:
        """Return the words that the fewest pages hold, as many as can be scored together."""
        counted = []
        for word in self._words:
            (count,) = self._connection.execute(
                "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)", (quoted(word), self._most)
            ).fetchone()
            if count:
                counted.append((count, word))
        chosen: list[str] = []
        room = self._most
        for count, word in sorted(counted, key=lambda item: item[0]):
            room -= count
            if chosen and room < 0:
                break
            chosen.append(word)
        return tuple(chosen)

    def _url(self, row: int) -> str:
        (url,) = self._connection.execute("SELECT url FROM origins WHERE id = ?", (row,)).fetchone()
        return str(url)

    def _results(self, rows: list[_Row]) -> tuple[SearchResult, ...]:
        results: list[SearchResult] = []
        by_file = without_content = 0
        room = MAX_CONTENT_CHARACTERS
        for row, score in rows:
            url, published, published_by, title, body = self._connection.execute(
                "SELECT url, published, published_by, title, body FROM origins JOIN texts USING (id) WHERE id = ?",
                (row,),
            ).fetchone()
            room -= len(body)
            by_file += published_by == "file"
            without_content += room < 0
            results.append(
                SearchResult(
                    url=url,
                    title=title,
                    snippet=make_snippet(body, self._words),
                    content=body if room >= 0 else None,
                    published=_moment(published),
                    published_text=f"file of {published}" if published_by == "file" else published,
                    score=None if score is None else -score,
                )
            )
        if by_file and not BY_DATE.isdisjoint(self._query.filters.asked()):
            self._notices.append(f"{by_file} of the results state no date; the date of the file was taken")
        if without_content:
            self._notices.append(f"the text of {without_content} of the results was left out for room")
        if self._query.filters.language:
            self._notices.append("pages that state no language were left out")
        return tuple(results)


def _moment(published: str | None) -> date | datetime | None:
    if published is None:
        return None
    return datetime.fromisoformat(published) if "T" in published else date.fromisoformat(published)
