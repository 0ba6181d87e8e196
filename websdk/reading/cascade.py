"""Say what the style sheets of a page declare for the elements that they hide, or undo to hide."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from websdk.reading import declarations, matching, selectors
from websdk.reading.options import ReadingOptions
from websdk.reading.sheets import Rule, Setting, sheet_rules

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from lxml.html import HtmlElement

# Importance, layer, specificity, place in the page: the greater one wins.
Weight = tuple[bool, tuple[float, ...], tuple[int, int, int], int]
Declared = dict[str, tuple[Weight, Any]]

_ATTRIBUTE = re.compile(r"\[(?:\"[^\"]*\"|'[^']*'|[^\]\"'])*\]")
_ARGUMENT = re.compile(r"(?::[\w-]*)?\([^()]*\)")
_CLASS = re.compile(r"\.(-?[_a-zA-Z\u0080-\U0010ffff][\w\u0080-\U0010ffff-]*)")
_ID = re.compile(r"#(-?[_a-zA-Z\u0080-\U0010ffff][\w\u0080-\U0010ffff-]*)")
_TAG = re.compile(r"[a-zA-Z][\w-]*")
_COMBINED = re.compile(r"[>+~\s]+")
# What means nothing on a page at rest; the matcher knows all of it, these are most.
_NEVER = re.compile(r"::|:(?:hover|focus|focus-visible|focus-within|active|visited|before|after)(?![\w-])")
_EVERYWHERE = frozenset((":root", "html", "*", "body", ":host", "html,:host", ":root,:host"))
# What the text of a rule must hold to set an inherited property.
_PASSED_ON = re.compile(r"visib|font|color|indent|all|\\", re.I)


def matched(
    elements: Collection[HtmlElement],
    styles: Iterable[HtmlElement],
    options: ReadingOptions,
    suspects: dict[HtmlElement, bool],
) -> tuple[dict[HtmlElement, Declared], dict[str, str | None]]:
    """Say what the style sheets declare for the elements that something could hide.

    Args:
        elements: The elements that the sheets apply to, in the order of the page.
        styles: ``style`` elements.
        options: The bounds.
        suspects: Elements that their own attributes could hide, and whether they hide by inherited properties.

    Returns:
        Element to property to the winning weight and value, and the variables of the page.
    """
    rules, settings = sheet_rules(styles, options)
    if not rules:
        return {}, {}
    # Sheets say few things over and over.
    hiding = {body for body in {rule.body for rule in rules} if declarations.candidate(body)}
    if not hiding and not suspects:
        return {}, {}
    cascade = _Cascade(elements)
    variables = cascade.variables
    cascade.set(settings)
    others: list[Rule] = []
    for rule in rules:
        if rule.conditional or rule.body not in hiding or not cascade.hides(rule):
            others.append(rule)
        else:
            cascade.apply(rule)
    found = cascade.found
    inherited = [
        node
        for node, style in found.items()
        if any(declarations.hides_text({n: v}) for n, (_, v) in style.items() if n in declarations.INHERITED)
    ]
    inherited += [node for node, by_text in suspects.items() if by_text]
    around = frozenset(found) | frozenset(suspects)
    if not around:
        return {}, variables
    reach = _Reach(around, _below(inherited))
    for rule in others:
        cascade.apply(rule, reach)
    return {node: _at_rest(style) for node, style in found.items()}, variables


class _Reach:
    """The elements that a rule is asked about.

    Args:
        whole: Those all of whose properties matter.
        below: Those whose inherited properties alone matter, and maybe some of the former.
    """

    def __init__(self, whole: frozenset[HtmlElement], below: frozenset[HtmlElement]) -> None:
        self.whole = whole
        self._whole = matching.Index(whole)
        self._both = matching.Index(whole | below) if below - whole else self._whole

    def of(self, rule: Rule) -> matching.Index:
        """The elements that matter to one rule."""
        return self._both if self._both is not self._whole and _PASSED_ON.search(rule.body) else self._whole


def _below(tops: list[HtmlElement]) -> frozenset[HtmlElement]:
    found: set[HtmlElement] = set()
    marked = set(tops)
    for top in tops:
        if top in found or any(above in marked for above in top.iterancestors()):
            continue
        found.update(top.iterdescendants())
    return frozenset(found)


def _at_rest(style: Declared) -> Declared:
    """Without what an entrance starts from."""
    moved: set[str] = set()
    for name in ("transition", "transition-property", "animation", "animation-name"):
        if name in style:
            moved |= style[name][1]
    if not moved:
        return style
    return {
        name: value
        for name, value in style.items()
        if name not in declarations.MOVED or not ("all" in moved or name in moved)
    }


class _Cascade:
    def __init__(self, elements: Collection[HtmlElement]) -> None:
        self.found: dict[HtmlElement, Declared] = {}
        self._page = matching.Index(elements)
        self._matcher = matching.Matcher(self._page)
        # ``None`` for those that differ by place.
        self.variables: dict[str, str | None] = {}
        self._parsed: dict[str, declarations.Declared] = {}
        self._selectors: dict[str, selectors.Selector | None] = {}

    def declared(self, rule: Rule) -> declarations.Declared:
        if rule.body not in self._parsed:
            self._parsed[rule.body] = declarations.parse(rule.body, self.variables)
        return self._parsed[rule.body]

    def set(self, settings: list[Setting]) -> None:
        """Take in the variables of the page; those of rules about other pages say nothing."""
        last: list[str] = []
        applies = False
        for stack, name, value in settings:
            if len(stack) == 1 and stack[0].replace(" ", "") in _EVERYWHERE:
                self.variables[name] = value
            elif self.variables.get(name, "\0") not in (value, None):
                if stack is not last:
                    last = stack
                    applies = stack[-1][:1] == "@" or self._possible(selectors.split_list(stack[-1]), self._page)
                if applies:
                    self.variables[name] = None

    def hides(self, rule: Rule) -> bool:
        return self._possible(rule.selectors, self._page) and any(
            declarations.could_hide(name, value) for name, (_, value) in self.declared(rule).items()
        )

    def _possible(self, members: Iterable[str], among: matching.Index) -> bool:
        """Whether the names in one of the selectors occur: nearly all rules of a sheet are about other pages."""
        for selector in members:
            if len(selector) > selectors.LENGTH:
                continue
            if "\\" in selector:
                return True
            plain = selector
            if "[" in plain:
                plain = _ATTRIBUTE.sub("", plain)
            if ":" in plain:
                while "(" in plain and (less := _ARGUMENT.sub("", plain)) != plain:
                    plain = less
                if _NEVER.search(plain):
                    continue
            # Behind an argument only a part of the last compound is left, and that is enough.
            last = _COMBINED.sub(" ", plain).rpartition(" ")[2].rpartition(")")[2]
            tag = _TAG.match(last)
            if among.knows(
                _CLASS.findall(last), _ID.findall(last), tag.group().lower() if tag else ""
            ) and self._page.knows(_CLASS.findall(plain), _ID.findall(plain)):
                return True
        return False

    def apply(self, rule: Rule, reach: _Reach | None = None) -> None:
        """Take in what a rule declares for the elements that matter; for all of the page without *reach*."""
        among = self._page if reach is None else reach.of(rule)
        if not self._possible(rule.selectors, among):
            return
        parsed = [self._parse(member) for member in rule.selectors]
        known = [selector for selector in parsed if selector is not None]
        if len(known) < len(parsed):
            return
        hits = [(selector, element) for selector in known for element in self._matcher.match(selector, among)]
        if not hits:
            return
        declared = self.declared(rule)
        if rule.conditional:
            declared = {n: v for n, v in declared.items() if not declarations.could_hide(n, v[1])}
        passed_on = {name: value for name, value in declared.items() if name in declarations.INHERITED}
        for selector, element in hits:
            taken = declared if reach is None or element in reach.whole else passed_on
            if taken:
                self._take(element, taken, rule, selector)

    def _parse(self, selector: str) -> selectors.Selector | None:
        if selector not in self._selectors:
            self._selectors[selector] = selectors.parse(selector)
        return self._selectors[selector]

    def _take(
        self, element: HtmlElement, declared: declarations.Declared, rule: Rule, selector: selectors.Selector
    ) -> None:
        own = self.found.setdefault(element, {})
        for name, (important, value) in declared.items():
            layer = tuple(-rank for rank in rule.layer) if important else rule.layer
            weight = (important, layer, selector.specificity, rule.order)
            if name not in own or own[name][0] <= weight:
                own[name] = (weight, value)
