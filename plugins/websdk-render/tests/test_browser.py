"""A browser that crashes, hangs or is missing costs one read, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from websdk import (
    AskAgain,
    AsyncClient,
    Client,
    ConfigurationError,
    ConnectionSettings,
    DeadlineExceeded,
    FetchOptions,
    Settings,
    SettingsError,
    Unreadable,
)

pytestmark = [pytest.mark.xdist_group("chromium")]
PAGE = "http://site.example/"
PROSE = "The lighthouse stands at the end of the long pier and is lit at dusk."
linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are found by way of /proc")


def children(word: bytes) -> set[int]:
    """Browser processes below this one whose command line holds *word*."""
    parents, found = {}, {os.getpid()}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(") ")[2].split()[1])
            except (OSError, IndexError):
                continue
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    matching = set()
    for pid in found - {os.getpid()}:
        try:
            if word in Path(f"/proc/{pid}/cmdline").read_bytes():
                matching.add(pid)
        except OSError:
            continue
    return matching


def test_one_client_reads_on_after_a_page_that_took_down_its_browser(web: Any) -> None:
    async def kill(target: str, body: str) -> str:
        for pid in children(b"--type=renderer"):
            os.kill(pid, signal.SIGKILL)
        return ""

    async def main() -> tuple[Unreadable, str]:
        async with web.serving(), web.client() as client:
            with pytest.raises(Unreadable) as failure:
                await client.fetch("http://site.example/dies", via="render")
            return failure.value, (await client.fetch(PAGE, via="render")).markdown

    if sys.platform != "linux":
        pytest.skip("processes are found by way of /proc")
    web.pages["site.example/kill"] = kill
    web.pages["site.example/dies"] = "<p>Soon gone.</p><script>fetch('/kill')</script>"
    web.pages["site.example/"] = f"<p>{PROSE}</p>"
    failure, text = asyncio.run(main())

    assert "browser_crashed" == failure.seen
    assert ("local",) == failure.remaining_rungs
    assert PROSE in text


@linux
def test_a_browser_that_dies_as_a_whole_fails_its_read(web: Any) -> None:
    async def kill(target: str, body: str) -> str:
        for pid in children(b"--proxy-bypass-list"):
            os.kill(pid, signal.SIGKILL)
        return ""

    web.pages["site.example/kill"] = kill
    web.pages["site.example/"] = "<p>Soon gone.</p><script>fetch('/kill')</script>"
    started = time.monotonic()
    with pytest.raises(Unreadable) as failure:
        web.read(PAGE, deadline_s=60.0)

    assert "browser_crashed" == failure.value.seen
    assert 30.0 > time.monotonic() - started
    assert set() == children(b"--proxy-bypass-list")


def test_a_page_that_hangs_ends_within_the_deadline(web: Any) -> None:
    web.pages["site.example/"] = f"<p>{PROSE}</p><script>setTimeout(() => {{ for (;;); }}, 50)</script>"
    started = time.monotonic()
    with pytest.raises((Unreadable, DeadlineExceeded)):
        web.read(PAGE, deadline_s=10.0)

    assert 12.0 > time.monotonic() - started


@linux
def test_nothing_is_left_behind_whether_a_read_ends_well_or_is_cancelled(web: Any) -> None:
    async def main() -> None:
        asked = asyncio.Event()

        async def stuck(target: str, body: str) -> str:
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError

        web.pages["site.example/"] = f"<p>{PROSE}</p>"
        web.pages["site.example/stuck"] = stuck
        async with web.serving(), web.client() as client:
            await client.fetch(PAGE, via="render")
            assert set() == children(b"--proxy-bypass-list")
            task = asyncio.create_task(client.fetch("http://site.example/stuck", via="render"))
            await asked.wait()
            assert set() != children(b"--proxy-bypass-list")
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert task.cancelled()
            assert set() == children(b"--proxy-bypass-list")

    asyncio.run(main())


@linux
def test_a_read_that_is_cancelled_while_its_browser_starts_leaves_nothing(web: Any) -> None:
    async def main() -> None:
        web.pages["site.example/"] = f"<p>{PROSE}</p>"
        async with web.serving(), web.client() as client:
            task = asyncio.create_task(client.fetch(PAGE, via="render"))
            await asyncio.sleep(0.3)  # somewhere within the start, wherever that is
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(main())

    assert set() == children(b"--proxy-bypass-list")
    assert set() == children(b"run-driver")


@linux
@pytest.mark.parametrize("during", ["site.example/", "site.example/kill"], ids=["navigation", "scripts"])
def test_a_driver_that_dies_fails_its_read_at_once(web: Any, during: str) -> None:
    async def kill(target: str, body: str) -> str:
        for pid in children(b"run-driver"):
            os.kill(pid, signal.SIGKILL)
        return ""

    async def main() -> tuple[list[str], str]:
        unheard: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: unheard.append(context["message"]))
        async with web.serving(), web.client(deadline_s=60.0) as client:
            with pytest.raises(Unreadable) as failure:
                await client.fetch(PAGE, via="render")
        gc.collect()
        return unheard, failure.value.seen

    web.pages["site.example/"] = "<p>Soon gone.</p><script>fetch('/kill')</script>"
    web.pages[during] = kill
    started = time.monotonic()

    assert ([], "browser_crashed") == asyncio.run(main())
    assert 30.0 > time.monotonic() - started
    assert set() == children(b"--proxy-bypass-list")


@linux
def test_a_client_that_is_closed_ends_its_reads_and_their_browsers(web: Any) -> None:
    async def main() -> tuple[bool, set[int]]:
        asked = asyncio.Event()

        async def stuck(target: str, body: str) -> str:
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError

        web.pages["site.example/"] = f"<p>{PROSE}</p><script src=/stuck></script>"
        web.pages["site.example/stuck"] = stuck
        async with web.serving():
            async with web.client() as client:
                reading = asyncio.create_task(client.fetch(PAGE, via="render"))
                await asked.wait()
            left = children(b"--proxy-bypass-list")
            with pytest.raises(AskAgain, match="closed"):
                await reading
            return True, left

    assert (True, set()) == asyncio.run(main())


@linux
def test_a_blocking_client_that_is_closed_ends_its_reads_and_their_browsers(web: Any) -> None:
    from websdk_render import plugin

    asked, failures = threading.Event(), list[BaseException]()

    async def stuck(target: str, body: str) -> str:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    def read(reader: Client) -> None:
        try:
            reader.fetch(PAGE, via="render")
        except BaseException as error:  # whatever leaves the read is what the test looks at
            failures.append(error)

    def blocking() -> set[int]:
        reader = Client(web.settings(), plugins=(plugin,), resolver=web, connector=web)
        reading = threading.Thread(target=read, args=(reader,))
        reading.start()
        asked.wait(30)
        reader.close()
        left = children(b"--proxy-bypass-list")
        reading.join(10)
        return left

    async def main() -> set[int]:
        async with web.serving():
            return await asyncio.to_thread(blocking)

    web.pages["site.example/"] = f"<p>{PROSE}</p><script src=/stuck></script>"
    web.pages["site.example/stuck"] = stuck
    left = asyncio.run(main())

    assert set() == left
    assert [AskAgain] == [type(failure) for failure in failures]


def test_reads_at_once_share_the_places_there_are(web: Any) -> None:
    async def main() -> list[str]:
        async with web.serving(), web.client(browsers=1, deadline_s=90.0) as client:
            pages = await asyncio.gather(*(client.fetch(f"{PAGE}{i}", via="render") for i in range(2)))
            return [page.markdown for page in pages]

    for i in range(2):
        web.pages[f"site.example/{i}"] = f"<p>{PROSE} This is number {i}.</p>"

    assert [True, True] == [f"number {i}" in text for i, text in enumerate(asyncio.run(main()))]


def test_the_blocking_client_renders_too(web: Any) -> None:
    from websdk_render import plugin

    async def main() -> str:
        async with web.serving():
            return await asyncio.to_thread(blocking)

    def blocking() -> str:
        with Client(web.settings(), plugins=(plugin,), resolver=web, connector=web) as reader:
            return reader.fetch(PAGE, via="render").markdown

    web.pages["site.example/"] = f"<p>{PROSE}</p>"

    assert PROSE in asyncio.run(main())


def client(**plugin: Any) -> AsyncClient:
    from websdk_render import plugin as module

    settings = Settings(
        plugins=(), fetch=FetchOptions(render=True, docs_index_discovery=False), plugin={"render": plugin}
    )
    return AsyncClient(settings, plugins=(module,))


def failure_of(made: AsyncClient) -> str:
    async def main() -> str:
        async with made:
            with pytest.raises(ConfigurationError) as failure:
                await made.fetch("http://93.184.215.14/", via="render")
            return str(failure.value)

    return asyncio.run(main())


def test_a_browser_that_is_not_there_is_named_as_what_is_missing() -> None:
    pytest.importorskip("playwright", reason="the package playwright is not installed")

    assert "Chromium does not start" in failure_of(client(executable="/nowhere/chromium"))


@pytest.mark.parametrize("fields", [{"proxy": "http://proxy.corp.example:3128"}])
def test_a_connection_that_a_browser_cannot_use_is_refused_by_name(fields: dict[str, Any]) -> None:
    from websdk_render import plugin as module

    settings = Settings(
        plugins=(),
        fetch=FetchOptions(render=True),
        connections={"pages": ConnectionSettings(**fields)},
    )

    assert "cannot use proxy of the connection pages" in failure_of(AsyncClient(settings, plugins=(module,)))


def test_options_that_do_not_fit_are_all_named() -> None:
    from websdk_render import RenderOptions

    with pytest.raises(SettingsError) as failure:
        RenderOptions.of({"sandbox": "no", "browsers": True, "colour": 1})

    assert (
        "plugin.render.sandbox: not of its kind",
        "plugin.render.browsers: not of its kind",
        "plugin.render.colour: unknown key",
    ) == failure.value.problems
    with pytest.raises(SettingsError, match="browsers is a whole number from 1"):
        RenderOptions.of({"browsers": 0})


def test_the_sandbox_is_on_unless_a_setting_says_otherwise() -> None:
    from websdk_render import RenderOptions

    assert RenderOptions.of({}).sandbox
    assert not RenderOptions.of({"sandbox": False}).sandbox
