"""Say what an index holds."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import attrs

from websdk_index.database import reading, translated


@attrs.frozen(kw_only=True)
class RootStatus:
    """One folder, file, or the pages of the web.

    Attributes:
        kind: ``path`` or ``web``.
        location: Where the folder or file lies; empty for the web.
        pages: How many pages come from there.
        updated: When it was last gone through to its end, ISO 8601 in UTC; ``None`` where a run was stopped.
    """

    kind: str
    location: str
    pages: int
    updated: str | None


@attrs.frozen(kw_only=True)
class IndexStatus:
    """What an index holds.

    Attributes:
        index: The index file.
        pages: How many pages.
        hosts: On how many hosts.
        bytes: Size of the file.
        first_day: Day of the oldest page.
        last_day: Day of the newest page.
        roots: Where the pages come from.
    """

    index: str
    pages: int
    hosts: int
    bytes: int
    first_day: date | None
    last_day: date | None
    roots: tuple[RootStatus, ...]


def read_status(file: Path) -> IndexStatus:
    """Return what the index at *file* holds.

    Raises:
        ConfigurationError: There is no index, or it cannot be used.
        Unavailable: It cannot be read now.
    """
    with reading(file) as connection, translated(file):
        pages, hosts, first, last = connection.execute(
            "SELECT count(*), count(DISTINCT host), min(day), max(day) FROM pages"
        ).fetchone()
        rows = connection.execute(
            "SELECT kind, location, (SELECT count(*) FROM origins WHERE root = roots.id), changed"
            " FROM roots ORDER BY kind, location"
        ).fetchall()
    return IndexStatus(
        index=str(file),
        pages=pages,
        hosts=hosts,
        bytes=file.stat().st_size,
        first_day=None if first is None else date.fromordinal(first),
        last_day=None if last is None else date.fromordinal(last),
        roots=tuple(
            RootStatus(kind=kind, location=location, pages=count, updated=changed)
            for kind, location, count, changed in rows
        ),
    )
