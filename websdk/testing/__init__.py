"""Conformance kit. Presets, providers, codecs, rungs, transports and states come in; what they break goes out.

The contracts need the extra ``testing``; :func:`check_preset` and the doubles do without. Fixtures are asked for with
``pytest_plugins = ["websdk.testing.plugin"]``; nothing registers itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from websdk.testing.codec_contract import SearchCodecContract
    from websdk.testing.doubles import FakeClock, FakeResolver, RecordingTransport, ScriptedProvider
    from websdk.testing.example_file import Example, load_examples
    from websdk.testing.preset import check_preset, check_text
    from websdk.testing.preset_contract import PresetContract
    from websdk.testing.provider_contract import LocalProviderContract, SearchProviderContract
    from websdk.testing.report import RULES, ContractReport, Problem, Rule
    from websdk.testing.rung_contract import FetchRungContract
    from websdk.testing.state_contract import SharedStateContract
    from websdk.testing.transport_contract import TransportContract
    from websdk.testing.vendor_server import Behaviour, VendorServer
else:
    _MODULES = {
        "Behaviour": "vendor_server",
        "VendorServer": "vendor_server",
        "ContractReport": "report",
        "Example": "example_file",
        "FakeClock": "doubles",
        "FakeResolver": "doubles",
        "FetchRungContract": "rung_contract",
        "LocalProviderContract": "provider_contract",
        "PresetContract": "preset_contract",
        "Problem": "report",
        "RULES": "report",
        "RecordingTransport": "doubles",
        "Rule": "report",
        "ScriptedProvider": "doubles",
        "SearchCodecContract": "codec_contract",
        "SearchProviderContract": "provider_contract",
        "SharedStateContract": "state_contract",
        "TransportContract": "transport_contract",
        "check_preset": "preset",
        "check_text": "preset",
        "load_examples": "example_file",
    }

    def __getattr__(name: str) -> Any:  # the contracts load pytest, which a command line does without
        if name in _MODULES:
            return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "RULES",
    "Behaviour",
    "ContractReport",
    "Example",
    "FakeClock",
    "FakeResolver",
    "FetchRungContract",
    "LocalProviderContract",
    "PresetContract",
    "Problem",
    "RecordingTransport",
    "Rule",
    "ScriptedProvider",
    "SearchCodecContract",
    "SearchProviderContract",
    "SharedStateContract",
    "TransportContract",
    "VendorServer",
    "check_preset",
    "check_text",
    "load_examples",
]
