"""Searching with a session."""

from __future__ import annotations

import asyncio
import json
import random

import attrs
import pytest

from websdk.budget.answer import to_json
from websdk.budget.fit import FitOptions
from websdk.budget.options import PreviewOptions
from websdk.errors import (
    BudgetExhausted,
    ConfigurationError,
    CredentialRejected,
    DeadlineExceeded,
    InvalidRequest,
    MalformedAnswer,
    NotAuthorized,
    RateLimited,
    Refused,
    SearchFailed,
    Unavailable,
)
from websdk.evidence import EvidenceOptions
from websdk.model import (
    Adjustment,
    FilterKey,
    FilterOutcome,
    Filters,
    FilterStatus,
    ResultKind,
)
from websdk.model.convert import to_dict
from websdk.model.effort import Family
from websdk.reuse import ReuseOptions
from websdk.session import Answered, SessionOptions, Source
from websdk.state import MemoryState
from websdk.tools import failed_call

from .conftest import result

DOWN = Unavailable("brave is down", provider="brave", status=503)
LIMITED = RateLimited("brave: too many calls", provider="brave", status=429, wait_s=20.0)
CODE = Source(id="grep", family=Family.CODE)
CODE2 = Source(id="sourcebot", family=Family.CODE)


def run(work):
    return asyncio.run(work)


# -- what comes back -------------------------------------------------------------------------------------------------


def test_results_are_stored_and_carry_their_refs(script, make):
    script.answers["brave"] = (result(1), result(2))
    session = make()

    response = run(session.search("tide tables"))

    assert [f"{response.ref}:1", f"{response.ref}:2"] == [row.ref for row in response.results]
    assert "Snippet 2 of brave." == run(session.read(response.results[1].ref)).text


def test_no_more_results_than_asked_for_and_the_rest_is_one_call_away(script, make):
    script.answers["brave"] = tuple(result(number) for number in range(1, 7))
    session = make()

    answer = run(session.call("search", {"query": "x", "max_results": 2}))

    assert 2 == len(answer.structured["results"])
    assert "3-6" == answer.structured["not_shown"]
    assert answer.structured["more"]
    assert answer.structured["next_call"] in answer.text
    name, _, body = answer.structured["next_call"].partition("(")
    listed = run(session.call(name, json.loads(body[:-1])))
    assert [f"{answer.structured['ref']}:{number}" for number in range(3, 7)] == [
        row["ref"] for row in listed.structured["results"]
    ]


def test_more_results_than_the_setting_allows_is_an_adjustment(script, make):
    script.answers["brave"] = (result(1),)

    response = run(make(options=SessionOptions(max_results=3)).search("x", max_results=50))

    assert [("max_results", 50, 3)] == [(item.what, item.asked, item.sent) for item in response.adjustments]


def test_filters_adjustments_and_notices_are_always_told(script, make):
    outcome = FilterOutcome(
        key=FilterKey.COUNTRY, status=FilterStatus.UNSUPPORTED, reason="the vendor has no countries"
    )
    script.answers["brave"] = Answered(
        response=script.response(
            "brave",
            result(1),
            unsupported_filters=(FilterKey.COUNTRY,),
            filter_outcomes=(outcome,),
            adjustments=(Adjustment(what="page", asked=1, sent=0, reason="it counts from 0"),),
            notices=("The vendor corrected the spelling.",),
        ),
        warned=True,
    )

    answer = run(make().call("search", {"query": "x", "country": "DE"}))

    assert ["country"] == answer.structured["unsupported_filters"]
    assert ["page: 1 was asked for, 0 was sent: it counts from 0"] == answer.structured["adjustments"]
    assert "Filters: not applied in full: country." in answer.text
    assert "Note: The vendor corrected the spelling." in answer.text
    assert "receipt" not in answer.structured
    assert answer.details.receipt is not None


def test_generated_text_has_no_ref_and_is_not_stored(script, make):
    script.answers["brave"] = Answered(response=script.response("brave", result(1), answer="The tide is high."))
    session = make()

    answer = run(session.call("search", {"query": "x"}))
    found = run(session.call("search", {"ref": answer.structured["ref"], "find": "tide is high"}))

    assert "The tide is high." == answer.structured["generated_answer"]
    assert 0 == found.structured["matches"]


def test_an_answer_without_results_has_no_ref(make):
    answer = run(make().call("search", {"query": "x"}))

    assert "ref" not in answer.structured
    assert ["Results: 0 by brave."] == answer.text.splitlines()


