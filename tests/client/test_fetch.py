"""Reading pages with a client."""

import asyncio
from typing import Any

import pytest

from websdk import (
    AllowEntry,
    Assembly,
    AsyncClient,
    Client,
    EgressOptions,
    FetchOptions,
    FetchRequest,
    MemoryState,
    ReuseOptions,
    Settings,
    Via,
    hookimpl,
)
from websdk.errors import (
    AskAgain,
    EgressRefused,
    InvalidRequest,
    NotAuthorized,
    NotFound,
    Redirected,
    Refused,
    Unreadable,
)
from websdk.fetch import HttpReader
from websdk.protocols import Call, CheckedUrl, RawDocument
from websdk.testing import FakeClock

from .conftest import Loopback

PAGE = "<html><head><title>Harbour</title></head><body><main><h1>Harbour</h1><p>{}</p></main></body></html>"
TEXT = "A paragraph about the harbour that is long enough to be read as the text of this page."


def test_page_is_read_as_markdown_with_receipt(loopback: Loopback, open_settings: Settings) -> None:
    url = loopback.serve("/page", PAGE.format(TEXT))
    with Client(open_settings) as tested:
        document = tested.fetch(url)

    assert "# Harbour" in document.markdown
    assert TEXT in document.markdown
    assert (Via.LOCAL, url) == (document.via, document.served_url)
    assert document.receipt is not None
    assert ["local", "docs_index"] == [item.recipient for item in document.receipt.attempts]


def test_address_that_is_not_allowed_is_refused_unsent(loopback: Loopback) -> None:
    url = loopback.serve("/page", PAGE.format(TEXT))
    with Client(Settings(plugins=())) as tested, pytest.raises(EgressRefused) as caught:
        tested.fetch(url)

    assert caught.value.sent is False
    assert "/page" not in str(caught.value)
    assert loopback.asked == []


def test_redirect_names_its_destination_and_is_not_followed(loopback: Loopback, open_settings: Settings) -> None:
    url = loopback.serve("/moved", "moved", status=302, Location="/secret-place?token=1")
    loopback.serve("/secret-place", PAGE.format(TEXT))
    with Client(open_settings) as tested, pytest.raises(Redirected) as caught:
        tested.fetch(url)

    assert caught.value.destination == f"{loopback.origin}/secret-place?token=1"
    assert "secret-place" not in f"{caught.value} {caught.value!r}"
    assert loopback.paths() == ["/moved"]


@pytest.mark.parametrize(
    ("status", "expected"), [(404, NotFound), (410, NotFound), (429, AskAgain), (503, AskAgain), (204, Unreadable)]
)
def test_outcomes_are_told_apart(loopback: Loopback, open_settings: Settings, status: int, expected: type) -> None:
    url = loopback.serve("/page", b"", status=status)
    with Client(open_settings) as tested, pytest.raises(expected):
        tested.fetch(url)


def test_denied_read_sends_nothing(loopback: Loopback, open_settings: Settings) -> None:
    seen = []
    url = loopback.serve("/page", PAGE.format(TEXT))
    denying = Client(open_settings, authorize=lambda intent: bool(seen.append(intent)))
    with denying, pytest.raises(NotAuthorized):
        denying.fetch(url)

    assert [("fetch", "local", ("127.0.0.1",))] == [(item.operation, item.recipient, item.hosts) for item in seen]
    assert loopback.asked == []


def test_request_value_takes_no_fields_beside_it(open_settings: Settings) -> None:
    with Client(open_settings) as tested, pytest.raises(InvalidRequest):
        tested.fetch(FetchRequest(url="https://a.example/"), via="local")


def test_rung_that_does_not_exist_is_refused_with_those_that_do(open_settings: Settings) -> None:
    with Client(open_settings) as tested, pytest.raises(InvalidRequest, match="local"):
        tested.fetch("https://a.example/", via="render")


def test_text_is_cut_within_the_asked_length(loopback: Loopback, open_settings: Settings) -> None:
    url = loopback.serve("/page", PAGE.format("</p><p>".join([TEXT] * 50)))
    with Client(open_settings) as tested:
        document = tested.fetch(url, max_characters=500)

    assert document.truncated
    assert len(document.markdown) <= 500


