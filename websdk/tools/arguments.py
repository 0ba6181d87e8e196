"""From a model's arguments to one checked call, or a refusal that names the call that would have been right.

The list of arguments is closed. None of them names a provider, a model, a credential, an endpoint, a header, a retry or
a ceiling. A value that is null, empty or the usual one counts as not given, because strict interfaces make a model fill
in every argument.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import attrs

from websdk.errors import InvalidRequest
from websdk.model.document import Via
from websdk.model.effort import Effort, Family
from websdk.model.filters import Filters
from websdk.model.search import SearchRequest
from websdk.tools.surface import FILTERS, SEARCHING, HoldsTools, Surface

MAX_PAGES = 20  # pages of one call; three are read at a time, so that more would not come back within one deadline
MAX_URL_CHARACTERS = 2_048  # as for the address of a result, which is where a model has addresses from
MAX_CALL_CHARACTERS = 4_000  # a refusal that repeats more of what a model wrote would cost it more than it helps
MAX_FIND_CHARACTERS = 1_000  # the longest sentence worth looking for

# Signs that break a line, turn its order, are not seen or have no UTF-8; as JSON escapes they stay exact.
_UNCOPYABLE = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)

_LISTS = ("urls", "include_domains", "exclude_domains")
_EMPTY: tuple[Any, ...] = (None, "", [], (), {})
_LEADS = ("ref", "urls", "query")  # what a call is about; where several are given, the one that costs least is meant
_COMPANIONS = {"query": SEARCHING, "urls": ("urls", "via"), "ref": ("ref", "find", "cursor")}

Word = TypeVar("Word", Effort, Family, Via)


def _one_of(kind: type[Word], name: str, value: Any) -> Word:
    try:
        return kind(value)
    except ValueError:
        raise InvalidRequest(f"{name} is one of {', '.join(kind)}") from None


def _effort(value: Any) -> Effort:
    return _one_of(Effort, "effort", value)


def _family(value: Any) -> Family:
    return _one_of(Family, "family", value)


def _via(value: Any) -> Via:
    return _one_of(Via, "via", value)


def _from_one(instance: object, attribute: attrs.Attribute[int | None], value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InvalidRequest(f"{attribute.name} is a whole number from 1")


def _addresses(value: Any) -> tuple[str, ...]:
    listed = (value,) if isinstance(value, str) else value
    if not isinstance(listed, Sequence) or not all(isinstance(item, str) for item in listed):
        raise InvalidRequest("urls is a list of texts, each the address of a page such as https://example.org/")
    return tuple(listed)


def _text(says: str) -> Callable[[object, attrs.Attribute[Any], Any], None]:
    def check(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if not isinstance(value, str) or not value.strip():
            raise InvalidRequest(f"{attribute.name} is a text that is not empty: {says}")

    return check


_maybe = attrs.validators.optional


@attrs.frozen(kw_only=True)
class SearchCall:
    """A search.

    Attributes:
        query: What to look for.
        filters: What it is narrowed by.
        max_results: How many results are wanted; ``None`` leaves it to the setting.
        effort: How much goes into it.
        family: Which kinds of sources.

    Raises:
        InvalidRequest: A value is not of its kind.
    """

    query: str
    filters: Filters = attrs.field(factory=Filters)
    max_results: int | None = attrs.field(default=None, validator=_from_one)
    effort: Effort = attrs.field(default=Effort.FAST, converter=_effort)
    family: Family = attrs.field(default=Family.WEB, converter=_family)


@attrs.frozen(kw_only=True)
class PagesCall:
    """Pages to read.

    Attributes:
        urls: Their addresses, in the order asked.
        via: The rung that reads them.

    Raises:
        InvalidRequest: A value is not of its kind.
    """

    urls: tuple[str, ...] = attrs.field(converter=_addresses)
    via: Via = attrs.field(default=Via.LOCAL, converter=_via)


@attrs.frozen(kw_only=True)
class RefCall:
    """Stored evidence to read; reaches nothing.

    Attributes:
        ref: Which.
        find: Text to look for.
        cursor: Where to go on.

    Raises:
        InvalidRequest: A value is not of its kind.
    """

    ref: str = attrs.field(validator=_text("it is copied from an answer and looks like h or h:3"))
    find: str | None = attrs.field(default=None, validator=_maybe(_text("what to look for in the stored text")))
    cursor: str | None = attrs.field(default=None, validator=_maybe(_text("it is copied from an answer")))


Arguments = SearchCall | PagesCall | RefCall


def next_call(holder: HoldsTools, **arguments: Any) -> str:
    """Return a call of this session's tools as text to copy: the right tool's name and compact JSON.

    Args:
        holder: A session or a surface.
        arguments: What is given, in the order in which it is written.
    """
    name = holder.surface.tool_for(next(iter(arguments)))
    text = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    return f"{name}({_UNCOPYABLE.sub(lambda sign: json.dumps(sign[0])[1:-1], text)})"


def read_arguments(holder: HoldsTools, name: str, arguments: Mapping[str, Any] | None) -> Arguments:
    """Check the arguments of a call of tool *name*.

    Args:
        holder: A session or a surface.
        name: The tool.
        arguments: What the model gave.

    Raises:
        InvalidRequest: There is no such tool here, an argument is unknown or not of its kind, or arguments do not
            combine; ``next_call`` is then the one call that would have been right, where there is one.
    """
    surface = holder.surface
    known = surface.tools.get(name)
    if known is None:
        tools = " and ".join(surface.tools) or "none"
        raise InvalidRequest(f"there is no tool of this name here; there is: {tools}")
    if arguments is not None and not isinstance(arguments, Mapping):
        raise InvalidRequest("the arguments of a call are one JSON object")
    given = {key: _without_blanks(value) for key, value in (arguments or {}).items()}
    unknown = [key for key in given if key not in known]
    if unknown:
        shown = ", ".join(str(key)[:40] for key in unknown[:10])
        raise InvalidRequest(
            f"unknown argument: {shown}; known are {', '.join(known)}", next_call=_right_call(surface, known, given)
        )
    asked = {key: value for key, value in given.items() if not _is_unset(surface, key, value)}
    lead = next((key for key in _LEADS if key in asked), None)
    if lead is None:
        leads = [key for key in reversed(_LEADS) if key in known]
        raise InvalidRequest(f"give {_either(leads)}", next_call=_example(surface, leads[0]))
    _refuse_mixture(surface, known, asked, lead)
    _check_kinds(asked)
    if lead == "query":
        return _search_call(asked)
    if lead == "urls":
        return _pages_call(surface, asked)
    if len(asked.get("find", "")) > MAX_FIND_CHARACTERS:
        raise InvalidRequest(f"find has more than {MAX_FIND_CHARACTERS:,} characters")
    return RefCall(ref=asked["ref"], find=asked.get("find"), cursor=asked.get("cursor"))


def _without_blanks(value: Any) -> Any:
    if not isinstance(value, (list, tuple)):
        return value
    return [item for item in value if item is not None and not (isinstance(item, str) and not item.strip())]


def _is_unset(surface: Surface, key: str, value: Any) -> bool:
    usual = {"effort": Effort.FAST, "family": Family.WEB, "via": surface.rungs[0] if surface.rungs else None}
    if any(value is empty or (type(value) is type(empty) and value == empty) for empty in _EMPTY):
        return True
    if isinstance(value, str) and not value.strip():
        return True
    return (key == "max_results" and value == 0 and value is not False) or (key in usual and value == usual[key])


def _refuse_mixture(surface: Surface, known: tuple[str, ...], asked: dict[str, Any], lead: str) -> None:
    leads = [key for key in reversed(_LEADS) if key in asked]
    strangers = [key for key in asked if key not in _COMPANIONS[lead] and key not in _LEADS]
    if len(leads) > 1:
        problem = f"{' and '.join(leads)} do not combine"
    elif strangers:
        problem = f"{', '.join(strangers)} cannot stand beside {lead}"
    elif "find" in asked and "cursor" in asked:
        problem = "find and cursor do not combine"
    else:
        return
    raise InvalidRequest(problem, next_call=_right_call(surface, known, asked))


def _right_call(surface: Surface, known: tuple[str, ...], given: dict[str, Any]) -> str | None:
    """Return what is left of *given* when everything goes that does not belong to its lead, if that makes a call.

    A lead that this tool does not take is looked for in the others.
    """
    everything = {key for arguments in surface.tools.values() for key in arguments}
    asked = {key: value for key, value in given.items() if key in everything and not _is_unset(surface, key, value)}
    lead = next((key for keys in (known, everything) for key in _LEADS if key in asked and key in keys), None)
    if lead is None:
        return None
    kept = {lead: asked[lead]} | {key: value for key, value in asked.items() if key in _COMPANIONS[lead]}
    if "find" in kept:
        kept.pop("cursor", None)
    try:
        read_arguments(surface, surface.tool_for(lead), kept)
        call = next_call(surface, **kept)
    except (InvalidRequest, TypeError, ValueError):
        return None
    return call if len(call) <= MAX_CALL_CHARACTERS else None


def _example(surface: Surface, lead: str) -> str:
    return next_call(surface, **{lead: ["…"] if lead == "urls" else "…"})


def _either(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"one of {', '.join(words[:-1])} and {words[-1]}"


def _check_kinds(asked: dict[str, Any]) -> None:
    for key, value in asked.items():
        if key in _LISTS:
            if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
                raise InvalidRequest(f"{key} is a list of texts")
        elif key != "max_results" and not isinstance(value, str):
            raise InvalidRequest(f"{key} is a text")


def _search_call(asked: dict[str, Any]) -> SearchCall:
    filters = Filters(**{key: asked[key] for key in FILTERS if key in asked})
    query = SearchRequest(query=asked["query"]).query
    return SearchCall(
        query=query,
        filters=filters,
        max_results=asked.get("max_results"),
        effort=asked.get("effort", Effort.FAST),
        family=asked.get("family", Family.WEB),
    )


def _pages_call(surface: Surface, asked: dict[str, Any]) -> PagesCall:
    urls = tuple(asked["urls"])
    if len(urls) > MAX_PAGES:
        raise InvalidRequest(f"urls holds more than {MAX_PAGES} addresses; read the rest with another call")
    for number, url in enumerate(urls, start=1):
        if len(url) > MAX_URL_CHARACTERS:
            raise InvalidRequest(f"urls: address {number} is longer than {MAX_URL_CHARACTERS:,} characters")
    via = asked.get("via", surface.rungs[0] if surface.rungs else Via.LOCAL)
    if via not in tuple(surface.rungs):
        raise InvalidRequest(f"via is one of {', '.join(surface.rungs)}")
    return PagesCall(urls=urls, via=via)
