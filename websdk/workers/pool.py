"""Extraction off the event loop, under a deadline that can kill."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import attrs

from websdk.errors import DeadlineExceeded, FetchError, PluginError, Unreadable
from websdk.model.document import Document
from websdk.protocols import Extractor
from websdk.reading.options import ReadingOptions
from websdk.workers import pdf
from websdk.workers.child import CannotStart, Child, Gone
from websdk.workers.jobs import NO_WORKER, WORKER_DIED, Job, extractor_name, is_spent, perform
from websdk.workers.options import WorkerOptions

# Python runs one thread at a time, so more would not be faster; the second keeps a slow page from holding up a quick
# one.
_THREADS = 2
# Where no child can be killed, a page may cost less: these are a tenth of the ordinary bounds.
_UNKILLABLE_ELEMENTS = 20_000
_UNKILLABLE_GUIDED_ELEMENTS = 5_000


class ExtractionPool:
    """Reads pages in child processes, a few at a time.

    Children start with the first page that needs one, do one job at a time, are killed at its deadline, and end
    themselves when idle. A page that takes its child down fails alone. The pool belongs to no event loop: it may be
    used from several in turn, from several threads, and after a fork.

    Args:
        options: How many children, how large a page must be to get one, and their bounds.
        extractors: Readers of further kinds of content, beside that of PDF files where the extra ``pdf`` is installed.
            Each class must be importable by name and made without arguments, because the work is done in a child.

    Raises:
        PluginError: An extractor's class cannot be used by a child.
    """

    def __init__(self, options: WorkerOptions | None = None, *, extractors: Sequence[Extractor] = ()) -> None:
        self._options = options or WorkerOptions()
        self._extractors = _by_media_type(extractors)
        self._crew: _Crew | None = None
        self._at_last: weakref.finalize[..., ExtractionPool] | None = None
        self._opening = threading.Lock()

    @property
    def blocker(self) -> str | None:
        """Why pages are read inside this process although a child was wanted; ``None`` while there is no such reason.

        Known after the first page that wanted a child, or after :meth:`probe`.
        """
        if not self._options.isolate:
            return "child processes are switched off"
        crew = self._crew
        return crew.blocker if crew is not None and crew.pid == os.getpid() else None

    async def probe(self) -> str | None:
        """Start a child where none runs, and return :attr:`blocker`."""
        if self._options.isolate:
            crew = self._current()
            await asyncio.wrap_future(crew.children.submit(crew.probe))
        return self.blocker

    async def extract(
        self,
        body: bytes,
        *,
        url: str,
        content_type: str | None = None,
        options: ReadingOptions | None = None,
        deadline_s: float,
    ) -> Document:
        """Make a document of a page's bytes.

        Args:
            body: The bytes, content codings undone.
            url: Address that served them, for links.
            content_type: Label they came with.
            options: Choices and bounds of the reading.
            deadline_s: Seconds that waiting for a worker and reading may take together.

        Raises:
            Unreadable: There is nothing to read, or the page took its reader down; ``seen`` says which.
            TooLarge: The page passes a bound.
            DeadlineExceeded: The time ran out; the work was stopped.
        """
        extractor = self._extractor_for(body, content_type)
        job = Job(
            url=url,
            content_type=content_type,
            options=options or ReadingOptions(),
            extractor=extractor[0] if extractor else None,
            memory_bytes=min(extractor[1] if extractor else self._options.memory_bytes, self._options.memory_bytes),
            deadline_s=deadline_s,
        )
        crew = self._current()
        ticket = _Ticket()
        if self._options.isolate and (extractor is not None or len(body) >= self._options.in_process_bytes):
            work = crew.children.submit(crew.isolated, ticket, job, body)
        else:
            work = crew.threads.submit(crew.in_process, job, body)
        try:
            async with asyncio.timeout(deadline_s) as scope:
                return await asyncio.wrap_future(work)
        except TimeoutError as exc:
            if not scope.expired():
                raise
            raise DeadlineExceeded("reading the page took longer than was left", deadline_s=deadline_s) from exc
        finally:
            ticket.abandon()

    async def aclose(self) -> None:
        """End every child. The pool may be used again and then starts anew."""
        with self._opening:
            crew, self._crew = self._crew, None
            self._let_go()
        if crew is not None:
            await asyncio.to_thread(crew.close)

    def _current(self) -> _Crew:
        crew = self._crew
        if crew is not None and crew.pid == os.getpid():
            return crew
        if crew is not None:  # this process was forked: the lock may be held by a thread that is not here
            crew.forget()
            self._let_go()
            self._crew, self._opening = None, threading.Lock()
        with self._opening:
            if self._crew is None:
                self._crew = _Crew(self._options)
                self._at_last = weakref.finalize(self, self._crew.close)
            return self._crew

    def _let_go(self) -> None:
        """Take back the promise to end a crew that is ended otherwise."""
        if self._at_last is not None:
            self._at_last.detach()
            self._at_last = None

    def _extractor_for(self, body: bytes, content_type: str | None) -> tuple[str, int] | None:
        if not self._extractors:
            return None
        from websdk.reading.sniff import sniff

        return self._extractors.get(sniff(body, content_type).media_type)


def _by_media_type(extractors: Sequence[Extractor]) -> dict[str, tuple[str, int]]:
    table: dict[str, tuple[str, int]] = {}
    for extractor in extractors:
        try:
            name = extractor_name(extractor)
        except TypeError as exc:
            raise PluginError(str(exc)) from exc
        ceiling = getattr(extractor, "memory_bytes", WorkerOptions().memory_bytes)
        for media_type in extractor.media_types:
            if media_type in table:
                raise PluginError(f"{table[media_type][0]} and {name} both read {media_type}")
            table[media_type] = (name, ceiling)
    for extractor in pdf.available():
        for media_type in extractor.media_types:
            table.setdefault(media_type, (extractor_name(extractor), extractor.memory_bytes))
    return table


class _Ticket:
    """Ties a waiting caller to the child that works for it, so that giving up kills this child and no other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: Child | None = None
        self.abandoned = False

    def hold(self, child: Child | None) -> None:
        """Name the child that works from now on; a child given to an abandoned ticket is killed."""
        with self._lock:
            self._child = child
            if self.abandoned and child is not None:
                child.kill()

    def abandon(self) -> None:
        """Stop whatever still works for this ticket."""
        with self._lock:
            self.abandoned = True
            if self._child is not None:
                self._child.kill()


