"""Whom a tool call can contact, told before it is made."""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class Reach:
    """Everything outside this process that a call may contact; a call need not contact all of it.

    Attributes:
        providers: Ids of search providers and readers.
        rungs: Ways to read pages. ``local`` stands beside another one where this machine asks the origin of the page
            for an index, whoever reads the page itself.
        servers: Names of MCP servers that have to run for it.
    """

    providers: tuple[str, ...] = ()
    rungs: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        """Whether nothing at all is contacted."""
        return not (self.providers or self.rungs or self.servers)
