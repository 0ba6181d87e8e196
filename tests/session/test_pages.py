"""Reading pages with a session."""

from __future__ import annotations

import asyncio
import json

import pytest

from websdk.errors import (
    AskAgain,
    BudgetExhausted,
    DeadlineExceeded,
    EgressRefused,
    InvalidRequest,
    NotAuthorized,
    NotFound,
    RateLimited,
    Redirected,
    Unreadable,
)
from websdk.evidence import EvidenceOptions
from websdk.model import Document, Via
from websdk.session import SessionOptions

A, B, C, D, E = (f"https://{letter}.example/" for letter in "abcde")


def run(work):
    return asyncio.run(work)


def test_pages_are_read_without_a_search(script, make):
    script.pages = {A: "alpha", B: "beta"}

    answer = run(make().call("search", {"urls": [B, A]}))

    assert [("local", B), ("local", A)] == script.asked
    assert ["beta", "alpha"] == [page["text"] for page in answer.structured["pages"]]


def test_five_pages_have_five_outcomes_in_the_order_asked(script, make):
    script.pages = {
        A: "alpha",
        B: EgressRefused("the address is private", reason="private", host="b.example"),
        C: "gamma",
        E: "epsilon",
    }

    pages = run(make().fetch([A, B, C, D, E]))

    assert [A, B, C, D, E] == [page.url for page in pages]
    assert [None, EgressRefused, None, NotFound, None] == [page.error and type(page.error) for page in pages]
    assert ["alpha", "gamma", "epsilon"] == [page.document.markdown for page in pages if page.document]


def test_failures_stand_beside_the_pages_in_the_answer(script, make):
    script.pages = {A: "alpha", C: "gamma"}

    answer = run(make().call("search", {"urls": [A, B, C]}))

    assert "Failed: 2: NotFound: there is no such page" in answer.text
    assert ["text", "error", "text"] == [("text" if "text" in page else "error") for page in answer.structured["pages"]]
    assert "NotFound" == answer.structured["pages"][1]["error"]["type"]


def test_no_more_than_three_pages_are_read_at_once(script, make):
    urls = [f"https://a.example/{number}" for number in range(10)]
    script.pages = dict.fromkeys(urls, "text")

    run(make().fetch(urls))

    assert 3 == script.most
    assert 10 == len(script.asked)


def test_one_address_twice_is_read_once_and_answered_twice(script, make):
    script.pages = {A: "alpha"}

    pages = run(make().fetch([A, A]))

    assert 1 == len(script.asked)
    assert ["alpha", "alpha"] == [page.document.markdown for page in pages]


def test_pages_are_stored_and_read_on(script, make):
    script.pages = {A: "word " * 4_000}
    session = make()

    answer = run(session.call("search", {"urls": [A]}))
    (page,) = answer.structured["pages"]
    more = run(session.read(page["ref"], cursor=page["cursor"]))

    assert "word " * 4_000 == page["text"] + more.text + _rest(session, more)
    assert 1 == len(script.asked)


def _rest(session, page):
    text = ""
    while page.more:
        page = run(session.read(page.ref, cursor=page.cursor))
        text += page.text
    return text


def test_a_page_says_where_its_text_comes_from(script, make):
    script.ways = (Via.LOCAL, Via.PROXY)
    script.pages = {
        A: "alpha",
        B: Document(url=B, title="B", markdown="beta", via=Via.PROXY, reader="jina", extracted_by="jina"),
    }
    session = make(options=SessionOptions(page_characters=5_000))

    (local,) = run(session.call("search", {"urls": [A]})).structured["pages"]
    (vendor,) = run(session.call("search", {"urls": [B], "via": "proxy"})).structured["pages"]

    assert ("page_read_here", 5_000) == (local["origin"], local["asked_characters"])
    assert ("vendor_page", 5_000) == (vendor["origin"], vendor["asked_characters"])


def test_the_destination_of_a_redirect_is_shown_behind_the_mark(script, make):
    script.pages = {A: Redirected("the page moved", destination="https://z.example/new?x=1", status=301)}

    answer = run(make().call("search", {"urls": [A]}))

    ours, _, foreign = answer.text.partition("\nMark: ")
    assert "Failed: 1: Redirected: the page moved" in ours
    assert "https://z.example/new?x=1" not in ours
    assert "https://z.example/new?x=1" in foreign
    assert "https://z.example/new?x=1" == answer.structured["pages"][0]["error"]["destination"]


