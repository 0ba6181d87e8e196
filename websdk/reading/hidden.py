"""Take text that no visitor could see out of a page, before anything reads it."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any

import attrs

from websdk.reading import cascade, declarations
from websdk.reading.folds import Reachable
from websdk.reading.options import ReadingOptions
from websdk.reading.streamed import put_in_place
from websdk.reading.tree import attached, is_element

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

# Elements that a browser paints nothing of, or whose content stands in for something else.
_UNPAINTED = frozenset(
    "script style template noscript datalist noframes noembed head textarea select option optgroup "
    "canvas video audio object iframe embed applet map".split()
)
# Words of a passage without a full stop that count as prose: shorter ones are labels, skip links and counters.
_PROSE_WORDS = 8
# Words of a sentence, and of one inside a menu or a control.
_SENTENCE_WORDS = 4
_MENU_WORDS = 5
# No sentence is shorter; most of what pages hide is.
_PROSE_CHARACTERS = 8
# Share of a removed passage that may be link text before it counts as a menu.
_MENU_SHARE = 0.5
_SENTENCE_END = re.compile(
    r"""(?<=[.!?\u2026])["'\u201d\u2019\u00bb)\]]*(?:\s+|\Z)|(?<=[\u3002\uff01\uff1f\u061f\u0964])\s*"""
)
_HOLE = re.compile(r"\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}|<%[^%]{0,200}%>")
# What screen readers and loading pages are told everywhere.
_LABEL = re.compile(
    r"\(?(?:this |external )?(?:link )?(?:opens?|opening) (?:in|an?) |skip |jump |loading|please wait|press ", re.I
)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_NO_SCRIPT = re.compile(
    r"(?:enabl|disabl|activat|turn(?:ed)?.on|requir|needs?|support|without|switch).{0,60}java\s?script"
    r"|java\s?script.{0,60}(?:enabl|disabl|activat|turned|requir|need|support|switch)",
    re.I,
)
# A notice that scripts are needed is not longer.
_NOTICE_WORDS = 40
# Shadow roots with sheets of their own that are looked into; each costs a walk.
_MAX_SCOPES = 20
_ROOTS = frozenset(("html", "body"))
_EMPTIED = _ROOTS | {"td", "th"}
# Elements whose content is a menu or a control, never prose.
_MENUS = frozenset(("nav", "menu", "button", "label"))
# Attributes and elements that hide without a sheet.
_MARKS = frozenset(("style", "hidden", "popover"))
_CLOSED = frozenset(("dialog", "input"))
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

    def count(self, node: HtmlElement, pieces: list[str]) -> None:
        text = " ".join("".join(pieces).split())
        if not text:
            return
        self.elements += 1
        self.characters += len(text)
        self.code_blocks += sum(1 for _ in node.iter("pre"))
        self.prose = self.prose or (len(text) >= _PROSE_CHARACTERS and _is_prose(node, pieces))


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
    removed: list[HtmlElement] = []
    _strip(root, options, tally, removed)
    # From its end on, because the parser looks through all that was removed for every part whose parent went before.
    while removed:
        removed.pop()
    strip_attributes(root, *_LEFT_OVERS)
    return Hidden(
        elements=tally.elements, characters=tally.characters, code_blocks=tally.code_blocks, prose=tally.prose
    )


def _strip(root: HtmlElement, options: ReadingOptions, tally: _Tally, removed: list[HtmlElement]) -> None:
    put_in_place(root)
    shadows = _open_shadow_roots(root, tally)
    styles = _Styles(root, options, shadows)
    _unpainted(root, tally)
    reachable = Reachable(root)
    doomed: dict[HtmlElement, None] = {}
    for node in styles.marked():
        if any(above in doomed for above in node.iterancestors()):
            continue
        style = styles.of(node)
        if _is_gone(node, style) and (node.tag in _ROOTS or not reachable.by_a_click(node, style)):
            tally.count(node, list(node.itertext()))
            doomed[node] = None
    _take_out(doomed, removed)
    _hide_texts(root, styles, tally, removed)


def _unpainted(root: HtmlElement, tally: _Tally) -> None:
    doomed: dict[HtmlElement, None] = {}
    # A drawing is no text, and its parts can be a third of all elements.
    for node in root.iter(*_UNPAINTED, "svg"):
        if node.tag == "head" or node.getparent() is None:
            continue
        if node.tag == "script" and "math/tex" in (node.get("type") or ""):
            continue
        if any(above in doomed for above in node.iterancestors()):
            continue
        if node.tag == "template":
            tally.count(node, list(node.itertext()))
        doomed[node] = None
    _take_out(doomed)


