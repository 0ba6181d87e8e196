from __future__ import annotations

import ssl
import subprocess
import sys

import certifi
import pytest
import trustme

from websdk.errors import ConfigurationError
from websdk.transport import HttpTransport, tls
from websdk.transport.tls import system_store, tls_context


@pytest.fixture(autouse=True)
def no_contexts_left():
    tls._context.cache_clear()


def test_checking_is_on_and_http_1_is_all_that_is_offered():
    context = tls_context()

    assert (ssl.CERT_REQUIRED, True) == (context.verify_mode, context.check_hostname)
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2


def test_one_context_serves_each_pair_of_files(authority):
    assert tls_context() is tls_context()
    assert tls_context(authority.file) is tls_context(authority.file)
    assert tls_context() is not tls_context(authority.file)


def test_a_bundle_of_ones_own_replaces_the_system_store(authority):
    assert 1 == tls_context(authority.file).cert_store_stats()["x509_ca"]


def test_a_renewed_file_is_read_again(tmp_path):
    file = tmp_path / "ca.pem"
    trustme.CA().cert_pem.write_to_path(str(file))
    first = tls_context(file)
    trustme.CA().cert_pem.write_to_path(str(file))

    assert first is not tls_context(file)


def test_a_client_certificate_is_loaded(authority, tmp_path):
    file = tmp_path / "me.pem"
    authority.issue_cert("me@a.example").private_key_and_cert_chain_pem.write_to_path(str(file))

    assert tls_context(None, file) is not tls_context()


@pytest.mark.parametrize("field", ["ca_file", "client_cert"])
@pytest.mark.parametrize("content", [None, "", "no certificate"])
def test_a_file_that_cannot_be_used_shows_when_the_transport_is_made(net, tmp_path, field, content):
    import attrs

    file = tmp_path / "secret-name.pem"
    if content is not None:
        file.write_text(content)
    with pytest.raises(ConfigurationError) as caught:
        HttpTransport(attrs.evolve(net.plain, **{field: file}))

    assert field in str(caught.value)
    assert "secret-name" not in str(caught.value)


def test_an_encrypted_key_is_refused_and_asks_nobody(authority, tmp_path):
    from cryptography.hazmat.primitives import serialization

    issued = authority.issue_cert("me@a.example")
    key = serialization.load_pem_private_key(issued.private_key_pem.bytes(), None)
    locked = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"pw")
    )
    file = tmp_path / "me.pem"
    file.write_bytes(locked + b"".join(pem.bytes() for pem in issued.cert_chain_pems))

    with pytest.raises(ConfigurationError, match="encrypted"):
        tls_context(None, file)


def test_the_environment_names_no_authorities_and_no_key_log(authority, tmp_path, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "keys"))
    context = tls_context()

    assert str(authority.file) not in system_store()
    assert context.keylog_filename is None


class Paths:
    def __init__(self, cafile, capath):
        self.openssl_cafile, self.openssl_capath = str(cafile), str(capath)


def test_certifi_serves_only_where_the_system_keeps_nothing(authority, tmp_path, monkeypatch):
    empty, full = tmp_path / "empty", tmp_path / "full"
    empty.mkdir()
    full.mkdir()
    (full / "a.0").write_text("x")

    for paths, expected in (
        (Paths(authority.file, full), (str(authority.file), None)),
        (Paths(tmp_path / "missing", full), (None, str(full))),
        (Paths(tmp_path / "missing", empty), (certifi.where(), None)),
        (Paths(tmp_path / "missing", tmp_path / "missing"), (certifi.where(), None)),
    ):
        monkeypatch.setattr(ssl, "get_default_verify_paths", lambda paths=paths: paths)

        assert expected == system_store()


def test_judging_and_the_door_load_no_http_library():
    code = "import sys, websdk.egress, websdk.transport; print(*{'httpx', 'httpcore', 'anyio'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "" == loaded.stdout.strip()
