"""Sentences that are no orders: listed in the receipt and forwarded to the moderator."""

from __future__ import annotations

import pytest

from judge.app.commands.forwarding import sentences_about_orders
from judge.app.commands.order_lines import read_orders
from judge.mail.body import split
from judge.reading.reader import read_text
from judge.reading.world import world_of
from tests.emails.labelled import SETS, labelled
from tests.support.table import MODERATOR, Mail, Table, address_of

PLAIN, PARIS = "My cat sends her regards.", "I think Paris should not be left alone."
CHAT = f"Hi judge,\n\nA Par H\n\n{PLAIN}\n{PARIS}\n\ncheers,\nBob\n"


def notes(table: Table, to: str = MODERATOR) -> tuple[Mail, ...]:
    return table.emails_to(to, "forwarded")


def test_sentences_not_acted_on_are_listed_in_the_receipt(table: Table) -> None:
    receipt = table.send("FRANCE", CHAT)

    assert f"| {PLAIN}" in receipt.text
    assert f"| {PARIS}" in receipt.text
    assert table.current_orders("FRANCE") == ("A PAR H",)


def test_greetings_and_signatures_are_counted_and_not_repeated(table: Table) -> None:
    receipt = table.send("FRANCE", "Hi judge,\n\nhere are my orders:\nA Par H\n\ncheers,\nBob\n")

    assert "Greeting and signature: 4 lines." in receipt.text
    assert "cheers" not in receipt.text
    assert "did nothing" not in receipt.text


def test_a_sentence_with_a_province_is_forwarded_only_if_the_moderator_sees_orders(
    judge: Table,
) -> None:
    judge.start("baltic", "forwarding=at_once", moderator=MODERATOR)
    judge.start("aegean", "forwarding=at_once", "moderator_sees=orders", moderator=MODERATOR)

    judge.send("FRANCE", CHAT)
    judge.send("FRANCE", CHAT, "aegean")

    blind, seeing = notes(judge)
    assert PLAIN in blind.words
    assert "Paris" not in blind.text
    assert PLAIN in seeing.words
    assert PARIS in seeing.words


@pytest.mark.parametrize("text", ["attack burgandy with all", "Let Marsielles go"])
def test_a_misspelt_province_is_not_shown_to_a_moderator_who_sees_no_orders(
    judge: Table, text: str
) -> None:
    judge.start("baltic", "forwarding=at_once", moderator=MODERATOR)

    receipt = judge.send("FRANCE", text)

    assert text in receipt.words
    assert notes(judge) == ()


@pytest.mark.parametrize(
    "doubt",
    [
        "Maybe just leave it where it is.",
        "I don't want to move anything this time.",
        "Everybody stays at home, I suppose.",
        "Mag Parijs eigenlijk Bourgondië aanvallen?",
        "Does an army need a convoy to get there?",
        "The armies stay.",
        "Both fleets put to sea:",
        "Convoy time!",
        "I'm going for the northern opening.",
    ],
)
def test_a_doubt_or_plan_is_not_shown_to_a_moderator_who_sees_no_orders(
    judge: Table, doubt: str
) -> None:
    judge.start("baltic", "forwarding=at_once", moderator=MODERATOR)

    judge.send("FRANCE", f"{PLAIN}\n\n{doubt}")

    [note] = notes(judge)
    assert PLAIN in note.words
    assert doubt not in note.words


@pytest.mark.gate
def test_nothing_read_as_an_order_a_doubt_or_a_plan_is_forwarded() -> None:
    leaks, chats = [], 0
    for email in (each for name in SETS for each in labelled(name)):
        board, seen, power = email.situation.board, email.situation.seen, email.situation.power
        aside = read_orders(email.situation, split(email.text).fresh).aside.sentences
        chat = tuple(each.text for each in aside if not each.names)
        if not chat:
            continue
        chats += 1
        kept = sentences_about_orders(board, seen, power, email.text, chat)
        found = read_text(email.text, world_of(board, seen, power)).orders
        read = [email.text[each.start : each.end] for each in found]
        sent = {*chat} - kept
        leaks += [
            each
            for each in sent
            if any(text in each or f" {each} " in f" {text} " for text in read)
        ]

    assert leaks == []
    assert chats > 100


