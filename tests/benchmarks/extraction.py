"""Time a read against trafilatura in the reference configuration, on the same pages in one run.

    python tests/benchmarks/extraction.py [--corpora FOLDER] [--every N]

Prints the median milliseconds a page of both and their ratio; every page goes through both in turn, best of two.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ("docs-pages", "wcxb", "article-extraction-benchmark")


def pages(folder: Path, every: int) -> list[tuple[bytes, str, str]]:
    """Every *every*-th page of the corpora as bytes, address and label."""
    found = []
    for corpus in CORPORA:
        for truth in sorted((folder / corpus).rglob("*.json"))[::every]:
            plain, packed = truth.with_suffix(".html"), truth.with_suffix(".html.gz")
            if plain.exists() or packed.exists():
                facts = json.loads(truth.read_text("utf-8"))
                body = plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes())
                found.append((body, facts["url"], facts.get("content_type", "text/html")))
    return found


def reference() -> Callable[[bytes, str, str], object]:
    """Trafilatura as the comparison has it: Markdown with links, tables, formatting and metadata, minimum size 10."""
    import trafilatura
    from trafilatura.settings import use_config

    config = use_config()
    config.set("DEFAULT", "MIN_EXTRACTED_SIZE", "10")

    def read(body: bytes, url: str, content_type: str) -> object:
        text = trafilatura.extract(
            body,
            url=url,
            output_format="markdown",
            include_links=True,
            include_tables=True,
            include_formatting=True,
            with_metadata=True,
            config=config,
        )
        # The front matter is machinery and is stripped.
        return text.partition("\n---\n")[2] if text and text.startswith("---") else text

    return read


def own() -> Callable[[bytes, str, str], object]:
    """The reader of this project, whole pages."""
    from websdk.errors import Unreadable
    from websdk.reading import ReadingOptions, read_page

    options = ReadingOptions(max_characters=None)

    def read(body: bytes, url: str, content_type: str) -> object:
        try:
            return read_page(body, url=url, content_type=content_type, options=options)
        except Unreadable as failure:
            return failure.seen

    return read


def timed(read: Callable[[bytes, str, str], object], page: tuple[bytes, str, str]) -> float:
    """Milliseconds of processor time of the better of two reads."""
    best = float("inf")
    for _ in range(2):
        started = time.process_time()
        read(*page)
        best = min(best, time.process_time() - started)
    return 1_000 * best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=ROOT.parent / "shared" / "corpora")
    parser.add_argument("--every", type=int, default=4)
    asked = parser.parse_args()
    sample = pages(asked.corpora, asked.every)
    if not sample:
        print("no pages there", file=sys.stderr)
        return 2
    readers = (own(), reference())
    for read in readers:
        read(*sample[0])
    times = [[timed(read, page) for read in readers] for page in sample]
    ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    total, whole = (sum(column) for column in zip(*times, strict=True))
    print(f"{len(sample)} pages, median ms: own {ours:.1f}, reference {theirs:.1f}, ratio {ours / theirs:.2f}")
    print(f"total ratio {total / whole:.2f}")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    raise SystemExit(main())
