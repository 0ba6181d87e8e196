"""What stands behind sessions in one process: everything in memory, nothing on disk."""

from websdk.state.memory import MemoryState

__all__ = ["MemoryState"]
