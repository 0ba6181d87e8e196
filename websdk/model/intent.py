"""What a call is about to do, for the embedder's permission function."""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class Intent:
    """One contact that is about to be made.

    Attributes:
        operation: ``search``, ``fetch`` or ``read_ref``.
        recipient: The provider or rung that would be contacted; empty for a local read.
        origin: Origin that would get the request; ``None`` where the recipient decides or nothing leaves.
        hosts: Hosts of the pages concerned.
        query: The query; ``None`` for page reads. Shown to the permission function alone.
    """

    operation: str
    recipient: str = ""
    origin: str | None = None
    hosts: tuple[str, ...] = ()
    query: str | None = attrs.field(default=None, repr=False)
