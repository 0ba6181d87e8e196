"""What an operator says about reading pages."""

from __future__ import annotations

import attrs

from websdk.model.bounds import above_zero, whole


@attrs.frozen(kw_only=True)
class FetchOptions:
    """How pages are read.

    Attributes:
        enabled: Whether pages are read at all. The local rung needs no key and spends nothing, so it is on.
        proxy: Id of the reader that serves ``via="proxy"`` where a call names none; blank for none. Its vendor learns
            the whole address of every page, query string included, and follows redirects that nothing here can judge.
            The index probe still asks the page's origin from this machine unless ``docs_index_discovery`` is off.
        chain: Readers after ``proxy``, in order: a session asks the next one where one fails in a way that may pass.
            Each learns the addresses that the one before it learned.
        render: Whether an installed browser rung serves ``via="render"``.
        max_characters: Length of the text in code points, notice included: a fair share of a model's context.
        max_response_bytes: Ceiling for the bytes of a page, on the wire and again decoded, on every rung. A reader's
            reply, in which the page is wrapped, may have three times as many and 64 KiB more, and no more than its
            vendor's own ceiling (2 MiB unless a preset says less).
        deadline_s: Wall-clock seconds of a read, extraction included.
        docs_index_discovery: Whether the origin that served a page is asked for ``/llms.txt``: one small request to a
            place that was contacted anyway.
    """

    enabled: bool = True
    proxy: str = ""
    chain: tuple[str, ...] = ()
    render: bool = False
    max_characters: int = attrs.field(default=40_000, validator=whole(1))
    max_response_bytes: int = attrs.field(default=2 * 1024 * 1024, validator=whole(1))
    deadline_s: float = attrs.field(default=30.0, validator=above_zero)
    docs_index_discovery: bool = True
