"""Tracked files speak of the product alone, and of no machine."""

from __future__ import annotations

import re

import pytest

FORBIDDEN = {
    "path of one machine": re.compile(r"(?<![\w.])/(?:work|opt|root|home/\w+|Users/\w+)/[\w.]"),
    "temporary path of a session": re.compile(r"/tmp/(?:bash_jobs|studio)"),
    "address of a package index": re.compile(
        r"https?://[^\s\"')]*(?:/simple/|/packages/[0-9a-f]{2}/|/-/[^/\s]+\.tgz)"
        r"|(?:pypi|pythonhosted|npmjs)\.org|deb\.debian\.org",
        re.I,
    ),
    "word of a workplace": re.compile(
        r"\b(?:Co-Authored-By|Generated with|Claude Code|brief\.md|DESIGN\.md|RULES\.md|STYLE\.md|known-faults\.md)\b",
        re.I,
    ),
}
# Recorded pages and answers hold what their authors wrote, and this file what it looks for.
EXEMPT = ("tests/data/", "LICENSE", "tests/architecture/test_words.py")


def breaches(text: str) -> list[str]:
    return [f"{kind}: {found.group()}" for kind, rule in FORBIDDEN.items() if (found := rule.search(text))]


def test_tracked_files_name_no_machine_index_or_workplace(tracked_files, root):
    found = []
    for name in tracked_files:
        if name.startswith(EXEMPT):
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
