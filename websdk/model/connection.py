"""Network identity: where a vendor is and how to talk to it."""

from __future__ import annotations

from pathlib import Path

import attrs


def _path(value: str | Path | None) -> Path | None:
    return None if value is None else Path(value)


@attrs.frozen(kw_only=True)
class Connection:
    """One network identity, used alike by a vendor's search, reader and probe.

    Page reads use the connection named ``pages``.

    Attributes:
        name: Name in settings and receipts; a vendor's id unless an operator names another.
        vendor: Id of the vendor; empty for page reads.
        base_url: Base address in place of the preset's own; the preset's credential never goes there.
        credential: Name of the credential to use; ``None`` means the vendor's own.
        ca_file: Bundle of authorities to trust in place of the system store (PEM).
        client_cert: Client certificate with its key (PEM).
        proxy: Proxy for these calls, ``http://host:port``; it resolves names itself.
        settings: What the vendor's preset needs from the operator, such as an engine or index name.
    """

    name: str
    vendor: str = ""
    base_url: str | None = None
    credential: str | None = None
    ca_file: Path | None = attrs.field(default=None, converter=_path)
    client_cert: Path | None = attrs.field(default=None, converter=_path, repr=False)
    proxy: str | None = attrs.field(default=None, repr=False)
    settings: dict[str, str] = attrs.field(factory=dict)
