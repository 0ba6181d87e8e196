"""A real exchange as an example: secrets and ids taken out. Pure, but for writing the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from websdk.credentials import Secret
from websdk.declarative import Preset
from websdk.protocols import Limits, Transport
from websdk.testing.example_file import Example
from websdk.testing.examples import ExampleDesk, account
from websdk.wire import HttpRequest, HttpResponse

REMOVED = "removed"
MAX_FILES = 1_000  # a folder with more is no folder of examples
_ID = re.compile(
    r"(?i)(?:request|session|trace|span|account|user|customer|org|organization|tenant|correlation|conversation|client"
    r"|search|response|query|job)[_-]?(?:id|uuid|token)|(?:e[_-]?mail|api[_-]?key|access[_-]?token|ip[_-]?address)"
)
_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE)
_NO_UUID = "00000000-0000-0000-0000-000000000000"
# Fields that say how to read the body or when to come back; the rest tells of the connection and its owner.
_KEPT = frozenset({"content-type", "retry-after"})


@attrs.define
class Tape:
    """A transport that keeps every reply of the one below it.

    Attributes:
        inner: The transport that sends.
        replies: Every reply, in order.
    """

    inner: Transport
    replies: list[HttpResponse] = attrs.field(factory=list, repr=False)

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        """Send *request*, and keep the reply."""
        reply = await self.inner.send(request, limits=limits)
        self.replies.append(reply)
        return reply

    async def aclose(self) -> None:
        """Close the transport below."""
        await self.inner.aclose()


def recorded_example(
    preset: Preset, half: str, request: Mapping[str, Any], reply: HttpResponse, *, secrets: Iterable[Secret] = ()
) -> dict[str, Any]:
    """Return an exchange in the format of examples, with what is read in it now as the expectation.

    Args:
        preset: The preset that was asked.
        half: ``search`` or ``fetch``.
        request: ``query``, ``filters``, ``max_results`` and ``page``, or the ``url`` of a page.
        reply: What came back.
        secrets: Credentials that may stand in it.
    """
    kept = {"status": reply.status, **_headers(preset, half, reply, secrets), **_body(reply, secrets)}
    example = Example(name="recorded", half=half, request=dict(request), reply=kept)
    read = ExampleDesk(preset=preset, examples=()).read(example)
    expected = account(read, {"page": dict.fromkeys(("is_markdown", "served_url", "title"))})
    return {
        "about": "Recorded; compare `expected` with the reply by eye",
        "half": half,
        "request": dict(request),
        "reply": kept,
        "expected": expected,
    }


def write_example(folder: Path, name: str, example: Mapping[str, Any]) -> Path:
    """Write *example* into *folder* under the first free name that begins with *name*, and return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(example, indent=2, ensure_ascii=False) + "\n"
    for number in range(1, MAX_FILES):
        file = folder / (f"{name}.json" if number == 1 else f"{name}-{number}.json")
        try:
            with file.open("x", encoding="utf-8") as stream:
                stream.write(text)
        except FileExistsError:
            continue
        return file
    raise FileExistsError(f"{folder.name} has {MAX_FILES:,} examples already")


def _headers(preset: Preset, half: str, reply: HttpResponse, secrets: Iterable[Secret]) -> dict[str, Any]:
    """Return the fields that the preset reads, and those that everybody does."""
    rules = preset.search if half == "search" else preset.fetch
    read = {text[7:].lower() for text in _texts(attrs.asdict(rules)) if text.startswith("header:")} if rules else set()
    found = {name: _masked(value, secrets) for name, value in reply.headers if name.lower() in _KEPT | read}
    return {"headers": found} if found else {}


def _body(reply: HttpResponse, secrets: Iterable[Secret]) -> dict[str, Any]:
    text = reply.body.decode("utf-8", "replace")
    try:
        return {"body": _without_ids(json.loads(_masked(text, secrets)))}
    except ValueError:
        return {"text": _UUID.sub(_NO_UUID, _masked(text, secrets))}


def _masked(text: str, secrets: Iterable[Secret]) -> str:
    for secret in secrets:
        text = secret.masked_in(text)
    return text


def _without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: REMOVED if _ID.fullmatch(key) and isinstance(item, (str, int)) else _without_ids(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_without_ids(item) for item in value]
    return _UUID.sub(_NO_UUID, value) if isinstance(value, str) else value


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