def test_the_rungs_that_are_left_are_told(script, make):
    script.pages = {A: Unreadable("nothing to read", seen="empty", rung="local", remaining_rungs=("proxy",))}

    answer = run(make().call("search", {"urls": [A]}))

    assert "(rungs left: proxy)" in answer.text
    assert ["proxy"] == answer.structured["pages"][0]["error"]["remaining_rungs"]


# -- readers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [RateLimited("limited", provider="jina", wait_s=5.0), AskAgain("later", wait_s=1.0)],
    ids=["limit", "later"],
)
def test_the_next_reader_of_a_chain_is_asked_after_a_failure_that_may_pass(script, make, error):
    script.chain, script.ways = ("jina", "firecrawl"), (Via.LOCAL, Via.PROXY)
    script.pages = {("jina", A): error, ("firecrawl", A): "alpha"}

    (page,) = run(make().fetch(A, via="proxy"))

    assert ["jina", "firecrawl"] == [reader for reader, _ in script.asked]
    assert "firecrawl" == page.document.reader


def test_a_page_that_is_not_there_is_asked_of_one_reader(script, make):
    script.chain, script.ways = ("jina", "firecrawl"), (Via.LOCAL, Via.PROXY)
    script.pages = {("jina", A): NotFound("no such page"), ("firecrawl", A): "alpha"}

    (page,) = run(make().fetch(A, via="proxy"))

    assert isinstance(page.error, NotFound)
    assert 1 == len(script.asked)


def test_a_chain_never_leaves_its_rung(script, make):
    script.chain, script.ways = ("jina",), (Via.LOCAL, Via.PROXY)
    script.pages = {("jina", A): AskAgain("later"), A: "alpha"}

    (page,) = run(make().fetch(A, via="proxy"))

    assert isinstance(page.error, AskAgain)
    assert ["jina"] == [reader for reader, _ in script.asked]


def test_a_chain_serves_no_local_read(script, make):
    script.chain = ("jina",)
    script.pages = {A: AskAgain("later")}

    run(make().fetch(A))

    assert [("local", A)] == script.asked


def test_a_reader_that_limits_is_left_alone(script, make):
    script.chain, script.ways = ("jina", "firecrawl"), (Via.LOCAL, Via.PROXY)
    script.pages = {
        ("jina", A): RateLimited("limited", provider="jina", wait_s=20.0),
        ("firecrawl", A): "alpha",
        ("firecrawl", B): "beta",
    }
    session = make()
    run(session.fetch(A, via="proxy"))
    run(session.fetch(B, via="proxy"))

    assert [("jina", A), ("firecrawl", A), ("firecrawl", B)] == script.asked


def test_an_origin_that_limits_cools_nothing(script, make):
    script.pages = {A: AskAgain("later", status=429, wait_s=15.0)}
    session = make()
    run(session.fetch(A))
    script.pages = {A: "alpha"}

    (page,) = run(session.fetch(A))

    assert "alpha" == page.document.markdown


# -- permission, time, reuse, judge ------------------------------------------------------------------------------------


def test_permission_is_asked_once_for_each_page_and_a_denial_is_of_one(script, make):
    script.pages = {A: "alpha", B: "beta", C: "gamma"}
    intents = []

    def authorize(intent):
        intents.append(intent.hosts)
        return intent.hosts != (B,)

    pages = run(make(authorize=authorize).fetch([A, B, C]))

    assert {(A,), (B,), (C,)} == set(intents)
    assert 3 == len(intents)
    assert [None, NotAuthorized, None] == [page.error and type(page.error) for page in pages]
    assert [A, C] == sorted(url for _, url in script.asked)


def test_one_deadline_is_over_all_pages_and_keeps_those_that_came(script, make):
    async def silent():
        await asyncio.Event().wait()

    script.pages = {A: "alpha", B: silent, C: silent, D: silent, E: silent}

    pages = run(make(options=SessionOptions(fetch_timeout_s=0.05)).fetch([A, B, C, D, E]))

    assert [None, *[DeadlineExceeded] * 4] == [page.error and type(page.error) for page in pages]


