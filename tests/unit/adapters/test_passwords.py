"""Password hashes."""

from __future__ import annotations

from judge.adapters.crypto import PASSWORD_CHARACTERS_MAX, Argon2Passwords


def test_a_password_matches_its_own_hash_only() -> None:
    passwords = Argon2Passwords()
    hashed = passwords.hash("open-sesame")

    assert hashed.startswith("$argon2id$")
    assert "open-sesame" not in hashed
    assert passwords.matches("open-sesame", hashed)
    assert not passwords.matches("open-sesam", hashed)
    assert passwords.hash("open-sesame") != hashed


def test_an_overlong_password_is_cut() -> None:
    passwords = Argon2Passwords()
    long = "x" * PASSWORD_CHARACTERS_MAX

    assert passwords.matches(long + "y", passwords.hash(long + "z"))


def test_an_invalid_hash_matches_nothing() -> None:
    assert not Argon2Passwords().matches("open-sesame", "open-sesame")
