"""``websdk demo``: the main job on one machine, without a key and without the internet."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import as_file, files
from io import StringIO
from pathlib import Path
from typing import Any

import attrs
import click

from websdk.cli.application import json_option, print_json
from websdk.errors import ConfigurationError
from websdk.model.convert import to_dict
from websdk.model.filters import Filters
from websdk.model.search import SearchRequest

BASE_URL = "https://handbook.example/"
DOCS_URL = "https://websdk.example/docs/"
SERVED = "tides.html"
PLANNED_FOR = ("brave", "exa", "ollama")


@click.command()
@json_option
def demo(as_json: bool) -> None:
    """Index a few pages, search them, see what three vendors could not express, and read a page.

    Everything happens on this machine: nothing is sent to the internet, and no key is needed.
    """
    from websdk.settings import Settings
    from websdk.sync import Client

    say = _Quiet() if as_json else _Aloud()
    report: dict[str, Any] = {}
    request = SearchRequest(
        query="tide table",
        max_results=5,
        filters=Filters(recency="month", include_domains=("handbook.example",)),
    )
    with tempfile.TemporaryDirectory(prefix="websdk-demo-") as room:
        folder, index = Path(room) / "pages", Path(room) / "demo.sqlite"
        _copy_pages(folder)
        settings = Settings(plugin={"index": {"file": str(index)}})
        say.step("An index of one's own pages")
        if _index_pages(folder, index, say):
            say.step("A search, and what became of its filters")
            say.command('websdk search "tide table" --provider index --recency month --include-domain handbook.example')
            with Client(settings) as client:
                response = client.search(request, provider="index")
            report["search"] = to_dict(response)
            say.response(response)
    say.step("The same request, planned for three vendors; nothing is sent")
    planner = Client(Settings())
    report["plans"] = {}
    for name in PLANNED_FOR:
        plan = planner.plan(request, provider=name)
        report["plans"][name] = to_dict(plan)
        say.plan(plan)
    say.step("A page, read as Markdown")
    report["document"] = _read_page(say)
    say.step("What next")
    say.line(
        'With a key of yours:  BRAVE_API_KEY=... websdk search "asyncio taskgroup" --provider brave --recency week'
    )
    say.line("Without one:          websdk providers   lists vendors that work without a key")
    say.line("A page:               websdk fetch https://docs.python.org/3/library/asyncio.html")
    if as_json:
        print_json(report)


def _copy_pages(folder: Path) -> None:
    folder.mkdir()
    for page in files("websdk.cli").joinpath("demo_pages").iterdir():
        with as_file(page) as source:
            # Not copy2: the pages count as written today, which is what recency looks at where a page states no date.
            shutil.copyfile(source, folder / page.name)


def _index_pages(folder: Path, index: Path, say: _Quiet) -> bool:
    from websdk.plugins.commands import installed_commands

    command = installed_commands().get("index")
    if command is None:
        say.line("The offline index is a distribution of its own: pip install websdk-index, and run the demo again.")
        return False
    loaded = command.load()
    click_command = loaded if isinstance(loaded, click.Command) else loaded()
    for source, base in _sources(folder):
        words = ["add", str(source), "--base-url", base, "--index", str(index)]
        say.command(f"websdk index add {source.name} --base-url {base}")
        try:
            with nullcontext() if say.loud else redirect_stdout(StringIO()):
                click_command.main(words, prog_name="websdk index", standalone_mode=False)
        except click.ClickException as exc:
            raise ConfigurationError(f"the demo could not index its pages: {exc.format_message()}") from None
    return True


def _sources(folder: Path) -> list[tuple[Path, str]]:
    """Return what is indexed: the shipped pages, and the project's own docs where the demo runs in a checkout."""
    docs = Path(__file__).parents[2] / "docs"
    in_checkout = (docs.parent / "pyproject.toml").is_file() and docs.is_dir()
    return [(folder, BASE_URL), *([(docs, DOCS_URL)] if in_checkout else [])]


def _read_page(say: _Quiet) -> dict[str, Any]:
    from websdk.egress import AllowEntry, EgressOptions
    from websdk.settings import Settings
    from websdk.sync import Client

    body = files("websdk.cli").joinpath("demo_pages", SERVED).read_bytes()
    with _served(body) as origin:
        say.command(f"websdk fetch {origin}/{SERVED} --allow {origin}")
        settings = attrs.evolve(Settings(), egress=EgressOptions(allow=(AllowEntry(origin=origin),)))
        with Client(settings) as client:
            document = client.fetch(f"{origin}/{SERVED}")
    say.text(document.markdown)
    if document.hidden_content_detected:
        say.line("(a sentence that no visitor of the page sees was removed, and said so: hidden_content_detected)")
    return to_dict(document)


@contextmanager
def _served(body: bytes) -> Iterator[str]:
    """Serve one page on loopback and yield its origin."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == f"/{SERVED}"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body) if found else 0))
            self.end_headers()
            if found:
                self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Say nothing: the demo's own lines tell what happens."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Quiet:
    """Says nothing, where one object is printed at the end."""

    loud = False

    def step(self, title: str) -> None:
        """Begin a step."""

    def command(self, words: str) -> None:
        """Show the command that does the same."""

    def line(self, text: str) -> None:
        """Say one thing."""

    def text(self, text: str) -> None:
        """Show a text."""

    def response(self, response: Any) -> None:
        """Show results."""

    def plan(self, plan: Any) -> None:
        """Show a plan."""


class _Aloud(_Quiet):
    """Tells a person."""

    loud = True

    def __init__(self) -> None:
        self._steps = 0

    def step(self, title: str) -> None:
        """Begin a step."""
        self._steps += 1
        click.echo(f"\n{click.style(f'{self._steps}. {title}', bold=True)}")

    def command(self, words: str) -> None:
        """Show the command that does the same."""
        click.echo(click.style(f"$ {words}", fg="cyan"))

    def line(self, text: str) -> None:
        """Say one thing."""
        click.echo(text)

    def text(self, text: str) -> None:
        """Show a text, set off."""
        click.echo("\n".join(f"  {line}".rstrip() for line in text.splitlines()))

    def response(self, response: Any) -> None:
        """Show results."""
        from websdk.cli.search import show_response

        show_response(response)

    def plan(self, plan: Any) -> None:
        """Show what would become of each filter at one vendor."""
        from websdk.cli.search import show_accounting

        click.echo(f"\n{click.style(plan.provider, bold=True)} would get {plan.request.method} {plan.request.url}")
        if plan.request.body:
            click.echo(f"  {plan.request.body}")
        show_accounting(plan.filter_outcomes, plan.adjustments, plan.notices)
