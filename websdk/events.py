"""What happened, for observers. An event holds no query, page path, credential or remote text."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import attrs


@attrs.frozen(kw_only=True)
class Event:
    """One thing that happened during a call.

    Attributes:
        name: Dotted name, such as ``search.finished`` or ``fetch.hidden_content``.
        call_id: The call it belongs to.
        at: Aware moment.
        fields: Facts: names, counts, statuses, seconds.
    """

    name: str
    call_id: str
    at: datetime
    fields: dict[str, str | int | float | bool | None] = attrs.field(factory=dict)


EventSink = Callable[[Event], None]


def discard(event: Event) -> None:
    """Take an event and do nothing, where nobody observes."""