def test_what_the_store_has_no_place_for_is_neither_promised_nor_called_for(script, make):
    script.answers["brave"] = (result(1), result(2, snippet="long " * 200), result(3), result(4))
    session = make(options=SessionOptions(evidence=EvidenceOptions(results=1)))

    answer = run(session.call("search", {"query": "x", "max_results": 3}))

    handle = answer.structured["ref"]
    assert f"refs {handle}:1 to {handle}:1;" in answer.text
    assert "next_call" not in answer.structured
    assert any("2 results are not stored: make another" in notice for notice in answer.structured["notices"])


def test_an_answer_too_large_to_store_says_so_and_asks_for_another_search(script, make):
    script.answers["brave"] = tuple(result(number, content="x" * 900) for number in range(1, 9))
    session = make(options=SessionOptions(evidence=EvidenceOptions(bytes=1_000)))

    answer = run(session.call("search", {"query": "x", "max_results": 3}))

    assert "too large to be stored" in answer.text
    assert "narrower search" in answer.text
    assert "next_call" not in answer.structured


# -- in turn ---------------------------------------------------------------------------------------------------------


def test_one_provider_is_asked(script, make):
    run(make().search("x"))

    assert [("brave", "x")] == script.asked


@pytest.mark.parametrize("error", [DOWN, LIMITED], ids=["outage", "rate limit"])
def test_the_next_is_asked_after_a_failure_that_may_pass(script, make, error):
    script.answers = {"brave": error, "exa": (result(1, source="exa"),)}

    response = run(make().search("x"))

    assert ["brave", "exa"] == [provider for provider, _ in script.asked]
    assert "exa" == response.provider
    assert [("brave", "brave.example", type(error).__name__, error.status)] == [
        (attempt.recipient, attempt.host, attempt.outcome, attempt.status) for attempt in response.receipt.attempts
    ]
    assert f"brave gave no answer: {type(error).__name__}." in response.notices


@pytest.mark.parametrize(
    "error",
    [CredentialRejected("no key", provider="brave"), MalformedAnswer("what", provider="brave")],
    ids=["key", "answer"],
)
def test_nobody_else_is_asked_after_any_other_failure(script, make, error):
    script.answers = {"brave": error, "exa": (result(1),)}

    with pytest.raises(type(error)):
        run(make().search("x"))
    assert [("brave", "x")] == script.asked


def test_a_limited_provider_is_left_alone_and_the_next_asked_without_waiting(script, make, clock):
    script.answers = {"brave": LIMITED, "exa": (result(1),)}
    session = make()
    run(session.search("x"))
    script.answers["brave"] = (result(2),)

    clock.seconds = 19
    run(session.search("y"))
    assert [("brave", "x"), ("exa", "x"), ("exa", "y")] == script.asked

    clock.seconds = 21
    run(session.search("z"))
    assert ("brave", "z") == script.asked[-1]


def test_a_pause_of_the_only_provider_is_a_failure_that_sends_nothing(script, make):
    script.providers = [Source(id="brave")]
    script.answers["brave"] = LIMITED
    session = make()
    with pytest.raises(RateLimited):
        run(session.search("x"))

    with pytest.raises(RateLimited) as caught:
        run(session.search("y"))
    assert not caught.value.sent
    assert caught.value.retryable
    assert 20 == caught.value.wait_s
    assert 1 == len(script.asked)


def test_an_outage_with_a_wait_cools_nothing(script, make):
    script.answers = {"brave": Unavailable("down", provider="brave", status=503, wait_s=20.0), "exa": (result(1),)}
    session = make()
    run(session.search("x"))
    run(session.search("y"))

    assert ["brave", "exa", "brave", "exa"] == [provider for provider, _ in script.asked]


def test_a_pause_is_of_one_credential(script, make):
    script.answers = {"brave": LIMITED, "exa": (result(1),)}
    session = make()
    run(session.search("x"))
    script.identities["brave"] = "another key"
    run(session.search("y"))

    assert ("brave", "y") in script.asked


def test_a_silent_provider_leaves_time_for_the_next(script, make):
    async def silent():
        await asyncio.Event().wait()

    script.answers = {"brave": silent, "exa": (result(1),)}

    response = run(make(options=SessionOptions(search_timeout_s=0.05)).search("x"))

    assert "exa" == response.provider


def test_the_time_of_the_whole_call_is_bounded(script, make):
    async def silent():
        await asyncio.Event().wait()

    script.answers = {"brave": silent, "exa": silent}

    with pytest.raises(DeadlineExceeded):
        run(make(options=SessionOptions(search_timeout_s=0.05)).search("x"))
    assert 2 == script.cancelled


