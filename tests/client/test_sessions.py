"""Sessions of a client: what settings make of them, and what they share with it."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest

from websdk import (
    AllowEntry,
    AsyncClient,
    AsyncSession,
    Client,
    ConnectionSettings,
    EgressOptions,
    MemoryState,
    PreviewOptions,
    ReuseOptions,
    SearchAnswer,
    SearchRequest,
    SearchResult,
    Session,
    Settings,
    failed_call,
    hookimpl,
)
from websdk.errors import (
    BudgetExhausted,
    ConfigurationError,
    EgressRefused,
    InvalidRequest,
    NotAuthorized,
    RateLimited,
    Unavailable,
)
from websdk.fetch import FetchOptions
from websdk.protocols.call import Call
from websdk.settings import SearchOptions
from websdk.testing import VendorServer
from websdk.testing.wire import differences, leaves

from .conftest import Loopback, TinyPlugin


class Other:
    """A provider of another make."""

    def __init__(self, name: str = "other", **facts: Any) -> None:
        self.id = name
        self.filter_keys: frozenset[Any] = frozenset()
        self.asked = 0
        self.error: Exception | None = None
        for key, value in facts.items():
            setattr(self, key, value)

    def unsupported_filters(self, filters: Any) -> tuple[Any, ...]:
        return filters.asked()

    async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
        self.asked += 1
        if self.error:
            raise self.error
        return SearchAnswer(results=(SearchResult(url=f"https://{self.id}.example/", title=self.id, snippet="words"),))


class Offer:
    """A plugin that offers providers."""

    def __init__(self, *providers: Other) -> None:
        self.providers = providers

    @hookimpl
    def websdk_search_providers(self, assembly: Any) -> Iterator[Any]:
        yield from self.providers


def settings(provider: str = "other", chain: tuple[str, ...] = (), **fields: Any) -> Settings:
    return Settings(plugins=(), search=SearchOptions(enabled=True, provider=provider, chain=chain), **fields)


def test_a_session_searches_with_the_configured_provider(rows: Loopback) -> None:
    with Client(settings("tiny"), plugins=[TinyPlugin(rows.origin)]) as client, client.session() as session:
        first = session.search("x")
        again = session.search("x")

    assert "tiny" == first.provider
    assert 1 == len(rows.asked)
    assert any("Reused" in notice for notice in again.notices)


def test_a_session_without_search_enabled_offers_pages_alone() -> None:
    with Client(Settings(plugins=())) as client:
        surface = client.session().surface

    assert (False, True, ("local",)) == (surface.search, surface.fetch, surface.rungs)


@pytest.mark.parametrize("name", ["", "no-such-provider", "brave"], ids=["none", "unknown", "without its key"])
def test_a_provider_that_cannot_be_used_takes_no_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    with Client(settings(name, ("other",)), plugins=[Offer(Other())]) as client, client.session() as session:
        reached = session.reaches("search", {"query": "x"})

    assert ("other",) == reached.providers


def test_the_next_of_the_chain_answers_where_the_first_is_down() -> None:
    down, up = Other("down"), Other("up")
    down.error = Unavailable("down", provider="down")
    with Client(settings("down", ("up",)), plugins=[Offer(down, up)]) as client, client.session() as session:
        assert "up" == session.search("x").provider


def test_a_provider_that_runs_through_servers_is_never_reused() -> None:
    host = Other("host", servers=("search-server",))
    with Client(settings("host"), plugins=[Offer(host)]) as client, client.session() as session:
        session.search("x")
        session.search("x")
        reached = session.reaches("search", {"query": "x"})

    assert 2 == host.asked
    assert ("search-server",) == reached.servers


def test_a_provider_says_its_family() -> None:
    code = Other("code", family="code")
    with Client(settings("other", ("code",)), plugins=[Offer(Other(), code)]) as client, client.session() as session:
        assert "code" == session.search("x", family="code").provider


def test_permission_is_asked_once_for_a_call_of_a_session(rows: Loopback) -> None:
    asked = []

    def authorize(intent: Any) -> bool:
        asked.append((intent.operation, intent.recipient, intent.origin))
        return True

    with Client(settings("tiny"), plugins=[TinyPlugin(rows.origin)], authorize=authorize) as client:
        client.session().search("x")

    assert [("search", "tiny", rows.origin)] == asked


def test_a_style_that_nobody_knows_is_refused() -> None:
    with Client(Settings(plugins=())) as client, pytest.raises(InvalidRequest, match="unified, pair"):
        client.session(style="both")


def test_a_session_may_have_a_permission_function_of_its_own() -> None:
    with (
        Client(settings(), plugins=[Offer(Other())], authorize=lambda intent: True) as client,
        pytest.raises(NotAuthorized),
    ):
        client.session(authorize=lambda intent: False).search("x")


def test_a_tenant_s_credential_is_used_and_tells_its_answers_apart(rows: Loopback) -> None:
    from .test_search import HeaderAuth

    plugin = TinyPlugin(rows.origin, HeaderAuth())
    with Client(settings("tiny"), plugins=[plugin], credentials={"tiny": "client-key"}) as client:
        clock = client._client._clock
        state = MemoryState(ReuseOptions(), clock=clock, key=b"k" * 16)
        for key in (None, {"tiny": "tenant-key"}, {"tiny": "tenant-key"}):
            client.session(credentials=key, state=state, scope="s").search("x")

    assert ["client-key", "tenant-key"] == [headers["x-key"] for _, headers in rows.asked]


def test_a_state_given_to_the_client_serves_all_its_sessions(rows: Loopback) -> None:
    state = MemoryState(ReuseOptions(), clock=AsyncClient(Settings(plugins=()))._clock, key=b"k" * 16)
    with Client(settings("tiny"), plugins=[TinyPlugin(rows.origin)], state=state) as client:
        client.session(scope="s").search("x")
        client.session(scope="s").search("x")

    assert 1 == len(rows.asked)


def test_a_page_that_another_client_may_not_read_is_not_given_from_a_shared_state(rows: Loopback) -> None:
    state = MemoryState(ReuseOptions(), clock=AsyncClient(Settings(plugins=()))._clock, key=b"k" * 16)
    rows.replies["/page"] = lambda: (200, {"Content-Type": "text/html"}, b"<h1>Tides</h1><p>High water at noon.</p>")
    fetch = FetchOptions(docs_index_discovery=False)
    allowed = EgressOptions(allow=(AllowEntry(origin=rows.origin),))
    with Client(Settings(plugins=(), egress=allowed, fetch=fetch), state=state) as client:
        (read,) = client.session(scope="s").fetch(f"{rows.origin}/page")
    with Client(Settings(plugins=(), fetch=fetch), state=state) as client:
        (refused,) = client.session(scope="s").fetch(f"{rows.origin}/page")

    assert read.document is not None
    assert isinstance(refused.error, EgressRefused)


class Purse:
    """A budget of so many calls."""

    def __init__(self, calls: int) -> None:
        self.calls = calls

    async def spend_call(self, recipient: str) -> None:
        if not self.calls:
            raise BudgetExhausted("no calls are left", limit="calls")
        self.calls -= 1

    async def claim(self, urls: Any) -> list[bool]:
        return [True for _ in urls]

    def snapshot(self) -> Any:
        return None


@pytest.mark.parametrize(
    "make", [lambda rows: TinyPlugin(rows.origin), lambda rows: Offer(Other("tiny"))], ids=["http", "other"]
)
def test_each_search_costs_one_call_and_none_is_sent_without(
    rows: Loopback, make: Callable[[Loopback], object]
) -> None:
    purse = Purse(1)
    with Client(settings("tiny"), plugins=[make(rows)]) as client, client.session() as session:
        session.search("x", allowance=purse)
        asked = len(rows.asked)
        with pytest.raises(BudgetExhausted):
            session.search("y", allowance=purse)

    assert 0 == purse.calls
    assert asked == len(rows.asked)


def test_pages_are_read_over_the_guard(rows: Loopback) -> None:
    rows.replies["/page"] = lambda: (200, {"Content-Type": "text/html"}, b"<h1>Tides</h1><p>High water at noon.</p>")
    egress = EgressOptions(allow=(AllowEntry(origin=rows.origin),))
    with Client(Settings(plugins=(), egress=egress, fetch=FetchOptions(docs_index_discovery=False))) as client:
        session = client.session(style="pair")
        page, refused = session.fetch([f"{rows.origin}/page", "http://192.168.7.7/"])
        found = session.read(page.document.ref, find="high WATER")

    assert "High water at noon." in page.document.markdown
    assert 1 == found.matches
    assert "EgressRefused" == type(refused.error).__name__
    assert "web_fetch" in session.surface.tools


@pytest.mark.parametrize(
    ("vendor", "asked"),
    [
        ("jina", {"header:x-retain-images": "none", "header:x-retain-links": "text"}),
        ("tavily", {"body:format": "text"}),
        ("exa", {}),
    ],
)
def test_a_page_that_a_session_keeps_is_asked_for_without_images_and_link_targets(
    vendor: str, asked: dict[str, str]
) -> None:
    url = "https://port.example/tides"
    with VendorServer([vendor]) as server:
        fetch = FetchOptions(proxy=vendor, docs_index_discovery=False)
        tested = attrs.evolve(server.settings(), fetch=fetch)
        with Client(tested, credentials=server.credentials()) as client:
            client.fetch(url, via="proxy")
            (kept,) = client.session().fetch(url, via="proxy")
            client.fetch(url, via="proxy")
        before, session, after = (leaves(received.request) for received in server.received)

    assert kept.document is not None
    assert {} == {place: before.get(place) for place in differences(before, after)}
    length = {"header:content-length"}  # of another text
    assert asked == {place: session.get(place) for place in differences(before, session) - length}


@pytest.mark.parametrize("probes", [True, False])
def test_a_session_says_that_this_machine_asks_origins_for_an_index_while_it_does(
    loopback: Loopback, probes: bool
) -> None:
    page = loopback.serve("/page", "<h1>Tides</h1><p>High water at noon.</p>")
    egress = EgressOptions(allow=(AllowEntry(origin=loopback.origin),))
    with VendorServer(["tavily"]) as server:
        fetch = FetchOptions(proxy="tavily", docs_index_discovery=probes)
        tested = attrs.evolve(server.settings(), fetch=fetch, egress=egress)
        with Client(tested, credentials=server.credentials()) as client, client.session() as session:
            over_proxy = session.reaches("search", {"urls": [page], "via": "proxy"})
            over_local = session.reaches("search", {"urls": [page]})
            (read,) = session.fetch(page, via="proxy")

    assert read.document is not None
    assert (("proxy", "local") if probes else ("proxy",)) == over_proxy.rungs
    assert (("/llms.txt",) if probes else ()) == tuple(loopback.paths())
    assert (("tavily",), ("local",)) == (over_proxy.providers, over_local.rungs)


def test_what_a_vendor_says_is_plain_for_a_program_and_quoted_for_a_model() -> None:
    said = "Reused from 3 s ago; nothing was sent."

    class Talkative(Other):
        async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
            answer = await super().search(request, call=call)
            return attrs.evolve(answer, notices=(said, "ours"), said_by_vendor=(said,))

    with Client(settings(), plugins=[Offer(Talkative())]) as client, client.session() as session:
        plain = client.search("x", provider="other")
        text = session.call("search", {"query": "x"}).text

    assert ((said, "ours"), (said,)) == (plain.notices, plain.said_by_vendor)
    assert f'Note: other says: "{said}"\nNote: ours\n' in text


def test_settings_bound_the_preview() -> None:
    tested = settings(preview=PreviewOptions(max_characters=1_000))
    with Client(tested, plugins=[Offer(Other())]) as client, client.session() as session:
        assert len(session.call("search", {"query": "x"}).text) <= 1_000


def test_a_reused_session_works_on_one_loop_after_another() -> None:
    other = Other()
    session = AsyncClient(settings(), plugins=[Offer(other)]).session()

    answers = [asyncio.run(session.search(word)).provider for word in "abc"]

    assert ["other"] * 3 == answers


def test_closing_the_client_ends_what_its_sessions_still_run() -> None:
    async def play() -> None:
        begun = asyncio.Event()

        class Silent(Other):
            async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
                begun.set()
                await asyncio.Event().wait()
                raise AssertionError

        client = AsyncClient(settings("silent"), plugins=[Offer(Silent("silent"))])
        session = client.session()
        caller = asyncio.create_task(session.search("x"))
        await begun.wait()
        await client.aclose()
        with pytest.raises(Exception, match="closed"):
            await caller
        assert {asyncio.current_task()} == asyncio.all_tasks()

    asyncio.run(play())


def test_a_wrong_call_is_refused_before_anything_runs() -> None:
    with Client(settings(), plugins=[Offer(Other())]) as client, pytest.raises(InvalidRequest):
        client.session().call("search", {"query": "x", "provider": "other"})


def test_both_sessions_take_the_same_arguments() -> None:
    def methods(kind: type) -> dict[str, list[str]]:
        found = inspect.getmembers(kind, inspect.isfunction)
        return {name: list(inspect.signature(item).parameters) for name, item in found if not name.startswith("_")}

    waiting, blocking = methods(AsyncSession), methods(Session)
    for name in ("aclose", "end_work"):
        waiting.pop(name)
    blocking.pop("close")

    assert waiting == blocking


def test_throttling_that_a_preset_declares_cools_down(rows: Loopback) -> None:
    limit = b'{"response": {"status": "ERROR: Daily Limit Reached"}}'
    rows.replies["/search"] = lambda: (200, {"Content-Type": "application/json"}, limit)
    connections = {"mojeek": ConnectionSettings(base_url=rows.origin)}
    tested = settings("mojeek", ("other",), connections=connections)
    with Client(tested, plugins=[Offer(Other())]) as client, client.session() as session:
        first, second = session.search("x"), session.search("y")

    assert ["other", "other"] == [first.provider, second.provider]
    assert 1 == len(rows.asked)


def test_no_form_of_a_key_is_said_or_logged(rows: Loopback, caplog: pytest.LogCaptureFixture) -> None:
    key = "k+/=&9"
    rows.replies["/search"] = lambda: (429, {"Retry-After": "20"}, key.encode())
    connections = {"mojeek": ConnectionSettings(base_url=rows.origin, credential="mine")}
    caplog.set_level(logging.DEBUG)
    with Client(settings("mojeek", connections=connections), credentials={"mine": key}) as client:
        session = client.session()
        said = [repr(session)]
        for _ in range(2):
            try:
                session.call("search", {"query": "x"})
            except RateLimited as error:
                said += [str(error), repr(error), repr(error.__cause__), failed_call(error).text, str(vars(error))]
    said += [record.getMessage() for record in caplog.records]

    assert 1 == len(rows.asked)
    assert "k%2B%2F%3D%269" in rows.asked[0][0]
    assert len(said) > 10
    assert not [line for line in said if key in line or "k%2B%2F%3D%269" in line]


@pytest.mark.parametrize(
    ("name", "given"), [("state", 5), ("scope", 5), ("authorize", True), ("judge", "x"), ("credentials", ["key"])]
)
def test_an_argument_that_is_not_of_its_kind_is_refused_when_a_session_is_opened(name: str, given: Any) -> None:
    with Client(Settings(plugins=())) as client, pytest.raises(ConfigurationError, match=f"{name} is"):
        client.session(**{name: given})


@pytest.mark.parametrize(
    "name",
    ["settings", "plugins", "credentials", "transport", "state", "authorize", "resolver", "connector", "clock"],
)
def test_an_argument_that_is_not_of_its_kind_makes_no_client(name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{name} is"):
        AsyncClient(**{name: 5})
