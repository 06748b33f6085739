"""OAuth2 access tokens from a command of the operator."""

from __future__ import annotations

import os
from pathlib import Path
from select import select

import pytest

from judge.adapters import access_tokens
from judge.adapters.access_tokens import AccessTokens, TokenError
from judge.adapters.inputs.listeners import account_of
from judge.adapters.outputs import carrier_of
from judge.errors import ConfigurationError
from judge.settings import Settings
from tests.support.daemon import PATIENCE_SECONDS
from tests.support.oauth2 import TokenProvider

NAME = "imap_token_command"


@pytest.fixture
def provider(tmp_path: Path) -> TokenProvider:
    return TokenProvider(tmp_path, "judge")


def test_a_token_is_the_first_line_that_the_command_prints(provider: TokenProvider) -> None:
    assert AccessTokens(provider.command, NAME).token() == provider.token


def test_the_command_runs_without_a_shell(tmp_path: Path) -> None:
    words = f"/bin/echo $HOME; touch {tmp_path}/made"

    with pytest.raises(TokenError):  # output of echo with spaces
        AccessTokens(words, NAME).token()

    assert not (tmp_path / "made").exists()


def test_a_token_is_kept_until_a_server_refuses_it(
    provider: TokenProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_tokens, "PAUSE_SECONDS", 0.0)
    tokens = AccessTokens(provider.command, NAME)
    old = tokens.token()
    provider.expire()
    assert (tokens.token(), provider.runs) == (old, 1)

    assert tokens.renewed(old) == provider.token
    assert tokens.renewed(old) == provider.token  # refused on another connection
    assert provider.runs == 2


def test_a_command_that_gives_a_refused_token_is_not_run_again_at_once(
    provider: TokenProvider,
) -> None:
    tokens = AccessTokens(provider.command, NAME)
    token = tokens.token()

    assert [tokens.renewed(token) for _ in range(5)] == [token] * 5
    assert provider.runs == 1


def test_a_command_that_fails_is_named_and_not_quoted(provider: TokenProvider) -> None:
    provider.fail(3)

    with pytest.raises(TokenError) as failed:
        AccessTokens(provider.command, NAME).token()

    assert str(failed.value) == f"{NAME}: get-token ended with exit code 3"


@pytest.mark.parametrize("word", ["/nowhere/get-token", "/etc/hostname"])
def test_a_command_that_cannot_be_run_says_why(word: str) -> None:
    with pytest.raises(TokenError, match="cannot be run"):
        AccessTokens(word, NAME).token()


def test_a_command_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_tokens, "COMMAND_SECONDS_MAX", 0.2)

    with pytest.raises(TokenError, match="did not end"):
        AccessTokens("/bin/sleep 60", NAME).token()


def test_what_a_command_started_ends_with_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Otherwise each try would leave another process."""
    monkeypatch.setattr(access_tokens, "COMMAND_SECONDS_MAX", 0.5)
    script, child = tmp_path / "get-token", tmp_path / "child"
    script.write_text(f"#!/bin/sh\nsleep 600 &\necho $! >{child}\nwait\necho token\n")
    script.chmod(0o700)

    with pytest.raises(TokenError, match="did not end"):
        AccessTokens(str(script), NAME).token()

    if child.exists() and child.read_text():
        assert ends(int(child.read_text()))


def ends(process: int) -> bool:
    """Wait for the end of a process."""
    try:
        opened = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    ended, _, _ = select([opened], [], [], PATIENCE_SECONDS)
    os.close(opened)
    return bool(ended)


def test_a_command_that_prints_without_end_is_ended() -> None:
    with pytest.raises(TokenError, match="printed no token"):
        AccessTokens("/usr/bin/yes token", NAME).token()


def test_a_command_may_print_more_lines_and_close_its_output(tmp_path: Path) -> None:
    script = tmp_path / "get-token"
    script.write_text("#!/bin/sh\necho token\necho another\nexec >&-\n")
    script.chmod(0o700)

    assert AccessTokens(str(script), NAME).token() == "token"


@pytest.mark.parametrize("printed", ["", "a token", "x" * 9_000, "\\x07bell"])
def test_an_invalid_token_is_not_sent(tmp_path: Path, printed: str) -> None:
    file = tmp_path / "printed"
    file.write_text(printed.replace("\\x07", "\x07"))

    with pytest.raises(TokenError, match="printed no token"):
        AccessTokens(f"/bin/cat {file}", NAME).token()


def test_the_token_and_the_login_with_it_are_secrets(provider: TokenProvider) -> None:
    tokens = AccessTokens(provider.command, NAME)
    assert tokens.secrets("judge") == ()
    tokens.token()

    plain, encoded = tokens.secrets("judge")

    assert plain == provider.token
    assert encoded.startswith("dXNlcj1qdWRnZQFhdXRoPUJlYXJlciB5YTI5")


def test_a_login_has_a_password_or_a_token_command(tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("sesame")
    both = {"password_file": str(password), "token_command": "get-token"}
    for given in ({}, both):
        for place, check in (("imap", account_of), ("smarthost", carrier_of)):
            values = {f"{place}_{name}": value for name, value in given.items()}
            settings = {place: "127.0.0.1:1", f"{place}_user": "judge", **values}
            with pytest.raises(ConfigurationError, match=f"{place}_token_command"):
                check(Settings(maildir=tmp_path, **settings))  # type: ignore[arg-type]  # read from texts