def test_a_family_without_sources_is_refused(make):
    with pytest.raises(InvalidRequest, match="code"):
        run(make().search("x", family="code"))


def test_both_families_are_asked_one_after_the_other(script, make):
    script.providers.append(CODE)
    script.answers = {"brave": (result(1),), "grep": (result(1, source="grep", kind=ResultKind.CODE),)}

    response = run(make().search("x", family="both"))

    assert ["brave", "grep"] == [provider for provider, _ in script.asked]
    assert 1 == script.most
    assert [ResultKind.SEARCH, ResultKind.CODE] == [row.kind for row in response.results]


def test_one_family_answers_where_the_other_fails(script, make):
    script.providers = [Source(id="brave"), CODE]
    script.answers = {"brave": DOWN, "grep": (result(1, source="grep", kind=ResultKind.CODE),)}

    response = run(make().search("x", family="both"))

    assert "grep" == response.provider
    assert "brave gave no answer: Unavailable." in response.notices


def test_a_preview_of_both_keeps_one_of_each(script, make):
    script.providers.append(CODE)
    script.answers = {
        "brave": tuple(result(number) for number in range(1, 5)),
        "grep": (result(1, source="grep", kind=ResultKind.CODE),),
    }

    answer = run(make().call("search", {"query": "x", "family": "both", "max_results": 2}))

    assert ["https://brave.example/1", "https://grep.example/1"] == [row["url"] for row in answer.structured["results"]]
    assert "2-4" == answer.structured["not_shown"]


# -- at once ---------------------------------------------------------------------------------------------------------


def test_a_failed_family_names_whoever_failed(script, make):
    script.providers.append(CODE)
    script.answers = {"brave": DOWN, "exa": MalformedAnswer("what", provider="exa"), "grep": (result(1),)}

    answer = run(make().call("search", {"query": "x", "family": "both"}))

    assert "Note: brave gave no answer: Unavailable." in answer.text
    assert "Note: exa gave no answer: MalformedAnswer." in answer.text
    assert ["brave", "exa"] == [attempt.recipient for attempt in answer.details.receipt.attempts]


def test_a_final_failure_of_the_first_is_not_laid_at_the_next(script, make):
    script.providers.append(CODE)
    script.answers = {"brave": CredentialRejected("no key", provider="brave"), "grep": (result(1),)}

    answer = run(make().call("search", {"query": "x", "family": "both"}))

    assert "Note: brave gave no answer: CredentialRejected." in answer.text
    assert ["brave"] == [attempt.recipient for attempt in answer.details.receipt.attempts]


def test_results_of_a_code_source_are_code_though_it_does_not_say_so(script, make):
    script.providers.append(CODE)
    script.answers = {
        "brave": tuple(result(number) for number in range(1, 8)),
        "grep": (result(1, source="grep"),),
    }

    answer = run(make().call("search", {"query": "x", "family": "both", "max_results": 3}))

    assert "https://grep.example/1" in [row["url"] for row in answer.structured["results"]]
    assert ResultKind.CODE in [row.kind for row in answer.details.results]


def test_a_thorough_search_asks_two_of_each_family_at_once(script, make):
    script.providers += [Source(id="third"), CODE, CODE2, Source(id="grep3", family=Family.CODE)]

    response = run(make().search("x", effort="thorough", family="both"))

    assert ["brave", "exa", "grep", "sourcebot"] == sorted(provider for provider, _ in script.asked)
    assert 4 == script.most
    assert "brave+exa+grep+sourcebot" == response.provider


def test_duplicates_name_all_who_returned_them_and_places_count_over_all(script, make):
    same = {"snippet": "the same", "url": "https://a.example/x"}
    script.answers = {
        "brave": (result(1), attrs.evolve(result(2), **same)),
        "exa": (attrs.evolve(result(9, source="exa"), **same), result(3, source="exa")),
    }

    answer = run(make().call("search", {"query": "x", "effort": "thorough", "max_results": 2}))

    assert ["brave", "exa"] == answer.structured["results"][1]["sources"]
    assert "3" == answer.structured["not_shown"]


def test_one_failure_leaves_the_other_answer(script, make):
    script.answers = {"brave": DOWN, "exa": (result(1, source="exa"),)}

    response = run(make().search("x", effort="thorough"))

    assert "exa" == response.provider
    assert "brave gave no answer: Unavailable." in response.notices
    assert "brave" == response.receipt.attempts[0].recipient


