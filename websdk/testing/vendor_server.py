"""A vendor on this machine, made from its preset: it checks what it is sent and answers in the vendor's shape."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit

import attrs

from websdk.credentials import Secret
from websdk.declarative import Preset, bundled_preset_texts, load_preset
from websdk.declarative.schema import FetchProviderPreset, SearchProviderPreset
from websdk.declarative.settings import filled
from websdk.declarative.words import Method
from websdk.settings import ConnectionSettings, Settings
from websdk.testing.asked import Asked, known_places
from websdk.testing.reader_rules import FIELDS as PAGE_FIELDS
from websdk.testing.replies import page_response, row_of, search_body
from websdk.testing.samples import settings_of
from websdk.testing.wire import Leaves, leaves, stands_at, wire_place
from websdk.wire import HttpRequest, HttpResponse

KEY = "vendor-server-key"
MAX_BODY_BYTES = 1 << 20  # no request of a vendor call is near it
MOST_ROWS = 50  # more than any test looks at
DRIP_S = 0.02


class Behaviour(StrEnum):
    """How the server treats a vendor's calls."""

    ANSWER = "answer"
    """As the vendor does when all is well; the filters that it was sent are obeyed."""
    THROTTLE = "throttle"
    """Status 429 with a wait of 7 seconds."""
    FAIL = "fail"
    """Status 500."""
    REJECT_KEY = "reject_key"
    """Status 401, with the key repeated in the body."""
    DRIP = "drip"
    """A reply without an end, byte by byte."""
    HANG_UP = "hang_up"
    """The connection closes without a reply."""
    DISOBEY = "disobey"
    """A good answer that breaks every filter of hosts and dates."""
    EMPTY = "empty"
    """A good answer without rows."""
    GARBLE = "garble"
    """Status 200 with a page for people."""


@attrs.frozen(kw_only=True)
class Received:
    """A request that came.

    Attributes:
        vendor: Id of the preset it was for; empty where none was.
        half: ``search``, ``fetch``, ``probe``, or empty.
        request: The request, credentials included.
        refusal: Why it was refused; ``None`` where it was served.
    """

    vendor: str
    half: str
    request: HttpRequest = attrs.field(repr=False)
    refusal: str | None = None


