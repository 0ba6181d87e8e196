"""Write pages to the index, and know what it holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import attrs

from websdk_index.database import transaction, translated
from websdk_index.filters import reversed_host
from websdk_index.page import Page
from websdk_index.words import spread


@attrs.frozen(kw_only=True)
class Stamp:
    """How a file was when it was read; what an unchanged file is known by.

    Attributes:
        size: Bytes.
        mtime_ns: Time of its last change.
        read_ns: When it was read.
        digest: Hash of its bytes.
    """

    size: int
    mtime_ns: int
    read_ns: int
    digest: bytes


@attrs.frozen(kw_only=True)
class Known:
    """What the index says of a page.

    Attributes:
        id: Its row.
        url: Its address.
        from_base: Whether the address comes from a base address.
        stated_language: Language that was given for pages that state none.
        published_by: Whether ``page`` or ``file`` dates it.
        stamp: Its file as it was.
    """

    id: int
    url: str
    from_base: bool
    stated_language: str | None
    published_by: str | None
    stamp: Stamp


@attrs.define
class Store:
    """The index as its one writer sees it. Used by one thread at a time."""

    connection: sqlite3.Connection
    file: Path

    def root(self, kind: str, location: str) -> int:
        """Return the row of a root, which is a folder, a file, or the web."""
        with translated(self.file), transaction(self.connection):
            self.connection.execute(
                "INSERT INTO roots (kind, location) VALUES (?, ?) ON CONFLICT DO UPDATE SET changed = NULL",
                (kind, location),
            )
            (row,) = self.connection.execute(
                "SELECT id FROM roots WHERE kind = ? AND location = ?", (kind, location)
            ).fetchone()
        return int(row)

    def known(self, root: int) -> dict[str, Known]:
        """Return every page of a root by its name."""
        with translated(self.file):
            rows = self.connection.execute(
                "SELECT name, id, url, from_base, stated_language, published_by, size, mtime_ns, read_ns, digest"
                " FROM origins WHERE root = ?",
                (root,),
            )
            return {
                name: Known(
                    id=row,
                    url=url,
                    from_base=bool(from_base),
                    stated_language=language,
                    published_by=published_by,
                    stamp=Stamp(size=size, mtime_ns=mtime, read_ns=read, digest=digest),
                )
                for name, row, url, from_base, language, published_by, size, mtime, read, digest in rows
            }

    def write(
        self,
        root: int,
        *,
        pages: Iterable[tuple[Page, Stamp]] = (),
        touched: Iterable[tuple[int, Stamp]] = (),
        removed: Iterable[int] = (),
    ) -> None:
        """Make one change to a root: all of it, or nothing.

        Args:
            root: Row of the root.
            pages: New pages, and new versions of known ones.
            touched: Rows of pages whose bytes are as before, with the file's new stamp.
            removed: Rows of pages that are gone.
        """
        with translated(self.file), transaction(self.connection):
            for row in removed:
                self._remove(row)
            for row, stamp in touched:
                self.connection.execute(
                    "UPDATE origins SET size = ?, mtime_ns = ?, read_ns = ? WHERE id = ?",
                    (stamp.size, stamp.mtime_ns, stamp.read_ns, row),
                )
            for page, stamp in pages:
                self._put(root, page, stamp)

    def finish(self, root: int, moment: str) -> None:
        """Note that a root was gone through to its end."""
        with translated(self.file), transaction(self.connection):
            self.connection.execute("UPDATE roots SET changed = ? WHERE id = ?", (moment, root))

    def _put(self, root: int, page: Page, stamp: Stamp) -> None:
        run = self.connection.execute
        found = run("SELECT id FROM origins WHERE root = ? AND name = ?", (root, page.name)).fetchone()
        if found:
            self._remove(found[0])
        host = reversed_host(page.host)
        run("INSERT INTO hosts (reversed) VALUES (?) ON CONFLICT DO NOTHING", (host,))
        row = run(
            "INSERT INTO pages (host, day, language) VALUES ((SELECT id FROM hosts WHERE reversed = ?), ?, ?)",
            (host, page.day.toordinal() if page.day else None, page.language),
        ).lastrowid
        run(
            "INSERT INTO origins (id, root, name, url, published, published_by, from_base, stated_language,"
            " size, mtime_ns, read_ns, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row,
                root,
                page.name,
                page.url,
                page.published,
                page.published_by,
                page.from_base,
                page.stated_language,
                stamp.size,
                stamp.mtime_ns,
                stamp.read_ns,
                stamp.digest,
            ),
        )
        run("INSERT INTO texts (id, title, body) VALUES (?, ?, ?)", (row, page.title, page.body))
        run(
            "INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)",
            (row, spread(page.title), spread(page.body)),
        )

    def _remove(self, row: int) -> None:
        run = self.connection.execute
        title, body = run("SELECT title, body FROM texts WHERE id = ?", (row,)).fetchone()
        # The full-text index keeps no text, so it is told what to forget.
        run(
            "INSERT INTO words (words, rowid, title, body) VALUES ('delete', ?, ?, ?)",
            (row, spread(title), spread(body)),
        )
        for statement in (
            "DELETE FROM texts WHERE id = ?",
            "DELETE FROM origins WHERE id = ?",
            "DELETE FROM pages WHERE id = ?",
        ):
            run(statement, (row,))
