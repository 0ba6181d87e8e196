"""One extraction as data: what to read, and what came of it. The same code runs in a child and in process."""

from __future__ import annotations

import importlib
from typing import Any

import attrs

from websdk.errors import FetchError, TooLarge, Unreadable
from websdk.model.convert import from_dict, to_dict
from websdk.model.document import Document
from websdk.protocols import Extractor
from websdk.reading.options import ReadingOptions

OUT_OF_MEMORY = "out_of_memory"
EXTRACTION_FAILED = "extraction_failed"
WORKER_DIED = "worker_died"
NO_WORKER = "no_worker"
# What a reading may raise; a child that names anything else is not believed.
_FAILURES: dict[str, type[FetchError]] = {kind.__name__: kind for kind in (Unreadable, TooLarge)}


@attrs.frozen(kw_only=True)
class Job:
    """What a worker is told beside the bytes.

    Attributes:
        url: Address of the page, for its links.
        content_type: Label that the bytes came with.
        options: Choices and bounds of the reading.
        extractor: ``module:Class`` of the extractor for this kind of content; ``None`` for the page reader.
        memory_bytes: Memory that the job may take beyond what the worker holds when idle.
        deadline_s: Seconds after which nobody waits any more.
    """

    url: str = attrs.field(repr=False)
    content_type: str | None = None
    options: ReadingOptions = attrs.field(factory=ReadingOptions)
    extractor: str | None = None
    memory_bytes: int
    deadline_s: float


def perform(job: Job, body: bytes) -> Document:
    """Read *body*.

    Args:
        job: How.
        body: The bytes of the page.

    Raises:
        Unreadable: There is nothing to read, or the reading itself failed; ``seen`` says which.
        TooLarge: The page passes a bound.
    """
    try:
        if job.extractor is not None:
            extractor = load_extractor(job.extractor)
            return extractor.extract(body, url=job.url, max_characters=job.options.max_characters)
        from websdk.reading import read_page

        return read_page(body, url=job.url, content_type=job.content_type, options=job.options)
    except FetchError:
        raise
    except MemoryError:
        raise Unreadable("the page takes more memory to read than it may", seen=OUT_OF_MEMORY) from None
    except Exception as exc:
        # A reader or extractor that trips over a page loses this page only, and says where it tripped.
        raise Unreadable(f"reading the page failed with {type(exc).__name__}", seen=EXTRACTION_FAILED) from exc


def load_extractor(name: str) -> Extractor:
    """Return a new extractor of the class *name*, written ``module:Class``."""
    module, _, path = name.partition(":")
    target: Any = importlib.import_module(module)
    for part in path.split("."):
        target = getattr(target, part)
    made: Extractor = target()
    return made


def extractor_name(extractor: Extractor) -> str:
    """Return the name by which a child can load an extractor of the class of *extractor*.

    Raises:
        TypeError: The class cannot be imported by name, or not made without arguments.
    """
    kind = type(extractor)
    name = f"{kind.__module__}:{kind.__qualname__}"
    try:
        load_extractor(name)
    except (ImportError, AttributeError, TypeError) as exc:
        raise TypeError(f"{name} is not a class that a worker can import and make without arguments") from exc
    return name


def is_spent(outcome: Document | FetchError) -> bool:
    """Tell whether a child that gave *outcome* takes no further job: its heap or a library may be in an odd state."""
    return isinstance(outcome, Unreadable) and outcome.seen in (OUT_OF_MEMORY, EXTRACTION_FAILED)


def outcome_to_dict(outcome: Document | FetchError) -> dict[str, Any]:
    """Return what came of a job as plain JSON data."""
    if isinstance(outcome, Document):
        return {"document": to_dict(outcome)}
    return {"failure": type(outcome).__name__, "message": str(outcome), "fields": dict(outcome.__dict__)}


def outcome_from_dict(data: dict[str, Any]) -> Document | FetchError:
    """Return what :func:`outcome_to_dict` was given.

    Raises:
        ValueError: The data is no outcome.
    """
    try:
        if "document" in data:
            return from_dict(Document, data["document"])
        kind = _FAILURES[data["failure"]]
        return kind(str(data["message"]), **data["fields"])
    except (KeyError, TypeError, AttributeError) as exc:
        raise ValueError("a worker's answer is not an outcome") from exc
