"""Match the rules of a page's own style sheets that hide something or undo it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import attrs

from websdk.reading import declarations
from websdk.reading.options import ReadingOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

Weight = tuple[bool, tuple[int, int, int], int]

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.S)
_MARK = re.compile(r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{};]""", re.S)
_NOT = re.compile(r":(?:not|is|where|has|matches)\([^()]*\)", re.I)
_CLASS = re.compile(r"\.(-?[_a-zA-Z\u0080-\uffff][\w\u0080-\uffff-]*)")
_ID = re.compile(r"#(-?[_a-zA-Z\u0080-\uffff][\w\u0080-\uffff-]*)")
_SIMPLE = re.compile(r"([a-zA-Z][a-zA-Z0-9]*)?\.(-?[_a-zA-Z][\w-]*)")
_LAST = re.compile(r"[^\s>+~]+\s*\Z")
_TAG = re.compile(r"[a-zA-Z][a-zA-Z0-9]*")
# A rule that also says how it changes is the first frame of an entrance that a script plays, not a hiding place.
_MOVING = re.compile(r"transition|animation", re.I)
_MOVED = frozenset(
    ("opacity", "visibility", "transform", "translate", "scale", "max-height", "height", "filter", "clip-path")
)
# Conditions of size, device state or taste: a rule under one of them may show text again, and never hides it.
_CONDITIONAL = re.compile(r"width|height|ratio|orientation|resolution|prefers|hover|pointer|monochrome|speech", re.I)
# Longer or deeper selectors than this are machine-made and costly to match; they are taken to match nothing.
_SELECTOR_LENGTH = 200
_SELECTOR_PARTS = 6
_TOKEN = re.compile(r">|[^\s>]+")
_COMPOUND = re.compile(r"([a-zA-Z][a-zA-Z0-9]*|\*)?((?:[.#]-?[_a-zA-Z][\w-]*)*)", re.A)
# An element looked at here costs as much as three that the library looks at.
_STEP = 3
# Selector matches one page may cost, in elements looked at: a few tens of milliseconds.
_MATCH_WORK = 3_000_000


@attrs.frozen(kw_only=True)
class Rule:
    """One style rule.

    Attributes:
        selectors: Its selectors, not yet parsed.
        body: Its declarations, not yet parsed.
        conditional: Whether it stands under a condition that depends on the screen.
        order: Its place in the page.
    """

    selectors: tuple[str, ...]
    body: str
    conditional: bool
    order: int


def sheet_rules(root: HtmlElement, options: ReadingOptions) -> list[Rule]:
    """Collect the style rules of all ``style`` elements that apply to a screen and could change a verdict."""
    rules: list[Rule] = []
    for style in root.iter("style"):
        media = (style.get("media") or "").lower()
        kind = (style.get("type") or "text/css").lower()
        css = style.text or ""
        if not css or "css" not in kind or _print_only(media):
            continue
        for stack, body in _split(_COMMENT.sub("", css)):
            groups, selectors = stack[:-1], stack[-1]
            if selectors.startswith("@") or not declarations.RELEVANT.search(body):
                continue
            if any(_ignored(group) for group in groups):
                continue
            conditional = bool(_CONDITIONAL.search(media)) or any(_CONDITIONAL.search(group) for group in groups)
            parts = tuple(part.strip() for part in _split_list(selectors))
            rules.append(Rule(selectors=parts, body=body, conditional=conditional, order=len(rules)))
            if len(rules) >= options.max_style_rules:
                return rules
    return rules


def matched(root: HtmlElement, options: ReadingOptions) -> dict[HtmlElement, dict[str, tuple[Weight, Any]]]:
    """Say what the style sheets declare for the elements that at least one rule could hide.

    Args:
        root: The page.
        options: The bounds.

    Returns:
        Element to property to the winning weight and value.
    """
    rules = sheet_rules(root, options)
    # Sheets say few things over and over.
    hiding = {body for body in {rule.body for rule in rules} if declarations.CANDIDATE.search(body)}
    if not hiding:
        return {}
    matcher = _Matcher(root)
    parsed: dict[str, declarations.Declared] = {}
    found: dict[HtmlElement, dict[str, tuple[Weight, Any]]] = {}
    others: list[Rule] = []
    for rule in rules:
        if rule.conditional or rule.body not in hiding:
            others.append(rule)
        elif any(map(matcher.possible, rule.selectors)):
            declared = _declared(rule, parsed)
            if _MOVING.search(rule.body):
                declared = {name: value for name, value in declared.items() if name not in _MOVED}
            if any(_could_hide(name, value) for name, (_, value) in declared.items()):
                _apply(rule, declared, matcher, found, only=None)
            else:
                others.append(rule)
    if found:
        suspects = frozenset(found)
        matcher.narrow(suspects)
        for rule in others:
            if any(map(matcher.possible, rule.selectors)):
                _apply(rule, _declared(rule, parsed), matcher, found, only=suspects)
    return found


