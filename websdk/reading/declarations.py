"""Read CSS declarations and say whether they hide text from the eye.

Only declarations that can be judged without laying the page out are looked at. Text in the colour of its background is
not judged: that needs the whole cascade, and light text on a dark panel is ordinary.
"""

from __future__ import annotations

import re
from typing import Any

Value = tuple[str, Any]
Declared = dict[str, tuple[bool, Any]]

# Offsets below this, in CSS pixels, leave any screen; gutters, hanging indents and centring stay far above it.
_OFF_SCREEN = -1_000.0
# Text pushed this far to the right or down is not on any screen either.
_FAR_AWAY = 5_000.0
# Font sizes below this many pixels cannot be read.
_READABLE_PX = 2.0
# Opacity below this cannot be told from nothing.
_SEEN_OPACITY = 0.05
_PIXELS = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "q": 0.945,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "lh": 20.0,
    "vw": 12.8,
    "vh": 8.0,
    "vmin": 8.0,
    "vmax": 12.8,
    "svw": 12.8,
    "svh": 8.0,
    "dvw": 12.8,
    "dvh": 8.0,
}
# A percentage of an unknown box: counted so that one whole box is a carousel, and only several are a hiding place.
_PERCENT_PX = 5.0
_WIDE = frozenset({"initial", "inherit", "unset", "revert", "revert-layer"})
_DISPLAYS = frozenset(
    "none block inline inline-block flex inline-flex grid inline-grid table inline-table table-row table-cell "
    "table-row-group table-header-group table-footer-group table-column table-column-group table-caption list-item "
    "contents flow flow-root run-in ruby ruby-base ruby-text math -webkit-box -webkit-inline-box -webkit-flex "
    "-ms-flexbox -ms-grid -ms-inline-flexbox -moz-box".split()
)
_KEYWORDS = {
    "visibility": frozenset({"visible", "hidden", "collapse"}),
    "content-visibility": frozenset({"visible", "auto", "hidden"}),
    "position": frozenset({"static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"}),
}
_OVERFLOWS = frozenset({"visible", "hidden", "clip", "scroll", "auto", "overlay"})
_LENGTHS = frozenset(
    "text-indent left top right bottom width height max-width max-height margin-left margin-top".split()
)
_SIZES = frozenset("xx-small x-small small medium large x-large xx-large xxx-large smaller larger".split())
INHERITED = ("visibility", "font-size", "color", "-webkit-text-fill-color", "text-indent")

CANDIDATE = re.compile(
    r"\\|/\*|calc|(?:clip|filter)[\w-]*\s*:|indent|matrix|display[^;]*none|visib[^;]*(?:hid|coll)|(?:[^-\w]|^)color[^;]*transp"
    r"|fill-color|#[0-9a-f]{3}0(?![0-9a-f])|#[0-9a-f]{6}0[0-9a-f]|(?:rgb|hsl)a?\([^;]*[,/\s]0*\.?0*%?\s*\)"
    r"|opacity[^;]*?[:(\s]\+?(?:0+(?![.\d])|0*\.0|-|[0-4](?:\.\d+)?%|\d*\.?\d*e)|scale[^;]*?[:(,\s]-?0*(?:(?<=0)(?![.\d])|\.0)"
    r"|font[^;]*?[:\s]\+?(?=[\d.])0*[01]?(?:\.\d+)?(?![\d.])|(?:width|height)\s*:\s*\+?(?=[\d.])0*[01]?(?:\.\d+)?(?![\d.])"
    r"|-\d{3,}|-\d*\.?\d+(?:e[mx]|rem|ch|[dls]?v[wh]|vm|cm|mm|in|pt|pc|q|%)|\d{4,}(?:\.\d+)?(?:px|e[mx]|rem|v[wh]|%)|\d{3,}(?:e[mx]|rem|v[wh])",
    re.I,
)
"""What the text of a declaration block must hold somewhere to hide anything; a quick first look, never a verdict."""
RELEVANT = re.compile(
    r"display|visib|opacity|font|indent|position|left|top|right|bottom|inset|clip|transform|translate|scale|overflow"
    r"|width|height|margin|color|filter|\\",
    re.I,
)
"""What it must hold to change a verdict."""


