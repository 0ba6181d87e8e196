"""The tree of failures."""

from __future__ import annotations

import copy
import inspect
import pickle
import re

import pytest

from websdk import errors
from websdk.model import FilterKey, FilterOutcome, FilterStatus

OUTCOME = FilterOutcome(key=FilterKey.COUNTRY, status=FilterStatus.UNSUPPORTED)
# What each class needs beside its message.
FIELDS = {
    "EgressRefused": {"reason": "not_public", "host": "localhost"},
    "BudgetExhausted": {"limit": "calls"},
    "FiltersUnsupported": {"keys": (FilterKey.COUNTRY,), "outcomes": (OUTCOME,)},
    "PresetError": {"problems": ("search.query: missing",)},
    "SettingsError": {"problems": ("fetch.deadline_s: too small",)},
    "PluginError": {"distribution": "websdk-example"},
    "Redirected": {"destination": "https://moved.example/secret?q=1", "status": 302},
    "NotFound": {"status": 410},
    "AskAgain": {"wait_s": 15.0, "status": 503},
    "Unreadable": {"seen": "empty", "rung": "local", "remaining_rungs": ("proxy",), "hidden_content_detected": True},
    "TooLarge": {"limit_bytes": 2_097_152},
    "SearchFailed": {"reason": "receipt"},
    "DeadlineExceeded": {"deadline_s": 30.0},
}


def _tree(cls=errors.WebSdkError, depth=0):
    yield cls, depth
    for child in cls.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _tree(child, depth + 1)


CLASSES = [cls for cls, _ in _tree() if not cls.__name__.startswith("_")]


def _make(cls):
    fields = dict(FIELDS.get(cls.__name__, {}))
    if issubclass(cls, errors.ProviderError):
        fields = {"provider": "brave", "status": 429, "wait_s": 2.5}
    return cls("what happened and what to do", call_id="call-1", **fields)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_a_failure_survives_copy_and_pickle_with_all_it_knows(cls, again):
    error = _make(cls)
    error.add_note("seen by a caller")
    twin = again(error)

    assert type(error) is type(twin)
    assert str(error) == str(twin)
    assert vars(error) == vars(twin)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_failure_answers_both_questions(cls):
    error = _make(cls)

    assert isinstance(error.sent, bool)
    assert isinstance(error.retryable, bool)
    assert "call-1" == error.call_id


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_one_failure_may_answer_differently_from_its_class(cls):
    error = _make(cls)
    error = type(error)("text", sent=not cls.sent, retryable=not cls.retryable, **_fields_of(error))

    assert (not cls.sent, not cls.retryable) == (error.sent, error.retryable)


def _fields_of(error):
    taken = inspect.signature(type(error).__init__).parameters
    return {name: value for name, value in vars(error).items() if name in taken and name not in ("sent", "retryable")}


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_what_was_refused_or_misconfigured_was_not_sent(cls):
    nothing_sent = issubclass(cls, (errors.Refused, errors.ConfigurationError, errors.EvidenceError))

    assert not (nothing_sent and cls.sent)


def test_only_a_passing_state_of_the_far_end_or_the_clock_is_worth_another_try():
    assert {"RateLimited", "Unavailable", "AskAgain", "DeadlineExceeded"} == {
        cls.__name__ for cls in CLASSES if cls.retryable
    }


def test_the_picture_in_the_module_shows_the_tree():
    drawn = re.findall(r"^( *)\* (\w+)", errors.__doc__, re.M)

    found, above = {}, []
    for indent, name in drawn:
        above[len(indent) // 4 :] = [name]
        found[name] = above[-2] if len(above) > 1 else None

    assert {cls.__name__: _public_parent(cls) for cls in CLASSES} == found


def _public_parent(cls):
    if cls is errors.WebSdkError:
        return None
    return next(base.__name__ for base in cls.__mro__[1:] if base in CLASSES)


def test_a_deadline_is_also_a_time_out_of_the_language():
    assert issubclass(errors.DeadlineExceeded, TimeoutError)


def test_the_address_of_a_redirect_is_a_field_and_in_no_text():
    error = _make(errors.Redirected)

    assert "https://moved.example/secret?q=1" == error.destination
    assert "secret" not in str(error) + repr(error)


def test_all_problems_of_a_file_stand_in_the_message_with_their_path():
    error = errors.PresetError("x.toml:", problems=("search.query: missing", "vendor.id: not a word"))

    assert "x.toml:\n  search.query: missing\n  vendor.id: not a word" == str(error)
