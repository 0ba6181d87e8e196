"""arXiv: preprints, found over an interface that answers in Atom.

Facts: the user's manual of the interface (arxiv-docs 8332d7e, source/help/api/user-manual.md), the package arxiv 4.0.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from urllib.parse import urlencode

import attrs

from websdk import (
    Adjustment,
    Exchange,
    FilterKey,
    FilterOutcome,
    Filters,
    FilterStatus,
    HttpRequest,
    HttpResponse,
    InvalidRequest,
    MalformedAnswer,
    ProviderError,
    ProviderRejected,
    SearchAnswer,
    SearchRequest,
    SearchResult,
    Unavailable,
    classify_status,
)
from websdk_vendors.arxiv_query import expression
from websdk_vendors.atom import Entry, Feed, NotAtom, read_feed

PROVIDER = "arxiv"
BASE_URL = "https://export.arxiv.org"
SITE = "arxiv.org"
MAX_RESULTS = 200  # the interface gives 2,000, but an entry has some 3 KB and a reply may have 2 MiB
MAX_ROWS = 30_000  # whatever lies behind is answered with a 400
PAUSE_S = 3.0  # the terms of use ask for one call in three seconds
FIRST_DAY = date(1991, 8, 1)  # the month in which arXiv opened: nothing lies before
ERRORS = "arxiv.org/api/errors"

# Archives without parts, whose name is the whole category. Others have parts such as cs.AI, which no topic can spell.
ARCHIVES = frozenset({"gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th", "math-ph", "nucl-ex", "nucl-th", "quant-ph"})
_DATES = frozenset({FilterKey.RECENCY, FilterKey.PUBLISHED_AFTER, FilterKey.PUBLISHED_BEFORE})


@attrs.frozen(kw_only=True)
class ArxivCodec:
    """What to send to arXiv and how to read it.

    Attributes:
        base_url: Where the interface stands.
    """

    base_url: str = BASE_URL
    id: str = PROVIDER
    filter_keys: frozenset[FilterKey] = _DATES | {
        FilterKey.INCLUDE_DOMAINS,
        FilterKey.EXCLUDE_DOMAINS,
        FilterKey.TOPIC,
    }

    def explain(
        self, request: SearchRequest, *, today: date
    ) -> tuple[tuple[FilterOutcome, ...], tuple[Adjustment, ...]]:
        """Return one outcome for each asked filter, and the count where it was clamped.

        Raises:
            InvalidRequest: The page lies behind the last row that arXiv gives out, or the query has no word.
        """
        count = _count(request)
        if not expression(request.query):
            raise InvalidRequest(f"the query has no word that {PROVIDER} could look for")
        if request.page * count > MAX_ROWS:
            raise InvalidRequest(f"{PROVIDER} gives out {MAX_ROWS:,} rows of a search; this page lies behind")
        terms = _terms(request.filters, today)
        outcomes = tuple(_outcome(key, request.filters, terms) for key in request.filters.asked())
        if count == request.max_results:
            return outcomes, ()
        reason = f"{PROVIDER} is asked for at most {MAX_RESULTS} results at a time, to fit the reply's byte ceiling"
        return outcomes, (Adjustment(what="max_results", asked=request.max_results, sent=count, reason=reason),)

    def exchange(self, request: SearchRequest, *, today: date) -> Exchange:
        """Ask once.

        Raises:
            ProviderRejected: arXiv says what it does not like, inside a good reply.
            Unavailable: arXiv counts results and sends none, as it does now and then.
            MalformedAnswer: The reply is no Atom feed.
        """
        count = _count(request)
        start = (request.page - 1) * count
        terms = [expression(request.query), *_terms(request.filters, today).values()]
        parameters = {"search_query": " AND ".join(terms), "start": start, "max_results": count}
        reply = yield HttpRequest(method="GET", url=f"{self.base_url}/api/query?{urlencode(parameters)}")
        return _answer(_feed(reply), start=start)

    def classify(self, response: HttpResponse, *, now: datetime) -> ProviderError | None:
        """Return what the reply's status means."""
        return classify_status(response, provider=PROVIDER, now=now)


def _count(request: SearchRequest) -> int:
    return min(request.max_results, MAX_RESULTS)


def _terms(filters: Filters, today: date) -> dict[str, str]:
    """Return what follows the query, by what it is about."""
    terms = {}
    starts = [day for day in (filters.published_after, filters.recency and filters.recency.start(today)) if day]
    if starts or filters.published_before:
        start = max(starts, default=FIRST_DAY)
        # The interface has no open end; a day more than today is one for every time zone.
        end = filters.published_before or today + timedelta(days=1)
        terms["dates"] = f"submittedDate:[{start:%Y%m%d}0000 TO {end:%Y%m%d}2359]"
    if filters.topic in ARCHIVES:
        terms["topic"] = f"cat:{filters.topic}"
    return terms


def _outcome(key: FilterKey, filters: Filters, terms: Mapping[str, str]) -> FilterOutcome:
    if key in _DATES:
        return _emulated(key, terms["dates"])
    if key is FilterKey.TOPIC and "topic" in terms:
        return _emulated(key, terms["topic"])
    if key in (FilterKey.INCLUDE_DOMAINS, FilterKey.EXCLUDE_DOMAINS):
        inside = any(host == SITE or SITE.endswith(f".{host}") for host in filters[key])
        if inside == (key is FilterKey.INCLUDE_DOMAINS):
            return FilterOutcome(key=key, status=FilterStatus.APPLIED)
        return _unsupported(key, f"arXiv has pages of {SITE} alone")
    if key is FilterKey.TOPIC:
        return _unsupported(key, "topics are archives without parts, such as quant-ph; write cat:cs.AI into the query")
    return _unsupported(key, f"arXiv has no filter for {key.value.replace('_', ' ')}")


def _emulated(key: FilterKey, term: str) -> FilterOutcome:
    return FilterOutcome(key=key, status=FilterStatus.EMULATED, sent=f"search_query={term}")


def _unsupported(key: FilterKey, reason: str) -> FilterOutcome:
    return FilterOutcome(key=key, status=FilterStatus.UNSUPPORTED, reason=reason)


def _feed(reply: HttpResponse | None) -> Feed:
    try:
        return read_feed(reply.body if reply is not None else b"")
    except NotAtom as exc:
        raise MalformedAnswer(f"{PROVIDER} answered with something else than an Atom feed", provider=PROVIDER) from exc


def _answer(feed: Feed, *, start: int) -> SearchAnswer:
    if any(ERRORS in entry.id for entry in feed.entries):
        raise ProviderRejected(f"{PROVIDER} cannot read this request", provider=PROVIDER)
    if not feed.entries and feed.total is not None and feed.total > start:
        raise Unavailable(f"{PROVIDER} counts results and sent none; ask again", provider=PROVIDER)
    return SearchAnswer(
        results=tuple(_results(feed.entries)),
        more=None if feed.total is None else feed.total > start + len(feed.entries),
        pause_s=PAUSE_S,
    )


def _results(entries: tuple[Entry, ...]) -> Iterator[SearchResult]:
    for entry in entries:
        url = entry.alternate or entry.id
        if url:
            yield SearchResult(
                url=url,
                title=entry.title,
                snippet=entry.summary,
                published=_moment(entry.published),
                published_text=entry.published or None,
            )


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None
