"""Idle connections, taken and put back in constant time."""

from __future__ import annotations

import asyncio
from collections import deque

from websdk.transport.connection import Http11Connection

# Servers close idle connections after 5 s (Node), 60 s (many balancers) and more; a connection that the other side is
# about to close costs a failed call, so ours go first where the server is usual.
IDLE_S = 30.0

# Idle connections that a transport keeps: as many as calls may run at once without reconnecting after each burst.
MAX_IDLE = 100


class IdleConnections:
    """Idle connections by where they lead, the one used last taken first."""

    def __init__(self) -> None:
        self._stacks: dict[str, deque[tuple[Http11Connection, float]]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    async def take(self, key: str) -> Http11Connection | None:
        """Return an idle connection of *key* that is fit for use; ``None`` without one."""
        stack = self._stacks.get(key)
        while stack:
            connection, since = stack.pop()
            self._count -= 1
            if _now() - since < IDLE_S and not connection.is_stale():
                return connection
            await connection.aclose()
        return None

    async def put(self, key: str, connection: Http11Connection) -> None:
        """Keep *connection*, and close those of *key* that have waited too long; a full pool closes it instead."""
        stack = self._stacks.setdefault(key, deque())
        while stack and _now() - stack[0][1] >= IDLE_S:
            self._count -= 1
            await stack.popleft()[0].aclose()
        if self._count >= MAX_IDLE:
            await connection.aclose()
            return
        stack.append((connection, _now()))
        self._count += 1

    async def aclose(self) -> None:
        """Close every connection."""
        stacks, self._stacks, self._count = self._stacks, {}, 0
        for stack in stacks.values():
            for connection, _ in stack:
                await connection.aclose()


def _now() -> float:
    return asyncio.get_running_loop().time()
