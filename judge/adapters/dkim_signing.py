"""Sign outgoing emails with DKIM (RFC 6376), by keys in a folder.

The folder has a private key `SELECTOR.pem` for each selector, and a file `selector` that names the
one in use. An email is signed when it is delivered, so a retry after a rotation uses the new key.
"""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import ascii_lowercase
from textwrap import wrap

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from judge.adapters.dkim_verifying import (
    BARE_LINE_END,
    choose_fields,
    relaxed_body,
    relaxed_field,
    split_email,
)
from judge.adapters.whole_files import creating_file, make_folder, replacing_file
from judge.app.outbound.delivery import Carrier, Delivery, Unreachable
from judge.app.ports.judge import Clock
from judge.app.ports.outbox import OutgoingMail
from judge.errors import ConfigurationError
from judge.mail.sender_evidence import SIGNED

KEY_BITS = 2048  # RFC 8301 3.2; a longer key does not fit the DNS answers of some receivers
FOLDER_MODE = 0o700
IN_USE, PRIVATE_KEY = "selector", ".pem"
COLUMNS = 72
SELECTOR = re.compile(r"judge[0-9]{8}[a-z]?")
NAME = re.compile(r"[A-Za-z0-9._-]+")  # of a key that was made elsewhere
# Signed once more than they occur, so nobody can add another that a mail program would show.
OVERSIGNED = frozenset((*SIGNED, "cc", "reply-to", "in-reply-to", "references"))
SIGNED_IF_PRESENT = re.compile(r"content-.*|list-.*|auto-submitted")


@contextmanager
def _naming_the_setting() -> Iterator[None]:
    """Raise `ConfigurationError` for what is wrong with a file of the folder."""
    try:
        yield
    except OSError as error:
        raise ConfigurationError(f"dkim_keys: {error.filename}: {error.strerror}") from error


