"""From the words of a query to a full-text expression. Pure."""

from __future__ import annotations

import re

from websdk_index.bounds import MAX_WORDS

# Scripts that are written without spaces, or whose words carry their particles: each character is a word of its own,
# and a run of them is a phrase. Han, Kana, Hangul, Thai, Lao, Khmer, Myanmar.
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u318f"
    "\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff])"
)


def spread(text: str) -> str:
    """Return *text* with every character of an unspaced script standing alone; what is indexed and looked for."""
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", text)


def split_words(query: str) -> tuple[tuple[str, ...], bool]:
    """Return the different words of *query* in their order, and whether some were left out for their number."""
    # Letter case is left to the tokenizer: it folds differently from Python ("ß", "İ"), and it folded what is stored.
    words = tuple(dict.fromkeys(query.split()))
    return words[:MAX_WORDS], len(words) > MAX_WORDS


def quoted(word: str) -> str:
    """Return *word* as one full-text string, in which no character is an operator."""
    return '"' + spread(word).replace("\0", " ").replace('"', '""') + '"'


def all_of(words: tuple[str, ...]) -> str:
    """Return the expression for pages that hold all of *words*; words without a letter or digit do not count."""
    return " ".join(map(quoted, words))


def any_of(words: tuple[str, ...]) -> str:
    """Return the expression for pages that hold at least one of *words*."""
    return " OR ".join(map(quoted, words))
