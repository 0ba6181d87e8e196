"""What a vendor's request asks for, read back from the wire by the preset that wrote it. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

import attrs

from websdk.declarative import Preset
from websdk.declarative.dates import read_day
from websdk.declarative.schema import FetchProviderPreset, SearchProviderPreset
from websdk.declarative.words import FILTER_TERMS, HOST, QUERY_TEXT, is_fragment
from websdk.testing.wire import Leaves, stands_at, wire_place

_HOST = re.compile(r"(?<![\w.-])-?((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,})(?![\w.-])")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{4}|\b\d{8}(?:\d{6})?\b|\b\d{10}\b")
_DEFAULT_HOST, _OTHER_HOST = "port.example", "quay.example"


@attrs.frozen(kw_only=True)
class Asked:
    """What a request asks for, read back from the wire.

    Attributes:
        count: How many rows.
        includes: Hosts that are wanted.
        excludes: Hosts that are not.
        day: The day that rows bear, within what is asked.
        words: Every value on the wire.
    """

    count: int
    includes: tuple[str, ...]
    excludes: frozenset[str]
    day: date
    words: frozenset[str]

    @classmethod
    def of(cls, search: SearchProviderPreset, settings: Mapping[str, str], sent: Leaves, today: date) -> Asked:
        def at(place: str) -> list[str]:
            wanted = wire_place(place, is_get=search.method == "GET")
            return [value for leaf, value in sent.items() if stands_at(leaf, (wanted,))]

        numbers = at(search.count.at) if search.count.at is not None else []
        rules = search.filters
        excludes = _hosts(search, rules.exclude_domains, settings, at, "domain")
        includes = [
            host for host in _hosts(search, rules.include_domains, settings, at, "domain") if host not in excludes
        ]
        return cls(
            count=int(numbers[0]) if numbers and numbers[0].isdigit() else 10,
            includes=tuple(includes),
            excludes=frozenset(excludes),
            day=_last_day(search, at, today),
            words=frozenset(sent.values()),
        )

    def topic(self, search: SearchProviderPreset) -> str | None:
        """Return the topic that is asked for, where its answers have lists of their own."""
        rule = search.filters.topic
        words: Mapping[str, Any] = (rule.values if rule is not None else None) or {}
        for name, topic in search.topics.items():
            word = words.get(name, name)
            if topic.at and str(word or name) in self.words:
                return name
        return None

    def row(self, vendor: str, number: int, *, obeys: bool) -> dict[str, Any]:
        """Return one row that obeys the filters, or that breaks those of hosts and dates."""
        host = next(iter(self.includes), next(h for h in (_DEFAULT_HOST, _OTHER_HOST) if h not in self.excludes))
        if not obeys:
            host = next(iter(sorted(self.excludes)), "elsewhere.test")
        return {
            "url": f"https://{host}/{vendor}/{number}",
            "title": f"Tide table {number}",
            "snippet": f"High water of day {number}.",
            "content": f"High water of day {number}, and low water six hours later.",
            "published": self.day.isoformat() if obeys else "1999-01-01",
            "score": 1 / number,
            "key": str(1000 + number),
        }


At = Callable[[str], list[str]]


def _hosts(search: SearchProviderPreset, rule: Any, settings: Mapping[str, str], at: At, field: str) -> list[str]:
    """Return the hosts that a filter names on the wire."""
    if rule is None or rule.at is None:
        return []
    if any(str(value) not in at(place) for place, value in rule.fixed.items()):
        return []  # two filters share a place, and what goes with this one is not there
    if rule.at not in (QUERY_TEXT, FILTER_TERMS):
        values = at(rule.at)
        if rule.prefix:  # one list for both: those with the mark are this filter's
            values = [value for value in values if value.startswith(rule.prefix)]
        return [host for value in values for host in _HOST.findall(value.removeprefix(rule.prefix))]
    places = search.query.at if rule.at == QUERY_TEXT else (search.terms.at,) if search.terms is not None else ()
    pattern = (rule.pattern or "").replace("{field}", settings.get(f"{field}_field", ""))
    before, _, after = re.sub(r"\{values?\}", "{}", pattern).partition("{}")
    shape = re.compile(rf"(?<![\w-]){re.escape(before)}([a-z0-9.,-]+){re.escape(after)}")
    return [
        host for place in places for value in at(place) for found in shape.findall(value) for host in found.split(",")
    ]


def _last_day(search: SearchProviderPreset, at: At, today: date) -> date:
    """Return the last day that the request asks for; today where it names none."""
    rule = search.filters.dates
    if rule is None or rule.at in (QUERY_TEXT, FILTER_TERMS) or is_fragment(rule.range or ""):
        return today
    place = rule.at if rule.at is not None else rule.before
    days = [found for value in at(place) for found in _DAY.findall(value)] if place is not None else []
    read = [_as_day(day) for day in days]
    known = [day for day in read if day is not None]
    # A vendor that does not count the last day in is asked for one day more.
    last = max(known, default=today)
    return min(today, last if rule.inclusive or not known else date.fromordinal(last.toordinal() - 1))


def _as_day(text: str) -> date | None:
    american = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", text)
    if american is not None:
        return date(int(american[3]), int(american[1]), int(american[2]))
    if re.fullmatch(r"\d{14}|\d{8}", text):
        return date(int(text[:4]), int(text[4:6]), int(text[6:8]))
    found = read_day(text, today=None)
    return found.date() if isinstance(found, datetime) else found


def known_places(preset: Preset, rules: SearchProviderPreset | FetchProviderPreset) -> frozenset[str]:
    """Return every place at which one half of a preset may write."""
    written: set[str] = {*rules.fixed, *(rules.keyless or {})}
    if preset.vendor.auth is not None:
        written.add(preset.vendor.auth.at)
    written |= {setting.at for setting in preset.vendor.settings.values() if setting.at is not None}
    if isinstance(rules, FetchProviderPreset):
        written |= {rules.url, *rules.evidence}
    else:
        written |= set(rules.query.at)
        written |= {item.at for item in (rules.count, rules.page, rules.terms) if item is not None and item.at}
        written |= _filter_places(rules)
    return frozenset(wire_place(place, is_get=rules.method == "GET") for place in written)


def _filter_places(rules: SearchProviderPreset) -> set[str]:
    written: set[str] = set()
    for field in attrs.fields(type(rules.filters)):
        rule = getattr(rules.filters, field.name)
        if rule is None:
            continue
        written |= set(getattr(rule, "fixed", {}))
        if rule.at is None:
            written |= {text for text in (getattr(rule, "after", None), getattr(rule, "before", None)) if text}
        elif rule.at not in (QUERY_TEXT, FILTER_TERMS, HOST):
            written.add(rule.at)
    return written
