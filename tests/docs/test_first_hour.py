"""Three invented vendors of different shape, each known by a description alone, solved with the words of the guide.

Their servers are written from the descriptions and know nothing of presets: they refuse what the description does not
say, and really filter.
"""

from __future__ import annotations

import json
import re
import threading
import tomllib
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from websdk import Client, Filters, FilterStatus, Secret, Settings
from websdk.errors import InvalidRequest, RateLimited
from websdk.settings import ConnectionSettings
from websdk.testing import check_text

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests/data/first-hour"
KEY = "canary-key-4711"
TODAY = date.today()
HOSTS = ("port.example", "quay.example", "sea.port.example")
ROWS = [
    {
        "url": f"https://{HOSTS[number % 3]}/{number}",
        "title": f"Tide {number}",
        "text": f"High & low, {number}",
        "day": TODAY - timedelta(days=10 * number),
        "language": ("deu", "eng")[number % 2],
        "country": ("DE", "GB")[number % 2],
    }
    for number in range(60)
]


class Refused(Exception):
    """A call that the description does not allow."""


def only(data: dict[str, Any], *names: str) -> None:
    if not set(data) <= set(names):
        raise Refused(f"nobody knows {set(data) - set(names)}")


def within(row: dict[str, Any], hosts: list[str]) -> bool:
    host = urlsplit(row["url"]).hostname or ""
    return any(host == wanted or host.endswith(f".{wanted}") for wanted in hosts)


def quay(method: str, path: str, query: dict[str, str], headers: Any, body: Any) -> Any:
    if (method, path, headers["X-Quay-Token"]) != ("POST", "/find", KEY):
        raise Refused("another call, or another key")
    only(body, "words", "top", "sites", "tongue")
    if len(body["words"]) > 120 or not 1 <= body["top"] <= 25 or body.get("tongue") not in (None, "deu", "eng", "fra"):
        raise Refused("beyond the limits")
    wanted = [host[1:] for host in body.get("sites", ()) if host[0] == "+"]
    unwanted = [host[1:] for host in body.get("sites", ()) if host[0] == "-"]
    if len(wanted) + len(unwanted) != len(body.get("sites", ())) or max(len(wanted), len(unwanted)) > 8:
        raise Refused("a host without a sign, or too many")
    rows = [row for row in ROWS if (not wanted or within(row, wanted)) and not within(row, unwanted)]
    rows = [row for row in rows if body.get("tongue") in (None, row["language"])][: body["top"]]
    told = [
        {"where": row["url"], "what": row["title"], "gist": f"<b>High</b> &amp; low, {row['title']}", "relevance": 0.5}
        for row in rows
    ]
    return {"rows": told} if told else {}


def jetty(method: str, path: str, query: dict[str, str], headers: Any, body: Any) -> Any:
    if (method, path, headers["Authorization"]) != ("POST", "/v2/query", f"Bearer {KEY}"):
        raise Refused("another call, or another key")
    only(body, "query", "window", "where")
    only(body["query"], "text", "mode")
    only(body["window"], "size", "number")
    where = body.get("where", {})
    only(where, "nation", "not_before", "adult")
    size, number = body["window"]["size"], body["window"].get("number", 0)
    if body["query"]["mode"] != "web" or not 5 <= size <= 50 or not 0 <= number < 4:
        raise Refused("beyond the limits")
    if where.get("adult") not in (None, "show", "blur", "hide"):
        raise Refused("no such word")
    if body["query"]["text"] == "busy":
        return {"state": "throttled"}
    first = where.get("not_before", "1970-01-01T00:00:00Z")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT00:00:00Z", first):
        raise Refused("no moment")
    rows = [
        row for row in ROWS if row["day"].isoformat() >= first[:10] and where.get("nation") in (None, row["country"])
    ]
    hits = [
        {
            "rank": 1,
            "doc": {
                "uri": row["url"],
                "heading": row["title"],
                "body": row["text"],
                "stamp": (row["day"] - date(1970, 1, 1)).days * 86_400,
            },
        }
        for row in rows[number * size : (number + 1) * size]
    ]
    return {"state": "ok", "data": {"hits": hits}}


def mole(method: str, path: str, query: dict[str, str], headers: Any, body: Any) -> Any:
    if (method, path, query.get("key")) != ("GET", "/s", KEY):
        raise Refused("another call, or another key")
    only(query, "q", "n", "from", "span", "site", "kind", "key")
    count, first = int(query["n"]), int(query.get("from", "1"))
    if not 1 <= count <= 10 or not 1 <= first <= 100 or query.get("kind", "news") != "news":
        raise Refused("beyond the limits")
    start, end = span(query.get("span"))
    rows = [row for row in ROWS if start <= row["day"] < end]
    rows = [row for row in rows if "site" not in query or within(row, [query["site"]])][first - 1 : first - 1 + count]
    return {
        "entries": [
            {"u": row["url"], "t": row["title"], "d": row["text"], "date": row["day"].isoformat()} for row in rows
        ]
    }


def span(text: str | None) -> tuple[date, date]:
    days = {"last-day": 1, "last-week": 7, "last-month": 30, "last-year": 365}
    if text is None:
        return date.min, date.max
    if text in days:
        return TODAY - timedelta(days=days[text]), date.max
    found = re.fullmatch(r"(\d{8})-(\d{8})", text)
    if found is None:
        raise Refused("no span")
    return date.fromisoformat(found[1]), date.fromisoformat(found[2])


