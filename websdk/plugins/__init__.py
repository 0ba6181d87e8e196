"""Where pluggy lives. Distributions, folders and objects come in; named offers go out.

``host`` puts plugins together, ``members`` knows who they are, ``installed`` finds distributions, ``packages`` reads
presets from packages and folders, ``bundled`` has those of this project, ``offers`` says what counts as an offer,
``commands`` finds commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from websdk.plugins.host import PluginHost
    from websdk.plugins.members import PluginFailure, PluginInfo, SourceKind
else:
    _PLACES = {
        "PluginFailure": "members",
        "PluginHost": "host",
        "PluginInfo": "members",
        "SourceKind": "members",
    }

    # The list of commands is needed by every `websdk --help`, and must not bring the plugin manager with it.
    def __getattr__(name: str) -> Any:
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


__all__ = ["PluginFailure", "PluginHost", "PluginInfo", "SourceKind"]
