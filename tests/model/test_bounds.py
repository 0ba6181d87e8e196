"""Options that bound something are bounds: finite numbers of their kind, or refused as configuration."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from websdk.budget.candidates import CandidateLimits
from websdk.budget.fit import FitOptions
from websdk.budget.options import PreviewOptions
from websdk.errors import ConfigurationError
from websdk.evidence import EvidenceOptions
from websdk.fetch.options import FetchOptions
from websdk.model.bounds import is_finite
from websdk.reuse import ReuseOptions
from websdk.session import SessionOptions
from websdk.settings import ConnectionSettings, SearchOptions
from websdk.workers.options import WorkerOptions

OPTIONS: tuple[type[Any], ...] = (
    CandidateLimits,
    ConnectionSettings,
    EvidenceOptions,
    FetchOptions,
    FitOptions,
    PreviewOptions,
    ReuseOptions,
    SearchOptions,
    SessionOptions,
    WorkerOptions,
)
NUMBERS = [
    (kind, field.name) for kind in OPTIONS for field in attrs.fields(kind) if field.type.startswith(("int", "float"))
]


@pytest.mark.parametrize(("kind", "name"), NUMBERS, ids=lambda item: getattr(item, "__name__", item))
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), -1, True, "1"])
def test_an_option_that_is_a_number_is_a_finite_one_or_refused(kind, name, value):
    with pytest.raises(ConfigurationError, match=f"^{name} is a (whole|finite) number"):
        kind(**{name: value})


@pytest.mark.parametrize(("kind", "name"), [item for item in NUMBERS if not item[1].endswith("_s")])
def test_what_is_counted_is_counted_in_whole_numbers(kind, name):
    with pytest.raises(ConfigurationError, match=f"^{name} is a whole number"):
        kind(**{name: 100_000.5})


@pytest.mark.parametrize("name", ["on_unsupported", "enforce_filters"])
def test_an_option_that_is_a_word_is_one_of_its_words(name):
    with pytest.raises(ConfigurationError, match=f"^{name} is one of"):
        SearchOptions(**{name: "sometimes"})


@pytest.mark.parametrize(
    ("value", "is_one"),
    [(0, True), (-1.5, True), (1e308, True), (10**400, False), (float("nan"), False), (float("inf"), False),
     (True, False), ("1", False), (None, False)],
)  # fmt: skip
def test_a_finite_number_is_one_that_a_clock_can_count(value, is_one):
    assert is_one == is_finite(value)
