"""Pauses that vendors ask for."""

from __future__ import annotations

import threading

from websdk.errors import RateLimited, WebSdkError
from websdk.protocols.call import Clock
from websdk.wire.retry_after import ENDPOINT_WAIT_CEILING_S

# Constants, so that no setting, header or preset can make a session wait longer or hammer a vendor sooner.
DEFAULT_COOLDOWN_S = 30.0  # for a vendor that limits without saying for how long
MAX_COOLDOWN_S = ENDPOINT_WAIT_CEILING_S
_MAX_PAUSES = 1_024  # far more credentials than one process uses at once; the pauses that end first go first


def cooldown_s(error: WebSdkError) -> float:
    """Return for how many seconds *error* keeps calls from its provider; 0 for every failure but a rate limit."""
    if not isinstance(error, RateLimited):
        return 0.0
    return DEFAULT_COOLDOWN_S if error.wait_s is None else min(max(0.0, error.wait_s), MAX_COOLDOWN_S)


class MemoryCooldowns:
    """Remembers pauses in memory; those that are over go with the next activity.

    Args:
        clock: Where time comes from.
    """

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock
        self._until: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()  # clients that share a state may run their loops in threads of their own

    def __len__(self) -> int:
        return len(self._until)

    async def left(self, scope: str, key: str) -> float:
        """Return the seconds for which *key* is still to be left alone; 0 for none."""
        return max(0.0, self._until.get((scope, key), 0.0) - self._clock.monotonic())

    async def start(self, scope: str, key: str, seconds: float) -> None:
        """Leave *key* alone for *seconds* from now; a longer pause that is running stays."""
        now = self._clock.monotonic()
        with self._lock:
            self._until = {place: until for place, until in self._until.items() if until > now}
            if seconds <= 0:
                return
            if len(self._until) >= _MAX_PAUSES:
                del self._until[min(self._until, key=self._until.__getitem__)]
            self._until[scope, key] = max(now + seconds, self._until.get((scope, key), 0.0))

    def clear(self) -> None:
        """Forget every pause."""
        with self._lock:
            self._until.clear()
