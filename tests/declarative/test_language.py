"""The language as data: its schema, its reference page, its size."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from websdk.declarative import bundled_preset_texts, preset_schema
from websdk.declarative.language import key_rows, key_words, reference_table

ROOT = Path(__file__).resolve().parents[2]
# Each is needed by one vendor, which would otherwise lose a filter or send something else than was asked.
USED_ONCE = {
    "vendor.min_interval_s": "GDELT asks everybody for five seconds between two calls",
    "search.base_url": "Jina searches and reads at two addresses",
    "fetch.base_url": "Jina searches and reads at two addresses",
    "search.query.escape": "DataForSEO decodes the query once more",
    "search.count.step": "DataForSEO counts in tens",
    "search.filters.dates.inclusive": "Mojeek leaves out the last day",
    "search.filters.dates.unless": "Exa refuses dates beside two of its topics",
    "fetch.failures.values": "Exa names why a page failed in words",
}


@pytest.fixture(scope="module")
def files() -> list[Any]:
    """Every bundled preset as TOML data."""
    return [tomllib.loads(text) for text in bundled_preset_texts().values()]


def test_committed_schema_is_the_current_one() -> None:
    committed = json.loads((ROOT / "docs/reference/preset.schema.json").read_text(encoding="utf-8"))

    assert committed == preset_schema()


def test_schema_and_loader_agree_about_the_bundled_files(files: list[Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(preset_schema())

    assert [] == [error.message for data in files for error in validator.iter_errors(data)]
    assert [] != list(validator.iter_errors({**files[0], "vendr": 1}))


def test_no_key_is_without_a_vendor(files: list[Any]) -> None:
    rows = key_rows(files)

    assert set(USED_ONCE) == {row.path for row in rows if row.used == 1}
    assert [] == [row.path for row in rows if row.used == 0]


def test_every_key_says_what_it_means(files: list[Any]) -> None:
    rows = key_rows(files)

    assert all(row.about.endswith((".", "1.")) and row.allowed for row in rows)


def test_reference_page_has_the_current_rows(files: list[Any]) -> None:
    page = (ROOT / "docs/reference/presets.md").read_text(encoding="utf-8")
    tables = {"vendor", "search", "fetch", "auth", "settings", "query", "count", "page", "terms", "filters"}
    tables |= {"topics", "results", "reply", "errors", "failures"}
    filters = {"recency", "dates", "include_domains", "exclude_domains", "country", "language", "safe_search", "topic"}
    words = [word for word in key_words(key_rows(files)) if word not in tables | filters]

    assert reference_table(files) in page
    assert f"{len(words)} words" in page
    assert all(reason in page for reason in USED_ONCE.values())
