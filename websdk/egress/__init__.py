"""The guard. Addresses come in; a verdict goes out, and connections that are bound to it."""
