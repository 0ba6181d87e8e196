"""How long the command takes to say its version, against Python that loads click and nothing else.

Run it by hand on a quiet machine: ``python tests/benchmarks/startup.py``. The bound is 1.2; the exit code says whether
it holds. Runs of the two alternate, so that a busy moment meets both, and the medians are compared.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 40
BOUND = 1.2
ROOT = Path(__file__).parents[2]
PROGRAMS = {
    "python with click": "import click",
    "websdk --version": "import sys; sys.argv[1:] = ['--version']; from websdk.cli import main; main()",
}


def measure(program: str) -> float:
    """Return the seconds that a fresh interpreter takes for *program*."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def main() -> int:
    """Print both medians and their ratio; return 0 where the bound holds."""
    taken: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(ROUNDS):
        for name, program in PROGRAMS.items():
            taken[name].append(measure(program))
    bare, own = (statistics.median(seconds) for seconds in taken.values())
    for name, seconds in taken.items():
        print(f"{name:<20} {statistics.median(seconds) * 1000:7.1f} ms")
    print(f"{'ratio':<20} {own / bare:7.2f}   (bound {BOUND})")
    return 0 if own / bare <= BOUND else 1


if __name__ == "__main__":
    raise SystemExit(main())
