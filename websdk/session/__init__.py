"""The session that an agent's tools sit on: evidence, reuse, bounded fan-out and one preview budget.

A model's arguments come in; checked, permitted, shared and stored answers go out, and nothing else is remembered.
"""

from websdk.session.backend import Allowance, Answered, Backend, CallOptions, Source
from websdk.session.options import SessionOptions
from websdk.session.pages import PageOutcome
from websdk.session.searching import Judge
from websdk.session.session import AsyncSession

__all__ = [
    "Allowance",
    "Answered",
    "AsyncSession",
    "Backend",
    "CallOptions",
    "Judge",
    "PageOutcome",
    "SessionOptions",
    "Source",
]
