"""The render rung: a headless Chromium builds the page, and every connection of it passes the egress guard."""

from websdk_render.options import RenderOptions
from websdk_render.rung import RenderRung

__all__ = ["RenderOptions", "RenderRung"]
