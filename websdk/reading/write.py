"""Write a part of a page as Markdown, from its own tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websdk.model.document import Link
from websdk.reading import escape, tables
from websdk.reading.code import code_text, fenced, highlighted_table, is_beside_code, is_code_block, language_of
from websdk.reading.footnotes import Footnotes
from websdk.reading.inline import BREAK, Inline, is_machinery
from websdk.reading.maths import formula, is_display
from websdk.reading.options import ReadingOptions
from websdk.reading.tree import BLOCKS, HEADINGS, INLINE_CODE, SILENT, classes, is_element, number_in, text_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from websdk.reading.links import LinkBase

_ADMONITIONS = frozenset(
    "admonition admonitionblock callout alert note warning tip caution important danger hint info seealso attention "
    "error markdown-alert theme-admonition custom-block versionadded versionchanged deprecated deprecated-removed "
    "infobox-note notecard message-box".split()
)
# What stands around a way back from a note, once that is gone.
_LEFT_OF_LABEL = re.compile(r"(?:\^|\\?\[ *\\?\]|[.):](?= ))(?: |$)")
_TITLE_WORDS = re.compile(r"title|heading|label|caption")
# List numbers of GFM have at most nine digits.
_MAX_NUMBER = 999_999_999
_TRANSPARENT = frozenset(("thead", "tbody", "tfoot", "tr", "td", "th"))


class Writer:
    """Writes one page.

    Args:
        root: The content, already pruned.
        base: Resolves links.
        options: Images and bounds.
    """

    def __init__(self, root: HtmlElement, base: LinkBase, options: ReadingOptions) -> None:
        self._root = root
        self._base = base
        self._options = options
        self._footnotes = Footnotes(root)
        self._holders = _inline_holders(root)
        beside = (node for block in root.iter("pre") for node in (block.getprevious(), block.getnext()))
        self._beside_code = {node for node in beside if node is not None and is_beside_code(node)}
        self._pending: str | None = None
        self.links: dict[tuple[str, str], Link] = {}

    def write(self) -> list[str]:
        """Return the blocks of the page in order; joined by blank lines they are its Markdown."""
        if self._root.tag == "table" or is_code_block(self._root):
            return self._block(self._root, 0)
        return self._blocks(self._root, 0)

    def _blocks(self, node: HtmlElement, depth: int) -> list[str]:
        """The blocks of what *node* holds; runs of text between blocks are paragraphs."""
        if depth > self._options.max_depth:
            return self._paragraph_of_text("".join(node.itertext()))
        out: list[str] = []
        run: Inline | None = None
        if node.text and not node.text.isspace():
            run = self._inline()
            run.text(node.text)
        for child in node:
            if not is_element(child) or child in self._beside_code:
                pass
            elif child.tag in BLOCKS or child in self._holders or self._stands_alone(child):
                if run is not None:
                    out += self._flush(run)
                    run = None
                out += self._block(child, depth + 1)
            elif child.tag not in SILENT or child.tag in ("input", "script", "math"):
                run = run or self._inline()
                run.element(child, depth)
            if child.tail and (run is not None or not child.tail.isspace()):
                run = run or self._inline()
                run.text(child.tail)
        return out + self._flush(run) if run is not None else out

    def _stands_alone(self, node: HtmlElement) -> bool:
        return (node.tag in ("code", "div") and is_code_block(node)) or (
            node.tag in ("math", "script", "span") and is_display(node)
        )

    def _inline(self) -> Inline:
        return Inline(
            self._base, self._footnotes, images=self._options.include_images, max_depth=self._options.max_depth
        )

    def _flush(self, run: Inline) -> list[str]:
        line = self._line(run)
        if not line:
            return []
        return ["  \n".join(escape.line_start(part) for part in line.split(BREAK) if part)]

    def _line(self, run: Inline) -> str:
        """Finish a run and keep its links; a link around blocks goes to the first text inside."""
        line, links = run.finish()
        line = line.replace("!\x1d", "\\!").replace("\x1d", "")
        for link in links:
            self._keep(link)
        if self._pending is not None and line.replace(BREAK, "").strip():
            url, self._pending = self._pending, None
            if "](" not in line and "[^" not in line and "\n" not in line:
                flat = line.replace(BREAK, " ")
                self._keep(Link(text=re.sub(r"\\(?=[!-/:-@\[-`{-~])|[*`]", "", flat), url=url))
                line = f"[{flat}]({escape.target(url)})"
        return line

    def _keep(self, link: Link) -> None:
        if len(self.links) < self._options.max_links:
            self.links.setdefault((link.text, link.url), link)

    def _paragraph_of_text(self, text: str) -> list[str]:
        run = self._inline()
        run.text(text)
        return self._flush(run)

    def _block(self, node: HtmlElement, depth: int) -> list[str]:
        tag = node.tag
        label = self._footnotes.label_of(node)
        if label is not None:
            return self._note(node, label, depth)
        if tag in HEADINGS or node.get("role") == "heading":
            return self._heading(node, depth)
        if is_code_block(node):
            return self._code(node)
        if tag in ("ul", "ol", "menu", "dir"):
            return self._list(node, depth)
        if tag == "dl":
            return self._definitions(node, depth)
        if tag == "table":
            return self._table(node, depth)
        if tag == "hr" or (tag in SILENT and tag != "script"):
            return []
        if (tag in ("math", "div", "p", "span", "script")) and (maths := formula(node)):
            return [maths]
        if tag == "blockquote" or _is_admonition(node):
            return self._quoted(node, depth)
        if tag == "a":
            return self._linked_blocks(node, depth)
        if tag == "summary":
            return self._summary(node, depth)
        if tag in INLINE_CODE:
            return self._code(node)
        return self._blocks(node, depth)

    def _heading(self, node: HtmlElement, depth: int) -> list[str]:
        level = int(node.tag[1]) if node.tag in HEADINGS else max(1, number_in(node, "aria-level", 2, 6))
        if any(
            is_element(child) and (child.tag in HEADINGS or child.tag in ("table", "pre", "ul", "ol", "dl"))
            for child in node.iterdescendants()
        ):
            return self._blocks(node, depth)
        line = self._line(self._run_of(node, depth)).replace(BREAK, " ")
        return [f"{'#' * level} {line}"] if line else []

    def _run_of(self, node: HtmlElement, depth: int) -> Inline:
        """All text of *node* as one run, whatever blocks are inside."""
        run = self._inline()
        run.text(node.text)
        for child in node:
            if is_element(child):
                block = child.tag in BLOCKS
                if block:
                    run.text(" ")
                run.element(child, depth + 1)
                if block:
                    run.text(" ")
            run.text(child.tail)
        return run

    def _code(self, node: HtmlElement) -> list[str]:
        text = code_text(node)
        return [fenced(text, language_of(node))] if text.strip() else []

    def _linked_blocks(self, node: HtmlElement, depth: int) -> list[str]:
        href = node.get("href")
        url = None if href is None or is_machinery(node) else self._base.resolve(href)
        outer, self._pending = self._pending, url
        out = self._blocks(node, depth)
        self._pending = outer
        return out

    def _summary(self, node: HtmlElement, depth: int) -> list[str]:
        blocks = self._blocks(node, depth)
        if len(blocks) == 1 and not blocks[0].startswith(("#", "`", "|", ">", "*", "- ")) and "\n" not in blocks[0]:
            return [_bold(blocks[0])]
        return blocks

    def _quoted(self, node: HtmlElement, depth: int) -> list[str]:
        blocks: list[str] = []
        if node.tag != "blockquote":
            title = _title_of(node)
            if title is not None:
                line = self._line(self._run_of(title, depth)).replace(BREAK, " ")
                if line:
                    blocks.append(_bold(line))
                tail, title.tail = title.tail, None
                parent = title.getparent()
                if parent is not None:
                    parent.remove(title)
                    if tail and not tail.isspace():
                        parent.text = (parent.text or "") + tail
        blocks += self._blocks(node, depth)
        if not blocks:
            return []
        lines = "\n\n".join(blocks).split("\n")
        return ["\n".join(f"> {line}" if line else ">" for line in lines)]

    def _list(self, node: HtmlElement, depth: int) -> list[str]:
        number = number_in(node, "start", 1, _MAX_NUMBER)
        ordered = node.tag == "ol"
        items: list[str] = []
        notes: list[str] = []
        self._gather_loose(node)
        for child in node:
            if not is_element(child):
                continue
            if self._footnotes.label_of(child) is not None:
                notes += self._block(child, depth + 1)
                continue
            if child.tag in ("ul", "ol") and items:
                items[-1] += "".join(f"\n{_indented(block, 2 + ordered)}" for block in self._block(child, depth + 1))
                continue
            blocks = self._blocks(child, depth + 1) if child.tag == "li" else self._block(child, depth + 1)
            if not blocks:
                continue
            number = number_in(child, "value", number, _MAX_NUMBER) if ordered else number
            items.append(_item(f"{number}. " if ordered else "- ", blocks))
            number += 1
        return (["\n".join(items)] if items else []) + notes

    def _gather_loose(self, node: HtmlElement) -> None:
        """Put text that stands in a list and in no item into items of its own, with the inline elements around it."""
        children = list(node)
        if not any(text and not text.isspace() for text in (node.text, *(child.tail for child in children))):
            return
        first = node.makeelement("li")
        first.text, node.text = node.text, None
        node.insert(0, first)
        item: HtmlElement | None = first
        last = first
        for child in children:
            tail, child.tail = child.tail or "", None
            if child.tag in BLOCKS or child in self._holders or not is_element(child):
                item, last = None, child
            else:
                if item is None:
                    item = node.makeelement("li")
                    last.addnext(item)
                item.append(child)
                child.tail, tail = tail, ""
            if tail and not tail.isspace():
                item = node.makeelement("li")
                item.text = tail
                child.addnext(item)

    def _definitions(self, node: HtmlElement, depth: int) -> list[str]:
        out: list[str] = []
        for child in _definition_parts(node):
            if child.tag == "dt":
                if self._footnotes.label_of(child.getnext()) is None:
                    out += [_term(block) for block in self._blocks(child, depth + 1)]
            elif child.tag == "dd":
                label = self._footnotes.label_of(child)
                blocks = self._note(child, label, depth) if label else self._blocks(child, depth + 1)
                if (
                    label is None
                    and len(blocks) == 1
                    and out
                    and "\n" not in blocks[0]
                    and not blocks[0].startswith(("#", ">", "|", "`" * 3, "- "))
                ):
                    out[-1] += f"\n: {blocks[0]}"
                else:
                    out += blocks
            else:
                out += self._block(child, depth + 1)
        return out

    def _table(self, node: HtmlElement, depth: int) -> list[str]:
        code = highlighted_table(node)
        if code is not None:
            return self._code(code)
        caption = [
            block
            for child in node
            if is_element(child) and child.tag == "caption"
            for block in self._blocks(child, depth + 1)
        ]
        rows = tables.rows_of(node)
        if tables.is_grid(node, rows):
            written = {cell: self._cell(cell, depth) for row in rows for cell in row}
            lines = tables.grid(rows, written)
            return [*caption, tables.piped(lines, header=tables.has_header(rows))]
        return caption + self._layout(node, depth)

    def _layout(self, node: HtmlElement, depth: int) -> list[str]:
        """Every cell of a table that fits no grid, in reading order."""
        if depth > self._options.max_depth:
            return self._paragraph_of_text("".join(node.itertext()))
        out: list[str] = []
        for child in node:
            if not is_element(child) or child.tag in SILENT or child.tag == "caption":
                continue
            if child.tag == "tr" and (line := self._short_row(child, depth)) is not None:
                out += line
            elif child.tag in _TRANSPARENT - {"td", "th"}:
                label = self._footnotes.label_of(child)
                out += self._note(child, label, depth) if label else self._layout(child, depth + 1)
            elif child.tag in ("td", "th"):
                out += self._blocks(child, depth + 1)
            else:
                out += self._block(child, depth + 1)
        return out

    def _short_row(self, row: HtmlElement, depth: int) -> list[str] | None:
        """A row of plain cells as one line, or ``None`` where a cell holds blocks."""
        if self._footnotes.label_of(row) is not None:
            return None
        cells = [cell for cell in row if is_element(cell)]
        if any(below.tag in BLOCKS for cell in cells for below in cell.iterdescendants() if is_element(below)):
            return None
        texts = [text for text in (self._cell(cell, depth) for cell in cells) if text]
        return [escape.line_start(" ".join(texts))] if texts else []

    def _cell(self, cell: HtmlElement, depth: int) -> str:
        parts = [block.replace("  \n", " ").replace("\n", " ") for block in self._blocks(cell, depth + 1)]
        return re.sub(r"(?<=^)\\(?=[-+>#=])", "", "<br>".join(parts))

    def _note(self, node: HtmlElement, label: str, depth: int) -> list[str]:
        if node.tag == "tr":
            cells = [cell for cell in node if is_element(cell)]
            blocks = [block for cell in cells[1:] or cells for block in self._blocks(cell, depth + 1)]
        else:
            blocks = self._blocks(node, depth + 1)
        if not blocks:
            return []
        if left := _LEFT_OF_LABEL.match(blocks[0]):
            blocks[0] = blocks[0][left.end() :]
            blocks = blocks if blocks[0] or len(blocks) == 1 else blocks[1:]
        own = re.match(rf"\\?\[?{re.escape(label)}\\?[\].)]?\s+", blocks[0])
        if own and node.tag not in ("li", "dd"):
            blocks[0] = blocks[0][own.end() :]
        return [f"[^{label}]: " + _indented("\n\n".join(blocks), 4).lstrip()]


def _inline_holders(root: HtmlElement) -> set[HtmlElement]:
    """Inline elements that hold a block somewhere inside, and are therefore no running text."""
    holders: set[HtmlElement] = set()
    seen: set[HtmlElement] = set()
    for node in root.iter(*BLOCKS):
        above = node.getparent()
        while above is not None and above not in seen:
            seen.add(above)
            if above.tag not in BLOCKS and above.tag not in SILENT:
                holders.add(above)
            if above is root:
                break
            above = above.getparent()
    return holders


def _indented(text: str, width: int) -> str:
    pad = " " * width
    return "\n".join(pad + line if line else "" for line in text.split("\n"))


def _item(marker: str, blocks: list[str]) -> str:
    parts = [blocks[0]]
    for block in blocks[1:]:
        glue = "\n" if re.match(r"(?:[-*+]|\d+[.)]) ", block) and not parts[-1].startswith("```") else "\n\n"
        parts.append(glue + block)
    text = _indented("".join(parts), len(marker))
    if blocks[0].startswith("|"):
        return f"{marker.rstrip()}\n{text}"
    return marker + text[len(marker) :]


def _term(block: str) -> str:
    return block if "`" in block or "\n" in block or block.startswith(("#", "|", ">")) else _bold(block)


def _bold(line: str) -> str:
    """A line in bold, unless it is partly so or a link; a star at its end is no part of the mark."""
    if "**" in line or "](" in line:
        return line
    return f"**{line[:-1]}\\***" if line.endswith(" *") else f"**{line}**"


def _definition_parts(node: HtmlElement) -> list[HtmlElement]:
    """Terms and definitions; groups (``div``) are looked into."""
    out: list[HtmlElement] = []
    for child in node:
        if not is_element(child):
            continue
        if child.tag == "div" and any(is_element(below) and below.tag in ("dt", "dd") for below in child):
            out += _definition_parts(child)
        else:
            out.append(child)
    return out


def _is_admonition(node: HtmlElement) -> bool:
    if node.tag not in ("div", "aside", "section"):
        return False
    names = classes(node)
    if not _ADMONITIONS & set(names):
        return False
    return "".join(node.itertext()).strip() != "" and (
        "admonition" in names or not any("admonition" in classes(above) for above in node.iterancestors())
    )


def _title_of(node: HtmlElement) -> HtmlElement | None:
    """The title of an admonition: the first text in it, where a class says so."""
    if (node.text or "").strip():
        return None
    for below in node.iterdescendants():
        if not is_element(below) or below.tag in SILENT:
            continue
        named = any(_TITLE_WORDS.search(name) for name in classes(below))
        alone = below.getparent() is node or not (below.tail or "").strip()
        if named and below.tag in ("p", "div", "span", "summary") and alone and text_of(below):
            return below
        if (below.text or "").strip() or (below.tail or "").strip():
            return None
    return None