def test_page_reads_ignore_the_foreign_transport(loopback: Loopback) -> None:
    class Refusing:
        async def send(self, request: object, *, limits: object) -> object:
            raise AssertionError("a page read went through the embedder's transport")

        async def aclose(self) -> None:
            pass

    url = loopback.serve("/page", PAGE.format(TEXT))
    settings = Settings(egress=EgressOptions(allow=(AllowEntry(origin=loopback.origin),)), plugins=())
    with Client(settings, transport=Refusing()) as tested:  # type: ignore[arg-type]
        document = tested.fetch(url)

    assert TEXT in document.markdown


def test_proxy_of_the_environment_takes_no_part(
    loopback: Loopback, open_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    url = loopback.serve("/page", PAGE.format(TEXT))
    with Client(open_settings) as tested:
        document = tested.fetch(url)

    assert TEXT in document.markdown


@pytest.mark.parametrize(("page", "reply"), [(10_000, 3 * 10_000 + 65_536), (8 * 1024 * 1024, 2 * 1024 * 1024)])
def test_ceiling_of_pages_binds_readers_too_and_never_lifts_their_own(page: int, reply: int) -> None:
    reader = Client(Settings(plugins=(), fetch=FetchOptions(max_response_bytes=page))).parts.reader("jina")

    assert isinstance(reader, HttpReader)
    assert (page, reply) == (reader.max_bytes, reader.caller.max_reply_bytes)


class Browser:
    """A rung for each of whose reads something runs, until it is closed."""

    via = Via.RENDER

    def __init__(self, *, reads: int = 1) -> None:
        self.max_page_bytes: list[int] = []
        self.reading = asyncio.Event()  # so many reads are under way
        self.closed = asyncio.Event()
        self.left = 0
        self._awaited = reads

    @hookimpl
    def websdk_fetch_rungs(self, assembly: Assembly) -> list[Any]:
        self.max_page_bytes.append(assembly.max_page_bytes)
        return [self]

    async def read(self, url: CheckedUrl, *, call: Call) -> RawDocument:
        self._awaited -= 1
        if self._awaited == 0:
            self.reading.set()
        try:
            await self.closed.wait()
        except asyncio.CancelledError:
            self.left += 1
            raise
        raise AskAgain("the browser was closed", sent=True)

    async def aclose(self) -> None:
        self.closed.set()


RENDERING = Settings(plugins=(), fetch=FetchOptions(render=True, max_response_bytes=10_000))
ELSEWHERE = "https://93.184.216.34/"


def test_rung_of_a_plugin_is_told_the_ceiling_of_a_page() -> None:
    browser = Browser()
    with Client(RENDERING, plugins=[browser]) as tested:
        assert (Via.LOCAL, Via.RENDER) == tested.session().surface.rungs

    assert [10_000] == browser.max_page_bytes


@pytest.mark.parametrize("credentials", [None, {"jina": "a tenant's key"}], ids=["client's", "tenant's"])
def test_closing_the_client_closes_the_rung_that_a_session_reads_over(credentials: Any) -> None:
    async def play() -> Browser:
        browser = Browser()
        client = AsyncClient(RENDERING, plugins=[browser])
        # With a state of several sessions, closing the client ends no flight of a session by itself.
        state = MemoryState(ReuseOptions(), clock=FakeClock(), key=b"k" * 16)
        session = client.session(credentials=credentials, state=state)
        reading = asyncio.create_task(session.fetch(ELSEWHERE, via="render"))
        await browser.reading.wait()
        await client.aclose()
        [page] = await reading
        assert isinstance(page.error, AskAgain)
        return browser

    browser = asyncio.run(play())

    assert browser.closed.is_set()
    assert [10_000] == browser.max_page_bytes  # one browser for the client and all its tenants


def test_closing_a_session_ends_its_own_reads_and_no_rung_of_the_client() -> None:
    async def play() -> Browser:
        browser = Browser(reads=2)
        async with AsyncClient(RENDERING, plugins=[browser]) as client:
            tenant, other = client.session(credentials={"jina": "a tenant's key"}), client.session()
            reads = [asyncio.create_task(item.fetch(ELSEWHERE, via="render")) for item in (tenant, other)]
            await browser.reading.wait()
            await tenant.aclose()
            with pytest.raises(Refused):
                await reads[0]
            assert (1, False, False) == (browser.left, browser.closed.is_set(), reads[1].done())
        [page] = await reads[1]
        assert isinstance(page.error, Refused)
        return browser

    assert asyncio.run(play()).closed.is_set()