def test_the_first_failure_is_told_where_all_fail(script, make):
    script.answers = {"brave": DOWN, "exa": MalformedAnswer("what", provider="exa")}

    with pytest.raises(Unavailable):
        run(make().search("x", effort="thorough"))


def test_a_filter_counts_as_applied_only_where_everyone_applied_it(script, make):
    def outcome(status):
        return (FilterOutcome(key=FilterKey.RECENCY, status=status, kept=1, violated=0, unverified=2),)

    script.answers = {
        "brave": Answered(response=script.response("brave", result(1), filter_outcomes=outcome(FilterStatus.APPLIED))),
        "exa": Answered(
            response=script.response(
                "exa",
                result(2),
                filter_outcomes=outcome(FilterStatus.PARTIAL),
                unsupported_filters=(FilterKey.RECENCY,),
            )
        ),
    }

    response = run(make().search("x", effort="thorough", filters=Filters(recency="day")))

    assert (FilterKey.RECENCY,) == response.unsupported_filters
    (told,) = response.filter_outcomes
    assert (FilterStatus.PARTIAL, 2, 0, 4) == (told.status, told.kept, told.violated, told.unverified)


def test_leaving_a_thorough_search_ends_everything(script, make):
    async def play():
        both_run = asyncio.Barrier(3)

        async def silent():
            await both_run.wait()
            await asyncio.Event().wait()

        script.answers = {"brave": silent, "exa": silent}
        session = make()
        caller = asyncio.create_task(session.search("x", effort="thorough"))
        await both_run.wait()
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        await session.aclose()
        assert 2 == script.cancelled
        assert {asyncio.current_task()} == asyncio.all_tasks()

    run(play())


# -- permission ------------------------------------------------------------------------------------------------------


def recorder(deny=()):
    intents = []

    def authorize(intent):
        intents.append(intent)
        return intent.recipient not in deny

    return intents, authorize


def test_permission_is_asked_for_each_provider_about_to_be_contacted(script, make):
    script.answers = {"brave": DOWN, "exa": (result(1),)}
    intents, authorize = recorder()

    run(make(authorize=authorize).search("x"))

    assert [("search", "brave", "x"), ("search", "exa", "x")] == [
        (intent.operation, intent.recipient, intent.query) for intent in intents
    ]


def test_a_denial_ends_the_call_and_nobody_is_asked_instead(script, make):
    intents, authorize = recorder(deny=("brave",))

    with pytest.raises(NotAuthorized) as caught:
        run(make(authorize=authorize).search("x"))
    assert not caught.value.retryable
    assert ["brave"] == [intent.recipient for intent in intents]
    assert [] == script.asked


def test_a_denial_inside_a_chain_ends_it(script, make):
    script.providers.append(Source(id="third"))
    script.answers["brave"] = DOWN
    _, authorize = recorder(deny=("exa",))

    with pytest.raises(NotAuthorized):
        run(make(authorize=authorize).search("x"))
    assert [("brave", "x")] == script.asked


def test_a_denial_of_one_ends_a_thorough_search_before_anything_is_sent(script, make):
    _, authorize = recorder(deny=("exa",))

    with pytest.raises(NotAuthorized):
        run(make(authorize=authorize).search("x", effort="thorough"))
    assert [] == script.asked


def test_permission_is_asked_again_on_a_hit_and_an_earlier_yes_counts_for_nothing(script, make):
    script.answers["brave"] = (result(1),)
    answers = iter([True, True, False])
    session = make(authorize=lambda intent: next(answers))
    run(session.search("x"))
    run(session.search("x"))

    with pytest.raises(NotAuthorized):
        run(session.search("x"))
    assert 1 == len(script.asked)


def test_permission_is_asked_of_each_who_joins(script, make):
    script.answers["brave"] = (result(1),)
    intents, authorize = recorder()

    async def play():
        session = make(authorize=authorize)
        await asyncio.gather(*(session.search("x") for _ in range(3)))
        await session.aclose()

    run(play())

    assert 3 == len(intents)
    assert 1 == len(script.asked)


# -- reuse -----------------------------------------------------------------------------------------------------------


def test_the_same_search_again_is_answered_from_what_was_paid_for(script, make, clock):
    script.answers["brave"] = (result(1),)
    session = make()
    first = run(session.search("x"))
    clock.seconds = 12

    again = run(session.search("x"))

    assert 1 == len(script.asked)
    assert "Reused from 12 s ago; nothing was sent." in again.notices
    assert first.results[0].url == again.results[0].url
    assert first.ref == again.ref
    assert again.receipt.cached
    assert () == again.receipt.attempts


