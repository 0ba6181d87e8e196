"""What an embedder hands over is looked at at once: a wrong thing found by a later call tells nobody whose it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from websdk.errors import ConfigurationError


def require_kind(name: str, given: object, kind: Any, words: str) -> None:
    """Refuse an argument of another kind; ``None`` is none given.

    Args:
        name: The argument.
        given: Its value.
        kind: A class, or a protocol that can be asked for.
        words: What the argument is, for the message.

    Raises:
        ConfigurationError: *given* is of another kind.
    """
    if given is not None and not isinstance(given, kind):
        raise ConfigurationError(f"{name} is {words}, not {type(given).__name__}")


def require_callable(name: str, given: Callable[..., Any] | None) -> None:
    """Refuse an argument that cannot be called; ``None`` is none given.

    Raises:
        ConfigurationError: *given* is no function.
    """
    if given is not None and not callable(given):
        raise ConfigurationError(f"{name} is a function, plain or async, not {type(given).__name__}")
