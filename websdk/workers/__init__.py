"""Child processes that extract. Bytes go in over a pipe; a document or a failure comes back before the deadline."""
