"""Keep formulas as the source they were written in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websdk.reading.tree import classes, is_element

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_INLINE = re.compile(r"\A\s*(?:\\\((.*)\\\)|\$(?!\$)(.*)\$)\s*\Z", re.S)
_DISPLAY = re.compile(r"\A\s*(?:\\\[(.*)\\\]|\$\$(.*)\$\$)\s*\Z", re.S)
_TEX = "application/x-tex"


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
        if (annotation.get("encoding") or "").lower() in (_TEX, "latex", "tex"):
            return _wrapped(annotation.text or "", display=display)
    if node.get("alttext"):
        return _wrapped(node.get("alttext") or "", display=display)
    text = "".join(
        part.text or "" for part in node.iter() if is_element(part) and part.tag not in ("annotation", "annotation-xml")
    )
    return " ".join(text.split())


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
    if _DISPLAY.match(text):
        return text.strip()
    return " ".join(text.split()) if _INLINE.match(text) else None


def _wrapped(source: str, *, display: bool) -> str:
    source = source.strip()
    if source.startswith("{\\displaystyle") and source.endswith("}"):
        source = source[len("{\\displaystyle") : -1].strip()
    if not source:
        return ""
    if display:
        return f"$$\n{source}\n$$".replace("\n\n", "\n")
    return f"${' '.join(source.split())}$"
