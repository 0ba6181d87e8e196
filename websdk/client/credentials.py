"""Where a vendor's credential comes from, and for how long it is kept."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from websdk.credentials import Secret
from websdk.errors import ConfigurationError, CredentialRejected
from websdk.protocols.call import Call
from websdk.protocols.given import require_kind
from websdk.protocols.permission import invoke
from websdk.protocols.search import CredentialSource

MAX_CREDENTIAL_BYTES = 64 * 1024  # a long-lived token with its certificates fits; anything larger is the wrong file

Credential = str | Secret | CredentialSource | Callable[[], Any]
"""What an embedder may give: a text, a secret, a source, or a plain or async callable that returns one of these."""


def _in_environment(name: str) -> str:
    """Return what the variables of *name* hold, joined by colons; empty unless each holds something."""
    values = [os.environ.get(part, "").strip() for part in name.split(":")]
    return ":".join(values) if all(values) else ""


def _secret(value: object) -> Secret:
    """Return a text without outer blanks, which no request can carry, as a secret; a secret as it is.

    Raises:
        ConfigurationError: *value* is neither, or is empty.
    """
    if isinstance(value, Secret):
        return value
    if not isinstance(value, str):
        raise ConfigurationError(f"a credential is a text or a Secret, not {type(value).__name__}")
    if not value.strip():
        raise ConfigurationError("a credential is empty; give none where there is none")
    return Secret(value.strip())


class EnvironmentCredential:
    """A credential in an environment variable, read on each call; ``A:B`` joins two, such as user and password."""

    def __init__(self, names: tuple[str, ...], owner: str) -> None:
        self.names = names
        self.owner = owner

    def is_set(self) -> bool:
        """Tell whether one of the variables holds something."""
        return any(_in_environment(name) for name in self.names)

    async def get(self, call: Call) -> Secret:
        """Return the first variable that is set.

        Raises:
            CredentialRejected: None of them is.
        """
        for name in self.names:
            value = _in_environment(name)
            if value:
                return Secret(value)
        raise CredentialRejected(
            f"{self.owner} needs a credential: set {' or '.join(self.names)}",
            provider=self.owner,
            sent=False,
            call_id=call.id,
        )


class FileCredential:
    """A credential that is the content of a file, read on each call so that a rotation is seen."""

    def __init__(self, path: Path, owner: str) -> None:
        self.path = path
        self.owner = owner

    async def get(self, call: Call) -> Secret:
        """Return the file's text without outer blanks.

        Raises:
            CredentialRejected: The file cannot be read or is empty.
        """
        try:
            text = await asyncio.to_thread(self._read)
        except (OSError, UnicodeDecodeError):
            text = ""
        if not text:
            raise CredentialRejected(
                f"{self.owner}: the credential file {self.path.name} cannot be read or is empty",
                provider=self.owner,
                sent=False,
                call_id=call.id,
            )
        return Secret(text)

    def _read(self) -> str:
        with self.path.open("rb") as stream:
            return stream.read(MAX_CREDENTIAL_BYTES).decode("utf-8").strip()


class GivenCredential:
    """A credential that the embedder passed in: a value, or a callable that makes one."""

    def __init__(self, given: str | Secret | Callable[[], Any]) -> None:
        self._given = _secret(given) if isinstance(given, str) else given

    async def get(self, call: Call) -> Secret:
        """Return the value, or what the callable returns.

        Raises:
            ConfigurationError: The callable returns neither a text nor a secret, or an empty text.
        """
        return _secret(self._given if isinstance(self._given, Secret) else await invoke(self._given))


class KeptCredential:
    """A source whose answer is kept until it expires, and asked for once by any number of concurrent calls."""

    def __init__(self, source: CredentialSource) -> None:
        self._source = source
        self._kept: Secret | None = None
        self._turn: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None

    async def get(self, call: Call) -> Secret:
        """Return the kept credential, or a fresh one where it expired.

        Raises:
            CredentialRejected: The source has none.
            ConfigurationError: The source returns neither a text nor a secret.
        """
        kept = self._kept
        if kept is not None and not kept.is_expired(call.clock.now()):
            return kept
        async with self._lock():
            kept = self._kept
            if kept is None or kept.is_expired(call.clock.now()):
                kept = _secret(await self._source.get(call))
                # One without an end is asked for again on each call: only its source knows of a rotation.
                self._kept = kept if kept.expires_at is not None else None
            return kept

    def forget(self) -> bool:
        """Drop what is kept; tell whether there was anything, so that another try may do better."""
        had = self._kept is not None
        self._kept = None
        return had

    def _lock(self) -> asyncio.Lock:
        loop = asyncio.get_running_loop()
        if self._turn is None or self._turn[0] is not loop:
            self._turn = (loop, asyncio.Lock())
        return self._turn[1]


def as_source(given: Credential) -> CredentialSource:
    """Return what an embedder gave as a source."""
    if isinstance(given, (str, Secret)):
        return GivenCredential(given)
    if hasattr(given, "get"):
        return KeptCredential(given)
    if callable(given):
        return KeptCredential(GivenCredential(given))
    raise ConfigurationError("a credential is a text, a Secret, a source with get(call), or a callable")


def sources_of(given: Mapping[str, Credential] | None) -> dict[str, CredentialSource]:
    """Return each given credential as a source, by name.

    Raises:
        ConfigurationError: One of them cannot be used.
    """
    require_kind("credentials", given, Mapping, "a table of credentials by name")
    sources = {}
    for name, item in (given or {}).items():
        try:
            sources[name] = as_source(item)
        except ConfigurationError as error:
            raise ConfigurationError(f"credentials: {name}: {error}") from None
    return sources
