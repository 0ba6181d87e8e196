"""Say what is there when a page holds nothing to read."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from websdk.reading.hidden import Hidden

if TYPE_CHECKING:
    from lxml.html import HtmlElement


class Seen(StrEnum):
    """What stood where the content should be."""

    EMPTY = "empty"
    """No text at all."""
    HIDDEN_ONLY = "hidden_only"
    """Text, all of it hidden from the eye."""
    SCRIPT_SHELL = "script_shell"
    """A shell that a script would fill."""
    CONSENT_WALL = "consent_wall"
    """A request for consent."""
    LOGIN = "login"
    """A request to log in."""
    CHALLENGE = "challenge"
    """A check for robots."""
    TOO_COMPLEX = "too_complex"
    """Markup beyond the bounds."""
    UNSUPPORTED_TYPE = "unsupported_type"
    """Another kind of content; followed by a colon and its media type."""


# Below this many characters a page may be a wall; more text than this is content, whatever it talks about.
_WALL_CHARACTERS = 600
_SHELL_CHARACTERS = 160
_CONSENT = re.compile(
    r"\b(?:accept (?:all )?cookies|before you continue|cookie consent|we value your privacy"
    r"|manage (?:cookie )?preferences)\b",
    re.I,
)
_LOGIN = re.compile(
    r"\b(?:(?:please )?(?:log ?in|sign ?in) to (?:continue|view|read|access)"
    r"|you must (?:be logged in|log in|sign in))\b",
    re.I,
)
_CHALLENGE = re.compile(
    r"verify(?:ing)? (?:that )?you are (?:a )?human|checking your browser|just a moment\.\.\.|enable javascript and"
    r" cookies to continue|are you a robot|(?:complete|solve|enter|pass) (?:the|this|a) captcha",
    re.I,
)
_NEEDS_SCRIPT = re.compile(
    r"(?:enable|requires|needs? to enable|turn on|activate) java\s?script(?! \d)"
    r"|javascript (?:is )?(?:required|disabled|must be enabled)|requires? javascript to ",
    re.I,
)
# Code, tables and quotations: no wall has them, and a page about walls does.
_CONTENT = re.compile(r"`|^[|>]", re.M)
_LOADING = re.compile(r"\A\W*(?:loading|please wait|one moment)\W*(?:\.\.\.)?\W*\Z", re.I)


def login_forms(root: HtmlElement) -> list[HtmlElement]:
    """The forms of a page that ask for a password, or the field itself where no form is around it.

    Args:
        root: The page before the strip, which takes fields out.
    """
    fields = root.xpath("//input[translate(@type, 'PASWORD', 'pasword')='password']")
    return [next(field.iterancestors("form"), field) for field in fields]


def what_was_seen(markdown: str, *, asked: int | None, scripts: int, hidden: Hidden) -> Seen | None:
    """Judge whether a reading is empty in truth.

    Args:
        markdown: What was read.
        asked: Characters of text in the forms that ask for a password; ``None`` where there is none.
        scripts: How many scripts the page had.
        hidden: What the strip removed.

    Returns:
        What was there instead of content, or ``None`` where there is content.
    """
    text = markdown.strip()
    if len(text) > _WALL_CHARACTERS or _CONTENT.search(text):
        return None
    if not text:
        if asked is not None:
            return Seen.LOGIN
        if hidden.characters and (hidden.prose or hidden.characters > _SHELL_CHARACTERS):
            return Seen.HIDDEN_ONLY
        return Seen.SCRIPT_SHELL if scripts else Seen.EMPTY
    if _CHALLENGE.search(text):
        return Seen.CHALLENGE
    if _CONSENT.search(text):
        return Seen.CONSENT_WALL
    if _LOGIN.search(text) or (asked is not None and len(text) - asked < _SHELL_CHARACTERS):
        return Seen.LOGIN
    if scripts and (_LOADING.match(text) or (len(text) < 2 * _SHELL_CHARACTERS and _NEEDS_SCRIPT.search(text))):
        return Seen.SCRIPT_SHELL
    return None