def _take_out(doomed: Iterable[HtmlElement], removed: list[HtmlElement] | None = None) -> None:
    """Remove elements; the text after them stays, and a cell or a root is only emptied."""
    if removed is not None:
        removed.extend(chain.from_iterable(node.iter() for node in doomed))
    by_parent: dict[HtmlElement, set[HtmlElement]] = {}
    for node in doomed:
        parent = node.getparent()
        if node.tag in _EMPTIED or parent is None:
            _empty(node)
        else:
            by_parent.setdefault(parent, set()).add(node)
    for parent, gone in by_parent.items():
        kept: HtmlElement | None = None
        pieces = [parent.text or ""]
        for child in [*parent, None]:
            if child is not None and child in gone:
                pieces.append(child.tail or "")
                continue
            if len(pieces) > 1:
                text = "".join(pieces) or None
                if kept is None:
                    parent.text = text
                else:
                    kept.tail = text
            kept = child
            pieces = [] if child is None else [child.tail or ""]
        for node in gone:
            parent.remove(node)


def _open_shadow_roots(root: HtmlElement, tally: _Tally) -> list[frozenset[HtmlElement]]:
    """Put declarative shadow roots where a browser shows them; children of the host without a slot are not shown.

    Returns the elements of every shadow root: style sheets of the page and of a shadow root do not reach each other.
    """
    shadows: list[frozenset[HtmlElement]] = []
    hosts: set[HtmlElement] = set()
    templates = root.xpath("//template[@shadowrootmode or @shadowroot]")
    # Moving one into a slot must not make the slot a host.
    for template, host in [(template, template.getparent()) for template in templates]:
        # A host has one shadow root: the first.
        if host is None or host in hosts:
            continue
        hosts.add(host)
        shadows.append(frozenset(template.iter()))
        slots = {slot.get("name") or "": slot for slot in reversed(list(template.iter("slot")))}
        light = _light(host, template)
        filled: set[HtmlElement] = set()
        orphans: dict[HtmlElement, None] = {}
        for child in light:
            slot = slots.get(child.get("slot") or "") if is_element(child) else None
            if slot is None:
                tally.count(child, list(child.itertext()))
                orphans[child] = None
                continue
            if slot not in filled:
                # What a slot holds itself is shown only where nothing is put into it.
                _empty(slot)
                filled.add(slot)
            slot.append(child)
        template.tag = "div"
        for name in ("shadowrootmode", "shadowroot"):
            template.attrib.pop(name, None)
        for child in orphans:
            if child.getparent() is not None:
                child.getparent().remove(child)
    return shadows


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


class _Styles:
    """What every element that could be hidden declares, by its own attributes and by the sheets of the page."""

    def __init__(self, root: HtmlElement, options: ReadingOptions, shadows: list[frozenset[HtmlElement]]) -> None:
        self._parsed: dict[str, declarations.Declared] = {}
        self._by_sheet: dict[HtmlElement, cascade.Declared] = {}
        self._variables: dict[str, str | None] = {}
        elements = list(root.iter("*"))
        self._own = [node for node in elements if not _MARKS.isdisjoint(node.keys()) or node.tag in _CLOSED]
        self._root = root
        suspects = {node: by_text for node in self._own if (by_text := _suspect(node, self._parsed)) is not None}
        styles = [node for node in root.iter("style") if not _inert(node)]
        if styles:
            self._apply(elements, options, shadows, styles, suspects)
        self._parsed = {}

    def _apply(
        self,
        everything: list[HtmlElement],
        options: ReadingOptions,
        shadows: list[frozenset[HtmlElement]],
        styles: list[HtmlElement],
        suspects: dict[HtmlElement, bool],
    ) -> None:
        if not shadows:
            self._by_sheet, self._variables = cascade.matched(everything, styles, options, suspects)
            return
        inside = frozenset().union(*shadows)
        scopes = [shadow for shadow in shadows if any(style in shadow for style in styles)][:_MAX_SCOPES]
        for scope in [None, *scopes]:
            elements = [node for node in everything if (node not in inside if scope is None else node in scope)]
            known = set(elements)
            found, variables = cascade.matched(
                elements,
                [style for style in styles if style in known],
                options,
                {node: by_text for node, by_text in suspects.items() if node in known},
            )
            self._by_sheet.update(found)
            if scope is None:
                self._variables = variables

    def marked(self) -> list[HtmlElement]:
        """The elements that declare something, in the order of the page."""
        if not self._by_sheet:
            return list(self._own)
        wanted = {*self._own, *self._by_sheet}
        return [node for node in self._root.iter() if node in wanted]

    def of(self, node: HtmlElement, *, whole: bool = False) -> dict[str, Any]:
        """What an element declares; its own declarations are looked at only where they may hide, or *whole*."""
        by_sheet = self._by_sheet.get(node)
        css = node.get("style") or ""
        own: declarations.Declared = {}
        if css and (
            whole or by_sheet or css in self._parsed or declarations.candidate(css) or node.get("hidden") is not None
        ):
            if css not in self._parsed:
                self._parsed[css] = declarations.parse(css, self._variables)
            own = self._parsed[css]
        if not by_sheet:
            return {name: value for name, (_, value) in own.items()}
        merged = {name: value for name, (_, value) in by_sheet.items()}
        for name, (important, value) in own.items():
            if important or not (name in by_sheet and by_sheet[name][0][0]):
                merged[name] = value
        return merged