def _declared(rule: Rule, parsed: dict[str, declarations.Declared]) -> declarations.Declared:
    if rule.body not in parsed:
        parsed[rule.body] = declarations.parse(rule.body)
    return parsed[rule.body]


def _apply(
    rule: Rule,
    declared: declarations.Declared,
    matcher: _Matcher,
    found: dict[HtmlElement, dict[str, tuple[Weight, Any]]],
    *,
    only: frozenset[HtmlElement] | None,
) -> None:
    for selector in rule.selectors:
        for specificity, element in matcher.match(selector):
            if only is not None and element not in only:
                continue
            own = found.setdefault(element, {})
            for name, (important, value) in declared.items():
                if rule.conditional and _could_hide(name, value):
                    continue
                weight = (important, specificity, rule.order)
                if name not in own or own[name][0] <= weight:
                    own[name] = (weight, value)


def _could_hide(name: str, value: Any) -> bool:
    """Whether a declaration hides something alone or together with others that never hide alone."""
    return declarations.hides({"position": "absolute", "overflow": "hidden", name: value}) or (
        name in declarations.INHERITED and declarations.hides_text(name, value, {name: value})
    )


class _Matcher:
    """Finds the elements of one page that a selector means."""

    def __init__(self, root: HtmlElement) -> None:
        from cssselect import HTMLTranslator

        self._root = root
        self._translator = HTMLTranslator()
        self._known: dict[str, list[tuple[tuple[int, int, int], HtmlElement]]] = {}
        self._by_class: dict[str, list[HtmlElement]] = {}
        self._by_id: dict[str, list[HtmlElement]] = {}
        self._targets: tuple[set[str], set[str], set[str]] | None = None
        count = 0
        for element in root.iter():
            count += 1
            for word in (element.get("class") or "").split():
                self._by_class.setdefault(word, []).append(element)
            name = element.get("id")
            if name:
                self._by_id.setdefault(name, []).append(element)
        self._count = max(count, 1)
        self._left = max(20 * count, _MATCH_WORK)

    def narrow(self, suspects: frozenset[HtmlElement]) -> None:
        """From now on only these elements matter."""
        self._targets = (
            {word for element in suspects for word in (element.get("class") or "").split()},
            {element.get("id") or "" for element in suspects},
            {str(element.tag) for element in suspects} | {"*"},
        )

    def possible(self, selector: str) -> bool:
        """Whether the names in a selector occur in the page at all, and its last part among those that matter."""
        if "\\" in selector:
            return True
        plain = _NOT.sub("", selector) if ":" in selector else selector
        if not all(name in self._by_class for name in _CLASS.findall(plain)):
            return False
        if not all(name in self._by_id for name in _ID.findall(plain)):
            return False
        if self._targets is None:
            return True
        words, ids, tags = self._targets
        last = _LAST.search(plain)
        part = last.group() if last else plain
        tag = _TAG.match(part)
        return (
            all(name in words for name in _CLASS.findall(part))
            and all(name in ids for name in _ID.findall(part))
            and (tag is None or tag.group().lower() in tags)
        )

    def match(self, selector: str) -> list[tuple[tuple[int, int, int], HtmlElement]]:
        """The elements that a selector means, each with its specificity."""
        if selector not in self._known:
            self._known[selector] = self._find(selector)
        return self._known[selector]

    def _find(self, selector: str) -> list[tuple[tuple[int, int, int], HtmlElement]]:
        simple = _SIMPLE.fullmatch(selector)
        if simple is not None and simple.group(2):
            tag = (simple.group(1) or "").lower()
            return [
                ((0, 1, 1 if tag else 0), hit)
                for hit in self._by_class.get(simple.group(2), ())
                if not tag or hit.tag == tag
            ]
        if not selector or len(selector) > _SELECTOR_LENGTH or self._left <= 0 or not self.possible(selector):
            return []
        chain = _chain(selector)
        if (len(selector.split()) if chain is None else len(chain)) > _SELECTOR_PARTS:
            return []
        return self._evaluate(selector) if chain is None else self._climb(chain)

    def _climb(self, chain: list[_Part]) -> list[tuple[tuple[int, int, int], HtmlElement]]:
        """Match a chain from its last part upwards."""
        last = chain[-1]
        if last.ids:
            candidates = self._by_id.get(last.ids[0], [])
        elif last.words:
            candidates = min((self._by_class.get(word, []) for word in last.words), key=len)
        else:
            candidates = list(self._root.iter(last.tag or "*"))
        specificity = (
            sum(len(part.ids) for part in chain),
            sum(len(part.words) for part in chain),
            sum(bool(part.tag) for part in chain),
        )
        hits = []
        for candidate in candidates:
            if self._left <= 0:
                break
            self._left -= _STEP
            if last.fits(candidate) and self._stands_under(candidate, chain):
                hits.append((specificity, candidate))
        return hits

    def _stands_under(self, node: HtmlElement, chain: list[_Part]) -> bool:
        """Whether the parts before the last fit what is above; children come last, so the nearest fit is the best."""
        above = node.getparent()
        for at in range(len(chain) - 2, -1, -1):
            part = chain[at]
            while above is not None and not part.fits(above):
                self._left -= _STEP
                above = above.getparent() if not chain[at + 1].child else None
            if above is None:
                return False
            above = above.getparent()
        return True

    def _evaluate(self, selector: str) -> list[tuple[tuple[int, int, int], HtmlElement]]:
        from cssselect import SelectorError, parse

        try:
            parsed = parse(selector)
            if len(parsed) != 1 or parsed[0].pseudo_element is not None:
                return []
            path = self._translator.selector_to_xpath(parsed[0])
        except (SelectorError, RecursionError):
            return []
        self._left -= self._count
        specificity = parsed[0].specificity()
        return [(specificity, hit) for hit in self._root.xpath(path)]


