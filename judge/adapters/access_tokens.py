"""OAuth2 access tokens for the logins of IMAP and SMTP (XOAUTH2), from a command of the operator.

The command prints a token, as those for mutt, isync and msmtp do. It runs without a shell, and
nothing that it prints is logged.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Timer
from time import monotonic

COMMAND_SECONDS_MAX = 30.0
PAUSE_SECONDS = 60.0  # between two runs: providers limit how often a token can be renewed
TOKEN_CHARACTERS_MAX = 8_000
OUTPUT_BYTES_MAX = 64_000  # of which only the first line is used


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
            printed, exit_code = _output_of(self._words)
        except TimeoutError:
            self._fault = f"{name} did not end within {COMMAND_SECONDS_MAX:.0f} s"
        except OSError as error:
            self._fault = f"{name} cannot be run: {error.strerror}"
        else:
            first, *_ = (*printed.splitlines(), b"")
            token = first.strip().decode("ascii", "replace")
            if exit_code:
                self._fault = f"{name} ended with exit code {exit_code}"
            elif not _is_token(token):
                self._fault = f"{name} printed no token on its first line"
            else:
                self._token = token


def _output_of(words: Sequence[str]) -> tuple[bytes, int]:
    """Run a command; return what it printed, nothing if that is too much, and its exit code.

    Raises `TimeoutError`, or `OSError` if it cannot be run. Its children end with it then.
    """
    with (
        subprocess.Popen(  # noqa: S603 - the operator's own command
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            process_group=0,
        ) as command,
        _ended_in_time(command) as is_late,
    ):
        assert command.stdout, "it is a pipe"
        printed = command.stdout.read(OUTPUT_BYTES_MAX)
        if len(printed) == OUTPUT_BYTES_MAX:
            _end(command)
            return b"", 0
        exit_code = command.wait()
    if is_late.is_set():
        raise TimeoutError
    return printed, exit_code


@contextmanager
def _ended_in_time(command: subprocess.Popen[bytes]) -> Iterator[Event]:
    """End *command* if the block takes `COMMAND_SECONDS_MAX`; the event says whether it did."""
    is_late = Event()

    def end() -> None:
        is_late.set()
        _end(command)

    timer = Timer(COMMAND_SECONDS_MAX, end)
    timer.start()
    try:
        yield is_late
    finally:
        timer.cancel()


def _end(command: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(command.pid, signal.SIGKILL)


def _is_token(text: str) -> bool:
    return (
        text.isascii()
        and text.isprintable()
        and 0 < len(text) <= TOKEN_CHARACTERS_MAX
        and (" " not in text)
    )
