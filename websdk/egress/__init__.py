"""Where a connection may go. URLs and addresses come in; verdicts, and connections to judged addresses, go out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from websdk.egress.judge import judge_addresses, judge_host, judge_url, verdict
from websdk.egress.policy import AllowEntry, EgressOptions
from websdk.egress.reasons import reasons

if TYPE_CHECKING:
    from websdk.egress.connect import SystemConnector
    from websdk.egress.pinned import DirectBackend, PinnedBackend
    from websdk.egress.resolve import SystemResolver
else:
    # What dials loads asyncio and httpcore, which judging does not need.
    _HOMES = {
        "SystemConnector": "connect",
        "DirectBackend": "pinned",
        "PinnedBackend": "pinned",
        "SystemResolver": "resolve",
    }

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"websdk.egress.{_HOMES[name]}"), name)


__all__ = [
    "AllowEntry",
    "DirectBackend",
    "EgressOptions",
    "PinnedBackend",
    "SystemConnector",
    "SystemResolver",
    "judge_addresses",
    "judge_host",
    "judge_url",
    "reasons",
    "verdict",
]
