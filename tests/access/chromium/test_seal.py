"""A certificate of our own, known to the browser by its key."""

import base64
import hashlib
import ssl
from collections.abc import Iterator

import pytest

from crawloop_assets.access.chromium.seal import Seal


def handshake(seal: Seal) -> Iterator[ssl.SSLObject]:
    """The client's side of a connection, in memory, after its handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(to_client, to_server)
    server = seal.context.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(3):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    yield client


def test_it_speaks_tls_with_the_key_that_the_pin_names() -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    seal = Seal.make()
    (client,) = handshake(seal)
    shown = client.getpeercert(binary_form=True)
    assert shown is not None
    certificate = x509.load_der_x509_certificate(shown)
    key = certificate.public_key().public_bytes(
        Encoding.DER, PublicFormat.SubjectPublicKeyInfo
    )
    assert seal.pin == base64.b64encode(hashlib.sha256(key).digest()).decode()
    life = certificate.not_valid_after_utc - certificate.not_valid_before_utc
    assert life.days == 30


def test_only_plain_http_is_agreed_on() -> None:
    (client,) = handshake(Seal.make())
    assert client.selected_alpn_protocol() == "http/1.1"


def test_every_run_has_a_key_of_its_own() -> None:
    assert Seal.make().pin != Seal.make().pin


@pytest.mark.parametrize("length", [44])
def test_a_pin_is_a_hash_as_chromium_reads_it(length: int) -> None:
    assert len(Seal.make().pin) == length
