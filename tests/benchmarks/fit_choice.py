"""Fit the weights of ``websdk/reading/weights.py`` to pages whose content people marked.

    python tests/benchmarks/fit_choice.py --corpora FOLDER [--write]

Needs scikit-learn, which no part of the project depends on otherwise. A piece of a page counts as content where at
least half of its runs of four words stand in the marked text; pages weigh alike, and pieces of a page by their words.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ("article-extraction-benchmark", "wcxb", "docs-pages")
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\w+")
HEAD = '''"""What each opinion about a piece of text is worth; fitted by ``tests/benchmarks/fit_choice.py``.

Four numbers a line: always, where the general extractor chose the piece, where the page is an article, and where both
hold. The lines are the numbers of :func:`websdk.reading.units.features`, the marks near and around the piece, and one
that always counts.
"""

from __future__ import annotations

WEIGHTS: tuple[tuple[float, float, float, float], ...] = (
'''


def words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def runs(tokens: list[str]) -> list[tuple[str, ...]]:
    size = min(4, len(tokens))
    return [tuple(tokens[at : at + size]) for at in range(len(tokens) - size + 1)] if size else []


def described(body: bytes, facts: dict[str, str]) -> tuple[list[list[float]], list[int], list[float]]:
    """The features, labels and weights of all pieces of one page; nothing for documentation of known generators."""
    from websdk.reading import root as roots
    from websdk.reading import units as pieces
    from websdk.reading.characters import clean
    from websdk.reading.choose import articleness
    from websdk.reading.decode import decode
    from websdk.reading.extract import lean
    from websdk.reading.facts import read_facts
    from websdk.reading.guide import ask
    from websdk.reading.hidden import strip_hidden
    from websdk.reading.options import ReadingOptions
    from websdk.reading.sniff import sniff
    from websdk.reading.survey import Survey
    from websdk.reading.tree import parse

    sniffed = sniff(body, facts.get("content_type"))
    root = parse(clean(decode(body, charset=sniffed.charset, kind=sniffed.kind).text).text)
    if root is None:
        return [], [], []
    declared = read_facts(root, facts["url"])
    strip_hidden(root, ReadingOptions())
    survey = Survey(root)
    if roots.is_documentation(survey, declared):
        return [], [], []
    marks = roots.furniture_marks(survey)
    here = roots.content_root(survey, marks)
    found = pieces.units_of(survey, marks, ask(lean(survey, here)))
    rows = pieces.features(survey, found, here, declared.title)
    share = articleness(found, rows, article=declared.kind == "article")
    marked = set(runs(words(facts["text"])))
    flat = f" {' '.join(words(facts['text']))} "
    inputs, labels, sizes = [], [], []
    for unit, row in zip(found, rows, strict=True):
        bits = [float(marks >> bit & 1) for marks in (unit.near, unit.around) for bit in range(pieces.BITS)]
        base = [*row, *bits, 1.0]
        covered = float(unit.covered >= 0.5)
        inputs.append(
            [*base, *(covered * x for x in base), *(share * x for x in base), *(covered * share * x for x in base)]
        )
        tokens = words(unit.text)
        own = runs(tokens)
        hits = (
            sum(run in marked for run in own) / len(own) if len(tokens) >= 4 else float(f" {' '.join(tokens)} " in flat)
        )
        labels.append(int(hits >= 0.5))
        sizes.append(len(tokens) + 0.5)
    whole = sum(sizes) + 1
    return inputs, labels, [100 * size / whole for size in sizes]


def main() -> int:
    import numpy
    from sklearn.linear_model import LogisticRegression

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    inputs: list[list[float]] = []
    labels: list[int] = []
    weights: list[float] = []
    for corpus in CORPORA:
        for truth in sorted((asked.corpora / corpus).rglob("*.json")):
            facts = json.loads(truth.read_text("utf-8"))
            plain, packed = truth.with_suffix(".html"), truth.with_suffix(".html.gz")
            if facts.get("text") and (plain.exists() or packed.exists()):
                body = plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes())
                for column, more in zip((inputs, labels, weights), described(body, facts), strict=True):
                    column.extend(more)  # type: ignore[arg-type]
    table = numpy.array(inputs, dtype=numpy.float32)
    model = LogisticRegression(C=0.02, max_iter=150).fit(table, labels, sample_weight=weights)
    lines = model.coef_[0].reshape(4, -1).T.copy()
    lines[-1, 0] += model.intercept_[0]
    text = (
        HEAD + "".join(f"    ({', '.join(f'{round(float(x), 3) + 0.0!r}' for x in line)}),\n" for line in lines) + ")\n"
    )
    if asked.write:
        (ROOT / "websdk" / "reading" / "weights.py").write_text(text, "utf-8")
    print(f"{len(labels)} pieces, right on {model.score(table, labels, sample_weight=weights):.4f} of their words")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    raise SystemExit(main())
