"""Take text that no visitor could see out of a page, before anything reads it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import attrs

from websdk.reading import declarations, sheets
from websdk.reading.folds import Reachable
from websdk.reading.options import ReadingOptions
from websdk.reading.streamed import put_in_place
from websdk.reading.tree import is_element, remove

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# Elements that a browser paints nothing of, or whose content stands in for something else.
_UNPAINTED = frozenset(
    "script style template noscript datalist noframes noembed head textarea select option optgroup "
    "canvas video audio object iframe embed applet map".split()
)
# Words that a removed passage needs to count as prose: shorter ones are labels, skip links and counters.
_PROSE_WORDS = 8
# Share of a removed passage that may be link text before it counts as a menu.
_MENU_SHARE = 0.5
_SENTENCE_END = re.compile(r"[.!?\u3002\uff01\uff1f\u061f\u0964](?:\s|$)|[\u3002\uff01\uff1f]")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_NO_SCRIPT = re.compile(r"java\s?script", re.I)
# Elements whose content is a menu or a control, never prose.
_MENUS = frozenset(("nav", "menu", "button", "label"))
_LEFT_OVERS = ("style", "hidden", "aria-hidden", "popover")


@attrs.frozen(kw_only=True)
class Hidden:
    """What was removed.

    Attributes:
        elements: How many elements went.
        characters: Characters of text in them, blanks folded.
        code_blocks: Code blocks in them.
        prose: Whether a sentence or more was among it.
    """

    elements: int = 0
    characters: int = 0
    code_blocks: int = 0
    prose: bool = False


class _Tally:
    def __init__(self) -> None:
        self.elements = 0
        self.characters = 0
        self.code_blocks = 0
        self.prose = False

    def count(self, node: HtmlElement, text: str, *, silent: bool) -> None:
        text = " ".join(text.split())
        if not text:
            return
        self.elements += 1
        self.characters += len(text)
        self.code_blocks += sum(1 for _ in node.iter("pre"))
        if not silent and not self.prose:
            self.prose = _is_prose(node, text)


def strip_hidden(root: HtmlElement, options: ReadingOptions) -> Hidden:
    """Remove hidden content from *root*, in place.

    What is removed keeps the text after it and the structure around it. Inactive panels of a tab set, closed folds and
    text hidden from assistive technology alone stay. Afterwards no attribute is left by which a later step could
    judge again.

    Args:
        root: A parsed page.
        options: The bounds.

    Returns:
        How much was removed.
    """
    from lxml.etree import strip_attributes

    tally = _Tally()
    put_in_place(root)
    _open_shadow_roots(root, tally)
    by_sheet = sheets.matched(root, options)
    _unpainted(root, tally)
    reachable = Reachable(root)
    parsed: dict[str, declarations.Declared] = {}
    marked = root.xpath("//@style/..|//@hidden/..|//@popover/..|//@aria-hidden/..|//dialog|//input")
    known = set(marked)
    styles = {
        node: _style(node, by_sheet.get(node), parsed) for node in [*marked, *(n for n in by_sheet if n not in known)]
    }
    in_order = list(styles) if not by_sheet else [node for node in root.iter() if node in styles]
    for node in in_order:
        if node.getparent() is None or (node.tag in ("html", "body") and not _whole_page(node, styles[node])):
            continue
        verdict = _verdict(node, styles[node])
        if verdict == "gone" and reachable.by_a_click(node):
            continue
        if verdict == "gone":
            tally.count(node, "".join(node.itertext()), silent=_silent(node))
            _empty(node) if node.tag == "body" else remove(node)
        elif verdict is not None:
            _hide_text(node, verdict, styles, tally)
    strip_attributes(root, *_LEFT_OVERS)
    return Hidden(
        elements=tally.elements, characters=tally.characters, code_blocks=tally.code_blocks, prose=tally.prose
    )


def _unpainted(root: HtmlElement, tally: _Tally) -> None:
    doomed = [node for node in root.iter(*_UNPAINTED) if node.tag != "head"]
    for node in doomed:
        if node.getparent() is None or (node.tag == "script" and "math/tex" in (node.get("type") or "")):
            continue
        if node.tag == "template":
            text = "".join(node.itertext())
            tally.count(node, text, silent=_row_template(node))
        remove(node)
    # A drawing is no text, and its parts can be a third of all elements.
    for svg in list(root.iter("svg")):
        remove(svg)


def _row_template(node: HtmlElement) -> bool:
    """A template with holes to fill is machinery, not prose."""
    text = "".join(node.itertext())
    return "{{" in text or "${" in text or not _SENTENCE_END.search(text)


def _open_shadow_roots(root: HtmlElement, tally: _Tally) -> None:
    """Put declarative shadow roots where a browser shows them; children of the host without a slot are not shown."""
    for template in root.xpath("//template[@shadowrootmode or @shadowroot]"):
        host = template.getparent()
        if host is None:
            continue
        slots = {slot.get("name") or "": slot for slot in reversed(list(template.iter("slot")))}
        light = _light(host, template)
        filled: set[HtmlElement] = set()
        for child in light:
            slot = slots.get(child.get("slot") or "") if is_element(child) else None
            if slot is None:
                tally.count(child, "".join(child.itertext()), silent=False)
                remove(child)
                continue
            if slot not in filled:
                # What a slot holds itself is shown only where nothing is put into it.
                _empty(slot)
                filled.add(slot)
            slot.append(child)
        template.tag = "div"
        for name in ("shadowrootmode", "shadowroot"):
            template.attrib.pop(name, None)


def _light(host: HtmlElement, template: HtmlElement) -> list[HtmlElement]:
    """The children of a host beside its shadow root; loose text, which has no element, gets one."""
    found: list[HtmlElement] = []

    def loose(text: str | None) -> None:
        if text and not text.isspace():
            own = host.makeelement("span")
            own.text = text
            found.append(own)

    loose(host.text)
    host.text = None
    for child in host:
        if child is not template:
            found.append(child)
        loose(child.tail)
        child.tail = None if child.tail is None else " "
    return found


def _style(
    node: HtmlElement, by_sheet: dict[str, tuple[sheets.Weight, Any]] | None, parsed: dict[str, declarations.Declared]
) -> dict[str, Any]:
    css = node.get("style") or ""
    if css not in parsed:
        parsed[css] = declarations.parse(css) if css and (by_sheet or declarations.CANDIDATE.search(css)) else {}
    own = parsed[css]
    if not by_sheet:
        return {name: value for name, (_, value) in own.items()}
    merged = {name: value for name, (_, value) in by_sheet.items()}
    for name, (important, value) in own.items():
        if important or not (name in by_sheet and by_sheet[name][0][0]):
            merged[name] = value
    return merged


def _verdict(node: HtmlElement, style: dict[str, Any]) -> str | None:
    """``gone``, the inherited property that hides the text, or ``None``."""
    if node.tag == "input":
        return None if (node.get("type") or "").lower() in ("checkbox", "radio") else "gone"
    if node.tag == "dialog":
        if node.get("open") is None:
            return "gone"
        node.tag = "div"
    if node.get("popover") is not None:
        return "gone"
    hidden = node.get("hidden")
    if hidden is not None and hidden.strip().lower() != "until-found" and style.get("display") != "shown":
        return "gone"
    if declarations.hides(style):
        return "gone"
    for name in declarations.INHERITED:
        if name in style and declarations.hides_text(name, style[name], style):
            return name
    return None


def _whole_page(node: HtmlElement, style: dict[str, Any]) -> bool:
    """Whether a root style hides the page for good: scripts fade pages in, but a hidden body is an empty read."""
    return node.tag == "body" or declarations.hides(style)


def _hide_text(node: HtmlElement, name: str, styles: dict[HtmlElement, dict[str, Any]], tally: _Tally) -> None:
    """Remove text under *node* as far as no descendant sets the property *name* again."""
    shown = [below for below in node.iterdescendants() if _shows_again(below, name, styles)]
    if not shown:
        tally.count(node, "".join(node.itertext()), silent=_silent(node))
        _empty(node) if node.tag in ("body", "html", "td", "th") else remove(node)
        return
    path = {above for below in shown for above in below.iterancestors()} | {node}
    keep = set(shown)
    gone = [node.text or ""]
    node.text = None
    for part in [part for part in node.iterdescendants() if part in path or part.getparent() in path]:
        if part.getparent() not in path or _under(part, keep, node):
            continue
        gone.append(part.tail or "")
        part.tail = None
        if part in keep:
            continue
        if part in path:
            gone.append(part.text or "")
            part.text = None
        else:
            gone.append("".join(part.itertext()))
            remove(part)
    tally.count(node, " ".join(gone), silent=_silent(node))


def _shows_again(below: HtmlElement, name: str, styles: dict[HtmlElement, dict[str, Any]]) -> bool:
    style = styles.get(below, {})
    if name not in style and below.get("style"):
        style = {key: value for key, (_, value) in declarations.parse(below.get("style") or "").items()}
    return name in style and not declarations.hides_text(name, style[name], style)


def _under(part: HtmlElement, keep: set[HtmlElement], node: HtmlElement) -> bool:
    for above in part.iterancestors():
        if above in keep:
            return True
        if above is node:
            return False
    return False


def _empty(node: HtmlElement) -> None:
    for child in list(node):
        node.remove(child)
    node.text = None


def _silent(node: HtmlElement) -> bool:
    """Whether a hidden element is a menu or a control, whose hiding is ordinary."""
    if node.tag in _MENUS or node.get("role") in ("navigation", "menu", "menubar", "listbox", "search", "tooltip"):
        return True
    return any(above.tag == "nav" for above in node.iterancestors())


def _is_prose(node: HtmlElement, text: str) -> bool:
    words = len(text.split()) if not _CJK.search(text) else len(text) // 2
    if words < _PROSE_WORDS or (_NO_SCRIPT.search(text) and words < 40):
        return False
    links = sum(len("".join(a.itertext())) for a in node.iter("a"))
    if links > _MENU_SHARE * len(text):
        return False
    return bool(_SENTENCE_END.search(text)) or (
        words >= 2 * _PROSE_WORDS and not any(True for _ in node.iter("li", "input"))
    )
