"""`judge setup` for real: what it wrote answers email."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.dovecot import USER
from tests.support.mailbox_provider import provider
from tests.support.peer import LOGIN, WORD
from tests.support.serving import Serving, letter, text_of, wait_until

ANNE = "anne@players.example"


def set_up(folder: Path, *answers: str, **environment: str) -> Serving:
    """Answer the questions of `judge setup` in *folder*, and return the judge it made there."""
    done = subprocess.run(
        [sys.executable, "-m", "judge", "setup"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
        input="".join(f"{each}\n" for each in answers),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    config = {"JUDGE_CONFIG": str(folder / "judge" / "judge.toml"), "JUDGE_TICK_SECONDS": "0.1"}
    return Serving(folder / "judge", environment | config)


def test_a_judge_set_up_to_try_answers_help_and_its_game_can_be_joined(tmp_path: Path) -> None:
    port = {"JUDGE_SMTP": "127.0.0.1:0"}
    with set_up(tmp_path, "try", "", "", "", "baltic", **port) as judge:
        judge.start()
        judge.send(letter(ANNE, "HELP\n", "judge@localhost"))
        judge.send(letter(ANNE, "LIST\n", "judge@localhost"))
        wait_until(lambda: len(judge.mails(ANNE)) == 2, lambda: judge.log()[-2000:])
        assert judge.stop() == 0
        answers = "".join(text_of(mail) for mail in judge.mails(ANNE))

    assert "JOIN" in answers
    assert "baltic" in answers


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_a_judge_set_up_in_a_mailbox_at_a_provider_answers_help(tmp_path: Path) -> None:
    with provider(tmp_path, "tls") as there:
        (there.box.base / "users").write_text(f"{USER}:{{PLAIN}}{WORD}::::::\n")
        servers = (there.settings["JUDGE_IMAP"], there.settings["JUDGE_SMARTHOST"])
        questions = ("mailbox", "judge@judge.example", "", "-", "-", *servers, LOGIN, WORD)
        trust = {
            "SSL_CERT_FILE": there.settings["SSL_CERT_FILE"],
            "JUDGE_SMARTHOST_SECURITY": "tls",
        }
        with set_up(tmp_path, *questions, **trust) as judge:
            judge.start()
            there.box.deliver(letter(ANNE, "HELP\n").as_bytes())
            wait_until(lambda: bool(there.smarthost.mails), lambda: judge.log()[-2000:])
            assert judge.stop() == 0

    (answer,) = there.smarthost.mails
    assert answer["To"] == ANNE
    assert "JOIN" in text_of(answer)
