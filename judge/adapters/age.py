"""Encrypt and decrypt files in the age v1 format (age-encryption.org/v1), as a stream.

The file key is wrapped for X25519 keys or by a passphrase (scrypt). The content is encrypted in
chunks, the last of which is marked, so a file that was cut short is noticed.
"""

from __future__ import annotations

import hmac
import io
import os
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO, TypeAlias, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from judge.errors import JudgeError

MAGIC = b"age-encryption.org/v1"
RECIPIENT, IDENTITY = "age", "age-secret-key-"
KEY_BYTES, FILE_KEY_BYTES, TAG_BYTES = 32, 16, 16
CHUNK_BYTES = 64 * 1024
HEADER_BYTES_MAX = 64 * 1024
SCRYPT_LOG_N = 18  # as age: 256 MiB and about a second
SCRYPT_LOG_N_MAX = 22  # of files that we read
NO_NONCE = bytes(12)  # each wrapping key is used once
KEY_LINE = re.compile(rf"{RECIPIENT}1|{IDENTITY}1", re.IGNORECASE)
ARMOR = b"-----BEGIN AGE"


class NotDecryptedError(JudgeError):
    """The file cannot be decrypted: another key or passphrase, or damage."""


@dataclass(frozen=True, slots=True)
class Passphrase:
    """A passphrase, which encrypts and decrypts."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Keys:
    """X25519 keys: *public* ones encrypt, *secret* ones decrypt."""

    public: tuple[bytes, ...]
    secret: tuple[bytes, ...] = field(repr=False)


Lock: TypeAlias = Passphrase | Keys


def read_lock(text: str) -> Lock:
    """Read a key file, as age-keygen writes it or with public keys, or else a passphrase.

    Raises `ValueError` if it is empty, or has a key with a mistake.
    """
    lines = [line.strip() for line in text.splitlines()]
    if not any(KEY_LINE.match(line) for line in lines):
        passphrase = text.removesuffix("\n").removesuffix("\r")
        if not passphrase.strip() or "\n" in passphrase:
            raise ValueError("it has neither an age key nor one line with a passphrase")
        return Passphrase(passphrase)
    public, secret = [], []
    for each in lines:
        if not each or each.startswith("#"):
            continue
        prefix, key = from_bech32(each)
        if prefix == IDENTITY:
            secret.append(key)
            public.append(X25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw())
        elif prefix == RECIPIENT:
            public.append(key)
        else:
            raise ValueError("it has a line that is not an age key")
    return Keys(tuple(dict.fromkeys(public)), tuple(secret))


def new_key() -> tuple[str, str]:
    """Return a new secret key and its public key, as age-keygen writes them."""
    key = X25519PrivateKey.generate()
    public = to_bech32(RECIPIENT, key.public_key().public_bytes_raw())
    return to_bech32(IDENTITY, key.private_bytes_raw()).upper(), public


@dataclass(frozen=True, slots=True)
class _Stanza:
    """A wrapped file key: *words* name how, *body* is the wrapped key."""

    words: tuple[str, ...]
    body: bytes

    def lines(self) -> Iterator[str]:
        yield f"-> {' '.join(self.words)}"
        text = _base64(self.body)
        yield from (text[at : at + 64] for at in range(0, len(text) + 1, 64))


@contextmanager
def encrypting(raw: BinaryIO, lock: Lock) -> Iterator[BinaryIO]:
    """Yield a file whose content is written to *raw*, encrypted; the block's end completes it."""
    file_key, nonce = os.urandom(FILE_KEY_BYTES), os.urandom(16)
    header = "\n".join((MAGIC.decode(), *_wrapped(file_key, lock), "---")).encode()
    raw.write(header + f" {_base64(_mac(file_key, header))}\n".encode() + nonce)
    chunks = _Writer(raw, _derived(file_key, nonce, b"payload"))
    yield cast("BinaryIO", chunks)
    chunks.finish()  # not if the block failed: what was written is then incomplete


@contextmanager
def decrypting(raw: BinaryIO, lock: Lock) -> Iterator[io.BufferedReader]:
    """Yield the content of the encrypted *raw*.

    Raises `NotDecryptedError`, also while it is read.
    """
    stanzas, header, mac = _read_header(raw)
    file_key = _unwrapped(stanzas, lock)
    if not hmac.compare_digest(mac, _mac(file_key, header)):
        raise _damaged()
    nonce = raw.read(16)
    yield io.BufferedReader(_Reader(raw, _derived(file_key, nonce, b"payload")), CHUNK_BYTES)


def is_encrypted(beginning: bytes) -> bool:
    """Return whether a file that begins like this is in the age format.

    Raises `NotDecryptedError` for age's text form, which is not read.
    """
    if beginning.startswith(ARMOR):
        raise NotDecryptedError("it is in age's text form: decrypt it with age, or leave out -a")
    return beginning.startswith(MAGIC)


