"""What a preset declares about its requests, held against the requests. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import attrs

from websdk.declarative import Preset, PresetCodec
from websdk.declarative.schema import SearchProviderPreset
from websdk.declarative.words import FILTER_TERMS, HOST, QUERY_TEXT, holes
from websdk.model import Connection, FilterKey, Filters
from websdk.model.filters import MAX_DOMAINS
from websdk.testing import claims
from websdk.testing.claims import LISTS, QUERIES, has_host, holds_text, is_sent, shown
from websdk.testing.desk import QUERY, CodecDesk
from websdk.testing.report import Finding
from websdk.testing.samples import DAYS, HOSTS, connection_of, is_askable, of_preset, outside
from websdk.testing.wire import Leaves, differences, stands_at, wire_place

_DATES = {FilterKey.PUBLISHED_AFTER, FilterKey.PUBLISHED_BEFORE}


@attrs.define(kw_only=True, slots=False)
class PresetDesk(CodecDesk):
    """Asks the search half of a preset.

    Attributes:
        preset: The preset.
        connection: Where it is asked.
    """

    preset: Preset
    connection: Connection

    @classmethod
    def of(cls, preset: Preset, codec: PresetCodec | None = None) -> PresetDesk:
        """Make a desk with a value for everything that the preset asks for."""
        connection = connection_of(preset)
        codec = PresetCodec(preset, connection) if codec is None else codec
        return cls(preset=preset, connection=connection, codec=codec, samples=of_preset(preset, codec))

    @property
    def search(self) -> SearchProviderPreset:
        """The search half."""
        assert self.preset.search is not None
        return self.preset.search

    @property
    def settings(self) -> Mapping[str, str]:
        """What the operator gives."""
        return self.connection.settings

    def path(self, key: FilterKey) -> str:
        """Return the key of the preset that declares a filter."""
        filters = self.search.filters
        if key in _DATES or (key is FilterKey.RECENCY and filters.recency is None and filters.dates is not None):
            return "search.filters.dates"
        if key is FilterKey.TOPIC and filters.topic is None and self.search.topics:
            return "search.topics"
        return f"search.filters.{key}"

    def place(self, place: str) -> str:
        """Return a place of the preset as requests spell it."""
        return wire_place(place, is_get=self.search.method == "GET")

    @cached_property
    def query_places(self) -> tuple[str, ...]:
        """Where the query goes."""
        return tuple(self.place(at) for at in self.search.query.at)

    def filter_places(self, key: FilterKey) -> frozenset[str]:
        """Return every place that a filter may change."""
        filters = self.search.filters
        found: set[str] = set()
        rules = [getattr(filters, key.value, None)]
        if key in _DATES or key is FilterKey.RECENCY:
            rules.append(filters.dates)
        for rule in rules:
            if rule is None:
                continue
            if rule.at is not None:
                found |= self._reserved(rule.at)
            for place in (*getattr(rule, "fixed", {}), *self._date_places(rule)):
                found.add(self.place(place))
        if key is FilterKey.TOPIC and any(topic.path for topic in self.search.topics.values()):
            found.add("path")
        return frozenset(found)

    def _reserved(self, at: str) -> set[str]:
        if at == QUERY_TEXT:
            return set(self.query_places)
        if at == FILTER_TERMS:
            return {self.place(self.search.terms.at)} if self.search.terms is not None else set()
        return {"host", "path"} if at == HOST else {self.place(at)}

    @staticmethod
    def _date_places(rule: Any) -> list[str]:
        if rule.at is not None:
            return []
        return [text for text in (getattr(rule, "after", None), getattr(rule, "before", None)) if text is not None]


def settings_used(desk: PresetDesk) -> Iterator[Finding]:
    """Look for the value of every setting that has a place."""
    wire = desk.wire()
    for name, setting in desk.preset.vendor.settings.items():
        if setting.at is None:
            continue
        found = [value for leaf, value in wire.items() if stands_at(leaf, (desk.place(setting.at),))]
        given = desk.settings[name]
        parts = [part.strip() for part in given.split(",")] if setting.at.endswith("[]") else [given]
        if not any(value in (given, *parts) for value in found):
            yield Finding(path=f"vendor.settings.{name}", message=f"is written over at {setting.at}")


def unused_settings(preset: Preset) -> Iterator[Finding]:
    """Yield settings that neither have a place nor fill a hole."""
    written = _texts(attrs.asdict(preset, filter=lambda field, _: field.name != "settings"))
    used = {hole for text in written for hole in holes(text)}
    for name, setting in preset.vendor.settings.items():
        if setting.at is None and name not in used and not (name.endswith("_field") and "field" in used):
            yield Finding(path=f"vendor.settings.{name}", message="is given by operators and goes nowhere")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)


def query_arrives(desk: PresetDesk) -> Iterator[Finding]:
    """Vary the query."""
    for query in QUERIES:
        wire = desk.wire(query, max_results=7)
        for place in desk.query_places:
            values = [value for leaf, value in wire.items() if stands_at(leaf, (place,))]
            if not any(holds_text(value, query) for value in values):
                yield Finding(path="search.query.at", message=f"a query of {len(query)} characters is not at {place}")
    changed = differences(desk.wire("tide"), desk.wire("wind"))
    strays = [leaf for leaf in changed if not stands_at(leaf, desk.query_places)]
    if strays:
        yield Finding(path="search.query.at", message=f"two queries differ at {', '.join(strays)}")


def query_limit(desk: PresetDesk) -> Iterator[Finding]:
    """Ask with as many code points as the vendor takes, and one more."""
    most = desk.search.query.max
    if most is None or most > 8_192:
        return
    # The last letter and its accent are two code points and one character.
    for tail, length in (("", most), ("", most + 1), ("e\u0301", most + 1)):
        query = "x" * (length - len(tail)) + tail
        refused = desk.refuses(query)
        if refused != (length > most):
            said = "is refused" if refused else "goes out"
            yield Finding(path="search.query.max", message=f"a query of {length} code points {said}")
        if not refused and not any(holds_text(value, query) for value in desk.wire(query).values()):
            yield Finding(path="search.query.max", message=f"a query of {length} code points goes out in part")


def count_arrives(desk: PresetDesk) -> Iterator[Finding]:
    """Ask for counts around each bound."""
    rule = desk.search.count
    low, high, step = rule.min or 1, rule.max, rule.step or 1
    if high is not None and (low > high or high % step):
        yield Finding(path="search.count", message=f"min {low}, max {high} and step {step} do not fit each other")
        return
    one, other = _counts(low, high, step)
    if rule.at is not None and one != other:
        changed = differences(desk.wire(max_results=one), desk.wire(max_results=other))
        if not changed:
            yield Finding(path="search.count.at", message=f"{one} and {other} make the same request")
        strays = [leaf for leaf in changed if not stands_at(leaf, (desk.place(rule.at),))]
        if strays:
            yield Finding(path="search.count.at", message=f"two counts differ at {', '.join(strays)}")
    for asked in {1, low, one, one + 1, *((high, high + 1) if high is not None else ())}:
        yield from _count_stated(desk, asked)


def _counts(low: int, high: int | None, step: int) -> tuple[int, int]:
    one = -(-low // step) * step
    other = one + step
    return one, one if high is not None and other > high else other


def _count_stated(desk: PresetDesk, asked: int) -> Iterator[Finding]:
    rule = desk.search.count
    stated = next((item for item in desk.adjustments(max_results=asked) if item.what == "max_results"), None)
    if rule.max is not None and asked > rule.max and (stated is None or stated.sent != rule.max):
        yield Finding(path="search.count.max", message=f"{asked} were asked for, and the limit is not stated")
    if rule.at is None:
        return
    place, wire = desk.place(rule.at), desk.wire(max_results=asked)
    expected = str(asked if stated is None else stated.sent)
    if [value for leaf, value in wire.items() if stands_at(leaf, (place,))] != [expected]:
        yield Finding(path="search.count.at", message=f"{asked} were asked for, and {expected} is not at {place}")


def page_unit(desk: PresetDesk) -> Iterator[Finding]:
    """Ask for later pages."""
    rule = desk.search.page
    if rule is None:
        if not desk.refuses(page=2):
            yield Finding(path="search.page", message="is not declared, and a second page goes out")
        return
    bounds = desk.search.count
    count = min(max(10, bounds.min or 1), bounds.max or 10)
    first, place = desk.wire(max_results=count), desk.place(rule.at)
    size = int(_at(first, desk.place(bounds.at)) or count) if bounds.at is not None else count
    for page in (2, 3):
        reached = page * size if rule.style.counts_rows else page
        beyond = rule.last is not None and reached > rule.last
        if desk.refuses(max_results=count, page=page) != beyond:
            yield Finding(path="search.page.last", message=f"page {page} {'goes out' if beyond else 'is refused'}")
        if beyond or desk.refuses(max_results=count, page=page):
            continue
        wire = desk.wire(max_results=count, page=page)
        strays = [leaf for leaf in differences(first, wire) if not stands_at(leaf, (place,))]
        if strays:
            yield Finding(path="search.page.at", message=f"page {page} also changes {', '.join(strays)}")
        for what in _lost(desk, first, wire):
            yield Finding(path="search.page.at", message=f"page {page} is written over {what}")
        expected = ((page - 1) * size if rule.style.counts_rows else page - 1) + rule.style.first
        if _at(wire, place) != str(expected):
            yield Finding(path="search.page.at", message=f"page {page} is not asked for as {expected} at {place}")
    if rule.last is not None and rule.last < (2 * size if rule.style.counts_rows else 2):
        yield Finding(path="search.page.last", message="ends before the second page; leave `page` out")


def _at(wire: Leaves, place: str) -> str | None:
    return next((value for leaf, value in wire.items() if stands_at(leaf, (place,))), None)


def word_reachable(desk: PresetDesk) -> Iterator[Finding]:
    """Ask for every word of every table."""
    for key in (FilterKey.RECENCY, FilterKey.COUNTRY, FilterKey.LANGUAGE, FilterKey.SAFE_SEARCH, FilterKey.TOPIC):
        rule = getattr(desk.search.filters, key.value)
        seen: dict[str, str] = {}
        for word in rule.values or () if rule is not None else ():
            path = f"search.filters.{key}.values"
            twin = seen.setdefault(word.casefold(), word)
            if twin != word:
                yield Finding(path=path, message=f"{word} is {twin} in another letter case and never counts")
            elif not is_askable(key, word):
                yield Finding(path=path, message=f"{word} is nothing that a caller can ask for")
            elif Filters(**{key.value: word})[key] not in (word, *_folded(word, rule.values)):
                yield Finding(path=path, message=f"{word} is asked for in another spelling and never found")
            elif not rule.unless and not is_sent(desk.outcomes(**{key.value: word})[key]):
                yield Finding(path=path, message=f"{word} is in the table, and is reported as not applied")
    for name in desk.search.topics:
        if not is_askable(FilterKey.TOPIC, name):
            yield Finding(path=f"search.topics.{name}", message="is nothing that a caller can ask for")


def _folded(word: str, values: Any) -> tuple[str, ...]:
    """Return the spellings of *word* that the table finds."""
    spellings = (word.lower(), word.upper(), *values)
    return (*(other for other in spellings if other.casefold() == word.casefold()), *_tags(word))


def _tags(word: str) -> tuple[str, ...]:
    """Return a language tag in its recommended letter case, under which callers ask for it."""
    parts = word.split("-")
    cased = [parts[0].lower(), *(p.upper() if len(p) == 2 else p.title() if len(p) == 4 else p for p in parts[1:])]
    return ("-".join(cased),)


def nothing_else_changes(desk: PresetDesk) -> Iterator[Finding]:
    """Look for changes of the request beside the place of each filter."""
    plain = desk.wire()
    for key in sorted(desk.codec.filter_keys):
        places = desk.filter_places(key)
        strays: dict[str, Any] = {}
        for value in (*desk.samples[key], *_lists(key)):
            wire = desk.filtered(**{key.value: value})
            for leaf in differences(plain, wire):
                if not stands_at(leaf, places):
                    strays.setdefault(leaf, value)
            for what in _lost(desk, plain, wire):
                strays.setdefault(what, value)
        for leaf, value in strays.items():
            yield Finding(path=desk.path(key), message=f"{shown(value)} also changes {leaf}")


def _lost(desk: PresetDesk, plain: Leaves, wire: Leaves) -> Iterator[str]:
    """Yield what of the request was written over: the query, or the count."""
    for place in desk.query_places:
        if not any(holds_text(value, QUERY) for leaf, value in wire.items() if stands_at(leaf, (place,))):
            yield "the query"
    count = desk.search.count.at
    if count is not None and _at(wire, desk.place(count)) != _at(plain, desk.place(count)):
        yield "the count"


def _lists(key: FilterKey) -> tuple[Any, ...]:
    return (HOSTS[:2],) if key in LISTS else ()


def outside_vocabulary(desk: PresetDesk) -> Iterator[Finding]:
    """Ask for values that the tables do not hold."""
    plain = desk.wire()
    for key in (FilterKey.COUNTRY, FilterKey.LANGUAGE, FilterKey.SAFE_SEARCH, FilterKey.TOPIC):
        rule = getattr(desk.search.filters, key.value)
        if rule is None or rule.values is None:
            continue
        for value in outside(key, (*rule.values, *desk.search.topics)):
            if is_sent(desk.outcomes(**{key.value: value})[key]):
                yield Finding(path=desk.path(key), message=f"{value} is not in the table, and counts as sent")
            if differences(plain, desk.filtered(**{key.value: value})):
                yield Finding(path=desk.path(key), message=f"{value} is not in the table, and changes the request")


def list_is_whole(desk: PresetDesk) -> Iterator[Finding]:
    """Ask for lists of hosts; several wanted hosts are alternatives, and the vendor's word for that must be known."""
    yield from claims.list_is_whole(desk)
    rule, key = desk.search.filters.include_domains, FilterKey.INCLUDE_DOMAINS
    if rule is None or rule.at not in (QUERY_TEXT, FILTER_TERMS) or "{values}" in (rule.pattern or ""):
        return
    joined = desk.search.query.any if rule.at == QUERY_TEXT else desk.search.terms and desk.search.terms.any
    if joined is None and is_sent(desk.outcomes(include_domains=HOSTS[:2])[key]):
        yield Finding(path=desk.path(key), message="two hosts go out with nothing between them that means either")


