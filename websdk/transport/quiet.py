"""The HTTP libraries' loggers, kept from telling what a request of ours holds.

They log addresses with their query strings and reply headers, in which a vendor may echo a key. Records that are made
while a request of this package is under way are dropped; those of the embedder's own requests pass.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy", "httpcore.socks")

_ours: ContextVar[bool] = ContextVar("websdk_request_under_way", default=False)


def _is_foreign(record: logging.LogRecord) -> bool:
    return not _ours.get()


def guard_loggers() -> None:
    """Make the libraries' loggers drop the records of our requests; doing so again changes nothing."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_is_foreign)


@contextmanager
def unlogged() -> Iterator[None]:
    """Mark what runs within, in this task, as a request of ours."""
    token = _ours.set(True)
    try:
        yield
    finally:
        _ours.reset(token)