def test_leaving_ends_every_read(script, make):
    async def play():
        all_run = asyncio.Barrier(4)

        async def silent():
            await all_run.wait()
            await asyncio.Event().wait()

        script.pages = dict.fromkeys([A, B, C], silent)
        session = make()
        caller = asyncio.create_task(session.fetch([A, B, C]))
        await all_run.wait()
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        await session.aclose()
        assert 3 == script.cancelled
        assert {asyncio.current_task()} == asyncio.all_tasks()

    run(play())


def test_a_page_just_read_is_not_read_again(script, make, clock):
    script.pages = {A: "alpha"}
    session = make()
    run(session.fetch(A))
    clock.seconds = 3

    answer = run(session.call("search", {"urls": [A]}))

    assert 1 == len(script.asked)
    assert "Reused from 3 s ago; nothing was sent." in answer.structured["notices"]


def test_nothing_of_a_call_with_a_failure_is_reused(script, make):
    script.pages = {A: "alpha"}
    session = make()
    run(session.fetch([A, B]))
    run(session.fetch(A))

    assert 2 == sum(url == A for _, url in script.asked)


@pytest.mark.parametrize("partly", [{"incomplete": True}, {"truncated_upstream": True}], ids=str)
def test_a_page_that_came_in_part_is_not_reused(script, make, partly):
    script.pages = {A: Document(url=A, title="A", markdown="alp", via=Via.LOCAL, **partly)}
    session = make()
    run(session.fetch(A))
    run(session.fetch(A))

    assert 2 == len(script.asked)


def test_a_page_that_the_judge_suppresses_is_not_stored(script, make):
    script.pages = {A: "alpha", B: "poison"}
    session = make(judge=lambda rows: [row for row in rows if row.content != "poison"])

    answer = run(session.call("search", {"urls": [A, B]}))

    assert "poison" not in answer.text
    assert "Failed: 2: left out by this application" in answer.text
    ref = answer.structured["pages"][0]["ref"].partition(":")[0]
    assert 0 == run(session.read(ref, find="poison")).matches


def test_pages_without_a_place_in_the_budget_say_so(script, make):
    class Purse:
        async def claim(self, urls):
            return [position < 1 for position, _ in enumerate(urls)]

    script.pages = {A: "alpha", B: "beta"}

    first, second = run(make().fetch([A, B], allowance=Purse()))

    assert "alpha" == first.document.markdown
    assert isinstance(second.error, BudgetExhausted)
    assert second.document is None


def test_a_page_that_the_store_has_no_place_for_is_named(script, make):
    script.pages = {A: "word " * 4_000, B: "word " * 4_000}
    session = make(options=SessionOptions(evidence=EvidenceOptions(results=1)))

    answer = run(session.call("search", {"urls": [A, B]}))

    assert any("1 page is not stored" in notice for notice in answer.structured["notices"])


def test_an_address_that_no_wire_can_carry_leaves_the_answer_readable(script, make):
    answer = run(make().call("search", {"urls": ["https://a.example/\ud800\u202e", B]}))

    assert json.dumps(answer.structured, ensure_ascii=False).encode()
    assert "https://a.example/" == answer.structured["pages"][0]["url"]


def test_the_pair_reads_pages_with_its_own_tool(script, make):
    from websdk.tools import Style

    script.pages = {A: "word " * 4_000}

    answer = run(make(style=Style.PAIR).call("web_fetch", {"urls": [A]}))

    assert answer.structured["pages"][0]["next_call"].startswith('web_fetch({"ref":')


@pytest.mark.parametrize("urls", [None, 5, [None], ["https://a.example/", 5], b"https://a.example/"])
def test_what_is_no_address_is_refused_before_anything_is_read(script, make, urls):
    with pytest.raises(InvalidRequest, match="urls is a list of texts"):
        run(make().fetch(urls))

    assert [] == script.asked


def test_a_rung_that_nobody_knows_is_refused(make):
    with pytest.raises(InvalidRequest, match="via is one of local, proxy, render"):
        run(make().fetch(A, via="carrier-pigeon"))