class VendorServer:
    """Serves presets on this machine, each under ``<base>/<id>``.

    It answers any request that a preset can make, in the shape that the preset reads, and refuses what the vendor
    would: a missing or wrong key with 401, and a value at a place that the preset does not know with 400::

        with VendorServer(["brave"]) as server:
            client = Client(server.settings(), credentials=server.credentials())
            client.search("tide tables", provider="brave")

    Args:
        presets: Presets, or ids of bundled ones; all bundled ones by default.
        key: The key that is right for every vendor.
        today: The day of the rows; ``None`` for the machine's.
    """

    def __init__(
        self, presets: Iterable[Preset | str] | None = None, *, key: str = KEY, today: date | None = None
    ) -> None:
        bundled = bundled_preset_texts()
        named = tuple(bundled) if presets is None else tuple(presets)
        loaded = [item if isinstance(item, Preset) else load_preset(bundled[item], name=item) for item in named]
        self.presets: Mapping[str, Preset] = {preset.vendor.id: preset for preset in loaded}
        self.key = key
        self.received: list[Received] = []
        self._today = today
        self._behaviours: dict[str, Behaviour] = {}
        self._stopping = threading.Event()

    def __enter__(self) -> Self:
        self._stopping.clear()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def base(self) -> str:
        """Address of the server, without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def behave(self, behaviour: Behaviour | str, *vendors: str) -> None:
        """Treat the calls of *vendors*, of all where none is named, as *behaviour* says from now on."""
        for vendor in vendors or self.presets:
            self._behaviours[vendor] = Behaviour(behaviour)

    def settings(self) -> Settings:
        """Return settings by which a client asks this server in place of the vendors."""
        return Settings(
            plugins=(),
            connections={
                name: ConnectionSettings(
                    vendor=name,
                    base_url=f"{self.base}/{name}",
                    credential=None if preset.vendor.auth is None else "vendor-server",
                    settings=settings_of(preset),
                )
                for name, preset in self.presets.items()
            },
        )

    def credentials(self) -> dict[str, Secret]:
        """Return the credential that :meth:`settings` name."""
        return {"vendor-server": Secret(self.key)}

    def refused(self) -> tuple[str, ...]:
        """Return why requests were refused so far."""
        return tuple(f"{item.vendor or 'nobody'}: {item.refusal}" for item in self.received if item.refusal)

    # -- one request -------------------------------------------------------------------------------------------------

    def reply(self, request: HttpRequest) -> HttpResponse:
        """Return the reply to *request*, as its vendor's behaviour says, and keep the request."""
        vendor, _, rest = urlsplit(request.url).path.lstrip("/").partition("/")
        preset = self.presets.get(vendor)
        if preset is None:
            return self._refuse("", "", request, 404, "no preset of this id is served")
        half = self._half(preset, request, "/" + unquote(rest))
        if half is None:
            return self._refuse(vendor, "", request, 404, "the preset has no call at this path and method")
        name, topic = half
        if name == "probe":
            self.received.append(Received(vendor=vendor, half="probe", request=request))
            return HttpResponse(status=200, body=b"ok")
        rules = preset.search if name == "search" else preset.fetch
        assert rules is not None
        sent = leaves(request)
        refusal = self._unauthorised(preset, rules, sent)
        if refusal is not None:
            return self._refuse(vendor, name, request, 401, refusal)
        stranger = self._stranger(preset, name, sent)
        if stranger is not None:
            return self._refuse(vendor, name, request, 400, f"nothing is known at {stranger}")
        self.received.append(Received(vendor=vendor, half=name, request=request))
        special = self._special(vendor)
        if special is not None:
            return special
        if isinstance(rules, SearchProviderPreset):
            return self._rows(preset, rules, sent, topic)
        return self._page(rules, sent, vendor)

    def behaviour(self, request: HttpRequest) -> Behaviour:
        """Return how *request* is to be treated."""
        vendor = urlsplit(request.url).path.lstrip("/").partition("/")[0]
        return self._behaviours.get(vendor, Behaviour.ANSWER)

    def _refuse(self, vendor: str, half: str, request: HttpRequest, status: int, why: str) -> HttpResponse:
        self.received.append(Received(vendor=vendor, half=half, request=request, refusal=why))
        return _json({"message": why}, status)

    def _half(self, preset: Preset, request: HttpRequest, path: str) -> tuple[str, str | None] | None:
        """Return the half that a call is for, and its topic where that has a path of its own."""
        holes = settings_of(preset)
        search, fetch = preset.search, preset.fetch
        calls: list[tuple[str, str | None, str, str]] = []
        if search is not None:
            calls.append(("search", None, search.method, search.path))
            calls += [("search", name, search.method, item.path) for name, item in search.topics.items() if item.path]
        if fetch is not None:
            calls.append(("fetch", None, fetch.method, fetch.path))
        if preset.vendor.probe is not None:
            calls.append(("probe", None, Method.GET, preset.vendor.probe))
        found = [call for call in calls if call[2] == request.method and _fits(filled(call[3], holes), path)]
        # Search and reader of one vendor may share a path; the places of the request tell them apart.
        sent = leaves(request)
        found.sort(key=lambda call: call[0] != "probe" and self._stranger(preset, call[0], sent) is not None)
        return (found[0][0], found[0][1]) if found else None

    def _unauthorised(
        self, preset: Preset, rules: SearchProviderPreset | FetchProviderPreset, sent: Leaves
    ) -> str | None:
        auth = preset.vendor.auth
        if auth is None:
            return None
        found = sent.get(wire_place(auth.at, is_get=True))
        stand_ins = {wire_place(at, is_get=rules.method == "GET"): value for at, value in (rules.keyless or {}).items()}
        place = wire_place(auth.at, is_get=True)
        if rules.keyless is not None and found in (None, stand_ins.get(place)):
            return None
        if found is None:
            return "no key was sent"
        if auth.scheme == "Basic":
            return None if found.startswith("Basic ") else "the key is not in the Basic scheme"
        wanted = f"{auth.scheme} {self.key}" if auth.scheme else self.key
        return None if found == wanted else "the key is wrong"

    def _stranger(self, preset: Preset, half: str, sent: Leaves) -> str | None:
        """Return a place that one half of the preset does not know."""
        rules = preset.search if half == "search" else preset.fetch
        assert rules is not None
        known = known_places(preset, rules)
        for leaf in sent:
            ours = leaf in ("host", "path") or leaf in _TRANSPORTS
            if not ours and not stands_at(leaf, known):
                return leaf
        return None

    def _special(self, vendor: str) -> HttpResponse | None:
        behaviour = self._behaviours.get(vendor, Behaviour.ANSWER)
        if behaviour is Behaviour.THROTTLE:
            return _json({"message": "slow down"}, 429, ("Retry-After", "7"))
        if behaviour is Behaviour.FAIL:
            return _json({"message": "it broke"}, 500)
        if behaviour is Behaviour.REJECT_KEY:
            return _json({"message": f"bad key {self.key}"}, 401)
        if behaviour is Behaviour.GARBLE:
            return HttpResponse(status=200, headers=(("Content-Type", "text/html"),), body=b"<html>One moment</html>")
        return None

    def _rows(self, preset: Preset, search: SearchProviderPreset, sent: Leaves, topic: str | None) -> HttpResponse:
        vendor = preset.vendor.id
        settings = settings_of(preset)
        behaviour = self._behaviours.get(vendor, Behaviour.ANSWER)
        wanted = Asked.of(search, settings, sent, self._now().date())
        count = 0 if behaviour is Behaviour.EMPTY else min(wanted.count, MOST_ROWS)
        rows = [
            row_of(search, settings, wanted.row(vendor, number, obeys=behaviour is not Behaviour.DISOBEY))
            for number in range(1, count + 1)
        ]
        return _json(search_body(preset, settings, rows, topic=topic or wanted.topic(search)), 200)

    def _page(self, fetch: FetchProviderPreset, sent: Leaves, vendor: str) -> HttpResponse:
        place = wire_place(fetch.url, is_get=fetch.method == "GET")
        url = next((value for leaf, value in sent.items() if stands_at(leaf, (place,))), "")
        if self._behaviours.get(vendor) is Behaviour.EMPTY:
            return page_response(fetch, url, {**PAGE_FIELDS, "html": "", "markdown": "", "served_url": url})
        return page_response(fetch, url, {**PAGE_FIELDS, "served_url": url})

    def _now(self) -> datetime:
        return datetime.now(UTC) if self._today is None else datetime(*self._today.timetuple()[:3], 12, tzinfo=UTC)

    def wait_or_stop(self, seconds: float) -> bool:
        """Wait, and tell whether the server is being closed."""
        return self._stopping.wait(seconds)


