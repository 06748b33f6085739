"""A promise about orders that shows nothing until it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256


def commit(nonce: str, orders: Sequence[str]) -> str:
    r"""Return the SHA-256, in hexadecimal, of *nonce* and *orders*, one a line.

    Whoever has the nonce can check it: `printf '%s\n' NONCE 'A PAR - BUR' ... | sha256sum`.
    """
    return sha256("".join(f"{line}\n" for line in (nonce, *orders)).encode()).hexdigest()
