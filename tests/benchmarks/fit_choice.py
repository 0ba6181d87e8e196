"""Fit the trees of ``websdk/reading/trees.py`` to pages whose content people marked.

    python tests/benchmarks/fit_choice.py --corpora FOLDER [--write]

Needs scikit-learn, which no part of the project depends on otherwise. A piece of a page counts as content where at
least half of its runs of four words stand in the marked text; where only passages are marked, by those. Pages weigh
alike, and pieces of a page by their words. Every page is shown twice more with less weight, once as if the extractor
had chosen nothing and once as if it had chosen everything, so that the trees learn to do without it where it fails.
Pages are held out in five parts in turn to say how well it goes on pages that were not fitted.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ("article-extraction-benchmark", "wcxb", "docs-pages", "trafilatura-eval")
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\w+")
PARTS = 5
HEAD = '''"""How opinions about a piece of text are weighed; fitted and written by ``tests/benchmarks/fit_choice.py``.

A line is a tree of questions about a row of :func:`websdk.reading.features.features` and about the marks of
:class:`websdk.reading.units.Unit`.
"""

from __future__ import annotations

from collections.abc import Sequence


def total(r: Sequence[float], near: int, around: int) -> float:
    """The logarithm of the odds that a piece is content; the first half alone where it leaves no doubt."""
    found = _first(r, near, around)
    return found if abs(found) > {certain} else found + _second(r, near, around)

'''
# What a page counts on which the extractor is taken to fail.
FAILED = 0.25
# Odds that the second half of the trees never turned.
CERTAIN = 2.5


def words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def runs(tokens: list[str]) -> list[tuple[str, ...]]:
    size = min(4, len(tokens))
    return [tuple(tokens[at : at + size]) for at in range(len(tokens) - size + 1)] if size else []


class Marked:
    """What people marked on a page."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.runs = set(runs(words(facts["text"])))
        self.flat = f" {' '.join(words(facts['text']))} "
        self.passages = {
            wanted: [" ".join(passage.split()) for passage in facts.get(name) or () if passage.strip()]
            for wanted, name in ((True, "present"), (False, "absent"))
        }

    def label(self, text: str) -> bool | None:
        """Whether a piece is content; ``None`` where nothing says so."""
        if not self.runs:
            flat = " ".join(text.split())
            found = [
                wanted
                for wanted, passages in self.passages.items()
                if any(passage in flat or (len(flat) > 20 and flat in passage) for passage in passages)
            ]
            return found[0] if len(found) == 1 else None
        tokens = words(text)
        own = runs(tokens)
        if len(tokens) < 4:
            return f" {' '.join(tokens)} " in self.flat
        return sum(run in self.runs for run in own) >= 0.5 * len(own)


class Blind:
    """An extractor that fails: every piece is covered alike."""

    def __init__(self, covered: float) -> None:
        self._covered = covered

    def coverage(self, folded: str) -> float:
        return self._covered


def described(body: bytes, facts: dict[str, Any]) -> tuple[list[list[float]], list[int], list[float]]:
    """The columns, labels and weights of all pieces of one page; nothing for documentation of known generators."""
    from websdk.reading import root as roots
    from websdk.reading import units as pieces
    from websdk.reading.characters import clean_markup
    from websdk.reading.decode import decode
    from websdk.reading.extract import lean
    from websdk.reading.facts import read_facts
    from websdk.reading.features import features
    from websdk.reading.guide import ask
    from websdk.reading.hidden import strip_hidden
    from websdk.reading.options import ReadingOptions
    from websdk.reading.sniff import sniff
    from websdk.reading.survey import Survey
    from websdk.reading.tree import parse

    sniffed = sniff(body, facts.get("content_type"))
    text = clean_markup(decode(body, charset=sniffed.charset, kind=sniffed.kind).text).text
    root = parse(text.encode("utf-8", "replace"))
    if root is None:
        return [], [], []
    declared = read_facts(root, facts["url"])
    strip_hidden(root, ReadingOptions())
    survey = Survey(root)
    if roots.is_documentation(survey, declared):
        return [], [], []
    furniture = roots.furniture_marks(survey)
    here = roots.content_root(survey, furniture)
    said = pieces.marks_of(survey, furniture)
    marked = Marked(facts)
    inputs, labels, weights = [], [], []
    guides = (ask(lean(survey, here, roots.furniture(survey, furniture))), Blind(0.0), Blind(1.0))
    for guide, worth in zip(guides, (1.0, FAILED, FAILED), strict=True):
        found = pieces.units_of(survey, said, guide)
        rows = features(survey, found, said.named, here, title=declared.title, article=declared.kind == "article")
        sizes = [len(words(unit.text)) + 0.5 for unit in found]
        for unit, row, size in zip(found, rows, sizes, strict=True):
            label = marked.label(unit.text)
            if label is not None:
                bits = [float(marks >> bit & 1) for marks in (unit.near, unit.around) for bit in range(pieces.BITS)]
                inputs.append([*row, *bits])
                labels.append(int(label))
                weights.append(100 * worth * size / (sum(sizes) + 1))
    return inputs, labels, weights