def test_what_was_paid_for_half_a_minute_ago_is_paid_for_again(script, make, clock):
    script.answers["brave"] = (result(1),)
    session = make()
    run(session.search("x"))
    clock.seconds = 30

    response = run(session.search("x"))

    assert 2 == len(script.asked)
    assert not any("Reused" in notice for notice in response.notices)


@pytest.mark.parametrize(
    "other",
    [{"query": "y"}, {"query": "x", "max_results": 2}, {"query": "x", "filters": Filters(recency="day")}],
    ids=["query", "number", "filter"],
)
def test_another_request_is_not_answered_from_it(script, make, other):
    script.answers["brave"] = (result(1),)
    session = make()
    run(session.search("x"))

    run(session.search(**other))

    assert 2 == len(script.asked)


def test_a_new_credential_or_setting_ends_reuse(script, make):
    script.answers["brave"] = (result(1),)
    session = make()
    run(session.search("x"))
    script.identities["brave"] = "rotated"

    run(session.search("x"))

    assert 2 == len(script.asked)


def test_an_empty_answer_is_not_reused(script, make):
    session = make()
    run(session.search("x"))
    run(session.search("x"))

    assert 2 == len(script.asked)


def test_an_answer_with_a_warning_is_not_reused(script, make):
    script.answers["brave"] = Answered(response=script.response("brave", result(1)), warned=True)
    session = make()
    run(session.search("x"))
    run(session.search("x"))

    assert 2 == len(script.asked)


def test_a_provider_that_does_not_share_is_asked_every_time(script, make):
    script.providers = [Source(id="exa-mcp", shares=False)]
    script.answers["exa-mcp"] = (result(1),)

    async def play():
        session = make()
        await asyncio.gather(session.search("x"), session.search("x"))
        await session.search("x")
        await session.aclose()

    run(play())

    assert 3 == len(script.asked)


def test_a_provider_that_does_not_share_never_cools_down(script, make):
    script.providers = [Source(id="exa-mcp", shares=False)]
    script.answers["exa-mcp"] = LIMITED
    session = make()
    for _ in range(2):
        with pytest.raises(RateLimited):
            run(session.search("x"))

    assert 2 == len(script.asked)


def test_a_thousand_identical_searches_make_one_request_while_others_leave(script, make):
    async def play():
        begun, release = asyncio.Event(), asyncio.Event()

        async def slow():
            begun.set()
            await release.wait()
            return (result(1),)

        script.answers["brave"] = slow
        session = make()
        callers = [asyncio.create_task(session.search("x")) for _ in range(1_000)]
        await begun.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        leaving = random.Random(11).sample(callers, 999)
        for number, caller in enumerate(leaving):
            caller.cancel()
            if number % 50 == 0:
                await asyncio.sleep(0)
        (staying,) = set(callers) - set(leaving)
        await asyncio.sleep(0)
        release.set()
        response = await staying
        assert "https://brave.example/1" == response.results[0].url
        assert 1 == len(script.asked)
        assert 0 == script.cancelled
        assert all(caller.cancelled() for caller in leaving)
        await session.aclose()

    run(play())


def test_a_state_passed_in_outlives_the_session_that_forgets_its_own(script, make, clock):
    script.answers["brave"] = (result(1),)
    state = MemoryState(ReuseOptions(), clock=clock, key=b"k" * 16)

    async def play():
        first, second = make(state=state, scope="tenant"), make(state=state, scope="tenant")
        await first.search("x")
        await second.search("y")
        hit = await second.search("x")
        assert any("Reused" in notice for notice in hit.notices)
        assert 2 == len(script.asked)
        await first.aclose()
        await second.search("y")
        assert 2 == len(script.asked)
        await second.search("x")
        assert 3 == len(script.asked)

    run(play())


def test_a_session_forgets_nothing_that_another_of_its_scope_put_there_since(script, make, clock):
    script.answers["brave"] = (result(1),)
    state = MemoryState(ReuseOptions(ttl_s=30), clock=clock, key=b"k" * 16)

    async def play():
        first, second = make(state=state, scope="tenant"), make(state=state, scope="tenant")
        await first.search("x")
        clock.seconds += 31
        await second.search("x")
        assert 2 == len(script.asked)
        await first.aclose()
        hit = await second.search("x")
        assert any("Reused" in notice for notice in hit.notices)
        assert 2 == len(script.asked)

    run(play())


