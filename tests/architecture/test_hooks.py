"""Every hook is explained, and a test has a plugin that answers it."""

from __future__ import annotations

import ast
import importlib.util
import inspect

import pytest

from websdk import hookspecs

HOOKS = {name: value for name, value in vars(hookspecs).items() if name.startswith("websdk_")}


@pytest.fixture(scope="module")
def generate(root):
    spec = importlib.util.spec_from_file_location("docs_generate", root / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", HOOKS)
def test_hook_says_what_it_offers_when_it_is_called_and_since_when(name):
    doc = inspect.getdoc(HOOKS[name])

    assert "Called" in doc
    assert ".. versionadded::" in doc
    assert ("Args:" in doc) is bool(inspect.signature(HOOKS[name]).parameters)


@pytest.mark.parametrize("name", HOOKS)
def test_hook_is_fully_annotated(name):
    signature = inspect.signature(HOOKS[name])

    assert inspect.Signature.empty is not signature.return_annotation
    assert all(parameter.annotation is not inspect.Parameter.empty for parameter in signature.parameters.values())


@pytest.mark.parametrize("name", HOOKS)
def test_hook_stands_in_the_reference_with_its_exact_signature(name, generate, root):
    page = (root / "docs" / "reference" / "hooks.md").read_text("utf-8")

    assert f"\n## {name}\n" in page
    assert f"\n{generate.signature(name, HOOKS[name])}\n" in page


@pytest.fixture(scope="module")
def answered(root):
    """Names of hooks that a plugin of some test implements."""
    files = [*root.glob("tests/**/*.py"), *root.glob("plugins/**/tests/**/*.py")]
    return {
        node.name
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and any("hookimpl" in ast.unparse(item) for item in node.decorator_list)
    }


@pytest.mark.parametrize("name", HOOKS)
def test_hook_is_answered_by_a_plugin_of_some_test(name, answered):
    assert name in answered
