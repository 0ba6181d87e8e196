"""Where a connection may go. URLs and addresses come in; verdicts, and connections to judged addresses, go out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from websdk.egress.connect import SystemConnector
from websdk.egress.judge import judge_addresses, judge_host, judge_url, verdict
from websdk.egress.policy import AllowEntry, EgressOptions
from websdk.egress.reasons import reasons
from websdk.egress.resolve import SystemResolver

if TYPE_CHECKING:
    from websdk.egress.pinned import DirectBackend, PinnedBackend
else:

    def __getattr__(name: str) -> Any:  # the backends load httpcore, which judging does not need
        if name in ("DirectBackend", "PinnedBackend"):
            from websdk.egress import pinned

            return getattr(pinned, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
