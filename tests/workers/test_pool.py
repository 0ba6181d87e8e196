"""The pool with real children."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from websdk.errors import DeadlineExceeded, PluginError, TooLarge, Unreadable
from websdk.model.document import Document
from websdk.reading.options import ReadingOptions
from websdk.workers import ExtractionPool, WorkerOptions
from websdk.workers.jobs import EXTRACTION_FAILED, NO_WORKER, OUT_OF_MEMORY, WORKER_DIED

URL = "https://docs.example/page"
MakePool = Callable[..., ExtractionPool]
ROOT = Path(__file__).resolve().parents[2]


async def upper(pool: ExtractionPool, text: str = "a", deadline_s: float = 30) -> Document:
    return await pool.extract(text.encode(), url=URL, content_type="test/upper", deadline_s=deadline_s)


def run_pool(make_pool: MakePool, work: Callable[[ExtractionPool], Any], **options: Any) -> Any:
    async def main() -> Any:
        pool = make_pool(**options)
        try:
            return await work(pool)
        finally:
            await pool.aclose()

    return asyncio.run(main())


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Doorbell:
    """A loopback port where the extractor that hangs says which process it is."""

    async def __aenter__(self) -> Doorbell:
        self._pid = asyncio.get_running_loop().create_future()
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.body = str(self._server.sockets[0].getsockname()[1]).encode()
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._pid.set_result(int(await reader.read()))
        writer.close()

    async def pid(self) -> int:
        async with asyncio.timeout(30):
            return int(await self._pid)


def hang(pool: ExtractionPool, bell: Doorbell, deadline_s: float) -> Coroutine[Any, Any, Document]:
    return pool.extract(bell.body, url=URL, content_type="test/hang", deadline_s=deadline_s)


def test_a_child_answers_with_a_document(make_pool: MakePool) -> None:
    document = run_pool(make_pool, lambda pool: upper(pool, "grüße"))

    assert "GRÜSSE" == document.markdown
    assert URL == document.url
    assert os.getpid() != int(document.title)


def test_one_child_serves_several_pages(make_pool: MakePool) -> None:
    async def twice(pool: ExtractionPool) -> list[Document]:
        return [await upper(pool), await upper(pool)]

    first, second = run_pool(make_pool, twice)

    assert first.title == second.title


def test_pages_beyond_the_number_of_children_wait_their_turn(make_pool: MakePool) -> None:
    async def many(pool: ExtractionPool) -> list[Document]:
        return await asyncio.gather(*(upper(pool, str(i)) for i in range(8)))

    documents = run_pool(make_pool, many, children=2)

    assert [str(i) for i in range(8)] == [d.markdown for d in documents]
    assert 2 >= len({d.title for d in documents})


def test_a_failure_travels_with_its_fields(make_pool: MakePool) -> None:
    async def declined(pool: ExtractionPool) -> tuple[Unreadable, TooLarge]:
        with pytest.raises(Unreadable) as unreadable:
            await pool.extract(b"", url=URL, content_type="test/decline", deadline_s=30)
        with pytest.raises(TooLarge) as too_large:
            await pool.extract(b"", url=URL, content_type="test/exceed", deadline_s=30)
        return unreadable.value, too_large.value

    unreadable, too_large = run_pool(make_pool, declined)

    assert "a scan" == str(unreadable)
    assert "scan" == unreadable.seen
    assert ("render",) == unreadable.remaining_rungs
    assert unreadable.hidden_content_detected
    assert 7 == too_large.limit_bytes


def test_a_child_that_is_late_is_killed_and_replaced(make_pool: MakePool) -> None:
    async def late(pool: ExtractionPool) -> tuple[int, int, int, float | None]:
        before = int((await upper(pool)).title)
        async with Doorbell() as bell:
            with pytest.raises(DeadlineExceeded) as failure:
                await hang(pool, bell, deadline_s=1.5)
            late_pid = await bell.pid()
        return before, late_pid, int((await upper(pool)).title), failure.value.deadline_s

    before, late_pid, after, deadline_s = run_pool(make_pool, late)

    assert before == late_pid
    assert before != after
    assert not is_running(late_pid)
    assert 1.5 == deadline_s


def test_a_cancelled_read_leaves_no_child_at_work(make_pool: MakePool) -> None:
    async def cancelled(pool: ExtractionPool) -> int:
        async with Doorbell() as bell:
            task = asyncio.create_task(hang(pool, bell, deadline_s=60))
            pid = await bell.pid()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        await upper(pool)  # the only place is free again, so the late child is gone
        return pid

    assert not is_running(run_pool(make_pool, cancelled))


def test_a_read_that_waits_for_a_place_ends_at_its_deadline(make_pool: MakePool) -> None:
    async def crowded(pool: ExtractionPool) -> None:
        async with Doorbell() as bell:
            hanging = asyncio.create_task(hang(pool, bell, deadline_s=60))
            pid = await bell.pid()
            with pytest.raises(DeadlineExceeded):
                await upper(pool, deadline_s=0.2)
            assert is_running(pid)
            hanging.cancel()
            await asyncio.gather(hanging, return_exceptions=True)

    run_pool(make_pool, crowded)


@pytest.mark.parametrize(
    ("content_type", "seen"),
    [
        ("test/crash", WORKER_DIED),
        ("test/leave", WORKER_DIED),
        ("test/trip", EXTRACTION_FAILED),
        pytest.param(
            "test/eat", OUT_OF_MEMORY, marks=pytest.mark.skipif(sys.platform != "linux", reason="no memory limit here")
        ),
    ],
)
def test_a_page_that_breaks_its_child_fails_alone(make_pool: MakePool, content_type: str, seen: str) -> None:
    async def broken(pool: ExtractionPool) -> tuple[Unreadable, Document]:
        with pytest.raises(Unreadable) as failure:
            await pool.extract(b"", url=URL, content_type=content_type, deadline_s=30)
        return failure.value, await upper(pool)

    failure, after = run_pool(make_pool, broken, memory_bytes=128 * 1024 * 1024)

    assert seen == failure.seen
    assert "A" == after.markdown


def test_what_a_library_prints_does_not_disturb_the_answer(make_pool: MakePool) -> None:
    async def chatter(pool: ExtractionPool) -> Document:
        return await pool.extract(b"quiet", url=URL, content_type="test/chatter", deadline_s=30)

    assert "QUIET" == run_pool(make_pool, chatter).markdown


def test_a_child_gets_no_variables_that_hold_keys(make_pool: MakePool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "canary")

    async def environment(pool: ExtractionPool) -> Document:
        return await pool.extract(b"", url=URL, content_type="test/environment", deadline_s=30)

    names = run_pool(make_pool, environment).markdown.split("\n")

    assert "BRAVE_API_KEY" not in names
    assert "PATH" in names


@pytest.mark.skipif(sys.platform == "win32", reason="children cannot wait with a limit on these pipes")
def test_an_idle_child_ends_itself_and_the_next_page_gets_another(make_pool: MakePool) -> None:
    async def idle(pool: ExtractionPool) -> tuple[int, int]:
        first = int((await upper(pool)).title)
        crew = pool._crew
        assert crew is not None
        (child,) = crew._all
        assert 0 == await asyncio.to_thread(child._process.wait, 30)
        return first, int((await upper(pool)).title)

    first, second = run_pool(make_pool, idle, idle_s=0.1)

    assert first != second


def test_closing_ends_every_child_and_allows_a_new_start(make_pool: MakePool) -> None:
    async def reopened(pool: ExtractionPool) -> tuple[int, int]:
        first = int((await upper(pool)).title)
        await pool.aclose()
        assert not is_running(first)
        return first, int((await upper(pool)).title)

    first, second = run_pool(make_pool, reopened)

    assert first != second
    assert not is_running(second)


def test_a_pool_that_is_dropped_ends_its_children(make_pool: MakePool) -> None:
    pool = make_pool()
    pid = int(asyncio.run(upper(pool)).title)
    assert is_running(pid)
    del pool
    gc.collect()

    assert not is_running(pid)


def test_one_pool_serves_several_loops_in_turn(make_pool: MakePool) -> None:
    pool = make_pool()
    pids = [asyncio.run(upper(pool)).title for _ in range(3)]
    asyncio.run(pool.aclose())

    assert 1 == len(set(pids))


def test_one_pool_serves_loops_in_several_threads(make_pool: MakePool) -> None:
    pool = make_pool(children=2)
    answers: list[str] = []
    threads = [
        threading.Thread(target=lambda i=i: answers.append(asyncio.run(upper(pool, f"x{i}")).markdown))
        for i in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    asyncio.run(pool.aclose())

    assert ["X0", "X1", "X2", "X3"] == sorted(answers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_starts_children_of_its_own(make_pool: MakePool) -> None:
    pool = make_pool()
    before = asyncio.run(upper(pool)).title
    inbox, outbox = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            document = asyncio.run(upper(pool, "child"))
            asyncio.run(pool.aclose())
            os.write(outbox, f"{document.markdown} {document.title}".encode())
        finally:
            os._exit(0)
    os.close(outbox)
    with os.fdopen(inbox, "rb") as answers:
        text, in_fork = answers.read().decode().split()
    os.waitpid(pid, 0)
    after = asyncio.run(upper(pool)).title
    asyncio.run(pool.aclose())

    assert "CHILD" == text
    assert before == after
    assert before != in_fork


def test_where_no_child_can_start_pages_are_read_in_process_and_it_is_said(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch, article: bytes
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    async def blocked(pool: ExtractionPool) -> tuple[Document, str | None, str]:
        document = await pool.extract(article, url=URL, content_type="text/html", deadline_s=30)
        with pytest.raises(Unreadable) as failure:
            await upper(pool)
        return document, pool.blocker, failure.value.seen

    document, blocker, seen = run_pool(make_pool, blocked, in_process_bytes=0)

    assert "lighthouse" in document.markdown
    assert blocker is not None
    assert "refuses to start a process" in blocker
    assert NO_WORKER == seen


def test_an_interpreter_that_is_something_else_is_found_out(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/cat" if os.path.exists("/bin/cat") else sys.executable)

    async def probed(pool: ExtractionPool) -> str | None:
        return await pool.probe()

    assert "did not come up" in str(run_pool(make_pool, probed, start_s=5))


def test_probing_a_healthy_pool_finds_no_blocker(make_pool: MakePool) -> None:
    async def probed(pool: ExtractionPool) -> str | None:
        return await pool.probe()

    assert run_pool(make_pool, probed) is None


def test_children_that_are_switched_off_are_a_blocker_that_is_named(make_pool: MakePool, article: bytes) -> None:
    async def read(pool: ExtractionPool) -> tuple[Document, str | None]:
        return await pool.extract(article, url=URL, content_type="text/html", deadline_s=30), pool.blocker

    document, blocker = run_pool(make_pool, read, isolate=False, in_process_bytes=0)

    assert "lighthouse" in document.markdown
    assert "child processes are switched off" == blocker


def test_a_small_page_is_read_without_a_child(make_pool: MakePool, article: bytes) -> None:
    async def small(pool: ExtractionPool) -> tuple[Document, int]:
        document = await pool.extract(article, url=URL, content_type="text/html", deadline_s=30)
        crew = pool._crew
        assert crew is not None
        return document, len(crew._all)

    document, children = run_pool(make_pool, small)

    assert "lighthouse" in document.markdown
    assert 0 == children


def test_a_large_page_reads_the_same_in_a_child_as_in_process(make_pool: MakePool, article: bytes) -> None:
    async def both(pool: ExtractionPool) -> Document:
        return await pool.extract(
            article, url=URL, content_type="text/html", options=ReadingOptions(max_characters=300), deadline_s=30
        )

    in_process = run_pool(make_pool, both)
    in_child = run_pool(make_pool, both, in_process_bytes=0)

    assert in_process == in_child
    assert in_child.truncated


def test_an_extractor_that_no_child_could_load_is_refused_at_once() -> None:
    class Local:
        media_types = frozenset({"test/local"})

    with pytest.raises(PluginError):
        ExtractionPool(extractors=(Local(),))  # type: ignore[arg-type]


def test_two_extractors_of_one_kind_are_refused(extractors: tuple[Any, ...]) -> None:
    with pytest.raises(PluginError):
        ExtractionPool(extractors=(extractors[0], extractors[0]))


SCRIPT = """
import asyncio
from websdk.workers import ExtractionPool, WorkerOptions

