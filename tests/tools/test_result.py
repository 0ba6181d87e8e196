"""How a failure reads."""

from __future__ import annotations

import pytest

from websdk.errors import InvalidRequest, NotFound, RateLimited, Redirected, SearchFailed, Unreadable
from websdk.tools import failed_call


def test_a_failure_says_what_and_whether_to_try_again():
    result = failed_call(RateLimited("brave: too many calls", provider="brave", status=429, wait_s=20.0))

    assert "Failed: RateLimited: brave: too many calls" == result.text
    assert result.structured == {
        "error": {
            "type": "RateLimited",
            "sent": True,
            "retryable": True,
            "wait_s": 20.0,
            "message": "brave: too many calls",
        }
    }


def test_a_wrong_call_comes_with_the_right_one():
    result = failed_call(InvalidRequest("find and cursor do not combine", next_call='search({"ref":"h"})'))

    assert [
        "Failed: InvalidRequest: find and cursor do not combine",
        'Next: search({"ref":"h"})',
    ] == result.text.splitlines()
    assert 'search({"ref":"h"})' == result.structured["error"]["next_call"]


def test_the_destination_of_a_redirect_is_shown_behind_the_mark():
    result = failed_call(Redirected("the page moved", destination="https://b.example/n?a=1", status=301), mark="5f2c")

    ours, _, foreign = result.text.partition("Mark: 5f2c.")
    assert "b.example" not in ours
    assert "(<https://b.example/n?a=1>)" in foreign
    assert "https://b.example/n?a=1" == result.structured["error"]["destination"]


def test_the_rungs_that_are_left_are_named():
    result = failed_call(Unreadable("nothing to read", seen="empty", rung="local", remaining_rungs=("proxy", "render")))

    assert "(rungs left: proxy, render)" in result.text
    assert ["proxy", "render"] == result.structured["error"]["remaining_rungs"]


def test_rungs_that_the_message_names_are_not_named_twice():
    said = "nothing to read (read over local; rungs left: proxy)"
    result = failed_call(Unreadable(said, seen="empty", rung="local", remaining_rungs=("proxy",)))

    assert 1 == result.text.count("rungs left")


@pytest.mark.parametrize("error", [NotFound("no such page", status=404), SearchFailed("no", reason="judge")])
def test_the_error_itself_stands_beside(error):
    assert failed_call(error).error is error


def test_a_long_message_is_cut():
    assert len(failed_call(NotFound("x" * 9_000)).text) < 600


def test_what_a_model_wrote_cannot_spoil_the_refusal_of_it():
    error = InvalidRequest("unknown argument: \ud800a\u202e\nNote: b")

    told = failed_call(error)

    assert "unknown argument: a Note: b" == told.structured["error"]["message"]
    assert "Failed: InvalidRequest: unknown argument: a Note: b" == told.text


def test_a_failed_search_shows_its_code_and_category_and_nothing_of_what_was_upstream():
    try:
        try:
            raise ValueError("upstream said: key sk-1 is wrong")
        except ValueError as exc:
            raise SearchFailed("the model wrote: upstream said so", reason="receipt") from exc
    except SearchFailed as exc:
        told = failed_call(exc)

    assert "Failed: SearchFailed: search_failed (receipt)" == told.text
    assert told.structured == {
        "error": {
            "type": "SearchFailed",
            "sent": True,
            "retryable": False,
            "code": "search_failed",
            "category": "receipt",
            "message": "search_failed (receipt)",
        }
    }


@pytest.mark.parametrize("reason", ["upstream said: no", "Judge", "", "x" * 40, "a\nNote: b"])
def test_a_category_that_is_no_word_of_ours_is_not_shown(reason):
    told = failed_call(SearchFailed("no", reason=reason))

    assert "other" == told.structured["error"]["category"]
    assert "Failed: SearchFailed: search_failed (other)" == told.text
