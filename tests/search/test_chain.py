"""One after another, only after failures that may pass."""

from __future__ import annotations

import asyncio

import pytest

from websdk.errors import (
    CredentialRejected,
    DeadlineExceeded,
    FiltersUnsupported,
    MalformedAnswer,
    NotAuthorized,
    ProviderRejected,
    RateLimited,
    ReceiptMissing,
    Unavailable,
)
from websdk.search.chain import first_answer, within

PASSING = [
    RateLimited("limited", provider="a"),
    Unavailable("down", provider="a"),
    DeadlineExceeded("late"),
]
FINAL = [
    CredentialRejected("no key", provider="a"),
    ProviderRejected("no", provider="a"),
    MalformedAnswer("what", provider="a"),
    ReceiptMissing("no proof", provider="a"),
    NotAuthorized("no"),
    FiltersUnsupported("no", keys=()),
]


async def allow(source):
    pass


def play(outcomes, sources="abc"):
    asked = []

    async def ask(source):
        asked.append(source)
        outcome = outcomes[source]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def run():
        return await first_answer(sources, ask, remaining_s=lambda: 60.0, permit=allow)

    try:
        return asyncio.run(run()), asked
    except Exception as error:
        return error, asked


@pytest.mark.parametrize("error", PASSING, ids=lambda error: type(error).__name__)
def test_the_next_one_is_asked_after_a_failure_that_may_pass(error):
    answer, asked = play({"a": error, "b": "found"})

    assert ["a", "b"] == asked
    assert ("b", "found") == (answer.source, answer.value)
    assert [("a", error)] == [(failed.source, failed.error) for failed in answer.failures]


@pytest.mark.parametrize("error", FINAL, ids=lambda error: type(error).__name__)
def test_any_other_failure_ends_the_search(error):
    outcome, asked = play({"a": error, "b": "found"})

    assert ["a"] == asked
    assert outcome is error


def test_an_empty_answer_is_an_answer():
    answer, asked = play({"a": (), "b": "found"})

    assert ["a"] == asked
    assert () == answer.value


def test_the_last_failure_is_the_outcome_when_all_fail():
    last = Unavailable("down", provider="c")

    outcome, asked = play({"a": PASSING[0], "b": PASSING[1], "c": last})

    assert ["a", "b", "c"] == asked
    assert outcome is last


def test_a_silent_source_leaves_time_for_the_next():
    async def ask(source):
        if source == "a":
            await asyncio.Event().wait()
        return source

    answer = asyncio.run(first_answer("ab", ask, remaining_s=lambda: 0.02, permit=allow))

    assert "b" == answer.value
    assert isinstance(answer.failures[0].error, DeadlineExceeded)


def test_a_foreign_time_out_is_not_taken_for_the_deadline():
    async def ask(source):
        raise TimeoutError("of its own")

    with pytest.raises(TimeoutError, match="of its own"):
        asyncio.run(within(60, ask, "a"))


def test_permission_is_asked_before_the_time_of_an_attempt_begins():
    order = []

    async def permit(source):
        order.append(f"permit {source}")

    async def ask(source):
        order.append(f"ask {source}")
        if source == "a":
            raise Unavailable("down", provider="a")

    def remaining_s():
        order.append("time begins")
        return 60.0

    asyncio.run(first_answer("ab", ask, remaining_s=remaining_s, permit=permit))

    assert ["permit a", "time begins", "ask a", "permit b", "time begins", "ask b"] == order


def test_a_refusal_of_permission_is_final_whatever_may_pass():
    async def permit(source):
        raise NotAuthorized("no")

    async def ask(source):
        raise AssertionError

    with pytest.raises(NotAuthorized):
        asyncio.run(first_answer("ab", ask, remaining_s=lambda: 60.0, permit=permit, goes_on=lambda error: True))


def test_every_failure_is_noted_also_where_nobody_answers():
    failures = []

    async def ask(source):
        raise Unavailable("down", provider=source) if source == "a" else CredentialRejected("no key", provider=source)

    with pytest.raises(CredentialRejected):
        asyncio.run(first_answer("abc", ask, remaining_s=lambda: 60.0, permit=allow, failures=failures))

    assert [("a", Unavailable), ("b", CredentialRejected)] == [(one.source, type(one.error)) for one in failures]


def test_nobody_is_asked_when_no_time_is_left():
    async def ask(source):
        raise AssertionError

    with pytest.raises(DeadlineExceeded) as caught:
        asyncio.run(within(0, ask, "a"))

    assert not caught.value.sent


def test_asking_nobody_is_a_mistake():
    outcome, _ = play({}, sources="")

    assert isinstance(outcome, ValueError)
