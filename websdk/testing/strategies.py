"""Filters and queries of every kind, for property tests."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from websdk.model import Filters

HOSTS = ("a.example", "docs.b.example", "wikipedia.org", "stackoverflow.com", "or", "and.example")
TOPICS = (
    "news",
    "images",
    "company",
    "people",
    "general",
    "type",
    "image",
    "story",
    "computer-science",
    "search_pro",
)
QUERIES = ("tide tables", 'a "b c"', "a OR b", "(a", "a) b", "100% a+b", "site:x.example a", "é ☃", "x" * 380)


def queries() -> st.SearchStrategy[str]:
    """Return queries with words, operators, brackets that do not close, signs and accents."""
    return st.sampled_from(QUERIES)


@st.composite
def filters(draw: st.DrawFn) -> Filters:
    """Return any filters that can be asked for; days lie before 2026-03-04, on which an open range ends."""
    hosts = st.lists(st.sampled_from(HOSTS), max_size=4)
    days = st.none() | st.dates(date(2000, 1, 1), date(2026, 3, 3))
    start, end = draw(days), draw(days)
    if start and end and start > end:
        start, end = end, start
    return Filters(
        recency=draw(st.sampled_from([None, "day", "week", "month", "year"])),
        published_after=start,
        published_before=end,
        include_domains=draw(hosts),
        exclude_domains=draw(hosts),
        country=draw(st.sampled_from([None, "DE", "US", "GB", "AQ"])),
        language=draw(st.sampled_from([None, "de", "en", "en-GB", "zh-Hans", "tlh", "pt-BR"])),
        safe_search=draw(st.sampled_from([None, "off", "moderate", "strict"])),
        topic=draw(st.none() | st.sampled_from(TOPICS)),
    )
