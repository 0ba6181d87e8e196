"""Read what a page says about itself: title, language, canonical address, day of publication."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import attrs

from websdk.reading.characters import clean
from websdk.reading.links import LinkBase
from websdk.reading.tree import text_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*\Z")
_JSON_DATE = re.compile(r'"datePublished"\s*:\s*"([^"]{4,40})"')
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
# Enough of a page's own JSON to find one key; more is payload.
_JSON_LIMIT = 200_000
_TITLE_LIMIT = 300


@attrs.frozen(kw_only=True)
class Facts:
    """What a page declares about itself.

    Attributes:
        title: Its title; empty where it has none.
        language: BCP 47 tag.
        canonical_url: Absolute.
        published: Day, or moment with a time zone.
        base: What its relative links are joined to.
        generator: The program that made it, lower case.
        kind: Its Open Graph type, lower case.
    """

    title: str
    language: str | None
    canonical_url: str | None
    published: date | datetime | None
    base: LinkBase
    generator: str
    kind: str


def read_facts(root: HtmlElement, url: str) -> Facts:
    """Read the facts from the head of a page.

    Args:
        root: The page as parsed, scripts included.
        url: Its address.

    Returns:
        The facts.
    """
    metas = _metas(root)
    hrefs = [href for element in root.iter("base") if (href := element.get("href")) is not None and _counts(element)]
    base = LinkBase(url, hrefs[0] if hrefs else None)
    return Facts(
        title=_title(root, metas),
        language=_language(root, metas),
        canonical_url=_canonical(root, base),
        published=_published(root, metas),
        base=base,
        generator=metas.get("generator", "").lower(),
        kind=metas.get("og:type", "").lower(),
    )


def _counts(element: HtmlElement) -> bool:
    """Whether an element is part of the page, and not of a template that a script may or may not use."""
    return not any(above.tag == "template" for above in element.iterancestors())


def _metas(root: HtmlElement) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or meta.get("http-equiv")
        content = meta.get("content")
        if name and content:
            found.setdefault(name.strip().lower(), content.strip())
    return found


def _title(root: HtmlElement, metas: dict[str, str]) -> str:
    for element in root.iter("title"):
        parent = element.getparent()
        text = text_of(element)
        if text and (parent is None or parent.tag != "svg") and _counts(element):
            return clean(text).text[:_TITLE_LIMIT]
    return clean(metas.get("og:title", "")).text[:_TITLE_LIMIT]


def _language(root: HtmlElement, metas: dict[str, str]) -> str | None:
    for stated in (root.get("lang"), root.get("{http://www.w3.org/XML/1998/namespace}lang"), root.get("xml:lang")):
        if stated and _LANGUAGE.match(stated.strip()):
            return str(stated).strip().replace("_", "-")
    stated = metas.get("content-language", "").split(",")[0].strip()
    return stated.replace("_", "-") if _LANGUAGE.match(stated) else None


def _canonical(root: HtmlElement, base: LinkBase) -> str | None:
    for link in root.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split() and link.get("href"):
            found = base.resolve(link.get("href") or "")
            return found if found and found.startswith(("http://", "https://")) else None
    return None


def _published(root: HtmlElement, metas: dict[str, str]) -> date | datetime | None:
    for name in (
        "article:published_time",
        "datepublished",
        "date",
        "dc.date",
        "dcterms.created",
        "citation_publication_date",
    ):
        found = read_date(metas.get(name, ""))
        if found is not None:
            return found
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or ""):
            match = _JSON_DATE.search((script.text or "")[:_JSON_LIMIT])
            found = read_date(match.group(1)) if match else None
            if found is not None:
                return found
    for element in root.iter("time"):
        if element.get("pubdate") is not None or "datePublished" in (element.get("itemprop") or ""):
            found = read_date(element.get("datetime") or "")
            if found is not None:
                return found
    return None


def read_date(text: str) -> date | datetime | None:
    """Read an ISO 8601 day or moment; a moment without a zone counts as its day.

    Args:
        text: The text as written.

    Returns:
        A day, an aware moment, or ``None``.
    """
    text = text.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        match = _DATE.match(text)
        try:
            return date(*map(int, match.groups())) if match else None
        except ValueError:
            return None
    if len(text) <= len("2000-01-01") or moment.tzinfo is None:
        return moment.date()
    try:
        moment.astimezone(UTC)
    except OverflowError:
        return moment.date()
    return moment
