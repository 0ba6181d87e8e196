"""The index file: its tables, and how it is opened to read and to write."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from websdk.errors import ConfigurationError, Refused, Unavailable
from websdk_index.bounds import BUSY_S, BUSY_STEP_S, CACHE_KIB, IDLE_READERS, WAL_BYTES, WAL_PAGES

APPLICATION_ID = 0x77736478  # "wsdx" in the header of the file, so that a foreign database is told apart
SCHEMA = 1
PROVIDER = "index"

# A page has a row of the same id in `pages`, `origins`, `texts` and `words`. `pages` is narrow, because a filter looks
# at a row of it for each match; 100,000 rows fit in the cache of a connection. `words` keeps no copy of its texts,
# which lets what is indexed differ from what is stored (see words.spread). `hosts.reversed` is com.example.docs. for
# docs.example.com, so that a domain and its subdomains are one range.
_TABLES = """
CREATE TABLE roots (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  location TEXT NOT NULL,
  changed TEXT,
  UNIQUE (kind, location)
);
CREATE TABLE hosts (
  id INTEGER PRIMARY KEY,
  reversed TEXT NOT NULL UNIQUE
);
CREATE TABLE pages (
  id INTEGER PRIMARY KEY,
  host INTEGER NOT NULL REFERENCES hosts (id),
  day INTEGER,
  language TEXT
);
CREATE TABLE origins (
  id INTEGER PRIMARY KEY,
  root INTEGER NOT NULL REFERENCES roots (id),
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  published TEXT,
  published_by TEXT,
  from_base INTEGER NOT NULL,
  stated_language TEXT,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  read_ns INTEGER NOT NULL,
  digest BLOB NOT NULL,
  UNIQUE (root, name)
);
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5(
  title, body, content='', tokenize='porter unicode61 remove_diacritics 2'
);
"""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_NO_SIDE_FILES = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})


@contextmanager
def translated(file: Path) -> Iterator[None]:
    """Turn failures of SQLite into failures of this library.

    Raises:
        ConfigurationError: The file is damaged, is no database, or this Python lacks full-text search.
        Unavailable: The file cannot be read or written now.
    """
    try:
        yield
    except sqlite3.DatabaseError as exc:
        code = getattr(exc, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGED:
            raise ConfigurationError(
                f"{file.name} is damaged or no index: move the file away and run `websdk index add` again"
            ) from exc
        if "fts5" in str(exc):
            raise ConfigurationError("the SQLite of this Python lacks FTS5, which the index needs") from exc
        why = "is locked by another process" if code in _BUSY else "cannot be used now"
        raise Unavailable(f"{file.name} {why}: {_plain(exc)}", provider=PROVIDER, sent=False) from exc


def _plain(exc: sqlite3.Error) -> str:
    return str(getattr(exc, "sqlite_errorname", None) or type(exc).__name__)


@contextmanager
def reading(file: Path) -> Iterator[sqlite3.Connection]:
    """Open the index to read, in one unchanging view of it; nothing is created.

    Raises:
        ConfigurationError: There is no index at *file*, or it cannot be used.
        Unavailable: It cannot be read now.
    """
    if not file.is_file():
        raise _missing(file)
    with translated(file):
        connection, _ = _open_to_read(file)
        with closing(connection):
            yield connection


class Readers:
    """Connections that serve one search after another, each in a view of its own.

    The first reader of a file whose writer was stopped goes through its whole log, so that a connection for each search
    would cost more than the search. A connection is used by one thread at a time, left behind by a fork, and given up
    where the file was replaced.

    Args:
        file: The index file.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._guard = threading.Lock()
        self._idle: list[tuple[tuple[int, int, int], sqlite3.Connection]] = []
        weakref.finalize(self, _close_all, self._idle)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read as :func:`reading` does.

        Raises:
            ConfigurationError: There is no index, or it cannot be used.
            Unavailable: It cannot be read now.
        """
        with translated(self._file):
            identity = self._identity()
            connection, may_stay = self._take(identity)
            try:
                yield connection
            except BaseException:
                # It may have been stopped in the middle; what it is in is not worth finding out.
                connection.close()
                raise
            connection.set_progress_handler(None, 0)
            connection.execute("ROLLBACK")
            self._give_back(identity, connection, may_stay)

    def _identity(self) -> tuple[int, int, int]:
        try:
            found = self._file.stat()
        except OSError:
            raise _missing(self._file) from None
        return os.getpid(), found.st_dev, found.st_ino

    def _take(self, identity: tuple[int, int, int]) -> tuple[sqlite3.Connection, bool]:
        with self._guard:
            kept = [item for item in self._idle if item[0] == identity]
            # Those of another file are closed; those of a parent process are not touched, for they share its locks.
            old = [item for item in self._idle if item[0] != identity and item[0][0] == identity[0]]
            connection = kept.pop()[1] if kept else None
            self._idle[:] = [item for item in kept if item not in old]
        _close_all(old)
        if connection is None:
            return _open_to_read(self._file)
        return _view(connection, self._file), True

    def _give_back(self, identity: tuple[int, int, int], connection: sqlite3.Connection, may_stay: bool) -> None:
        with self._guard:
            if may_stay and len(self._idle) < IDLE_READERS:
                self._idle.append((identity, connection))
                return
        connection.close()


def _close_all(idle: list[tuple[tuple[int, int, int], sqlite3.Connection]]) -> None:
    for (pid, _, _), connection in idle:
        if pid == os.getpid():
            connection.close()


def _missing(file: Path) -> ConfigurationError:
    return ConfigurationError(
        f"there is no index at {file}: add pages with `websdk index add PATH --base-url URL`, "
        "or name the file with --index or the setting plugin.index.file"
    )


def _open_to_read(file: Path) -> tuple[sqlite3.Connection, bool]:
    """Return a connection in a view of the index, and whether it sees what is written later."""
    uri = file.resolve().as_uri()
    try:
        return _view(_connect(f"{uri}?mode=ro", uri=True), file), True
    except sqlite3.OperationalError as exc:
        # In a folder where nothing may be created, SQLite cannot open the side files of its log. Where there is no log,
        # nobody is writing, and the file alone is the whole index.
        if exc.sqlite_errorcode & 0xFF not in _NO_SIDE_FILES or _side_file(file, "-wal").exists():
            raise
        return _view(_connect(f"{uri}?mode=ro&immutable=1", uri=True), file), False


def _view(connection: sqlite3.Connection, file: Path) -> sqlite3.Connection:
    try:
        connection.execute("BEGIN")
        if _is_blank(connection):
            raise _missing(file)
        _check(connection, file)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(name: str, *, uri: bool = False) -> sqlite3.Connection:
    # The connection moves between threads, one at a time; transactions are begun and ended by name.
    return sqlite3.connect(name, uri=uri, timeout=BUSY_S, isolation_level=None, check_same_thread=False)


def _is_blank(connection: sqlite3.Connection) -> bool:
    """Tell whether nobody has written to the file, or somebody was stopped before the first table stood."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    return bool(tables == 0 and application == 0)