async def main():
    pool = ExtractionPool(WorkerOptions(in_process_bytes=0))
    page = b"<title>t</title><article>" + b"<p>The lighthouse stands at the end of the long pier.</p>" * 20
    document = await pool.extract(page, url="http://a.example/", content_type="text/html", deadline_s=60)
    print(document.markdown.count("lighthouse"), pool.blocker)
    await pool.aclose()

asyncio.run(main())
"""


def test_an_unguarded_script_reads_in_children(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n" + SCRIPT)

    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)

    assert "20 None" == done.stdout.strip(), done.stderr


def test_a_script_on_standard_input_reads_in_children() -> None:
    done = subprocess.run(
        [sys.executable, "-"], input=SCRIPT, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT
    )

    assert "20 None" == done.stdout.strip(), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_daemonic_process_reads_in_children() -> None:
    host = (
        "import multiprocessing, sys\n"
        "work = compile(sys.argv[1], 'script', 'exec')\n"
        "p = multiprocessing.get_context('fork').Process(target=exec, args=(work, {}), daemon=True)\n"
        "p.start(); p.join()\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", host, SCRIPT], capture_output=True, text=True, timeout=120, check=False, cwd=ROOT
    )

    assert "20 None" == done.stdout.strip(), done.stderr


def test_a_file_named_like_a_standard_module_does_not_reach_the_child(
    make_pool: MakePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "struct", "select", "threading"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert "A" == run_pool(make_pool, upper).markdown


def test_there_are_few_children_unless_asked_for() -> None:
    assert 1 <= WorkerOptions().children <= 4
