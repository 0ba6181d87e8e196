"""Name look-ups that are bounded in time and in number."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

# A look-up that takes longer is lost to a read that has 10 s for look-up, connecting and TLS together.
LOOKUP_TIMEOUT_S = 5.0

# A look-up in a thread cannot be stopped. Threads of our own, and few, keep one dead name server from filling the pool
# that the rest of the program uses.
LOOKUP_THREADS = 8

# More answers than any page needs; an answer set is judged whole, so an endless one is refused instead of cut.
MAX_ANSWERS = 64

Lookup = Callable[[str, int], Sequence[str]]


def system_lookup(host: str, port: int) -> tuple[str, ...]:
    """Return what the operating system says *host* resolves to, in its order of preference. Blocks.

    Raises:
        OSError: The name does not resolve.
    """
    try:
        found: list[Any] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except UnicodeError:  # the host codec's word for an empty or overlong label
        raise OSError("the host is no name that could be looked up") from None
    return tuple(dict.fromkeys(entry[4][0] for entry in found))


class _Job:
    """One look-up that waits for, or runs in, a thread."""

    def __init__(self, lookup: Lookup, host: str, port: int) -> None:
        self._lookup, self._host, self._port = lookup, host, port
        self._loop = asyncio.get_running_loop()
        self.done: asyncio.Future[Sequence[str]] = self._loop.create_future()

    def run(self) -> None:
        if self.done.cancelled():  # nobody waits any more
            return
        try:
            self._tell(self.done.set_result, self._lookup(self._host, self._port))
        except OSError as exc:
            self._tell(self.done.set_exception, exc)
        except Exception:  # a look-up handed in; its failure belongs to the one who waits, not to this thread
            self._tell(self.done.set_exception, OSError("the look-up failed"))

    def _tell(self, settle: Callable[[Any], None], outcome: Any) -> None:
        with suppress(RuntimeError):  # the loop has ended, and with it the one who asked
            self._loop.call_soon_threadsafe(self._settle, settle, outcome)

    def _settle(self, settle: Callable[[Any], None], outcome: Any) -> None:
        if not self.done.done():
            settle(outcome)


class SystemResolver:
    """Asks the operating system, from a few daemon threads of its own.

    Args:
        timeout_s: Seconds after which a look-up counts as failed; its thread may go on.
        threads: Look-ups that run at once; others wait, within their own time.
        lookup: What a thread calls; blocks and returns literal addresses.
    """

    def __init__(
        self, *, timeout_s: float = LOOKUP_TIMEOUT_S, threads: int = LOOKUP_THREADS, lookup: Lookup = system_lookup
    ) -> None:
        self._timeout_s = timeout_s
        self._threads = threads
        self._lookup = lookup
        self._start_afresh()

    def _start_afresh(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._waiting: deque[_Job] = deque()
        self._running = 0

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return literal addresses of *host*, best first.

        Raises:
            OSError: The name does not resolve, or not in time (then a :class:`TimeoutError`).
        """
        job = _Job(self._lookup, host, port)
        self._submit(job)
        try:
            async with asyncio.timeout(self._timeout_s):
                answers = await job.done
        except TimeoutError:
            raise TimeoutError("the look-up did not end in time") from None
        finally:
            job.done.cancel()
        if len(answers) > MAX_ANSWERS:
            raise OSError(f"the look-up brought more than {MAX_ANSWERS} addresses")
        return answers

    def _submit(self, job: _Job) -> None:
        if self._pid != os.getpid():  # threads do not survive a fork, and its lock may never be released again
            self._start_afresh()
        with self._lock:
            self._waiting.append(job)
            if self._running == self._threads:
                return
            self._running += 1
        threading.Thread(target=self._work, name="websdk-resolver", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    return
                job = self._waiting.popleft()
            job.run()
