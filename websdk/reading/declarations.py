"""Read CSS declarations and say whether they hide text from the eye.

Only declarations that can be judged without laying the page out are looked at. Text in the colour of its background is
not judged: that needs the whole cascade, and light text on a dark panel is ordinary.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from websdk.reading import cssvalues as values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Declared = dict[str, tuple[bool, Any]]

# Offsets below this, in CSS pixels, leave any screen; gutters, hanging indents and centring stay far above it.
OFF_SCREEN = -1_000.0
# Text pushed this far to the side is not on any screen either.
FAR_AWAY = 5_000.0
# Font sizes below this many pixels cannot be read.
_READABLE_PX = 2.0
# Opacity below this cannot be told from nothing.
_SEEN_OPACITY = 0.05
# What a first look may cost grows with the square of a declaration; longer ones are parsed without a look.
_GLANCE = 200
# Variables inside variables are followed this deep, in values up to this long.
_VARIABLE_DEPTH = 5
_VARIABLE_LENGTH = 1_000
# What a semicolon may stand in, or what an end may be missing from.
_INTRICATE = re.compile(r"[{}\[\]\"'\\]|/\*|\([^()]*[(;]")
INHERITED = frozenset(
    ("visibility", "font-size", "color", "-webkit-text-fill-color", "text-indent", "text-shadow", "text-stroke")
)
_PREFIXED = re.compile(
    r"-(?:webkit|moz|ms|o)-(transform|translate|clip-path|filter|transition|animation|background-clip|text-stroke)"
)
_ALIASES = {
    "inset-inline-start": "left",
    "inset-inline-end": "right",
    "inset-block-start": "top",
    "inset-block-end": "bottom",
    "margin-inline-start": "margin-left",
    "margin-block-start": "margin-top",
    "padding-inline-start": "padding-left",
    "padding-inline-end": "padding-right",
    "padding-block-start": "padding-top",
    "padding-block-end": "padding-bottom",
    "block-size": "height",
    "inline-size": "width",
    "max-block-size": "max-height",
    "max-inline-size": "max-width",
    "min-block-size": "min-height",
    "min-inline-size": "min-width",
    "overflow-block": "overflow-y",
    "overflow-inline": "overflow-x",
    "word-wrap": "overflow-wrap",
}
_PAIRS = {
    "inset-inline": ("left", "right"),
    "inset-block": ("top", "bottom"),
    "margin-inline": ("margin-left", "margin-right"),
    "margin-block": ("margin-top", "margin-bottom"),
    "padding-inline": ("padding-left", "padding-right"),
    "padding-block": ("padding-top", "padding-bottom"),
}
_SIDES = ("top", "right", "bottom", "left")
_SPREAD = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}
# What ``all`` sets back: everything a verdict reads.
_UNSET: dict[str, Any] = {
    "display": "shown",
    "content-visibility": "visible",
    "opacity": 1.0,
    "filter": 1.0,
    "zoom": 1.0,
    "transform": "there",
    "translate": "there",
    "scale": "there",
    "rotate": "there",
    "clip": "something",
    "clip-path": "something",
    "position": "static",
    "overflow-x": "visible",
    "overflow-y": "visible",
    "transition": frozenset(),
    "animation": frozenset(),
    **dict.fromkeys(("margin-left", "margin-top", "text-indent"), 0.0),
    **dict.fromkeys((*_SIDES, "width", "height", "max-width", "max-height"), values.AUTO),
}
# A rule that also says how it changes is the first frame of an entrance that a script plays, not a hiding place.
MOVED = frozenset(
    ("opacity", "visibility", "transform", "translate", "scale", "max-height", "height", "filter", "clip-path")
)

_CANDIDATE = re.compile(
    r"\\|/\*|var\(|(?:calc|min|max|clamp)\(|(?:clip|filter)[\w-]*\s*:|indent|matrix|rotate|zoom|display[^;]*none|visib[^;]*(?:hid|coll)"
    r"|(?:[^-\w]|^)color[^;]*(?:transp|(?:rgb|hsl|hwb|lab|lch|color)a?\([^;]*[,/\s](?:none|[-+]?0*\.?0*\d?%?)\s*\))|fill-color"
    r"|#[0-9a-f]{3}0(?![0-9a-f])|#[0-9a-f]{6}0[0-9a-f]"
    r"|opacity[^;]*?[:(\s]\+?(?:0+(?![.\d])|0*\.0|-|[0-4](?:\.\d+)?%|\d*\.?\d*e)|scale[^;]*?[:(,\s]-?0*(?:(?<=0)(?![.\d])|\.0)"
    r"|font[^;]*?[:\s]\+?(?=[\d.])0*[01]?(?:\.\d+)?(?![\d.])|(?:width|height|size)\s*:\s*\+?(?=[\d.])0*[01]?(?:\.\d+)?(?![\d.])"
    r"|-\d{3,}|-\d*\.?\d+(?:e[mx]|rem|ch|[dls]?v[wh]|vm|cm|mm|in|pt|pc|q|%)|\d{4,}(?:\.\d+)?(?:px|e[mx]|rem|v[wh]|%)|\d{3,}(?:e[mx]|rem|v[wh])",
    re.I,
)
_RELEVANT = re.compile(
    r"display|visib|opacity|font|indent|position|left|top|right|bottom|inset|clip|transform|translate|scale|rotate|zoom"
    r"|overflow|width|height|size|margin|padding|color|filter|shadow|stroke|white-space|transition|animation|all\s*:|\\",
    re.I,
)
# Properties that may hide alone; the others change what these do.
_HIDERS = frozenset(
    "display content-visibility visibility opacity filter zoom transform translate scale rotate clip clip-path color "
    "-webkit-text-fill-color font font-size text-indent margin margin-left margin-top inset left right top bottom "
    "width height max-width max-height".split()
)
_HIDERS |= frozenset(_PAIRS) | frozenset(name for name, plain in _ALIASES.items() if plain in _HIDERS)


def candidate(css: str) -> bool:
    """Whether declarations may hide anything; a quick first look, never a verdict.

    Args:
        css: Text between the braces, or the value of a ``style`` attribute.

    Returns:
        ``False`` where nothing in it can hide.
    """
    if not _INTRICATE.search(css):
        return any(map(_may_hide, css.split(";")))
    if len(css) <= _GLANCE:
        return bool(_CANDIDATE.search(css))
    if "/*" in css or "\\" in css:
        return bool(_RELEVANT.search(css))
    return any(map(_looks_hiding, " ".join(css.split()).split(";")))


def _looks_hiding(piece: str) -> bool:
    return bool(_CANDIDATE.search(piece)) if len(piece) <= _GLANCE else bool(_RELEVANT.search(piece, 0, _GLANCE))


@lru_cache(maxsize=8_192)
def _may_hide(declaration: str) -> bool:
    """The same for one declaration, which most sheets make more than once."""
    name = declaration.partition(":")[0].strip().lower()
    prefixed = _PREFIXED.fullmatch(name)
    return (prefixed.group(1) if prefixed else name) in _HIDERS and _looks_hiding(declaration)


def parse(css: str, variables: Mapping[str, str | None] | None = None) -> Declared:
    """Parse the declarations of a style attribute or rule.

    Later declarations beat earlier ones, important ones beat both, and values a browser would not accept are as if
    they were not there.

    Args:
        css: Text between the braces, or the value of a ``style`` attribute.
        variables: What the custom properties of the page hold; ``None`` where that depends on the place.

    Returns:
        Property to whether it is important and its value in a form that :func:`hides` reads.
    """
    found: Declared = {}
    for name, important, value in _declared(css, variables):
        if not (found.get(name, (False,))[0] and not important):
            found[name] = (important, value)
    return found


def _declared(css: str, variables: Mapping[str, str | None] | None) -> Iterable[tuple[str, bool, Any]]:
    """What is declared, in order: name, importance, value.

    Sheets say the same few things over and over, on one site and on all, so declarations that a semicolon ends for
    certain and that ask for nothing outside are read once.
    """
    if "var(" in css.lower() or _INTRICATE.search(css):
        return _read(css, variables)
    return chain.from_iterable(
        _known(piece) if len(piece) <= _GLANCE else _read(piece, None) for piece in css.split(";") if ":" in piece
    )


@lru_cache(maxsize=4_096)
def _known(declaration: str) -> tuple[tuple[str, bool, Any], ...]:
    return tuple(_read(declaration, None))


def _read(css: str, variables: Mapping[str, str | None] | None) -> Iterator[tuple[str, bool, Any]]:
    import tinycss2

    declared = [
        node
        for node in tinycss2.parse_blocks_contents(css, skip_comments=True, skip_whitespace=True)
        if node.type == "declaration"
    ]
    has_variables = "var(" in css.lower()
    known: dict[str, str | None] = dict(variables or {}) if has_variables else {}
    if has_variables and len(css) <= _VARIABLE_LENGTH:
        known.update(
            (node.name, tinycss2.serialize(node.value).strip()) for node in declared if node.name.startswith("--")
        )
    for node in declared:
        tokens = node.value
        if has_variables and any(token.type in ("function", "() block", "[] block") for token in tokens):
            tokens = _resolved(tokens, known)
        read = [(name, value) for name, value in _values(node.lower_name, tokens) if value is not None]
        if tokens is not node.value and not read:
            # A browser finds out too late to fall back on an earlier declaration.
            read = _values(node.lower_name, tinycss2.parse_component_value_list("unset"))
        for name, value in read:
            if value is not None:
                yield name, node.important, value


_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)*))?\)", re.I)


def _resolved(tokens: list[Any], known: Mapping[str, str | None]) -> list[Any]:
    """The tokens with every variable replaced, none where one is not known; the same where there is none."""
    import tinycss2

    try:
        text = tinycss2.serialize(tokens)
    except RecursionError:
        return tokens
    if "var(" not in text.lower():
        return tokens
    filled = _filled(text, known, {})
    return [] if filled is None else list(tinycss2.parse_component_value_list(filled, skip_comments=True))


def _filled(text: str, known: Mapping[str, str | None], found: dict[str, str | None], depth: int = 0) -> str | None:
    """A text with every variable replaced; *found* are those that were looked up, none while it is looked up."""

    def value_of(match: re.Match[str]) -> str:
        name, instead = match.groups()
        if name not in found:
            found[name] = None
            value = known.get(name)
            found[name] = value if value is None else _filled(value, known, found, depth + 1)
        # What differs by place is not known to be missing.
        value = found[name] if known.get(name, "") is None else instead if found[name] is None else found[name]
        return "\0" if value is None else value

    for _ in range(_VARIABLE_DEPTH - depth):
        if len(text) > _VARIABLE_LENGTH or "var(" not in text.lower():
            break
        text = _VARIABLE.sub(value_of, text)
    return None if "var(" in text.lower() or "\0" in text else text


def hides(declared: dict[str, Any]) -> bool:
    """Whether these values take an element away so that nothing inside can come back."""
    if declared.get("display") == "none" or declared.get("content-visibility") == "hidden":
        return True
    if (
        any(declared.get(name, 1.0) < _SEEN_OPACITY for name in ("opacity", "filter"))
        or declared.get("zoom", 1.0) < 0.01
    ):
        return True
    if any(declared.get(name) == "away" for name in ("transform", "translate", "scale", "rotate")):
        return True
    if any(declared.get(side, 0.0) <= OFF_SCREEN for side in ("margin-left", "margin-top")):
        return True
    if declared.get("clip-path") == "nothing":
        return True
    position = declared.get("position", "static")
    if position != "static" and _moved_away(declared):
        return True
    if position in ("absolute", "fixed") and declared.get("clip") == "nothing":
        return True
    return _no_room(declared)


def _moved_away(declared: dict[str, Any]) -> bool:
    if any(declared.get(side, 0.0) <= OFF_SCREEN for side in _SIDES):
        return True
    # Far down is no hiding place on a long page; far to any other side is.
    return any(declared.get(side, 0.0) >= FAR_AWAY for side in ("left", "right", "bottom"))


def _no_room(declared: dict[str, Any]) -> bool:
    """Whether the box has no size and cuts what does not fit."""
    if all(declared.get(axis, "visible") == "visible" for axis in ("overflow-x", "overflow-y")):
        return False
    for size, first, second in (("width", "left", "right"), ("height", "top", "bottom")):
        given = [declared[name] for name in (size, f"max-{size}") if name in declared]
        if not any(0 <= value <= 1 for value in given):
            continue
        room = declared.get(f"padding-{first}", 0.0) + declared.get(f"padding-{second}", 0.0)
        least = declared.get(f"min-{size}", 0.0)
        if room <= 1 and (least <= 1 or least == values.AUTO):
            return True
    return False


@lru_cache(maxsize=4_096, typed=True)
def could_hide(name: str, value: Any) -> bool:
    """Whether a declaration hides something alone or together with others that never hide alone."""
    return hides({"position": "absolute", "overflow-x": "hidden", name: value}) or (
        name in INHERITED and hides_text({"white-space": "nowrap", "overflow-x": "hidden", name: value})
    )


def hides_text(style: dict[str, Any]) -> bool:
    """Whether what is declared hides the text below, as far as nothing below sets it again."""
    return Text().below(style).hidden


class Text:
    """How text looks at one place: the inherited properties that can hide it."""

    __slots__ = ("color", "drawn", "fill", "indent", "size", "visible")

    def __init__(self) -> None:
        self.visible = True
        self.size = 16.0
        self.color = "ink"
        self.fill = "current"
        # Shadow, outline or a background that shows through the glyphs.
        self.drawn = False
        self.indent = False

    def below(self, style: dict[str, Any]) -> Text:
        """How text looks in an element with these declarations of its own."""
        own = Text()
        own.visible = self._take(style, "visibility", {True: "visible", False: "hidden"}[self.visible]) == "visible"
        own.size = self.size
        kind, amount = style.get("font-size", ("times", 1.0))
        own.size = amount if kind == "px" else self.size * amount
        own.color = self._take(style, "color", self.color)
        own.fill = self._take(style, "-webkit-text-fill-color", self.fill)
        shadow, stroke = style.get("text-shadow"), style.get("text-stroke")
        own.drawn = (
            (self.drawn and shadow is not False) or bool(shadow or stroke) or style.get("background-clip") == "text"
        )
        indent = style.get("text-indent", "inherit")
        cut = style.get("white-space") == "nowrap" and style.get("overflow-x", "visible") != "visible"
        own.indent = self.indent if indent == "inherit" else not OFF_SCREEN < indent < (500.0 if cut else FAR_AWAY)
        return own

    @staticmethod
    def _take(style: dict[str, Any], name: str, above: str) -> str:
        value = str(style.get(name, "inherit"))
        return above if value == "inherit" else value

    @property
    def hidden(self) -> bool:
        """Whether nothing of it can be seen."""
        ink = self.color if self.fill == "current" else self.fill
        return not self.visible or self.size < _READABLE_PX or self.indent or (ink == "transparent" and not self.drawn)


def _values(name: str, tokens: list[Any]) -> list[tuple[str, Any]]:
    parts = [token for token in tokens if token.type not in ("whitespace", "comment")]
    if not parts:
        return []
    prefixed = _PREFIXED.fullmatch(name)
    name = prefixed.group(1) if prefixed else _ALIASES.get(name, name)
    wide = values.word(parts[0]) if len(parts) == 1 and values.word(parts[0]) in values.WIDE else None
    if name == "all":
        return _all_set(wide) if wide else []
    if name in ("overflow", "inset", "margin", "padding") or name in _PAIRS:
        return _box(name, parts)
    if name == "font":
        return [("font-size", ("times", 1.0) if wide not in (None, "initial") else values.font_shorthand(parts))]
    if wide and name in INHERITED:
        return _all_set(wide, only=name)
    if wide and name in _UNSET:
        return [(name, "revert" if name == "display" and wide.startswith("revert") else _UNSET[name])]
    return [(name, values.read(name, parts))]


def _all_set(wide: str, only: str | None = None) -> list[tuple[str, Any]]:
    """What a keyword that every property takes means: the initial value, or that of the parent."""
    initial: dict[str, Any] = {
        "visibility": "visible",
        "font-size": ("px", 16.0),
        "color": "ink",
        "-webkit-text-fill-color": "current",
        "text-indent": 0.0,
        "text-shadow": False,
        "text-stroke": False,
    }
    parent = {
        **dict.fromkeys(initial, "inherit"),
        "font-size": ("times", 1.0),
        "text-shadow": None,
        "text-stroke": None,
    }
    inherited = initial if wide == "initial" else parent
    if only is not None:
        return [(only, inherited[only])]
    unset = _UNSET if not wide.startswith("revert") else {**_UNSET, "display": "revert"}
    return [*unset.items(), *inherited.items()]


def _box(name: str, parts: list[Any]) -> list[tuple[str, Any]]:
    """The sides that a shorthand of a box sets."""
    if name == "overflow":
        words = [values.read("overflow-x", [part]) for part in parts]
        return [] if None in words or len(words) > 2 else [("overflow-x", words[0]), ("overflow-y", words[-1])]
    sizes = [values.pixels(part, words=values.AUTO_WORDS) for part in parts]
    if None in sizes:
        return []
    if name in _PAIRS:
        return [] if len(sizes) > 2 else [(_PAIRS[name][0], sizes[0]), (_PAIRS[name][1], sizes[-1])]
    if len(sizes) > 4:
        return []
    prefix = "" if name == "inset" else f"{name}-"
    return [(prefix + side, sizes[at]) for side, at in zip(_SIDES, _SPREAD[len(sizes)], strict=True)]
