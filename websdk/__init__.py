"""Web search and page reading for agents, honestly: every asked filter is applied, or named as not applied.

The public names load on first use, so that ``import websdk`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "26.1.0"

if TYPE_CHECKING:
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
    from websdk.fetch import FetchOptions
    from websdk.hookspecs import PresetSource, hookimpl
    from websdk.model import (
        Adjustment,
        Attempt,
        BudgetSnapshot,
        Connection,
        Disclosure,
        Document,
        FetchRequest,
        FilterKey,
        FilterOutcome,
        Filters,
        FilterStatus,
        Link,
        Receipt,
        Recency,
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
    from websdk.model.intent import Intent
    from websdk.protocols import (
        AuthScheme,
        ByteStream,
        Call,
        CheckedUrl,
        Clock,
        Connector,
        CredentialSource,
        Exchange,
        ExplainsFilters,
        Extractor,
        FailureKind,
        FetchRung,
        Limits,
        PlansSearches,
        RawDocument,
        ReaderCodec,
        Resolver,
        SearchCodec,
        Transport,
        TransportFailure,
        Verdict,
        WebSearchProvider,
    )
    from websdk.protocols.assembly import Assembly, Guard
    from websdk.reading import ReadingOptions
    from websdk.reading import read_page as read
    from websdk.settings import ConnectionSettings, CredentialSettings, SearchOptions, Settings
    from websdk.sync import Client
    from websdk.transport import HttpxTransport
    from websdk.wire import HttpRequest, HttpResponse, Pause, json_request
    from websdk.wire.status import classify as classify_status
else:
    _ROOMS = {
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
        "websdk.fetch": "FetchOptions",
        "websdk.hookspecs": "PresetSource hookimpl",
        "websdk.model": (
            "Adjustment Attempt BudgetSnapshot Connection Disclosure Document FetchRequest FilterKey "
            "FilterOutcome FilterStatus Filters Link Receipt Recency ResultKind SafeSearch SearchAnswer "
            "SearchPlan SearchRequest SearchResponse SearchResult Usage Via WireRequest"
        ),
        "websdk.model.convert": "from_dict to_dict",
        "websdk.model.intent": "Intent",
        "websdk.protocols": (
            "AuthScheme ByteStream Call CheckedUrl Clock Connector CredentialSource Exchange ExplainsFilters "
            "Extractor FailureKind FetchRung Limits PlansSearches RawDocument ReaderCodec Resolver "
            "SearchCodec Transport TransportFailure Verdict WebSearchProvider"
        ),
        "websdk.protocols.assembly": "Assembly Guard",
        "websdk.reading": "ReadingOptions",
        "websdk.settings": "ConnectionSettings CredentialSettings SearchOptions Settings",
        "websdk.sync": "Client",
        "websdk.transport": "HttpxTransport",
        "websdk.wire": "HttpRequest HttpResponse Pause json_request",
    }
    _HOMES = {name: (room, name) for room, names in _ROOMS.items() for name in names.split()}
    _HOMES["read"] = ("websdk.reading", "read_page")
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
    "AskAgain",
    "Assembly",
    "AsyncClient",
    "Attempt",
    "AuthScheme",
    "BudgetExhausted",
    "BudgetSnapshot",
    "ByteStream",
    "Call",
    "CheckedUrl",
    "Client",
    "Clock",
    "ConfigurationError",
    "Connection",
    "ConnectionSettings",
    "Connector",
    "CredentialRejected",
    "CredentialSettings",
    "CredentialSource",
    "CursorInvalid",
    "DeadlineExceeded",
    "Disclosure",
    "Document",
    "EgressOptions",
    "EgressRefused",
    "Event",
    "EvidenceError",
    "Exchange",
    "ExplainsFilters",
    "Extractor",
    "FailureKind",
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
    "NotAuthorized",
    "NotFound",
    "Pause",
    "PlansSearches",
    "PluginError",
    "Preset",
    "PresetCodec",
    "PresetError",
    "PresetSource",
    "ProviderError",
    "ProviderRejected",
    "RateLimited",
    "RawDocument",
    "ReaderCodec",
    "ReadingOptions",
    "Receipt",
    "ReceiptMissing",
    "Recency",
    "Redirected",
    "RefExpired",
    "RefUnknown",
    "Refused",
    "Resolver",
    "ResultKind",
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
    "Settings",
    "SettingsError",
    "TooLarge",
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
    "from_dict",
    "hookimpl",
    "json_request",
    "load_preset",
    "read",
    "to_dict",
]
