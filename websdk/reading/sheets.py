"""Read the rules of a page's own style sheets, as far as they apply to a screen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from websdk.reading import conditions, selectors
from websdk.reading.options import ReadingOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.html import HtmlElement

# What is before a rule that sets a variable, the name and the value.
Setting = tuple[list[str], str, str]

# Every alternative begins with a plain character, and upper and lower case are told apart: a far faster search.
_QUOTED = r'"(?:\\.|[^"\\\n])*"?|' + r"'(?:\\.|[^'\\\n])*'?"
_URL = r"[rR][lL]\(\s*+(?![\"'\s])[^)]*\)?"
_QUOTED = rf"{_QUOTED}|u{_URL}|U{_URL}"
_COMMENT = re.compile(rf"{_QUOTED}|/\*.*?(?:\*/|\Z)|<!--|-->", re.S)
_BRACE = re.compile(rf"{_QUOTED}|\\.|\{{|\}}", re.S)
_END = re.compile(rf"{_QUOTED}|\\.|;", re.S)
# What a semicolon may stand in.
_HOLDERS = re.compile(r"[\"'\\(]")
# Parentheses or square brackets that a brace stands in, or that are never closed: few sheets have one.
_BRACED_ROUND = re.compile(r"\([^(){}]*+(?:\([^(){}]*+\)[^(){}]*+)*+[{}]")
_BRACED_SQUARE = re.compile(r"\[[^\[\]{}]*+[{}]")
_BRACKET = re.compile(rf"{_QUOTED}|\\.|[{{}}()\[\]]", re.S)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_STATEMENT = re.compile(r"\s*@")
_ENDING = re.compile(rf"{_QUOTED}|\\.|[()\[\];]", re.S)
_CUSTOM = re.compile(r"(--[\w-]+)\s*:\s*([^;{}]{0,200})(?=[;}]|\Z)")
_BEHIND_AT = re.compile(r"[^@\w-]")
# The selector of the rule around, written behind the name of an element.
_ATTACHED = re.compile(r"(?<![\s>+~(,])&")
# Rules nested in rules multiply their selectors; beyond this a rule is machine-made and left out.
_MAX_MEMBERS = 200
_NESTING = 6
# Selectors that one page may have; real ones have a few thousand, and each costs a look.
_MAX_SELECTORS = 50_000
_LAST = float("inf")


@attrs.define(kw_only=True)
class Rule:
    """One style rule.

    Attributes:
        selectors: Its selectors, not yet parsed.
        body: Its declarations, not yet parsed.
        conditional: Whether it stands under a condition that is not plainly met.
        layer: Its place among the layers of the page.
        order: Its place in the page.
    """

    selectors: tuple[str, ...]
    body: str
    conditional: bool
    layer: tuple[float, ...]
    order: int


@attrs.define
class _Frame:
    prelude: str
    order: int
    pieces: list[str]
    # Whether it is a style rule or stands in one: a semicolon ends nothing elsewhere, but for statements.
    styled: bool


class _Layers:
    """Numbers the layers of a page in the order of their first mention."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], int] = {}
        self._nameless = 0

    def name(self, text: str) -> tuple[str, ...]:
        if not text.strip():
            self._nameless += 1
            return (f" {self._nameless}",)
        return tuple(part.strip() for part in text.strip().split("."))

    def mention(self, path: tuple[str, ...]) -> tuple[float, ...]:
        ranks = [self._known.setdefault(path[: at + 1], len(self._known)) for at in range(len(path))]
        return (*map(float, ranks), _LAST)


