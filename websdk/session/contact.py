"""One contact with one recipient: permission, pause, reuse, shared work, and only then bytes that leave."""

from __future__ import annotations

import json
import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Generic, TypeVar

import attrs

from websdk.errors import BudgetExhausted, RateLimited, Refused
from websdk.model.convert import from_dict, to_dict
from websdk.model.document import Document, FetchRequest, Via
from websdk.model.intent import Intent
from websdk.model.receipt import Receipt
from websdk.model.search import SearchRequest, SearchResponse
from websdk.protocols.call import Clock
from websdk.protocols.permission import Authorize, require_permission
from websdk.protocols.state import SharedState
from websdk.reuse import cooldown_s, fingerprint
from websdk.session.backend import Backend, CallOptions, Source, Spend

T = TypeVar("T", SearchResponse, Document)
_OWN_KEYS = 1_024  # keys remembered for forgetting at the end; far more than a cache of seconds holds at once


@attrs.frozen(kw_only=True)
class Got(Generic[T]):
    """What a contact brought.

    Attributes:
        value: The answer or page.
        age_s: Seconds since it was fetched, where it was reused and nothing was sent; ``None`` for a fresh one.
        keep: Keeps a fresh page for reuse; ``None`` where that is decided already.
    """

    value: T
    age_s: float | None = None
    keep: Callable[[], Awaitable[None]] | None = None


def freshness(age_s: float) -> str:
    """Return the notice that every reused answer carries."""
    return f"Reused from {age_s:.0f} s ago; nothing was sent."


