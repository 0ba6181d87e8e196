"""The command line: words come in; one JSON object, or a page for people, goes out."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process with its exit code.

    Args:
        arguments: Words after the program's name; ``None`` for those of the process.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:
        # Started with its output closed: the work is wanted, its words are not.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as the process
    if words == ["--version"] and _say_version():
        raise SystemExit(0)
    from websdk.cli.application import run

    raise SystemExit(run(words))


def _say_version() -> bool:
    """Print the version, which scripts ask for on every run: nothing else loads for it. ``False`` where it cannot."""
    from websdk import __version__

    try:
        print(f"websdk {__version__}", flush=True)
    except OSError:
        return False
    return True
