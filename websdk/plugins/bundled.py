"""The presets of this project, offered like anybody's."""

from __future__ import annotations

from collections.abc import Iterable

from websdk.hookspecs import PresetSource, hookimpl


class Bundled:
    """The plugin that offers the bundled presets."""

    @hookimpl
    def websdk_presets(self) -> Iterable[PresetSource]:
        """Read the texts that ship with the package; none is parsed."""
        from websdk.declarative import bundled_preset_texts

        return [
            PresetSource(name=name, text=text, source=f"websdk.presets/{name}.toml")
            for name, text in bundled_preset_texts().items()
        ]
