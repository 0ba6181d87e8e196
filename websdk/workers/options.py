"""How many workers there are and how long they stay."""

from __future__ import annotations

import os

import attrs

from websdk.model.bounds import above_zero, number, whole

# A worker holds some 80 MB once its libraries are loaded, and pages are read a few at a time.
MOST_CHILDREN = 4


def usable_cpus() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@attrs.frozen(kw_only=True)
class WorkerOptions:
    """Bounds of the extraction workers.

    Attributes:
        children: Child processes at most.
        in_process_bytes: Pages below this size are read in a thread of this process, which spares the pipe and, for
            the first page, the start of a child. A thread cannot be stopped, so the size is one at which the worst
            markup known takes well under a second; its cost grows with the square.
        idle_s: Seconds after which a child without work ends itself.
        start_s: Seconds that a child may take to load its libraries. Warm it takes a fifth of a second; a cold disk or
            a busy machine needs more.
        retry_start_s: Seconds before a failed start is tried again.
        memory_bytes: Memory that one reading may take beyond what the child holds when idle.
        isolate: Whether children are used at all.
    """

    children: int = attrs.field(factory=lambda: min(usable_cpus(), MOST_CHILDREN), validator=whole(1))
    in_process_bytes: int = attrs.field(default=16 * 1024, validator=whole(0))
    idle_s: float = attrs.field(default=60.0, validator=above_zero)
    start_s: float = attrs.field(default=15.0, validator=above_zero)
    retry_start_s: float = attrs.field(default=60.0, validator=number(0))
    memory_bytes: int = attrs.field(default=512 * 1024 * 1024, validator=whole(1))
    isolate: bool = True
