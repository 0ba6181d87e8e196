"""Find the encoding that a page declares inside itself, as browsers look for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Labels that the table of the package lacks.
_LATER_LABELS = {
    "unicode": "utf-16le",
    "csunicode": "utf-16le",
    "ucs-2": "utf-16le",
    "iso-10646-ucs-2": "utf-16le",
    "unicodefeff": "utf-16le",
    "unicodefffe": "utf-16be",
    "unicode11utf8": "utf-8",
    "unicode20utf8": "utf-8",
    "x-unicode20utf8": "utf-8",
}
_NO_TEXT = frozenset({"replacement", "x-user-defined"})
_SKIP_COMMENT = re.compile(rb"<!--(?:.*?--)?>", re.S)
_TAG = re.compile(rb"<(?:(!--)|(/?[a-zA-Z][^\s/>]*)|([!/?]))")
_ATTRIBUTE = re.compile(rb"""[\s/]*([^\s=>/][^\s=>/]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)?))?""")
_CONTENT_CHARSET = re.compile(rb"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""", re.I)
_XML = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*(?:"([^"]+)"|'([^']+)')""")


def xml_declaration(body: bytes) -> str | None:
    """Return the encoding that an XML declaration at the very start states."""
    match = _XML.match(body[:1_024].lstrip())
    return _label(match.group(1) or match.group(2)) if match else None


def encoding_of(label: str) -> str | None:
    """Return the WHATWG name of the encoding that *label* means; ``None`` where it means none that holds text."""
    import webencodings

    label = label.strip("\t\n\f\r ")
    try:
        found = webencodings.lookup(label)
    except (UnicodeError, AttributeError):
        return None
    name = found.name if found is not None else _LATER_LABELS.get(label.lower())
    return None if name in _NO_TEXT else name


def meta_labels(body: bytes) -> Iterator[str]:
    """Yield the encoding labels that ``meta`` elements of *body* state, in order.

    Comments, other tags and attribute values are stepped over, so that text that merely looks like a declaration
    does not count. The whole body is looked through: declarations past the first 1,024 bytes are common.

    Args:
        body: The bytes of a page, in an encoding that holds ASCII.

    Yields:
        Labels as written.
    """
    if b"charset" not in body and b"CHARSET" not in body and b"harset" not in body.lower():
        return
    position = 0
    while match := _TAG.search(body, position):
        position = match.end()
        if match.group(1):
            comment = _SKIP_COMMENT.match(body, match.start())
            position = comment.end() if comment else len(body)
            continue
        if match.group(3):
            position = _after(body, b">", position)
            continue
        name = match.group(2).lower()
        if name == b"meta":
            attributes, position = _attributes(body, position)
            label = _from_meta(attributes)
            if label is not None:
                yield label
        elif name in (b"script", b"style", b"textarea", b"title"):
            end = re.compile(b"</" + name, re.I).search(body, position)
            position = end.end() if end else len(body)
        else:
            position = _skip_tag(body, position)


def _after(body: bytes, token: bytes, position: int) -> int:
    found = body.find(token, position)
    return len(body) if found == -1 else found + len(token)


def _skip_tag(body: bytes, position: int) -> int:
    end = body.find(b">", position)
    if end == -1:
        return len(body)
    if b'"' not in body[position:end] and b"'" not in body[position:end]:
        return end + 1
    return _attributes(body, position)[1]


def _attributes(body: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    found: dict[bytes, bytes] = {}
    while True:
        match = _ATTRIBUTE.match(body, position)
        if match is None or match.end() == position:
            end = body.find(b">", position)
            return found, len(body) if end == -1 else end + 1
        name = match.group(1).lower()
        if name not in found:
            found[name] = next((part for part in match.groups()[1:] if part is not None), b"")
        position = match.end()


def _from_meta(attributes: dict[bytes, bytes]) -> str | None:
    if b"charset" in attributes:
        return _label(attributes[b"charset"])
    if attributes.get(b"http-equiv", b"").strip().lower() == b"content-type":
        match = _CONTENT_CHARSET.search(attributes.get(b"content", b""))
        if match:
            return _label(next(part for part in match.groups() if part is not None))
    return None


def _label(raw: bytes) -> str | None:
    return raw.decode("ascii", "replace").strip() or None
