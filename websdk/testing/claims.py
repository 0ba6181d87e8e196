"""What every codec claims about filters, held against the requests that it makes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from websdk.errors import InvalidRequest
from websdk.model import FilterKey, FilterOutcome, FilterStatus, Recency
from websdk.testing.desk import CodecDesk
from websdk.testing.report import Finding
from websdk.testing.samples import DAYS, HOSTS, LATER_DAYS
from websdk.testing.wire import Leaves, differences

# Accents, signs that urls, JSON and operators give a meaning to, and one character beyond the basic plane.
QUERIES = ("tide tables", "wind", "naïve 100% a+b & c=d?", "☃ 潮汐 𝄞")
LISTS = (FilterKey.INCLUDE_DOMAINS, FilterKey.EXCLUDE_DOMAINS)
_NORWEGIAN = frozenset({"nb", "no", "nn"})
LONGEST_LIST = 600  # longer than any vendor's own limit


def is_sent(outcome: FilterOutcome) -> bool:
    """Tell whether something went out for a filter."""
    return outcome.status is not FilterStatus.UNSUPPORTED


def every_filter_accounted(desk: CodecDesk) -> Iterator[Finding]:
    """Hold the outcomes of one filter, of all filters and of none against what was asked."""
    everything = {key.value: values[0] for key, values in desk.samples.items() if values}
    for asked in ({}, *({key: value} for key, value in everything.items()), everything):
        found = desk.outcomes(**asked)
        if {str(key) for key in found} != set(asked):
            yield Finding(path="search.filters", message=f"asked for {_names(asked)}, accounted for {_names(found)}")
        for key, outcome in found.items():
            if not outcome.status.restricts_in_full and not outcome.reason:
                yield Finding(path=desk.path(key), message=f"is {outcome.status} without a reason")
            if not is_sent(outcome) and outcome.sent is not None:
                yield Finding(path=desk.path(key), message="is reported as not sent, and what was sent is named")


def undeclared_is_reported(desk: CodecDesk) -> Iterator[Finding]:
    """Ask for every filter that the codec does not declare."""
    plain = desk.wire()
    for key in sorted(frozenset(FilterKey) - desk.codec.filter_keys):
        for value in desk.samples[key]:
            outcome = desk.outcomes(**{key.value: value})[key]
            if is_sent(outcome):
                yield Finding(path=desk.path(key), message=f"is not declared, and {value} counts as {outcome.status}")
            changed = differences(plain, desk.filtered(**{key.value: value}))
            if changed:
                yield Finding(path=desk.path(key), message=f"is not declared, and {value} changes {_names(changed)}")


def reported_sends_nothing(desk: CodecDesk) -> Iterator[Finding]:
    """Hold every value that is reported as unsupported against the request."""
    plain = desk.wire()
    for key in sorted(desk.codec.filter_keys):
        for value in desk.samples[key]:
            if is_sent(desk.outcomes(**{key.value: value})[key]):
                continue
            changed = differences(plain, desk.filtered(**{key.value: value}))
            if changed:
                yield Finding(
                    path=desk.path(key), message=f"{shown(value)} is reported, and still changes {_names(changed)}"
                )


def values_differ(desk: CodecDesk) -> Iterator[Finding]:
    """Hold the requests for two values of a declared filter against each other."""
    plain = frozenset(desk.wire().items())
    for key in sorted(desk.codec.filter_keys):
        seen: dict[frozenset[tuple[str, str]], Any] = {}
        for value in desk.samples[key]:
            outcome = desk.outcomes(**{key.value: value})[key]
            if not is_sent(outcome) or decided_here(outcome):
                continue
            wire = frozenset(desk.filtered(**{key.value: value}).items())
            twin = seen.setdefault(wire, value)
            if twin != value and not _may_be_one(key, twin, value, outcome):
                yield Finding(path=desk.path(key), message=f"{shown(twin)} and {shown(value)} make the same request")
        # One value may be what the vendor does anyway; a filter of which no value changes anything has no effect.
        if set(seen) == {plain}:
            yield Finding(path=desk.path(key), message=f"{shown(seen[plain])} counts as sent, and nothing goes out")


def decided_here(outcome: FilterOutcome) -> bool:
    """Tell whether a filter is applied without a value on the wire, as by a vendor that serves one site."""
    return outcome.status is FilterStatus.APPLIED and outcome.sent is None


def _may_be_one(key: FilterKey, one: Any, other: Any, outcome: FilterOutcome) -> bool:
    """Tell whether two values may go out as one word: two tags of one language, and what is a hint and says so."""
    if key is FilterKey.LANGUAGE:
        first, second = (str(tag).split("-")[0] for tag in (one, other))
        return first == second or {first, second} <= _NORWEGIAN
    if key in (FilterKey.RECENCY, FilterKey.PUBLISHED_AFTER, FilterKey.PUBLISHED_BEFORE, *LISTS):
        return False
    return outcome.status is FilterStatus.APPROXIMATE


def windows_render(desk: CodecDesk) -> Iterator[Finding]:
    """Ask for each window of time."""
    plain = desk.wire()
    for window in Recency:
        outcome = desk.outcomes(recency=window)[FilterKey.RECENCY]
        changed = differences(plain, desk.filtered(recency=window))
        if is_sent(outcome) != bool(changed):
            said = "goes out, and nothing changes" if is_sent(outcome) else "is reported, and the request changes"
            yield Finding(path=desk.path(FilterKey.RECENCY), message=f"{window} {said}")


def dates_both_ends(desk: CodecDesk) -> Iterator[Finding]:
    """Vary each end of a range by itself."""
    for key, one, other, fixed in (
        (FilterKey.PUBLISHED_AFTER, DAYS[0], DAYS[1], {"published_before": LATER_DAYS[1]}),
        (FilterKey.PUBLISHED_BEFORE, LATER_DAYS[0], LATER_DAYS[1], {"published_after": DAYS[0]}),
    ):
        for beside in ({}, fixed):
            first, second = {**beside, key.value: one}, {**beside, key.value: other}
            outcome = desk.outcomes(**first)[key]
            changed = differences(desk.filtered(**first), desk.filtered(**second))
            if is_sent(outcome) != bool(changed):
                said = "goes out, and two days make one request" if not changed else "is reported, and changes it"
                with_other = " beside the other end" if beside else ""
                yield Finding(path=desk.path(key), message=f"{key}{with_other} {said}")
        day = desk.outcomes(**{key.value: one})[key]
        if day.status.restricts_in_full and not _names_day(day.sent or "", one, key):
            yield Finding(path=desk.path(key), message=f"{key} is {day.status}, and its day is not in what goes out")


def _names_day(sent: str, day: Any, key: FilterKey) -> bool:
    """Tell whether a text holds the year of *day*, or seconds since 1970."""
    return str(day.year) in sent or re.search(r"\d{9,}", sent) is not None or key is FilterKey.PUBLISHED_BEFORE


def list_is_whole(desk: CodecDesk) -> Iterator[Finding]:
    """Ask for lists of one to three hosts, and look for each host on the wire."""
    plain = desk.wire()
    for key in LISTS:
        for count in (1, 2, 3):
            hosts = HOSTS[:count]
            outcome = desk.outcomes(**{key.value: hosts})[key]
            if decided_here(outcome):
                continue
            wire = desk.filtered(**{key.value: hosts})
            present = [host for host in hosts if has_host(plain, wire, host)]
            if is_sent(outcome) and len(present) < count and outcome.status is not FilterStatus.PARTIAL:
                missing = ", ".join(host for host in hosts if host not in present)
                yield Finding(
                    path=desk.path(key),
                    message=f"a list of {count} is {outcome.status}, and {missing} is not to be found",
                )
            if not is_sent(outcome) and present:
                yield Finding(path=desk.path(key), message=f"a list of {count} is reported, and {present[0]} goes out")


def list_too_long(desk: CodecDesk) -> Iterator[Finding]:
    """Find how many hosts are taken, and hold that number and the next against the wire."""
    plain = desk.wire()
    for key in LISTS:
        most = _most(desk, key)
        if not most or most >= LONGEST_LIST:
            continue
        for count in (most, most + 1):
            hosts = tuple(f"h{number}.example" for number in range(count))
            wire = desk.filtered(**{key.value: hosts})
            present = sum(has_host(plain, wire, host) for host in hosts)
            wanted = count if count == most else 0
            if present != wanted:
                yield Finding(
                    path=desk.path(key), message=f"a list of {count} sends {present} hosts; {wanted} would be right"
                )


def _most(desk: CodecDesk, key: FilterKey) -> int:
    """Return the longest list that is taken, up to a bound."""
    low, high = 0, LONGEST_LIST
    while low < high:
        middle = (low + high + 1) // 2
        hosts = tuple(f"h{number}.example" for number in range(middle))
        outcome = desk.outcomes(**{key.value: hosts})[key]
        if is_sent(outcome) and not decided_here(outcome):
            low = middle
        else:
            high = middle - 1
    return low


def filters_together(desk: CodecDesk) -> Iterator[Finding]:
    """Ask for every two filters at once, and look whether each still goes out as it did alone."""
    plain = desk.wire()
    values = {key: _last_sent(desk, key) for key in FilterKey}
    alone = {
        key: differences(plain, desk.filtered(**{key.value: value}))
        for key, value in values.items()
        if value is not None
    }
    for one, other in combinations(alone, 2):
        asked = {one.value: values[one], other.value: values[other]}
        found, wire = desk.outcomes(**asked), desk.filtered(**asked)
        sent = [key for key in (one, other) if is_sent(found[key]) and alone[key]]
        if len(sent) == 1:
            single = desk.filtered(**{sent[0].value: values[sent[0]]})
            silent = other if sent[0] is one else one
            if alone[silent] and differences(wire, single):
                yield Finding(
                    path=desk.path(silent), message=f"is reported beside {sent[0]}, and still changes the request"
                )
        for key in sent:
            rest = other if key is one else one
            without = desk.filtered(**{rest.value: values[rest]})
            # One value may serve both, as the later of two first days does.
            shared = found[one].sent == found[other].sent
            if len(sent) == 2 and not shared and not differences(wire, without):
                yield Finding(
                    path=desk.path(key), message=f"is overwritten by {rest}, and still counts as {found[key].status}"
                )


def _last_sent(desk: CodecDesk, key: FilterKey) -> Any:
    """Return the last value of *key* that goes out; ``None`` where none does."""
    for value in reversed(desk.samples[key]):
        if is_sent(desk.outcomes(**{key.value: value})[key]):
            return value
    return None


def query_is_whole(desk: CodecDesk) -> Iterator[Finding]:
    """Look for the whole of each query on the wire."""
    for query in QUERIES:
        wire = desk.wire(query)
        if not any(holds_text(value, query) for value in wire.values()):
            yield Finding(path="search.query", message=f"the query of {len(query)} characters is not whole on the wire")
    one, other = desk.wire("tide"), desk.wire("wind")
    if not differences(one, other):
        yield Finding(path="search.query", message="two queries make the same request")


def long_query_is_whole_or_refused(desk: CodecDesk) -> Iterator[Finding]:
    """Ask ever longer queries: each goes out whole or is refused, and never cut in silence."""
    for length in (50, 100, 192, 400, 401, 1_000, 4_000, 8_000):
        query = ("tide " * length)[: length - 3] + "end"
        try:
            wire = desk.wire(query)
        except InvalidRequest:
            return
        if not any(holds_text(value, query) for value in wire.values()):
            if any(item.what == "query" for item in desk.codec.explain(_asked(query), today=desk.today)[1]):
                return
            yield Finding(path="search.query", message=f"a query of {length} characters is cut without a word")
            return


def later_page_differs(desk: CodecDesk) -> Iterator[Finding]:
    """Ask for pages 2 and 3: each is another request, or refused."""
    seen = [desk.wire(max_results=10)]
    for page in (2, 3):
        if desk.refuses(max_results=10, page=page):
            return
        wire = desk.wire(max_results=10, page=page)
        if any(not differences(wire, earlier) for earlier in seen):
            yield Finding(path="search.page", message=f"page {page} is the same request as an earlier page")
        seen.append(wire)


def count_is_stated(desk: CodecDesk) -> Iterator[Finding]:
    """Ask for counts up to a thousand: two that are not adjusted differ on the wire."""
    seen: dict[frozenset[tuple[str, str]], int] = {}
    for count in (1, 2, 5, 10, 20, 50, 100, 1_000):
        stated = [item for item in desk.adjustments(max_results=count) if item.what == "max_results"]
        wire = frozenset(desk.wire(max_results=count).items())
        earlier = seen.setdefault(wire, count)
        # A vendor with a fixed number gets no count at all; the client cuts what is too much.
        if earlier != count and not stated and len(seen) > 1:
            yield Finding(path="search.count", message=f"{count} goes out as {earlier}, and nothing says so")


def has_host(plain: Leaves, wire: Leaves, host: str) -> bool:
    """Tell whether *host* stands by itself in something that *plain* does not hold."""
    alone = re.compile(rf"(?<![A-Za-z0-9.])(?<![A-Za-z0-9]-){re.escape(host)}(?![A-Za-z0-9-])(?!\.[A-Za-z0-9])")
    return any(alone.search(value) for place, value in wire.items() if plain.get(place) != value)


def holds_text(value: str, text: str) -> bool:
    """Tell whether *value* is or holds *text*, also where the vendor needs percent signs escaped once more."""
    return text in value or text.replace("%", "%25").replace("+", "%2B") in value


def shown(value: Any) -> str:
    """Return a value for a message."""
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _asked(query: str) -> Any:
    from websdk.model import SearchRequest

    return SearchRequest(query=query)


def _names(items: Any) -> str:
    return ", ".join(sorted(map(str, items))) or "nothing"
