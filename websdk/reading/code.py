"""Find the code blocks of a page, their exact text and the language the page states for them."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING

from websdk.reading.tree import HEADINGS, classes, is_element

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_LANGUAGE = re.compile(
    r"^(?:language|lang|highlight-source|highlight-text|highlight|brush|src|sourcecode|code-block|prism|syntax|code)[-:]"
    r"\s*([\w+#.-]+)$"
)
# Words that stand where a language would and name none.
_NO_LANGUAGE = frozenset(
    "default none text plaintext plain txt notranslate nohighlight no-highlight source line-numbers x raw output "
    "code block wrapper container toolbar copy basic html-basic inner body content example snippet undefined auto "
    "light dark theme numbers".split()
)
# Languages that highlighters write as a bare class name.
_BARE = frozenset(
    "python python3 pycon javascript typescript java kotlin scala rust ruby go golang c cpp c++ csharp php perl bash "
    "sh shell zsh console powershell sql json yaml toml ini xml html css scss less haskell erlang elixir lua swift r "
    "julia dart clojure groovy makefile dockerfile diff jsx tsx graphql lean coffeescript ocaml fsharp nginx".split()
)
_CARRIERS = frozenset(
    "highlight hljs code sourcecode prettyprint codehilite syntaxhighlighter chroma shiki src".split()
)
_GUTTER = re.compile(
    r"^(?:linenos?|linenodiv|line-?numbers?(?:-rows|-wrapper)?|lnt|ln|gutter|rouge-gutter|hljs-ln-numbers|blob-num(?:-.*)?|"
    r"react-syntax-highlighter-line-number|linenumber|codemirror-gutters?|codemirror-linenumber|cm-gutters?|line_number)$"
)
_TOOLS = re.compile(r"copy|clipboard|toolbar|run-?button|code-?header|lang(?:uage)?-label|test-arrow|buttons?$")
_SKIPPED = frozenset(("script", "style", "button", "template", "svg", "select", "input", "textarea"))
_LINE_TAGS = frozenset(("div", "p", "li", "tr"))
_LINE_CLASS = re.compile(
    r"^(?:line|code-?line|cm-line|codemirror-line|view-line|token-line|ec-line|row|(?:[a-z]+-)?highlight-code-line|highlight(?:ed)?-line)$"
)
_NUMBERS = re.compile(r"[\d\s]*")
_LANGUAGE_ATTRIBUTES = ("data-lang", "data-language", "data-code-lang", "data-enlighter-language", "lang-name")
# Elements from a block outwards that may say its language.
_WRAPPERS = 5
# Characters of what stands beside a block; the numbers of a thousand lines.
_BESIDE = 4_000
_MARKUP = re.compile(r"</?[a-z][^<>]*>")
# Elements from a block up to the one that has a script play it.
_PLAYER_DEPTH = 3
_EDITORS = frozenset(("cm-content", "codemirror-code", "fragment", "crayon-main", "view-lines"))


def is_code_block(node: HtmlElement) -> bool:
    """Whether *node* is code that stands on its own lines."""
    if node.tag == "pre":
        return True
    if node.tag not in ("div", "code"):
        return False
    names = classes(node)
    if node.tag == "div" and any(name in _EDITORS for name in names):
        return node.find(".//pre") is None or "fragment" not in names
    if node.tag == "code":
        if any(name in ("block", "hl") and node.getparent().tag != "pre" for name in names) and "\n" in (_all(node)):
            return True
        return any(is_element(child) and child.tag in ("div", "pre") for child in node.iterchildren())
    return False


def highlighted_table(node: HtmlElement) -> HtmlElement | None:
    """The code cell of a table that only holds line numbers and code, or ``None``."""
    names = " ".join(classes(node))
    blocks = list(node.iter("pre"))
    if not blocks:
        return None
    if re.search(r"highlight|rouge-table|lntable|codetable|hljs-ln|blob|linenos|crayon|syntaxhighlighter", names):
        return blocks[-1]
    rows = list(node.iter("tr"))
    if len(rows) == 1 and len(blocks) == 2 and _NUMBERS.fullmatch(_all(blocks[0])):
        return blocks[1]
    return None


def code_text(node: HtmlElement) -> str:
    """The text a person would copy: line ends where lines end, no gutter, no buttons.

    Args:
        node: A code block or a span of code.

    Returns:
        The text without blank lines around it. No-break spaces are spaces: pages use them to keep columns.
    """
    out: list[str] = []
    _collect(node, out, node, 0)
    text = "".join(out)
    if _is_animated(node):
        text = unescape(_MARKUP.sub("", text))
    text = text.replace("\u00a0", " ").replace("\u200b", "").replace("\ufeff", "")
    return text.strip("\n") if text.strip() else ""


def _is_animated(node: HtmlElement) -> bool:
    """Whether a script plays the block as a terminal; its text is then markup, escaped once more."""
    above = node
    for _ in range(_PLAYER_DEPTH):
        above = above.getparent()
        if above is None:
            return False
        if "termy" in classes(above):
            return True
    return False


def _collect(node: HtmlElement, out: list[str], root: HtmlElement, depth: int) -> None:
    if node.text:
        out.append(node.text)
    for child in node:
        if not is_element(child):
            pass
        elif child.tag == "br":
            out.append("\n")
        elif child.tag not in _SKIPPED and not _machinery(child):
            line = child.tag in _LINE_TAGS or _is_line(child)
            if line and out and not out[-1].endswith("\n"):
                out.append("\n")
            before = len(out)
            if depth < 100:
                _collect(child, out, root, depth + 1)
            else:
                out.append(_all(child))
            if line and not (out and out[-1].endswith("\n") and len(out) > before):
                out.append("\n")
            if line and root.tag != "pre" and child.tail and not child.tail.strip():
                continue
        if child.tail:
            out.append(child.tail)


@lru_cache(maxsize=1_024)
def _said_by(names: str) -> tuple[bool, bool, bool]:
    """Whether class names mean a gutter, a tool or a line; highlighters use a few thousands of times."""
    words = names.lower().split()
    return (
        any(_GUTTER.match(word) for word in words),
        any(_TOOLS.search(word) for word in words),
        any(_LINE_CLASS.match(word) for word in words),
    )


def _is_line(node: HtmlElement) -> bool:
    """A span that is a whole line of code, where nothing else ends the lines."""
    if node.tag not in ("span", "code") or not _said_by(node.get("class") or "")[2]:
        return False
    following = node.getnext()
    if "\n" in (node.tail or ""):
        return False
    if following is None:
        before = node.getprevious()
        return before is not None and "\n" not in (before.tail or "") and not _all(before).endswith("\n")
    return not _all(node).endswith("\n") and following.tag != "br"


def _machinery(node: HtmlElement) -> bool:
    if node.get("data-line-number") is not None and not _all(node).strip():
        return True
    gutter, tool, _ = _said_by(node.get("class") or "")
    if gutter:
        return True
    if (
        node.get("aria-hidden") == "true"
        and node.tag in ("a", "td", "th", "span", "div")
        and _all(node).strip().isdigit()
    ):
        return True
    return tool and node.tag in ("div", "a", "span") and "\n" not in _all(node)


def language_of(node: HtmlElement) -> str:
    """The language that the page states for a code block.

    Class names, data attributes and the wrappers that highlighters put around a block are read; nothing is guessed
    from the code.

    Args:
        node: A code block.

    Returns:
        A lower-case word, or the empty string.
    """
    chain = [node, *(child for child in node.iterchildren() if is_element(child) and child.tag == "code")]
    above = _around(node)
    while above is not None and len(chain) <= _WRAPPERS:
        if above.tag in ("body", "main", "article", "section", "li", "td") or _holds_more(above):
            break
        chain.append(above)
        above = _around(above)
    for element in chain:
        for name in _LANGUAGE_ATTRIBUTES:
            stated = (element.get(name) or "").strip().lower()
            if stated and stated not in _NO_LANGUAGE and re.fullmatch(r"[\w+#.-]{1,30}", stated):
                return stated
        names = (element.get("class") or "").lower().replace("brush: ", "brush:").split()
        said = [match.group(1) for name in names if (match := _LANGUAGE.match(name.strip(";,")))]
        if said:
            return next((word for word in said if word not in _NO_LANGUAGE), "")
        bare = [name for name in names if name in _BARE]
        if bare and (element.tag in ("pre", "code") or _CARRIERS & set(names)):
            return bare[0]
    return ""


def _around(node: HtmlElement) -> HtmlElement | None:
    """What stands around *node*; a table that sets numbers beside lines is one step."""
    above = node.getparent()
    if above is not None and above.tag == "td":
        table = next(above.iterancestors("table"), None)
        if table is not None and highlighted_table(table) is not None:
            return table
    return above


def _holds_more(node: HtmlElement) -> bool:
    """Whether a wrapper is about more than one block of code; line numbers are none."""
    parts = (
        below for below in node.iter("pre", "p", *HEADINGS) if below.tag != "pre" or not _NUMBERS.fullmatch(_all(below))
    )
    return any(at or below.tag != "pre" for at, below in enumerate(parts))


def is_beside_code(node: HtmlElement) -> bool:
    """Whether *node* is what a highlighter sets beside a block: line numbers, or the word for its language."""
    if node.tag not in ("div", "span"):
        return False
    before, after = node.getprevious(), node.getnext()
    above = after is not None and after.tag == "pre" and "lang" in classes(node)
    if not above and (before is None or before.tag != "pre" or not _machinery(node)):
        return False
    text = _all(node).strip()
    if len(text) > _BESIDE:
        return False
    return text.lower() == language_of(after) if above else _NUMBERS.fullmatch(text) is not None


def fenced(text: str, language: str) -> str:
    """Write a code block as a fence longer than any run of its mark inside."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}{language}\n{text}\n{mark}"


def spanned(text: str) -> str:
    """Write a span of code between ticks that do not occur inside it."""
    runs = {len(run) for run in re.findall(r"`+", text)}
    ticks = next("`" * length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _all(node: HtmlElement) -> str:
    return "".join(node.itertext())
