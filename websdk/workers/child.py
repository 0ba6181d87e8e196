"""The parent's end of one child process. Blocking; used from the pool's threads."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic
from typing import BinaryIO, cast

from websdk import __version__
from websdk.errors import FetchError
from websdk.model.convert import to_dict
from websdk.model.document import Document
from websdk.workers.frames import Torn, read_frame, write_frame
from websdk.workers.jobs import Job, outcome_from_dict

# ``-I`` keeps the environment, the working directory and the user's site folder out of the child. The package is
# therefore taken from the very folder that this process took it from, which leaves the search path again at once so
# that nothing in it can stand in for a standard module. What this process can import comes last, for the libraries.
_BOOTSTRAP = """
import sys
root, idle_s, *paths = sys.argv[1:]
sys.path.insert(0, root)
import websdk
sys.path.remove(root)
sys.path.extend(path for path in paths if path not in sys.path)
from websdk.workers.extract import main
main(float(idle_s))
"""
# A child reads hostile bytes, so it gets no credentials; these are what an interpreter may need to run at all.
_KEPT_VARIABLES = (
    "PATH",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
)


# Between closing its pipes and being gone an interpreter tears down its modules.
_LEAVING_S = 1.0


class CannotStart(Exception):
    """No child process can be started here, or it does not come up."""


class Gone(Exception):
    """The child ended before it answered.

    Attributes:
        was_idle: Whether it had simply ended itself for want of work.
    """

    def __init__(self, *, was_idle: bool) -> None:
        super().__init__("the worker ended")
        self.was_idle = was_idle


class Child:
    """One child process.

    Attributes:
        idle_since: Monotonic seconds of its last answer.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._jobs = cast(BinaryIO, process.stdin)
        self._answers = cast(BinaryIO, process.stdout)
        self.idle_since = monotonic()

    @classmethod
    def start(cls, *, idle_s: float) -> Child:
        """Start a child; :meth:`wait_ready` says when it is up.

        Raises:
            CannotStart: The system does not let this process start one.
        """
        if not sys.executable or getattr(sys, "frozen", False):
            raise CannotStart("this program carries its own interpreter and cannot start another")
        root = str(Path(__file__).resolve().parents[2])
        paths = [os.path.abspath(path) for path in sys.path if path]
        try:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter, no shell
                [sys.executable, "-I", "-c", _BOOTSTRAP, root, str(idle_s), *paths],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except (OSError, ValueError) as exc:
            raise CannotStart(f"the system refuses to start a process ({type(exc).__name__})") from exc
        return cls(process)

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def wait_ready(self, *, timeout_s: float) -> None:
        """Wait until the child has loaded its libraries.

        Raises:
            CannotStart: It ended, or is not up after *timeout_s* seconds.
        """
        watch = threading.Timer(timeout_s, self.kill)
        watch.daemon = True
        watch.start()
        try:
            head, _ = read_frame(self._answers)
        except (Torn, OSError) as exc:
            raise CannotStart("a worker was started and did not come up") from exc
        finally:
            watch.cancel()
        if head.get("ready") != __version__:
            raise CannotStart("a worker came up with another version of this package")

    def run(self, job: Job, body: bytes) -> Document | FetchError:
        """Have the child do one job.

        Raises:
            Gone: It ended before it answered.
        """
        try:
            write_frame(self._jobs, to_dict(job), body)
            head, _ = read_frame(self._answers)
            outcome = outcome_from_dict(head)
        except (Torn, OSError, ValueError) as exc:
            raise Gone(was_idle=self._exit_code() == 0) from exc
        self.idle_since = monotonic()
        return outcome

    def _exit_code(self) -> int:
        """Return how it ended, a child that closed its pipe getting a moment to end by itself."""
        try:
            return self._process.wait(_LEAVING_S)
        except subprocess.TimeoutExpired:
            self.kill()
            return self._process.wait()

    def kill(self) -> None:
        """End it at once; safe to call from any thread and more than once."""
        self._process.kill()

    def close(self) -> None:
        """End it and release its pipes."""
        self.kill()
        self._process.wait()
        self._close_pipes()

    def forget(self) -> None:
        """Let go of a child that belongs to the process this one was forked from."""
        self._process.returncode = 0
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self._jobs, self._answers):
            try:
                pipe.close()
            except OSError:  # bytes that were still buffered for a child that is gone
                continue