def sheet_rules(styles: Iterable[HtmlElement], options: ReadingOptions) -> tuple[list[Rule], list[Setting]]:
    """Collect the style rules that apply to a screen and could change a verdict, and what they set variables to.

    Args:
        styles: ``style`` elements.
        options: The bounds.

    Returns:
        The rules, and the custom properties with what is before their rules.
    """
    rules: list[Rule] = []
    settings: list[Setting] = []
    layers = _Layers()
    members = 0
    for style in styles:
        kind = (style.get("type") or "text/css").lower()
        css = style.text or ""
        holds = conditions.media(style.get("media") or "")
        if not css or "css" not in kind or holds is False:
            continue
        if any(above.tag == "noscript" for above in style.iterancestors()):
            # What a page shows without scripts, its scripts show otherwise.
            holds = None
        if "/*" in css or "--" in css:
            css = _COMMENT.sub(lambda match: "" if match.group()[:2] in ("/*", "<!", "--") else match.group(), css)
        with_variables = "var(" in css
        for stack, body in _split(css, layers):
            if with_variables and "--" in body:
                settings.extend((stack, name, value.strip()) for name, value in _CUSTOM.findall(body))
            rule = _rule(stack, body, layers, conditional=holds is None, order=len(rules))
            if rule is not None:
                rules.append(rule)
                members += len(rule.selectors)
            if len(rules) >= options.max_style_rules or members >= _MAX_SELECTORS:
                return rules, settings
    return rules, settings


def _rule(stack: list[str], body: str, layers: _Layers, *, conditional: bool, order: int) -> Rule | None:
    members: list[str] | None = None
    layer: tuple[str, ...] = ()
    for prelude in stack:
        if not prelude.startswith("@"):
            members = _nested(members, prelude)
            if members is None:
                return None
            continue
        word = _BEHIND_AT.split(prelude, maxsplit=1)[0]
        rest = prelude[len(word) :].strip()
        word = word.lower()
        if word == "@layer":
            layer = (*layer, *layers.name(rest))
            continue
        if word == "@scope":
            found = re.match(r"\(([^()]+)\)", rest)
            members = _nested(members, found.group(1)) if found else members
            conditional = conditional or "to" in rest.rpartition(")")[0].split()
            continue
        if word not in ("@media", "@supports", "@container"):
            return None
        holds = conditions.media(rest) if word == "@media" else conditions.supports(rest)
        if holds is False and word != "@container":
            return None
        conditional = conditional or holds is not True or word == "@container"
    if members is None:
        return None
    return Rule(
        selectors=tuple(members),
        body=body,
        conditional=conditional,
        layer=layers.mention(layer) if layer else (_LAST,),
        order=order,
    )


def _nested(above: list[str] | None, prelude: str) -> list[str] | None:
    """The selectors of a rule inside others, written out."""
    members = list(dict.fromkeys(map(str.strip, selectors.split_list(prelude))))
    if not all(members):
        return None
    if above is None:
        return members
    if len(above) * len(members) > _MAX_MEMBERS:
        return None
    return [_joined(outer, inner) for outer in above for inner in members]


def _joined(outer: str, inner: str) -> str:
    """A selector written behind the one around it, or in place of every mark for it; nothing where that is none."""
    if outer[-1:] in (">", "+", "~") or ("&" in inner[1:] and selectors.parse(outer) is None):
        return ""
    if "&" not in inner:
        # The first blank may belong to an escape.
        return f"{outer}  {inner}"
    whole = outer if not re.search(r"[\s>+~]", outer) else f":is({outer})"
    first, rest = (outer, inner[1:]) if inner.startswith("&") else ("", inner)
    return first + _ATTACHED.sub(f":is({outer})".replace("\\", r"\\"), rest).replace("&", whole)


