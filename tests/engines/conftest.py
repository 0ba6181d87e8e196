"""Four search engines on loopback that keep real rows, read the filter languages of their models and filter by them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from websdk import Client, Settings
from websdk.settings import ConnectionSettings

from . import grammars
from .grammars import NotUnderstood, Row

ENGINES = ("meilisearch", "typesense", "vespa", "opensearch", "elasticsearch")
# Names that an index may give its fields; each row holds the same country in all of them.
FIELDS = """
land land_code land-code meta.land @land NOT OR IN TO or and contains true
""".split()
Reply = tuple[int, Any]


def _day(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def _row(number: int, host: str, published: str | None, land: str, tongue: str, kind: str) -> dict[str, Any]:
    labels = host.split(".")
    row: dict[str, Any] = {
        "url": f"https://{host}/{number}",
        "title": f"Tide {number}",
        "content": "High water at noon",
        "domains": [".".join(labels[start:]) for start in range(len(labels))],
        "tongue": tongue,
        "kind": kind,
        **{field: land for field in FIELDS if "." not in field},
        "meta": {"land": land},
    }
    return row if published is None else {**row, "published": published}


ROWS: tuple[dict[str, Any], ...] = tuple(
    _row(number, *facts)
    for number, facts in enumerate(
        [
            ("port.example", "2026-01-02T00:00:00", "DE", "de", "news"),
            ("www.port.example", "2026-01-05T12:30:00", "DE", "en", "news"),
            ("port.example.test", "2026-02-03T23:59:59", "FR", "fr", "or"),
            ("shop.test", "2026-02-04T00:00:00", "FR", "de", "and"),
            ("import.example", "2025-12-31T23:59:59", "NO", "no", "not"),
            ("a-b.test", "2026-02-01T08:00:00", "NO", "or", "in"),
            ("ab.test", None, "IN", "hi", "true"),
            ("or.test", "2026-01-20T00:00:00", "IN", "en", "to"),
            ("xn--bcher-kva.example", "2026-02-03T00:00:00", "DE", "de", "contains"),
            ("harbour.test", "2026-03-01T00:00:00", "TO", "to", "exists"),
        ]
    )
)


class Engines:
    """One server that answers as each engine does, and keeps the filters that it was given.

    Attributes:
        filters: The filter of each request, as it came.
    """

    def __init__(self) -> None:
        self.filters: list[Any] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # head and body leave at once, not 40 ms apart

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else {}
                target = urlsplit(self.path)
                try:
                    status, answer = outer.answer(self.command, target.path, dict(parse_qsl(target.query)), body)
                except NotUnderstood as error:
                    status, answer = 400, {"message": str(error), "code": "invalid_search_filter"}
                reply = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            do_GET = do_POST

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, method: str, path: str, query: Mapping[str, str], body: Mapping[str, Any]) -> Reply:
        routes: dict[tuple[str, str], Callable[[], Reply]] = {
            ("POST", "/indexes/pages/search"): lambda: self._meilisearch(body),
            ("GET", "/collections/pages/documents/search"): lambda: self._typesense(query),
            ("POST", "/search/"): lambda: self._vespa(body),
            ("POST", "/pages/_search"): lambda: self._opensearch(body),
        }
        route = routes.get((method, path))
        return route() if route is not None else (404, {"message": "there is no such index"})

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _meilisearch(self, body: Mapping[str, Any]) -> Reply:
        known = {"q", "limit", "offset", "filter", "locales", "attributesToCrop", "cropLength", "showRankingScore"}
        _only(body, known)
        rows = _in_seconds()
        if (text := self._kept(body.get("filter"))) is not None:
            reader = grammars.Meilisearch(text, _fields(rows))
            test = reader.expression()
            reader.end()
            rows = [row for row in rows if test(row)]
        return 200, {"hits": _page(rows, body.get("offset", 0), body["limit"]), "estimatedTotalHits": len(rows)}

    def _typesense(self, query: Mapping[str, str]) -> Reply:
        known = {"q", "query_by", "per_page", "page", "filter_by", "highlight_start_tag", "highlight_end_tag"}
        _only(query, known)
        rows, count = _in_seconds(), int(query["per_page"])
        if (text := self._kept(query.get("filter_by"))) is not None:
            reader = grammars.Typesense(text, _fields(rows))
            test = reader.expression()
            reader.end()
            rows = [row for row in rows if test(row)]
        shown = _page(rows, (int(query.get("page", "1")) - 1) * count, count)
        return 200, {"found": len(rows), "hits": [{"document": row, "highlights": []} for row in shown]}

    def _vespa(self, body: Mapping[str, Any]) -> Reply:
        _only(body, {"yql", "query", "hits", "offset", "model.restrict"})
        rows = _in_seconds()
        reader = grammars.Vespa(self._kept(body["yql"]) or "", _fields(rows))
        test = reader.statement()
        reader.end()
        rows = [row for row in rows if test(row)]
        shown = _page(rows, body.get("offset", 0), body["hits"])
        root: dict[str, Any] = {"fields": {"totalCount": len(rows)}, "coverage": {"coverage": 100}}
        children = [{"relevance": 1.0, "fields": row} for row in shown]
        return 200, {"root": {**root, "children": children} if children else root}

    def _opensearch(self, body: Mapping[str, Any]) -> Reply:
        _only(body, {"query", "size", "from"})
        query = self._kept(body["query"])
        test = grammars.bool_query(query, _fields(ROWS))
        rows = [row for row in ROWS if test(row)]
        hits = [{"_score": 1.0, "_source": row} for row in _page(rows, body.get("from", 0), body["size"])]
        return 200, {"timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": hits}}

    def _kept(self, asked: Any) -> Any:
        self.filters.append(asked)
        return asked


def _only(asked: Mapping[str, Any], known: set[str]) -> None:
    if not set(asked) <= known:
        raise NotUnderstood("unknown parameter")


def _fields(rows: Sequence[Row]) -> set[str]:
    return {field for row in rows for field in row} | set(FIELDS)


def _in_seconds() -> list[dict[str, Any]]:
    return [{**row, "published": _day(row["published"])} if "published" in row else dict(row) for row in ROWS]


def _page(rows: Sequence[Row], start: int, count: int) -> list[Row]:
    return list(rows[start : start + count])


@pytest.fixture(scope="session")
def engines() -> Iterator[Engines]:
    """The four engines."""
    server = Engines()
    yield server
    server.close()


@pytest.fixture(scope="session")
def opened(engines: Engines) -> Iterator[Callable[..., Client]]:
    """Return a function that opens a client whose preset of that name asks the engines; all are closed in the end."""
    clients: dict[tuple[str, tuple[tuple[str, str], ...]], Client] = {}

    def opened(engine: str, **settings: str) -> Client:
        given = {"index": "pages", "country_field": "land", "topic_field": "kind", **settings}
        if engine == "vespa":
            given.pop("index")
        if engine != "meilisearch":
            given.setdefault("language_field", "tongue")
        key = (engine, tuple(sorted(given.items())))
        if key not in clients:
            connection = ConnectionSettings(
                base_url=engines.origin, settings=given, credential="own" if engine == "typesense" else None
            )
            clients[key] = Client(
                Settings(connections={engine: connection}, plugins=()), credentials={"own": "sk-demo-123"}
            )
        return clients[key]

    yield opened
    for client in clients.values():
        client.close()