def written(nodes: Any, at: int, numbers: int, bits: int) -> str:
    """A tree as an expression."""
    node = nodes[at]
    if node["is_leaf"]:
        return f"{round(float(node['value']), 3) + 0.0!r}"
    left, right = (written(nodes, int(node[side]), numbers, bits) for side in ("left", "right"))
    column = int(node["feature_idx"])
    if column < numbers:
        threshold = float(format(float(node["num_threshold"]), ".5g"))
        return f"({left} if r[{column}] <= {threshold!r} else {right})"
    marks, bit = divmod(column - numbers, bits)
    return f"({right} if {('near', 'around')[marks]} & {1 << bit} else {left})"


def model() -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=160,
        max_leaf_nodes=12,
        max_features=0.3,
        learning_rate=0.08,
        min_samples_leaf=60,
        l2_regularization=20,
        early_stopping=False,
        random_state=1,
    )


def main() -> int:
    import numpy

    from websdk.reading import units as pieces

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    pages: list[tuple[list[list[float]], list[int], list[float]]] = []
    for corpus in CORPORA:
        for truth in sorted((asked.corpora / corpus).rglob("*.json")):
            facts = json.loads(truth.read_text("utf-8"))
            plain, packed = truth.with_suffix(".html"), truth.with_suffix(".html.gz")
            if (facts.get("text") or facts.get("present")) and (plain.exists() or packed.exists()):
                body = plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes())
                page = described(body, facts)
                if page[1]:
                    pages.append(page)
    table = numpy.array([line for page in pages for line in page[0]], dtype=numpy.float32)
    labels = numpy.array([label for page in pages for label in page[1]])
    weights = numpy.array([weight for page in pages for weight in page[2]])
    part = numpy.array([at % PARTS for at, page in enumerate(pages) for _ in page[1]])
    right = [
        model()
        .fit(table[part != held], labels[part != held], sample_weight=weights[part != held])
        .score(table[part == held], labels[part == held], sample_weight=weights[part == held])
        for held in range(PARTS)
    ]
    fitted = model().fit(table, labels, sample_weight=weights)
    print(f"{len(labels)} pieces of {len(pages)} pages, right on {numpy.mean(right):.4f} of words of pages held out")
    if asked.write:
        numbers = table.shape[1] - 2 * pieces.BITS
        start = float(numpy.ravel(fitted._baseline_prediction)[0])
        lines = [written(trees[0].nodes, 0, numbers, pieces.BITS) for trees in fitted._predictors]
        half = len(lines) // 2
        text = HEAD.replace("{certain}", str(CERTAIN))
        for name, first, part in (("_first", start, lines[:half]), ("_second", 0.0, lines[half:])):
            body = "".join(f"        + {line}\n" for line in part)
            text += (
                f"\ndef {name}(r: Sequence[float], near: int, around: int) -> float:\n"
                f"    return (\n        {first:.4f}\n{body}    )\n\n"
            )
        (ROOT / "websdk" / "reading" / "trees.py").write_text(text.rstrip() + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    raise SystemExit(main())