class _Crew:
    """The children and threads of one process."""

    def __init__(self, options: WorkerOptions) -> None:
        self.pid = os.getpid()
        self.children = ThreadPoolExecutor(options.children, thread_name_prefix="websdk-worker")
        self.threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="websdk-reader")
        self.blocker: str | None = None
        self._blocked_at = 0.0
        self._options = options
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._all: set[Child] = set()
        self._closed = False

    def in_process(self, job: Job, body: bytes) -> Document:
        """Read in this thread."""
        return perform(job, body)

    def isolated(self, ticket: _Ticket, job: Job, body: bytes) -> Document:
        """Read in a child; where none can be started, in this thread under tighter bounds."""
        try:
            outcome = self._in_child(ticket, job, body)
        except CannotStart:
            if ticket.abandoned:
                raise
            return _unkillable(job, body)
        except Gone as exc:
            raise Unreadable("the page took down the process that read it", seen=WORKER_DIED) from exc
        if isinstance(outcome, FetchError):
            raise outcome
        return outcome

    def probe(self) -> None:
        """Find out whether a child can be started."""
        ticket = _Ticket()
        try:
            child = self._take(ticket) or self._start(ticket)
        except CannotStart:
            return
        self._give_back(ticket, child)

    def close(self) -> None:
        """End every child; what still waits for one fails."""
        if self.pid != os.getpid():
            return
        with self._lock:
            self._closed = True
            children = tuple(self._all)
        # Nothing is joined, because this also runs as a finalizer, on whatever thread drops the last reference.
        self.children.shutdown(wait=False, cancel_futures=True)
        self.threads.shutdown(wait=False, cancel_futures=True)
        for child in children:
            child.close()

    def forget(self) -> None:
        """Let go of what belongs to the process this one was forked from."""
        for child in self._all:
            child.forget()

    def _in_child(self, ticket: _Ticket, job: Job, body: bytes) -> Document | FetchError:
        while True:
            rested = self._take(ticket)
            child = rested or self._start(ticket)
            try:
                outcome = child.run(job, body)
            except Gone as exc:
                self._discard(ticket, child)
                if rested is not None and exc.was_idle and not ticket.abandoned:
                    continue  # it ended itself for want of work at the very moment that work came
                raise
            if is_spent(outcome):
                self._discard(ticket, child)
            else:
                self._give_back(ticket, child)
            return outcome

    def _take(self, ticket: _Ticket) -> Child | None:
        with self._lock:
            child = self._idle.pop() if self._idle else None
        if child is None:
            return None
        ticket.hold(child)
        if child.is_alive:
            return child
        self._discard(ticket, child)
        return self._take(ticket)

    def _start(self, ticket: _Ticket) -> Child:
        if self.blocker is not None and monotonic() - self._blocked_at < self._options.retry_start_s:
            raise CannotStart(self.blocker)
        child: Child | None = None
        try:
            child = Child.start(idle_s=self._options.idle_s)
            with self._lock:
                self._all.add(child)
                closed = self._closed
            ticket.hold(child)
            if closed:
                raise CannotStart("the pool is closed")
            child.wait_ready(timeout_s=self._options.start_s)
        except CannotStart as exc:
            if child is not None:
                self._discard(ticket, child)
            if not ticket.abandoned and not self._closed:
                self.blocker, self._blocked_at = str(exc), monotonic()
            raise
        self.blocker = None
        return child

    def _give_back(self, ticket: _Ticket, child: Child) -> None:
        ticket.hold(None)
        stale = monotonic() - self._options.idle_s
        with self._lock:
            old = [other for other in self._idle if other.idle_since < stale]
            self._idle = [other for other in self._idle if other not in old]
            self._idle.append(child)
        for other in old:
            self._discard(_Ticket(), other)

    def _discard(self, ticket: _Ticket, child: Child) -> None:
        ticket.hold(None)
        child.close()
        with self._lock:
            self._all.discard(child)


def _unkillable(job: Job, body: bytes) -> Document:
    if job.extractor is not None:
        raise Unreadable(
            "this kind of content is read in a child process only, and none can be started", seen=NO_WORKER
        )
    options = attrs.evolve(
        job.options,
        max_elements=min(job.options.max_elements, _UNKILLABLE_ELEMENTS),
        max_guided_elements=min(job.options.max_guided_elements, _UNKILLABLE_GUIDED_ELEMENTS),
    )
    return perform(attrs.evolve(job, options=options), body)