class Handler(BaseHTTPRequestHandler):
    """Serves one of the vendors."""

    def __init__(self, vendor: Callable[..., Any], *arguments: Any) -> None:
        self.vendor = vendor
        super().__init__(*arguments)

    def do_GET(self) -> None:
        self.answer(None)

    def do_POST(self) -> None:
        self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, body: Any) -> None:
        parts = urlsplit(self.path)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        try:
            status, told = 200, self.vendor(self.command, parts.path, query, self.headers, body)
        except (Refused, KeyError, ValueError, TypeError) as error:
            status, told = 400, {"message": str(error)}
        content = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


VENDORS = {"quay": quay, "jetty": jetty, "mole": mole}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client that asks the three servers with the presets of the folder."""
    servers = {
        name: ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, vendor)) for name, vendor in VENDORS.items()
    }
    threads = [
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}) for server in servers.values()
    ]
    for thread in threads:
        thread.start()
    connections = {
        name: ConnectionSettings(vendor=name, base_url=f"http://127.0.0.1:{server.server_port}", credential="theirs")
        for name, server in servers.items()
    }
    settings = Settings(plugins=(), presets=(FOLDER,), connections=connections)
    with Client(settings, credentials={"theirs": Secret(KEY)}) as made:
        yield made
    for server, thread in zip(servers.values(), threads, strict=True):
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("name", VENDORS)
def test_solution_is_short_keeps_the_contract_and_needs_no_word_beyond_the_guide(name: str) -> None:
    text = (FOLDER / f"{name}.toml").read_text("utf-8")
    report = check_text(text, name=name)
    taught = set(re.findall(r"[a-z_]+", (ROOT / "docs/how-to/a-vendors-first-hour.md").read_text("utf-8")))

    assert report.ok, str(report)
    assert len(text.splitlines()) < 40
    assert set() == set(keys(tomllib.loads(text))) - taught - words_of_the_vendor(text)


def keys(data: Any) -> Iterator[str]:
    for key, value in data.items() if isinstance(data, dict) else ():
        yield key
        yield from keys(value)
    for item in data if isinstance(data, list) else ():
        yield from keys(item)


def words_of_the_vendor(text: str) -> set[str]:
    """Return the keys that are not of the language: words of tables, and places of `fixed`."""
    data = tomllib.loads(text)["search"]
    tables = [rule.get("values") for rule in data["filters"].values()]
    return {*data.get("fixed", {}), *(word for table in tables if isinstance(table, dict) for word in table)}


def search(client: Client, name: str, **filters: Any) -> Any:
    paging = {key: filters.pop(key) for key in ("max_results", "page") if key in filters}
    return client.search("tide tables & more", provider=name, filters=Filters(**filters), timeout_s=10, **paging)


@pytest.mark.parametrize(
    ("name", "filters"),
    [
        ("quay", {"include_domains": ["port.example"], "exclude_domains": ["sea.port.example"], "language": "en"}),
        ("jetty", {"published_after": TODAY - timedelta(days=200), "country": "DE", "safe_search": "strict"}),
        ("jetty", {"recency": "month"}),
        ("mole", {"recency": "week", "include_domains": ["port.example"], "topic": "news"}),
        ("mole", {"published_after": TODAY - timedelta(days=200), "published_before": TODAY - timedelta(days=100)}),
    ],
)
def test_every_filter_is_applied_and_every_row_obeys(client: Client, name: str, filters: dict[str, Any]) -> None:
    answer = search(client, name, **filters)

    assert answer.results
    assert () == answer.unsupported_filters
    assert {FilterStatus.APPLIED} == {item.status for item in answer.filter_outcomes}
    assert [0] * len(filters) == [item.violated or 0 for item in answer.filter_outcomes]


def test_last_day_that_is_not_counted_in_is_asked_for_all_the_same(client: Client) -> None:
    day = ROWS[10]["day"]
    answer = search(client, "mole", published_after=day, published_before=day)

    assert [ROWS[10]["url"]] == [row.url for row in answer.results]


@pytest.mark.parametrize(
    ("name", "filters", "lost"),
    [
        ("quay", {"recency": "week", "country": "DE"}, ["recency", "country"]),
        (
            "jetty",
            {"published_before": TODAY, "include_domains": ["port.example"]},
            ["published_before", "include_domains"],
        ),
        ("mole", {"published_before": TODAY, "include_domains": HOSTS[:2]}, ["published_before", "include_domains"]),
    ],
)
def test_what_the_vendor_cannot_do_is_reported(
    client: Client, name: str, filters: dict[str, Any], lost: list[str]
) -> None:
    assert lost == [str(key) for key in search(client, name, **filters).unsupported_filters]


@pytest.mark.parametrize("name", ["jetty", "mole"])
def test_pages_follow_each_other(client: Client, name: str) -> None:
    urls = [row.url for page in (1, 2, 3) for row in search(client, name, max_results=10, page=page).results]

    assert [row["url"] for row in ROWS[:30]] == urls


@pytest.mark.parametrize(("name", "page"), [("quay", 2), ("jetty", 5), ("mole", 11)])
def test_page_that_cannot_exist_is_refused_unsent(client: Client, name: str, page: int) -> None:
    with pytest.raises(InvalidRequest):
        search(client, name, max_results=10, page=page)


def test_what_only_one_vendor_does_is_read(client: Client) -> None:
    assert "High & low, Tide 0" == search(client, "quay").results[0].snippet
    assert () == search(client, "quay", language="fr").results
    with pytest.raises(RateLimited):
        client.search("busy", provider="jetty", timeout_s=10)


@pytest.mark.parametrize("name", VENDORS)
def test_description_holds_no_word_of_the_preset_language(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text("utf-8")

    assert not re.search(r"rows-from|pages-from|schema =|\[search|_domains|YYYY", text)
