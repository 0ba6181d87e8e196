"""Find the pages of a folder, and load one. Nothing outside the folder is ever opened."""

from __future__ import annotations

import os
import stat
from collections import Counter
from pathlib import Path

import attrs

from websdk.errors import InvalidRequest
from websdk_index.address import encoded
from websdk_index.bounds import MAX_DEPTH, MAX_FILE_BYTES, MAX_FILES

MEDIA_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".text": "text/plain",
}
# No link is followed, no terminal or pipe can hold us up; flags that a platform lacks are not needed there.
_OPEN_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOCTTY")
)


class FileRefused(Exception):
    """One file is left out; the others go on."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@attrs.frozen(kw_only=True)
class FoundFile:
    """A file that looks like a page.

    Attributes:
        name: Path below the folder, percent-encoded, parts divided by slashes.
        path: Where it is.
        media_type: By its ending.
        size: Bytes.
        mtime_ns: Time of its last change, nanoseconds since 1970.
    """

    name: str
    path: str
    media_type: str
    size: int
    mtime_ns: int


@attrs.frozen(kw_only=True)
class Listing:
    """What a folder holds.

    Attributes:
        files: Pages, in the order of their paths.
        skipped: How many entries were passed over, by reason: ``dot_file``, ``symlink``, ``other_kind``.
        closed: Encoded names of folders that could not be listed, with the reason.
    """

    files: tuple[FoundFile, ...]
    skipped: dict[str, int]
    closed: tuple[tuple[str, str], ...]


def list_pages(target: Path, *, max_files: int = MAX_FILES) -> Listing:
    """List the pages of a folder and its subfolders; or the one page that *target* is.

    Dot files, dot folders and symbolic links are passed over, wherever the links lead.

    Args:
        target: A folder or a file, already resolved.
        max_files: Files up to which a folder is taken.

    Raises:
        InvalidRequest: There is no such file or folder, or it holds more files than *max_files*.
    """
    try:
        found = os.stat(target, follow_symlinks=False)
    except OSError as exc:
        raise InvalidRequest(f"{target.name or target}: {exc.strerror or 'cannot be opened'}") from None
    if stat.S_ISDIR(found.st_mode):
        return _list_folder(target, max_files)
    media_type = MEDIA_TYPES.get(target.suffix.lower())
    if media_type is None or not stat.S_ISREG(found.st_mode):
        raise InvalidRequest(f"{target.name} is no page: the index takes {', '.join(MEDIA_TYPES)}")
    return Listing(files=(_found((target.name,), str(target), media_type, found),), skipped={}, closed=())


def _list_folder(root: Path, max_files: int) -> Listing:
    files: list[FoundFile] = []
    skipped: Counter[str] = Counter()
    closed: list[tuple[str, str]] = []
    waiting: list[tuple[tuple[str, ...], str]] = [((), str(root))]
    while waiting:
        parts, folder = waiting.pop()
        try:
            if len(parts) > MAX_DEPTH:
                raise OSError(0, f"lies more than {MAX_DEPTH} folders deep")
            with os.scandir(folder) as entries:
                listed = list(entries)
        except OSError as exc:
            if not parts:
                raise InvalidRequest(f"{root.name or root}: {exc.strerror or 'cannot be listed'}") from None
            closed.append((encoded(parts), exc.strerror or "cannot be listed"))
            continue
        for entry in listed:
            here = (*parts, entry.name)
            if entry.name.startswith("."):
                skipped["dot_file"] += 1
            elif entry.is_symlink() or _is_junction(entry):
                skipped["symlink"] += 1
            elif entry.is_dir(follow_symlinks=False):
                waiting.append((here, entry.path))
            elif (media_type := _media_type(entry)) is None:
                skipped["other_kind"] += 1
            elif (found := _stat(entry)) is not None:
                files.append(_found(here, entry.path, media_type, found))
                if len(files) > max_files:
                    raise InvalidRequest(f"{root.name or root} holds more than {max_files:,} pages; add its parts")
    files.sort(key=lambda file: file.name)
    return Listing(files=tuple(files), skipped=dict(skipped), closed=tuple(sorted(closed)))


def _is_junction(entry: os.DirEntry[str]) -> bool:
    check = getattr(entry, "is_junction", None)  # Windows; known to Python from 3.12
    return bool(check and check())


def _media_type(entry: os.DirEntry[str]) -> str | None:
    return MEDIA_TYPES.get(os.path.splitext(entry.name)[1].lower()) if entry.is_file(follow_symlinks=False) else None


def _stat(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None  # it went away between the listing and the look at it


def _found(parts: tuple[str, ...], path: str, media_type: str, found: os.stat_result) -> FoundFile:
    return FoundFile(
        name=encoded(parts), path=path, media_type=media_type, size=found.st_size, mtime_ns=found.st_mtime_ns
    )


def load(file: FoundFile, *, max_bytes: int = MAX_FILE_BYTES) -> tuple[bytes, FoundFile]:
    """Return the bytes of *file*, and *file* as it was when they were read.

    Args:
        file: A file of a listing.
        max_bytes: Bytes up to which a file is taken.

    Raises:
        FileRefused: It is too large, no longer a plain file, or cannot be read.
    """
    try:
        descriptor = os.open(file.path, _OPEN_FLAGS)
    except OSError as exc:
        raise FileRefused(f"cannot be opened: {exc.strerror}") from None
    with os.fdopen(descriptor, "rb") as stream:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise FileRefused("is no longer a plain file")
        try:
            body = stream.read(max_bytes + 1) if found.st_size <= max_bytes else None
        except OSError as exc:
            raise FileRefused(f"cannot be read: {exc.strerror}") from None
    if body is None or len(body) > max_bytes:
        raise FileRefused(f"is larger than {max_bytes:,} bytes")
    return body, attrs.evolve(file, size=found.st_size, mtime_ns=found.st_mtime_ns)
