"""Searching. A request comes in; vendors' answers, accounted for, go out: of one, of the next, or of a few merged."""
