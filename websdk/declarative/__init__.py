"""Presets. A vendor's TOML file comes in; requests for that vendor and readings of its answers go out. Pure."""
