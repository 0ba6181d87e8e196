"""Put streamed parts of a page where its own script moves them.

React sends parts of a page late, in hidden elements at the end, each followed by a call that puts it into its place.
A visitor sees the parts in place and never hidden; a part without its call stays hidden.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_CALL = re.compile(r"""\$R[CSR]\(\s*["']([BSP]:[0-9a-f]+)["']\s*,\s*["']([BSP]:[0-9a-f]+)["']""")
# Parts one page may have; each costs a move.
_MAX_PARTS = 500


def put_in_place(root: HtmlElement) -> None:
    """Move every streamed part whose call is in the page, in place.

    Args:
        root: A parsed page, scripts included.
    """
    calls = [
        pair
        for script in root.iter("script")
        if script.text and "$R" in script.text
        for pair in _CALL.findall(script.text)
    ]
    if not calls:
        return
    by_id = {node.get("id"): node for node in root.xpath("//*[@id]")}
    for first, second in calls[:_MAX_PARTS]:
        part, place = (first, second) if first.startswith("S") else (second, first)
        source, target = by_id.get(part), by_id.get(place)
        if source is None or target is None or source.get("hidden") is None or target.getparent() is None:
            continue
        if any(above is source for above in target.iterancestors()):
            continue
        del source.attrib["hidden"]
        tail, source.tail = source.tail, None
        parent = source.getparent()
        if tail and not tail.isspace() and parent is not None:
            before = source.getprevious()
            if before is not None:
                before.tail = (before.tail or "") + tail
            else:
                parent.text = (parent.text or "") + tail
        target.addprevious(source)
