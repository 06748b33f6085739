"""Questions are answered while others can write; only the answer is queued under a lock."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from threading import Thread
from typing import TypeVar

import pytest

from judge.app.commands import answers
from judge.app.commands.command import Answerer
from judge.app.inbound import door
from judge.app.inbound.process import process_waiting
from judge.app.inbound.unverified_senders import ANSWERS_A_DAY_MAX
from judge.app.outbound import rendering
from judge.app.outbound.rendering import BETWEEN
from judge.mail.language.command_syntax import ParsedLine
from judge.mail.reader.email_text import QUESTIONS_MAX
from tests.support.table import MODERATOR, Mail, Table, address_of

Result = TypeVar("Result")
STRANGER = "stranger@elsewhere.example"
WAIT_SECONDS_MAX = 1.0
QUESTIONS = (
    "HELP",
    "LIST",
    "LIST FULL",
    "LIST OVER",
    "LIST VARIANTS",
    "STATUS baltic",
    "HISTORY baltic",
    "SUMMARY baltic",
    "WHOGAME baltic",
    "RULES baltic",
    "MAP baltic",
)
OF_PLAYERS = ("WHY A Par", "DIARY LIST", "LIST MINE", "PREVIEW")


def storing_meanwhile(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Store another email whenever pages are made; the list says which of them had to wait."""
    found: list[str] = []
    make_answerer, make_body = answers._answerer, rendering.body
    count = iter(range(1_000))

    def look(when: str) -> None:
        raw = (
            f"From: x@x.example\nAuto-Submitted: auto-replied\nSubject: {next(count)}\n\n".encode()
        )
        other = Thread(target=table.store_email, args=(raw,))
        other.start()
        other.join(WAIT_SECONDS_MAX)
        found.extend([when] if other.is_alive() else [])

    def answerer(parsed: ParsedLine) -> Answerer | None:
        answer = make_answerer(parsed)
        return answer and _looking(look, f"{parsed}", answer)

    monkeypatch.setattr(answers, "_answerer", answerer)
    monkeypatch.setattr(rendering, "body", _looking(look, "body", make_body))
    return found


def _looking(
    look: Callable[[str], None], when: str, function: Callable[..., Result]
) -> Callable[..., Result]:
    def called(*arguments: object, **named: object) -> Result:
        look(when)
        return function(*arguments, **named)

    return called


def ask(table: Table, sender: str, *lines: str) -> Mail:
    """Send the questions *lines*, as a reply if the judge has written; return the answer."""
    text, known = "\n".join(lines), table.emails_to(sender)
    return (table.reply(known[-1], text) if known else table.mail(sender, text))[-1]


@pytest.mark.parametrize(
    ("sender", "questions"),
    [
        (STRANGER, QUESTIONS),
        (address_of("FRANCE"), (*QUESTIONS, *OF_PLAYERS)),
        (MODERATOR, QUESTIONS),
    ],
)
def test_other_emails_are_stored_while_questions_are_answered(
    table: Table, monkeypatch: pytest.MonkeyPatch, sender: str, questions: tuple[str, ...]
) -> None:
    stored, waits = len(table.inbox()), storing_meanwhile(table, monkeypatch)

    answer = ask(table, sender, *questions)

    assert answer.recipient == sender
    assert answer.text.count(BETWEEN) >= len(questions) - 2
    assert len(table.inbox()) > stored + len(questions)
    assert waits == []


def test_an_email_with_several_games_and_talk_is_answered_likewise(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.start("adriatic", moderator=MODERATOR)
    waits = storing_meanwhile(table, monkeypatch)

    answer = ask(
        table, address_of("FRANCE"), "Hi judge,", "adriatic:", "STATUS", "baltic:", "STATUS"
    )

    assert "adriatic" in answer.text
    assert "baltic" in answer.text
    assert waits == []


@pytest.mark.parametrize("change", ["A Par-Bur", "SET HANDLE Kaiserin", "DIARY\nfine\nENDDIARY"])
def test_other_emails_are_stored_while_questions_below_a_change_are_answered(
    table: Table, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    waits = storing_meanwhile(table, monkeypatch)

    answer = ask(table, address_of("FRANCE"), change, *QUESTIONS, *OF_PLAYERS)

    assert answer.text.count(BETWEEN) >= len(QUESTIONS) + len(OF_PLAYERS) - 2
    assert waits == []


def test_answers_below_a_change_survive_a_crash(table: Table) -> None:
    to = table.latest("FRANCE", "baltic").reply_to
    mail = table.compose(address_of("FRANCE"), "A Par-Bur\nSTATUS\nPREVIEW", to)
    table.deliver(mail, None, to)
    process_waiting(table.judge)  # and dies before it renders

    with closing(Table(table.file.parent)) as restarted:
        restarted.clock.time = table.clock.time
        restarted.run_once()
        answer = restarted.emails_to(address_of("FRANCE"))[-1]

    assert "France: 1 of 3 orders" in answer.words
    assert "This was only a preview." in answer.words


def test_an_answer_shows_what_its_email_has_changed(table: Table) -> None:
    ordered = table.send("FRANCE", "A Par-Bur\nSTATUS")
    named = table.send("FRANCE", "SET HANDLE Kaiserin\nWHOGAME")

    noted = table.send("FRANCE", "DIARY\nSecret.\nENDDIARY\nDIARY READ 1\nDIARY DELETE 1")

    assert "Secret." in noted.words
    assert ordered.text.count("A Par-Bur") >= 2
    assert named.text.count("Kaiserin") >= 2


@pytest.mark.parametrize("sender", [STRANGER, address_of("FRANCE")])
def test_an_email_gets_answers_to_so_many_questions_only(table: Table, sender: str) -> None:
    topics = ("join", "move", "press", "list", "status", "history", "wait", "draw")
    questions = [f"HELP {topic}" for topic in topics] * 3

    answer = ask(table, sender, *questions)

    assert (
        f"not read from line {QUESTIONS_MAX + 1} on: the limit is {QUESTIONS_MAX}" in answer.words
    )
    assert answer.text.count(BETWEEN) <= len(topics) + 1


@pytest.mark.parametrize("text", ["LIST", "JOIN no.such.name", "What is this?"])
def test_no_answer_is_made_for_a_stranger_beyond_the_limit(
    table: Table, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    for _ in range(ANSWERS_A_DAY_MAX):
        assert table.mail(STRANGER, "HELP")
    made: list[str] = []
    make_answerer, make_door = answers._answerer, door.door

    def answerer(parsed: ParsedLine) -> Answerer | None:
        answer = make_answerer(parsed)
        return answer and _looking(made.append, f"{parsed}", answer)

    monkeypatch.setattr(answers, "_answerer", answerer)
    monkeypatch.setattr(door, "door", _looking(made.append, "door", make_door))

    assert not table.mail(STRANGER, text)
    assert made == []
    table.clock.time += timedelta(days=2)
    assert table.mail(STRANGER, text)
    assert made
