"""Contracts: the roles that parts play for each other, as typing protocols, and the values they pass."""

from websdk.protocols.assembly import Assembly, Guard
from websdk.protocols.call import Call, Clock
from websdk.protocols.fetch import CheckedUrl, ClosableRung, Extractor, FetchRung, RawDocument, ReaderCodec, Verdict
from websdk.protocols.search import (
    AuthScheme,
    BelongsToFamily,
    CredentialSource,
    Exchange,
    ExplainsFilters,
    PlansSearches,
    PreviewsRequests,
    RunsThroughServers,
    SearchCodec,
    WebSearchProvider,
)
from websdk.protocols.state import CooldownBoard, FlightBoard, ReuseStore, SharedState
from websdk.protocols.transport import (
    ByteStream,
    Connector,
    FailureKind,
    Limits,
    Resolver,
    Transport,
    TransportFailure,
)

__all__ = [
    "Assembly",
    "AuthScheme",
    "BelongsToFamily",
    "ByteStream",
    "Call",
    "CheckedUrl",
    "Clock",
    "ClosableRung",
    "Connector",
    "CooldownBoard",
    "CredentialSource",
    "Exchange",
    "ExplainsFilters",
    "Extractor",
    "FailureKind",
    "FetchRung",
    "FlightBoard",
    "Guard",
    "Limits",
    "PlansSearches",
    "PreviewsRequests",
    "RawDocument",
    "ReaderCodec",
    "Resolver",
    "ReuseStore",
    "RunsThroughServers",
    "SearchCodec",
    "SharedState",
    "Transport",
    "TransportFailure",
    "Verdict",
    "WebSearchProvider",
]
