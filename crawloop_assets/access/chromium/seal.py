"""A certificate of our own for the connections of our own browser, made for one run and
kept by nobody."""

import ssl
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

_NAME = "crawloop"
_LIFE = timedelta(days=30)


@dataclass(frozen=True)
class Seal:
    """`context` speaks TLS as a server.

    `pin` is how the browser is told to take it, and nothing else that it would not take
    anyway: the hash of the public key. The browser compares nothing but the key, so one
    certificate does for all hosts.
    """

    context: ssl.SSLContext
    pin: str

    @classmethod
    def make(cls) -> "Seal":
        """A new key and its certificate."""
        # Only a run with a browser needs it.
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import (
            Encoding,
            NoEncryption,
            PrivateFormat,
            PublicFormat,
        )

        key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, _NAME)])
        made = x509.CertificateBuilder(
            name, name, key.public_key(), x509.random_serial_number(), now, now + _LIFE
        )
        sealed = made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.set_alpn_protocols(["http/1.1"])
        with (
            TemporaryDirectory() as folder
        ):  # which nobody else may read; OpenSSL wants a file
            file = Path(folder, "seal.pem")
            file.write_bytes(
                key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
                + sealed
            )
            context.load_cert_chain(file)
        public = key.public_key().public_bytes(
            Encoding.DER, PublicFormat.SubjectPublicKeyInfo
        )
        return cls(context, b64encode(sha256(public).digest()).decode())