def _split(css: str, layers: _Layers) -> Iterator[tuple[list[str], str]]:
    """Yield the preludes around and the declarations of every block, in the order the blocks begin."""
    found: list[tuple[int, list[str], str]] = []
    stack: list[_Frame] = []
    start = opened = 0

    def close(end: int) -> None:
        frame = stack[-1]
        _take_in(css[start:end], stack, layers)
        body = "".join(frame.pieces)
        # Declarations in a group inside a rule are those of the rule.
        if body and not body.isspace():
            found.append((frame.order, [each.prelude for each in stack], body))
        stack.pop()
        if stack and stack[-1].styled:
            part()

    def part() -> None:
        """Declarations behind a nested rule come after it."""
        nonlocal opened
        opened += 1
        frame = stack[-1]
        body = "".join(frame.pieces)
        if body and not body.isspace():
            found.append((frame.order, [each.prelude for each in stack], body))
        frame.order = opened
        frame.pieces.clear()

    braced = _BRACED_ROUND.search(css) or _BRACED_SQUARE.search(css)
    for match in _outside(css) if braced else _BRACE.finditer(css):
        mark = match.group()
        if mark == "{":
            if len(stack) > _NESTING * 2:
                break
            opened += 1
            styled = bool(stack) and stack[-1].styled
            before, prelude = _parted(css[start : match.start()], styled)
            if before:
                _take_in(before, stack, layers)
            prelude = prelude.strip()
            stack.append(_Frame(prelude, opened, [], styled or not prelude.startswith("@")))
            if prelude and prelude[:6].lower() == "@layer" and all(f.prelude.startswith("@") for f in stack):
                named = [f.prelude[6:].strip() for f in stack if f.prelude[:6].lower() == "@layer"]
                if all(named):
                    layers.mention(tuple(part for name in named for part in layers.name(name)))
            start = match.end()
        elif mark == "}" and stack:
            close(match.start())
            start = match.end()
        # Where no block is open, a closing brace spoils the rule behind it.
    end = len(css)
    while stack:
        close(end)
        start = end
    for _, preludes, body in sorted(found, key=lambda each: each[0]):
        yield preludes, body


def _outside(css: str) -> Iterator[re.Match[str]]:
    """The braces that stand in no other brackets."""
    inside: list[str] = []
    for match in _BRACKET.finditer(css):
        mark = match.group()
        if inside and mark == inside[-1]:
            inside.pop()
        elif mark in ("(", "[") or (inside and mark == "{"):
            inside.append(_CLOSING[mark])
        elif not inside and mark in ("{", "}"):
            yield match


def _parted(text: str, styled: bool) -> tuple[str, str]:
    """What stands before a block: statements or declarations, each with its semicolon, and the prelude."""
    if not styled:
        end = _behind_statements(text) if "@" in text and ";" in text else 0
        return text[:end], text[end:]
    end = text.rfind(";") + 1
    if end and _HOLDERS.search(text):
        end = max((match.end() for match in _END.finditer(text) if match.group() == ";"), default=0)
    return text[:end], text[end:]


def _behind_statements(text: str) -> int:
    """Where the statements end that a text begins with."""
    end = 0
    while _STATEMENT.match(text, end):
        inside: list[str] = []
        for match in _ENDING.finditer(text, end):
            mark = match.group()
            if inside and mark == inside[-1]:
                inside.pop()
            elif mark in ("(", "["):
                inside.append(_CLOSING[mark])
            elif mark == ";" and not inside:
                end = match.end()
                break
        else:
            break
    return end


def _take_in(text: str, stack: list[_Frame], layers: _Layers) -> None:
    """Take in the declarations of the block that is open, and the layers that statements name."""
    if "@" not in text:
        if stack:
            stack[-1].pieces.append(text)
        return
    start = 0
    for match in _END.finditer(text):
        if match.group() != ";":
            continue
        statement = text[start : match.end()].strip()
        start = match.end()
        if not statement.startswith("@"):
            if stack:
                stack[-1].pieces.append(statement)
        elif statement[:6].lower() == "@layer":
            outer = [f.prelude[6:].strip() for f in stack if f.prelude[:6].lower() == "@layer"]
            for name in statement[6:-1].split(","):
                layers.mention(tuple(part for each in [*outer, name] for part in layers.name(each)))
    if stack:
        stack[-1].pieces.append(text[start:])
