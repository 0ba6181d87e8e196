"""The tree as data: modules with their syntax trees, and the house rules that pyproject.toml states."""

from __future__ import annotations

import ast
import subprocess
import tomllib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import attrs
import pytest

ROOT = Path(__file__).parents[2]


@attrs.frozen(kw_only=True)
class Import:
    """One import statement, whole names only."""

    module: str
    line: int
    typing_only: bool


@attrs.frozen(kw_only=True)
class Module:
    """One Python file of a package."""

    path: str
    name: str
    tree: ast.Module = attrs.field(repr=False)
    imports: tuple[Import, ...] = attrs.field(repr=False)

    @property
    def room(self) -> str:
        """The part of ``websdk`` that the module belongs to; empty for the package itself."""
        return self.name.partition(".")[2].partition(".")[0]


class _Imports(ast.NodeVisitor):
    def __init__(self, package: str) -> None:
        self.package = package
        self.typing_only = False
        self.found: list[Import] = []

    def _add(self, module: str, node: ast.stmt) -> None:
        self.found.append(Import(module=module, line=node.lineno, typing_only=self.typing_only))

    def visit_If(self, node: ast.If) -> None:
        under_typing = ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
        outside, self.typing_only = self.typing_only, self.typing_only or under_typing
        for child in node.body:
            self.visit(child)
        self.typing_only = outside
        for child in node.orelse:
            self.visit(child)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name, node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = node.module or ""
        if node.level:
            parents = self.package.split(".")
            base = ".".join(filter(None, [*parents[: len(parents) - node.level + 1], base]))
        for alias in node.names:
            # `from websdk import search` names a room just as `import websdk.search` does.
            self._add(f"{base}.{alias.name}", node)

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func)
        if name in ("import_module", "importlib.import_module", "__import__") and node.args:
            argument = node.args[0]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                self._add(argument.value, node)  # type: ignore[arg-type]  # an expression has a line too
        self.generic_visit(node)


def parse(source: str, *, path: str, name: str) -> Module:
    """Return the module that *source* makes, with every import wherever it stands."""
    tree = ast.parse(source, path)
    visitor = _Imports(name if path.endswith("__init__.py") else name.rpartition(".")[0])
    visitor.visit(tree)
    return Module(path=path, name=name, tree=tree, imports=tuple(visitor.found))


@lru_cache
def modules(folder: str, base: str = "") -> tuple[Module, ...]:
    """Return every module under *folder*; names count from *base*."""
    found = []
    for file in sorted((ROOT / folder).rglob("*.py")):
        relative = file.relative_to(ROOT / base).with_suffix("")
        name = ".".join(relative.parts).removesuffix(".__init__")
        found.append(parse(file.read_text("utf-8"), path=file.relative_to(ROOT).as_posix(), name=name))
    return tuple(found)


@lru_cache
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@lru_cache
def tracked() -> tuple[str, ...]:
    """Return every file under version control, or every file that would be where there is no repository."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    done = subprocess.run(command, capture_output=True, check=True)
    return tuple(name for name in done.stdout.decode().split("\0") if name and (ROOT / name).is_file())


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def pyproject() -> dict[str, Any]:
    return project()


@pytest.fixture(scope="session")
def rules(pyproject: dict[str, Any]) -> dict[str, Any]:
    return dict(pyproject["tool"]["websdk"]["architecture"])


@pytest.fixture(scope="session")
def core() -> tuple[Module, ...]:
    return modules("websdk")


@pytest.fixture(scope="session")
def neighbours() -> tuple[Module, ...]:
    sources = sorted(folder.relative_to(ROOT).as_posix() for folder in ROOT.glob("plugins/**/src"))
    return tuple(module for source in sources for module in modules(source, source))


@pytest.fixture(scope="session")
def tracked_files() -> tuple[str, ...]:
    return tracked()


@pytest.fixture(scope="session")
def parse_module() -> Callable[..., Module]:
    return parse
