"""The keys of a preset file as frozen values. Their descriptions make the reference page and the JSON Schema."""

from __future__ import annotations

import json
from typing import Any

import attrs

from websdk.declarative.words import (
    FILTER_TERMS,
    HOST,
    NO_SCALARS,
    NO_STATUSES,
    NO_TEXTS,
    QUERY_TEXT,
    Addresses,
    AnswerPath,
    AnswerPaths,
    BaseUrl,
    Case,
    DateFormat,
    Escape,
    Exclusive,
    Family,
    FixedValues,
    Meaning,
    Method,
    PageStyle,
    Pattern,
    Place,
    Places,
    Scalars,
    Statuses,
    Texts,
    UrlPath,
    WordTable,
    holes,
    is_fragment,
    only_holes,
    setting_name,
    walk_fragment,
)


class KeyProblem(ValueError):
    """A key that does not fit its neighbours.

    Attributes:
        key: The key, as it stands in its table.
    """

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def _at_least(bound: int) -> Any:
    def check(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value is not None and value < bound:
            raise KeyProblem(attribute.name, f"is at least {bound}")

    return check


def _pattern_fits(key: str, text: str | None, at: str | None, wanted: set[str]) -> None:
    """Refuse a pattern whose holes or form do not suit the place that it is written to."""
    if text is None:
        return
    if at is None:
        raise KeyProblem(key, "needs `at`")
    parts = tuple(walk_fragment(json.loads(text))) if is_fragment(text) else (text,)
    if is_fragment(text) != (at.endswith("[]") and at not in (QUERY_TEXT, FILTER_TERMS)):
        raise KeyProblem(key, "a JSON fragment goes to a place that ends in [], any other pattern does not")
    try:
        for part in parts:
            only_holes(part, {*wanted, "field"})
    except ValueError as exc:
        raise KeyProblem(key, str(exc)) from None
    if not any(hole in wanted for part in parts for hole in holes(part)):
        raise KeyProblem(key, f"has none of {', '.join(sorted('{' + hole + '}' for hole in wanted))}")


@attrs.frozen(kw_only=True)
class Auth:
    """Where the key goes.

    Attributes:
        at: The place of the key; it is written last and masked wherever a request is shown.
        scheme: The word before the key, such as ``Bearer``; ``Basic`` encodes ``user:password``.
        env: Environment variables that hold the key, for bundled presets; ``A:B`` joins two of them.
    """

    at: Place
    scheme: str | None = None
    env: Texts = NO_TEXTS

    def __attrs_post_init__(self) -> None:
        if not self.at.startswith(("header:", "query:")):
            raise KeyProblem("at", "a key goes to header:Name or query:name")
        if self.scheme is not None and not self.scheme.isalnum():
            raise KeyProblem("scheme", "is one word")


@attrs.frozen(kw_only=True)
class Setting:
    """Something that an operator gives, such as an engine or an index.

    Attributes:
        about: What it is, in a few words for the person who must give it.
        at: The place that it goes to; a place that ends in ``[]`` takes a list, written with commas.
        default: What it is unless the operator says otherwise; an empty text makes it optional.
    """

    about: str
    at: Place | None = None
    default: str | None = None


@attrs.frozen(kw_only=True)
class HttpVendor:
    """Who a vendor is: shared by search call, page reader and probe.

    Attributes:
        id: Id of the preset; the name of its file.
        name: The vendor's name, as people write it.
        base_url: Where its interface stands; left out for services that an operator runs.
        auth: Where the key goes.
        settings: What an operator must or may give, by name.
        min_interval_s: Seconds that the vendor wants between two calls.
        max_reply_bytes: Ceiling for a reply, in bytes.
        probe: Path of a GET request that costs nothing and tells whether the service answers.
    """

    id: str = ""
    name: str
    base_url: BaseUrl | None = None
    auth: Auth | None = None
    settings: dict[str, Setting] = attrs.field(factory=dict)
    min_interval_s: float | None = attrs.field(default=None, validator=_at_least(0))
    max_reply_bytes: int | None = attrs.field(default=None, validator=_at_least(1024))
    probe: UrlPath | None = None

    def __attrs_post_init__(self) -> None:
        for name in self.settings:
            if not setting_name(name):
                raise KeyProblem(f"settings.{name}", "is a lower-case word")

    @property
    def env(self) -> tuple[str, ...]:
        """Environment variables of the key; ``A:B`` joins two."""
        return self.auth.env if self.auth is not None else ()


@attrs.frozen(kw_only=True)
class QueryRule:
    """How the query text is written.

    Attributes:
        at: The place or places of the query.
        max: The most code points that it may have.
        brackets: Whether the vendor reads ``( )`` around a query.
        any: How the vendor joins operators of which one suffices; without it an operator takes one value.
        escape: What is escaped in the text.
    """

    at: Places
    max: int | None = attrs.field(default=None, validator=_at_least(1))
    brackets: bool = False
    any: str | None = None
    escape: Escape | None = None


@attrs.frozen(kw_only=True)
class CountRule:
    """How many results are asked for.

    Attributes:
        at: The place of the number; without it the vendor has a fixed number.
        min: The least that the vendor takes.
        max: The most that the vendor takes or gives.
        step: The number is a multiple of this.
    """

    at: Place | None = None
    min: int | None = attrs.field(default=None, validator=_at_least(0))
    max: int | None = attrs.field(default=None, validator=_at_least(1))
    step: int | None = attrs.field(default=None, validator=_at_least(2))


@attrs.frozen(kw_only=True)
class PageRule:
    """How a later page is asked for.

    Attributes:
        at: The place of the number.
        style: What is counted, and from what.
        last: The last page or row that exists, counted from 1 and in the unit of `style`.
    """

    at: Place
    style: PageStyle
    last: int | None = attrs.field(default=None, validator=_at_least(1))


@attrs.frozen(kw_only=True)
class TermsRule:
    """One text that holds the terms of several filters.

    Attributes:
        at: The place of the text; terms follow what `fixed` put there.
        join: What stands between two terms.
        any: What stands between alternatives of one term.
    """

    at: Place
    join: str
    any: str | None = None


@attrs.frozen(kw_only=True)
class FilterRule:
    """How one filter is sent.

    Attributes:
        at: The place, or one of ``query-text``, ``filter-terms``, ``host``.
        values: The vendor's words; a value outside is reported.
        case: Letter case of the value.
        prefix: Text before the value.
        join: What joins a list into one text.
        max: The most values in a list; a longer one is left out and reported.
        pattern: How one value is written in the query text, the terms or a list of the body.
        fixed: Further values that go with the filter, by place.
        approximate: Why the vendor does not restrict by it in full.
        caveat: What the vendor may do in spite of it; carried as a notice.
        unless: Values of other filters beside which it has no effect.
    """

    at: Place | None = None
    values: WordTable | None = None
    case: Case | None = None
    prefix: str = ""
    join: str | None = None
    max: int | None = attrs.field(default=None, validator=_at_least(1))
    pattern: Pattern | None = None
    fixed: FixedValues = attrs.field(factory=lambda: FixedValues({}))
    approximate: str | None = None
    caveat: str | None = None
    unless: dict[str, Texts] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        _pattern_fits("pattern", self.pattern, self.at, {"value", "values"})
        if self.at in (QUERY_TEXT, FILTER_TERMS) and self.pattern is None:
            raise KeyProblem("at", f"{self.at} needs a `pattern`")
        if self.at == HOST and self.values is None:
            raise KeyProblem("values", "a host takes its values from a table")


@attrs.frozen(kw_only=True)
class DatesRule:
    """How the first and the last wanted day are sent.

    Attributes:
        at: The place of `range`, or of `after` and `before` where these are patterns.
        after: The place of the first day, or the pattern of a first day alone.
        before: The place of the last day, or the pattern of a last day alone.
        range: The pattern of both days in one text.
        format: How a day is spelt.
        inclusive: Whether the vendor counts the last day in.
        caveat: What the vendor may do in spite of them; carried as a notice.
        unless: Values of other filters beside which they have no effect.
    """

    at: Place | None = None
    after: Pattern | None = None
    before: Pattern | None = None
    range: Pattern | None = None
    format: DateFormat = DateFormat.ISO_DATE
    inclusive: bool = True
    caveat: str | None = None
    unless: dict[str, Texts] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        if self.range is None and self.after is None:
            raise KeyProblem("after", "is missing, and so is `range`")
        _pattern_fits("range", self.range, self.at, {"start", "end"})
        if self.at is not None:
            _pattern_fits("after", self.after, self.at, {"start"})
            _pattern_fits("before", self.before, self.at, {"end"})
        elif any(hole for text in (self.after, self.before) if text for hole in holes(text)):
            raise KeyProblem("at", "is missing: `after` and `before` are patterns")


@attrs.frozen(kw_only=True)
class FilterRules:
    """The filters that a vendor can express.

    Attributes:
        recency: The window that ends today; a window without a word uses `dates`.
        dates: The first and the last day of publication.
        include_domains: Hosts that are wanted.
        exclude_domains: Hosts that are not wanted.
        country: ISO 3166-1 code.
        language: BCP 47 tag.
        safe_search: ``off``, ``moderate`` or ``strict``.
        topic: A vertical of the vendor.
    """

    recency: FilterRule | None = None
    dates: DatesRule | None = None
    include_domains: FilterRule | None = None
    exclude_domains: FilterRule | None = None
    country: FilterRule | None = None
    language: FilterRule | None = None
    safe_search: FilterRule | None = None
    topic: FilterRule | None = None

    def __attrs_post_init__(self) -> None:
        for name in ("recency", "safe_search"):
            rule = getattr(self, name)
            if rule is not None and rule.values is None:
                raise KeyProblem(f"{name}.values", "is missing")
        if self.recency is not None and not set(self.recency.values or ()) <= {"day", "week", "month", "year"}:
            raise KeyProblem("recency.values", "has windows other than day, week, month, year")
        if self.safe_search is not None and not set(self.safe_search.values or ()) <= {"off", "moderate", "strict"}:
            raise KeyProblem("safe_search.values", "has words other than off, moderate, strict")
        for name in ("include_domains", "exclude_domains"):
            rule = getattr(self, name)
            if rule is not None and rule.values is not None:
                raise KeyProblem(f"{name}.values", "hosts have no table")
            if rule is not None and rule.at == HOST:
                raise KeyProblem(f"{name}.at", "hosts that a caller names are never part of the address")


@attrs.frozen(kw_only=True)
class Topic:
    """A vertical that is asked elsewhere or answered elsewhere.

    Attributes:
        path: The path of its request.
        at: The paths of its lists of results.
    """

    path: UrlPath | None = None
    at: AnswerPaths | None = None


@attrs.frozen(kw_only=True)
class ResultRules:
    """Where results stand in an answer.

    Attributes:
        at: The list or lists of results, put together in this order.
        where: What a row must hold to be a result, by path.
        optional: Whether the list is left out when nothing was found.
        title: The title.
        url: The address, or a pattern that builds it.
        key: What fills ``{key}`` in the pattern of an address.
        snippet: The passage that is shown.
        content: A longer passage.
        published: The day or moment of publication.
        score: The vendor's figure; ``-path`` where a lower one is better.
        html: Which of title, snippet and content are HTML.
    """

    at: AnswerPaths
    where: dict[str, Any] = attrs.field(factory=dict)
    optional: bool = False
    title: AnswerPaths | None = None
    url: Addresses
    key: AnswerPath | None = None
    snippet: AnswerPaths | None = None
    content: AnswerPaths | None = None
    published: AnswerPaths | None = None
    score: AnswerPath | None = None
    html: Texts = NO_TEXTS

    def __attrs_post_init__(self) -> None:
        if not set(self.html) <= {"title", "snippet", "content"}:
            raise KeyProblem("html", "names other fields than title, snippet, content")
        if self.key is None and any("{key}" in address for address in self.url):
            raise KeyProblem("key", "is missing: `url` has {key}")


@attrs.frozen(kw_only=True)
class ReplyRules:
    """What else stands in an answer.

    Attributes:
        answer: Text that the vendor wrote about the results.
        usage: What the call cost: the unit and its path.
        left: What is left of the quota.
        notices: What the vendor says about the request.
        incomplete: Filled or true when some of the vendor's own sources failed.
        more: Filled or true when there is a next page.
        wait: How long to wait: seconds, milliseconds (a name ending in ``-ms``), a date, or a list by window; in a
            good answer a path of the body orders a pause.
    """

    answer: AnswerPaths | None = None
    usage: dict[str, AnswerPath] = attrs.field(factory=dict)
    left: AnswerPath | None = None
    notices: AnswerPaths | None = None
    incomplete: AnswerPaths | None = None
    more: AnswerPath | None = None
    wait: AnswerPaths | None = None


@attrs.frozen(kw_only=True)
class ErrorRule:
    """What one kind of reply means; the first rule that fits counts.

    Attributes:
        status: The HTTP statuses that it is about; any without it.
        at: A path of the answer that must hold something.
        equals: What must stand there.
        begins: How the text there must begin.
        means: The meaning.
    """

    status: Statuses = NO_STATUSES
    at: AnswerPath | None = None
    equals: Scalars = NO_SCALARS
    begins: Texts = NO_TEXTS
    means: Meaning

    def __attrs_post_init__(self) -> None:
        if not self.status and self.at is None:
            raise KeyProblem("status", "is missing, and so is `at`")
        if (self.equals or self.begins) and self.at is None:
            raise KeyProblem("at", "is missing: `equals` and `begins` look there")


@attrs.frozen(kw_only=True)
class SearchProviderPreset:
    """How a vendor is asked and how its answers are read.

    Attributes:
        method: ``GET`` writes to the query string, ``POST`` to a JSON body.
        base_url: The base address, where it differs from the vendor's.
        path: The path of the request.
        keyless: These calls also work without a key; what is then sent in its place, by place.
        family: ``web`` or ``code``.
        site: The one host that the vendor serves; filters by domain are then decided here.
        exclusive: Filters that the vendor refuses together: ``dates`` (dates win over recency), ``domains`` (includes
            win over excludes).
        fixed: Values of every request, by place.
        query: The query text.
        count: The number of results.
        page: Later pages.
        terms: A text that holds the terms of filters.
        filters: The filters.
        topics: Topics that have another path or other lists.
        results: The results.
        reply: What else an answer says.
        errors: What replies mean, before the common meaning of their status.
    """

    method: Method = Method.POST
    base_url: BaseUrl | None = None
    path: UrlPath
    keyless: FixedValues | None = None
    family: Family = Family.WEB
    site: Pattern | None = None
    exclusive: tuple[Exclusive, ...] = ()
    fixed: FixedValues = attrs.field(factory=lambda: FixedValues({}))
    query: QueryRule
    count: CountRule = attrs.field(factory=CountRule)
    page: PageRule | None = None
    terms: TermsRule | None = None
    filters: FilterRules = attrs.field(factory=FilterRules)
    topics: dict[str, Topic] = attrs.field(factory=dict)
    results: ResultRules
    reply: ReplyRules = attrs.field(factory=ReplyRules)
    errors: tuple[ErrorRule, ...] = ()

    def __attrs_post_init__(self) -> None:
        if self.terms is None and any(
            rule is not None and rule.at == FILTER_TERMS for rule in attrs.asdict(self.filters, recurse=False).values()
        ):
            raise KeyProblem("terms", "is missing: a filter writes there")
        if self.page is not None and self.page.style.counts_rows and self.count.at is None:
            raise KeyProblem("page.style", "rows are counted only where `count.at` says how many a page has")


@attrs.frozen(kw_only=True)
class PageRules:
    """Where a page stands in a reader's answer.

    Attributes:
        at: The list of pages, or the one page; the whole answer without it.
        url: The address that was asked for, by which a page is found in a list.
        served_url: The address that served the page.
        status: The status that the page's own origin gave.
        html: The page's HTML; ``body`` for the whole reply.
        markdown: Markdown that the vendor wrote.
        title: The title.
        published: The day or moment of publication.
    """

    at: AnswerPath | None = None
    url: AnswerPaths | None = None
    served_url: AnswerPaths | None = None
    status: AnswerPath | None = None
    html: AnswerPaths | None = None
    markdown: AnswerPaths | None = None
    title: AnswerPaths | None = None
    published: AnswerPaths | None = None

    def __attrs_post_init__(self) -> None:
        if self.html is None and self.markdown is None:
            raise KeyProblem("html", "is missing, and so is `markdown`")


@attrs.frozen(kw_only=True)
class FailureRules:
    """Where a reader names pages that it did not get, inside a good answer.

    Attributes:
        at: The list of failures.
        where: What an entry must hold to be a failure, by path.
        url: The address that an entry is about.
        status: The status that the page's own origin gave.
        key: The vendor's word for the failure.
        values: What such a word means; anything else is ``unreadable``.
    """

    at: AnswerPath
    where: dict[str, Any] = attrs.field(factory=dict)
    url: AnswerPaths | None = None
    status: AnswerPath | None = None
    key: AnswerPath | None = None
    values: dict[str, Meaning] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class ReaderReplyRules:
    """What else stands in a reader's answer.

    Attributes:
        notices: What the vendor says about the page.
        wait: How long to wait, as for a search.
    """

    notices: AnswerPaths | None = None
    wait: AnswerPaths | None = None


@attrs.frozen(kw_only=True)
class FetchProviderPreset:
    """How a vendor is asked for a page.

    Attributes:
        method: ``GET`` writes to the query string, ``POST`` to a JSON body.
        base_url: The base address, where it differs from the vendor's.
        path: The path of the request.
        keyless: These calls also work without a key; what is then sent in its place, by place.
        fixed: Values of every request, by place.
        url: The place of the page's address.
        page: Where the page stands in the answer.
        failures: Where failures stand in a good answer.
        reply: What else an answer says.
        errors: What replies mean, before the common meaning of their status.
    """

    method: Method = Method.POST
    base_url: BaseUrl | None = None
    path: UrlPath
    fixed: FixedValues = attrs.field(factory=lambda: FixedValues({}))
    keyless: FixedValues | None = None
    url: Place
    page: PageRules
    failures: FailureRules | None = None
    reply: ReaderReplyRules = attrs.field(factory=ReaderReplyRules)
    errors: tuple[ErrorRule, ...] = ()


@attrs.frozen(kw_only=True)
class Preset:
    """One preset file.

    Attributes:
        schema: The version of this language: 1.
        vendor: Who the vendor is.
        search: How it is asked, where it searches.
        fetch: How it reads a page, where it does.
        source: Where the text came from, for messages.
    """

    schema: int
    vendor: HttpVendor
    search: SearchProviderPreset | None = None
    fetch: FetchProviderPreset | None = None
    source: str | None = None

    def __attrs_post_init__(self) -> None:
        if self.search is None and self.fetch is None:
            raise KeyProblem("search", "is missing, and so is `fetch`")
