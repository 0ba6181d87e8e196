"""Ask a general extractor which text it takes for the content of a page."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from configparser import ConfigParser

    from lxml.html import HtmlElement

_WORD = re.compile(r"[^\W_]+")
# The same for ASCII, at a fiftieth of the price.
_ASCII = {code: chr(code).lower() if chr(code).isalnum() else None for code in range(128)}
# The extractor's own lower bound on a result would replace short pages by unstructured text; ten characters never do.
_MIN_EXTRACTED = "10"
# Length of the pieces of a block that are looked up in the extractor's text.
_PROBE = 40
_SHORT = 12


class Guide:
    """The choice of a general extractor, asked block by block.

    Args:
        text: Everything that it chose.
        lines: The same, block by block.
    """

    def __init__(self, lines: list[str]) -> None:
        folded = [fold(line) for line in lines]
        self._lines = frozenset(folded)
        self._text = "\n".join(line for line in folded if line)
        self.size = len(self._text)

    def coverage(self, folded: str) -> float:
        """How much of a block the extractor chose, from 0 to 1.

        Args:
            folded: The text of the block, as :func:`fold` leaves it.

        Returns:
            1 where it is wholly among what was chosen; short blocks must be chosen as they are.
        """
        if not folded or not self.size:
            return 0.0
        if folded in self._lines:
            return 1.0
        length = len(folded)
        if length < _SHORT:
            return 0.0
        probe = _PROBE if length > 2 * _PROBE else _SHORT
        first, last = folded[:probe] in self._text, folded[-probe:] in self._text
        if first is last:
            return float(first)
        middle = (length - probe) // 2
        return 2 / 3 if folded[middle : middle + probe] in self._text else 1 / 3


def fold(text: str) -> str:
    """Reduce *text* to its letters and digits, lower case."""
    if text.isascii():
        return text.translate(_ASCII)
    return "".join(_WORD.findall(text)).lower()


def ask(root: HtmlElement) -> Guide:
    """Ask the extractor about a page.

    Args:
        root: A page without hidden content; it is left as it is.

    Returns:
        Its choice; empty where it found nothing.
    """
    from trafilatura import bare_extraction

    # Its second thoughts cost half as much again, and the trees that weigh its choice do better without them.
    found = bare_extraction(root, fast=True, include_comments=False, with_metadata=False, config=_config())
    body = getattr(found, "body", None)
    if body is None:
        return Guide([])
    return Guide(["".join(map(str, node.itertext())) for node in body] if len(body) else [str(body.text or "")])


@lru_cache(maxsize=1)
def _config() -> ConfigParser:
    """The extractor's settings; reading them from their file costs more than parsing a small page."""
    from trafilatura.settings import use_config

    config = use_config()
    config.set("DEFAULT", "MIN_EXTRACTED_SIZE", _MIN_EXTRACTED)
    config.set("DEFAULT", "MIN_OUTPUT_SIZE", "0")
    config.set("DEFAULT", "MIN_OUTPUT_COMM_SIZE", "0")
    return config
