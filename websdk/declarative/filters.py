"""What becomes of each asked filter: the values that go out for it, or the reason why none does. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import attrs

from websdk.declarative.asking import DatesRule, FilterRule
from websdk.declarative.dates import write_day
from websdk.declarative.draft import shown
from websdk.declarative.effects import Decisions, Effect, Found, Miss
from websdk.declarative.schema import Preset, SearchProviderPreset
from websdk.declarative.settings import field_setting, filled
from websdk.declarative.words import FILTER_TERMS, HOST, QUERY_TEXT, Case, Exclusive, is_fragment
from websdk.model.domains import is_within
from websdk.model.filters import Adjustment, FilterKey, Filters, FilterStatus, Recency

# What may stand in an operator or a term without changing its meaning; everything that filters hold is of this kind.
_HARMLESS = re.compile(r"[A-Za-z0-9._:/+,@-]+")
_BARE_LANGUAGE = re.compile(r"[a-z]{2,3}")
# Signs by which a query says that it is more than words.
_OPERATORS = re.compile(r"""["“”()|]|(?:^|\s)(?:OR|AND|NOT|NEAR)(?=\s|$)|(?:^|\s)[-+]\S|(?:^|\s)[A-Za-z]+:\S""")


def decide(
    preset: Preset, search: SearchProviderPreset, filters: Filters, query: str, settings: Mapping[str, str], today: date
) -> Decisions:
    """Decide about every filter of *filters*.

    Args:
        preset: The preset.
        search: Its search half.
        filters: What is asked.
        query: The query text, which operators join.
        settings: What the operator gave.
        today: The day from which windows count back.
    """
    return Decisions(found=_Decider(preset, search, filters, query, settings, today).run())


