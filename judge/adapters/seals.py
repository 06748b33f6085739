"""Press at rest, encrypted under its writer's own key: without the key, the log still stands."""

from __future__ import annotations

from cryptography.fernet import Fernet, InvalidToken


class FernetSealer:
    """AES-128-CBC with HMAC-SHA256, as `cryptography` packs them."""

    def seal(self, text: str, key: bytes) -> str:
        """Encrypt *text*."""
        return Fernet(key).encrypt(text.encode()).decode("ascii")

    def open(self, sealed: str, key: bytes) -> str:
        """Decrypt what `seal` made; raises `ValueError` when the key is another."""
        try:
            return Fernet(key).decrypt(sealed.encode("ascii")).decode()
        except InvalidToken:
            raise ValueError("sealed under another key") from None
