"""Lines of players of nJudge and DPjudge have their effect here, or the answer says what to write.

`python -m tests.emails.test_other_judges` prints the answers to lines that begin with a word.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.support.table import MODERATOR, Mail, Table, address_of

LINES = Path(__file__).with_name("other_judges.toml")
STRANGER = "jo@new.example"
GAME = "gibson"
ASKS = "reply to this email with the one word"
DO_THE_SAME_MIN, DO_OR_HELP_MIN = 0.64, 0.95


@dataclass(frozen=True)
class Written:
    """The *text* of an email by *who*, and what its answer contains.

    A player who writes anew instead of replying has the power *power*.
    """

    who: str
    text: str
    power: str
    does: str
    says: str


def written() -> list[Written]:
    return [
        Written(
            each["who"],
            each["text"],
            each.get("from", ""),
            each.get("does", ""),
            each.get("says", ""),
        )
        for each in tomllib.loads(LINES.read_text())["line"]
    ]


def answers(store: Path, folder: Path, email: Written) -> str:
    """Return the answers to *email*, and to a YES if one of them asks for it."""
    folder.mkdir()
    shutil.copy(store, folder / "judge.db")
    table = Table(folder, seed=f"{folder.name} again")
    mails = send(table, email)
    if email.who == "stranger" and mails and ASKS in mails[-1].words:
        mails = [*mails, *table.confirm(mails[-1])]
    table.close()
    shutil.rmtree(folder)
    senders = {STRANGER, MODERATOR, address_of(email.power or "FRANCE")}
    return " ".join(each.words for each in mails if each.recipient in senders)


def send(table: Table, email: Written) -> list[Mail]:
    if email.who == "stranger":
        return [*table.mail(STRANGER, email.text)]
    if email.power:
        return [*table.mail(address_of(email.power), email.text)]
    writer = MODERATOR if email.who == "moderator" else address_of("FRANCE")
    latest = [mail for mail in table.emails_to(writer) if GAME in mail.subject][-1]
    return [*table.reply(latest, email.text)]


def prepared(folder: Path) -> Path:
    """Return the store of a judge with a forming game and two others that have begun."""
    table = Table(folder)
    table.start(GAME, moderator=MODERATOR)
    table.start("verney")
    table.open("opal")
    for power in ("ENGLAND", "FRANCE"):
        table.send(power, f"SET PASSWORD pw{power[0].lower()}", GAME)
    table.close()
    return folder / "judge.db"


def tried(folder: Path) -> Iterator[tuple[Written, str]]:
    store = prepared(folder)
    for number, email in enumerate(written()):
        yield email, answers(store, folder / str(number), email)


@pytest.mark.gate
def test_lines_of_other_judges_do_the_same_or_help(tmp_path: Path) -> None:
    every = list(tried(tmp_path))

    same = [email for email, answer in every if email.does and email.does in answer]
    helped = [email for email, answer in every if email.says and email.says in answer]

    assert not [email for email, _ in every if email not in same and email not in helped]
    assert len(same) >= DO_THE_SAME_MIN * len(every)
    assert len(same) + len(helped) >= DO_OR_HELP_MIN * len(every)


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        for shown, told in tried(Path(made)):
            if shown.text.lower().startswith(sys.argv[1].lower()):
                sys.stdout.write(f"\n{shown.text}\n    {told}\n")
