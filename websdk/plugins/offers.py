"""What counts as an offer of each hook: its kind, its id, and whether it can do what it must."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any

import attrs

from websdk.errors import PluginError

# The form of vendor ids: what a command line, a settings key and an environment variable can all spell.
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+")


class OfferKind(StrEnum):
    """What a plugin can bring."""

    PRESET = "preset"
    SEARCH_PROVIDER = "search_provider"
    FETCH_RUNG = "fetch_rung"
    EXTRACTOR = "extractor"
    CREDENTIAL_SOURCE = "credential_source"
    AUTH_SCHEME = "auth_scheme"
    TRANSPORT = "transport"
    OBSERVER = "observer"

    @property
    def words(self) -> str:
        """The kind as people write it."""
        return self.value.replace("_", " ")


@attrs.frozen(kw_only=True)
class Offer:
    """One thing that a plugin brings.

    Attributes:
        kind: What it is.
        id: Its name; ``None`` where that is known only once a client is put together, and for observers.
    """

    kind: OfferKind
    id: str | None = None


Pairs = Iterable[tuple[str, Any]]


def presets(result: Any) -> Pairs:
    """Return each preset source by its vendor's id."""
    from websdk.hookspecs import PresetSource

    return [(_id(source.name), source) for source in _items(result, PresetSource)]


def search_providers(result: Any) -> Pairs:
    """Return each provider by its id."""
    from websdk.protocols.search import WebSearchProvider

    return [(_id(provider.id), provider) for provider in _items(result, WebSearchProvider)]


def fetch_rungs(result: Any) -> Pairs:
    """Return each rung by the word that reads name it with; the local one is nobody's to replace."""
    from websdk.model.document import Via
    from websdk.protocols.fetch import FetchRung

    rungs = [(Via(rung.via), rung) for rung in _items(result, FetchRung)]
    if any(via is Via.LOCAL for via, _ in rungs):
        raise PluginError("the rung 'local' is the client's own and cannot be offered")
    return rungs


def extractors(result: Any) -> Pairs:
    """Return each extractor by each media type that it reads."""
    pairs = [
        (kind, item) for item in _items(result) for kind in _attribute(item, "media_types") if _can(item, "extract")
    ]
    for kind, _ in pairs:
        if not isinstance(kind, str) or not _MEDIA_TYPE.fullmatch(kind):
            raise PluginError(f"{kind!r} is not a media type in lower case")
    return pairs


def credential_sources(result: Any) -> Pairs:
    """Return each credential source by its name."""
    return [(name, source) for name, source in _named(result) if _can(source, "get")]


def auth_schemes(result: Any) -> Pairs:
    """Return each signing scheme by its name."""
    return [(name, scheme) for name, scheme in _named(result) if _can(scheme, "sign")]


def transports(result: Any) -> Pairs:
    """Return each maker of a transport by its name."""
    return [(name, maker) for name, maker in _named(result) if _can(maker, "__call__")]


Reader = Callable[[Any], Pairs]
READERS: Mapping[OfferKind, tuple[str, Reader]] = {
    OfferKind.PRESET: ("websdk_presets", presets),
    OfferKind.SEARCH_PROVIDER: ("websdk_search_providers", search_providers),
    OfferKind.FETCH_RUNG: ("websdk_fetch_rungs", fetch_rungs),
    OfferKind.EXTRACTOR: ("websdk_extractors", extractors),
    OfferKind.CREDENTIAL_SOURCE: ("websdk_credential_sources", credential_sources),
    OfferKind.AUTH_SCHEME: ("websdk_auth_schemes", auth_schemes),
    OfferKind.TRANSPORT: ("websdk_transports", transports),
}
"""The hook of each kind, and how what it returns is read."""


def _items(result: Any, kind: type | None = None) -> list[Any]:
    if result is None:
        return []
    if isinstance(result, (str, bytes, Mapping)) or not isinstance(result, Iterable):
        raise PluginError(f"returned {type(result).__name__} where a list is expected")
    items = list(result)
    for item in items:
        if isinstance(item, type):
            raise PluginError(f"offers the class {item.__name__} where an instance is expected")
        if kind is not None and not isinstance(item, kind):
            raise PluginError(f"offers {type(item).__name__}, which is no {kind.__name__}")
    return items


def _named(result: Any) -> list[tuple[str, Any]]:
    if result is None:
        return []
    if not isinstance(result, Mapping):
        raise PluginError(f"returned {type(result).__name__} where a mapping of names is expected")
    return [(_id(name), value) for name, value in result.items()]


def _id(name: Any) -> str:
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise PluginError(f"{name!r} is not an id: lower-case letters, digits and hyphens, at most 64")
    return name


def _attribute(item: Any, name: str) -> Any:
    if not hasattr(item, name):
        raise PluginError(f"offers {type(item).__name__}, which has no {name!r}")
    return getattr(item, name)


def _can(item: Any, method: str) -> bool:
    if isinstance(item, type) and method != "__call__":
        raise PluginError(f"offers the class {item.__name__} where an instance is expected")
    if not callable(_attribute(item, method)):
        raise PluginError(f"offers {type(item).__name__}, whose {method!r} cannot be called")
    return True
