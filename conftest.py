"""What every test of this repository may ask for: the one rule about parts that a machine may lack, and the corpora."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent


def _command(*names: str) -> Callable[[], bool]:
    return lambda: any(shutil.which(name) for name in names)


def _distributions() -> bool:
    folder = os.environ.get("WEBSDK_DIST")
    return folder is not None and (ROOT / folder).is_dir()


# The vendors' own packages by the names under which they are imported.
CLIENTS = """
elasticsearch exa_py firecrawl linkup meilisearch ollama opensearchpy parallel perplexity serpapi tavily typesense valyu
youdotcom
""".split()


# The model vendors' packages, which judge the tool declarations.
OFFICIALS = ("anthropic", "google.genai", "mcp", "openai")


def _packages(*names: str) -> Callable[[], bool]:
    return lambda: all(_is_installed(name) for name in names)


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # the package around it is missing
        return False


# Name in the marker: how to find it, and what a person does to get it.
REQUIREMENTS: dict[str, tuple[Callable[[], bool], str]] = {
    "clients": (_packages(*CLIENTS), "install the extra clients"),
    "chromium": (_command("chromium", "chromium-browser", "google-chrome"), "install Chromium"),
    "distributions": (_distributions, "run make test, which builds them"),
    "make": (_command("make"), "install make"),
    "node": (_command("node"), "install Node"),
    "officials": (_packages(*OFFICIALS), "install the extra officials"),
    "valkey": (_command("valkey-server", "redis-server"), "install Valkey"),
}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "requires(name): needs a part of the machine; skipped without it, a failure in CI"
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip by name for a person, fail where CI is set: a gate must not pass by leaving tests out."""
    for marker in item.iter_markers("requires"):
        for name in marker.args:
            is_there, remedy = REQUIREMENTS[name]
            if is_there():
                continue
            if os.environ.get("CI"):
                pytest.fail(f"{name} is missing on this machine", pytrace=False)
            pytest.skip(f"{name} is missing: {remedy}")


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of page and URL corpora, which stay outside the repository."""
    folder = Path(os.environ.get("WEBSDK_CORPORA", ROOT.parent / "shared" / "corpora"))
    if not folder.is_dir():
        pytest.skip("the corpora are missing: name their folder in WEBSDK_CORPORA")
    return folder
