"""One HTTP/1.1 connection: opened, asked, read within bounds."""

from __future__ import annotations

from typing import Any

import httpcore

# Bytes of reply headers, and of any one line of a chunked body. Pages send a few KB; servers and proxies commonly
# refuse to handle more than 8 to 32 KB themselves.
MAX_HEADER_BYTES = 64 * 1024
# Interim replies (1xx) ahead of the one that counts. Servers send one or two 103 with hints for browsers, or a 102 now
# and then while they work; one that sends them without end would be listened to until the deadline.
MAX_INTERIM_REPLIES = 10


class Http11Connection(httpcore.AsyncHTTP11Connection):
    """The library's connection with a smaller header block, and with an eye on replies that nobody asked for."""

    MAX_INCOMPLETE_EVENT_SIZE = MAX_HEADER_BYTES
    _interim = 0

    async def handle_async_request(self, request: httpcore.Request) -> httpcore.Response:
        """Send *request* and read the head of its reply.

        Raises:
            httpcore.ProtocolError: What came is not HTTP, or more interim replies than anybody needs.
        """
        self._interim = 0
        return await super().handle_async_request(request)

    async def _receive_event(self, timeout: float | None = None) -> Any:
        # The library passes over interim replies without a bound. This is a part of it that is not public; a test fails
        # where a release does it elsewhere.
        event = await super()._receive_event(timeout=timeout)
        if getattr(event, "status_code", 200) < 200:
            self._interim += 1
            if self._interim > MAX_INTERIM_REPLIES:
                raise httpcore.RemoteProtocolError("too many interim replies")
        return event

    def is_stale(self) -> bool:
        """Tell whether an idle connection must not be used again.

        It is not when the other side has closed it, and not when bytes follow the last reply: the library would take
        them for the answer to the next request. They lie in a part of it that is not public; where a release keeps
        them elsewhere, no connection is used twice.
        """
        parser = getattr(self, "_h11_state", None)
        left_over = parser is None or bool(parser.trailing_data[0])
        return left_over or not self.is_idle() or self.has_expired()
