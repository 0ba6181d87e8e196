"""Read single CSS values: lengths, shares, colours, shapes and transforms, as far as they can hide text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

# As in the reading of declarations: what leaves any screen.
_OFF_SCREEN = -1_000.0
_FAR_AWAY = 5_000.0
_UNITS = {
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
    "cap": 11.0,
    "ic": 16.0,
    "lh": 20.0,
    "rlh": 20.0,
    **{f"{size}{unit}": per for size in ("", "s", "l", "d") for unit, per in (("vw", 12.8), ("vi", 12.8))},
    **{f"{size}{unit}": per for size in ("", "s", "l", "d") for unit, per in (("vh", 8.0), ("vb", 8.0))},
    **{f"{size}{unit}": per for size in ("", "s", "l", "d") for unit, per in (("vmin", 8.0), ("vmax", 12.8))},
    **dict.fromkeys(("cqw", "cqh", "cqi", "cqb", "cqmin", "cqmax"), 8.0),
}
_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
# A percentage of an unknown box: counted so that one whole box is a carousel, and only several are a hiding place.
PERCENT_PX = 5.0
# Sums inside sums are followed this deep.
_SUM_DEPTH = 12
# A size that depends on the page; neither zero nor far away.
AUTO = 99.0
AUTO_WORDS = frozenset(("auto", "initial", "inherit", "unset", "revert", "revert-layer"))
WIDE = frozenset(("initial", "inherit", "unset", "revert", "revert-layer"))
_SIZE_WORDS = AUTO_WORDS | frozenset(
    ("none", "min-content", "max-content", "fit-content", "stretch", "-webkit-fill-available", "-moz-available")
)
_DISPLAYS = frozenset(
    "none block inline inline-block flex inline-flex grid inline-grid table inline-table table-row table-cell "
    "table-row-group table-header-group table-footer-group table-column table-column-group table-caption list-item "
    "contents flow flow-root run-in ruby ruby-base ruby-text math -webkit-box -webkit-inline-box -webkit-flex "
    "-ms-flexbox -ms-grid -ms-inline-flexbox -moz-box".split()
)
_ALONE = frozenset(("none", "contents"))
_KEYWORDS = {
    "visibility": frozenset(("visible", "hidden", "collapse")),
    "content-visibility": frozenset(("visible", "auto", "hidden")),
    "position": frozenset(("static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky")),
    "overflow-x": frozenset(("visible", "hidden", "clip", "scroll", "auto", "overlay")),
    "overflow-y": frozenset(("visible", "hidden", "clip", "scroll", "auto", "overlay")),
    "white-space": frozenset(("normal", "nowrap", "pre", "pre-wrap", "pre-line", "break-spaces")),
}
_OFFSETS = frozenset("left top right bottom margin-left margin-top margin-right margin-bottom".split())
_SIZES = frozenset(
    "width height max-width max-height min-width min-height padding-left padding-right padding-top "
    "padding-bottom".split()
)
_FONT_WORDS = {
    **dict.fromkeys("xx-small x-small small medium large x-large xx-large xxx-large".split(), ("px", 16.0)),
    "smaller": ("times", 0.83),
    "larger": ("times", 1.2),
    "math": ("times", 1.0),
}
_SYSTEM_INKS = frozenset(
    "canvastext linktext visitedtext activetext buttontext fieldtext highlighttext graytext marktext windowtext canvas "
    "window buttonface field highlight mark accentcolor accentcolortext menutext infotext captiontext -webkit-link "
    "-webkit-text".split()
)
_INKS = frozenset(("rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color"))
# Ink with less than this share of cover cannot be read.
_SEEN_ALPHA = 0.05
_SHAPES = frozenset(("inset", "circle", "ellipse", "polygon", "path", "rect", "xywh", "shape"))
_TURNS = {"rotatex", "rotatey"}
_EASINGS = frozenset("ease linear ease-in ease-out ease-in-out step-start step-end allow-discrete normal".split())


def word(token: Any) -> str:
    """The keyword that a token is, or nothing."""
    return str(token.lower_value) if token.type == "ident" else ""


def evaluate(token: Any, *, percent: float = PERCENT_PX, depth: int = 0) -> float | None:
    """The number that a token means, sums worked out, in pixels or degrees where it has a unit.

    Args:
        token: A token of a value.
        percent: What one per cent counts.
        depth: How many sums stand around it.

    Returns:
        The number, or ``None`` where it depends on something else.
    """
    if token.type == "number":
        return float(token.value)
    if token.type == "percentage":
        return float(token.value) * percent
    if token.type == "dimension":
        per = _UNITS.get(token.lower_unit, _DEGREES.get(token.lower_unit))
        return None if per is None else float(token.value) * per
    if depth > _SUM_DEPTH:
        return None
    if token.type == "() block":
        return _sum(token.content, percent, depth + 1)
    if token.type != "function":
        return None
    kind = token.lower_name.removeprefix("-webkit-").removeprefix("-moz-")
    if kind not in ("calc", "min", "max", "clamp"):
        return None
    numbers = [_sum(part, percent, depth + 1) for part in split(token.arguments)]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers) or not known:
        return None
    if kind == "clamp":
        return max(known[0], min(known[1], known[2])) if len(known) == 3 else None
    if kind == "calc":
        return known[0] if len(known) == 1 else None
    return min(known) if kind == "min" else max(known)


def _sum(tokens: Sequence[Any], percent: float, depth: int) -> float | None:
    total, product, sign, after = 0.0, None, 1.0, ""
    for token in [*tokens, None]:
        if token is not None and token.type in ("whitespace", "comment"):
            continue
        mark = token.value if token is not None and token.type == "literal" else ""
        if token is None or mark in ("+", "-"):
            if product is None:
                return None
            total += sign * product
            product, sign, after = None, -1.0 if mark == "-" else 1.0, ""
        elif mark in ("*", "/"):
            after = mark
        else:
            number = evaluate(token, percent=percent, depth=depth)
            if number is None or (product is not None and not after) or (after == "/" and number == 0):
                return None
            product = number if product is None else product * number if after == "*" else product / number
            after = ""
    return total


def split(tokens: Sequence[Any]) -> list[list[Any]]:
    """Tokens between commas, blanks left out."""
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        elif token.type not in ("whitespace", "comment"):
            parts[-1].append(token)
    return parts


def pixels(token: Any, *, words: frozenset[str] = frozenset()) -> float | None:
    """A length in pixels, or ``None`` where it is none."""
    if token.type == "ident":
        return AUTO if token.lower_value in words else None
    if token.type == "number":
        return 0.0 if token.value == 0 else None
    if token.type == "function" and words and token.lower_name not in ("var", "env"):
        number = evaluate(token)
        return AUTO if number is None else number
    if token.type == "dimension" and token.lower_unit not in _UNITS:
        return None
    return evaluate(token) if token.type in ("dimension", "percentage", "function") else None


def read(name: str, parts: list[Any]) -> Any:
    """The value of one property in the form that verdicts read, or ``None`` where a browser would not accept it."""
    first, alone = parts[0], len(parts) == 1
    if name in _KEYWORDS:
        return word(first) if alone and word(first) in _KEYWORDS[name] else None
    if name == "display":
        return _display(parts)
    if name in ("opacity", "zoom"):
        share = evaluate(first, percent=0.01) if alone and first.type != "dimension" else None
        return 1.0 if share is None and name == "zoom" and word(first) in ("normal", "reset") else share
    if name in _OFFSETS:
        return pixels(first, words=AUTO_WORDS) if alone else None
    if name in _SIZES:
        return pixels(first, words=_SIZE_WORDS) if alone else None
    if name == "text-indent":
        sizes = [part for part in parts if word(part) not in ("hanging", "each-line")]
        return pixels(sizes[0]) if len(sizes) == 1 else None
    if name == "font-size":
        return font_size(first) if alone else None
    if name in ("color", "-webkit-text-fill-color"):
        ink = _ink(first) if alone else None
        return "current" if ink == "inherit" and name != "color" else ink
    if name in ("text-shadow", "text-stroke"):
        return _drawn(name, parts)
    if name == "background-clip":
        return word(first)
    if name in ("transition", "transition-property"):
        return _changing(parts)
    if name in ("animation", "animation-name"):
        return frozenset() if [word(part) for part in parts] == ["none"] else frozenset(("all",))
    return _shape(name, parts)


def _drawn(name: str, parts: list[Any]) -> bool | None:
    """Whether a shadow or an outline draws glyphs that have no ink of their own."""
    if any(word(part) == "none" or _ink(part) == "transparent" for part in parts):
        return False
    if name == "text-shadow" and sum(part.type in ("dimension", "number") or _is_sum(part) for part in parts) < 2:
        return None
    return name == "text-shadow" or any(evaluate(part) for part in parts if part.type == "dimension")


def _is_sum(token: Any) -> bool:
    return token.type == "function" and token.lower_name not in _INKS


def _display(parts: list[Any]) -> str | None:
    words = {word(part) for part in parts}
    if not words <= _DISPLAYS or len(words) < len(parts) or (len(parts) > 1 and words & _ALONE):
        return None
    return "none" if "none" in words else "shown"


def _changing(parts: list[Any]) -> frozenset[str]:
    """The properties that a transition moves, and that it takes time to."""
    found: set[str] = set()
    for part in split(parts):
        names = [word(token) for token in part if word(token) and word(token) not in _EASINGS]
        if names != ["none"]:
            found.add(names[0] if names else "all")
    return frozenset(found)


def _shape(name: str, parts: list[Any]) -> Any:
    calls = [
        (part.lower_name, [arg for arg in part.arguments if arg.type not in ("whitespace", "comment")])
        for part in parts
        if part.type == "function"
    ]
    words = {word(part) for part in parts if part.type == "ident"}
    if name == "filter":
        faded = [args for kind, args in calls if kind == "opacity" and args]
        if words - {"none"} or any(len(args) > 1 or args[0].type == "dimension" for args in faded):
            return None
        shares = [evaluate(args[0], percent=0.01) for args in faded]
        least = min([share for share in shares if share is not None], default=1.0)
        return least if least >= 0 else None
    if name == "transform":
        if words - {"none"}:
            return None
        return "away" if any(_takes_away(kind, args) for kind, args in calls) else "there"
    if name == "translate":
        return _there([evaluate(part) for part in parts[:2]]) if not words - {"none"} else None
    if name == "scale":
        return "away" if any(_nothing(part) for part in parts[:2]) else None if words - {"none"} else "there"
    if name == "rotate":
        return "away" if words & {"x", "y"} and any(_edge_on(part) for part in parts) else "there"
    if name == "clip":
        return _clip(calls) if calls else "something" if words == {"auto"} else None
    if name == "clip-path":
        if any(kind in _SHAPES for kind, _ in calls):
            return "nothing" if any(_empty_shape(kind, args) for kind, args in calls) else "something"
        return "something" if words <= {"none"} or any(w.endswith("-box") for w in words) else None
    return None


def _there(offsets: list[float | None]) -> str:
    return "there" if all(offset is None or _OFF_SCREEN < offset < _FAR_AWAY for offset in offsets) else "away"


def _nothing(token: Any) -> bool:
    number = evaluate(token, percent=0.01)
    return number is not None and abs(number) < 0.01


def _edge_on(token: Any) -> bool:
    turn = evaluate(token) if token.type in ("dimension", "function") else None
    return turn is not None and abs(turn % 180 - 90) < 0.5


def font_size(token: Any) -> tuple[str, float] | None:
    """A font size in pixels (``px``) or as a share of that of the parent (``times``)."""
    if token.type == "ident":
        return _FONT_WORDS.get(token.lower_value)
    if token.type == "percentage":
        return ("times", float(token.value) / 100) if token.value >= 0 else None
    if token.type == "dimension" and token.lower_unit in ("em", "ex", "ch"):
        share = float(token.value) * _UNITS[token.lower_unit] / 16
        return ("times", share) if share >= 0 else None
    if token.type == "function":
        size = evaluate(token, percent=0.16)
        relative = any(
            getattr(arg, "lower_unit", "%" if arg.type == "percentage" else "") in ("em", "%")
            for arg in token.arguments
        )
        return ("px", 16.0) if size is None else ("times", max(size, 0) / 16) if relative else ("px", max(size, 0))
    size = pixels(token)
    return None if size is None or size < 0 else ("px", size)


def font_shorthand(parts: list[Any]) -> tuple[str, float] | None:
    """The size in a ``font`` value, which needs a family behind the size."""
    for at, part in enumerate(parts):
        size = font_size(part) if part.type != "number" or part.value == 0 else None
        if size is None:
            continue
        rest = parts[at + 1 :]
        if rest and rest[0].type == "literal" and rest[0].value == "/":
            rest = rest[2:]
        return size if rest and rest[0].type in ("ident", "string", "function") else None
    return ("px", 16.0) if len(parts) == 1 and word(parts[0]) else None


def _ink(token: Any) -> str | None:
    if token.type == "ident":
        if token.lower_value == "transparent":
            return "transparent"
        if token.lower_value == "currentcolor":
            return "inherit"
        return "ink" if token.lower_value in _SYSTEM_INKS or _named(token) else None
    if token.type == "hash":
        if len(token.value) not in (3, 4, 6, 8) or any(char not in "0123456789abcdef" for char in token.value.lower()):
            return None
        alpha = {4: token.value[3:] * 2, 8: token.value[6:]}.get(len(token.value), "ff")
        return "transparent" if int(alpha, 16) / 255 < _SEEN_ALPHA else "ink"
    if token.type != "function":
        return None
    if token.lower_name in _INKS:
        marks = {str(arg.value) for arg in token.arguments if arg.type in ("literal", "ident")}
        if "," in marks and not marks.isdisjoint(("/", "none")):
            return None
        share = _alpha(token.arguments)
        return "transparent" if share is not None and share < _SEEN_ALPHA else "ink"
    return "ink" if token.lower_name in ("color-mix", "light-dark", "device-cmyk", "contrast-color") else None


def _named(token: Any) -> bool:
    from tinycss2.color4 import parse_color

    return parse_color(token) is not None


def _alpha(arguments: Sequence[Any]) -> float | None:
    by_comma = split(arguments)
    if len(by_comma) >= 4:
        return evaluate(by_comma[3][0], percent=0.01) if by_comma[3] else None
    slash = False
    for arg in arguments:
        if arg.type == "literal" and arg.value == "/":
            slash = True
        elif slash and arg.type not in ("whitespace", "comment"):
            return 0.0 if word(arg) == "none" else evaluate(arg, percent=0.01)
    return None


def _clip(calls: list[tuple[str, list[Any]]]) -> str | None:
    for kind, args in calls:
        if kind == "rect":
            sides = [pixels(arg) for arg in args if not (arg.type == "literal" and arg.value == ",")]
            return "nothing" if len(sides) == 4 and _empty_rect(sides, 1.0) else "something"
    return None


def _empty_rect(sides: list[float | None], least: float) -> bool:
    top, right, bottom, left = sides
    high = None if top is None or bottom is None else bottom - top
    wide = None if left is None or right is None else right - left
    if (high is not None and high <= 0) or (wide is not None and wide <= 0):
        return True
    return high is not None and wide is not None and high <= least and wide <= least


def _empty_shape(kind: str, args: list[Any]) -> bool:
    if kind == "rect":
        sides = [evaluate(arg) for arg in args[:4]]
        return len(sides) == 4 and _empty_rect(sides, 1.0)
    if kind == "xywh":
        return len(args) >= 4 and any(_nothing(arg) for arg in args[2:4])
    if kind == "inset":
        return _empty_inset(args)
    if kind in ("circle", "ellipse"):
        radii = []
        for arg in args:
            if arg.type == "ident":
                break
            radii.append(arg)
        return any(_nothing(arg) for arg in radii)
    if kind == "polygon":
        pairs = [[evaluate(arg) for arg in part] for part in split(args) if part and part[0].type != "ident"]
        return _no_area(pairs)
    return False


def _empty_inset(args: list[Any]) -> bool:
    sizes: list[float] = []
    for arg in args:
        if arg.type == "ident" or len(sizes) == 4:
            break
        # One per cent counts a hundred pixels, so that a whole box is more than any box.
        sizes.append(evaluate(arg, percent=100.0) or 0.0)
    if not sizes:
        return False
    top, right = sizes[0], sizes[1] if len(sizes) > 1 else sizes[0]
    bottom, left = sizes[2] if len(sizes) > 2 else top, sizes[3] if len(sizes) > 3 else right
    return top + bottom >= 10_000 or left + right >= 10_000


def _no_area(pairs: list[list[float | None]]) -> bool:
    points = [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]
    if not points or len(points) < len(pairs):
        return False
    area = 0.0
    for (x, y), (next_x, next_y) in zip(points, [*points[1:], points[0]], strict=True):
        if x is None or y is None or next_x is None or next_y is None:
            return False
        area += x * next_y - next_x * y
    return abs(area) < 1e-6


def _takes_away(kind: str, args: list[Any]) -> bool:
    sizes = [arg for arg in args if arg.type in ("number", "percentage", "dimension", "function", "() block")]
    if kind in ("translate", "translatex", "translatey", "translate3d"):
        return _there([evaluate(size) for size in sizes[:2]]) == "away"
    if kind in ("scale", "scalex", "scaley", "scale3d"):
        return any(_nothing(size) for size in sizes[:2])
    if kind in _TURNS:
        return any(_edge_on(size) for size in sizes[:1])
    if kind == "rotate3d" and len(sizes) == 4 and _nothing(sizes[2]):
        return _edge_on(sizes[3])
    numbers = [evaluate(size) for size in sizes]
    if None in numbers:
        return False
    known = [number or 0.0 for number in numbers]
    if kind == "matrix" and len(known) == 6:
        a, b, c, d, x, y = known
        return a * d - b * c == 0 or _there([x, y]) == "away"
    if kind == "matrix3d" and len(known) == 16:
        return known[0] * known[5] - known[1] * known[4] == 0 or _there([known[12], known[13]]) == "away"
    return False