def _wrapped(file_key: bytes, lock: Lock) -> Iterator[str]:
    match lock:
        case Passphrase(text):
            salt = os.urandom(16)
            body = _sealed(_passphrase_key(text, salt, SCRYPT_LOG_N), file_key)
            yield from _Stanza(("scrypt", _base64(salt), str(SCRYPT_LOG_N)), body).lines()
        case Keys(public):
            for recipient in public:
                ephemeral = X25519PrivateKey.generate()
                share = ephemeral.public_key().public_bytes_raw()
                shared = ephemeral.exchange(X25519PublicKey.from_public_bytes(recipient))
                body = _sealed(_shared_key(shared, share, recipient), file_key)
                yield from _Stanza(("X25519", _base64(share)), body).lines()


def _unwrapped(stanzas: Sequence[_Stanza], lock: Lock) -> bytes:
    """Return the file key. Raises `NotDecryptedError`."""
    by_passphrase = any(each.words[0] == "scrypt" for each in stanzas)
    if by_passphrase and len(stanzas) > 1:
        raise _damaged()
    try:
        keys = [key for each in stanzas for key in _tried(each, lock)]
    except ValueError as error:
        raise _damaged() from error
    if keys:
        return keys[0]
    match lock:
        case Passphrase() if by_passphrase:
            raise NotDecryptedError("the passphrase is wrong, or its header is damaged")
        case _ if by_passphrase:
            raise NotDecryptedError("it is encrypted with a passphrase, not for a key")
        case Passphrase():
            raise NotDecryptedError("it is encrypted for a key, not with a passphrase")
        case Keys(secret=()):
            raise NotDecryptedError("the key file has public keys only: the secret one decrypts")
        case Keys():
            raise NotDecryptedError("it is encrypted for another key, or its header is damaged")


def _tried(stanza: _Stanza, lock: Lock) -> Iterator[bytes]:
    match stanza.words, lock:
        case ("scrypt", salt, factor), Passphrase(text):
            log_n = int(factor)
            if not 0 < log_n <= SCRYPT_LOG_N_MAX:
                raise NotDecryptedError(f"its passphrase would take too long (2^{log_n})")
            yield from _opened(_passphrase_key(text, _from_base64(salt), log_n), stanza.body)
        case ("X25519", share), Keys(secret=secret):
            sent = _from_base64(share)
            for each in secret:
                own = X25519PrivateKey.from_private_bytes(each)
                shared = own.exchange(X25519PublicKey.from_public_bytes(sent))
                public = own.public_key().public_bytes_raw()
                yield from _opened(_shared_key(shared, sent, public), stanza.body)
        case _:
            pass  # of another kind, or for other readers


def _passphrase_key(passphrase: str, salt: bytes, log_n: int) -> bytes:
    labelled = MAGIC + b"/scrypt" + salt
    derivation = Scrypt(salt=labelled, length=KEY_BYTES, n=1 << log_n, r=8, p=1)
    return derivation.derive(passphrase.encode())


def _shared_key(shared: bytes, share: bytes, recipient: bytes) -> bytes:
    return _derived(shared, share + recipient, MAGIC + b"/X25519")


def _derived(secret: bytes, salt: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=salt, info=info).derive(secret)


def _mac(file_key: bytes, header: bytes) -> bytes:
    return hmac.digest(_derived(file_key, b"", b"header"), header, "sha256")


def _sealed(key: bytes, file_key: bytes) -> bytes:
    return ChaCha20Poly1305(key).encrypt(NO_NONCE, file_key, None)


def _opened(key: bytes, body: bytes) -> Iterator[bytes]:
    if len(body) != FILE_KEY_BYTES + TAG_BYTES:
        return
    try:
        yield ChaCha20Poly1305(key).decrypt(NO_NONCE, body, None)
    except InvalidTag:
        return


def _read_header(raw: BinaryIO) -> tuple[Sequence[_Stanza], bytes, bytes]:
    """Return the stanzas, the bytes that the MAC covers, and the MAC."""
    lines: list[str] = []
    while not lines or not lines[-1].startswith("---"):
        line = raw.readline(HEADER_BYTES_MAX)
        if not line.endswith(b"\n") or sum(map(len, lines)) > HEADER_BYTES_MAX:
            raise _damaged()
        lines.append(line[:-1].decode("ascii", "replace"))
    covered = "\n".join((*lines[:-1], "---")).encode("ascii", "replace")
    try:
        return tuple(_stanzas(lines[1:-1])), covered, _from_base64(lines[-1].removeprefix("--- "))
    except ValueError as error:
        raise _damaged() from error


def _stanzas(lines: Sequence[str]) -> Iterator[_Stanza]:
    words: tuple[str, ...] = ()
    body = ""
    for line in (*lines, "->"):
        if not line.startswith("->"):
            body += line
            continue
        if words:
            yield _Stanza(words, _from_base64(body))
        elif body:
            raise ValueError(line)
        words, body = tuple(line.split()[1:]), ""


