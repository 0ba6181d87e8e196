"""What providers exist, what each does with every filter, and whether its credential was found."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import attrs

from websdk.client.credentials import EnvironmentCredential
from websdk.errors import ConfigurationError, WebSdkError
from websdk.fetch.proxy import HttpReader
from websdk.model.filters import FilterKey, Filters, FilterStatus
from websdk.model.search import SearchRequest
from websdk.protocols.fetch import FetchRung
from websdk.protocols.search import ExplainsFilters, WebSearchProvider
from websdk.search.http_provider import HttpSearchProvider
from websdk.transport.vendor import VendorCaller

if TYPE_CHECKING:
    from websdk.client.parts import Parts

# One ordinary value for each filter; what a vendor does with a longer list or another country is another outcome.
SAMPLES: dict[FilterKey, Any] = {
    FilterKey.RECENCY: "week",
    FilterKey.PUBLISHED_AFTER: date(2026, 1, 1),
    FilterKey.PUBLISHED_BEFORE: date(2026, 6, 30),
    FilterKey.INCLUDE_DOMAINS: ("docs.example",),
    FilterKey.EXCLUDE_DOMAINS: ("shop.example",),
    FilterKey.COUNTRY: "US",
    FilterKey.LANGUAGE: "en",
    FilterKey.SAFE_SEARCH: "strict",
    FilterKey.TOPIC: "news",
}


_ANY_PAGE = "https://example.com/"  # what a reader is asked about; nothing is sent


@attrs.frozen(kw_only=True)
class ProviderInfo:
    """One provider, for a listing.

    Attributes:
        id: Id by which calls name it.
        name: The vendor's name.
        source: Where it comes from: ``bundled``, or the plugin that brings it.
        filters: What becomes of an ordinary value of each filter.
        credential: ``found``, ``missing``, ``optional`` (works without, none found) or ``not needed``.
        variables: Environment variables that hold the credential.
        family: Kind of sources: ``web`` or ``code``.
        reads: Whether the vendor also reads pages, on the ``proxy`` rung.
        blocker: Why it cannot be used as configured; ``None`` where it can.
    """

    id: str
    name: str
    source: str
    filters: dict[FilterKey, FilterStatus]
    credential: str
    variables: tuple[str, ...] = ()
    family: str = "web"
    reads: bool = False
    blocker: str | None = None


@attrs.frozen(kw_only=True)
class ReaderInfo:
    """One reader of the ``proxy`` rung, for a listing.

    Attributes:
        id: Id by which calls name it.
        name: The vendor's name.
        source: Where it comes from: ``bundled``, or how its preset came in.
        credential: ``found``, ``missing``, ``optional`` (works without, none found) or ``not needed``.
        variables: Environment variables that hold the credential.
        names_served_url: Whether the vendor says which address served a page.
        blocker: Why it cannot be used as configured; ``None`` where it can.
    """

    id: str
    name: str
    source: str
    credential: str
    variables: tuple[str, ...] = ()
    names_served_url: bool = False
    blocker: str | None = None


def statuses(provider: WebSearchProvider) -> dict[FilterKey, FilterStatus]:
    """Return what *provider* does with an ordinary value of each filter."""
    found = {}
    for key, sample in SAMPLES.items():
        filters = Filters(**{key.value: sample})
        if isinstance(provider, ExplainsFilters):
            found[key] = provider.filter_outcomes(filters)[0].status
        elif provider.unsupported_filters(filters):
            found[key] = FilterStatus.UNSUPPORTED
        else:
            found[key] = FilterStatus.APPLIED
    return found


def describe(parts: Parts) -> tuple[ProviderInfo, ...]:
    """Return every search provider of a client, sorted by id; nothing is sent."""
    return tuple(_described(parts, name) for name in parts.provider_ids())


def describe_one(parts: Parts, name: str) -> ProviderInfo:
    """Return the search provider called *name*; nothing is sent.

    Raises:
        ConfigurationError: There is none.
    """
    if name not in parts.provider_ids():
        parts.provider(name)  # says why, or what may have been meant
    return _described(parts, name)


def missing_credential(parts: Parts, info: ProviderInfo) -> str | None:
    """Return what to do about the credential that a provider lacks; ``None`` where it lacks none."""
    if info.credential != "missing":
        return None
    provider = parts.provider(info.id)
    caller = provider.caller if isinstance(provider, HttpSearchProvider) else None
    if caller is not None and isinstance(caller.credential, EnvironmentCredential):
        return f"{info.id} needs a credential: set {' or '.join(caller.credential.names)}"
    return f"{info.id} needs a credential: {'configure one' if caller is None else caller.credential_hint}"


def describe_readers(parts: Parts) -> tuple[ReaderInfo, ...]:
    """Return every reader of a client, sorted by id; nothing is sent."""
    return tuple(_described_reader(parts, name) for name in parts.reader_ids())


def _described_reader(parts: Parts, name: str) -> ReaderInfo:
    preset = parts.host.preset(name)
    variables = parts.credential_variables(preset)
    reader: FetchRung | None
    try:
        reader = parts.reader(name)
        blocker = _reader_blocker(parts, reader)
    except WebSdkError as error:
        reader, blocker = None, str(error)
    caller = reader.caller if isinstance(reader, HttpReader) else None
    return ReaderInfo(
        id=name,
        name=preset.vendor.name,
        source=str(parts.host.preset_kind(name)),
        credential=_credential(caller, EnvironmentCredential(variables, name)),
        variables=variables,
        names_served_url=preset.fetch is not None and preset.fetch.page.served_url is not None,
        blocker=blocker,
    )


def _described(parts: Parts, name: str) -> ProviderInfo:
    preset = parts.host.preset(name) if name in parts.host.preset_ids() else None
    try:
        provider = parts.provider(name)
        filters, blocker = statuses(provider), _blocker(provider)
    except WebSdkError as error:
        provider, filters, blocker = None, {}, str(error)
    caller = provider.caller if isinstance(provider, HttpSearchProvider) else None
    if preset is None or preset.search is None:
        credential = "not needed" if caller is None else _credential(caller, EnvironmentCredential((), name))
        return ProviderInfo(
            id=name, name=name, source="plugin", filters=filters, credential=credential, blocker=blocker
        )
    variables = parts.credential_variables(preset)
    return ProviderInfo(
        id=name,
        name=preset.vendor.name,
        source=str(parts.host.preset_kind(name)),
        filters=filters,
        credential=_credential(caller, EnvironmentCredential(variables, name)),
        variables=variables,
        family=str(preset.search.family),
        reads=preset.fetch is not None,
        blocker=blocker,
    )


def _blocker(provider: WebSearchProvider) -> str | None:
    """Return what a plan says is missing; a provider that cannot plan has nothing to say before it is called."""
    if not isinstance(provider, HttpSearchProvider):
        return None
    notices = provider.plan(SearchRequest(query="words"), today=date(2026, 1, 1)).notices
    return next((notice for notice in notices if notice != provider.caller.remark), None)


def _reader_blocker(parts: Parts, reader: FetchRung) -> str | None:
    """Return what is missing for the first request of a read; the request goes nowhere."""
    if not isinstance(reader, HttpReader):
        return None
    steps = reader.codec.exchange(parts.guard.judge(_ANY_PAGE))
    try:
        next(steps)
    except ConfigurationError as error:
        return str(error)
    finally:
        steps.close()
    return None


def _credential(caller: VendorCaller | None, environment: EnvironmentCredential) -> str:
    if caller is None:
        return "found" if environment.is_set() else "missing"
    if caller.auth is None:
        return "not needed"
    source = caller.credential
    if source is not None and (not isinstance(source, EnvironmentCredential) or source.is_set()):
        return "found"
    return "missing" if caller.needs_credential else "optional"
