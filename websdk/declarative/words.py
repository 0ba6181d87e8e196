"""The closed vocabulary of presets: places, paths, patterns and the words that a value may be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NewType

HOLES = ("start", "end", "value", "values", "field", "index", "language", "site", "key")
"""The only holes that a pattern may have."""

HOLE = re.compile(r"\{(" + "|".join(HOLES) + r")\}")
_ANY_HOLE = re.compile(r"\{([A-Za-z0-9_]*)\}")

QUERY_TEXT = "query-text"
FILTER_TERMS = "filter-terms"
HOST = "host"
RESERVED = frozenset({QUERY_TEXT, FILTER_TERMS, HOST})

Place = NewType("Place", str)
"""Where a value goes: ``name``, ``a.b[0].c``, ``list[]``, ``header:Name`` or ``query:name``."""
FilterPlace = NewType("FilterPlace", str)
"""A place, or one of the reserved words ``query-text``, ``filter-terms``, ``host``."""
Places = NewType("Places", tuple[str, ...])
"""One place, or a list of places that all get the value."""
AnswerPath = NewType("AnswerPath", str)
"""Where a value stands in an answer: ``a.b[0].c`` or ``header:Name``."""
AnswerPaths = NewType("AnswerPaths", tuple[str, ...])
"""One path or a list of paths; the first that holds something counts."""
Addresses = NewType("Addresses", tuple[str, ...])
"""Paths of a result's address, or patterns that build it."""
Pattern = NewType("Pattern", str)
"""A text with holes."""
BaseUrl = NewType("BaseUrl", str)
"""An https address without query; its host may have holes."""
UrlPath = NewType("UrlPath", str)
"""The path of a request; it may have holes."""
FixedValues = NewType("FixedValues", dict[str, Any])
"""Values by the place that they go to."""
WordTable = NewType("WordTable", dict[str, Any])
"""The vendor's value for each value of ours; a list names values that are passed on as they are."""
Statuses = NewType("Statuses", tuple[int, ...])
"""One HTTP status or a list."""
Texts = NewType("Texts", tuple[str, ...])
"""One text or a list."""
Scalars = NewType("Scalars", tuple[Any, ...])
"""One text, number or boolean, or a list of them."""


NO_TEXTS = Texts(())
NO_STATUSES = Statuses(())
NO_SCALARS = Scalars(())


class Method(StrEnum):
    """How a request carries its values: in the query string, or as a JSON body."""

    GET = "GET"
    POST = "POST"


class Family(StrEnum):
    """What a vendor's results are."""

    WEB = "web"
    CODE = "code"


class Case(StrEnum):
    """The letter case that a vendor wants."""

    UPPER = "upper"
    LOWER = "lower"


class Escape(StrEnum):
    """What a vendor needs escaped in the query text."""

    PERCENT = "percent"


class Exclusive(StrEnum):
    """Filters that a vendor does not take together; the first named wins."""

    DATES = "dates"
    DOMAINS = "domains"


class PageStyle(StrEnum):
    """What a paging key counts, and from what."""

    PAGES_FROM_0 = "pages-from-0"
    PAGES_FROM_1 = "pages-from-1"
    ROWS_FROM_0 = "rows-from-0"
    ROWS_FROM_1 = "rows-from-1"

    @property
    def counts_rows(self) -> bool:
        """Whether rows are counted, not pages."""
        return self in (PageStyle.ROWS_FROM_0, PageStyle.ROWS_FROM_1)

    @property
    def first(self) -> int:
        """The number of the first page or row."""
        return int(self.value[-1])


class DateFormat(StrEnum):
    """How a request spells a day."""

    ISO_DATE = "YYYY-MM-DD"
    SLASHED = "YYYY/MM/DD"
    US_DATE = "MM/DD/YYYY"
    US_SHORT = "M/D/YYYY"
    COMPACT = "YYYYMMDD"
    COMPACT_TIME = "YYYYMMDDHHMMSS"
    MOMENT = "date-time"
    UNIX = "unix"


class Meaning(StrEnum):
    """What a reply means."""

    OK = "ok"
    EMPTY = "empty"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    CREDENTIAL = "credential"
    REJECTED = "rejected"
    NOT_FOUND = "not_found"
    ASK_AGAIN = "ask_again"
    UNREADABLE = "unreadable"


PAGE_MEANINGS = frozenset({Meaning.NOT_FOUND, Meaning.ASK_AGAIN, Meaning.UNREADABLE})
"""Meanings that speak of the page that was asked for; they belong to readers."""