def list_too_long(desk: PresetDesk) -> Iterator[Finding]:
    """Ask for lists at the declared limit and beyond it."""
    plain = desk.wire()
    for key in LISTS:
        rule = getattr(desk.search.filters, key.value)
        if rule is None or rule.max is None or desk.search.site is not None:
            continue
        if rule.max >= MAX_DOMAINS:
            yield Finding(path=f"{desk.path(key)}.max", message=f"nobody can ask for more than {MAX_DOMAINS:,} hosts")
            continue
        for count in (rule.max, rule.max + 1):
            hosts = tuple(f"h{number}.example" for number in range(count))
            outcome, wire = desk.outcomes(**{key.value: hosts})[key], desk.filtered(**{key.value: hosts})
            present = sum(has_host(plain, wire, host) for host in hosts)
            is_right = (present, is_sent(outcome)) == ((count, True) if count == rule.max else (0, False))
            if not is_right:
                yield Finding(
                    path=f"{desk.path(key)}.max",
                    message=f"a list of {count} is {outcome.status} and sends {present} hosts",
                )


def filters_together(desk: PresetDesk) -> Iterator[Finding]:
    """Ask for every two filters at once, and hold `exclusive` against the wire."""
    yield from claims.filters_together(desk)
    for named, one, other in (
        ("dates", {"recency": "week"}, {"published_after": DAYS[0]}),
        ("domains", {"exclude_domains": HOSTS[:1]}, {"include_domains": HOSTS[1:2]}),
    ):
        if named not in desk.search.exclusive:
            continue
        loser = next(iter(one))
        both = desk.outcomes(**one, **other)
        winner_alone = is_sent(desk.outcomes(**other)[FilterKey(next(iter(other)))])
        if winner_alone and is_sent(both[FilterKey(loser)]):
            yield Finding(path="search.exclusive", message=f"{loser} goes out beside what it is exclusive with")