def test_sentences_are_forwarded_in_one_note_a_day_unless_the_moderator_sets_otherwise(
    judge: Table,
) -> None:
    judge.start("baltic", moderator=MODERATOR)
    judge.send("FRANCE", PLAIN)
    judge.send("ITALY", "My dog does so too.")

    waiting = judge.query("SELECT state, due_utc FROM outbox WHERE kind = 'forwarded'")
    assert len(waiting) == 2
    assert len({*waiting}) == 1  # both are held for the same hour
    [start] = judge.emails_to(MODERATOR, "game_start")
    judge.reply(start, "SET RULE forwarding=at_once")
    judge.send("FRANCE", "And I am glad that it works.")

    assert "forwarding=at_once" in notes(judge)[0].words
    assert "forwarding=daily" in notes(judge)[-1].words


def test_in_a_game_without_a_moderator_nothing_is_forwarded(judge: Table) -> None:
    judge.start("baltic")

    receipt = judge.send("FRANCE", CHAT)

    assert "moderator gets" not in receipt.words
    assert not [mail for mail in judge.outbox() if mail.kind == "forwarded"]


def test_a_moderator_who_plays_gets_nothing(judge: Table) -> None:
    judge.start(
        "baltic", "forwarding=at_once", "moderator_sees=orders", moderator=address_of("TURKEY")
    )

    judge.send("FRANCE", CHAT)

    assert notes(judge, address_of("TURKEY")) == ()


def test_a_note_of_an_anonymous_game_names_the_power_alone(judge: Table) -> None:
    judge.start("baltic", "forwarding=at_once", "anonymous=yes", moderator=MODERATOR)

    judge.send("FRANCE", CHAT)

    [note] = notes(judge)
    assert "France" in note.subject
    assert address_of("FRANCE") not in note.text + note.subject
    assert "Bob" not in note.text


def test_sentences_of_an_email_whose_orders_are_used_later_are_forwarded_once(
    judge: Table,
) -> None:
    judge.start("baltic", "forwarding=at_once", moderator=MODERATOR)
    receipt = judge.send("FRANCE", f"PHASE F1905M\nA Par H\n{PLAIN}")
    before = len(notes(judge))

    judge.reply(receipt, "USE THESE")

    assert len(notes(judge)) == before == 1


def test_a_question_that_help_answers_is_neither_left_undone_nor_forwarded(judge: Table) -> None:
    judge.start("baltic", "forwarding=at_once", moderator=MODERATOR)

    asked = "When is the deadline?"
    receipt = judge.send("FRANCE", f"Hello,\n\n{PLAIN} {asked}\n\nThanks, Pierre")

    assert f"Answered below: | {asked}" in receipt.words
    assert f"Ignored; the moderator gets a copy: | {PLAIN}" in receipt.words
    assert "Deadline: Mon 30 Nov" in receipt.text
    [note] = notes(judge)
    assert PLAIN in note.words
    assert asked not in note.words


@pytest.mark.parametrize(
    ("moderator", "said"), [(MODERATOR, True), (address_of("TURKEY"), False), (None, False)]
)
def test_the_rules_speak_of_forwarding_only_where_a_moderator_gets_it(
    judge: Table, moderator: str | None, *, said: bool
) -> None:
    judge.start("baltic", moderator=moderator)

    [start] = judge.emails_to(address_of("FRANCE"), "game_start")
    rules = judge.send("FRANCE", "RULES")

    assert ("is forwarded to the moderator" in start.words) is said
    assert ("is forwarded to the moderator" in rules.words) is said


def test_a_private_note_is_not_forwarded(judge: Table) -> None:
    judge.start("baltic", "forwarding=at_once", moderator=MODERATOR)

    judge.send("FRANCE", "Note to self: Tom lied to me.\nHe will not notice.")

    assert notes(judge) == ()


def test_the_moderator_is_told_where_sentences_are_left_out(judge: Table) -> None:
    judge.start("baltic", "forwarding=at_once", moderator=MODERATOR)
    left_out = "Some sentences are left out"

    judge.send("FRANCE", CHAT)
    judge.send("ITALY", PLAIN)

    first, second = notes(judge)
    assert left_out in first.words
    assert left_out not in second.words
