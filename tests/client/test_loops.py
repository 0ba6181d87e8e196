"""One client on several loops, in threads, inside a loop, and after a fork."""

import asyncio
import inspect
import os
import threading

import pytest

from websdk import AsyncClient, Client, Connection, Intent, Settings, Transport
from websdk.transport import HttpTransport

from .conftest import Loopback, TinyPlugin


def plugin_of(server: Loopback) -> list[object]:
    return [TinyPlugin(server.origin)]


def test_one_client_serves_several_runs_in_a_row(rows: Loopback) -> None:
    tested = AsyncClient(Settings(plugins=()), plugins=plugin_of(rows))

    counts = [len(asyncio.run(tested.search("x", provider="tiny")).results) for _ in range(3)]

    assert counts == [3, 3, 3]


def test_one_client_serves_several_loops_at_once_and_leaves_nothing_open(loopback: Loopback) -> None:
    both_are_here = threading.Barrier(2, timeout=10)

    def reply() -> tuple[int, dict[str, str], bytes]:
        both_are_here.wait()
        return 200, {"Content-Type": "application/json"}, b'{"rows": [{"url": "https://docs.example/"}]}'

    loopback.replies["/search"] = reply
    tested = AsyncClient(Settings(plugins=()), plugins=plugin_of(loopback))
    opened: list[Transport] = []
    made = tested._runtimes._make_transport

    def make(connection: Connection) -> Transport:
        opened.append(made(connection))
        return opened[-1]

    tested._runtimes._make_transport = make
    found: list[int] = []

    async def in_a_thread() -> None:
        found.append(len((await tested.search("x", provider="tiny")).results))

    async def entered() -> None:
        async with tested:
            thread = asyncio.create_task(asyncio.to_thread(lambda: asyncio.run(in_a_thread())))
            found.append(len((await tested.search("x", provider="tiny")).results))
            await thread

    asyncio.run(entered())

    assert [1, 1] == found
    assert [True, True] == [isinstance(item, HttpTransport) and item._exchanges.closed for item in opened]


def test_entered_client_keeps_its_connection_between_calls(rows: Loopback) -> None:
    async def work() -> None:
        async with AsyncClient(Settings(plugins=()), plugins=plugin_of(rows)) as tested:
            for _ in range(3):
                await tested.search("x", provider="tiny")

    asyncio.run(work())

    assert len(rows.asked) == 3


def test_blocking_client_serves_threads_at_once(rows: Loopback) -> None:
    found: list[int] = []
    with Client(Settings(plugins=()), plugins=plugin_of(rows)) as tested:
        threads = [
            threading.Thread(target=lambda: found.append(len(tested.search("x", provider="tiny").results)))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert found == [3] * 8


@pytest.mark.parametrize("leaves", [SystemExit, KeyboardInterrupt])
@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_call_that_wants_to_leave_takes_no_other_call_with_it(loopback: Loopback, leaves: type[BaseException]) -> None:
    asked, gone = threading.Event(), threading.Event()

    def reply() -> tuple[int, dict[str, str], bytes]:
        asked.set()
        gone.wait(10)
        return 200, {"Content-Type": "application/json"}, b'{"rows": [{"url": "https://docs.example/"}]}'

    def authorize(intent: Intent) -> bool:
        if intent.query == "leave":
            raise leaves
        return True

    loopback.replies["/search"] = reply
    found: list[int] = []
    with Client(Settings(plugins=()), plugins=plugin_of(loopback), authorize=authorize) as tested:
        other = threading.Thread(
            target=lambda: found.append(len(tested.search("x", provider="tiny").results)), daemon=True
        )
        other.start()
        asked.wait(10)
        with pytest.raises(leaves):
            tested.search("leave", provider="tiny")
        gone.set()
        other.join(10)

    assert [1] == found


def test_blocking_client_works_inside_a_running_loop(rows: Loopback) -> None:
    async def work() -> int:
        with Client(Settings(plugins=()), plugins=plugin_of(rows)) as tested:
            return len(tested.search("x", provider="tiny").results)

    assert asyncio.run(work()) == 3


def test_blocking_client_can_be_used_after_it_was_closed(rows: Loopback) -> None:
    tested = Client(Settings(plugins=()), plugins=plugin_of(rows))
    first = tested.search("x", provider="tiny")
    tested.close()
    second = tested.search("x", provider="tiny")
    tested.close()

    assert first.results == second.results


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_client_rebuilds_itself_after_a_fork(rows: Loopback) -> None:
    with Client(Settings(plugins=()), plugins=plugin_of(rows)) as tested:
        tested.search("x", provider="tiny")
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.write(write, str(len(tested.search("x", provider="tiny").results)).encode())
                code = 0
            finally:
                os._exit(code)
        os.close(write)
        answer = os.read(read, 16)
        os.close(read)
        _, status = os.waitpid(child, 0)
        again = tested.search("x", provider="tiny")

    assert status == 0
    assert answer == b"3"
    assert len(again.results) == 3


@pytest.mark.parametrize("name", ["__init__", "search", "plan", "fetch"])
def test_both_clients_take_the_same_arguments(name: str) -> None:
    blocking = inspect.signature(getattr(Client, name))
    waiting = inspect.signature(getattr(AsyncClient, name))

    assert blocking.parameters == waiting.parameters
    assert blocking.return_annotation == waiting.return_annotation


def test_both_clients_have_the_same_methods() -> None:
    def methods(kind: type) -> set[str]:
        return {name for name, item in vars(kind).items() if not name.startswith("_") and callable(item)}

    assert methods(Client) - {"close"} == methods(AsyncClient) - {"aclose"}
