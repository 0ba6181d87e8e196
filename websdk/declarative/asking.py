"""The tables of `[search]` that say what goes out: query, count, page, terms, filters."""

from __future__ import annotations

import attrs

from websdk.declarative.checks import KeyProblem, at_least, pattern_fits
from websdk.declarative.words import (
    FILTER_TERMS,
    HOST,
    QUERY_TEXT,
    Case,
    DateFormat,
    Escape,
    FilterPlace,
    FixedValues,
    PageStyle,
    Pattern,
    Place,
    Places,
    Texts,
    WordTable,
    holes,
    place,
)


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
    max: int | None = attrs.field(default=None, validator=at_least(1))
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
    min: int | None = attrs.field(default=None, validator=at_least(0))
    max: int | None = attrs.field(default=None, validator=at_least(1))
    step: int | None = attrs.field(default=None, validator=at_least(2))


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
    last: int | None = attrs.field(default=None, validator=at_least(1))


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

    at: FilterPlace | None = None
    values: WordTable | None = None
    case: Case | None = None
    prefix: str = ""
    join: str | None = None
    max: int | None = attrs.field(default=None, validator=at_least(1))
    pattern: Pattern | None = None
    fixed: FixedValues = attrs.field(factory=lambda: FixedValues({}))
    approximate: str | None = None
    caveat: str | None = None
    unless: dict[str, Texts] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        pattern_fits("pattern", self.pattern, self.at, {"value", "values"})
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

    at: FilterPlace | None = None
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
        pattern_fits("range", self.range, self.at, {"start", "end"})
        if self.at is not None:
            pattern_fits("after", self.after, self.at, {"start"})
            pattern_fits("before", self.before, self.at, {"end"})
            return
        for key, text in (("after", self.after), ("before", self.before)):
            if text is not None and holes(text):
                raise KeyProblem("at", f"is missing: `{key}` is a pattern")
            if text is not None:
                try:
                    place(text)
                except ValueError as exc:
                    raise KeyProblem(key, str(exc)) from None


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
