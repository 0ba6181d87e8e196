"""Do not ask twice for what was just paid for. Requests and answers come in as keys and bytes; nothing is sent here.

A fingerprint names a request without holding it, a cache keeps answers for seconds, a flight is shared by those who ask
for the same thing at once, and a cooldown keeps calls from a vendor that asked for a pause.
"""

from websdk.reuse.cache import MemoryReuse
from websdk.reuse.coalesce import Flights
from websdk.reuse.cooldown import DEFAULT_COOLDOWN_S, MAX_COOLDOWN_S, MemoryCooldowns, cooldown_s
from websdk.reuse.fingerprint import credential_fingerprint, fingerprint
from websdk.reuse.options import ReuseOptions

__all__ = [
    "DEFAULT_COOLDOWN_S",
    "MAX_COOLDOWN_S",
    "Flights",
    "MemoryCooldowns",
    "MemoryReuse",
    "ReuseOptions",
    "cooldown_s",
    "credential_fingerprint",
    "fingerprint",
]
