"""The command tree: each command's module is imported when it is called."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from websdk import __version__
from websdk.errors import ConfigurationError, CredentialRejected, EgressRefused, Refused, Unreadable, WebSdkError

DONE, USAGE, REFUSED, FAILED, INTERRUPTED = 0, 2, 3, 4, 130

# name -> (module, attribute, help line); the line stands here so that `websdk --help` loads no command.
_COMMANDS: dict[str, tuple[str, str, str]] = {
    "demo": ("websdk.cli.demo", "demo", "Search and read on this machine alone, and see what is reported."),
    "search": ("websdk.cli.search", "search", "Search at one provider; every filter is accounted for."),
    "fetch": ("websdk.cli.fetch", "fetch", "Read one page as Markdown."),
    "read": ("websdk.cli.fetch", "read", "Read stored bytes as Markdown, without a network."),
    "guard": ("websdk.cli.guard", "guard", "Tell whether a page read may reach an address."),
    "providers": ("websdk.cli.catalog", "providers", "List providers and what each does with every filter."),
    "preset": ("websdk.cli.preset", "preset", "Check a preset file, or print the schema of presets."),
    "new": ("websdk.cli.new", "new", "Write a ready folder for a preset or a plugin of your own."),
    "plugins": ("websdk.cli.catalog", "plugins", "List plugins and what each brings."),
    "tools": ("websdk.cli.tools", "tools", "Print tool declarations for a model."),
    "doctor": ("websdk.cli.doctor", "doctor", "Tell what is configured, and where each value came from."),
}


# A disk that is full, a device that fails, a descriptor that is closed or cannot be written.
_UNWRITABLE = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF, errno.EFBIG))


class _ReaderGone(Exception):
    """Whoever read our output went away. Click would end the process with a code of its own at the bare OSError."""


@contextmanager
def _telling_readers_apart() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise _ReaderGone from None


class CommandTree(click.Group):
    """Loads a command when it is called, the package's own and those of installed distributions."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the words; help is written here."""
        with _telling_readers_apart():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _telling_readers_apart():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return every command's name, the package's own first."""
        return [*_COMMANDS, *sorted(name for name in _foreign() if name not in _COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command called *cmd_name*, loading its module."""
        if cmd_name in _COMMANDS:
            module, attribute, _ = _COMMANDS[cmd_name]
            command: click.Command = getattr(import_module(module), attribute)
            return command
        foreign = _foreign().get(cmd_name)
        return None if foreign is None else _as_command(cmd_name, foreign.load())

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in _COMMANDS.items()])
        foreign = {name: item for name, item in _foreign().items() if name not in _COMMANDS}
        if foreign:
            with formatter.section("From installed distributions"):
                formatter.write_dl([(name, f"({item.distribution})") for name, item in sorted(foreign.items())])


def _foreign() -> dict[str, Any]:
    from websdk.plugins.commands import installed_commands

    return dict(installed_commands())


def _as_command(name: str, loaded: Any) -> click.Command:
    command = loaded if isinstance(loaded, click.Command) else loaded()
    if not isinstance(command, click.Command):
        raise ConfigurationError(f"the command {name} is neither a click command nor a callable that returns one")
    return command


@click.group(
    cls=CommandTree,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog='Shell completion: eval "$(_WEBSDK_COMPLETE=bash_source websdk)" (or zsh_source, fish_source).',
)
@click.version_option(__version__, prog_name="websdk", message="%(prog)s %(version)s")
def websdk() -> None:
    """Search the web and read pages, honestly: every asked filter is applied, or named as not applied."""


def run(words: list[str]) -> int:
    """Run the command in *words* and return its exit code."""
    as_json = "--json" in words
    try:
        # Outside its standalone mode, click returns the code that a command exits with.
        code = websdk.main(args=words, prog_name="websdk", standalone_mode=False, color=_wants_color())
        sys.stdout.flush()
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        return _report_usage(error, as_json)
    except WebSdkError as error:
        return _report(error, as_json)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (_ReaderGone, BrokenPipeError):
        _write_to_nobody()
        return DONE
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        _write_to_nobody()
        click.echo(f"the output cannot be written: {error.strerror}", err=True)
        return FAILED
    return code if isinstance(code, int) else DONE