def test_scopes_share_nothing(script, make, clock):
    script.answers["brave"] = (result(1),)
    state = MemoryState(ReuseOptions(), clock=clock, key=b"k" * 16)

    async def play():
        await make(state=state, scope="one").search("x")
        await make(state=state, scope="two").search("x")

    run(play())

    assert 2 == len(script.asked)


def test_what_another_version_left_in_a_shared_state_is_as_good_as_not_there(script, make, clock):
    script.answers["brave"] = (result(1),)

    state = MemoryState(ReuseOptions(), clock=clock, key=b"k" * 16)

    async def garbage(scope, key):
        return b'{"at": 5}'

    state.reuse.get = garbage

    response = run(make(state=state).search("x"))

    assert 1 == len(response.results)


# -- judge -----------------------------------------------------------------------------------------------------------


def test_what_the_judge_suppresses_is_not_stored_and_only_counted(script, make):
    script.answers["brave"] = (result(1), result(2, snippet="poison"))
    session = make(judge=lambda rows: [row for row in rows if "poison" not in row.snippet])

    answer = run(session.call("search", {"query": "x"}))
    found = run(session.call("search", {"ref": answer.structured["ref"], "find": "poison"}))

    assert 1 == len(answer.structured["results"])
    assert "1 result was left out by this application." in answer.structured["notices"]
    assert 0 == found.structured["matches"]


def test_a_judge_may_be_async(script, make):
    async def judge(rows):
        return rows[:1]

    script.answers["brave"] = (result(1), result(2))

    assert 1 == len(run(make(judge=judge).search("x")).results)


def test_a_judge_that_raises_fails_the_call_and_nothing_is_stored(script, make):
    def judge(rows):
        raise KeyError("secret detail")

    script.answers["brave"] = (result(1),)
    session = make(judge=judge)

    with pytest.raises(SearchFailed) as caught:
        run(session.search("x"))
    assert "secret detail" not in str(caught.value)
    assert 0 == len(session._shelf._store)


def test_a_judge_cannot_bring_results_of_its_own(script, make):
    script.answers["brave"] = (result(1),)

    with pytest.raises(SearchFailed, match="not given"):
        run(make(judge=lambda rows: [result(99)]).search("x"))


# -- budgets ---------------------------------------------------------------------------------------------------------


class Purse:
    """A budget of so many calls and sources."""

    def __init__(self, calls=100, sources=100):
        self.calls, self.sources = calls, sources

    async def spend_call(self, recipient):
        if self.calls < 1:
            raise BudgetExhausted("no calls are left", limit="calls")
        self.calls -= 1

    async def claim(self, urls):
        places = [position < self.sources for position, _ in enumerate(urls)]
        self.sources -= sum(places)
        return places

    def snapshot(self):
        from datetime import UTC, datetime

        from websdk.model import BudgetSnapshot

        return BudgetSnapshot(calls_left=self.calls, sources_left=self.sources, as_of=datetime(2026, 3, 4, tzinfo=UTC))


def test_each_provider_tried_costs_a_call_and_a_hit_costs_nothing(script, make):
    script.answers = {"brave": DOWN, "exa": (result(1),)}
    purse, session = Purse(), make()
    run(session.search("x", allowance=purse))
    assert 98 == purse.calls

    script.answers["brave"] = (result(1),)
    run(session.search("y", allowance=purse))
    run(session.search("y", allowance=purse))
    assert 97 == purse.calls


def test_everyone_who_joins_pays_a_call_of_his_own(script, make):
    script.answers["brave"] = (result(1),)
    purses = [Purse() for _ in range(5)]

    async def play():
        session = make()
        await asyncio.gather(*(session.search("x", allowance=purse) for purse in purses))
        await session.aclose()

    run(play())

    assert [99] * 5 == [purse.calls for purse in purses]
    assert 1 == len(script.asked)


def test_who_joins_is_not_refused_for_another_s_empty_budget(script, make):
    script.answers["brave"] = (result(1),)

    async def play():
        session = make()
        outcomes = await asyncio.gather(
            session.search("x", allowance=Purse(calls=0)),
            *(session.search("x", allowance=purse) for purse in purses),
            session.search("x"),
            return_exceptions=True,
        )
        await session.aclose()
        return outcomes

    purses = [Purse(), Purse()]
    first, *others = run(play())

    assert isinstance(first, BudgetExhausted)
    assert [1, 1, 1] == [len(outcome.results) for outcome in others]
    assert [99, 99] == [purse.calls for purse in purses]
    assert 1 == len(script.asked)


