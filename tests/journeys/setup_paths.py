"""Follow `judge setup` from its questions to an answered email, as its last lines say.

`python -m tests.journeys.setup_paths USER try|mailbox|server ADDRESS`, as root on a machine made
for it (`.ci/walk`), with the mailbox of a player in Dovecot.
"""

from __future__ import annotations

import re
import smtplib
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

JUDGE = "/opt/judge/bin/judge"
PLAYER = "anne@players.example.org"
HELP = "From: Anne <{}>\nTo: {}\nSubject: hello\nMessage-ID: <{}@players.example.org>\n\nHELP\n"
ANSWERED = "This judge runs"
PATIENCE_SECONDS = 60
MORE_ANSWERS = {"try": (), "mailbox": ("", "", "", "secret"), "server": ("",)}


def run(user: str, command: str) -> str:
    """Run *command* as *user*, and return what it prints."""
    print(f"{user}$ {command}", flush=True)  # noqa: T201 - its report
    words = ["runuser", "-u", user, "--", "sh", "-c", command]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, cwd="/")
    print(done.stdout, flush=True)  # noqa: T201
    return done.stdout


def set_up(user: str, kind: str, address: str) -> list[str]:
    """Answer the questions; return the last lines."""
    folder = Path(f"~{user}", f"judge-{kind}").expanduser()
    answers = [str(folder), kind, address, f"{folder}/backups", "baltic", *MORE_ANSWERS[kind]]
    done = subprocess.run(
        ["runuser", "-u", user, "--", JUDGE, "setup"],
        input="".join(f"{each}\n" for each in answers),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        cwd="/",
        start_new_session=True,  # or the password would be asked for at the terminal
    )
    print(done.stdout, flush=True)  # noqa: T201
    done.check_returncode()
    return done.stdout.split("\nNext:\n")[1].splitlines()


def wait_for(is_so: Callable[[], bool], what: str) -> None:
    """Wait until *is_so*."""
    for _ in range(PATIENCE_SECONDS * 2):
        if is_so():
            return
        time.sleep(0.5)
    sys.exit(f"never: {what}")


def follow(user: str, kind: str, address: str) -> None:
    """Do what the last lines say, and ask the judge for help by email."""
    first, second, nightly = set_up(user, kind, address)
    told = f"{first}\n{second}"
    if kind == "server":
        [configure] = re.findall(r"as root: (.*?);", told)
        run("root", configure)
    [start] = re.findall(r"start the judge: (.*?)(?:;|$)", told, re.MULTILINE)
    with subprocess.Popen(
        ["runuser", "-u", user, "--", "sh", "-c", f"exec {start}"], stdout=subprocess.PIPE
    ) as judge:
        try:
            assert judge.stdout
            assert b"listening" in judge.stdout.readline()
            for doctor in re.findall(r"in another terminal: (.*?)(?:;|$)", told, re.MULTILINE):
                assert "and the judge has answered it" in run(user, doctor)
            mail = HELP.format(PLAYER, address, time.monotonic())
            if kind == "try":
                [(host, port, maildir)] = re.findall(r"at (\S+):(\d+) .* answers in (\S+)", told)
                with smtplib.SMTP(host, int(port)) as server:
                    server.sendmail(PLAYER, address, mail)
                kept = Path(maildir, "new")
                wait_for(
                    lambda: any(ANSWERED in each.read_text() for each in kept.iterdir()), told
                )
            else:
                run("root", f"doveadm expunge -u {PLAYER} mailbox INBOX all")
                subprocess.run(
                    ["sendmail", "-f", PLAYER, address], input=mail.encode(), check=True
                )
                inbox = f"doveadm fetch -u {PLAYER} text mailbox INBOX"
                wait_for(lambda: ANSWERED in run("root", inbox), told)
            [backup] = re.findall(r"crontab -e: 0 3 \* \* \* (.*)", nightly)
            assert "1 game" in run(user, backup.replace(r"\%", "%"))
        finally:
            judge.terminate()


if __name__ == "__main__":
    follow(*sys.argv[1:])