def _base64(raw: bytes) -> str:
    return b64encode(raw).decode("ascii").rstrip("=")


def _from_base64(text: str) -> bytes:
    """Return the bytes of *text*; raises `ValueError` unless it is their only form."""
    raw = b64decode(text + "=" * (-len(text) % 4), validate=True)
    if _base64(raw) != text:
        raise ValueError(text)
    return raw


class _Writer(io.BufferedIOBase):
    """Encrypts what is written, in whole chunks; one is kept back, as it may be the last."""

    def __init__(self, raw: BinaryIO, key: bytes) -> None:
        self._raw = raw
        self._cipher = ChaCha20Poly1305(key)
        self._kept = bytearray()
        self._count = 0

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]  # nothing but bytes is written
        self._kept += data
        while len(self._kept) > CHUNK_BYTES:
            self._put(bytes(self._kept[:CHUNK_BYTES]), is_last=False)
            del self._kept[:CHUNK_BYTES]
        return len(data)

    def finish(self) -> None:
        """Write the last chunk."""
        self._put(bytes(self._kept), is_last=True)

    def _put(self, chunk: bytes, *, is_last: bool) -> None:
        self._raw.write(self._cipher.encrypt(_chunk_nonce(self._count, is_last), chunk, None))
        self._count += 1


class _Reader(io.RawIOBase):
    """Decrypts one chunk after another."""

    def __init__(self, raw: BinaryIO, key: bytes) -> None:
        self._raw = raw
        self._cipher = ChaCha20Poly1305(key)
        self._count = 0
        self._next = self._read_chunk()
        if not self._next:
            raise _damaged()  # even empty content has a chunk
        self._plain = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # as BufferedReader
        if not self._plain and self._next:
            chunk, self._next = self._next, self._read_chunk()
            self._plain = memoryview(self._decrypted(chunk, is_last=not self._next))
        count = min(len(buffer), len(self._plain))
        buffer[:count] = self._plain[:count]
        self._plain = self._plain[count:]
        return count

    def _decrypted(self, chunk: bytes, *, is_last: bool) -> bytes:
        try:
            plain = self._cipher.decrypt(_chunk_nonce(self._count, is_last), chunk, None)
        except InvalidTag as error:
            raise _damaged() from error
        self._count += 1
        return plain

    def _read_chunk(self) -> bytes:
        return self._raw.read(CHUNK_BYTES + TAG_BYTES)


def _chunk_nonce(count: int, is_last: bool) -> bytes:  # noqa: FBT001 - a field of the nonce
    return count.to_bytes(11) + bytes([is_last])


def _damaged() -> NotDecryptedError:
    return NotDecryptedError("it is damaged, or its end is missing")


LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"  # of Bech32 (BIP 173)
GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
CHECKSUM_LETTERS = 6


def to_bech32(prefix: str, key: bytes) -> str:
    """Return *key* in Bech32, with *prefix*."""
    data = _regrouped(key, 8, 5)
    rest = _polymod([*_expanded(prefix), *data, *[0] * CHECKSUM_LETTERS]) ^ 1
    checksum = [rest >> 5 * (CHECKSUM_LETTERS - 1 - at) & 31 for at in range(CHECKSUM_LETTERS)]
    return f"{prefix}1{''.join(LETTERS[each] for each in (*data, *checksum))}"


def from_bech32(text: str) -> tuple[str, bytes]:
    """Return the prefix and the key in *text*; raises `ValueError` for a mistyped key."""
    prefix, _, letters = text.lower().rpartition("1")
    if text not in (text.lower(), text.upper()) or not set(letters) <= set(LETTERS):
        raise ValueError("it has a line that is not an age key")
    data = [LETTERS.index(each) for each in letters]
    if _polymod([*_expanded(prefix), *data]) != 1:
        raise ValueError("it has a key with a wrong letter")
    key = bytes(_regrouped(data[:-CHECKSUM_LETTERS], 5, 8)[:KEY_BYTES])
    if len(key) != KEY_BYTES:
        raise ValueError("it has a key of the wrong length")
    return prefix, key


def _expanded(prefix: str) -> list[int]:
    return [ord(each) >> 5 for each in prefix] + [0] + [ord(each) & 31 for each in prefix]


def _regrouped(values: Sequence[int], width: int, into: int) -> list[int]:
    """Return the bits of *values*, *width* bits each, as values of *into* bits; zeros fill up."""
    bits = "".join(f"{each:0{width}b}" for each in values)
    bits += "0" * (-len(bits) % into)
    return [int(bits[at : at + into], 2) for at in range(0, len(bits), into)]


def _polymod(values: Sequence[int]) -> int:
    checksum = 1
    for each in values:
        top = checksum >> 25
        checksum = (checksum & 0x1FFFFFF) << 5 ^ each
        for at, power in enumerate(GENERATOR):
            checksum ^= power if top >> at & 1 else 0
    return checksum
