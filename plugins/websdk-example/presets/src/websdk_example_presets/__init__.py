"""Presets of the Acme company. There is no code here: each file beside this one is one vendor."""
