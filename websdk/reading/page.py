"""Read a page: bytes in, a document out, or an honest failure."""

from __future__ import annotations

import re

from websdk.errors import Unreadable
from websdk.model.document import Document, Link
from websdk.reading.bounds import bound
from websdk.reading.characters import clean, clean_markup
from websdk.reading.code import fenced
from websdk.reading.decode import Decoded, decode
from websdk.reading.extract import extract
from websdk.reading.facts import read_facts
from websdk.reading.feeds import read_feed
from websdk.reading.hidden import Hidden, strip_hidden
from websdk.reading.jsontext import pretty_json
from websdk.reading.options import ReadingOptions
from websdk.reading.seen import Seen, login_forms, what_was_seen
from websdk.reading.sniff import Kind, Sniffed, sniff
from websdk.reading.strategy import Strategy
from websdk.reading.tree import is_too_deep, parse, text_of
from websdk.reading.truncate import truncate

_DEFAULTS = ReadingOptions()
# The parser drops what is nested deeper; a page near this limit may have lost some.
_PARSER_DEPTH = 250
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# Characters of a line of markup beyond which it was written by a machine for a machine.
_LONG_LINE = 1_000


def read_page(
    body: bytes, *, url: str, content_type: str | None = None, options: ReadingOptions = _DEFAULTS
) -> Document:
    """Read the bytes of a page.

    Args:
        body: The bytes as served, content codings already undone.
        url: The address they came from; relative links are joined to it.
        content_type: The label they came with; ``None`` where there was none.
        options: Length of the text, images, bounds.

    Returns:
        The main content as Markdown, with what the page says about itself.

    Raises:
        Unreadable: The bytes are of another kind than text, hold nothing a visitor could read, or are built so that
            reading them would cost too much. ``seen`` names which.
    """
    sniffed = sniff(body, content_type)
    if sniffed.kind is Kind.UNSUPPORTED:
        raise Unreadable(
            f"cannot read content of the type {_shown(sniffed.media_type)}",
            seen=f"{Seen.UNSUPPORTED_TYPE}:{_shown(sniffed.media_type)}",
        )
    if not body.strip():
        raise Unreadable("the page is empty", seen=Seen.EMPTY)
    decoded = decode(body, charset=sniffed.charset, kind=sniffed.kind)
    if sniffed.kind is Kind.HTML:
        try:
            return _read_html(decoded, sniffed, url, options)
        except RecursionError:
            # Depth is bounded by the parser's, and a few constructs cost more than one call a level.
            raise Unreadable("the page is nested too deeply to be read", seen=Seen.TOO_COMPLEX) from None
    return _read_text(decoded, sniffed, url, options)


def _shown(media_type: str) -> str:
    """A media type as it may stand in a message."""
    kept = "".join(char for char in media_type if char.isalnum() or char in "/+.-_")
    return kept[:100] or "unknown"


def _read_html(decoded: Decoded, sniffed: Sniffed, url: str, options: ReadingOptions) -> Document:
    cleaned = clean_markup(decoded.text)
    bounded = bound(cleaned.text.encode("utf-8", "replace"), options)
    if bounded.elements > options.max_elements:
        raise Unreadable("the page has too many elements to be read", seen=Seen.TOO_COMPLEX)
    root = parse(bounded.markup)
    if root is None:
        raise Unreadable("the page is empty", seen=Seen.EMPTY)
    # The parser makes a new proxy for an element on every visit unless one is alive; keeping them saves half the time.
    alive = list(root.iter())
    incomplete = bounded.cut or is_too_deep(root, _PARSER_DEPTH)
    facts = read_facts(root, url)
    scripts = sum(1 for _ in root.iter("script"))
    logins = login_forms(root)
    hidden = strip_hidden(root, options)
    asked = sum(len(text_of(form)) for form in logins) if logins else None
    prose = hidden.prose or len(cleaned.spelled.split()) >= 5
    extraction = extract(root, facts, url, options)
    markdown = "\n\n".join(extraction.blocks)
    seen = what_was_seen(markdown, asked=asked, scripts=scripts, hidden=hidden)
    if seen is Seen.EMPTY and incomplete:
        raise Unreadable("all of the page's text lies beyond the depth that is read", seen=Seen.TOO_COMPLEX)
    if seen is not None:
        raise Unreadable(f"nothing to read on the page ({seen})", seen=seen, hidden_content_detected=prose)
    del alive
    cut = truncate(markdown, options.max_characters)
    return Document(
        url=url,
        title=facts.title or extraction.heading,
        markdown=cut.markdown,
        canonical_url=facts.canonical_url,
        language=facts.language,
        published=facts.published,
        links=extraction.links,
        strategy=extraction.strategy,
        truncated=cut.truncated,
        incomplete=incomplete,
        hidden_content_detected=prose,
        hidden_counts=_counts(hidden, cleaned.removed),
        media_type=sniffed.media_type,
        encoding=decoded.encoding,
        notices=("Part of the markup was beyond what is read; text may be missing.",) if incomplete else (),
    )


def _first_heading(text: str) -> str:
    """The first heading of the highest level in Markdown; comments in code look alike and are none."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark is not None and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark.group(1)
        elif not fence and line.startswith("# "):
            return line.strip("# ").strip()
    return ""


def _broken_up(text: str) -> str:
    """Markup with one element a line where a line is too long to be cut at its end."""
    if max(map(len, text.split("\n"))) <= _LONG_LINE:
        return text
    return re.sub(r">(?=<)", ">\n", text)


def _counts(hidden: Hidden, characters: int) -> dict[str, int]:
    counts = {
        "elements": hidden.elements,
        "characters": hidden.characters,
        "code_blocks": hidden.code_blocks,
        "invisible_characters": characters,
    }
    return {name: count for name, count in counts.items() if count}


def _read_text(decoded: Decoded, sniffed: Sniffed, url: str, options: ReadingOptions) -> Document:
    laid_out = pretty_json(decoded.text) if sniffed.kind is Kind.JSON else None
    cleaned = clean(laid_out or decoded.text)
    text, strategy, title = cleaned.text.strip("\n"), Strategy.TEXT, ""
    links: tuple[Link, ...] = ()
    hidden, removed, prose = Hidden(), cleaned.removed, len(cleaned.spelled.split()) >= 5
    if not text.strip():
        raise Unreadable("the page is empty", seen=Seen.EMPTY, hidden_content_detected=prose)
    if sniffed.kind is Kind.XML:
        feed = read_feed(text, url, options)
        if feed is not None:
            text, strategy, title, links = feed.markdown, Strategy.FEED, feed.title, feed.links
            hidden, removed, prose = feed.hidden, removed + feed.removed, prose or feed.hidden.prose
        else:
            text = fenced(_broken_up(text), "xml")
    elif sniffed.kind is Kind.JSON:
        text, strategy = fenced(text, "json"), Strategy.JSON
    elif sniffed.kind is Kind.MARKDOWN:
        strategy = Strategy.MARKDOWN
        title = _first_heading(text)
    if not text.strip():
        raise Unreadable("the page is empty", seen=Seen.EMPTY)
    cut = truncate(text, options.max_characters)
    return Document(
        url=url,
        title=title,
        markdown=cut.markdown,
        links=links,
        strategy=strategy,
        truncated=cut.truncated,
        hidden_content_detected=prose,
        hidden_counts=_counts(hidden, removed),
        media_type=sniffed.media_type,
        encoding=decoded.encoding,
    )
