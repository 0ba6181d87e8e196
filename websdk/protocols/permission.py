"""The embedder's callables: asked plain or async, and never on the loop."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from websdk.errors import NotAuthorized
from websdk.model.intent import Intent
from websdk.protocols.fetch import Verdict

Authorize = Callable[[Intent], bool | Verdict | Awaitable[bool | Verdict]]

AUTHORIZE_TIMEOUT_S = 30.0  # a person may have to click; a hung function must still end as a refusal


async def invoke(function: Callable[..., Any], *args: Any) -> Any:
    """Call *function*, whether it is plain or async; a plain one runs in a thread with the caller's context."""
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):  # noqa: B004
        return await function(*args)
    result = await asyncio.to_thread(function, *args)
    return await result if inspect.isawaitable(result) else result


async def require_permission(
    authorize: Authorize | None, intent: Intent, *, call_id: str | None = None, timeout_s: float = AUTHORIZE_TIMEOUT_S
) -> None:
    """Ask *authorize* whether *intent* may go ahead; nothing remembers the answer.

    Args:
        authorize: The embedder's function; ``None`` permits everything.
        intent: What is about to happen.
        call_id: Id of the call, for the refusal.
        timeout_s: Seconds after which silence is a refusal.

    Raises:
        NotAuthorized: It said no, raised, or did not answer in time; nothing was sent.
    """
    if authorize is None:
        return
    subject = f"{intent.operation} at {intent.recipient}" if intent.recipient else intent.operation
    try:
        async with asyncio.timeout(timeout_s):
            answer = await invoke(authorize, intent)
    except TimeoutError:
        raise NotAuthorized(f"{subject}: the permission function did not answer in time", call_id=call_id) from None
    except Exception as exc:  # whatever the embedder's function raises is a refusal, and only its kind is told
        raise NotAuthorized(
            f"{subject}: the permission function raised {type(exc).__name__}", call_id=call_id
        ) from None
    if isinstance(answer, Verdict):
        if not answer.allowed:
            raise NotAuthorized(f"{subject} is not permitted: {answer.reason}", call_id=call_id)
    elif answer is not True:
        raise NotAuthorized(f"{subject} is not permitted", call_id=call_id)