def unless_honoured(desk: PresetDesk) -> Iterator[Finding]:
    """Ask for filters beside the values that they do not stand beside."""
    for field in attrs.fields(type(desk.search.filters)):
        rule = getattr(desk.search.filters, field.name)
        for other, words in rule.unless.items() if rule is not None else ():
            key = FilterKey.PUBLISHED_AFTER if field.name == "dates" else FilterKey(field.name)
            if desk.samples[key]:
                yield from _beside(desk, key, FilterKey(other), words)


def _beside(desk: PresetDesk, key: FilterKey, other: FilterKey, words: tuple[str, ...]) -> Iterator[Finding]:
    path, value = f"{desk.path(key)}.unless", desk.samples[key][0]
    for word in words:
        if not is_askable(other, word):
            yield Finding(path=path, message=f"{other} {word} is nothing that a caller can ask for")
            continue
        both = {key.value: value, other.value: word}
        if is_sent(desk.outcomes(**both)[key]):
            yield Finding(path=path, message=f"goes out beside {other} {word}")
        if differences(desk.filtered(**both), desk.filtered(**{other.value: word})):
            yield Finding(path=path, message=f"changes the request beside {other} {word}")


_SECRET_NAME = re.compile(r"(?i)(?:api[-_]?key|access[-_]?token|auth[-_]?token|secret|password)$|^authorization$")


def keys_in_file(preset: Preset) -> Iterator[Finding]:
    """Yield values of a file that look like keys."""
    for half in ("search", "fetch"):
        rules = getattr(preset, half)
        for table in ("fixed", "evidence"):
            for place, value in getattr(rules, table, {}).items():
                name = place.rpartition(":")[2].rpartition(".")[2]
                if _SECRET_NAME.search(name) and isinstance(value, str) and len(value) >= 8:
                    yield Finding(path=f"{half}.{table}.{place}", message="holds what looks like a key")
