"""Servers on loopback, asked through a client: both generations, every layer of failure, nothing passed over."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from mcp.types import CallToolResult, TextContent
from websdk_mcp import McpServers

from websdk import (
    AsyncClient,
    ConfigurationError,
    ConnectionSettings,
    CredentialRejected,
    DeadlineExceeded,
    FilterKey,
    Filters,
    MalformedAnswer,
    NotAuthorized,
    ProviderError,
    ProviderRejected,
    RateLimited,
    SearchResponse,
    Settings,
    SettingsError,
    Unavailable,
    WebSdkError,
)

TEXT = "Title: Tides\nURL: https://a.example/\nPublished: 2026-01-02\nHighlights:\nTables of tides"


def web_search_exa(query: str, numResults: int = 10) -> str:
    """Answer as the known server does."""
    return TEXT


def client(
    served: Any, id: str = "exa-mcp", *, key: str | None = None, options: Any = None, **more: Any
) -> AsyncClient:
    connection = ConnectionSettings(base_url=served.url, credential=None if key is None else "key")
    settings = Settings(plugins=(), connections={id: connection}, plugin={"mcp": options or {}})
    return AsyncClient(settings, plugins=[McpServers(**more)], credentials={} if key is None else {"key": key})


def search(of: AsyncClient, provider: str = "exa-mcp", **more: Any) -> SearchResponse:
    return asyncio.run(of.search("tides", provider=provider, **more))


@pytest.mark.parametrize("json_response", [False, True], ids=["events", "json"])
def test_server_of_the_current_generation_is_asked_without_a_session(serve: Any, json_response: bool) -> None:
    served = serve(web_search_exa=web_search_exa, json_response=json_response)

    response = search(client(served), filters=Filters(recency="week", include_domains=["a.example"]), max_results=200)

    [found] = response.results
    assert ("https://a.example/", "Tides", "Tables of tides") == (found.url, found.title, found.snippet)
    assert "2026-01-02" == str(found.published)
    assert (FilterKey.RECENCY, FilterKey.INCLUDE_DOMAINS) == response.unsupported_filters
    assert [("max_results", 200, 100)] == [(item.what, item.asked, item.sent) for item in response.adjustments]
    assert ["server/discover", "tools/list", "tools/call"] == served.methods()


def test_server_of_the_earlier_generation_gets_its_handshake(serve: Any) -> None:
    served = serve(web_search_exa=web_search_exa, old=True)

    response = search(client(served))

    assert ["https://a.example/"] == [result.url for result in response.results]
    assert ["server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call"] == [
        method for method in served.methods() if method not in ("GET", "DELETE")
    ]
    assert "GET" not in served.methods()


@pytest.mark.parametrize("old", [False, True])
def test_generation_of_a_server_is_remembered(serve: Any, old: bool) -> None:
    served = serve(web_search_exa=web_search_exa, old=old)
    one = client(served)

    search(one)
    before = len(served.seen)
    search(one)

    again = served.methods()[before:]
    assert "server/discover" not in again
    assert old == ("initialize" in again)
    assert ["tools/list", "tools/call"] == [method for method in again if method.startswith("tools/")]


def test_every_request_stands_in_the_receipt(serve: Any) -> None:
    served = serve(web_search_exa=web_search_exa)

    response = search(client(served))

    assert response.receipt is not None
    assert [("exa-mcp", "ok", 200)] * 3 == [
        (attempt.recipient, attempt.outcome, attempt.status) for attempt in response.receipt.attempts
    ]


def test_nothing_is_contacted_before_a_call_needs_it(serve: Any) -> None:
    served = serve(web_search_exa=web_search_exa)

    plan = client(served).plan("tides", provider="exa-mcp", filters=Filters(country="DE"))

    assert [] == served.seen
    assert plan.request is not None
    assert plan.request.body is not None
    assert {
        "method": "tools/call",
        "params": {"name": "web_search_exa", "arguments": {"query": "tides", "numResults": 10}},
    } == json.loads(plan.request.body)
    assert (FilterKey.COUNTRY,) == plan.unsupported_filters


def test_key_goes_along_only_where_one_is_named(serve: Any) -> None:
    served = serve(web_search_exa=web_search_exa)

    search(client(served))
    without = [headers.get("x-api-key") for _, headers in served.seen]
    served.seen.clear()
    search(client(served, key="canary-key"))

    assert {None} == set(without)
    assert {"canary-key"} == {headers.get("x-api-key") for _, headers in served.seen}


def test_key_that_is_meant_for_the_known_address_goes_to_no_other(serve: Any) -> None:
    served = serve(web_search_exa=web_search_exa)
    settings = Settings(plugins=(), connections={"exa-mcp": ConnectionSettings(base_url=served.url)})
    one = AsyncClient(settings, plugins=[McpServers()], credentials={"exa-mcp": "canary-key"})

    search(one)

    assert {None} == {headers.get("x-api-key") for _, headers in served.seen}


def test_key_that_comes_back_is_masked(serve: Any) -> None:
    def echoing(query: str, numResults: int = 10) -> str:
        return f"{TEXT} canary-key"

    response = search(client(serve(web_search_exa=echoing), key="canary-key"))

    assert "Tables of tides" in response.results[0].snippet
    assert "canary-key" not in repr(response)


def test_tool_that_is_not_offered_is_never_called(serve: Any) -> None:
    def crawling_exa(query: str) -> str:
        return "wrong"

    served = serve(crawling_exa=crawling_exa)

    with pytest.raises(ProviderRejected, match="does not offer the tool web_search_exa"):
        search(client(served))
    assert "tools/call" not in served.methods()


def test_argument_that_the_tool_no_longer_takes_is_not_passed_over(serve: Any) -> None:
    def web_search_exa(query: str) -> str:
        return TEXT

    served = serve(web_search_exa=web_search_exa)

    with pytest.raises(ProviderRejected, match="does not take numResults"):
        search(client(served))
    assert "tools/call" not in served.methods()


# -- failures: HTTP, protocol, tool, text


@pytest.mark.parametrize(
    ("status", "headers", "error"),
    [
        (401, {}, CredentialRejected),
        (403, {}, CredentialRejected),
        (429, {"retry-after": "7"}, RateLimited),
        (500, {}, Unavailable),
        (503, {}, Unavailable),
        (307, {"location": "/elsewhere"}, ProviderRejected),
        (302, {"location": "http://169.254.169.254/"}, ProviderRejected),
    ],
)
def test_status_of_the_reply_is_not_lost(
    serve: Any, status: int, headers: dict[str, str], error: type[ProviderError]
) -> None:
    served = serve(web_search_exa=web_search_exa)
    served.answer = (status, headers, b"canary")

    with pytest.raises(error) as caught:
        search(client(served))

    assert status == caught.value.status
    assert ("7" in headers.values()) == (caught.value.wait_s == 7)
    assert "canary" not in str(caught.value)
    assert 1 == len(served.seen)


def test_reply_that_is_no_protocol_is_a_failure(serve: Any) -> None:
    served = serve(web_search_exa=web_search_exa)
    served.answer = (200, {"content-type": "text/html"}, b"<html>canary</html>")

    with pytest.raises(WebSdkError) as caught:
        search(client(served))

    assert isinstance(caught.value, (Unavailable, ProviderRejected, MalformedAnswer))
    assert "canary" not in str(caught.value)


def test_reply_beyond_the_ceiling_is_not_read(serve: Any) -> None:
    served = serve(web_search_exa=web_search_exa)
    served.answer = (200, {"content-type": "application/json"}, b" " * (3 * 1024 * 1024))

    with pytest.raises(MalformedAnswer):
        search(client(served))


def test_server_that_is_not_there_is_unavailable() -> None:
    from types import SimpleNamespace

    with pytest.raises(Unavailable):
        search(client(SimpleNamespace(url="http://127.0.0.1:9")))


def test_tool_that_takes_too_long_ends_at_the_deadline(serve: Any) -> None:
    hanging: list[int] = []

    async def web_search_exa(query: str, numResults: int = 10) -> str:
        hanging.append(1)
        await asyncio.Event().wait()
        return TEXT

    served = serve(web_search_exa=web_search_exa)

    with pytest.raises(DeadlineExceeded):
        search(client(served), timeout_s=1.0)
    assert [1] == hanging


PRESET = """
schema = 1
[vendor]
name = "Intranet"
base_url = "https://mcp.intranet.example"
[search]
path = "/mcp"
query = { at = "text" }
count = { at = "limit", max = 20 }
[search.filters]
recency = { at = "age", values = { week = "7d" } }
include_domains = { at = "hosts[]", max = 2 }
[search.results]
at = "hits"
title = "name"
url = "link"
[[search.errors]]
at = "text"
begins = "Nothing found"
means = "empty"
[[search.errors]]
at = "text"
begins = "Too many"
means = "rate_limited"
"""


def intranet(served: Any, tmp_path: Path) -> AsyncClient:
    path = tmp_path / "intranet.toml"
    path.write_text(PRESET)
    options = {"servers": {"intranet": {"preset": str(path), "tools": ["lookup_v2", "lookup"]}}}
    return client(served, "intranet", options=options)


def test_server_of_settings_gets_its_filters_as_arguments(serve: Any, tmp_path: Path) -> None:
    got: list[Any] = []

    def lookup(text: str, limit: int = 5, age: str = "", hosts: list[str] | None = None) -> dict[str, Any]:
        got.append((text, limit, age, hosts))
        return {"hits": [{"name": "Tides", "link": "https://a.example/"}]}

    served = serve(lookup=lookup)
    filters = Filters(recency="week", include_domains=["a.example", "b.example"], language="de")

    response = search(intranet(served, tmp_path), "intranet", filters=filters, max_results=50)

    assert [("tides", 20, "7d", ["a.example", "b.example"])] == got
    assert ["https://a.example/"] == [result.url for result in response.results]
    assert (FilterKey.LANGUAGE,) == response.unsupported_filters


@pytest.mark.parametrize("raises", [False, True], ids=["text", "error"])
@pytest.mark.parametrize(
    ("said", "error"),
    [("Nothing found for you", None), ("Too many calls", RateLimited), ("Something else: canary", WebSdkError)],
)
def test_failure_in_words_is_told_by_its_words(
    serve: Any, tmp_path: Path, said: str, error: type[Exception] | None, raises: bool
) -> None:
    def lookup(text: str, limit: int = 5) -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text=said)], is_error=raises)

    one = intranet(serve(lookup=lookup), tmp_path)

    if error is None:
        assert () == search(one, "intranet").results
        return
    with pytest.raises(error) as caught:
        search(one, "intranet")
    if error is WebSdkError:
        assert (ProviderRejected if raises else MalformedAnswer) is type(caught.value)
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(("code", "error"), [(-32602, ProviderRejected), (-32000, Unavailable)])
def test_error_of_the_protocol_is_a_failure(serve: Any, code: int, error: type[Exception]) -> None:
    from mcp import MCPError

    def web_search_exa(query: str, numResults: int = 10) -> str:
        raise MCPError(code=code, message="canary")

    served = serve(web_search_exa=web_search_exa)

    with pytest.raises(error) as caught:
        search(client(served))

    assert "canary" not in str(caught.value)


def test_queries_keys_and_bodies_stay_out_of_logs(serve: Any, caplog: pytest.LogCaptureFixture) -> None:
    served = serve(web_search_exa=web_search_exa)
    one = client(served, key="canary-key")
    search(one)
    served.answer = (200, {"content-type": "application/json"}, b'{"canary-body": ')
    caplog.set_level(logging.DEBUG)

    with pytest.raises(WebSdkError) as caught:
        asyncio.run(one.search("canary-query", provider="exa-mcp"))

    mine = [record for record in caplog.records if record.threadName == "MainThread"]
    shown = " ".join(record.getMessage() + str(record.exc_info) for record in mine) + repr(caught.value)
    assert "canary" not in shown
    assert "/mcp" not in shown


# -- a host that calls tools itself


@pytest.mark.parametrize("plain", [False, True], ids=["async", "plain"])
def test_host_calls_the_tool_and_nothing_is_opened_here(plain: bool) -> None:
    calls: list[Any] = []

    def answer(server: str, tool: str, arguments: Any) -> Any:
        calls.append((server, tool, dict(arguments)))
        return {"content": [{"type": "text", "text": TEXT}]}

    async def answer_later(server: str, tool: str, arguments: Any) -> Any:
        return answer(server, tool, arguments)

    settings = Settings(plugins=(), plugin={"mcp": {"servers": {"exa-mcp": {"name": "exa"}}}})
    one = AsyncClient(settings, plugins=[McpServers(call_tool=answer if plain else answer_later)])

    response = search(one, max_results=3)

    assert [("exa", "web_search_exa", {"query": "tides", "numResults": 3})] == calls
    assert ["https://a.example/"] == [result.url for result in response.results]
    assert response.receipt is not None
    assert [("exa-mcp", "exa", "ok")] == [
        (attempt.recipient, attempt.host, attempt.outcome) for attempt in response.receipt.attempts
    ]


def test_session_is_told_which_server_a_call_contacts_and_to_share_nothing() -> None:
    settings = Settings(plugins=(), plugin={"mcp": {"servers": {"exa-mcp": {"name": "exa"}}}})

    provider: Any = AsyncClient(settings, plugins=[McpServers()]).parts.provider("exa-mcp")

    assert ("exa",) == provider.servers
    assert not provider.shares


@pytest.mark.parametrize(
    ("raised", "kind", "words"),
    [
        (PermissionError("not this one"), NotAuthorized, "exa-mcp: the host refused the call"),
        (KeyError("not this one"), ProviderError, "exa-mcp raised KeyError"),
    ],
)
def test_what_the_host_raises_is_told_as_a_failure_whose_cause_it_is(
    raised: Exception, kind: type[WebSdkError], words: str
) -> None:
    def refuse(server: str, tool: str, arguments: Any) -> Any:
        raise raised

    one = AsyncClient(Settings(plugins=()), plugins=[McpServers(call_tool=refuse)])

    with pytest.raises(kind) as caught:
        search(one)
    assert (kind, words) == (type(caught.value), str(caught.value))
    assert raised is caught.value.__cause__


def test_what_a_host_hands_back_must_be_a_result() -> None:
    one = AsyncClient(Settings(plugins=()), plugins=[McpServers(call_tool=lambda *_: "text")])

    with pytest.raises(MalformedAnswer):
        search(one)


# -- settings


@pytest.mark.parametrize(
    ("servers", "words"),
    [
        ([], ["plugin.mcp.servers: must be a table"]),
        ({"x": 1}, ["plugin.mcp.servers.x: must be a table"]),
        (
            {"x": {"tools": [], "grammar": "yaml", "prset": "/a"}},
            [
                "plugin.mcp.servers.x.prset: unknown key",
                "plugin.mcp.servers.x.tools: must be a list of names of the search tool",
                "plugin.mcp.servers.x.grammar: is one of json, records",
                "plugin.mcp.servers.x.preset: must be the absolute path of a preset file",
            ],
        ),
        ({"x": {"tools": ["a"], "preset": "relative.toml"}}, ["must be the absolute path"]),
        ({"x": {"tools": ["a"], "preset": "/no/such/file.toml"}}, ["the file cannot be read"]),
        ({"exa-mcp": {"tools": ["a"]}}, ["plugin.mcp.servers.exa-mcp: is a known server and takes `name` alone"]),
    ],
)
def test_wrong_settings_name_every_problem(servers: Any, words: list[str]) -> None:
    one = AsyncClient(Settings(plugins=(), plugin={"mcp": {"servers": servers}}), plugins=[McpServers()])

    with pytest.raises(ConfigurationError) as caught:
        one.plan("tides", provider="exa-mcp")

    cause = caught.value.__cause__
    assert isinstance(cause, SettingsError)
    assert len(words) == len(cause.problems)
    assert all(word in problem for word, problem in zip(words, cause.problems, strict=True))


def test_preset_of_a_server_that_is_wrong_names_its_keys(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(PRESET.replace('at = "text"', 'att = "text"').replace("[search]\n", '[search]\nmethod = "GET"\n'))
    options = {"servers": {"x": {"preset": str(path), "tools": ["a"]}}}
    one = AsyncClient(Settings(plugins=(), plugin={"mcp": options}), plugins=[McpServers()])

    with pytest.raises(ConfigurationError, match=r"plugin\.mcp\.servers\.x\.preset: search\.query"):
        one.plan("tides", provider="exa-mcp")


def test_known_servers_are_their_own_providers() -> None:
    one = AsyncClient(Settings(plugins=()), plugins=[McpServers()])

    assert {"exa-mcp", "parallel-mcp"} <= set(one.parts.provider_ids())
    assert one.parts.provider("exa-mcp") is not one.parts.provider("exa")
