"""The index keeps the contract of providers over data of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from websdk_index import IndexProvider

from websdk.protocols import Transport, WebSearchProvider
from websdk.testing import LocalProviderContract

PAGES = {
    "tides.md": "---\ntitle: Tides\ndate: 2026-03-01\nlanguage: en\n---\n# Tides\n\nThe tide turns twice a day.\n",
    "old.md": "---\ntitle: Old tides\ndate: 2024-01-01\nlanguage: de\n---\n# Old\n\nA tide of another year.\n",
    "plain.md": "# Plain\n\nA tide without a date.\n",
}


class TestIndex(LocalProviderContract):
    """Three pages about tides, with and without dates."""

    @pytest.fixture(autouse=True)
    def filled(self, desk: Any) -> None:
        """Fill an index of this test's own."""
        for name, text in PAGES.items():
            desk.write(name, text)
        desk.add(base_url="https://port.example/")
        self.file: Path = desk.index

    def make_provider(self, transport: Transport) -> WebSearchProvider:
        return IndexProvider(self.file)
