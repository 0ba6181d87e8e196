"""Presets. A vendor's TOML file comes in; requests for that vendor and readings of its answers go out. Pure."""

from websdk.declarative.bundled import bundled_preset_texts
from websdk.declarative.codec import PresetCodec
from websdk.declarative.language import preset_schema
from websdk.declarative.load import load_preset
from websdk.declarative.reader import PresetReader
from websdk.declarative.schema import FetchProviderPreset, Preset, SearchProviderPreset
from websdk.declarative.vendor import HttpVendor

__all__ = [
    "FetchProviderPreset",
    "HttpVendor",
    "Preset",
    "PresetCodec",
    "PresetReader",
    "SearchProviderPreset",
    "bundled_preset_texts",
    "load_preset",
    "preset_schema",
]
