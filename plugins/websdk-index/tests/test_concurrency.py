from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websdk_index.database import writing

from websdk.errors import Refused

KILLS = 20
# Adds a folder, and says each time that a file was read; the other end decides when that was enough.
CHILD = """
import asyncio, sys
from pathlib import Path
from websdk.model import Document
from websdk_index import AddOptions, add_path

async def read(body, *, url, content_type):
    print("read", flush=True)
    return Document(url=url, title="", markdown=body.decode())

asyncio.run(add_path(
    Path(sys.argv[1]), Path(sys.argv[2]), base_url="https://docs.example.com/", read=read,
    options=AddOptions(batch_files=5),
))
print("done", flush=True)
"""


def test_a_second_writer_is_refused_and_may_come_again(desk: Any) -> None:
    desk.write("a.md", "gears")
    with writing(desk.index), pytest.raises(Refused, match="another process is adding") as caught:
        desk.add()

    assert caught.value.retryable
    assert not caught.value.sent
    assert 1 == desk.add().added


def test_readers_see_whole_changes_only_while_a_writer_is_at_work(desk: Any) -> None:
    # Both pages of a pair are written in one change, so no reader may ever see one without the other.
    for number in range(20):
        desk.write(f"{number:02}a.md", f"pair{number} version0")
        desk.write(f"{number:02}b.md", f"pair{number} version0")
    desk.add()
    done = threading.Event()
    problems: list[str] = []
    searches = 0

    def ask(seed: int) -> None:
        nonlocal searches
        chosen = random.Random(seed)
        while not done.is_set():
            rows = desk.answer(f"pair{chosen.randrange(20)}").results
            if len({row.content for row in rows}) != 1 or len(rows) != 2:
                problems.append(repr([row.content for row in rows]))
            searches += 1

    readers = [threading.Thread(target=ask, args=(seed,)) for seed in range(3)]
    for reader in readers:
        reader.start()
    try:
        for version in range(1, 6):
            for number in range(20):
                desk.write(f"{number:02}a.md", f"pair{number} version{version}")
                desk.write(f"{number:02}b.md", f"pair{number} version{version}")
            desk.add(batch_files=2)
    finally:
        done.set()
        for reader in readers:
            reader.join()

    assert [] == problems
    assert searches > 0
    assert 40 == len(desk.urls("version5", max_results=50))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_writer_killed_at_any_point_leaves_an_index_that_opens_answers_and_is_finished(desk: Any) -> None:
    for number in range(400):
        desk.write(f"{number:03}.md", f"gears page{number} " + "filling " * 200)
    chosen = random.Random(20)
    for _ in range(KILLS):
        killed_after = killed(desk, lines=chosen.randrange(1, 30))

        assert killed_after
        found = desk.answer("gears", max_results=100, page=1)
        assert len(found.results) == min(100, whole(desk.index))
        # The next run reads files that a former one had read; changed ones among them keep every run at work.
        for name in chosen.sample(range(400), 20):
            desk.write(f"{name:03}.md", f"gears page{name} " + "filling " * chosen.randrange(100, 200))
    desk.add()

    assert 400 == whole(desk.index)
    assert desk.add().unchanged == 400
    assert ["https://docs.example.com/123.md"] == desk.urls("page123")


def killed(desk: Any, *, lines: int) -> bool:
    """Start a writer, kill it after it read some files, and return whether it was still at work."""
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(desk.index), str(desk.folder)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as child:
        assert child.stdout is not None
        for _ in range(lines):
            child.stdout.readline()
        child.send_signal(signal.SIGKILL)
        child.wait()
        return "done" not in child.stdout.read()


def whole(index: Path) -> int:
    """Check every table of the index, and return how many pages it holds."""
    with closing(sqlite3.connect(index)) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        (pages,) = connection.execute("SELECT count(*) FROM pages").fetchone()
        (texts,) = connection.execute(
            "SELECT count(*) FROM texts JOIN origins USING (id) JOIN pages USING (id)"
        ).fetchone()
        (indexed,) = connection.execute("SELECT count(*) FROM words WHERE words MATCH 'gears'").fetchone()
    assert pages == texts == indexed
    return int(pages)


def test_an_index_that_is_held_for_a_moment_is_waited_for(desk: Any) -> None:
    desk.write("a.md", "gears")
    desk.index.parent.mkdir(parents=True, exist_ok=True)
    holder = sqlite3.connect(desk.index, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN EXCLUSIVE")
    letting_go = threading.Timer(0.3, holder.execute, ["ROLLBACK"])
    letting_go.start()
    try:
        assert 1 == desk.add().added
    finally:
        letting_go.join()
        holder.close()
