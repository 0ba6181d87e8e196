"""``--record DIR`` of ``websdk search`` and ``websdk fetch``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from websdk.errors import ConfigurationError

if TYPE_CHECKING:
    from websdk.credentials import Secret
    from websdk.protocols.call import Call
    from websdk.protocols.search import CredentialSource
    from websdk.sync import Client

record_option = click.option(
    "--record",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the vendor's answer there as an example, secrets and ids removed.",
)


class _Seen:
    """A credential source that remembers what it gave, so that it can be taken out of what comes back."""

    def __init__(self, source: CredentialSource, secrets: list[Secret]) -> None:
        self._source = source
        self._secrets = secrets

    async def get(self, call: Call) -> Secret:
        secret = await self._source.get(call)
        self._secrets.append(secret)
        return secret


@contextmanager
def recorded(
    client: Client, folder: Path | None, *, half: str, name: str, request: Mapping[str, Any]
) -> Iterator[None]:
    """Write what the vendor *name* answers in the block to *folder*, also where the answer is a failure.

    Raises:
        ConfigurationError: The provider is not made of a preset, so that there is no format for its answers.
    """
    if folder is None:
        yield
        return
    from websdk.fetch.proxy import HttpReader
    from websdk.search.http_provider import HttpSearchProvider
    from websdk.testing.record import Tape, recorded_example, write_example

    preset = client.parts.known_preset(name)
    part = None
    if preset is not None:
        part = client.parts.provider(name) if half == "search" else client.parts.reader(name)
    if preset is None or not isinstance(part, (HttpSearchProvider, HttpReader)):
        raise ConfigurationError("--record needs a provider that is a preset")
    secrets: list[Secret] = []
    tape = part.caller.transport = Tape(part.caller.transport)
    if part.caller.credential is not None:
        part.caller.credential = _Seen(part.caller.credential, secrets)
    try:
        yield
    finally:
        if tape.replies:
            example = recorded_example(preset, half, request, tape.replies[-1], secrets=secrets)
            file = write_example(folder, half, example)
            click.echo(f"recorded {file}", err=True)
