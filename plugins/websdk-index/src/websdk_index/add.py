"""Bring the index up to date with a folder, a file, or pages of the web."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import attrs

from websdk.errors import (
    DeadlineExceeded,
    FetchError,
    InvalidRequest,
    NotFound,
    ProviderError,
    Redirected,
    Refused,
)
from websdk.model import Document
from websdk.model.places import language_tag
from websdk.model.urls import host_of, parse, serialise, without_credentials
from websdk_index.address import checked_base, readable
from websdk_index.bounds import BATCH_BYTES, BATCH_FILES, FETCHES_AT_ONCE, MAX_FILE_BYTES, MAX_FILES, SETTLED_NS
from websdk_index.database import writing
from websdk_index.folder import FileRefused, FoundFile, list_pages, load
from websdk_index.page import Page, ReadPage, make_page, read_file
from websdk_index.report import Report
from websdk_index.store import Known, Stamp, Store

Progress = Callable[[int, int], None]
"""Called with the number of files that are done and of all files that are looked at."""
FetchPage = Callable[[str], Awaitable[Document]]
"""Reads one page of the web, whole."""
T = TypeVar("T")
P = ParamSpec("P")


def _silent(done: int, total: int) -> None:
    """Report progress to nobody."""


@attrs.frozen(kw_only=True)
class AddOptions:
    """How pages are taken in.

    Attributes:
        language: BCP 47 tag of pages that state no language; ``None`` leaves them without one.
        max_file_bytes: Bytes up to which a file is taken.
        max_files: Files up to which a folder is taken.
        batch_files: Files that are read and written together.
    """

    language: str | None = None
    max_file_bytes: int = MAX_FILE_BYTES
    max_files: int = MAX_FILES
    batch_files: int = BATCH_FILES

    def __attrs_post_init__(self) -> None:
        if self.language is not None and language_tag(self.language) is None:
            raise InvalidRequest("language is a BCP 47 tag such as de, pt-BR or zh-Hans")


@attrs.frozen(kw_only=True)
class _Taken:
    """A file that was looked at: a new version, or proof that it is the known one."""

    page: Page | None
    stamp: Stamp


async def add_path(
    index: Path,
    target: Path,
    *,
    base_url: str | None = None,
    read: ReadPage,
    options: AddOptions = AddOptions(),
    progress: Progress = _silent,
) -> Report:
    """Make the index hold exactly the pages of a folder, or of one file.

    Files whose size and time are those of the last run are not opened; files whose bytes are the same are not read
    again; pages of files that are gone are removed. A run that is stopped leaves a valid index, and the next one
    finishes the work.

    Args:
        index: The index file; made where there is none.
        target: A folder or a file.
        base_url: Address of the folder; a file's address is this and its path. Without one, each page is asked for its
            canonical link.
        read: The page reader.
        options: How pages are taken in.
        progress: Told how far the run is.

    Returns:
        What became of every file.

    Raises:
        Refused: The folder cannot be listed or is too large, the base address is none, or another process is writing.
        ConfigurationError: The index file cannot be used.
        Unavailable: The index cannot be written now.
    """
    base = None if base_url is None else checked_base(base_url)
    root_path = Path(await asyncio.to_thread(os.path.realpath, target))
    listing = await asyncio.to_thread(list_pages, root_path, max_files=options.max_files)
    async with _opened(index) as (store, desk):
        root = await desk.run(store.root, "path", os.fsencode(root_path).decode("utf-8", "backslashreplace"))
        known = await desk.run(store.known, root)
        report = Report()
        report.skipped.update(listing.skipped)
        for folder, reason in listing.closed:
            report.refuse(readable(folder), reason)
        run = _Run(store=store, desk=desk, root=root, known=known, base=base, read=read, options=options, report=report)
        await run.take(listing.files, progress)
        # The pages of a folder that could not be looked into are neither there nor gone.
        closed = tuple(folder + "/" for folder, _ in listing.closed)
        await run.forget(name for name in known if name not in run.kept and not name.startswith(closed))
        await desk.run(store.finish, root, datetime.now(UTC).isoformat(timespec="seconds"))
    return report


async def add_urls(
    index: Path,
    urls: Sequence[str],
    *,
    fetch: FetchPage,
    options: AddOptions = AddOptions(),
    progress: Progress = _silent,
) -> Report:
    """Add pages of the web, or bring them up to date; a page that its origin no longer has is removed.

    Args:
        index: The index file; made where there is none.
        urls: Addresses.
        fetch: Reads one page, whole.
        options: How pages are taken in.
        progress: Told how far the run is.

    Returns:
        What became of every page.

    Raises:
        Refused: Another process is writing.
        ConfigurationError: The index file cannot be used, or pages cannot be read at all.
        Unavailable: The index cannot be written now.
    """
    addresses = tuple(dict.fromkeys(serialise(url) or url for url in urls))
    report = Report()
    async with _opened(index) as (store, desk):
        root = await desk.run(store.root, "web", "")
        known = await desk.run(store.known, root)
        for batch in _batches(addresses, FETCHES_AT_ONCE):
            taken = await _together(_fetched(url, fetch, options) for url in batch)
            removed = [known[url].id for url, page in zip(batch, taken, strict=True) if page is None and url in known]
            pages = []
            for url, page in zip(batch, taken, strict=True):
                if isinstance(page, str):
                    report.refuse(without_credentials(url) or url, page)
                elif page is None:
                    report.refuse(url, "is not there")
                else:
                    pages.append((page, _web_stamp(page)))
                    report.updated += url in known
                    report.added += url not in known
            report.removed += len(removed)
            await desk.run(store.write, root, pages=pages, removed=removed)
            progress(report.added + report.updated + report.refused, len(addresses))
        await desk.run(store.finish, root, datetime.now(UTC).isoformat(timespec="seconds"))
    return report


async def _fetched(url: str, fetch: FetchPage, options: AddOptions) -> Page | str | None:
    """Return the page, why it is refused, or ``None`` where its origin says that there is no such page."""
    parsed = parse(url)
    if parsed is None or parsed.has_credentials:
        return "is no http(s) address without credentials"
    try:
        document = await fetch(url)
        return make_page(document, name=url, url=url, from_base=False, file_day=None, language=options.language)
    except NotFound:
        return None
    except Redirected as exc:
        host = host_of(exc.destination) if exc.destination else None
        return f"has moved{f' to {host}' if host else ''}: add its new address"
    except (FetchError, ProviderError, Refused, DeadlineExceeded, FileRefused) as exc:
        return f"cannot be read: {exc}"


def _web_stamp(page: Page) -> Stamp:
    body = page.body.encode()
    return Stamp(size=len(body), mtime_ns=0, read_ns=time.time_ns(), digest=_digest(body))


class _Desk:
    """Runs the writer's work on one thread of its own, in order, whatever is cancelled meanwhile."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="websdk-index")

    def submit(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have *work* run after everything that was handed in before it."""
        return self._thread.submit(partial(work, *args, **kwargs))

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run *work* after everything that was handed in before it."""
        return await asyncio.wrap_future(self.submit(work, *args, **kwargs))

    async def close(self, last: Callable[[], object]) -> None:
        """Run *last* after everything else, also where nobody waits for it."""
        ending = self.submit(last)
        self._thread.shutdown(wait=False)
        await asyncio.shield(asyncio.wrap_future(ending))


@asynccontextmanager
async def _opened(index: Path) -> AsyncIterator[tuple[Store, _Desk]]:
    desk = _Desk()
    manager = writing(index)
    opening = desk.submit(manager.__enter__)
    try:
        yield Store(await asyncio.wrap_future(opening), index), desk
    finally:
        await desk.close(partial(_leave, manager, opening))


def _leave(manager: AbstractContextManager[object], opening: Future[sqlite3.Connection]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        manager.__exit__(None, None, None)


async def _together(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run *work* at once; where one part fails or the wait is cancelled, no part goes on."""
    tasks = [asyncio.create_task(part) for part in work]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


@attrs.define(kw_only=True)
class _Run:
    """One run over the files of a root."""

    store: Store
    desk: _Desk
    root: int
    known: dict[str, Known]
    base: str | None
    read: ReadPage
    options: AddOptions
    report: Report
    kept: set[str] = attrs.field(factory=set)

    async def take(self, files: Sequence[FoundFile], progress: Progress) -> None:
        """Read what changed, batch by batch; each batch is written while the next is read."""
        changed = [file for file in files if not self._is_settled(file)]
        self.report.unchanged = len(files) - len(changed)
        done = self.report.unchanged
        progress(done, len(files))
        writer: asyncio.Task[None] | None = None
        try:
            for batch in _batches(changed, self.options.batch_files, weigh=lambda file: file.size):
                taken = await _together(map(self._taken, batch))
                if writer is not None:
                    await writer
                    progress(done, len(files))
                writer = asyncio.create_task(self._write(batch, taken))
                done += len(batch)
        finally:
            if writer is not None:
                await writer
        progress(done, len(files))

    async def forget(self, names: Iterable[str]) -> None:
        """Remove pages, batch by batch."""
        for batch in _batches([self.known[name].id for name in names], self.options.batch_files):
            await self.desk.run(self.store.write, self.root, removed=batch)
            self.report.removed += len(batch)

    def _is_settled(self, file: FoundFile) -> bool:
        """Tell whether the known page is this file's for sure, without opening it."""
        known = self._same_address(file)
        if known is None or (known.stamp.size, known.stamp.mtime_ns) != (file.size, file.mtime_ns):
            return False
        settled = file.mtime_ns < known.stamp.read_ns - SETTLED_NS
        if settled:
            self.kept.add(file.name)
        return settled

    def _same_address(self, file: FoundFile) -> Known | None:
        """Return the known page of a file if it was taken in under the same base address and language."""
        known = self.known.get(file.name)
        if known is None or known.stated_language != self.options.language:
            return None
        same = not known.from_base if self.base is None else known.from_base and known.url == self.base + file.name
        return known if same else None

    async def _taken(self, found: FoundFile) -> _Taken | FileRefused:
        try:
            read_ns = time.time_ns()
            body, file = await asyncio.to_thread(load, found, max_bytes=self.options.max_file_bytes)
            digest = _digest(body)
            stamp = Stamp(size=file.size, mtime_ns=file.mtime_ns, read_ns=read_ns, digest=digest)
            known = self._same_address(file)
            if known is not None and known.stamp.digest == digest and self._same_day(known, file):
                return _Taken(page=None, stamp=stamp)
            page = await read_file(body, file, base=self.base, language=self.options.language, read=self.read)
            return _Taken(page=page, stamp=stamp)
        except FileRefused as exc:
            return exc

    def _same_day(self, known: Known, file: FoundFile) -> bool:
        """Tell whether the page keeps its date: one that the file dates is dated anew when the file's time changes."""
        return known.published_by != "file" or known.stamp.mtime_ns == file.mtime_ns

    async def _write(self, batch: Sequence[FoundFile], taken: Sequence[_Taken | FileRefused]) -> None:
        pages, touched = [], []
        for file, outcome in zip(batch, taken, strict=True):
            if isinstance(outcome, FileRefused):
                self.report.refuse(readable(file.name), outcome.reason)
                continue
            self.kept.add(file.name)
            if outcome.page is None:
                touched.append((self.known[file.name].id, outcome.stamp))
            else:
                pages.append((outcome.page, outcome.stamp))
        await self.desk.run(self.store.write, self.root, pages=pages, touched=touched)
        updated = sum(1 for page, _ in pages if page.name in self.known)
        self.report.updated += updated
        self.report.added += len(pages) - updated
        self.report.unchanged += len(touched)


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=16).digest()


def _batches(items: Sequence[T], count: int, *, weigh: Callable[[T], int] = lambda item: 0) -> Iterator[list[T]]:
    """Divide *items* into batches of at most *count*, and of at most 8 MiB where they have a weight."""
    batch: list[T] = []
    weight = 0
    for item in items:
        if batch and (len(batch) == count or weight + weigh(item) > BATCH_BYTES):
            yield batch
            batch, weight = [], 0
        batch.append(item)
        weight += weigh(item)
    if batch:
        yield batch