MAX_INDEX = 9  # no vendor's request has a longer fixed list; a stray index must not grow one
_NAME = r"[A-Za-z0-9_$@:-]+"
_BODY_PLACE = re.compile(rf"(?:\[\d\](?:\.{_NAME})|{_NAME})(?:\[\d\])?(?:\.{_NAME}(?:\[\d\])?)*(?:\[\])?")
_HEADER_PLACE = re.compile(r"header:[A-Za-z0-9-]+")
_QUERY_PLACE = re.compile(r"query:[A-Za-z0-9_.$-]+(?:\[\])?")
_ANSWER_NAME = r"(?:[^.\[\]{}]|\{field\})+"
_ANSWER_STEP = rf"{_ANSWER_NAME}(?:\[\d+\])*"
_ANSWER_PATH = re.compile(rf"(?:-?{_ANSWER_STEP}|\[\d+\])(?:\.{_ANSWER_STEP})*")
_SETTING_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
_HOST_LABEL = r"(?:[a-z0-9-]|\{(?:language|site|index)\})+"
_HOST = re.compile(rf"{_HOST_LABEL}(?:\.{_HOST_LABEL})*(?::\d+)?")
_SEGMENT = r"(?:[A-Za-z0-9._~-]|\{(?:index|site|language)\})*"
_URL_PATH = re.compile(rf"(?:/{_SEGMENT})+")
HEADERS_OF_THE_TRANSPORT = frozenset({"host", "content-length", "transfer-encoding", "connection", "cookie"})


def holes(text: str) -> tuple[str, ...]:
    """Return the holes of *text* in order."""
    return tuple(HOLE.findall(text))


def place(value: Any) -> Place:
    """Check a place of the request."""
    text = _text(value)
    if text in RESERVED:
        raise ValueError(f"{text} is a place for filters only")
    if text.startswith("header:"):
        if not _HEADER_PLACE.fullmatch(text):
            raise ValueError("header: is followed by the name of a header")
        if text[7:].lower() in HEADERS_OF_THE_TRANSPORT:
            raise ValueError(f"{text[7:]} belongs to the transport")
    elif not (_QUERY_PLACE if text.startswith("query:") else _BODY_PLACE).fullmatch(text):
        raise ValueError("is no place: write name, a.b, list[], header:Name or query:name")
    return Place(text)


def filter_place(value: Any) -> FilterPlace:
    """Check a place of a filter."""
    text = _text(value)
    return FilterPlace(text if text in RESERVED else place(text))


def places(value: Any) -> Places:
    """Check one place or a list of places."""
    return Places(tuple(place(item) for item in _listed(value)))


def answer_path(value: Any) -> AnswerPath:
    """Check a path of the answer."""
    text = _text(value)
    if not (_HEADER_PLACE if text.startswith("header:") else _ANSWER_PATH).fullmatch(text):
        raise ValueError("is no path: write a.b[0].c or header:Name")
    return AnswerPath(text)


def answer_paths(value: Any) -> AnswerPaths:
    """Check one path or a list of paths."""
    return AnswerPaths(tuple(answer_path(item) for item in _listed(value)))


def addresses(value: Any) -> Addresses:
    """Check paths and patterns of a result's address."""
    found = []
    for item in _listed(value):
        text = _text(item)
        if "://" in text:
            only_holes(text, {"key", "site", "language", "index"})
            if not text.startswith("https://"):
                raise ValueError("an address that is built begins with https://")
            found.append(text)
        else:
            found.append(answer_path(text))
    return Addresses(tuple(found))


def pattern(value: Any) -> Pattern:
    """Check a text with holes; which holes are right depends on the place and is checked where that is known."""
    text = _text(value)
    if text.startswith(("{", "[")) and not HOLE.match(text):
        try:
            json.loads(text)
        except ValueError:
            raise ValueError("a fragment of the body is JSON text") from None
        return Pattern(text)
    only_holes(text, set(HOLES))
    return Pattern(text)


def base_url(value: Any) -> BaseUrl:
    """Check a base address."""
    text = _text(value)
    scheme, separator, rest = text.partition("://")
    host, slash, path = rest.partition("/")
    if scheme != "https" or not separator or not _HOST.fullmatch(host):
        raise ValueError("is https://host[/path], without credentials, query or fragment")
    if slash and not _URL_PATH.fullmatch("/" + path):
        raise ValueError("has a path that is not plain segments")
    return BaseUrl(text.rstrip("/"))


