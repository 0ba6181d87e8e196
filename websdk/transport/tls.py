"""TLS contexts: one for each pair of authority bundle and client certificate. Checking is never turned off."""

from __future__ import annotations

import os
import ssl
from functools import lru_cache
from pathlib import Path
from typing import NoReturn

from websdk.errors import ConfigurationError

# One pair for each connection that names its own; a context holds about 1 MB of certificates.
MAX_CONTEXTS = 32


def tls_context(ca_file: Path | None = None, client_cert: Path | None = None) -> ssl.SSLContext:
    """Return the context for these files; made once for each content of them. Takes some 20 ms the first time.

    Args:
        ca_file: Authorities in place of the system store (PEM).
        client_cert: Certificate and unencrypted key of this client (PEM).

    Raises:
        ConfigurationError: A file is missing or is not what it should be.
    """
    return _context(_identity(ca_file, "ca_file"), _identity(client_cert, "client_cert"))


def _identity(path: Path | None, name: str) -> tuple[str, int, str] | None:
    if path is None:
        return None
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        raise ConfigurationError(f"{name}: the file cannot be read") from None
    return str(path), changed, name


@lru_cache(maxsize=MAX_CONTEXTS)
def _context(ca: tuple[str, int, str] | None, cert: tuple[str, int, str] | None) -> ssl.SSLContext:
    try:
        cafile, capath = system_store() if ca is None else (ca[0], None)
        context = ssl.create_default_context(cafile=cafile, capath=capath)
    except (OSError, ssl.SSLError):
        raise ConfigurationError("ca_file: not a PEM bundle of certificate authorities") from None
    context.set_alpn_protocols(["http/1.1"])
    # The interpreter takes the file from the environment; nothing here is changed by what no one configured.
    context.keylog_filename = None  # type: ignore[assignment]
    if cert is not None:
        try:
            context.load_cert_chain(cert[0], password=_refuse_password)
        except (OSError, ssl.SSLError):
            raise ConfigurationError("client_cert: not a PEM certificate with its key") from None
    return context


def _refuse_password() -> NoReturn:
    """Stand in for the prompt on the terminal that an encrypted key would bring up."""
    raise ConfigurationError("client_cert: the key is encrypted; give one that is not")


def system_store() -> tuple[str | None, str | None]:
    """Return file and folder of this system's authorities; the bundle of ``certifi`` only where it keeps none.

    The compiled-in places are used and not the variables ``SSL_CERT_FILE`` and ``SSL_CERT_DIR``: whom to trust comes
    from the configuration alone. Neither is named on Windows, where the store is no file and OpenSSL loads it itself.
    """
    paths = ssl.get_default_verify_paths()
    if os.name == "nt":  # pragma: no cover
        return None, None
    if os.path.isfile(paths.openssl_cafile):
        return paths.openssl_cafile, None
    if os.path.isdir(paths.openssl_capath) and os.listdir(paths.openssl_capath):
        return None, paths.openssl_capath
    import certifi

    return certifi.where(), None


def is_of_tls(exc: BaseException) -> bool:
    """Tell whether *exc* comes of a handshake that failed."""
    cause: BaseException | None = exc
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    return cause is not None
