"""Write prose so that Markdown shows it as it is."""

from __future__ import annotations

import re

# Every alternative begins with the character itself, what stands before is looked at behind it: a faster search.
_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|`|\*(?=\S)|\*(?<=\S\*)|_(?<!\w_)(?=\S)|_(?<=\S_)(?!\w)|<(?=[a-zA-Z/!?])|&(?=#?\w{1,31};)|\](?=[(\[:]|$)|\[(?=\^)"
    r"|~(?=~)"
)
# What most text holds none of; a set of characters is looked through many times faster than the rules about them.
_RISKY = re.compile(r"[\\`*_<&\]~]|\[\^")
_LINE_START = re.compile(r"(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|={1,}\s*$|-{2,}\s*$|~{3,}|(\d{1,9})([.)])(?=\s|$))")
_TARGET = re.compile(r"[()\\<> ]")


# What looks like one of these is taken away as markup by tools that do not know the escape with a backslash.
_TAG = re.compile(
    r"\\<(?=/?(?:a|abbr|b|body|br|button|center|cite|code|col|dd|del|details|div|dl|dt|em|font|form|h[1-6]|head|hr|html|i|iframe"
    r"|img|input|ins|kbd|li|link|mark|meta|ol|option|p|pre|q|s|samp|script|select|small|span|strong|style|sub|summary|sup"
    r"|table|tbody|td|template|textarea|th|thead|title|tr|u|ul|var|video)\b)",
    re.I,
)


def prose(text: str) -> str:
    """Escape *text* for the middle of a line."""
    if not _RISKY.search(text):
        return text
    escaped = _SPECIAL.sub(r"\\\g<0>", text)
    return _TAG.sub("&lt;", escaped) if "\\<" in escaped else escaped


def line_start(line: str) -> str:
    """Escape what would make a list, heading, quotation or rule of a line of prose."""
    match = _LINE_START.match(line)
    if match is None:
        return line
    if match.group(2):
        return f"{match.group(2)}\\{line[len(match.group(2)) :]}"
    return "\\" + line


def target(url: str) -> str:
    """Escape an address for the parentheses of a link."""
    if "(" not in url and ")" not in url and "\\" not in url:
        return url
    depth = 0
    for char in url:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            break
    return url if depth == 0 and "\\" not in url else _TARGET.sub(r"\\\g<0>", url)
