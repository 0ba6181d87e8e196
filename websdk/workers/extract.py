"""What runs in a child: take a job from the pipe, answer it, wait for the next. Imported in children only."""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress
from typing import BinaryIO

from websdk import __version__
from websdk.errors import FetchError
from websdk.model.convert import from_dict
from websdk.model.document import Document
from websdk.workers.frames import Torn, read_frame, write_frame
from websdk.workers.jobs import Job, is_spent, outcome_to_dict, perform

# The parent kills at the deadline; this is for a parent that is gone itself.
_GRACE_S = 2.0


def main(idle_s: float) -> None:
    """Answer jobs until the pipe ends or no job has come for *idle_s* seconds."""
    # A terminal sends its interrupt to the whole group; what becomes of a read is the parent's decision.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    jobs = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    _silence()
    _preload()
    write_frame(answers, {"ready": __version__})
    while _is_work_coming(jobs, idle_s):
        try:
            head, body = read_frame(jobs)
        except Torn:
            return
        job = from_dict(Job, head)
        outcome = _bounded(job, body)
        write_frame(answers, outcome_to_dict(outcome))
        if is_spent(outcome):
            return


def _silence() -> None:
    """Point the standard streams elsewhere, so that a library that prints cannot break the frames."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _preload() -> None:
    """Load the libraries before the first page, and fail here where one is missing."""
    from websdk.reading import read_page

    with suppress(FetchError):
        read_page(b"<!doctype html><title>.</title><p>A sentence to warm up with.</p>", url="http://a.invalid/")


def _is_work_coming(jobs: BinaryIO, idle_s: float) -> bool:
    if sys.platform == "win32":  # select() takes sockets only there; the parent ends idle children instead
        return True
    return bool(select.select([jobs], [], [], idle_s)[0])


def _bounded(job: Job, body: bytes) -> Document | FetchError:
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, job.deadline_s + _GRACE_S)
    _limit_memory(job.memory_bytes)
    try:
        return perform(job, body)
    except FetchError as failure:
        return failure
    finally:
        _limit_memory(None)
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, 0)


def _limit_memory(extra: int | None) -> None:
    """Bound the address space to what is held now and *extra* bytes; ``None`` lifts the bound."""
    if sys.platform != "linux":  # elsewhere the limit is missing or not kept
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if extra is None:
        soft = hard
    else:
        with open("/proc/self/statm", encoding="ascii") as statm:
            soft = int(statm.read().split()[0]) * resource.getpagesize() + extra
        if hard != resource.RLIM_INFINITY:
            soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