class Contacts:
    """Makes the contacts of one session.

    Args:
        backend: Sends.
        state: Where reuse, shared work and pauses live.
        scope: Whose they are there.
        authorize: The embedder's permission function.
        clock: Where time comes from.
    """

    def __init__(
        self, backend: Backend, state: SharedState, *, scope: str, authorize: Authorize | None, clock: Clock
    ) -> None:
        self._backend = backend
        self._state = state
        self._scope = scope
        self._authorize = authorize
        self._clock = clock
        self._own: deque[str] = deque(maxlen=_OWN_KEYS)
        self._mark = secrets.token_hex(8)  # tells whose an answer is among sessions of one scope
        self._closed = False

    async def permit(self, intent: Intent) -> None:
        """Ask for permission, once and for this contact alone.

        Raises:
            NotAuthorized: It was refused; nothing was sent.
            Refused: The session was closed, maybe while permission was thought over.
        """
        self.refuse_when_closed()
        await require_permission(self._authorize, intent)
        self.refuse_when_closed()

    def refuse_when_closed(self) -> None:
        """Let nothing begin, and nothing be kept, in a session that is closed.

        Raises:
            Refused: It is closed.
        """
        if self._closed:
            raise Refused("the session is closed")

    async def search(
        self, source: Source, request: SearchRequest, *, timeout_s: float, spend: Spend | None = None
    ) -> Got[SearchResponse]:
        """Search at one provider, permission being given.

        Args:
            source: The provider.
            request: What to look for.
            timeout_s: Seconds that work which others may join can take.
            spend: Debits the budget of this caller, whether it sends or joins; a hit costs nothing.
        """
        if not source.shares:
            self.refuse_when_closed()
            answered = await self._backend.search_one(
                source.id, request, options=CallOptions(timeout_s=timeout_s, spend=spend)
            )
            return Got(value=answered.response)

        async def send(spend: Spend | None) -> tuple[SearchResponse, bool]:
            answered = await self._backend.search_one(
                source.id, request, options=CallOptions(timeout_s=timeout_s, spend=spend)
            )
            response = answered.response
            return response, bool(response.results) and not answered.warned

        pause, key = await self._keys(source.id, "search", to_dict(request))
        return await self._shared(SearchResponse, source.id, pause, key, send, timeout_s=timeout_s, spend=spend)

    async def page(self, request: FetchRequest, *, timeout_s: float) -> Got[Document]:
        """Read one page over one rung, permission being given.

        A fresh page is not kept by itself: the caller does that when the whole call came to something.
        """

        async def send(_: Spend | None) -> tuple[Document, bool]:
            document = await self._backend.fetch_one(request, options=CallOptions(timeout_s=timeout_s))
            return document, False

        recipient = (request.provider or "") if request.via is Via.PROXY else ""
        pause, key = await self._keys(recipient, "fetch", to_dict(request))
        got = await self._shared(Document, recipient, pause, key, send, timeout_s=timeout_s)
        document = got.value
        if got.age_s is not None or document.incomplete or document.truncated_upstream:
            return got
        return attrs.evolve(got, keep=lambda: self._keep(key, document))

    def close(self) -> None:
        """Let no contact begin any more."""
        self._closed = True

    async def forget(self) -> None:
        """Forget every answer that this session put into the state, and nothing of another's."""
        mine = [key for key in dict.fromkeys(self._own) if await self._is_mine(key)]
        await self._state.reuse.drop(self._scope, mine)
        self._own.clear()

    async def _is_mine(self, key: str) -> bool:
        """Tell whether what stands under *key* was put there by this session; another may have put its own since."""
        raw = await self._state.reuse.get(self._scope, key)
        try:
            return raw is not None and json.loads(raw)["by"] == self._mark
        except (ValueError, KeyError, TypeError):
            return False

    async def _keys(self, recipient: str, operation: str, request: dict[str, Any]) -> tuple[str, str]:
        """Return the names under which pauses and answers of *recipient* stand."""
        identity = await self._backend.identity(recipient, self._state.key)
        pause = fingerprint(self._state.key, recipient=recipient, identity=identity)
        return pause, fingerprint(
            self._state.key, recipient=recipient, identity=identity, operation=operation, request=request
        )

    async def _shared(
        self,
        kind: type[T],
        recipient: str,
        pause: str,
        key: str,
        send: Callable[[Spend | None], Awaitable[tuple[T, bool]]],
        *,
        timeout_s: float,
        spend: Spend | None = None,
    ) -> Got[T]:
        left = await self._state.cooldowns.left(self._scope, pause)
        if left > 0:
            raise RateLimited(
                f"{recipient} asked for a pause; {left:.0f} s of it are left",
                provider=recipient,
                wait_s=left,
                sent=False,
            )
        kept = await self._recall(kind, key)
        if kept is not None:
            return kept
        pay = _once(spend)
        began = False

        async def work() -> Got[T]:
            nonlocal began
            began = True
            # Whoever shares the state may have answered since; a second look costs less than a second request.
            kept = await self._recall(kind, key)
            if kept is not None:
                return kept
            try:
                value, keeps = await send(pay)
            except RateLimited as error:
                if error.sent:  # what is refused here for the sake of an interval is not the vendor's word
                    await self._state.cooldowns.start(self._scope, pause, cooldown_s(error))
                raise
            if keeps:
                await self._keep(key, value)
            return Got(value=value)

        flights = self._state.flights
        while True:
            if pay is not None and flights.is_running(self._scope, key):
                await pay()
            self.refuse_when_closed()
            try:
                return await flights.join(self._scope, key, work, deadline_s=timeout_s)
            except BudgetExhausted:
                if began:
                    raise
                # The one who began could not pay. That is no answer for those who joined: one of them begins anew.

    async def _keep(self, key: str, value: SearchResponse | Document) -> None:
        if self._closed:
            return  # what is closed has been forgotten already
        data = {"at": self._clock.now().isoformat(), "by": self._mark, "value": to_dict(value)}
        self._own.append(key)
        await self._state.reuse.put(self._scope, key, json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))

    async def _recall(self, kind: type[T], key: str) -> Got[T] | None:
        raw = await self._state.reuse.get(self._scope, key)
        if raw is None:
            return None
        try:
            data = json.loads(raw)
            value = from_dict(kind, data["value"])
            at = datetime.fromisoformat(data["at"])
        except (ValueError, KeyError, TypeError):
            return None  # written by another version that shares the state: as good as not there
        age_s = max(0.0, (self._clock.now() - at).total_seconds())
        return Got(value=attrs.evolve(value, receipt=_reused(value.receipt)), age_s=age_s)


def _reused(receipt: Receipt | None) -> Receipt | None:
    return None if receipt is None else attrs.evolve(receipt, cached=True, attempts=(), elapsed_s=0.0)


def _once(spend: Spend | None) -> Spend | None:
    """Return *spend* so that it debits once however often it is awaited: who joins late may have to send after all."""
    if spend is None:
        return None
    debit = spend
    paid = False

    async def pay() -> None:
        nonlocal paid
        if not paid:
            paid = True
            try:
                await debit()
            except BaseException:
                paid = False
                raise

    return pay
