"""Tracked files speak of the product alone, and of no machine."""

from __future__ import annotations

import re

import pytest

# Spelt in pieces, so that this file does not find itself.
FORBIDDEN = {
    "path of one machine": re.compile(r"(?<![\w.])/(?:wor" r"k|opt|roo" r"t|home/\w+|Users/\w+)/[\w.]"),
    "temporary path of a session": re.compile(r"/tm" r"p/(?:bash_jobs|studio|claude)"),
    "address of a package index": re.compile(
        r"https?://[^\s\"')]*(?:/sim"
        r"ple/|/packages/[0-9a-f]{2}/|\.tg"
        r"z\"|/-/)"
        r"|(?:pypi|pythonhosted|npmjs)\.or"
        r"g|files\.python"
        r"hosted|deb\.debian\.or"
        r"g",
        re.I,
    ),
    "word of a workplace": re.compile(
        r"\b(?:steer"
        r"ing session|helper ses"
        r"sion|sub-?agent wro"
        r"te|Co-Authored"
        r"-By|Generated w"
        r"ith"
        r"|Claude C"
        r"ode|brief\.m"
        r"d|DESIGN\.m"
        r"d|RULES\.m"
        r"d|STYLE\.m"
        r"d)\b",
        re.I,
    ),
}
# Recorded pages and answers hold what their authors wrote.
DATA = ("tests/data/", "LICENSE")


def breaches(text: str) -> list[str]:
    return [f"{kind}: {found.group()}" for kind, rule in FORBIDDEN.items() if (found := rule.search(text))]


def test_tracked_files_name_no_machine_index_or_workplace(tracked_files, root):
    found = []
    for name in tracked_files:
        if name.startswith(DATA):
            continue
        text = (root / name).read_bytes().decode("utf-8", "replace")
        found += [f"{name}: {breach}" for breach in breaches(text)]

    assert [] == found


@pytest.mark.parametrize(
    "text",
    [
        "see /work/notes/a.md",
        "in /opt/venv/bin",
        "https://index.example/simple/attrs/",
        'https://registry.example/a/-/a.tgz"',
        "as DESIGN.md says",
    ],
)
def test_a_breach_is_found(text):
    assert 1 == len(breaches(text))


def test_addresses_of_pages_are_no_breach():
    assert [] == breaches("https://docs.python.org/3/library/work/optimal.html and /tmp and a workshop")