class _Decider:
    """One pass over the filters, each looked at by its own rule and then beside the others."""

    def __init__(
        self,
        preset: Preset,
        search: SearchProviderPreset,
        filters: Filters,
        query: str,
        settings: Mapping[str, str],
        today: date,
    ) -> None:
        self.name = preset.vendor.name
        self.search = search
        self.filters = filters
        self.query = query
        self.settings = settings
        self.today = today

    def run(self) -> dict[FilterKey, Found]:
        asked = self.filters.asked()
        found: dict[FilterKey, Found] = {}
        if FilterKey.PUBLISHED_AFTER in asked or FilterKey.PUBLISHED_BEFORE in asked:
            found |= self._dates(self.filters.published_after, self.filters.published_before)
        if FilterKey.RECENCY in asked:
            found[FilterKey.RECENCY] = self._beside_dates(self._recency(), found)
        for key in (FilterKey.INCLUDE_DOMAINS, FilterKey.EXCLUDE_DOMAINS):
            if key in asked:
                found[key] = self._domains(key)
        if FilterKey.EXCLUDE_DOMAINS in found:
            found[FilterKey.EXCLUDE_DOMAINS] = self._beside_includes(found)
        for key in (FilterKey.COUNTRY, FilterKey.LANGUAGE, FilterKey.SAFE_SEARCH, FilterKey.TOPIC):
            if key in asked:
                found[key] = self._single(key)
        self._fit_into_query(found)
        return {key: found[key] for key in asked}

    # -- dates -------------------------------------------------------------------------------------------------------

    def _dates(self, start: date | None, end: date | None) -> dict[FilterKey, Found]:
        keys = [
            key
            for key, day in ((FilterKey.PUBLISHED_AFTER, start), (FilterKey.PUBLISHED_BEFORE, end))
            if day is not None
        ]
        rule = self.search.filters.dates
        if rule is None:
            return dict.fromkeys(keys, Miss(reason=f"{self.name} takes no dates"))
        blocked = self._blocked("dates", rule.unless)
        if blocked is not None:
            return dict.fromkeys(keys, blocked)
        return self._range(rule, start, end)

    def _range(self, rule: DatesRule, start: date | None, end: date | None) -> dict[FilterKey, Found]:
        first, last = FilterKey.PUBLISHED_AFTER, FilterKey.PUBLISHED_BEFORE
        if rule.range is not None and start is not None and (end is not None or rule.after is None):
            # Nothing is published after today, so today as the end of an open range leaves nothing out.
            both = self._in_one(rule, rule.range, start, end or max(self.today, start))
            return {key: both for key, day in ((first, start), (last, end)) if day is not None}
        found: dict[FilterKey, Found] = {}
        if start is not None:
            found[first] = self._one_side(rule, rule.after, start, is_end=False)
        if end is not None:
            found[last] = self._one_side(rule, rule.before, end, is_end=True)
        return found

    def _one_side(self, rule: DatesRule, text: str | None, day: date, *, is_end: bool) -> Found:
        if text is None:
            other = "; give published_after as well" if rule.range is not None else ""
            return Miss(reason=f"{self.name} takes no last day alone{other}")
        if rule.at is not None:
            return self._in_one(rule, text, None if is_end else day, day if is_end else None)
        value = self._day(rule, day, is_end=is_end)
        return self._effect(rule, sent=shown(text, value), writes=((text, value),))

    def _in_one(self, rule: DatesRule, text: str, start: date | None, end: date | None) -> Found:
        values: dict[str, Any] = {}
        if start is not None:
            values["start"] = self._day(rule, start, is_end=False)
        if end is not None:
            values["end"] = self._day(rule, end, is_end=True)
        assert rule.at is not None
        return self._patterned("dates", rule, rule.at, text, [values])

    def _day(self, rule: DatesRule, day: date, *, is_end: bool) -> str | int:
        if is_end and not rule.inclusive:
            day = date.fromordinal(min(day.toordinal() + 1, date.max.toordinal()))
        return write_day(day, rule.format, last=is_end and rule.inclusive)

    def _recency(self) -> Found:
        window = self.filters.recency
        assert window is not None
        rule, dates = self.search.filters.recency, self.search.filters.dates
        if rule is not None and window.value in (rule.values or {}):
            return self._blocked("recency", rule.unless) or self._word(FilterKey.RECENCY, rule, window.value)
        if dates is None:
            if rule is None:
                return Miss(reason=f"{self.name} takes no window of time")
            return Miss(reason=f"{self.name} has no word for the last {window.value}")
        return self._blocked("dates", dates.unless) or self._window(dates, window)

    def _window(self, dates: DatesRule, window: Recency) -> Found:
        return self._range(dates, window.start(self.today), None)[FilterKey.PUBLISHED_AFTER]

    def _beside_dates(self, recency: Found, found: Mapping[FilterKey, Found]) -> Found:
        """Return *recency*, unless dates that go out as well leave no room for it."""
        if isinstance(recency, Miss):
            return recency
        first = found.get(FilterKey.PUBLISHED_AFTER)
        dates = [item for item in found.values() if isinstance(item, Effect)]
        same_place = any(_places(recency) & _places(item) for item in dates)
        word = (
            self.filters.recency in (self.search.filters.recency.values or {}) if self.search.filters.recency else False
        )
        second_start = isinstance(first, Effect) and not word
        if dates and (Exclusive.DATES in self.search.exclusive or same_place or second_start):
            return Miss(reason=f"{self.name} takes a window or dates, not both; the dates were sent")
        return recency

    # -- domains -----------------------------------------------------------------------------------------------------

    def _domains(self, key: FilterKey) -> Found:
        hosts: tuple[str, ...] = self.filters[key]
        if self.search.site is not None:
            return self._one_site(key, hosts)
        rule: FilterRule | None = getattr(self.search.filters, key.value)
        if rule is None or rule.at is None:
            verb = "to wanted" if key is FilterKey.INCLUDE_DOMAINS else "away from unwanted"
            return Miss(reason=f"{self.name} cannot narrow a search {verb} hosts")
        blocked = self._blocked(key.value, rule.unless)
        if blocked is not None:
            return blocked
        most = self._most(rule, rule.at, key)
        if most is not None and len(hosts) > most:
            takes = "one host" if most == 1 else f"at most {most} hosts"
            return Miss(reason=f"{self.name} takes {takes}; {len(hosts)} were asked for and none was sent")
        if rule.pattern is not None:
            return self._hosts_in_pattern(key, rule, rule.at, rule.pattern, hosts)
        items = [rule.prefix + host for host in hosts]
        value: Any = items if rule.at.endswith("[]") else (rule.join or "").join(items)
        return self._effect(rule, sent=shown(rule.at, value), writes=((rule.at, value),))

    def _most(self, rule: FilterRule, at: str, key: FilterKey) -> int | None:
        """Return how many hosts the form of a rule can hold."""
        if rule.max is not None or at.endswith("[]") or rule.join is not None:
            return rule.max
        if rule.pattern is None:
            return 1
        if key is FilterKey.EXCLUDE_DOMAINS or "{values}" in rule.pattern:
            return None
        return None if self._any(at) is not None else 1

    def _any(self, at: str) -> str | None:
        if at == QUERY_TEXT:
            return self.search.query.any
        return self.search.terms.any if self.search.terms is not None else None

    def _hosts_in_pattern(
        self, key: FilterKey, rule: FilterRule, at: str, pattern: str, hosts: tuple[str, ...]
    ) -> Found:
        if is_fragment(pattern):
            return self._patterned(key.value, rule, at, pattern, [{"values": list(hosts)}])
        if "{values}" in pattern:
            return self._patterned(key.value, rule, at, pattern, [{"values": (rule.join or ",").join(hosts)}])
        return self._patterned(
            key.value, rule, at, pattern, [{"value": host} for host in hosts], any_of=key is FilterKey.INCLUDE_DOMAINS
        )

    def _one_site(self, key: FilterKey, hosts: tuple[str, ...]) -> Found:
        values = dict(self.settings)
        rule = self.search.filters.language
        if rule is not None and rule.at == HOST and FilterKey.LANGUAGE in self.filters.asked():
            language = self._single(FilterKey.LANGUAGE)
            if isinstance(language, Effect) and language.language is not None:
                values["language"] = language.language
        site = filled(self.search.site or "", values)
        inside = any(is_within(site, host) for host in hosts)
        if key is FilterKey.INCLUDE_DOMAINS:
            if inside:
                return Effect(sent=None)
            return Miss(reason=f"{self.name} serves {site} alone, which is none of the wanted hosts")
        if inside:
            return Miss(reason=f"{self.name} serves {site} alone, which is among the unwanted hosts")
        return Effect(sent=None)

    def _beside_includes(self, found: Mapping[FilterKey, Found]) -> Found:
        include, exclude = found.get(FilterKey.INCLUDE_DOMAINS), found[FilterKey.EXCLUDE_DOMAINS]
        if not isinstance(include, Effect) or not isinstance(exclude, Effect):
            return exclude
        if Exclusive.DOMAINS in self.search.exclusive or _places(include) & _places(exclude):
            return Miss(reason=f"{self.name} takes wanted or unwanted hosts, not both; the wanted ones were sent")
        return exclude

    # -- single values -----------------------------------------------------------------------------------------------

    def _single(self, key: FilterKey) -> Found:
        value = str(self.filters[key])
        rule: FilterRule | None = getattr(self.search.filters, key.value)
        topic = self.search.topics.get(value) if key is FilterKey.TOPIC else None
        if rule is None or rule.at is None or value not in (rule.values or {}):
            if topic is not None and topic.path is not None:
                return Effect(sent=f"path={topic.path}", topic=value)
            if rule is None or rule.at is None:
                if topic is None and key is FilterKey.TOPIC and self.search.topics:
                    return Miss(reason=f"{self.name} has no word for topic {value}")
                return Miss(reason=f"{self.name} has no filter for {key.value.replace('_', ' ')}")
        blocked = self._blocked(key.value, rule.unless)
        if blocked is not None:
            return blocked
        found = self._word(key, rule, value)
        if topic is not None and isinstance(found, Effect):
            return attrs.evolve(found, topic=value)
        return found

    def _word(self, key: FilterKey, rule: FilterRule, value: str) -> Found:
        """Return *value* in the vendor's words."""
        word, is_given = self._looked_up(key, rule, value)
        if word is None:
            return Miss(reason=f"{self.name} has no word for {key.value.replace('_', ' ')} {value}")
        if isinstance(word, str):
            if not is_given and rule.case is not None:
                word = word.upper() if rule.case is Case.UPPER else word.lower()
            word = rule.prefix + word
        at = rule.at
        assert at is not None
        adjustment = _mapped(key, value, word) if is_given else None
        if at == HOST:
            effect: Found = self._effect(rule, sent=f"host={word}", language=str(word))
        elif rule.pattern is not None:
            holes = {"values": [word]} if is_fragment(rule.pattern) and "{values}" in rule.pattern else {"value": word}
            effect = self._patterned(key.value, rule, at, rule.pattern, [holes])
        else:
            effect = self._effect(rule, sent=shown(at, word), writes=((at, word),))
        if adjustment is not None and isinstance(effect, Effect):
            return attrs.evolve(
                effect, adjustment=adjustment, status=FilterStatus.APPROXIMATE, reason=adjustment.reason
            )
        return effect

    def _looked_up(self, key: FilterKey, rule: FilterRule, value: str) -> tuple[Any, bool]:
        """Return the vendor's word and whether the preset gives it, or ``None`` where it has none."""
        if rule.values is None:
            if key is FilterKey.LANGUAGE and not _BARE_LANGUAGE.fullmatch(value):
                return None, False
            return value, False
        for ours, theirs in rule.values.items():
            if ours.casefold() == value.casefold():
                return (ours, False) if theirs is None else (theirs, True)
        return None, False

    # -- what all share ----------------------------------------------------------------------------------------------

    def _blocked(self, name: str, unless: Mapping[str, tuple[str, ...]]) -> Miss | None:
        for other, words in unless.items():
            value = self.filters[other]
            if value is not None and str(value) in words:
                return Miss(reason=f"{self.name} does not take it beside {other.replace('_', ' ')} {value}")
        return None

    def _effect(self, rule: FilterRule | DatesRule, **parts: Any) -> Effect:
        if isinstance(rule, FilterRule):
            parts["writes"] = (*parts.get("writes", ()), *rule.fixed.items())
            if rule.approximate is not None:
                parts |= {"status": FilterStatus.APPROXIMATE, "reason": rule.approximate}
        return Effect(caveat=rule.caveat, **parts)

    def _patterned(
        self,
        name: str,
        rule: FilterRule | DatesRule,
        at: str,
        pattern: str,
        rows: list[dict[str, Any]],
        *,
        any_of: bool = False,
    ) -> Found:
        """Write values through a pattern: an operator, a term, a fragment of the body, or one text."""
        if "{field}" in pattern:
            field = self.settings.get(field_setting(name))
            if field is None:
                return Miss(reason=f"which field holds it is not configured: give the setting {field_setting(name)}")
            rows = [{**row, "field": field} for row in rows]
        if is_fragment(pattern):
            value = [_fragment(json.loads(pattern), row) for row in rows]
            return self._effect(rule, sent=shown(at, value), writes=((at, value),))
        if at in (QUERY_TEXT, FILTER_TERMS) and not all(map(_is_harmless, rows)):
            return Miss(reason=f"the value cannot stand in an expression of {self.name}")
        texts = [filled(pattern, {hole: str(value) for hole, value in row.items()}) for row in rows]
        if at not in (QUERY_TEXT, FILTER_TERMS):
            return self._effect(rule, sent=shown(at, texts[0]), writes=((at, texts[0]),))
        joined = f"({(self._any(at) or ' ').join(texts)})" if any_of and len(texts) > 1 else None
        pieces = (joined,) if joined is not None else tuple(texts)
        if at == FILTER_TERMS:
            assert self.search.terms is not None
            sent = shown(self.search.terms.at, self.search.terms.join.join(pieces))
            return self._effect(rule, sent=sent, terms=pieces)
        sent = shown(self.search.query.at[0], " ".join(pieces))
        found = self._effect(rule, sent=sent, operators=pieces)
        if found.status is FilterStatus.APPLIED:
            return attrs.evolve(found, status=FilterStatus.EMULATED)
        return found

    def _fit_into_query(self, found: dict[FilterKey, Found]) -> None:
        """Turn down operators that the query leaves no room for, or whose meaning it would change."""
        reason = self._query_refuses()
        text = f"({self.query})" if self.search.query.brackets else self.query
        length = len(text)
        for key in FilterKey:
            item = found.get(key)
            if not isinstance(item, Effect) or not item.operators:
                continue
            if reason is not None:
                found[key] = Miss(reason=reason)
                continue
            added = sum(len(operator) + 1 for operator in item.operators)
            if self.search.query.max is not None and length + added > self.search.query.max:
                found[key] = Miss(reason=f"with it the query would pass {self.search.query.max} characters")
                continue
            length += added

    def _query_refuses(self) -> str | None:
        if self.search.query.brackets:
            if _is_balanced(self.query):
                return None
            return "the query has a bracket or quote without its partner, which would swallow the operator"
        if _OPERATORS.search(self.query):
            return f"the query holds operators or quotes, and {self.name} has no brackets to keep them apart"
        return None