def _suspect(node: HtmlElement, parsed: dict[str, declarations.Declared]) -> bool | None:
    """Whether the attributes of an element may hide it by inherited properties (or otherwise), or ``None``."""
    css = node.get("style") or ""
    by_text = False
    if css and declarations.candidate(css):
        if css not in parsed:
            parsed[css] = declarations.parse(css)
        by_text = "var(" in css or any(
            declarations.could_hide(name, value)
            for name, (_, value) in parsed[css].items()
            if name in declarations.INHERITED
        )
    elif node.get("hidden") is None:
        return None
    return by_text


def _inert(style: HtmlElement) -> bool:
    return any(above.tag == "template" for above in style.iterancestors())


def _is_gone(node: HtmlElement, style: dict[str, Any]) -> bool:
    if node.tag == "input":
        return (node.get("type") or "").lower() not in ("checkbox", "radio")
    if node.tag == "dialog":
        if node.get("open") is None:
            return True
        node.tag = "div"
    if node.get("popover") is not None:
        return True
    hidden = node.get("hidden")
    if hidden is not None and hidden.strip().lower() != "until-found" and style.get("display", "revert") == "revert":
        return True
    return declarations.hides(style)


def _hide_texts(root: HtmlElement, styles: _Styles, tally: _Tally, removed: list[HtmlElement]) -> None:
    """Remove text that an inherited property hides, as far as no descendant sets it again."""
    done: set[HtmlElement] = set()
    doomed: list[HtmlElement] = []
    for node in styles.marked():
        if node in done or (node is not root and node.getparent() is None):
            continue
        style = styles.of(node)
        if node.tag == "html":
            # The size and the ink of the root are where other sheets start from.
            style = {name: value for name, value in style.items() if name == "visibility"}
        look = declarations.Text().below(style)
        if not look.hidden or not attached(node, root):
            continue
        below = list(node.iter())
        done.update(below)
        looks = {node: look}
        for part in below[1:]:
            above = looks[part.getparent()]
            own = styles.of(part, whole=True)
            looks[part] = above.below(own) if own else above
        doomed.extend(_leave_seen(node, below, looks, tally))
    _take_out(doomed, removed)


def _leave_seen(
    node: HtmlElement, below: list[HtmlElement], looks: dict[HtmlElement, declarations.Text], tally: _Tally
) -> list[HtmlElement]:
    """Remove the hidden text beside what is seen, and say which elements hold nothing that is."""
    seen: set[HtmlElement] = set()
    for part in reversed(below):
        if part in seen or not looks[part].hidden:
            seen.add(part)
            if part is not node:
                seen.add(part.getparent())
    if node not in seen:
        tally.count(node, list(node.itertext()))
        return [node]
    gone: list[str] = []
    doomed: list[HtmlElement] = []
    for part in below:
        if part not in seen:
            continue
        hidden = looks[part].hidden
        if hidden:
            gone.append(part.text or "")
            part.text = None
        for child in part:
            if child not in seen:
                gone.extend(child.itertext())
                doomed.append(child)
            if hidden:
                gone.append(child.tail or "")
                child.tail = None
    tally.count(node, gone)
    return doomed


def _empty(node: HtmlElement) -> None:
    for child in list(node):
        if child.tag != "head":
            node.remove(child)
    node.text = None


def _is_prose(node: HtmlElement, pieces: list[str]) -> bool:
    """Whether a sentence was hidden, or a passage long enough to be one; not a menu, a label or a row to fill."""
    links = [] if node.tag == "a" else list(node.iter("a"))
    whole = " ".join(" ".join(pieces).split())
    if _NO_SCRIPT.search(whole) and _words(whole) < _NOTICE_WORDS:
        return False
    linked = sum(len("".join(link.itertext())) for link in links)
    text = whole if len(links) < 2 else _outside_links(node)
    menu = _is_menu(node)
    least = _MENU_WORDS if menu or linked > _MENU_SHARE * len(whole) else _SENTENCE_WORDS
    sentences = _SENTENCE_END.split(_HOLE.sub("\0", text))
    if any(_words(part) >= least and "\0" not in part and not _LABEL.match(part.strip()) for part in sentences[:-1]):
        return True
    if menu or linked > _MENU_SHARE * len(whole) or "\0" in sentences[-1] or node.tag == "template":
        return False
    return _words(whole) >= 2 * _PROSE_WORDS and not any(True for _ in node.iter("li", "input"))


def _words(text: str) -> int:
    return len(text) // 2 if _CJK.search(text) else len(text.split())


def _outside_links(node: HtmlElement) -> str:
    inside = {part for link in node.iter("a") for part in link.iter()}
    found: list[str] = []
    for part in node.iter():
        if part not in inside:
            found.append(part.text or "")
        if part is not node and part.getparent() not in inside:
            found.append(part.tail or "")
    return " ".join(" ".join(found).split())


def _is_menu(node: HtmlElement) -> bool:
    """Whether a hidden element is a menu or a control, whose hiding is ordinary."""
    if node.tag in _MENUS or node.get("role") in ("navigation", "menu", "menubar", "listbox", "search", "tooltip"):
        return True
    return any(above.tag == "nav" for above in node.iterancestors())
