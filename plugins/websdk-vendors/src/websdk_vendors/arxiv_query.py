"""A query as arXiv reads it: words that must all occur, or an expression in arXiv's own language."""

from __future__ import annotations

import re

_FIELD = re.compile(r"(?:^|[\s(])(?:ti|au|abs|co|jr|cat|rn|all):\S")
_JOINT = re.compile(r"\s(?:AND|OR|ANDNOT)\s")
_PHRASE_OR_WORD = re.compile(r'"([^"]*)"|(\S+)')
_SIGNS = re.compile(r'[()\[\]{}":\\^~!|&]+')  # what has, or may have, a meaning of its own in an expression


def expression(query: str) -> str:
    """Return *query* in brackets, so that whatever follows restricts all of it.

    A text with fields or joints whose quotes and brackets close is sent as written; anything else is words, without
    the signs that would make something else of them. Empty where no word is left.
    """
    if (_FIELD.search(query) or _JOINT.search(query)) and _closes(query):
        return f"({query})"
    terms = [_term(phrase, word) for phrase, word in _PHRASE_OR_WORD.findall(query)]
    joined = " AND ".join(term for term in terms if term)
    return f"({joined})" if joined else ""


def _term(phrase: str, word: str) -> str:
    text = " ".join(_SIGNS.sub(" ", phrase or word).split()).lstrip("+-")
    if not text:
        return ""
    # A word that fell apart, such as a:b, stays together as a phrase; a joint alone would change the expression.
    return f'all:"{text}"' if " " in text or text in ("AND", "OR", "ANDNOT") or phrase else f"all:{text}"


def _closes(query: str) -> bool:
    """Tell whether every quote and bracket closes, so that the text cannot reach behind its own brackets."""
    if "\\" in query:
        return False
    depth = 0
    for position, part in enumerate(query.split('"')):
        if position % 2:
            continue  # inside quotes
        for sign in part:
            depth += {"(": 1, ")": -1}.get(sign, 0)
            if depth < 0 or sign in "[]":
                return False
    return depth == 0 and query.count('"') % 2 == 0