def parse(css: str) -> Declared:
    """Parse the declarations of a style attribute or rule.

    Later declarations beat earlier ones, important ones beat both, and values a browser would not accept are as if
    they were not there.

    Args:
        css: Text between the braces, or the value of a ``style`` attribute.

    Returns:
        Property to whether it is important and its value in a form that :func:`hides` reads.
    """
    import tinycss2

    found: Declared = {}
    for node in tinycss2.parse_blocks_contents(css, skip_comments=True, skip_whitespace=True):
        if node.type != "declaration":
            continue
        for name, value in _values(node.lower_name, node.value):
            if value is not None and not (found.get(name, (False,))[0] and not node.important):
                found[name] = (node.important, value)
    return found


def hides(declared: dict[str, Any]) -> bool:
    """Whether these values take an element away so that nothing inside can come back."""
    if declared.get("display") == "none" or declared.get("content-visibility") == "hidden":
        return True
    if declared.get("opacity", 1.0) < _SEEN_OPACITY or declared.get("filter", 1.0) < _SEEN_OPACITY:
        return True
    if declared.get("transform") == "away" or declared.get("translate") == "away" or declared.get("scale") == "away":
        return True
    if any(_length(declared, side) <= _OFF_SCREEN for side in ("margin-left", "margin-top")):
        return True
    if declared.get("clip-path") == "nothing":
        return True
    position = declared.get("position", "static")
    if position in ("absolute", "fixed", "relative", "sticky") and _moved_away(declared):
        return True
    if position in ("absolute", "fixed") and declared.get("clip") == "nothing":
        return True
    boxes = ("width", "height", "max-width", "max-height")
    return declared.get("overflow") in ("hidden", "clip") and any(0 <= _length(declared, b, 99.0) <= 1 for b in boxes)


def hides_text(name: str, value: Any, declared: dict[str, Any]) -> bool:
    """Whether an inherited property hides the text below, as far as nothing below sets it again.

    Args:
        name: One of :data:`INHERITED`.
        value: Its value.
        declared: Everything that the element declares.

    Returns:
        Whether the text cannot be seen.
    """
    if name == "visibility":
        return value in ("hidden", "collapse")
    if name == "font-size":
        return bool(value < _READABLE_PX)
    if name == "text-indent":
        return bool(value <= _OFF_SCREEN)
    if declared.get("background-clip") == "text":
        return False
    if name == "color" and declared.get("-webkit-text-fill-color") == "ink":
        return False
    return bool(value == "transparent")


def _length(declared: dict[str, Any], name: str, default: float = 0.0) -> float:
    value = declared.get(name, default)
    return value if isinstance(value, float) else default


def _moved_away(declared: dict[str, Any]) -> bool:
    return any(not _OFF_SCREEN < _length(declared, side) < _FAR_AWAY for side in ("left", "top", "right", "bottom"))


def _values(name: str, tokens: list[Any]) -> list[tuple[str, Any]]:
    parts = [token for token in tokens if token.type not in ("whitespace", "comment")]
    if not parts:
        return []
    if name == "font":
        return [("font-size", _font_size(parts))]
    if name == "inset":
        sides = [_pixels(part) for part in parts]
        spread = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}.get(len(sides))
        return (
            [(side, sides[at]) for side, at in zip(("top", "right", "bottom", "left"), spread, strict=True)]
            if spread
            else []
        )
    if name == "margin":
        sides = [_pixels(part, auto=True) for part in parts]
        if None in sides or len(sides) > 4:
            return []
        return [("margin-top", sides[0]), ("margin-left", sides[{1: 0, 2: 1, 3: 1, 4: 3}[len(sides)]])]
    if name in ("overflow", "overflow-x", "overflow-y"):
        words = [_word(part) for part in parts]
        return [("overflow", words[-1] if words[-1] in _OVERFLOWS | _WIDE else None)]
    if name in ("background-clip", "-webkit-background-clip"):
        return [("background-clip", _word(parts[0]))]
    return [(name, _value(name, parts))]


