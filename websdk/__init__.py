"""Web search and page reading for agents, honestly: every asked filter is applied, or named as not applied.

The public names load on first use, so that ``import websdk`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "26.1.0"

if TYPE_CHECKING:
    from websdk.budget.fit import FitOptions
    from websdk.budget.options import PreviewOptions
    from websdk.client import AsyncClient
    from websdk.credentials import Secret
    from websdk.declarative import (
        FetchProviderPreset,
        HttpVendor,
        Preset,
        PresetCodec,
        SearchProviderPreset,
        load_preset,
    )
    from websdk.egress import AllowEntry, EgressOptions
    from websdk.errors import (
        AskAgain,
        BudgetExhausted,
        ConfigurationError,
        CredentialRejected,
        CursorInvalid,
        DeadlineExceeded,
        EgressRefused,
        EvidenceError,
        FetchError,
        FiltersUnsupported,
        InvalidRequest,
        MalformedAnswer,
        NotAuthorized,
        NotFound,
        PluginError,
        PresetError,
        ProviderError,
        ProviderRejected,
        RateLimited,
        ReceiptMissing,
        Redirected,
        RefExpired,
        RefUnknown,
        Refused,
        SearchFailed,
        SettingsError,
        TooLarge,
        Unavailable,
        Unreadable,
        WebSdkError,
    )
    from websdk.events import Event
    from websdk.evidence import EvidenceOptions
    from websdk.fetch import FetchOptions
    from websdk.fetch.stored import read
    from websdk.hookspecs import PresetSource, hookimpl
    from websdk.model import (
        Adjustment,
        Attempt,
        BudgetSnapshot,
        Connection,
        Disclosure,
        Document,
        EvidencePage,
        FetchRequest,
        FilterKey,
        FilterOutcome,
        Filters,
        FilterStatus,
        Link,
        PassageOrigin,
        Receipt,
        Recency,
        Ref,
        ResultKind,
        SafeSearch,
        SearchAnswer,
        SearchPlan,
        SearchRequest,
        SearchResponse,
        SearchResult,
        Usage,
        Via,
        WireRequest,
    )
    from websdk.model.convert import from_dict, to_dict
    from websdk.model.effort import Effort, Family
    from websdk.model.intent import Intent
    from websdk.model.reach import Reach
    from websdk.protocols import (
        AuthScheme,
        BelongsToFamily,
        ByteStream,
        Call,
        CheckedUrl,
        Clock,
        ClosableRung,
        Connector,
        CooldownBoard,
        CredentialSource,
        Exchange,
        ExplainsFilters,
        Extractor,
        FailureKind,
        FetchRung,
        FlightBoard,
        Limits,
        PlansSearches,
        RawDocument,
        ReaderCodec,
        Resolver,
        ReuseStore,
        RunsThroughServers,
        SearchCodec,
        SharedState,
        Transport,
        TransportFailure,
        Verdict,
        WebSearchProvider,
    )
    from websdk.protocols.assembly import Assembly, Guard
    from websdk.reading import ReadingOptions
    from websdk.reuse import Flights, ReuseOptions
    from websdk.session import Allowance, AsyncSession, PageOutcome
    from websdk.settings import ConnectionSettings, CredentialSettings, SearchOptions, Settings
    from websdk.state import MemoryState
    from websdk.sync import Client, Session
    from websdk.tools import Style, Surface, ToolFormat, ToolResult, declarations, failed_call, prompt_section
    from websdk.transport import HttpxTransport
    from websdk.wire import HttpRequest, HttpResponse, Pause, json_request
    from websdk.wire.status import classify as classify_status
else:
    _ROOMS = {
        "websdk.budget.fit": "FitOptions",
        "websdk.budget.options": "PreviewOptions",
        "websdk.client": "AsyncClient",
        "websdk.credentials": "Secret",
        "websdk.declarative": "FetchProviderPreset HttpVendor Preset PresetCodec SearchProviderPreset load_preset",
        "websdk.egress": "AllowEntry EgressOptions",
        "websdk.errors": (
            "AskAgain BudgetExhausted ConfigurationError CredentialRejected CursorInvalid DeadlineExceeded "
            "EgressRefused EvidenceError FetchError FiltersUnsupported InvalidRequest MalformedAnswer "
            "NotAuthorized NotFound PluginError PresetError ProviderError ProviderRejected RateLimited "
            "ReceiptMissing Redirected RefExpired RefUnknown Refused SearchFailed SettingsError TooLarge "
            "Unavailable Unreadable WebSdkError"
        ),
        "websdk.events": "Event",
        "websdk.evidence": "EvidenceOptions",
        "websdk.fetch": "FetchOptions",
        "websdk.hookspecs": "PresetSource hookimpl",
        "websdk.model": (
            "Adjustment Attempt BudgetSnapshot Connection Disclosure Document EvidencePage FetchRequest "
            "FilterKey FilterOutcome FilterStatus Filters Link PassageOrigin Receipt Recency Ref ResultKind "
            "SafeSearch SearchAnswer SearchPlan SearchRequest SearchResponse SearchResult Usage Via "
            "WireRequest"
        ),
        "websdk.model.convert": "from_dict to_dict",
        "websdk.model.effort": "Effort Family",
        "websdk.model.intent": "Intent",
        "websdk.model.reach": "Reach",
        "websdk.protocols": (
            "AuthScheme BelongsToFamily ByteStream Call CheckedUrl Clock ClosableRung Connector CooldownBoard "
            "CredentialSource Exchange ExplainsFilters Extractor FailureKind FetchRung FlightBoard Limits "
            "PlansSearches RawDocument ReaderCodec Resolver ReuseStore RunsThroughServers SearchCodec "
            "SharedState Transport TransportFailure Verdict WebSearchProvider"
        ),
        "websdk.protocols.assembly": "Assembly Guard",
        "websdk.reading": "ReadingOptions",
        "websdk.reuse": "Flights ReuseOptions",
        "websdk.session": "Allowance AsyncSession PageOutcome",
        "websdk.settings": "ConnectionSettings CredentialSettings SearchOptions Settings",
        "websdk.state": "MemoryState",
        "websdk.sync": "Client Session",
        "websdk.tools": "Style Surface ToolFormat ToolResult declarations failed_call prompt_section",
        "websdk.transport": "HttpxTransport",
        "websdk.wire": "HttpRequest HttpResponse Pause json_request",
    }
    _HOMES = {name: (room, name) for room, names in _ROOMS.items() for name in names.split()}
    _HOMES["read"] = ("websdk.fetch.stored", "read")
    _HOMES["classify_status"] = ("websdk.wire.status", "classify")

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        room, attribute = _HOMES[name]
        value = getattr(import_module(room), attribute)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted(__all__)


__all__ = [
    "Adjustment",
    "AllowEntry",
    "Allowance",
    "AskAgain",
    "Assembly",
    "AsyncClient",
    "AsyncSession",
    "Attempt",
    "AuthScheme",
    "BelongsToFamily",
    "BudgetExhausted",
    "BudgetSnapshot",
    "ByteStream",
    "Call",
    "CheckedUrl",
    "Client",
    "Clock",
    "ClosableRung",
    "ConfigurationError",
    "Connection",
    "ConnectionSettings",
    "Connector",
    "CooldownBoard",
    "CredentialRejected",
    "CredentialSettings",
    "CredentialSource",
    "CursorInvalid",
    "DeadlineExceeded",
    "Disclosure",
    "Document",
    "Effort",
    "EgressOptions",
    "EgressRefused",
    "Event",
    "EvidenceError",
    "EvidenceOptions",
    "EvidencePage",
    "Exchange",
    "ExplainsFilters",
    "Extractor",
    "FailureKind",
    "Family",
    "FetchError",
    "FetchOptions",
    "FetchProviderPreset",
    "FetchRequest",
    "FetchRung",
    "FilterKey",
    "FilterOutcome",
    "FilterStatus",
    "Filters",
    "FiltersUnsupported",
    "FitOptions",
    "FlightBoard",
    "Flights",
    "Guard",
    "HttpRequest",
    "HttpResponse",
    "HttpVendor",
    "HttpxTransport",
    "Intent",
    "InvalidRequest",
    "Limits",
    "Link",
    "MalformedAnswer",
    "MemoryState",
    "NotAuthorized",
    "NotFound",
    "PageOutcome",
    "PassageOrigin",
    "Pause",
    "PlansSearches",
    "PluginError",
    "Preset",
    "PresetCodec",
    "PresetError",
    "PresetSource",
    "PreviewOptions",
    "ProviderError",
    "ProviderRejected",
    "RateLimited",
    "RawDocument",
    "Reach",
    "ReaderCodec",
    "ReadingOptions",
    "Receipt",
    "ReceiptMissing",
    "Recency",
    "Redirected",
    "Ref",
    "RefExpired",
    "RefUnknown",
    "Refused",
    "Resolver",
    "ResultKind",
    "ReuseOptions",
    "ReuseStore",
    "RunsThroughServers",
    "SafeSearch",
    "SearchAnswer",
    "SearchCodec",
    "SearchFailed",
    "SearchOptions",
    "SearchPlan",
    "SearchProviderPreset",
    "SearchRequest",
    "SearchResponse",
    "SearchResult",
    "Secret",
    "Session",
    "Settings",
    "SettingsError",
    "SharedState",
    "Style",
    "Surface",
    "TooLarge",
    "ToolFormat",
    "ToolResult",
    "Transport",
    "TransportFailure",
    "Unavailable",
    "Unreadable",
    "Usage",
    "Verdict",
    "Via",
    "WebSdkError",
    "WebSearchProvider",
    "WireRequest",
    "__version__",
    "classify_status",
    "declarations",
    "failed_call",
    "from_dict",
    "hookimpl",
    "json_request",
    "load_preset",
    "prompt_section",
    "read",
    "to_dict",
]
