"""Emails held for a player whom the judge may not ask about each of them.

Anybody can write in a player's name. After some questions a day the judge stops asking, keeps what
comes and says so in one email; an answer to that lists what waits, and lets the player choose.
"""

from __future__ import annotations

import re

from judge.app.desk import Desk
from judge.app.finished import PROCESSED, Finished
from judge.app.incoming import InboxState, IncomingMail
from judge.app.ports import Person, Purpose, Token
from judge.app.post import Letter, Meaning, post, token_for
from judge.app.secrecy import let_go
from judge.mail.envelope import Letter as Opened
from judge.mail.mail_addresses import same_mailbox
from judge.reports.emails import confirmation_emails
from judge.reports.emails.confirmation_emails import HeldEmail

UNASKED = "not asked yet"  # Why an email is held that the judge may not ask about for now.
EVERYTHING = "everything"  # What the token of the announcement is about.
LISTED_MAX = 20
ANSWERS_A_DAY_MAX = 10  # to the announcement
NUMBER = re.compile(r"\b\d{1,12}\b")
ALL = re.compile(r"\b(?:all|alle|alles|tous|toutes|tout)\b", re.IGNORECASE)


def announce_unasked(desk: Desk, person: Person) -> None:
    """Tell *person* once a day that emails in their name wait unasked, this one among them."""
    if desk.transaction.people.first_today(person.address, "unasked", desk.now):
        # The state of this mail is written when its answer is done.
        waiting = [*_unasked(desk, person.id), desk.mail]
        _list(desk, person, waiting)


def answer_unasked(desk: Desk, token: Token, *, yes: bool | None) -> Finished:
    """Confirm or drop the held emails that an answer to the announcement names."""
    person = desk.transaction.people.get(token.person)
    if person is None or not _is_from(desk, person):
        return Finished(InboxState.IGNORED, "the question has come into other hands")
    waiting = _unasked(desk, person.id)
    told = " ".join(line.text for line in desk.letter.text.fresh)
    numbers = {int(each) for each in NUMBER.findall(told)}
    chosen = [each for each in waiting if each.id in numbers]
    if len(waiting) == 1 or ALL.search(told) or (yes is False and not numbers):
        chosen = chosen or waiting
    if yes is None or not chosen:
        return _list_again(desk, person, waiting)
    for each in chosen:
        if yes:
            desk.transaction.inbox.release(each.id, person.id)
        else:
            let_go(desk.judge, desk.transaction, each.id, "denied by its writer")
    return PROCESSED


def _list_again(desk: Desk, person: Person, waiting: list[IncomingMail]) -> Finished:
    people = desk.transaction.people
    if not any(
        people.first_today(person.address, f"unasked {time}", desk.now)
        for time in range(ANSWERS_A_DAY_MAX)
    ):
        return Finished(InboxState.IGNORED, "told often enough today what waits")
    _list(desk, person, waiting)
    return PROCESSED


def _unasked(desk: Desk, person: str) -> list[IncomingMail]:
    held = desk.transaction.inbox.held_for(person, LISTED_MAX * 5)
    return [each for each in held if each.reason == UNASKED]


def _list(desk: Desk, person: Person, waiting: list[IncomingMail]) -> None:
    lines = tuple(_told(desk, each) for each in waiting[:LISTED_MAX])
    context = confirmation_emails.held_emails(
        desk.mail.received_utc, lines, len(waiting), judge_code=desk.judge.code
    )
    about = Meaning(subject=EVERYTHING)
    letter = Letter(
        contexts=(context,),
        cause=f"{desk.cause}:unasked",
        address=person.address,
        zone=person.zone,
        token=token_for(desk.transaction, Purpose.CONFIRM, person, about),
        answers=desk.answered,
    )
    post(desk.judge, desk.transaction, letter, desk.now)


def _told(desk: Desk, mail: IncomingMail) -> HeldEmail:
    letter = desk.judge.opener.open(mail.raw, mail.sender)
    lines = desk.shown(letter.text.fresh) if isinstance(letter, Opened) else ()
    return HeldEmail(mail.id, mail.received_utc, tuple(line for line in lines if line.strip()))


def _is_from(desk: Desk, person: Person) -> bool:
    addresses = desk.transaction.people.addresses(person.id)
    sender = desk.letter.sender
    return sender is not None and any(same_mailbox(sender, each) for each in addresses)
