"""A preset file as frozen values. The descriptions of the keys make the reference page and the JSON Schema."""

from __future__ import annotations

import attrs

from websdk.declarative.answers import (
    ErrorRule,
    FailureRules,
    PageRules,
    ReaderReplyRules,
    ReplyRules,
    ResultRules,
    Topic,
)
from websdk.declarative.asking import CountRule, FilterRules, PageRule, QueryRule, TermsRule
from websdk.declarative.checks import KeyProblem
from websdk.declarative.vendor import HttpVendor
from websdk.declarative.words import (
    FILTER_TERMS,
    BaseUrl,
    Exclusive,
    Family,
    FixedValues,
    Method,
    Pattern,
    Place,
    UrlPath,
)


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
class FetchProviderPreset:
    """How a vendor is asked for a page.

    Attributes:
        method: ``GET`` writes to the query string, ``POST`` to a JSON body.
        base_url: The base address, where it differs from the vendor's.
        path: The path of the request.
        keyless: These calls also work without a key; what is then sent in its place, by place.
        fixed: Values of every request, by place.
        evidence: Values written over `fixed` where the page is kept as evidence: text without images and link targets.
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
    evidence: FixedValues = attrs.field(factory=lambda: FixedValues({}))
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