def _is_harmless(row: Mapping[str, Any]) -> bool:
    """Tell whether the values of a pattern can stand in an expression and mean themselves."""
    return all(_HARMLESS.fullmatch(str(value)) for value in row.values())


def _is_balanced(query: str) -> bool:
    """Tell whether brackets and quotes of *query* come in pairs, brackets inside quotes left aside."""
    depth, quoted = 0, False
    for sign in query:
        if sign in '"“”':
            quoted = not quoted
        elif not quoted and sign in "()":
            depth += 1 if sign == "(" else -1
            if depth < 0:
                return False
    return depth == 0 and not quoted


def _places(effect: Effect) -> set[str]:
    """Return the places of one value each; a place that collects can serve two filters."""
    return {place for place, _ in effect.writes if not place.endswith("[]")}


def _mapped(key: FilterKey, asked: str, word: Any) -> Adjustment | None:
    """Return an adjustment where a language goes out wider or narrower than it was asked for."""
    if key is not FilterKey.LANGUAGE or not isinstance(word, str):
        return None
    ours, theirs = asked.casefold(), word.casefold()
    if ours == theirs or ours.split("-")[0] != theirs.split("-")[0]:
        return None  # the same tag, or another spelling of it such as jp for ja
    return Adjustment(what="language", asked=asked, sent=word, reason=f"the nearest that the vendor takes is {word}")


def _fragment(value: Any, row: Mapping[str, Any]) -> Any:
    """Return a piece of JSON with its holes filled; a text that is one hole takes the value with its type."""
    if isinstance(value, dict):
        return {filled(key, row): _fragment(item, row) for key, item in value.items()}
    if isinstance(value, list):
        return [_fragment(item, row) for item in value]
    if isinstance(value, str):
        if value.startswith("{") and value.endswith("}") and value[1:-1] in row:
            return row[value[1:-1]]
        return filled(value, {hole: str(item) for hole, item in row.items()})
    return value
