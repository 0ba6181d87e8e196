"""Markup that is built to be slow is cut before a parser sees it."""

from __future__ import annotations

import pytest

from websdk.reading.bounds import bound
from websdk.reading.options import ReadingOptions
from websdk.reading.tree import parse

LIMIT = ReadingOptions().max_attributes
MANY = range(40 * LIMIT)


@pytest.mark.parametrize(
    "attributes",
    [
        " " + " ".join(f"a{n}" for n in MANY),
        " " + " ".join(f"a{n}=x" for n in MANY),
        " " + "".join(f'a{n}="x"' for n in MANY),
        " " + "".join(f"a{n}='x'" for n in MANY),
        " " + "".join(f'a{n}="x"=b{n}' for n in MANY),
        " " + "".join(f'a{n}= ""b{n}' for n in MANY),
        "".join(f"/a{n}" for n in MANY),
        "".join(f"/=a{n}" for n in MANY),
        "".join(f" =a{n}" for n in MANY),
        "".join(f"\na{n}=\n'>'" for n in MANY),
        "".join(f"\x0ca{n}" for n in MANY),
        "".join(f' "a{n}' for n in MANY),
        "".join(f" <a{n}" for n in MANY),
    ],
)
def test_attributes_are_counted_however_they_are_parted(attributes: str) -> None:
    bounded = bound(f"<p{attributes}>text</p><p>more</p>".encode(), ReadingOptions())
    root = parse(bounded.markup)

    assert bounded.cut
    assert root is not None
    assert max(len(node.attrib) for node in root.iter()) <= LIMIT
    assert "textmore" == "".join(root.itertext())


@pytest.mark.parametrize(
    "markup",
    [
        "<p " + "".join(f'a{n}="x"' for n in range(LIMIT)) + ">text",
        "<p title='" + "a=b " * 2_000 + "'>text",
        "<p class=" + "x=" * 2_000 + ">text",
        "<br/>" * 2_000,
        "text = text / text " * 2_000,
        "<a href=/" + "a/" * 2_000 + ">text</a>",
    ],
)
def test_ordinary_markup_stays_as_it_is(markup: str) -> None:
    bounded = bound(markup.encode(), ReadingOptions())

    assert (markup.encode(), False) == (bounded.markup, bounded.cut)
