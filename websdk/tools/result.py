"""What a tool call gives back: text for a model, the same as data, and details for the embedder alone."""

from __future__ import annotations

import re
from typing import Any

import attrs

from websdk.budget.markdown import inline, link, one_line
from websdk.errors import (
    AskAgain,
    InvalidRequest,
    ProviderError,
    Redirected,
    SearchFailed,
    Unreadable,
    WebSdkError,
)

_WORD = re.compile("[a-z][a-z_]{0,31}")  # a category is one word of ours; anything else may be somebody's text
_MAX_MESSAGE_CHARACTERS = 500  # our messages are a sentence or two; a list of problems is for the operator


@attrs.frozen(kw_only=True)
class ToolResult:
    """The outcome of one tool call.

    Attributes:
        text: What a model reads.
        structured: The same as plain JSON data, for a program; each snippet stands in it once.
        details: For the embedder: the whole values behind the answer, with receipts, attempts and every notice. No part
            of what a model reads.
        error: The failure, where the call failed.
    """

    text: str
    structured: dict[str, Any]
    details: Any = attrs.field(default=None, repr=False)
    error: WebSdkError | None = None


def failure_facts(error: WebSdkError) -> dict[str, Any]:
    """Return what a model may know of *error*, as plain data without text from the web."""
    facts: dict[str, Any] = {"type": type(error).__name__, "sent": error.sent, "retryable": error.retryable}
    if isinstance(error, (ProviderError, AskAgain)) and error.wait_s is not None:
        facts["wait_s"] = error.wait_s
    if isinstance(error, SearchFailed):
        facts |= {"code": error.category, "category": _category(error)}
    if isinstance(error, Unreadable):
        facts["seen"] = error.seen
        facts["remaining_rungs"] = [str(rung) for rung in error.remaining_rungs]
        if error.hidden_content_detected:
            facts["hidden_content_detected"] = True
    return facts


def failure_message(error: WebSdkError) -> str:
    """Return *error* in a sentence or two, with what is left to try; a failed search is its code and category alone."""
    if isinstance(error, SearchFailed):
        return f"{error.category} ({_category(error)})"
    message = one_line(str(error))[:_MAX_MESSAGE_CHARACTERS]
    if isinstance(error, Unreadable) and error.remaining_rungs and "rungs left:" not in message:
        message += f" (rungs left: {', '.join(map(str, error.remaining_rungs))})"
    return message


def _category(error: SearchFailed) -> str:
    return error.reason if _WORD.fullmatch(error.reason) else "other"


def failed_call(error: WebSdkError, *, mark: str = "destination") -> ToolResult:
    """Return the tool result that stands for a failed call.

    Args:
        error: What a session's call raised.
        mark: Random text, behind which an address that the web named is shown.
    """
    facts = failure_facts(error) | {"message": failure_message(error)}
    lines = [f"Failed: {type(error).__name__}: {inline(failure_message(error))}"]
    if isinstance(error, InvalidRequest) and error.next_call:
        lines.append(f"Next: {error.next_call}")
        facts["next_call"] = error.next_call
    if isinstance(error, Redirected) and error.destination:
        lines += [f"Mark: {mark}. The address that the page points to:", "", link(error.destination, error.destination)]
        facts["destination"] = one_line(error.destination)
    return ToolResult(text="\n".join(lines), structured={"error": facts}, error=error)