def _value(name: str, parts: list[Any]) -> Any:
    first = parts[0]
    if name == "display":
        words = {_word(part) for part in parts}
        if not words <= _DISPLAYS | _WIDE:
            return None
        return (
            "none" if "none" in words and len(words) == 1 else "shown" if len(words - {"none"}) == len(words) else None
        )
    if len(parts) == 1 and name in _KEYWORDS:
        word = _word(first)
        return word if word in _KEYWORDS[name] | _WIDE else None
    if name == "opacity" and len(parts) == 1:
        return _share(first)
    if name in ("filter", "-webkit-filter"):
        shares = [_share(args[0]) for kind, args in _functions(parts) if kind == "opacity" and args]
        return min([share for share in shares if share is not None], default=1.0)
    if name == "font-size" and len(parts) == 1:
        return _font_length(first)
    if name in _LENGTHS and len(parts) == 1:
        return _pixels(first, auto=True)
    if name in ("color", "-webkit-text-fill-color") and len(parts) == 1:
        return _ink(first)
    if name == "clip":
        return _clip(parts)
    if name in ("clip-path", "-webkit-clip-path"):
        return "nothing" if any(_empty_shape(kind, args) for kind, args in _functions(parts)) else "something"
    if name in ("transform", "-webkit-transform", "-ms-transform"):
        return "away" if any(_takes_away(kind, args) for kind, args in _functions(parts)) else "there"
    if name == "translate":
        return "away" if any(not _OFF_SCREEN < (_pixels(part) or 0.0) < _FAR_AWAY for part in parts) else "there"
    if name == "scale":
        return "away" if any(_share(part) == 0 for part in parts) else "there"
    return None


def _word(token: Any) -> str:
    return str(token.lower_value) if token.type == "ident" else ""


def _functions(parts: list[Any]) -> list[tuple[str, list[Any]]]:
    return [
        (part.lower_name, [arg for arg in part.arguments if arg.type not in ("whitespace", "comment")])
        for part in parts
        if part.type == "function"
    ]


def _number(token: Any) -> float | None:
    if token.type == "number":
        return float(token.value)
    if token.type == "function" and token.lower_name in ("calc", "max", "min", "clamp"):
        args = [arg for arg in token.arguments if arg.type not in ("whitespace", "comment")]
        numbers = [arg for arg in args if arg.type in ("number", "percentage", "dimension")]
        literals = [arg for arg in args if arg.type == "literal"]
        if numbers and len(numbers) + len(literals) == len(args):
            if all(arg.value == 0 for arg in numbers) or (
                any(arg.value == 0 for arg in numbers) and all(mark.value == "*" for mark in literals)
            ):
                return 0.0
            if len(args) == 1:
                return float(args[0].value)
    return None


def _share(token: Any) -> float | None:
    if token.type == "percentage":
        return float(token.value) / 100
    return _number(token)


def _pixels(token: Any, *, auto: bool = False) -> float | None:
    if token.type == "dimension" and token.lower_unit in _PIXELS:
        return float(token.value) * _PIXELS[token.lower_unit]
    if token.type == "percentage":
        return float(token.value) * _PERCENT_PX
    if token.type == "number":
        return 0.0 if token.value == 0 else None
    if token.type == "function" and token.lower_name == "calc":
        args = [arg for arg in token.arguments if arg.type not in ("whitespace", "comment")]
        sizes = [arg for arg in args if arg.type in ("dimension", "percentage")]
        if len(args) == 1 and sizes:
            return _pixels(sizes[0])
        if any((_pixels(size) or 0.0) <= _OFF_SCREEN for size in sizes):
            return _OFF_SCREEN
        minus = [
            size for at, size in enumerate(args) if at and size in sizes and getattr(args[at - 1], "value", "") == "-"
        ]
        if any((_pixels(size) or 0.0) >= -_OFF_SCREEN for size in minus):
            return _OFF_SCREEN
        return _number(token)
    if auto and token.type == "ident":
        return 99.0
    return None