def _check(connection: sqlite3.Connection, file: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise ConfigurationError(
            f"{file.name} is no index of websdk: name another file, or move this one away and add the pages again"
        )
    if schema != SCHEMA:
        raise ConfigurationError(
            f"{file.name} was written in layout {schema}, and this version reads {SCHEMA}: "
            "move the file away and add the pages again"
        )


@contextmanager
def writing(file: Path) -> Iterator[sqlite3.Connection]:
    """Open the index to write, creating it where there is none. One writer at a time; readers go on.

    Raises:
        ConfigurationError: *file* is something else, damaged, or cannot be created.
        Refused: Another process is writing to it.
        Unavailable: It cannot be written now.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Private pages stay private: SQLite gives its side files the mode of the file itself.
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as exc:
        raise ConfigurationError(f"the index file {file} cannot be created: {exc.strerror}") from None
    with translated(file), _only_writer(file), closing(_connect(str(file))) as connection:
        _patiently(lambda: _prepare(connection, file))
        yield connection


@contextmanager
def _only_writer(file: Path) -> Iterator[None]:
    """Hold the writer's lock: one that the operating system takes back when its holder dies."""
    with closing(_connect(str(_side_file(file, "-writer")))) as lock:
        lock.execute("PRAGMA busy_timeout = 0")
        try:
            lock.execute("PRAGMA journal_mode = OFF")  # nothing is ever written to the file of the lock
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as exc:
            if exc.sqlite_errorcode & 0xFF not in _BUSY:
                raise
            raise Refused(
                f"another process is adding pages to {file.name}: try again when it is done", retryable=True
            ) from None
        yield


def _side_file(file: Path, ending: str) -> Path:
    return file.with_name(file.name + ending)


def _patiently(work: Callable[[], None]) -> None:
    """Do *work*, again for a while where the file is busy.

    A reader that leaves last, or repairs the log of a killed writer, holds the whole file for a moment; SQLite then
    turns down some statements at once, whatever its own time for waiting.
    """
    until = time.monotonic() + BUSY_S
    while True:
        try:
            return work()
        except sqlite3.OperationalError as exc:
            if exc.sqlite_errorcode & 0xFF not in _BUSY or time.monotonic() >= until:
                raise
        time.sleep(BUSY_STEP_S)


def _prepare(connection: sqlite3.Connection, file: Path) -> None:
    if _is_blank(connection):
        connection.execute("PRAGMA journal_mode = WAL")
        with transaction(connection):
            for statement in _TABLES.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
    _check(connection, file)
    connection.execute("PRAGMA journal_mode = WAL")
    # With a log, a killed process loses nothing that was committed; a power cut may lose the last moments, which the
    # next run makes good.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
    connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run a block as one change: all of it, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.execute("COMMIT")
