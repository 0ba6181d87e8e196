"""Tests of what a codec or provider says about filters; the contracts of both are made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hypothesis import HealthCheck, given, settings

from websdk.errors import InvalidRequest
from websdk.model import Filters, FilterStatus
from websdk.testing import claims
from websdk.testing.desk import CodecDesk
from websdk.testing.report import Finding
from websdk.testing.strategies import filters

# Subclasses share the method, which is the point of a contract; the number keeps it within a second.
_PROPERTY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.differing_executors])


class ClaimsContract:
    """What holds for everything that searches over a wire. Subclasses say how it is asked, in :meth:`desk`."""

    def desk(self) -> CodecDesk:
        """Return a fresh desk at which the tested part is asked."""
        raise NotImplementedError

    def _keeps(self, rule: Callable[[CodecDesk], Iterator[Finding]]) -> None:
        found = [f"{item.path}: {item.message}" for item in rule(self.desk())]

        assert [] == found, "\n".join(found)

    def test_every_asked_filter_has_exactly_one_outcome(self) -> None:
        """Nothing asked for vanishes from the account."""
        self._keeps(claims.every_filter_accounted)

    def test_filter_that_is_not_declared_is_reported_and_not_sent(self) -> None:
        """A filter outside ``filter_keys`` is unsupported, and the request is as if it had not been asked."""
        self._keeps(claims.undeclared_is_reported)

    def test_value_that_is_reported_changes_nothing(self) -> None:
        """An unsupported value leaves no trace on the wire."""
        self._keeps(claims.reported_sends_nothing)

    def test_two_values_of_a_declared_filter_make_two_requests(self) -> None:
        """A declared filter has an effect, and the caller's value is the one that counts."""
        self._keeps(claims.values_differ)

    def test_nothing_asked_is_nothing_sent(self) -> None:
        """Empty filters are no filters."""
        desk = self.desk()
        plain = desk.wire()
        empty = desk.filtered(include_domains=(), exclude_domains=(), recency=None, language=None, topic="")

        assert plain == empty
        assert {} == desk.outcomes(include_domains=(), recency=None)

    def test_each_window_goes_out_or_is_reported(self) -> None:
        """Day, week, month and year each have an outcome that the wire bears out."""
        self._keeps(claims.windows_render)

    def test_each_end_of_a_range_goes_out_or_is_reported(self) -> None:
        """Half a range is never sent for a whole one."""
        self._keeps(claims.dates_both_ends)

    def test_list_goes_out_whole_or_is_reported(self) -> None:
        """No host of a list is lost in silence."""
        self._keeps(claims.list_is_whole)

    def test_list_beyond_the_limit_is_left_out_and_reported(self) -> None:
        """The first few of a long list are never sent for all of them."""
        self._keeps(claims.list_too_long)

    def test_filters_do_not_overwrite_each_other(self) -> None:
        """Two filters at once are both on the wire, or one is reported and sends nothing."""
        self._keeps(claims.filters_together)

    def test_query_arrives_whole(self) -> None:
        """Accents, signs and characters beyond the basic plane included."""
        self._keeps(claims.query_is_whole)

    def test_long_query_goes_out_whole_or_is_refused(self) -> None:
        """A query is never cut without a word."""
        self._keeps(claims.long_query_is_whole_or_refused)

    def test_later_page_is_another_request_or_refused(self) -> None:
        """The second page is not the first one once more."""
        self._keeps(claims.later_page_differs)

    def test_count_that_is_changed_is_stated(self) -> None:
        """A clamped count is an adjustment."""
        self._keeps(claims.count_is_stated)

    @_PROPERTY
    @given(asked=filters())
    def test_any_filters_are_as_if_the_reported_ones_had_not_been_asked(self, asked: Filters) -> None:
        """Whatever is asked together, the request is that of the filters that were not reported."""
        desk = self.desk()
        try:
            outcomes = desk.outcomes(**{key.value: asked[key] for key in asked})
        except InvalidRequest:
            return
        lost = [key for key, outcome in outcomes.items() if outcome.status is FilterStatus.UNSUPPORTED]

        assert asked.asked() == tuple(outcomes)
        assert desk.wire(filters=asked) == desk.wire(filters=asked.without(*lost))
