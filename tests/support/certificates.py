"""A temporary certificate authority with certificates for the loopback.

A program trusts it whose environment has its `authority` as SSL_CERT_FILE.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

SIGNS_CERTIFICATES = x509.KeyUsage(
    key_cert_sign=True,
    crl_sign=False,
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    encipher_only=False,
    decipher_only=False,
)


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files in PEM: who vouches, and what a server shows and keeps."""

    authority: Path
    certificate: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        """Return what a server in this process needs."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate, self.key)
        return context


def certificates(folder: Path) -> Certificates:
    """Make an authority, and a certificate for 127.0.0.1."""
    root, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    ours, theirs = _name("an authority of tests"), _name("a server of tests")
    can_sign = x509.BasicConstraints(ca=True, path_length=0)
    identifier = x509.SubjectKeyIdentifier.from_public_key(root.public_key())
    signs = (  # with all that Python 3.13 asks for, by VERIFY_X509_STRICT
        _draft(ours, ours, root.public_key())
        .add_extension(can_sign, critical=True)
        .add_extension(SIGNS_CERTIFICATES, critical=True)
        .add_extension(identifier, critical=False)
    )
    whom = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    by = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
    shown = (
        _draft(theirs, ours, key.public_key())
        .add_extension(whom, critical=False)
        .add_extension(by, critical=False)
    )
    made = Certificates(*(folder / name for name in ("ca.pem", "server.pem", "server.key")))
    for file, draft in ((made.authority, signs), (made.certificate, shown)):
        signed = draft.sign(root, hashes.SHA256())
        file.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    made.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return made


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _draft(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )
