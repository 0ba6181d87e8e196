"""Keep formulas as the source they were written in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websdk.reading.code import fenced, spanned
from websdk.reading.escape import prose
from websdk.reading.tree import classes, is_element

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_INLINE = re.compile(r"\A\s*(?:\\\((.*)\\\)|\$(?!\$)(.*)\$)\s*\Z", re.S)
_DISPLAY = re.compile(r"\A\s*(?:\\\[(.*)\\\]|\$\$(.*)\$\$)\s*\Z", re.S)
_TEX = "application/x-tex"
_UNSEEN = frozenset(("annotation", "annotation-xml", "mphantom"))
_MARKUP = re.compile(r"\]\(|\]\[|<[a-zA-Z/!?]|`|(?<!\\)\$")
_LINE_MARKUP = re.compile(r"^ {0,3}(?:#{1,6}\s|>|[-+*]\s|\d{1,9}[.)]\s|~~~|={3,}\s*$|-{3,}\s*$)|\n\s*\n", re.M)
_BLANK_LINES = re.compile(r"\n\s*\n")
# Words in a row that no formula has, outside of its own text commands: what stands for a formula unseen must be one.
_PROSE = re.compile(r"(?:(?<![\\{\w])[A-Za-z]{2,}[,;:]?\s+){5}")


def formula(node: HtmlElement) -> str | None:
    """Write *node* as a formula: between dollar signs, or with the delimiters it brings.

    MathML with a TeX annotation or ``alttext``, KaTeX, MathJax scripts and spans, and images of formulas are known.

    Args:
        node: Any element.

    Returns:
        Markdown, or ``None`` where the element is no formula.
    """
    tag = node.tag
    if tag == "math":
        return _mathml(node)
    if tag == "script":
        kind = node.get("type") or ""
        return _wrapped(node.text or "", display="display" in kind) if "math/tex" in kind else None
    names = classes(node)
    if not names and tag not in ("img", "mjx-container"):
        return None
    if tag == "img":
        alt = node.get("alt") or ""
        return (
            _wrapped(alt, display=False)
            if alt and ("math" in names or "mwe-math-fallback-image-inline" in names or "latex" in names)
            else None
        )
    if "katex" in names or "katex-display" in names or "mwe-math-element" in names or tag == "mjx-container":
        found = node.find(".//math")
        if found is not None:
            return _mathml(found, display="katex-display" in names or node.get("display") == "true")
        return None
    if "math" in names or "arithmatex" in names or "mathjax" in names:
        return _numbered(node)
    return None


def is_display(node: HtmlElement) -> bool:
    """Whether a formula stands on its own line."""
    if node.tag == "math":
        return bool(node.get("display") == "block")
    return (
        (node.tag in ("div", "p") and formula(node) is not None)
        or "katex-display" in classes(node)
        or (node.tag == "script" and "mode=display" in (node.get("type") or ""))
    )


def _mathml(node: HtmlElement, *, display: bool = False) -> str:
    display = display or node.get("display") == "block"
    for annotation in node.iter("annotation"):
        source = annotation.text or ""
        if (annotation.get("encoding") or "").lower() in (_TEX, "latex", "tex") and not _PROSE.search(source):
            return _wrapped(source, display=display)
    source = node.get("alttext") or ""
    if source and not _PROSE.search(source):
        return _wrapped(source, display=display)
    text = "".join(part.text or "" for part in node.iter() if is_element(part) and part.tag not in _UNSEEN)
    return prose(" ".join(text.split()))


def _numbered(node: HtmlElement) -> str | None:
    """A formula with its own delimiters; the number that a page sets before it goes behind it."""
    numbers = [part for part in node if is_element(part) and "eqno" in classes(part)]
    if not numbers:
        return _delimited("".join(node.itertext()))
    number = " ".join((numbers[0].text or "").split())
    source = _delimited((node.text or "") + "".join(part.tail or "" for part in node))
    return source and f"{source} {number}".rstrip()


def _delimited(text: str) -> str | None:
    """A formula that brings its own delimiters keeps them."""
    found = _DISPLAY.match(text)
    display = found is not None
    found = found or _INLINE.match(text)
    if found is None:
        return None
    source = (found.group(1) or found.group(2) or "").strip()
    if _is_unsafe(source, display=display):
        return _wrapped(source, display=display)
    return text.strip() if display else " ".join(text.split())


def _is_unsafe(source: str, *, display: bool) -> bool:
    """Whether a formula holds what a reader of Markdown that knows no formulas takes for markup."""
    return _MARKUP.search(source) is not None or (display and _LINE_MARKUP.search(source) is not None)


def _wrapped(source: str, *, display: bool) -> str:
    source = source.strip()
    if source.startswith("{\\displaystyle") and source.endswith("}"):
        source = source[len("{\\displaystyle") : -1].strip()
    if not source:
        return ""
    if display:
        source = _BLANK_LINES.sub("\n", source)
        return fenced(source, "math") if _is_unsafe(source, display=True) else f"$$\n{source}\n$$"
    source = " ".join(source.split())
    return f"${spanned(source)}$" if _is_unsafe(source, display=False) else f"${source}$"
