"""One HTTP/1.1 connection: opened, asked, read within bounds."""

from __future__ import annotations

import httpcore

# Bytes of reply headers, and of any one line of a chunked body. Pages send a few KB; servers and proxies commonly
# refuse to handle more than 8 to 32 KB themselves.
MAX_HEADER_BYTES = 64 * 1024


class Http11Connection(httpcore.AsyncHTTP11Connection):
    """The library's connection with a smaller header block, and with an eye on bytes that nobody asked for."""

    MAX_INCOMPLETE_EVENT_SIZE = MAX_HEADER_BYTES

    def is_stale(self) -> bool:
        """Tell whether an idle connection must not be used again.

        It is not when the other side has closed it, and not when bytes follow the last reply: the library would take
        them for the answer to the next request. They lie in a part of it that is not public; where a release keeps
        them elsewhere, no connection is used twice.
        """
        parser = getattr(self, "_h11_state", None)
        left_over = parser is None or bool(parser.trailing_data[0])
        return left_over or not self.is_idle() or self.has_expired()
