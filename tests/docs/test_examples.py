"""Every example of the documentation, run as it stands.

Python blocks of a page run in order, in one namespace, in an empty folder; a ``text output`` block is what the block
before it printed. Console blocks marked ``run`` run and print what they show, where ``...`` stands for anything; in
others each command of this project must at least be one that exists, with options that exist. TOML blocks load as what
they are marked as, and with ``file=NAME`` stand in the folder for later blocks. A comment that begins with ``python``
sets the scene.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import attrs
import click
import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
_SCENE = re.compile(r"<!-- python\n(?P<text>.*?)-->", re.S)
# Programs that a page may tell a reader to run and that a test does not.
OTHERS = {"apt", "cd", "export", "git", "pip", "py", "python", "python3", "set", "cat", "cp"}
RUN_TIMEOUT_S = 60


@attrs.frozen(kw_only=True)
class Block:
    """One block of a page."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int

    def option(self, name: str) -> str | None:
        return next((word.partition("=")[2] for word in self.words if word.startswith(f"{name}=")), None)


def _blocks(page):
    for token in MarkdownIt("commonmark").parse(page.read_text("utf-8")):
        line = (token.map or [0])[0] + 1
        if token.type == "fence":
            language, *words = token.info.split() or [""]
            yield Block(language=language, words=tuple(words), text=token.content, line=line)
        elif token.type == "html_block" and (match := _SCENE.search(token.content)):
            yield Block(language="python", words=("scene",), text=match["text"], line=line)


def _same(shown, printed):
    """Whether *printed* is what a page shows, blank ends of lines aside."""
    lines = [re.escape(line.rstrip()) for line in shown.strip("\n").splitlines()]
    pattern = "\n".join(lines).replace(re.escape("..."), ".*?")
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed.strip("\n").splitlines()), re.S)


class Page:
    """One page as it runs."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.namespace = {"__name__": "__example__"}
        self.printed = ""

    def run(self, block):
        getattr(self, f"_{block.language}", self._unknown)(block)

    def _unknown(self, block):
        pytest.fail(f"{self.path.name}:{block.line}: no rule runs a block of {block.language or 'no language'}")

    def _python(self, block):
        # Blank lines before it, so that a traceback names the line of the page.
        code = compile("\n" * block.line + block.text, str(self.path), "exec", dont_inherit=True)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, self.namespace)
        self.printed = out.getvalue()
        self._keep(block)

    def _text(self, block):
        if "output" in block.words and not _same(block.text, self.printed):
            pytest.fail(f"{self.path.name}:{block.line}: printed instead:\n{self.printed}", pytrace=False)

    def _json(self, block):
        json.loads(block.text)
        self._keep(block)

    def _html(self, block):
        self._keep(block)

    def _toml(self, block):
        tomllib.loads(block.text)
        self._keep(block)
        if "preset" in block.words:
            from websdk.declarative import load_preset

            load_preset(block.text, name=Path(block.option("file") or "example").stem, source=self.path.name)
        elif "settings" in block.words:
            from websdk import Settings

            file = self.folder / (block.option("file") or "settings.toml")
            file.write_text(block.text, "utf-8")
            Settings.load(file, environ={})

    def _keep(self, block):
        name = block.option("file")
        if name:
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")

    def _console(self, block):
        for command, shown in _commands(block.text):
            if "run" not in block.words:
                _parse(command, f"{self.path.name}:{block.line}")
                continue
            printed = self._call(command)
            if shown and not _same(shown, printed):
                pytest.fail(f"{self.path.name}:{block.line}: {command}\nprinted instead:\n{printed}", pytrace=False)

    def _bat(self, block):
        for line in block.text.splitlines():
            _parse(line.replace("\\", "/"), f"{self.path.name}:{block.line}")

    def _call(self, command):
        programs = self.folder / ".bin"
        programs.mkdir(exist_ok=True)
        starter = programs / "websdk"
        starter.write_text(f"#!{sys.executable}\nfrom websdk.cli import main\nmain()\n")
        starter.chmod(0o755)
        environment = {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.folder),
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "120",
        }
        done = subprocess.run(
            [shutil.which("bash"), "-euo", "pipefail", "-c", command],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=RUN_TIMEOUT_S,
        )
        # A page may show a refusal; what it shows is compared all the same.
        if done.returncode not in (0, 3):
            pytest.fail(f"{self.path.name}: {command} ended with {done.returncode}:\n{done.stderr}", pytrace=False)
        return done.stdout + (done.stderr if done.returncode else "")


def _commands(text):
    """The commands of a console block, each with what is shown below it."""
    command, shown, found = None, [], []
    for line in text.splitlines():
        if line.startswith("$ "):
            found += [(command, "\n".join(shown))] if command else []
            command, shown = line[2:], []
        elif command and command.endswith("\\"):
            command = command[:-1].rstrip() + " " + line.strip().removeprefix("> ")
        else:
            shown.append(line)
    return [*found, (command, "\n".join(shown))]


def _parse(command, place):
    """Fail where a command of this project does not exist or has other options."""
    for part in re.split(r"\s(?:\||&&)\s", command):
        words = shlex.split(part, comments=True)
        program = next((word for word in words if "=" not in word), "")
        words = words[words.index(program) + 1 :] if program else []
        program = program.rpartition("/")[2]
        if program == "make":
            targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M)
            assert set(words) <= set(targets), f"{place}: {part}"
        elif program == "websdk":
            _parse_own(words, f"{place}: {part}")
        else:
            assert program in OTHERS, f"{place}: no rule knows {program}"


def _parse_own(words, place):
    from websdk.cli.application import websdk as command

    context = click.Context(command, info_name="websdk", **command.context_settings)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        _, command, words = command.resolve_command(context, words)
    try:
        command.make_context(command.name, list(words), parent=context)
    except click.exceptions.Exit:
        pass  # --help and --version
    except click.ClickException as error:
        pytest.fail(f"{place}: {error.format_message()}", pytrace=False)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_example_of_the_page_works(path, tmp_path, monkeypatch, in_world):
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("WEBSDK_") or name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    monkeypatch.setenv("BRAVE_API_KEY", "example-key")
    page = Page(path, tmp_path)
    for block in _blocks(path):
        page.run(block)


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb\n", "a \nb\n", True),
        ("a\n...\nd", "a\nb\nc\nd", True),
        ("a ... c", "a b c", True),
        ("a.c", "abc", False),
        ("a", "a\nb", False),
    ],
)
def test_output_is_compared_line_by_line(shown, printed, same):
    assert same is bool(_same(shown, printed))


def test_an_option_that_does_not_exist_is_found():
    with pytest.raises(pytest.fail.Exception):
        _parse("websdk search tides --provider brave --freshness week", "here")
