"""An authority made for one run, and one certificate of it for every name of the world."""

import ssl
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

_LIFE = timedelta(days=2)


@dataclass(frozen=True)
class Authority:
    """`file` is its certificate, `encoded` the same in base64, `context` serves TLS for
    all names."""

    file: Path
    encoded: str
    context: ssl.SSLContext

    @classmethod
    def make(cls, folder: Path, names: Sequence[str]) -> "Authority":
        """A new one, and a certificate for these names (`*.evil.example` stands for all
        below one)."""
        key, own = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        root = _signed("adversary root", key, "adversary root", key, ())
        leaf = _signed(names[0], own, "adversary root", key, names)
        file, chain = folder / "authority.pem", folder / "site.pem"
        file.write_bytes(root.public_bytes(Encoding.PEM))
        chain.write_bytes(
            own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            + leaf.public_bytes(Encoding.PEM)
        )
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(chain)
        der = root.public_bytes(Encoding.DER)
        return cls(file, b64encode(der).decode(), context)


def _signed(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: str,
    signer: ec.EllipticCurvePrivateKey,
    names: Sequence[str],
) -> x509.Certificate:
    """A certificate of a key: one of an authority if it is for no names."""
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(
        _name(issuer),
        _name(name),
        key.public_key(),
        x509.random_serial_number(),
        now - _LIFE,
        now + _LIFE,
    ).add_extension(
        x509.BasicConstraints(ca=not names, path_length=None), critical=True
    )
    if names:
        others = x509.SubjectAlternativeName(list(map(x509.DNSName, names)))
        made = made.add_extension(others, critical=False)
    return made.sign(signer, hashes.SHA256())


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])