def url_path(value: Any) -> UrlPath:
    """Check the path of a request."""
    text = _text(value)
    if not _URL_PATH.fullmatch(text):
        raise ValueError("begins with / and has plain segments; holes are {index}, {site}, {language}")
    if any(part in (".", "..") for part in text.split("/")):
        raise ValueError("has no dot segments")
    return UrlPath(text)


def fixed_values(value: Any) -> FixedValues:
    """Check a table of places and values."""
    if not isinstance(value, dict):
        raise TypeError("must be a table of places and values")
    for key, item in value.items():
        try:
            place(key)
        except ValueError as exc:
            raise ValueError(f"{key}: {exc}") from None
        json_value(item)
        if key.startswith("header:") and not (isinstance(item, str) and item.isascii() and item.isprintable()):
            raise ValueError(f"{key} takes one line of ASCII text")
    return FixedValues(dict(value))


def word_table(value: Any) -> WordTable:
    """Check a table of words, or a list of words that are passed on as they are."""
    if isinstance(value, list):
        if not value or not all(isinstance(item, str) and item for item in value):
            raise ValueError("is a list of texts that are not empty")
        return WordTable(dict.fromkeys(value))
    if not isinstance(value, dict) or not value:
        raise TypeError("must be a table of words, or a list of words")
    for item in value.values():
        json_value(item)
        if item is None or item == "":
            raise ValueError("has a word without a value")
    return WordTable(dict(value))


def statuses(value: Any) -> Statuses:
    """Check HTTP statuses."""
    items = _listed(value)
    if not all(type(item) is int and 100 <= item <= 599 for item in items):
        raise ValueError("is an HTTP status, or a list of them")
    return Statuses(tuple(items))


def texts(value: Any) -> Texts:
    """Check one text or a list of texts."""
    return Texts(tuple(_text(item) for item in _listed(value)))


def scalars(value: Any) -> Scalars:
    """Check one plain value or a list of them."""
    items = _listed(value)
    if not all(isinstance(item, (str, int, float, bool)) for item in items):
        raise ValueError("is a text, number or boolean, or a list of them")
    return Scalars(tuple(items))


def setting_name(text: str) -> bool:
    """Tell whether *text* can name a setting."""
    return _SETTING_NAME.fullmatch(text) is not None


def json_value(value: Any) -> None:
    """Refuse what JSON cannot carry, such as a TOML date."""
    if isinstance(value, dict):
        for item in value.values():
            json_value(item)
    elif isinstance(value, list):
        for item in value:
            json_value(item)
    elif not isinstance(value, (str, int, float, bool)):
        raise ValueError("holds a value that JSON cannot carry")


def only_holes(text: str, allowed: set[str]) -> None:
    """Refuse a hole of *text* that is not among *allowed*, and any brace that is no hole."""
    for name in _ANY_HOLE.findall(text):
        if name not in HOLES:
            raise ValueError(f"{{{name}}} is no hole: use {', '.join('{' + hole + '}' for hole in HOLES)}")
        if name not in allowed:
            raise ValueError(f"{{{name}}} has no meaning here")
    rest = HOLE.sub("", text)
    if "{" in rest or "}" in rest:
        raise ValueError("has a brace that is no hole")


def is_fragment(text: str) -> bool:
    """Tell whether a pattern is a piece of a JSON body."""
    return text.startswith(("{", "[")) and not HOLE.match(text)


def walk_fragment(value: Any) -> Iterator[str]:
    """Yield every text of a fragment, keys included."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from walk_fragment(item)
    elif isinstance(value, list):
        for item in value:
            yield from walk_fragment(item)
    elif isinstance(value, str):
        yield value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("must be a text")
    if not value.strip():
        raise ValueError("is empty")
    return value


def _listed(value: Any) -> list[Any]:
    items = value if isinstance(value, list) else [value]
    if not items:
        raise ValueError("is an empty list")
    return items


CHECKS = {
    Place: place,
    FilterPlace: filter_place,
    Places: places,
    AnswerPath: answer_path,
    AnswerPaths: answer_paths,
    Addresses: addresses,
    Pattern: pattern,
    BaseUrl: base_url,
    UrlPath: url_path,
    FixedValues: fixed_values,
    WordTable: word_table,
    Statuses: statuses,
    Texts: texts,
    Scalars: scalars,
}
"""The check of each kind of value, by its type."""

WORDS = (Method, Family, Case, Escape, Exclusive, PageStyle, DateFormat, Meaning)
"""The closed sets of words."""