class DkimKeys:
    """The keys in *folder*, which need not exist yet.

    Raises `ConfigurationError` if the folder or a file in it cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.load = cache(self._load)  # which takes 36 ms: the numbers are checked

    def selectors(self) -> Sequence[str]:
        """Return all selectors, the oldest first."""
        found = (file.stem for file in self.folder.glob(f"*{PRIVATE_KEY}"))
        return sorted(name for name in found if SELECTOR.fullmatch(name))

    def selector_in_use(self) -> str | None:
        """Return the selector that signs, None if there is none yet."""
        file = self.folder / IN_USE
        with _naming_the_setting(), suppress(FileNotFoundError):
            selector = file.read_bytes().strip().decode("ascii", "replace")
            if not NAME.fullmatch(selector):
                raise ConfigurationError(
                    f"dkim_keys: {file}: it must hold the selector that signs"
                )
            return selector
        return None

    def last_rotation(self) -> datetime | None:
        """Return the local time at which the selector in use was chosen."""
        with suppress(FileNotFoundError):
            return datetime.fromtimestamp((self.folder / IN_USE).stat().st_mtime).astimezone()
        return None

    def create(self, today: date) -> str:
        """Create a key and return its selector; the first key is used from now on."""
        with _naming_the_setting():
            make_folder(self.folder, FOLDER_MODE)
        selector = self._free_selector(today)
        key = rsa.generate_private_key(public_exponent=65_537, key_size=KEY_BITS)
        with _naming_the_setting(), creating_file(self._file(selector)) as file:
            file.write(
                key.private_bytes(
                    serialization.Encoding.PEM,
                    serialization.PrivateFormat.PKCS8,
                    serialization.NoEncryption(),
                )
            )
        if self.selector_in_use() is None:
            self.use(selector)
        return selector

    def begin(self, today: date) -> None:
        """Use the newest key unless one is in use; create one if there is none."""
        made = self.selectors()
        if not made:
            self.create(today)
        elif self.selector_in_use() is None:
            self.use(made[-1])  # A loss of power may have left the key alone.

    def use(self, selector: str) -> None:
        """Sign with this key from now on."""
        with _naming_the_setting(), replacing_file(self.folder / IN_USE) as file:
            file.write(f"{selector}\n".encode())

    def _load(self, selector: str) -> rsa.RSAPrivateKey:
        file = self._file(selector)
        with _naming_the_setting():
            content = file.read_bytes()
        try:
            key = serialization.load_pem_private_key(content, None)
        except TypeError as error:
            raise ConfigurationError(
                f"dkim_keys: {file}: it has a passphrase: remove it"
            ) from error
        except (ValueError, UnsupportedAlgorithm) as error:
            raise ConfigurationError(f"dkim_keys: {file}: it is not a private key") from error
        if not isinstance(key, rsa.RSAPrivateKey):
            raise ConfigurationError(f"dkim_keys: {file}: it is not an RSA key")
        return key

    def record(self, selector: str) -> str:
        """Return the text of the DNS record for this key."""
        public = self.load(selector).public_key()
        spki = public.public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return f"v=DKIM1; k=rsa; p={b64encode(spki).decode()}"

    def _free_selector(self, today: date) -> str:
        for letter in ("", *ascii_lowercase[1:]):
            selector = f"judge{today:%Y%m%d}{letter}"
            if not self._file(selector).exists():
                return selector
        raise ConfigurationError(
            f"{self.folder} has too many keys made today: delete some of them"
        )

    def _file(self, selector: str) -> Path:
        return self.folder / f"{selector}{PRIVATE_KEY}"


class DkimSigner:
    """Signs emails for *domain* with the key in use at the moment.

    Raises `ConfigurationError` if there is no usable key.
    """

    def __init__(self, folder: Path, domain: str, clock: Clock) -> None:
        self._keys, self._domain, self._clock = DkimKeys(folder), domain, clock
        self._key_in_use()

    def signed(self, raw: bytes) -> bytes:
        """Return *raw* below its signature, otherwise unchanged."""
        selector, key = self._key_in_use()
        return _signature_field(raw, selector, self._domain, key, self._clock.now()) + raw

    def _key_in_use(self) -> tuple[str, rsa.RSAPrivateKey]:
        selector = self._keys.selector_in_use()
        if selector is None:
            folder = self._keys.folder.absolute()
            raise ConfigurationError(f"dkim_keys: no key in {folder}: run `judge dkim new`")
        return selector, self._keys.load(selector)


def _signature_field(
    raw: bytes, selector: str, domain: str, key: rsa.RSAPrivateKey, now: datetime
) -> bytes:
    """Return the DKIM-Signature of *raw*, in the form relaxed/relaxed."""
    found, body = split_email(BARE_LINE_END.sub(b"\r\n", raw))
    fields = [relaxed_field(*each) for each in found]
    names = _names_to_sign([name.decode("ascii") for name, _ in fields])
    body_hash = b64encode(sha256(relaxed_body(body)).digest())
    value = (
        f" v=1; a=rsa-sha256; c=relaxed/relaxed; d={domain}; s={selector}; "
        f"t={int(now.timestamp())}; h={' : '.join(names)}; bh={body_hash.decode()}; b="
    ).encode()
    _, own = relaxed_field(b"DKIM-Signature", value)
    chosen = choose_fields(fields, [name.encode() for name in names])
    signed = b"".join(chosen) + own.removesuffix(b"\r\n")
    made = b64encode(key.sign(signed, padding.PKCS1v15(), hashes.SHA256()))
    lines = wrap(
        f"DKIM-Signature:{value.decode()}", COLUMNS, break_long_words=False, break_on_hyphens=False
    )
    folded = [made[at : at + COLUMNS] for at in range(0, len(made), COLUMNS)]
    return b"\r\n ".join([*(line.encode() for line in lines), *folded]) + b"\r\n"


def _names_to_sign(present: Sequence[str]) -> list[str]:
    """Return the names for `h=`: see `judge.mail.sender_evidence` for what must be among them."""
    optional = {name for name in present if SIGNED_IF_PRESENT.fullmatch(name)}
    names = sorted((OVERSIGNED | optional) & ({*present} | OVERSIGNED))
    return [name for name in names for _ in range(present.count(name) + (name in OVERSIGNED))]


class SigningCarrier:
    """A *carrier* of emails that are signed first."""

    def __init__(self, carrier: Carrier, signer: DkimSigner) -> None:
        self._carrier, self._signer = carrier, signer

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Sign and deliver one email; without a key nothing is delivered."""
        try:
            raw = await asyncio.to_thread(self._signer.signed, mail.raw)
        except ConfigurationError as error:
            return Unreachable(str(error))
        return await self._carrier.deliver(replace(mail, raw=raw))

    async def rest(self) -> None:
        """Close the connections of the carrier."""
        await self._carrier.rest()
