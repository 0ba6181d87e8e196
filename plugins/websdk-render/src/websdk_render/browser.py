"""One browser for one read: started, watched, and ended whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING

import attrs

from websdk import ConfigurationError
from websdk_render.options import RenderOptions

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

START_S = 20.0  # warm it takes one to two seconds; a busy machine or a cold disk needs more
CLOSE_S = 2.0  # a browser that does not close by then is killed

FLAGS = (
    # Loopback too goes through the proxy: by default a browser would talk to this machine directly.
    "--proxy-bypass-list=<-loopback>",
    # No name is looked up by the browser, whether for a page, ahead of need, or for a proxy that a script names.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    # What would go past an HTTP proxy: HTTP/3, and media over UDP.
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Nothing of the browser's own.
    "--no-pings",
    "--disable-domain-reliability",
    "--disable-breakpad",
    "--disable-speech-api",
    "--disable-file-system",
    "--mute-audio",
    # Pictures are not read, and are most of what a page weighs.
    "--blink-settings=imagesEnabled=false",
    # A script that hoards memory ends its own page before the machine.
    "--js-flags=--max-old-space-size=512",
)
# The environment of this process may hold keys, and a browser runs strangers' code.
_KEPT_VARIABLES = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "FONTCONFIG_PATH",
)


@attrs.frozen(kw_only=True)
class Running:
    """A browser that runs.

    Attributes:
        browser: The browser.
        playwright: What drives it.
        pid: Process id of the browser.
    """

    browser: Browser
    playwright: Playwright
    pid: int

    async def end(self) -> None:
        """Close the browser, or kill it where it does not close."""
        try:
            async with asyncio.timeout(CLOSE_S):
                await self.browser.close()
        except Exception:  # whatever ails it, this is the end of it
            self.kill()
        finally:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await self.playwright.stop()

    @contextlib.contextmanager
    def watched(self, tell: Callable[[], None]) -> Iterator[None]:
        """Call *tell* when the browser ends within the block.

        The process itself is watched too where the system can do that: a driver that dies takes its browser along and
        tells nobody.
        """
        self.browser.on("disconnected", lambda _: tell())
        handle = self._handle()
        if handle is None:
            yield
            return
        loop = asyncio.get_running_loop()

        def ended() -> None:
            loop.remove_reader(handle)
            tell()

        loop.add_reader(handle, ended)
        try:
            yield
        finally:
            loop.remove_reader(handle)
            os.close(handle)

    def _handle(self) -> int | None:
        if sys.platform != "linux":
            return None
        try:
            return os.pidfd_open(self.pid)
        except OSError:
            return None

    def kill(self) -> None:
        """End the process at once."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


@contextlib.asynccontextmanager
async def running(options: RenderOptions, *, proxy_port: int) -> AsyncIterator[Running]:
    """Start a browser whose only way out is the proxy on loopback, and end it with the block.

    Raises:
        ConfigurationError: There is no browser, or it does not start.
    """
    home = await asyncio.to_thread(tempfile.mkdtemp, prefix="websdk-render-")
    try:
        starting = asyncio.ensure_future(_start(options, proxy_port=proxy_port, home=home))
        try:
            async with asyncio.timeout(START_S):
                started = await asyncio.shield(starting)
        except BaseException as exc:
            await _abandon(starting)
            if isinstance(exc, TimeoutError):
                raise ConfigurationError(f"Chromium did not start within {START_S:g} s") from None
            raise
        try:
            yield started
        except BaseException:
            started.kill()  # a page that failed or ran late has no claim on an orderly end
            raise
        finally:
            await started.end()
    finally:
        await asyncio.to_thread(shutil.rmtree, home, ignore_errors=True)


async def _abandon(starting: asyncio.Future[Running]) -> None:
    """End a browser that is still being started; cancelling half-way would leave its process behind."""
    await asyncio.wait({starting}, timeout=CLOSE_S)
    if not starting.done():
        starting.cancel()
    elif not starting.cancelled() and starting.exception() is None:
        await starting.result().end()


async def _start(options: RenderOptions, *, proxy_port: int, home: str) -> Running:
    try:
        from playwright.async_api import Error, async_playwright
    except ImportError:
        raise ConfigurationError("the render rung needs the package playwright") from None

    playwright = await async_playwright().start()
    try:
        browser = await playwright.chromium.launch(
            executable_path=options.browser_path(),
            headless=True,
            chromium_sandbox=options.sandbox,
            args=list(FLAGS),
            proxy={"server": f"http://127.0.0.1:{proxy_port}", "bypass": "<-loopback>"},
            env={**{name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}, "HOME": home},
            timeout=START_S * 1000,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
        session = await browser.new_browser_cdp_session()
        processes = await session.send("SystemInfo.getProcessInfo")
        pid = next(process["id"] for process in processes["processInfo"] if process["type"] == "browser")
    except BaseException as exc:
        await playwright.stop()
        if isinstance(exc, Error):
            raise ConfigurationError(_advice(options)) from exc
        raise
    return Running(browser=browser, playwright=playwright, pid=pid)


def _advice(options: RenderOptions) -> str:
    if options.browser_path() is None:
        return "no Chromium was found: install one, or name it as plugin.render.executable"
    if options.sandbox:
        return (
            "Chromium does not start; where its sandbox cannot work (as root, say), set plugin.render.sandbox = false"
        )
    return "Chromium does not start; run it by hand to see why"
