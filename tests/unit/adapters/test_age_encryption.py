"""Encryption in the age v1 format, in both directions compatible with `age`."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from judge.adapters import age

needs_age = pytest.mark.skipif(not shutil.which("age"), reason="needs-server: there is no age")
CHUNK = age.CHUNK_BYTES
SIZES = (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 7)
SECRET = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
PUBLIC = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(age, "SCRYPT_LOG_N", 10)


def encrypted(content: bytes, lock: age.Lock) -> bytes:
    raw = io.BytesIO()
    with age.encrypting(raw, lock) as written:
        for at in range(0, len(content), 10_000):
            written.write(content[at : at + 10_000])
    return raw.getvalue()


def decrypted(raw: bytes, lock: age.Lock) -> bytes:
    with age.decrypting(io.BytesIO(raw), lock) as opened:
        return opened.read()


def run_age(*words: str, given: bytes) -> bytes:
    return subprocess.run(["age", *words], input=given, capture_output=True, check=True).stdout


def type_into(program: str, passphrase: str) -> None:
    """Run *program*, typing the passphrase twice at its terminal."""
    words = ["script", "--quiet", "--return", "--command", program, os.devnull]
    typed = f"{passphrase}\n{passphrase}\n".encode()
    subprocess.run(words, input=typed, capture_output=True, check=True)


@pytest.mark.parametrize("size", SIZES)
def test_content_of_any_size_comes_back(size: int) -> None:
    content = os.urandom(size)
    for lock in (age.read_lock(SECRET), age.Passphrase("correct horse")):
        assert decrypted(encrypted(content, lock), lock) == content


@needs_age
@pytest.mark.parametrize("size", SIZES)
def test_age_reads_what_we_encrypt_and_we_read_what_age_encrypts(
    size: int, tmp_path: Path
) -> None:
    key = tmp_path / "key"
    key.write_text(f"{SECRET}\n")
    content = os.urandom(size)

    ours = encrypted(content, age.read_lock(PUBLIC))
    theirs = run_age("-r", PUBLIC, given=content)

    assert run_age("-d", "-i", str(key), given=ours) == content
    assert decrypted(theirs, age.read_lock(key.read_text())) == content


@needs_age
@pytest.mark.slow
def test_age_and_we_read_what_the_other_encrypts_with_a_passphrase(tmp_path: Path) -> None:
    plain, ours, theirs = (tmp_path / name for name in ("plain", "ours", "theirs"))
    plain.write_bytes(os.urandom(CHUNK + 5))
    lock = age.read_lock("correct horse\n")
    ours.write_bytes(encrypted(plain.read_bytes(), lock))

    type_into(f"age -p -o {theirs} {plain}", "correct horse")
    type_into(f"age -d -o {tmp_path / 'back'} {ours}", "correct horse")

    assert (tmp_path / "back").read_bytes() == plain.read_bytes()
    assert decrypted(theirs.read_bytes(), lock) == plain.read_bytes()


@needs_age
def test_a_new_key_is_one_of_age(tmp_path: Path) -> None:
    secret, public = age.new_key()
    key = tmp_path / "key"
    key.write_text(secret)

    told = subprocess.run(["age-keygen", "-y", str(key)], capture_output=True, check=True)
    assert told.stdout.decode().strip() == public


def test_several_keys_can_each_decrypt() -> None:
    first, second = age.new_key(), age.new_key()
    raw = encrypted(b"all of it", age.read_lock(f"# two\n{first[1]}\n\n{second[1]}\n"))

    assert decrypted(raw, age.read_lock(first[0])) == b"all of it"
    assert decrypted(raw, age.read_lock(second[0])) == b"all of it"


def test_nothing_is_read_with_another_key_or_passphrase() -> None:
    for_key = encrypted(b"secret", age.read_lock(SECRET))
    by_passphrase = encrypted(b"secret", age.Passphrase("correct horse"))
    other = age.read_lock(age.new_key()[0])

    for raw, lock, why in (
        (for_key, other, "for another key"),
        (for_key, age.read_lock(PUBLIC), "public keys only"),
        (for_key, age.Passphrase("x"), "for a key, not with a passphrase"),
        (by_passphrase, age.Passphrase("wrong"), "passphrase is wrong"),
        (by_passphrase, other, "with a passphrase, not for a key"),
    ):
        with pytest.raises(age.NotDecryptedError, match=why):
            decrypted(raw, lock)


def test_every_changed_byte_is_noticed() -> None:
    lock = age.read_lock(SECRET)
    raw = encrypted(b"x" * 40, lock)

    for at in range(len(raw)):
        changed = bytearray(raw)
        changed[at] ^= 1
        with pytest.raises(age.NotDecryptedError):
            decrypted(bytes(changed), lock)


def test_a_value_has_one_form_in_base64() -> None:
    lock = age.read_lock(SECRET)
    raw = encrypted(b"", lock)
    end = raw.index(b"\n", raw.index(b"--- ")) - 1  # has two unused bits

    for letter in set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"):
        if letter != raw[end]:
            with pytest.raises(age.NotDecryptedError):
                decrypted(raw[:end] + bytes([letter]) + raw[end + 1 :], lock)


@pytest.mark.parametrize("size", [0, 40, 2 * CHUNK])
def test_a_file_that_was_cut_short_is_noticed_wherever_it_ends(size: int) -> None:
    lock = age.read_lock(SECRET)
    raw = encrypted(b"x" * size, lock)
    body = len(raw) - size - 16 * max(1, -(-size // CHUNK))
    chunk = CHUNK + 16

    for kept in {*range(body + 20), body + chunk, body + 2 * chunk - 1, len(raw) - 1}:
        if kept < len(raw):
            with pytest.raises(age.NotDecryptedError):
                decrypted(raw[:kept], lock)


def test_chunks_that_change_places_are_noticed() -> None:
    lock = age.read_lock(SECRET)
    raw = encrypted(os.urandom(3 * CHUNK), lock)
    chunk = CHUNK + 16
    start = len(raw) - 3 * chunk
    first, second = raw[start : start + chunk], raw[start + chunk : start + 2 * chunk]

    with pytest.raises(age.NotDecryptedError):
        decrypted(raw[:start] + second + first + raw[start + 2 * chunk :], lock)


def test_an_aborted_file_is_incomplete() -> None:
    raw, lock = io.BytesIO(), age.read_lock(SECRET)

    def stopped() -> None:
        with age.encrypting(raw, lock) as written:
            written.write(b"x" * (CHUNK + 10))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()

    with pytest.raises(age.NotDecryptedError):
        decrypted(raw.getvalue(), lock)


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "two\nlines\n", SECRET[:-1] + "Q", PUBLIC[:-1], f"{PUBLIC}\nhello\n", "age1"],
)
def test_a_key_file_with_a_mistake_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="key"):
        age.read_lock(text)


def test_no_representation_shows_a_secret() -> None:
    assert "horse" not in repr(age.Passphrase("correct horse"))
    assert "secret" not in repr(age.read_lock(SECRET))


def test_a_passphrase_that_would_take_hours_is_refused() -> None:
    raw = encrypted(b"", age.Passphrase("x")).replace(b" 10\n", b" 40\n")
    with pytest.raises(age.NotDecryptedError, match="too long"):
        decrypted(raw, age.Passphrase("x"))