@attrs.frozen(kw_only=True)
class _Part:
    """One part of a selector: tag, ids and class names, and whether it must be a child of the part before."""

    tag: str
    ids: tuple[str, ...]
    words: tuple[str, ...]
    child: bool

    def fits(self, node: HtmlElement) -> bool:
        if self.tag and node.tag != self.tag:
            return False
        if self.ids and any(node.get("id") != name for name in self.ids):
            return False
        return not self.words or set(self.words) <= set((node.get("class") or "").split())


def _chain(selector: str) -> list[_Part] | None:
    """The parts of a plain selector, or ``None`` where it says more than names, or asks for children before others."""
    parts: list[_Part] = []
    child = False
    for piece in _TOKEN.findall(selector):
        if piece == ">":
            if child or not parts:
                return None
            child = True
            continue
        match = _COMPOUND.fullmatch(piece)
        if match is None or (parts and parts[-1].child and not child):
            return None
        names = match.group(2)
        tag = (match.group(1) or "").lower()
        parts.append(
            _Part(
                tag="" if tag == "*" else tag,
                ids=tuple(_ID.findall(names)),
                words=tuple(_CLASS.findall(names)),
                child=child,
            )
        )
        child = False
    return parts if parts and not child else None


def _split(css: str) -> Iterator[tuple[list[str], str]]:
    """Yield the enclosing preludes and the body of every block that holds no other block."""
    stack: list[list[Any]] = []
    start = 0
    for match in _MARK.finditer(css):
        mark = match.group()
        if mark == "{":
            if stack:
                stack[-1][1] = True
            stack.append([css[start : match.start()].strip(), False])
            start = match.end()
        elif mark == "}":
            if stack:
                if not stack[-1][1]:
                    yield [prelude for prelude, _ in stack], css[start : match.start()]
                stack.pop()
            start = match.end()
        elif mark == ";" and (not stack or stack[-1][0].startswith("@")):
            start = match.end()


def _split_list(selectors: str) -> list[str]:
    if "(" not in selectors and "[" not in selectors:
        return selectors.split(",")
    parts, depth, start = [], 0, 0
    for at, char in enumerate(selectors):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(selectors[start:at])
            start = at + 1
    return [*parts, selectors[start:]]


def _print_only(media: str) -> bool:
    queries = [query.strip() for query in media.split(",") if query.strip()]
    return bool(queries) and all(
        re.match(r"(?:only\s+)?(?:print|speech|aural|braille|tty|tv|embossed)\b", query) or query.startswith("not all")
        for query in queries
    )


def _ignored(group: str) -> bool:
    lowered = group.lower()
    if lowered.startswith("@media"):
        return _print_only(lowered[6:].strip())
    return not lowered.startswith(("@supports", "@layer", "@container", "@scope", "@document"))
