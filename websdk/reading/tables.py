"""Write tables: a grid where the cells fit one, else every cell in reading order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websdk.reading.tree import is_element, number_in, text_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# A grid wider or taller than this is cut from spans that lie; real tables stay far below.
_MAX_SPAN = 100
# Cells of a grid beyond which spans that lie would make a page of blanks.
_MAX_CELLS = 50_000
_NOT_IN_A_CELL = ("table", "pre", "ul", "ol", "dl", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6")


def rows_of(table: HtmlElement) -> list[list[HtmlElement]]:
    """The cells of *table* itself, row by row; tables inside it are not looked into."""
    rows: list[list[HtmlElement]] = []
    parts: list[HtmlElement] = []
    for child in table:
        if is_element(child) and child.tag in ("thead", "tbody", "tfoot"):
            parts.extend(row for row in child if is_element(row))
        elif is_element(child):
            parts.append(child)
    for row in parts:
        if row.tag == "tr":
            cells = [cell for cell in row if is_element(cell) and cell.tag in ("td", "th")]
            if cells:
                rows.append(cells)
    return rows


def is_grid(table: HtmlElement, rows: list[list[HtmlElement]]) -> bool:
    """Whether *table* holds data that fits a grid of one-line cells."""
    if table.get("role") in ("presentation", "none") or len(rows) < 2 or max(map(len, rows)) < 2:
        return False
    if next(table.iter(*_NOT_IN_A_CELL[1:]), None) is not None or table.find(".//table") is not None:
        return False
    if sum(_span(cell, "colspan") * _span(cell, "rowspan") for row in rows for cell in row) > _MAX_CELLS:
        return False
    filled = sum(1 for row in rows for cell in row if text_of(cell))
    return filled >= 0.4 * sum(map(len, rows)) or next(table.iter("th"), None) is not None


def grid(rows: list[list[HtmlElement]], written: dict[HtmlElement, str]) -> list[list[str]]:
    """Lay cells out with their spans: a cell is repeated down its rows and leaves blanks along its columns.

    Args:
        rows: The cells.
        written: The Markdown of each.

    Returns:
        Rows of equal length.
    """
    out: list[list[str]] = []
    below: dict[int, tuple[int, str]] = {}
    for row in rows:
        line: list[str] = []
        cells = iter(row)
        cell = next(cells, None)
        while cell is not None or len(line) in below:
            column = len(line)
            if column in below:
                left, text = below.pop(column)
                line.append(text)
                if left > 1:
                    below[column] = (left - 1, text)
                continue
            if cell is None:
                break
            text, wide, tall = written[cell], _span(cell, "colspan"), _span(cell, "rowspan")
            for extra in range(wide):
                shown = text if extra == 0 else ""
                if tall > 1:
                    below[len(line)] = (tall - 1, shown)
                line.append(shown)
            cell = next(cells, None)
        out.append(line)
    width = max(map(len, out))
    return [line + [""] * (width - len(line)) for line in out]


def has_header(rows: list[list[HtmlElement]]) -> bool:
    """Whether the first row names the columns."""
    first = rows[0]
    parent = first[0].getparent()
    group = parent.getparent() if parent is not None else None
    if group is not None and group.tag == "thead":
        return True
    return all(cell.tag == "th" for cell in first)


def piped(lines: list[list[str]], *, header: bool) -> str:
    """Write a grid as a pipe table; where no row names the columns, the header row is blank."""
    width = len(lines[0])
    head, body = (lines[0], lines[1:]) if header else ([""] * width, lines)
    written = [_row(head), "|" + " --- |" * width, *map(_row, body)]
    return "\n".join(written)


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _span(cell: HtmlElement, name: str) -> int:
    return max(1, number_in(cell, name, 1, _MAX_SPAN))