def _font_length(token: Any) -> float | None:
    if token.type == "ident":
        return 16.0 if token.lower_value in _SIZES | _WIDE else None
    if token.type == "percentage":
        # A share of the parent's size: sheets shrink the root to 62.5 % or 10 px and grow text again below.
        return float(token.value) * 0.16
    if token.type == "number":
        return 0.0 if token.value == 0 else None
    size = _pixels(token)
    if size is None and token.type == "function":
        return _number(token) if _number(token) == 0 else 16.0
    return size if size is None or size >= 0 else None


def _font_size(parts: list[Any]) -> float | None:
    for part in parts:
        if part.type in ("dimension", "percentage"):
            return _font_length(part)
        if part.type == "number" and part.value == 0:
            return 0.0
        if part.type == "function":
            return _font_length(part)
    return None


def _ink(token: Any) -> str | None:
    if token.type == "ident":
        return "transparent" if token.lower_value == "transparent" else "ink"
    if token.type == "hash":
        alpha = {4: token.value[3:], 8: token.value[6:]}.get(len(token.value))
        return "transparent" if alpha is not None and set(alpha) == {"0"} else "ink"
    if token.type == "function":
        numbers = [arg for arg in token.arguments if arg.type in ("number", "percentage", "dimension")]
        slash = any(arg.type == "literal" and arg.value == "/" for arg in token.arguments)
        if token.lower_name in ("rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color"):
            alpha_given = len(numbers) >= 4 or (slash and len(numbers) >= 2)
            return "transparent" if alpha_given and numbers[-1].value == 0 else "ink"
        return "ink"
    return None


def _clip(parts: list[Any]) -> str | None:
    for kind, args in _functions(parts):
        if kind == "rect":
            sides = [_pixels(arg) for arg in args if not (arg.type == "literal" and arg.value == ",")]
            if len(sides) == 4 and None not in sides:
                top, right, bottom, left = (side or 0.0 for side in sides)
                return (
                    "nothing"
                    if (bottom - top <= 1 and right - left <= 1) or bottom <= top or right <= left
                    else "something"
                )
            return "something"
    return "something" if _word(parts[0]) in _WIDE | {"auto"} else None


def _empty_shape(kind: str, args: list[Any]) -> bool:
    sizes = [arg for arg in args if arg.type in ("number", "percentage", "dimension")]
    if kind == "inset" and sizes:
        shares = [float(size.value) if size.type == "percentage" else 0.0 for size in sizes[:4]]
        top, right = shares[0], shares[1] if len(shares) > 1 else shares[0]
        bottom = shares[2] if len(shares) > 2 else top
        left = shares[3] if len(shares) > 3 else right
        return top + bottom >= 100 or left + right >= 100
    if kind in ("circle", "ellipse"):
        before_at = []
        for arg in args:
            if arg.type == "ident":
                break
            before_at.append(arg)
        return bool(before_at) and any(arg.value == 0 for arg in before_at if arg in sizes)
    if kind == "polygon":
        points: list[list[str]] = [[]]
        for arg in args:
            if arg.type == "literal" and arg.value == ",":
                points.append([])
            elif arg in sizes:
                points[-1].append(f"{arg.value}")
        whole = [tuple(point) for point in points if len(point) == 2]
        return len(whole) > 1 and (len({x for x, _ in whole}) == 1 or len({y for _, y in whole}) == 1)
    return False


def _takes_away(kind: str, args: list[Any]) -> bool:
    sizes = [arg for arg in args if arg.type in ("number", "percentage", "dimension", "function")]
    if kind in ("translate", "translatex", "translatey", "translate3d"):
        return any(not _OFF_SCREEN < (_pixels(size) or 0.0) < _FAR_AWAY for size in sizes[:2])
    if kind in ("scale", "scalex", "scaley", "scale3d"):
        return any(abs(_share(size) if _share(size) is not None else 1.0) < 0.01 for size in sizes[:2])  # type: ignore[arg-type]
    if kind == "matrix" and len(sizes) == 6:
        a, b, c, d, x, y = (float(getattr(size, "value", 1.0)) for size in sizes)
        return (a == b == c == d == 0) or not _OFF_SCREEN < x < _FAR_AWAY or not _OFF_SCREEN < y < _FAR_AWAY
    return False
