"""A year by mail, where the mail server vouches for each From: what players write costs no YES."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from tests.support.table import JUDGE, Mail, Table

SERVER = "mx.judge.example"
QUESTIONS = ("confirm_join", "confirm_mail", "held_emails")  # which ask for a YES
WELCOMES = ("I'd like to play in lepanto.", "Ich würde gern bei lepanto mitspielen.")
# What players write besides orders: to the start email, the latest one, or the judge's address.
WRITTEN = (
    ("start", "When is the deadline?"),
    ("latest", "Sind meine Befehle angekommen?"),
    ("start", "PRESS TO {other}\nShall we be friends?\nENDPRESS"),
    ("fresh", "Je serai absente du 20 au 27 décembre."),
    ("start", "SET DRAW"),
    ("latest", "Wie steht es gerade?"),
    ("start", "STATUS"),
    ("fresh", "WAIT"),
    ("start", "JOIN lepanto"),
    ("latest", "Thanks, got it!"),
    ("start", "Warum ist meine Einheit stehen geblieben?"),
    ("fresh", "HELP PRESS"),
)


@dataclass
class Year:
    """A game whose players write through a mail server that checks them."""

    table: Table
    asked: list[Mail] = field(default_factory=list)

    def write(self, sender: str, text: str, answers: Mail | None = None) -> list[Mail]:
        """Send *text*, and return what the judge answers *sender*."""
        before, to = len(self.table.outbox()), answers.reply_to if answers else JUDGE
        headers = {"In_Reply_To": answers.message_id} if answers else {}
        subject = f"Re: {answers.subject}" if answers else ""
        mail = self.table.compose(sender, text, to, subject=subject, **headers)
        domain = sender.partition("@")[2]
        vouched = f"Authentication-Results: {SERVER}; dmarc=pass header.from={domain}\r\n"
        self.table.store_email(vouched.encode() + mail.as_bytes(), sender, to)
        self.table.run_once()
        answered = [each for each in self.table.outbox()[before:] if each.recipient == sender]
        self.asked += [each for each in answered if each.kind in QUESTIONS]
        return answered

    def join(self, count: int) -> list[str]:
        """Have *count* newcomers join in plain words, and return their addresses."""
        people = [f"n{number}@mail.example" for number in range(count)]
        for number, each in enumerate(people):
            question = self.write(each, WELCOMES[number % len(WELCOMES)])[-1]
            self.write(each, question.yes, question)
        return people

    def hold(self, address: str, power: str) -> None:
        """Order all units of *power* to hold."""
        position = self.table.game("lepanto").position
        assert position
        self.write(
            address,
            "\n".join(f"{unit} H" for unit in position.units_of(power)),
            self.table.emails_to(address)[-1],
        )


@pytest.mark.parametrize("variant", ["standard", "crowded"])
def test_a_year_by_mail_asks_for_no_yes_but_for_those_who_join(judge: Table, variant: str) -> None:
    judge.judge = replace(judge.judge, authserv_id=SERVER)
    judge.way_in = "lmtp"
    judge.open("lepanto", "nmr=civil_disorder", variant=variant)
    year = Year(judge)
    board = judge.judge.boards(variant)
    people = year.join(len(board.players))
    joined = len(year.asked)
    with judge.database.read() as transaction:
        ids = {each: transaction.people.by_address(each) for each in people}
    seats = {
        address: judge.game("lepanto").power_of(person.id) or ""
        for address, person in ids.items()
        if person
    }
    answers: list[Mail] = []
    for phase in range(3):
        for number, (address, power) in enumerate(seats.items()):
            other = next(each for each in seats.values() if each != power)
            for step in range(4):
                way, text = WRITTEN[(4 * phase + step + number) % len(WRITTEN)]
                mails = judge.emails_to(address)
                start = next(each for each in mails if each.kind == "game_start")
                about = {"start": start, "latest": mails[-1], "fresh": None}[way]
                answers += year.write(address, text.format(other=board.nations[other].name), about)
            year.hold(address, power)
        judge.pass_time(hours=24 * 20)

    unclear = [each for each in answers if "not understood" in each.words]
    assert joined == len(people)
    assert len(year.asked) == joined
    assert unclear == []
