"""A preset at one connection, as the pure half of a search provider."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

import attrs

from websdk.declarative.auth import PresetAuth
from websdk.declarative.filters import decide
from websdk.declarative.parse import parse_answer
from websdk.declarative.paths import look
from websdk.declarative.render import Rendered, address, prepare, write_request
from websdk.declarative.replies import failure_of, malformed, read_reply, unexplained_error
from websdk.declarative.schema import FetchProviderPreset, Preset, SearchProviderPreset
from websdk.declarative.settings import base_of, given_settings, placeholders, require_settings
from websdk.declarative.vendor import HttpVendor
from websdk.declarative.words import Meaning
from websdk.errors import ConfigurationError, ProviderError
from websdk.model.connection import Connection
from websdk.model.filters import Adjustment, FilterKey, FilterOutcome, Filters
from websdk.model.search import SearchAnswer, SearchRequest
from websdk.model.urls import parse
from websdk.protocols.search import AuthScheme, Exchange
from websdk.wire.message import HttpRequest, HttpResponse

MAX_REPLY_BYTES = 2 * 1024 * 1024  # far above any page of results; a preset may state less
_ANY_QUERY = "words"
_ANY_DAY = date(2026, 1, 1)


class PresetConnection:
    """What search and reader of one vendor share: identity, key, origins, bounds."""

    def __init__(
        self, preset: Preset, connection: Connection, half: SearchProviderPreset | FetchProviderPreset
    ) -> None:
        self._preset = preset
        self._connection = connection
        self._keyless = half.keyless
        self._base = base_of(preset.vendor, half.base_url, connection)
        self._settings = given_settings(preset.vendor, connection)

    @property
    def id(self) -> str:
        """Id of the vendor."""
        return self._preset.vendor.id

    @property
    def vendor(self) -> HttpVendor:
        """Who the vendor is."""
        return self._preset.vendor

    @property
    def auth(self) -> AuthScheme | None:
        """What writes the key; ``None`` where the vendor takes none."""
        return PresetAuth.of(self._preset.vendor, self._keyless or {})

    @property
    def needs_credential(self) -> bool:
        """Whether the vendor answers with a key only."""
        return self._preset.vendor.auth is not None and self._keyless is None

    @property
    def min_interval_s(self) -> float | None:
        """Seconds that the vendor wants between two calls."""
        return self._preset.vendor.min_interval_s

    @property
    def max_reply_bytes(self) -> int:
        """Ceiling for a reply, in bytes."""
        return min(self._preset.vendor.max_reply_bytes or MAX_REPLY_BYTES, MAX_REPLY_BYTES)

    @property
    def origins(self) -> frozenset[str]:
        """Origins that a key may go to.

        Those that the file writes; at a configured base address only where the file writes none, or where the
        connection names a key for it.
        """
        preset, connection = self._preset, self._connection
        written = [preset.vendor.base_url]
        written += [half.base_url for half in (preset.search, preset.fetch) if half is not None]
        own = frozenset(_origin(address(preset.vendor, base, "", self._holes())) for base in written if base)
        if connection.base_url is None:
            return own
        if own and connection.credential is None:
            return frozenset()
        return frozenset({_origin(connection.base_url)})

    def probe(self) -> HttpRequest | None:
        """Return a request that costs nothing and tells whether the service answers; ``None`` where there is none.

        Raises:
            ConfigurationError: No base address is known.
        """
        if self._preset.vendor.probe is None:
            return None
        url = address(self._preset.vendor, self._known_base(), self._preset.vendor.probe, self._holes())
        return HttpRequest(method="GET", url=url)

    def _known_base(self) -> str:
        if self._base is None:
            raise ConfigurationError(
                f"{self.id} is a service that you run: write its address as base_url under "
                f"[connections.{self._connection.name}]"
            )
        return self._base

    def _holes(self) -> dict[str, str]:
        return placeholders(self._preset.vendor, self._settings)


class PresetCodec(PresetConnection):
    """The search half of a preset at a connection; a :class:`~websdk.protocols.search.SearchCodec`.

    Args:
        preset: The preset; it has a ``[search]`` table.
        connection: Base address and settings in place of the preset's own.

    Raises:
        ConfigurationError: The preset does not search, or a setting does not suit its place.
    """

    def __init__(self, preset: Preset, connection: Connection) -> None:
        if preset.search is None:
            raise ConfigurationError(f"{preset.vendor.id} does not search")
        self._search: SearchProviderPreset = preset.search
        super().__init__(preset, connection, preset.search)

    @property
    def filter_keys(self) -> frozenset[FilterKey]:
        """Filters of which the vendor can apply at least some values."""
        rules, keys = self._search.filters, set()
        for key in FilterKey:
            if getattr(rules, key.value, None) is not None:
                keys.add(key)
        if rules.dates is not None:
            keys |= {FilterKey.RECENCY, FilterKey.PUBLISHED_AFTER}
            if rules.dates.before is not None or rules.dates.range is not None:
                keys.add(FilterKey.PUBLISHED_BEFORE)
        if self._search.site is not None:
            keys |= {FilterKey.INCLUDE_DOMAINS, FilterKey.EXCLUDE_DOMAINS}
        if any(topic.path is not None for topic in self._search.topics.values()):
            keys.add(FilterKey.TOPIC)
        return frozenset(keys)

    @property
    def topics(self) -> tuple[str, ...]:
        """Words of the ``topic`` filter."""
        rule = self._search.filters.topic
        return tuple(dict.fromkeys([*(rule.values or () if rule else ()), *self._search.topics]))

    def explain(
        self, request: SearchRequest, *, today: date
    ) -> tuple[tuple[FilterOutcome, ...], tuple[Adjustment, ...]]:
        """Return one outcome for each asked filter, and every value that is sent differently.

        Raises:
            InvalidRequest: The query is too long for the vendor, or the page cannot exist.
        """
        rendered = self._prepare(request, today)
        return rendered.decisions.outcomes(), rendered.adjustments

    def filter_outcomes(self, filters: Filters) -> tuple[FilterOutcome, ...]:
        """Return one outcome for each asked filter, for a query of plain words; nothing is said to be sent."""
        decided = decide(self._preset, self._search, filters, _ANY_QUERY, self._settings_or_names(), _ANY_DAY)
        return tuple(attrs.evolve(outcome, sent=None) for outcome in decided.outcomes())

    def caveats(self, request: SearchRequest, *, today: date) -> tuple[str, ...]:
        """Return what the vendor may do in spite of the filters; an answer carries the same as notices."""
        return self._prepare(request, today).decisions.caveats()

    def preview(self, request: SearchRequest, *, today: date) -> HttpRequest:
        """Return the unsigned request, with the names of missing settings in angle brackets; nothing may send it.

        Raises:
            InvalidRequest: The query is too long for the vendor, or the page cannot exist.
            ConfigurationError: No base address is known.
        """
        rendered = self._prepare(request, today)
        return write_request(self._preset, request, rendered, self._holes(), self._known_base())

    def exchange(self, request: SearchRequest, *, today: date) -> Exchange:
        """Run one search as a generator: yields the request, receives the reply, returns the answer.

        Raises:
            InvalidRequest: The query is too long for the vendor, or the page cannot exist.
            ConfigurationError: A setting or the base address is missing.
            MalformedAnswer: The reply is not what the vendor documents.
            Unavailable: Nothing was found, and some of the vendor's own sources failed.
        """
        require_settings(self._preset.vendor, self._connection)
        rendered = self._prepare(request, today)
        response = yield write_request(self._preset, request, rendered, self._settings, self._known_base())
        if response is None:
            raise RuntimeError("a request was yielded, and no reply came back")
        answer = self._read(response, rendered, today)
        return attrs.evolve(
            answer,
            filter_outcomes=rendered.decisions.outcomes(),
            notices=(*rendered.decisions.caveats(), *answer.notices),
        )

    def classify(self, response: HttpResponse, *, now: datetime) -> ProviderError | None:
        """Return the failure that *response* means, or ``None`` for a success."""
        read = read_reply(self._search.errors, response)
        error = failure_of(self._preset.vendor, read.meaning, response, read.data, self._search.reply.wait, now=now)
        if error is None and read.meaning is None and not self._has_results(read.data):
            return unexplained_error(self._preset.vendor, response, read.data)
        return error

    def _read(self, response: HttpResponse, rendered: Rendered, today: date) -> SearchAnswer:
        read = read_reply(self._search.errors, response)
        if read.meaning not in (None, Meaning.OK, Meaning.EMPTY):
            raise malformed(self._preset.vendor, response, "the reply is a failure that was taken for an answer")
        effects = rendered.decisions.effects()
        holes = dict(self._settings)
        language = next((effect.language for effect in effects if effect.language is not None), None)
        if language is not None:
            holes["language"] = language
        topic = next((effect.topic for effect in effects if effect.topic is not None), None)
        return parse_answer(self._preset, read, holes=holes, topic=topic, today=today)

    def _has_results(self, data: object) -> bool:
        lists = [*self._search.results.at, *(path for t in self._search.topics.values() for path in t.at or ())]
        return any(isinstance(look(data, path), list) for path in lists)

    def _prepare(self, request: SearchRequest, today: date) -> Rendered:
        return prepare(self._preset, request, self._settings_or_names(), today)

    def _settings_or_names(self) -> Mapping[str, str]:
        """Return the settings; those that must be given and are not stand as their names, to be asked for later."""
        return {name: value for name, value in self._holes().items() if value}


def _origin(url: str) -> str:
    parsed = parse(url)
    if parsed is None:
        raise ConfigurationError("a base address is no http(s) address")
    return parsed.origin
