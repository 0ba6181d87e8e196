"""What make built, and environments into which it is installed as a stranger would."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN_TIMEOUT_S = 300  # an installer may have to fetch every dependency


class Environment:
    """A fresh environment outside the repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        # The packages of whoever runs the tests, and their settings, stay out of it.
        keep = ("PATH", "SYSTEMROOT", "TMPDIR", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
        self.variables = {name: os.environ[name] for name in os.environ if name in keep or name.startswith("PIP_")}
        self.variables["HOME"] = str(folder)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True, timeout=RUN_TIMEOUT_S)

    def run(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment and return what it printed."""
        done = subprocess.run(
            [str(self.programs / program), *words],
            cwd=self.folder,
            env=self.variables,
            capture_output=True,
            text=True,
            timeout=RUN_TIMEOUT_S,
        )
        assert done.returncode == 0, f"{program} {' '.join(words)}:\n{done.stdout}\n{done.stderr}"
        return done

    def install(self, *words: str) -> None:
        """Install as `pip install` does."""
        self.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words)


@pytest.fixture(scope="session")
def dist() -> Path:
    """The folder of built distributions."""
    return ROOT / os.environ["WEBSDK_DIST"]


@pytest.fixture(scope="session")
def wheel(dist: Path) -> Path:
    (found,) = dist.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def sdist(dist: Path) -> Path:
    (found,) = dist.glob("*.tar.gz")
    return found


@pytest.fixture(scope="session")
def make_environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Environment]:
    return lambda: Environment(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="session")
def installed(make_environment: Callable[[], Environment], wheel: Path) -> Environment:
    """The wheel and its plain dependencies, without extras, put in by the installer that Python itself brings."""
    environment = make_environment()
    environment.install(str(wheel))
    return environment
