"""Figures on real pages stay at or above their floors. Runs where the corpora lie beside the checkout."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from websdk.errors import Unreadable
from websdk.reading import ReadingOptions, read_page

ROOT = Path(__file__).resolve().parents[2]
CORPORA = Path(os.environ.get("WEBSDK_CORPORA") or ROOT.parent / "shared" / "corpora")
FLOORS: dict[str, dict[str, Any]] = json.loads((ROOT / "tests" / "data" / "extraction-floors.json").read_text("utf-8"))
pytestmark = pytest.mark.skipif(not CORPORA.is_dir(), reason="the extraction corpora are not beside the checkout")


@pytest.fixture(scope="module")
def scorer() -> ModuleType:
    """The scorer that comes with the corpora."""
    spec = importlib.util.spec_from_file_location("score_extraction", CORPORA / "score_extraction.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _read(body: bytes, url: str, content_type: str) -> str:
    try:
        page = read_page(body, url=url, content_type=content_type, options=ReadingOptions(max_characters=None))
    except Unreadable:
        return ""
    return page.markdown


@pytest.mark.parametrize("corpus", [name for name in FLOORS if name not in ("_about", "constructs")])
def test_corpus_keeps_its_floors(scorer: ModuleType, corpus: str) -> None:
    pages = scorer.load([str(CORPORA / corpus)])
    figures = scorer.evaluate(pages, _read, repeat=0)["groups"]
    missed = {
        f"{group}.{name}": (figures[group][name], floor)
        for group, floors in FLOORS[corpus].items()
        for name, floor in floors.items()
        if (figures[group][name] > floor if name in ("leak", "fffd", "errors") else figures[group][name] < floor)
    }

    assert {} == missed


@pytest.mark.parametrize(
    ("category", "least"), [("declared", 60), ("bom", 18), ("late-meta", 12), ("native-meta", 6), ("undeclared", 17)]
)
def test_encodings_come_out_right(scorer: ModuleType, category: str, least: int) -> None:
    right = 0
    for _, truth, path in scorer.load([str(CORPORA / "encodings")]):
        if truth["category"] == category:
            text = _read(scorer.read_page(path), truth["url"], truth.get("content_type"))
            right += "\ufffd" not in text and all(scorer.Output(text).has(part) for part in truth["present"])

    assert right >= least


def test_real_legacy_pages_come_out_right(scorer: ModuleType) -> None:
    wrong = []
    for _, truth, path in scorer.load([str(CORPORA / "trafilatura-eval")]):
        if truth.get("bytes_utf8") is False:
            text = _read(scorer.read_page(path), truth["url"], truth.get("content_type"))
            if "\ufffd" in text or not text:
                wrong.append(truth["id"])

    assert [] == wrong