def _write_to_nobody() -> None:
    """Point stdout nowhere once it takes no more; Python would complain again while it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _wants_color() -> bool | None:
    """Return ``False`` where the environment wants none (no-color.org); ``None`` leaves it to the terminal."""
    return False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None


def _report_usage(error: click.ClickException, as_json: bool) -> int:
    if as_json:
        _print_failure(type(error).__name__, error.format_message(), sent=False, retryable=False)
    else:
        error.show()
    return USAGE


def _report(error: WebSdkError, as_json: bool) -> int:
    if as_json:
        _print_failure(type(error).__name__, str(error), sent=error.sent, retryable=error.retryable, more=_facts(error))
    else:
        click.echo(f"{click.style(type(error).__name__, fg='red')}: {error}", err=True, color=_wants_color())
        for line in _hints(error):
            click.echo(f"  {line}", err=True)
    if isinstance(error, ConfigurationError) or (isinstance(error, CredentialRejected) and not error.sent):
        return USAGE  # a key that is missing is to be configured; one that the vendor refused is a failure
    return REFUSED if isinstance(error, Refused) else FAILED


def _print_failure(kind: str, message: str, *, sent: bool, retryable: bool, more: dict[str, Any] | None = None) -> None:
    failure = {"type": kind, "message": message, "sent": sent, "retryable": retryable, **(more or {})}
    try:
        click.echo(json.dumps({"error": failure}, ensure_ascii=False))
    except BrokenPipeError:
        _write_to_nobody()  # the code still tells that it failed


# Fields that a caller can act on, in the failure's object and under its line.
_FACTS = ("provider", "status", "wait_s", "destination", "reason", "seen", "limit_bytes", "problems")


def _facts(error: WebSdkError) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name in (*_FACTS, "keys", "call_id", "hidden_content_detected"):
        value = getattr(error, name, None)
        if value not in (None, (), ""):
            facts[name] = [str(item) for item in value] if isinstance(value, tuple) else value
    if isinstance(error, Unreadable):  # that no other rung is left is an answer too
        facts |= {"rung": error.rung, "remaining_rungs": [str(rung) for rung in error.remaining_rungs]}
    return facts


def _hints(error: WebSdkError) -> list[str]:
    hints = []
    if isinstance(error, EgressRefused):
        hints.append("an address of your own network: --allow ORIGIN (scheme://host:port), or egress.allow in settings")
    if isinstance(error, Unreadable) and error.seen.endswith(":application/pdf"):  # with the extra it is never said
        hints.append("PDF files need the extra pdf: pip install 'websdk-core[pdf]'")
    for name in ("destination", "wait_s"):
        value = getattr(error, name, None)
        if value is not None:
            hints.append(f"{name.replace('_', ' ')}: {value}")
    if isinstance(error, Unreadable) and error.rung is not None:
        left = ", ".join(f"--via {rung}" for rung in error.remaining_rungs)
        hints += [f"rung: {error.rung}", f"remaining rungs: {left or 'none'}"]
    return hints


Callback = Callable[..., Any]


def json_option(function: Callback) -> Callback:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout; logs go to stderr.")(
        function
    )


def config_option(function: Callback) -> Callback:
    """Add ``--config``."""
    return click.option(
        "--config",
        type=click.Path(dir_okay=False),
        help="Settings file (TOML). Default: WEBSDK_CONFIG, else the user's.",
    )(function)


def print_json(value: Any) -> None:
    """Print *value* as the one object of a command."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))


def on_terminal() -> bool:
    """Tell whether a person reads stdout."""
    return sys.stdout.isatty()
