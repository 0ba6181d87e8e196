"""The command line: words come in; one JSON object, or a page for people, goes out."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process with its exit code.

    Args:
        arguments: Words after the program's name; ``None`` for those of the process.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        # Asked by scripts on every run; nothing else needs to load for it.
        from websdk import __version__

        print(f"websdk {__version__}")
        raise SystemExit(0)
    from websdk.cli.application import run

    raise SystemExit(run(words))
