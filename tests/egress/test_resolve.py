from __future__ import annotations

import asyncio
import os
import queue
import threading
import time

import pytest

from websdk.egress.resolve import MAX_ANSWERS, SystemResolver, system_lookup


def test_the_system_knows_loopback_literals():
    assert ("127.0.0.1",) == asyncio.run(SystemResolver().resolve("127.0.0.1", 80))


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example", "\udcff"])
def test_a_name_that_cannot_be_written_does_not_resolve(host):
    with pytest.raises(OSError):
        system_lookup(host, 80)


def test_answers_come_back_in_order():
    resolver = SystemResolver(lookup=lambda host, port: ("2606:4700::1", "93.184.215.14"))

    assert ("2606:4700::1", "93.184.215.14") == asyncio.run(resolver.resolve("a.example", 443))


def test_a_failed_look_up_is_an_os_error():
    def fail(host, port):
        raise OSError("no such name")

    def break_down(host, port):
        raise ZeroDivisionError

    for lookup in (fail, break_down):
        with pytest.raises(OSError):
            asyncio.run(SystemResolver(lookup=lookup).resolve("a.example", 443))


def test_an_endless_answer_is_a_failure():
    resolver = SystemResolver(lookup=lambda host, port: ["93.184.215.14"] * (MAX_ANSWERS + 1))

    with pytest.raises(OSError):
        asyncio.run(resolver.resolve("a.example", 443))


def test_a_hanging_look_up_ends_in_time():
    release = threading.Event()

    def hang(host, port):
        release.wait(10)
        return ()

    started = time.monotonic()
    try:
        with pytest.raises(TimeoutError):
            asyncio.run(SystemResolver(timeout_s=0.1, lookup=hang).resolve("slow.example", 443))
    finally:
        release.set()

    assert time.monotonic() - started < 8  # the look-up itself hangs for ten


def test_at_most_the_given_number_of_look_ups_runs_at_once_and_all_are_answered():
    running, most, lock = [], [], threading.Lock()
    full = threading.Event()

    def lookup(host, port):
        with lock:
            running.append(host)
            most.append(len(running))
            if len(running) == 3:
                full.set()
        full.wait(5)
        with lock:
            running.remove(host)
        return (host,)

    async def many():
        resolver = SystemResolver(threads=3, lookup=lookup)
        return await asyncio.gather(*(resolver.resolve(f"h{number}", 80) for number in range(20)))

    assert [(f"h{number}",) for number in range(20)] == asyncio.run(many())
    assert 3 == max(most)


def test_a_look_up_that_nobody_waits_for_is_not_begun():
    release, begun = threading.Event(), queue.SimpleQueue()

    def lookup(host, port):
        begun.put(host)
        release.wait(10)
        return (host,)

    names = []

    async def scenario():
        resolver = SystemResolver(threads=1, timeout_s=5, lookup=lookup)
        first = asyncio.create_task(resolver.resolve("first", 80))
        names.append(await asyncio.to_thread(begun.get))
        given_up = asyncio.create_task(resolver.resolve("given-up", 80))
        await asyncio.sleep(0)
        given_up.cancel()
        last = asyncio.create_task(resolver.resolve("last", 80))
        await asyncio.sleep(0)
        release.set()
        return await asyncio.gather(first, last)

    assert [("first",), ("last",)] == asyncio.run(scenario())
    assert (["first"], "last") == (names, begun.get_nowait())
    assert begun.empty()


def test_one_resolver_serves_several_loops():
    resolver = SystemResolver(lookup=lambda host, port: (host,))

    assert [("a",), ("b",)] == [asyncio.run(resolver.resolve(host, 80)) for host in "ab"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_resolver_works_after_a_fork():
    release = threading.Event()

    def lookup(host, port):
        if host == "busy":
            release.wait(10)
        return (host,)

    resolver = SystemResolver(threads=1, timeout_s=0.1, lookup=lookup)
    with pytest.raises(TimeoutError):
        asyncio.run(resolver.resolve("busy", 80))
    child = os.fork()
    if child == 0:
        try:
            found = asyncio.run(resolver.resolve("free", 80))
            os._exit(0 if found == ("free",) else 1)
        except BaseException:
            os._exit(2)
    _, status = os.waitpid(child, 0)
    release.set()

    assert 0 == os.waitstatus_to_exitcode(status)
