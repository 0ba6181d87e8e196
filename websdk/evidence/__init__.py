"""What a session was told, kept for a while so that it can be read on without a new request.

Admitted passages come in; refs, positions and matches go out. Memory only, bounded in every direction, no network.
"""

from websdk.evidence.cursor import Cursors
from websdk.evidence.find import Match, find
from websdk.evidence.options import EvidenceOptions
from websdk.evidence.store import Entry, EvidenceStore, Passage

__all__ = ["Cursors", "Entry", "EvidenceOptions", "EvidenceStore", "Match", "Passage", "find"]