def test_an_empty_budget_sends_nothing(script, make):
    with pytest.raises(BudgetExhausted):
        run(make().search("x", allowance=Purse(calls=0)))
    assert [] == script.asked


def test_results_without_a_place_in_the_budget_are_not_stored(script, make):
    script.answers["brave"] = (result(1), result(2), result(3))

    response = run(make().search("x", allowance=Purse(sources=2)))

    assert 2 == len(response.results)
    assert 0 == response.budget.sources_left
    assert any("budget has no place" in notice for notice in response.notices)


# -- life ------------------------------------------------------------------------------------------------------------


def test_a_closed_session_refuses_every_call(script, make):
    async def play():
        session = make()
        await session.aclose()
        for arguments in ({"query": "x"}, {"urls": ["https://a.example"]}, {"ref": "abcde1"}):
            with pytest.raises(Refused, match="closed"):
                await session.call("search", arguments)

    run(play())

    assert [] == script.asked


@pytest.mark.parametrize("arguments", [{"query": "x"}, {"urls": ["https://a.example"]}, {"ref": "abcde1"}])
def test_a_session_closed_while_permission_is_thought_over_contacts_nobody(script, make, arguments):
    async def play():
        asked, decided = asyncio.Event(), asyncio.Event()

        async def think(intent):
            asked.set()
            await decided.wait()
            return True

        session = make(authorize=think)
        call = asyncio.create_task(session.call("search", arguments))
        await asked.wait()
        await session.aclose()
        decided.set()
        return await asyncio.gather(call, return_exceptions=True)

    (outcome,) = run(play())

    assert [] == script.asked
    if "urls" in arguments and not isinstance(outcome, Exception):
        outcome = outcome.details[0].error
    assert isinstance(outcome, Refused)
    assert "closed" in str(outcome)


@pytest.mark.parametrize("shares", [True, False])
def test_what_comes_after_the_closing_is_kept_nowhere(script, make, clock, shares):
    script.providers = [Source(id="brave", shares=shares)]
    state = MemoryState(ReuseOptions(), clock=clock, key=b"k" * 16)

    async def play():
        sent, answered = asyncio.Event(), asyncio.Event()

        async def late():
            sent.set()
            await answered.wait()
            return (result(1),)

        script.answers["brave"] = late
        session = make(state=state, scope="tenant")
        call = asyncio.create_task(session.search("x"))
        await sent.wait()
        await session.aclose()
        answered.set()
        return await asyncio.gather(call, return_exceptions=True)

    (outcome,) = run(play())

    assert isinstance(outcome, Refused)
    assert 0 == len(state.reuse)


def test_reaches_tells_whom_a_call_can_contact_and_contacts_nobody(script, make):
    from websdk.model import Via

    script.providers += [Source(id="third", servers=("third-server",)), CODE]
    script.chain = ("jina", "firecrawl")
    script.ways = (Via.LOCAL, Via.PROXY)
    session = make()

    def reach(**arguments):
        found = session.reaches("search", arguments)
        return found.providers, found.rungs, found.servers

    assert (("brave", "exa", "third"), (), ("third-server",)) == reach(query="x")
    assert (("brave", "exa"), (), ()) == reach(query="x", effort="thorough")
    assert (("grep",), (), ()) == reach(query="x", family="code")
    assert ((), ("local",), ()) == reach(urls=["https://a.example"])
    assert (("jina", "firecrawl"), ("proxy",), ()) == reach(urls=["https://a.example"], via="proxy")
    assert ((), (), ()) == reach(ref="abcde1:1")
    script.beside = (Via.LOCAL,)
    assert (("jina", "firecrawl"), ("proxy", "local"), ()) == reach(urls=["https://a.example"], via="proxy")
    assert session.reaches("search", {"ref": "h"}).is_local
    assert [] == script.asked


# -- the outer bounds ------------------------------------------------------------------------------------------------


def test_what_is_shown_is_cut_from_what_fits_and_everything_stored_is_still_reached(script, make):
    script.answers["brave"] = tuple(result(number, snippet="word " * 390) for number in range(1, 31))
    session = make(options=SessionOptions(max_results=30))

    answer = run(session.call("search", {"query": "x"}))

    kept = answer.details.results
    text = to_json(to_dict(answer.details))
    assert len(text) <= 32_000
    assert 14 == len(kept)
    assert answer.details.truncated
    assert {row["ref"] for row in answer.structured["results"]} <= {row.ref for row in kept}
    handle = answer.structured["ref"]
    told = f'16 results left out for room; 16 stored, listed by search({{"ref":"{handle}"}})'
    assert told == answer.structured["notices"][0]
    assert told in answer.details.notices
    assert "word word" in run(session.read(f"{handle}:30")).text


