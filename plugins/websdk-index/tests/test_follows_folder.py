"""Whatever happens to a folder, after an add the index holds exactly its pages."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

NAMES = st.sampled_from(["a.md", "b.txt", "sub/a.md", "sub/deep/c.md", "sp ace.md", "ü.md", ".dot.md", "not.png"])
WORDS = st.sampled_from(["gear", "mill", "grain", "wheel", "stone"])
BASES = st.sampled_from(["https://one.example/", "https://two.example/x/"])
SECOND = 10**9


def stored(desk: Any) -> dict[str, str]:
    with closing(sqlite3.connect(desk.index)) as connection:
        return dict(connection.execute("SELECT url, body FROM pages JOIN origins USING (id) JOIN texts USING (id)"))


@pytest.fixture(scope="module")
def machine(new_desk: Callable[[], Any]) -> type[RuleBasedStateMachine]:
    class Folder(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.desk = new_desk()
            self.texts: dict[str, str] = {}
            self.base = "https://one.example/"
            self.clock = 1_600_000_000 * SECOND
            self.dirty = True

        @rule(name=NAMES, words=st.lists(WORDS, max_size=3), later=st.booleans())
        def write(self, name: str, words: list[str], later: bool) -> None:
            path = self.desk.write(name, " ".join(words))
            # A change of the same size within the same tick of an old clock is what no stamp can show; it is excluded.
            self.clock += SECOND
            if later:
                os.utime(path, ns=(self.clock, self.clock))
            self.texts[name] = " ".join(words)
            self.dirty = True

        @rule(name=NAMES)
        def delete(self, name: str) -> None:
            if self.texts.pop(name, None) is not None:
                (self.desk.folder / name).unlink()
                self.dirty = True

        @rule()
        def empty(self) -> None:
            shutil.rmtree(self.desk.folder)
            self.desk.folder.mkdir()
            self.texts.clear()
            self.dirty = True

        @rule(old=NAMES, new=NAMES)
        def rename(self, old: str, new: str) -> None:
            if old in self.texts and old != new:
                (self.desk.folder / new).parent.mkdir(parents=True, exist_ok=True)
                (self.desk.folder / old).replace(self.desk.folder / new)
                self.texts[new] = self.texts.pop(old)
                self.dirty = True

        @rule(base=BASES)
        def move(self, base: str) -> None:
            self.dirty = self.dirty or base != self.base
            self.base = base

        @rule(batch_files=st.integers(1, 4))
        def add(self, batch_files: int) -> None:
            report = self.desk.add(base_url=self.base, batch_files=batch_files)

            pages = self.pages()
            assert pages == stored(self.desk)
            assert len(pages) == report.added + report.updated + report.unchanged
            if not self.dirty:
                assert (0, 0, 0) == (report.added, report.updated, report.removed)
            for word in ("gear", "mill", "grain", "wheel", "stone"):
                holding = {url for url, text in pages.items() if word in text.split()}
                assert holding == set(self.desk.urls(word, max_results=50))
            self.dirty = False

        def pages(self) -> dict[str, str]:
            return {
                self.base + name.replace(" ", "%20").replace("ü", "%C3%BC"): text
                for name, text in self.texts.items()
                if text and not name.startswith(".") and not name.endswith(".png")
            }

        @invariant()
        def the_full_text_index_is_whole(self) -> None:
            if self.desk.index.exists():
                with closing(sqlite3.connect(self.desk.index)) as connection:
                    connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")

    return Folder


def test_index_equals_folder(machine: type[RuleBasedStateMachine]) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=30, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
