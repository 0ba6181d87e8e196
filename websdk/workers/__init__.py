"""Child processes that extract. Bytes go in over a pipe; a document or a failure comes back before the deadline."""

from websdk.workers.options import WorkerOptions
from websdk.workers.pool import ExtractionPool

__all__ = ["ExtractionPool", "WorkerOptions"]
