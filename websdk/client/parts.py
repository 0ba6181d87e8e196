"""Putting a client together: settings and arguments come in; providers, rungs and their connections go out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from websdk.client.credentials import EnvironmentCredential, FileCredential, KeptCredential
from websdk.client.runtime import PAGES, LoopTransport, Runtimes
from websdk.errors import ConfigurationError
from websdk.fetch.proxy import HttpReader, reply_ceiling
from websdk.model.connection import Connection
from websdk.model.document import Via
from websdk.model.urls import parse
from websdk.plugins.host import PluginHost
from websdk.plugins.members import SourceKind
from websdk.protocols.assembly import Guard
from websdk.protocols.call import Clock
from websdk.protocols.fetch import FetchRung
from websdk.protocols.search import AuthScheme, CredentialSource, SearchCodec, WebSearchProvider
from websdk.protocols.transport import Transport
from websdk.search.http_provider import HttpSearchProvider
from websdk.settings import Settings
from websdk.transport.vendor import MAX_REPLY_BYTES, VendorCaller

if TYPE_CHECKING:
    from websdk.declarative import Preset, PresetCodec, PresetReader

T = TypeVar("T")


class Parts:
    """One client's parts, made when first asked for and kept; this is the ``assembly`` of the hooks.

    Attributes:
        settings: What is configured.
        clock: Where time comes from.
        guard: What judges addresses of pages.
    """

    def __init__(
        self,
        settings: Settings,
        host: PluginHost,
        runtimes: Runtimes,
        *,
        clock: Clock,
        guard: Guard,
        credentials: Mapping[str, CredentialSource],
        transport: Transport | None,
    ) -> None:
        self.settings = settings
        self.host = host
        self.runtimes = runtimes
        self.clock = clock
        self.guard = guard
        self._given = dict(credentials)
        self._foreign = transport
        self._from_presets: dict[str, WebSearchProvider] = {}
        self._credentials: dict[str, CredentialSource] = {}
        self._tried: dict[str, Preset] = {}
        self._readers: dict[str, FetchRung] = {}

    # -- what factories of plugins ask for ---------------------------------------------------------------------------

    @property
    def max_page_bytes(self) -> int:
        """Ceiling for the bytes of a page, on every rung."""
        return self.settings.fetch.max_response_bytes

    def connection(self, name: str) -> Connection:
        """Return the network identity of that name."""
        return self.settings.connection(name, vendor=name if name != PAGES else "")

    def options(self, plugin: str) -> Mapping[str, Any]:
        """Return the settings table of *plugin*."""
        return self.settings.plugin.get(plugin, {})

    def credential(self, connection: Connection) -> CredentialSource | None:
        """Return where the credential of *connection* comes from, by name alone; ``None`` where none is configured."""
        if connection.credential is not None:
            return self._named_credential(connection.credential, connection.name)
        return self._given.get(connection.name) or self._given.get(connection.vendor)

    def transport(self, connection: Connection) -> Transport:
        """Return the transport for calls to the vendor of *connection*.

        Raises:
            ConfigurationError: Settings name a transport that nothing offers.
        """
        configured = self.settings.connections.get(connection.name)
        if configured is not None and configured.transport is not None:
            return self._offered(self.host.transports(), configured.transport, connection, "transport")(connection)
        return self._foreign if self._foreign is not None else LoopTransport(self.runtimes, connection)

    def _auth(self, connection: Connection, declared: AuthScheme | None) -> AuthScheme | None:
        """Return the signing scheme that settings name for *connection*, else the declared one."""
        configured = self.settings.connections.get(connection.name)
        if configured is None or configured.auth is None:
            return declared
        return self._offered(self.host.auth_schemes(), configured.auth, connection, "auth")

    @staticmethod
    def _offered(offers: Mapping[str, T], name: str, connection: Connection, what: str) -> T:
        if name not in offers:
            raise ConfigurationError(f"connections.{connection.name}.{what}: no plugin offers {name}")
        return offers[name]

    def http_provider(
        self,
        codec: SearchCodec,
        *,
        connection: Connection,
        auth: AuthScheme | None = None,
        origins: frozenset[str] = frozenset(),
        credential: CredentialSource | None = None,
    ) -> WebSearchProvider:
        """Return a provider that drives *codec* with the client's own deadline, bounds, receipts and error mapping."""
        caller = VendorCaller(
            id=codec.id,
            transport=self.transport(connection),
            auth=self._auth(connection, auth),
            # A plugin's own source is kept like any other: one exchange for many calls, forgotten when it is refused.
            credential=self.credential(connection) if credential is None else KeptCredential(credential),
            origins=origins,
            needs_credential=auth is not None,
            credential_hint=f"name one under [connections.{connection.name}]",
        )
        return HttpSearchProvider(codec=codec, caller=caller)

    # -- credentials -------------------------------------------------------------------------------------------------

    def _named_credential(self, name: str, owner: str) -> CredentialSource:
        if name in self._given:
            return self._given[name]
        if name not in self._credentials:
            self._credentials[name] = self._configured_credential(name, owner)
        return self._credentials[name]

    def _configured_credential(self, name: str, owner: str) -> CredentialSource:
        configured = self.settings.credentials.get(name)
        offered = self.host.credential_sources()
        if configured is None:
            if name in offered:
                return KeptCredential(offered[name])
            raise ConfigurationError(
                f"connection {owner} names the credential {name}, which nothing offers: add [credentials.{name}]"
            )
        if configured.env is not None:
            return EnvironmentCredential((configured.env,), owner)
        if configured.file is not None:
            return FileCredential(configured.file, owner)
        source = configured.source or ""
        if source not in offered:
            raise ConfigurationError(f"credentials.{name}.source: no plugin offers {source}")
        return KeptCredential(offered[source])

    def credential_variables(self, preset: Preset) -> tuple[str, ...]:
        """Return the environment variables that may hold the credential of *preset*.

        Only a bundled preset has its own variables read: any other could name one that belongs to somebody else.
        """
        name = preset.vendor.id
        own = f"WEBSDK_{name.replace('-', '_').upper()}_KEY"
        bundled = name not in self._tried and self.host.preset_kind(name) is SourceKind.BUNDLED
        return (*preset.vendor.auth.env, own) if bundled and preset.vendor.auth is not None else (own,)

    def _preset_credential(
        self, preset: Preset, connection: Connection, variables: tuple[str, ...]
    ) -> CredentialSource | None:
        """Return the credential for a preset's own origins; a foreign base gets one that is named for it, or none."""
        if connection.credential is not None or _is_foreign(preset, connection):
            return None if connection.credential is None else self.credential(connection)
        given = self.credential(connection)
        if given is not None:
            return given
        source = EnvironmentCredential(variables, preset.vendor.id)
        return source if source.is_set() else None

    # -- providers ---------------------------------------------------------------------------------------------------

    @cached_property
    def _from_plugins(self) -> dict[str, WebSearchProvider]:
        return self.host.search_providers(self)

    @cached_property
    def rungs(self) -> dict[Via, FetchRung]:
        """Rungs that plugins offer."""
        return self.host.fetch_rungs(self)

    def provider_ids(self) -> tuple[str, ...]:
        """Return the ids of every search provider, presets and plugins alike, sorted; every preset is parsed."""
        presets = [name for name, preset in self.host.presets().items() if preset.search is not None]
        return tuple(sorted({*presets, *self._from_plugins, *self._tried}))

    def idle_plugins(self) -> tuple[str, ...]:
        """Return the installed plugins that could bring search providers and, as they are configured, bring none."""
        return self.host.idle_searchers(self)

    def family(self, name: str) -> str:
        """Return the kind of sources that the preset *name* says it searches; the web where none says so."""
        preset = self._preset(name)
        return "web" if preset is None or preset.search is None else str(preset.search.family)

    def for_tenant(self, credentials: Mapping[str, CredentialSource]) -> Parts:
        """Return parts of the same client whose credentials are *credentials* first and then the client's own."""
        parts = Parts(
            self.settings,
            self.host,
            self.runtimes,
            clock=self.clock,
            guard=self.guard,
            credentials={**self._given, **credentials},
            transport=self._foreign,
        )
        parts._tried = self._tried
        return parts

    def reader_ids(self) -> tuple[str, ...]:
        """Return the ids of every reader of the ``proxy`` rung, sorted; every preset is parsed."""
        return tuple(sorted(name for name, preset in self.host.presets().items() if preset.fetch is not None))

    def try_preset(self, preset: Preset) -> None:
        """Use *preset* in place of whatever has its id, as a file is tried before it is installed."""
        self._tried[preset.vendor.id] = preset
        self._from_presets.pop(preset.vendor.id, None)
        self._readers.pop(preset.vendor.id, None)

    def known_preset(self, name: str) -> Preset | None:
        """Return the preset called *name*, one that is tried before one that is installed; ``None`` without one."""
        return self._preset(name)

    def _preset(self, name: str) -> Preset | None:
        if name in self._tried:
            return self._tried[name]
        return self.host.preset(name) if name in self.host.preset_ids() else None

    def provider(self, name: str) -> WebSearchProvider:
        """Return the provider called *name*.

        Raises:
            ConfigurationError: There is none; near names are listed.
        """
        if name in self._from_presets:
            return self._from_presets[name]
        preset = self._preset(name)
        if preset is not None and preset.search is not None:
            provider = self._from_presets[name] = self._preset_provider(preset, self.connection(name))
            return provider
        found = self._from_plugins.get(name)
        if found is None:
            raise ConfigurationError(self._unknown(name))
        return found

    def _preset_provider(self, preset: Preset, connection: Connection) -> HttpSearchProvider:
        from websdk.declarative import PresetCodec

        codec = PresetCodec(preset, connection)
        return HttpSearchProvider(codec=codec, caller=self._caller(preset, codec, connection))

    def reader(self, name: str) -> FetchRung:
        """Return the reader called *name*.

        Raises:
            KeyError: There is none.
            ConfigurationError: Its vendor lacks a setting.
        """
        if name not in self._readers:
            from websdk.declarative import PresetReader

            preset = self._preset(name)
            if preset is None or preset.fetch is None:
                raise KeyError(name)
            connection = self.connection(name)
            codec = PresetReader(preset, connection)
            page_bytes = self.settings.fetch.max_response_bytes
            caller = self._caller(preset, codec, connection, max_reply_bytes=reply_ceiling(page_bytes))
            self._readers[name] = HttpReader(codec=codec, caller=caller, max_bytes=page_bytes)
        return self._readers[name]

    def reads(self, name: object) -> bool:
        """Tell whether there is a reader called *name*; no other preset is parsed."""
        preset = self._preset(name) if isinstance(name, str) and name else None
        return preset is not None and preset.fetch is not None

    def _caller(
        self,
        preset: Preset,
        codec: PresetCodec | PresetReader,
        connection: Connection,
        *,
        max_reply_bytes: int = MAX_REPLY_BYTES,
    ) -> VendorCaller:
        """Return how the vendor of *preset* is called; search and reader share connection and credential."""
        variables = self.credential_variables(preset)
        foreign = _is_foreign(preset, connection)
        credential = self._preset_credential(preset, connection, variables)
        remark = None
        if foreign and codec.auth is not None and credential is None:
            remark = (
                f"no credential is sent: the base address is not {preset.vendor.name}'s own; "
                f"name one for it as credential under [connections.{connection.name}]"
            )
        return VendorCaller(
            id=codec.id,
            transport=self.transport(connection),
            auth=self._auth(connection, codec.auth),
            credential=credential,
            origins=_origin_of(connection.base_url) if connection.base_url is not None else codec.origins,
            needs_credential=codec.needs_credential and not foreign,
            credential_hint=f"set {' or '.join(variables)}, or name one in settings under [credentials]",
            max_reply_bytes=min(codec.max_reply_bytes, max_reply_bytes),
            min_interval_s=self._interval(codec, connection),
            remark=remark,
        )

    def _interval(self, codec: PresetCodec | PresetReader, connection: Connection) -> float:
        """Return the seconds between two calls: the operator's word, else the vendor's at the vendor's own address."""
        configured = self.settings.connections.get(connection.name)
        if configured is not None and configured.min_interval_s is not None:
            return configured.min_interval_s
        return 0.0 if connection.base_url is not None else codec.min_interval_s or 0.0

    def _unknown(self, name: str) -> str:
        from difflib import get_close_matches

        if name == "index":
            return "the index of one's own pages is a distribution of its own: pip install websdk-index"
        idle = self.idle_plugins()
        if name in idle:
            return f"the plugin {name} is installed and offers no search provider: {wants_settings(name)}"
        near = get_close_matches(name, self.provider_ids(), n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`websdk providers` lists those that exist"
        if idle:
            hint += f" Installed and not configured: {', '.join(idle)}"
        return f"there is no search provider called {name}: {hint}"


def wants_settings(plugin: str) -> str:
    """Return what to do about a plugin that is installed and offers nothing."""
    return f"it lacks its settings, which stand under [plugin.{plugin}] and are named in its documentation"


class Readers(Mapping[str, FetchRung]):
    """The readers of a client; each is made when it is first asked for."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def __getitem__(self, name: str) -> FetchRung:
        return self._parts.reader(name)

    def __contains__(self, name: object) -> bool:
        return self._parts.reads(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts.reader_ids())

    def __len__(self) -> int:
        return len(self._parts.reader_ids())


def _is_foreign(preset: Preset, connection: Connection) -> bool:
    """Tell whether a connection leads elsewhere than the preset's file says; where that says nothing, nowhere is."""
    halves = (half for half in (preset.search, preset.fetch) if half is not None)
    written = preset.vendor.base_url or any(half.base_url for half in halves)
    return connection.base_url is not None and bool(written)


def _origin_of(base_url: str) -> frozenset[str]:
    parsed = parse(base_url)
    if parsed is None:
        raise ConfigurationError("base_url is not an http(s) address")
    return frozenset({parsed.origin})
