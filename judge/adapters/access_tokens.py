"""OAuth2 access tokens for the logins of IMAP and SMTP (XOAUTH2), from a command of the operator.

The command prints a token, as those for mutt, isync and msmtp do. It runs without a shell, and
nothing that it prints is logged.
"""

from __future__ import annotations

import shlex
import subprocess
from base64 import b64encode
from pathlib import Path
from threading import Lock
from time import monotonic

COMMAND_SECONDS_MAX = 30.0
PAUSE_SECONDS = 60.0  # between two runs: providers limit how often a token can be renewed
TOKEN_CHARACTERS_MAX = 8_000


def xoauth2_login(user: str, token: str) -> str:
    """Return what XOAUTH2 sends."""
    return f"user={user}\1auth=Bearer {token}\1\1"


class TokenError(OSError):
    """The command gave no token. The login fails for now, as if the server were away."""


class AccessTokens:
    """The tokens of *command*, the value of *setting*; each is used until a server refuses it."""

    def __init__(self, command: str, setting: str) -> None:
        self._words, self._setting = shlex.split(command), setting
        self._lock = Lock()
        self._token = ""
        self._fault = ""
        self._ran: float | None = None

    def token(self) -> str:
        """Return the latest token; raises `TokenError`."""
        return self._get(refused="")

    def renewed(self, refused: str) -> str:
        """Return a token other than *refused* if there is one; raises `TokenError`."""
        return self._get(refused)

    def secrets(self, user: str) -> tuple[str, ...]:
        """Return what must not be logged: the token, and the login of *user* with it."""
        login = b64encode(xoauth2_login(user, self._token).encode()).decode()
        return (self._token, login) if self._token else ()

    def _get(self, refused: str) -> str:
        with self._lock:
            is_due = self._ran is None or monotonic() - self._ran >= PAUSE_SECONDS
            if is_due and self._token in ("", refused):
                self._run()
            if not self._token:
                raise TokenError(f"{self._setting}: {self._fault}")
            return self._token

    def _run(self) -> None:
        self._ran = monotonic()
        self._token, self._fault = "", ""
        name = Path(self._words[0]).name
        try:
            done = subprocess.run(  # noqa: S603 - the operator's own command
                self._words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=COMMAND_SECONDS_MAX,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self._fault = f"{name} did not end within {COMMAND_SECONDS_MAX:.0f} s"
        except OSError as error:
            self._fault = f"{name} cannot be run: {error.strerror}"
        else:
            first, *_ = (*done.stdout.splitlines(), b"")
            token = first.strip().decode("ascii", "replace")
            if done.returncode:
                self._fault = f"{name} ended with exit code {done.returncode}"
            elif not _is_token(token):
                self._fault = f"{name} printed no token on its first line"
            else:
                self._token = token


def _is_token(text: str) -> bool:
    return (
        text.isascii()
        and text.isprintable()
        and 0 < len(text) <= TOKEN_CHARACTERS_MAX
        and (" " not in text)
    )
