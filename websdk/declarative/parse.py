"""A vendor's answer as results. Null, missing and odd fields never lose the answer. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import quote

from websdk.declarative.answers import ReplyRules, ResultRules
from websdk.declarative.dates import read_day
from websdk.declarative.markup import plain_text
from websdk.declarative.paths import first_text, fulfils, is_filled, look, look_everywhere, number_of, text_of
from websdk.declarative.replies import Read, malformed, notices_of, pause_of
from websdk.declarative.schema import Preset
from websdk.declarative.settings import filled
from websdk.declarative.vendor import HttpVendor
from websdk.declarative.words import Family, Meaning
from websdk.errors import Unavailable
from websdk.model.receipt import Usage
from websdk.model.search import ResultKind, SearchAnswer, SearchResult

MAX_ROWS = 1_000  # the largest page that any known vendor gives; a longer list is no page of results


def parse_answer(
    preset: Preset, read: Read, *, holes: Mapping[str, str], topic: str | None, today: date
) -> SearchAnswer:
    """Return the answer that *read* holds.

    Args:
        preset: The preset.
        read: The reply, already known to be no failure.
        holes: Settings, with the language that was asked for.
        topic: The topic that has its own lists; ``None`` without one.
        today: The day from which relative dates count.

    Raises:
        MalformedAnswer: The reply is not what the vendor documents.
        Unavailable: Nothing was found, and some of the vendor's own sources failed.
    """
    search, vendor = preset.search, preset.vendor
    assert search is not None
    if read.meaning is Meaning.EMPTY:
        said = notices_of(read.data, search.reply.notices)
        return SearchAnswer(notices=said, said_by_vendor=said)
    if not isinstance(read.data, (dict, list)):
        raise malformed(vendor, read.response, "the reply is no JSON")
    own = search.topics[topic].at if topic is not None else None
    rows = _rows(search.results, own or search.results.at, read.data)
    if rows is None:
        raise malformed(vendor, read.response, "the reply holds no list of results")
    kind = ResultKind.CODE if search.family is Family.CODE else ResultKind.SEARCH
    reader = _RowReader(search.results, vendor, holes, kind, today)
    results = tuple(result for result in map(reader.read, rows) if result is not None)
    return _account(vendor, search.reply, read, results, lost=len(rows) - len(results))


def _account(
    vendor: HttpVendor, reply: ReplyRules, read: Read, results: tuple[SearchResult, ...], *, lost: int
) -> SearchAnswer:
    incomplete = any(is_filled(look(read.data, path)) for path in reply.incomplete or ())
    if incomplete and not results:
        raise Unavailable(
            f"{vendor.id}: sources that it asks failed, and the others found nothing",
            provider=vendor.id,
            status=read.response.status,
        )
    said = list(notices_of(read.data, reply.notices))
    notices = list(said)
    if incomplete:
        named = "; ".join(notices_of(read.data, reply.incomplete))
        notices.append(f"Some sources of {vendor.name} failed" + (f": {named}" if named else "") + ".")
        said += notices[-1:] if named else []
    if lost:
        notices.append(f"{lost} of the vendor's results had no address and were left out.")
    more = look(read.data, reply.more) if reply.more is not None else None
    return SearchAnswer(
        results=results,
        answer=first_text(read.data, reply.answer) or None,
        usage=_usage(reply, read),
        notices=tuple(notices),
        more=None if more is None else is_filled(more),
        incomplete=incomplete,
        pause_s=pause_of(reply.wait, read.data),
        said_by_vendor=tuple(said),
    )


def _rows(rules: ResultRules, paths: tuple[str, ...], data: Any) -> list[Any] | None:
    """Return the rows of all lists; ``None`` where none is there and the vendor never leaves them out."""
    rows: list[Any] = []
    found = rules.optional
    for path in paths:
        part = look(data, path)
        if isinstance(part, list):
            found = True
            rows.extend(row for row in part if isinstance(row, dict) and fulfils(row, rules.where))
    return rows[:MAX_ROWS] if found else None


def _usage(reply: ReplyRules, read: Read) -> Usage | None:
    left = number_of(look_everywhere(read.response, read.data, reply.left)) if reply.left is not None else None
    for unit, path in reply.usage.items():
        amount = number_of(look_everywhere(read.response, read.data, path))
        if amount is not None:
            return Usage(amount=amount, unit=unit, left=left)
    return None if left is None else Usage(left=left)


class _RowReader:
    """Reads one row after the other by the same rules."""

    def __init__(
        self, rules: ResultRules, vendor: HttpVendor, holes: Mapping[str, str], kind: ResultKind, today: date
    ) -> None:
        self._rules = rules
        self._vendor = vendor
        self._holes = holes
        self._kind = kind
        self._today = today

    def read(self, row: dict[str, Any]) -> SearchResult | None:
        url = self._url(row)
        if url is None:
            return None
        published, published_text = self._published(row)
        content = self._text(row, "content", self._rules.content, gap="\n\n")
        return SearchResult(
            url=url,
            title=self._text(row, "title", self._rules.title),
            snippet=self._text(row, "snippet", self._rules.snippet),
            content=content or None,
            published=published,
            published_text=published_text,
            score=self._score(row),
            kind=self._kind,
            sources=(self._vendor.id,),
        )

    def _text(self, row: dict[str, Any], name: str, paths: tuple[str, ...] | None, *, gap: str = " … ") -> str:
        text = first_text(row, self._filled(paths, name), gap=gap)
        return plain_text(text) if name in self._rules.html else text

    def _filled(self, paths: tuple[str, ...] | None, name: str) -> tuple[str, ...]:
        field = self._holes.get(f"{name}_field")
        return tuple(
            path.replace("{field}", field) if field else path for path in paths or () if field or "{field}" not in path
        )

    def _url(self, row: dict[str, Any]) -> str | None:
        for path in self._filled(self._rules.url, "url"):
            if "://" in path:
                key = text_of(look(row, self._rules.key)) if self._rules.key is not None else ""
                if key or "{key}" not in path:
                    return filled(path, {**self._holes, "key": quote(key, safe="")})
            else:
                found = look(row, path)
                if isinstance(found, str) and found.strip():
                    return found.strip()
        return None

    def _published(self, row: dict[str, Any]) -> tuple[Any, str | None]:
        """Return the day, and the vendor's own words for it where these are a text."""
        said: str | None = None
        for path in self._filled(self._rules.published, "published"):
            value = look(row, path)
            day = read_day(value, today=self._today)
            text = text_of(value, gap="-") or None
            if day is not None:
                return day, text
            said = said or text
        return None, said

    def _score(self, row: dict[str, Any]) -> float | None:
        if self._rules.score is None:
            return None
        score = number_of(look(row, self._rules.score))
        return -score if score is not None and self._rules.score.startswith("-") else score