_TRANSPORTS = frozenset(
    f"header:{name}"
    for name in (
        "host accept accept-encoding user-agent connection content-type content-length accept-language".split()
    )
)


def _fits(written: str, path: str) -> bool:
    """Tell whether *path* is the written one, any segment standing for a hole that is left."""
    shape = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(written))
    return re.fullmatch(shape, path) is not None


def _json(body: Any, status: int, *headers: tuple[str, str]) -> HttpResponse:
    return HttpResponse(
        status=status,
        headers=(("Content-Type", "application/json"), *headers),
        body=json.dumps(body, ensure_ascii=False).encode(),
    )


def _handler(owner: VendorServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"  # one request a connection, so that closing waits for nobody

        def do_GET(self) -> None:
            self._serve(b"")

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            self._serve(self.rfile.read(min(length, MAX_BODY_BYTES)))

        def _serve(self, body: bytes) -> None:
            fields: Sequence[tuple[str, str]] = tuple(self.headers.items())
            request = HttpRequest(method=self.command, url=owner.base + self.path, headers=tuple(fields), body=body)
            reply = owner.reply(request)
            behaviour = owner.behaviour(request) if reply.status == 200 else Behaviour.ANSWER
            if behaviour is Behaviour.HANG_UP:
                return
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            with suppress(OSError):  # the other side may be gone, as its test wants
                if behaviour is Behaviour.DRIP:
                    self.end_headers()
                    while not owner.wait_or_stop(DRIP_S):
                        self.wfile.write(b" ")
                        self.wfile.flush()
                    return
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: a request may hold a key."""

    return Handler
