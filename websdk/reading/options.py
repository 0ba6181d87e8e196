"""What a caller may choose about one reading, and the bounds on the work it may cost."""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class ReadingOptions:
    """Choices and bounds of one reading.

    Attributes:
        max_characters: Length of the Markdown in code points, notice included; ``None`` for no limit.
        include_images: Whether images are written as ``![alt](address)``.
        max_attributes: Attributes kept of one tag. libxml2 compares every new attribute with all before it, so a tag
            with 100,000 of them takes 20 s; a real page has a few dozen at most.
        max_elements: Elements a page may have. Real pages stay below 30,000; beyond this the page is refused.
        max_guided_elements: Elements up to which a second opinion on the main content is asked for; its cost grows
            faster than the page.
        max_depth: Levels below which markup is read as plain text. The parser itself stops at 256.
        max_style_rules: Style sheet rules looked at; the rest is taken to hide nothing.
        max_links: Links listed beside the text.
    """

    max_characters: int | None = 40_000
    include_images: bool = False
    max_attributes: int = 256
    max_elements: int = 200_000
    max_guided_elements: int = 15_000
    max_depth: int = 120
    max_style_rules: int = 4_000
    max_links: int = 2_000
