"""Web search and page reading for agents, honestly: every asked filter is applied, or named as not applied.

The public names load on first use, so that ``import websdk`` costs next to nothing.
"""

from __future__ import annotations

__version__ = "26.1.0"
