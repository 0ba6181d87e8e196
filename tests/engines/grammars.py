"""The filter languages of four engines, each read by a small parser and turned into a test of a row.

Written from what the engines document: Meilisearch's grammar of filter expressions, Typesense's ``filter_by``, Vespa's
YQL, and the bool query of OpenSearch and Elasticsearch. A text outside a grammar is :class:`NotUnderstood`, as at the
engine, which answers it with 400.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

Row = Mapping[str, Any]
Test = Callable[[Row], bool]


class NotUnderstood(ValueError):
    """The engine would answer with 400."""


def values_of(row: Row, field: str) -> list[Any]:
    """Return what a field holds, dots leading inward; a list counts by its items."""
    value: Any = row.get(field)
    if value is None and "." in field:
        head, _, rest = field.partition(".")
        inner = row.get(head)
        return values_of(inner, rest) if isinstance(inner, Mapping) else []
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def every(tests: list[Test]) -> Test:
    return lambda row: all(test(row) for test in tests)


def some(tests: list[Test]) -> Test:
    return lambda row: any(test(row) for test in tests)


def none_of(test: Test) -> Test:
    return lambda row: not test(row)


def some_value(field: str, passes: Callable[[Any], bool]) -> Test:
    """Return the test that one value of a field passes."""
    return lambda row: any(map(passes, values_of(row, field)))


def comparison(operator: str, limit: float) -> Callable[[Any], bool]:
    """Return a test of one number."""
    compare: dict[str, Callable[[float], bool]] = {
        ">": lambda value: value > limit,
        ">=": lambda value: value >= limit,
        "<": lambda value: value < limit,
        "<=": lambda value: value <= limit,
    }
    chosen = compare[operator]
    return lambda value: isinstance(value, (int, float)) and chosen(value)


class Reader:
    """A text that is read from its beginning to its end."""

    def __init__(self, text: str, fields: Collection[str]) -> None:
        self.text = text
        self.fields = fields
        self.at = 0

    def take(self, pattern: str) -> str | None:
        """Return what *pattern* matches here, blanks before it passed over, and go behind it."""
        found = re.compile(r"\s*(" + pattern + ")").match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found[1]

    def need(self, pattern: str) -> str:
        found = self.take(pattern)
        if found is None:
            raise NotUnderstood(f"at {self.at}: expected {pattern}")
        return found

    def known(self, field: str) -> str:
        if field not in self.fields:
            raise NotUnderstood(f"{field} is no field that filters")
        return field

    def end(self) -> None:
        if self.text[self.at :].strip():
            raise NotUnderstood(f"at {self.at}: expected the end")

    def joined(self, sign: str, part: Callable[[], Test], join: Callable[[list[Test]], Test]) -> Test:
        parts = [part()]
        while self.take(sign) is not None:
            parts.append(part())
        return parts[0] if len(parts) == 1 else join(parts)


# -- Meilisearch -----------------------------------------------------------------------------------------------------

_KEYWORDS = frozenset("AND OR IN NOT TO EXISTS IS NULL EMPTY CONTAINS STARTS WITH _geoRadius _geoBoundingBox".split())
_WORD = r"[^\W]?[\w.-]+"  # letters, digits, _, - and . of any script


class Meilisearch(Reader):
    """``OR`` binds weakest, then ``AND``, then ``NOT``; words may stand bare, anything else in quotes."""

    def expression(self) -> Test:
        return self.joined(r"OR(?![\w.-])", self._and, some)

    def _and(self) -> Test:
        return self.joined(r"AND(?![\w.-])", self._not, every)

    def _not(self) -> Test:
        if self.take(r"NOT(?![\w.-])") is not None:
            return none_of(self._not())
        if self.take(r"\(") is not None:
            inner = self.expression()
            self.need(r"\)")
            return inner
        return self._condition()

    def _condition(self) -> Test:
        field = self.known(self._value())
        if self.take(r"NOT(?![\w.-])") is not None:
            if self.take(r"EXISTS(?![\w.-])") is not None:
                return lambda row: field not in row
            return none_of(self._in(field))
        if self.take(r"EXISTS(?![\w.-])") is not None:
            return lambda row: field in row
        if (operator := self.take(r"!=|>=|<=|=|>|<")) is not None:
            return self._compared(field, operator, self._value())
        if (low := self.take(r"-?\d+(?:\.\d+)?(?=\s+TO)")) is not None:
            self.need("TO")
            high = self._value()
            return every([self._compared(field, ">=", low), self._compared(field, "<=", high)])
        return self._in(field)

    def _in(self, field: str) -> Test:
        self.need(r"IN(?![\w.-])")
        self.need(r"\[")
        wanted: list[str] = []
        while self.take(r"\]") is None:
            wanted.append(self._value())
            if self.take(",") is None:
                self.need(r"\]")
                break
        return some([self._compared(field, "=", value) for value in wanted])

    @staticmethod
    def _compared(field: str, operator: str, value: str) -> Test:
        if operator in ("=", "!="):
            equal = some_value(field, lambda held: str(held).lower() == value.lower())
            return equal if operator == "=" else none_of(equal)
        try:
            passes = comparison(operator, float(value))
        except ValueError:
            raise NotUnderstood(f"{value} is no number") from None
        return some_value(field, passes)

    def _value(self) -> str:
        for quote in ('"', "'"):
            quoted = self.take(rf"{quote}(?:[^{quote}\\]|\\.)*{quote}")
            if quoted is not None:
                return re.sub(r"\\(.)", r"\1", quoted[1:-1])
        word = self.need(_WORD)
        if word in _KEYWORDS:
            raise NotUnderstood(f"{word} is a word of the language")
        return word


# -- Typesense -------------------------------------------------------------------------------------------------------


def tokens(value: Any) -> list[str]:
    """Return a text as it is indexed by default: in lower case, signs removed, blanks between the words."""
    return [re.sub(r"[\W_]", "", word) for word in str(value).lower().split()]


class Typesense(Reader):
    """``||`` binds weaker than ``&&``; a value ends with these or a bracket unless it stands in backticks."""

    def expression(self) -> Test:
        return self.joined(r"\|\|", self._and, some)

    def _and(self) -> Test:
        return self.joined("&&", self._primary, every)

    def _primary(self) -> Test:
        if self.take(r"\(") is not None:
            inner = self.expression()
            self.need(r"\)")
            return inner
        field = self.known(self.need(r"[^\s:&|()\[\]`]+"))
        self.need(":")
        operator = self.take(r"!=|>=|<=|=|>|<|!") or ""
        return self._compared(field, operator, self._values())

    def _values(self) -> list[str]:
        if self.take(r"\[") is None:
            return [self._one(r"[^&|()\[\]`]+")]
        values = [self._one(r"[^&|()\[\],`]+")]
        while self.take(",") is not None:
            values.append(self._one(r"[^&|()\[\],`]+"))
        self.need(r"\]")
        return values

    def _one(self, plain: str) -> str:
        literal = self.take(r"`[^`]*`")
        return literal[1:-1] if literal is not None else self.need(plain).strip()

    @staticmethod
    def _compared(field: str, operator: str, values: list[str]) -> Test:
        if operator in (">", ">=", "<", "<="):
            try:
                passes = comparison(operator, float(values[0]))
            except ValueError:
                raise NotUnderstood("is no number") from None
            return some_value(field, passes)
        wanted = [tokens(value) for value in values]

        def matches(row: Row) -> bool:
            held = [tokens(value) for value in values_of(row, field)]
            if operator in ("", "!"):  # words anywhere in the field
                return any(set(words) <= set(tokens) for words in wanted for tokens in held)
            return any(words == tokens for words in wanted for tokens in held)

        return none_of(matches) if operator.startswith("!") else matches


# -- Vespa -----------------------------------------------------------------------------------------------------------


class Vespa(Reader):
    """The ``where`` of YQL over attributes: ``or``, ``and``, ``!``, ``contains`` and comparisons."""

    def statement(self) -> Test:
        self.need(r"select \* from sources \* where")
        found = self.expression()
        self.take(";")
        return found

    def expression(self) -> Test:
        return self.joined(r"or(?!\w)", self._and, some)

    def _and(self) -> Test:
        return self.joined(r"and(?!\w)", self._primary, every)

    def _primary(self) -> Test:
        if self.take("!") is not None:
            self.need(r"\(")
            inner = self.expression()
            self.need(r"\)")
            return none_of(inner)
        if self.take(r"\(") is not None:
            inner = self.expression()
            self.need(r"\)")
            return inner
        if self.take(r"userQuery\(\)") is not None:
            return lambda row: True  # the words are a matter of the server
        if self.take("true(?!\\w)") is not None:
            return lambda row: True
        field = self.known(self.need(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*"))
        if self.take(r"contains(?!\w)") is not None:
            value = re.sub(r"\\(.)", r"\1", self.need(r'"(?:[^"\\]|\\.)*"')[1:-1]).lower()
            return some_value(field, lambda held: str(held).lower() == value)
        passes = comparison(self.need(">=|<=|>|<"), float(self.need(r"-?\d+(?:\.\d+)?")))
        return some_value(field, passes)


# -- OpenSearch and Elasticsearch ------------------------------------------------------------------------------------


def bool_query(query: Any, fields: Collection[str]) -> Test:
    """Return the test of a query: ``bool`` with its four lists, ``multi_match``, ``term``, ``terms``, ``range``."""
    kind, body = _only_pair(query)
    if kind == "multi_match":
        if set(body) != {"query", "fields"} or not isinstance(body["fields"], list):
            raise NotUnderstood("multi_match takes a query and a list of fields")
        return lambda row: True  # the words are a matter of the server
    if kind == "bool":
        if not set(body) <= {"must", "filter", "must_not", "should"}:
            raise NotUnderstood("bool takes must, filter, must_not and should")
        needed = [bool_query(part, fields) for name in ("must", "filter") for part in body.get(name, [])]
        unwanted = [bool_query(part, fields) for part in body.get("must_not", [])]
        return every([*needed, *map(none_of, unwanted)])
    field, asked = _only_pair(body)
    if field not in fields:
        return lambda row: False  # an engine knows no such field, and finds nothing in it
    if kind == "term":
        return some_value(field, lambda held: bool(held == asked))
    if kind == "terms":
        if not isinstance(asked, list):
            raise NotUnderstood("terms takes a list")
        return some_value(field, lambda held: held in asked)
    if kind == "range":
        return _in_range(field, asked)
    raise NotUnderstood(f"unknown query {kind}")


def _in_range(field: str, asked: Mapping[str, str]) -> Test:
    if not asked or not set(asked) <= {"gte", "lte"}:
        raise NotUnderstood("range takes gte and lte")
    try:
        limits = {name: datetime.fromisoformat(day).replace(tzinfo=UTC) for name, day in asked.items()}
    except ValueError:
        raise NotUnderstood("is no date") from None

    def within(held: str) -> bool:
        moment = datetime.fromisoformat(held).replace(tzinfo=UTC)
        # A day without its time is its first moment for gte and its last for lte.
        after = "gte" not in limits or moment >= limits["gte"]
        return after and ("lte" not in limits or moment < limits["lte"] + timedelta(days=1))

    return some_value(field, within)


def _only_pair(value: Any) -> tuple[str, Any]:
    if not isinstance(value, dict) or len(value) != 1:
        raise NotUnderstood("takes one key")
    return next(iter(value.items()))