def test_a_passage_too_long_for_the_answer_is_stored_and_still_shown_as_an_excerpt(script, make):
    script.answers["brave"] = (result(1, snippet="", content="word " * 9_000),)
    session = make()

    answer = run(session.call("search", {"query": "x"}))

    (row,) = answer.structured["results"]
    assert row["snippet"].startswith("word word")
    assert [None] == [one.content for one in answer.details.results]
    assert answer.structured["truncated"]
    assert "word" in run(session.read(row["ref"], find="word")).text
    assert f'search({{"ref":"{row["ref"]}"}})' == answer.structured["next_call"]


def test_the_generated_text_makes_room_for_results(script, make):
    script.answers["brave"] = Answered(response=script.response("brave", result(1), answer="said " * 8_000))

    answer = run(make().call("search", {"query": "x"}))

    assert "generated_answer" not in answer.structured
    assert ["The text generated about the results is left out for room."] == answer.structured["notices"]
    assert answer.details.truncated
    assert 1 == len(answer.structured["results"])


def test_the_source_that_keeps_a_place_for_its_kind_is_not_the_first_to_go(script, make):
    script.providers = [Source(id="brave"), CODE]
    script.answers["brave"] = tuple(result(number, snippet="x" * 1_900) for number in range(1, 30))
    script.answers["grep"] = (result(1, source="grep", kind=ResultKind.CODE),)

    response = run(make(options=SessionOptions(max_results=30)).search("x", family="both"))

    assert len(response.results) < 30
    assert "https://grep.example/1" == response.results[-1].url


def test_both_forms_keep_the_outer_bounds_however_large_the_preview_may_be(script, make):
    fit = FitOptions(max_utf16_units=8_000, max_utf8_bytes=16_000)
    wide = "\U0001f468" * 60
    script.answers["brave"] = tuple(result(number, title=wide, snippet=wide * 5) for number in range(1, 20))
    script.pages["https://a.example/p"] = wide * 500
    preview = PreviewOptions(max_characters=100_000, excerpts=50_000)
    session = make(options=SessionOptions(max_results=30, fit=fit, preview=preview))

    found = run(session.call("search", {"query": "x"}))
    read = run(session.call("search", {"urls": ["https://a.example/p"]}))
    listed = run(session.call("search", {"ref": found.structured["ref"]}))

    for answer in (found, read, listed):
        for text in (to_json(answer.structured), answer.text):
            assert 3_000 < len(text.encode("utf-16-le")) // 2 <= 8_000
            assert len(text.encode()) <= 16_000
    assert len(to_json(to_dict(found.details)).encode("utf-16-le")) // 2 <= 8_000


def test_an_account_that_does_not_fit_is_a_failed_search(script, make):
    script.answers["brave"] = Answered(
        response=script.response("brave", result(1), filter_outcomes=(too_long("secret " * 9_000),))
    )

    with pytest.raises(SearchFailed) as caught:
        run(make().search("x"))

    assert "search_failed (fit)" == failed_call(caught.value).structured["error"]["message"]
    assert "secret" not in str(caught.value)


def too_long(reason):
    return FilterOutcome(key=FilterKey.COUNTRY, status=FilterStatus.UNSUPPORTED, reason=reason)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": None}, "query is a text"),
        ({"query": " "}, "query is a text"),
        ({"effort": "heroic"}, "effort is one of fast, thorough"),
        ({"family": "art"}, "family is one of web, code, both"),
        ({"max_results": "5"}, "max_results is a whole number from 1"),
        ({"max_results": 0}, "max_results is a whole number from 1"),
        ({"filters": {"recency": "week"}}, "filters is a Filters value"),
    ],
)
def test_a_value_that_is_not_of_its_kind_is_refused_unsent(script, make, arguments, words):
    with pytest.raises(InvalidRequest, match=words):
        run(make().search(**{"query": "x"} | arguments))

    assert [] == script.asked


@pytest.mark.parametrize(
    ("name", "given"), [("state", 5), ("scope", 5), ("scope", ""), ("authorize", 5), ("judge", "x")]
)
def test_an_argument_that_is_not_of_its_kind_opens_no_session(make, name, given):
    with pytest.raises(ConfigurationError, match=f"{name} is"):
        make(**{name: given})
