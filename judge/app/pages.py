"""The pages of an answer become one mail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from judge.app.desk import Desk
from judge.app.ports import Person, Purpose, Token
from judge.app.post import Letter, Meaning, post, token_for
from judge.mail.body import digest_of
from judge.mail.mail_addresses import same_mailbox
from judge.reports.emails.contexts import Context

ANSWERS_MAX, ANSWER_PAUSE = 300, timedelta(minutes=5)  # to one person at once, and then
SAME_MAX, SAME_PAUSE = 20, timedelta(hours=1)  # to the same words


def send_pages(
    desk: Desk,
    person: Person,
    pages: Sequence[Context],
    thread: str | None = None,
    token: Token | None = None,
) -> None:
    """Queue *pages* as one mail to *person*: at his primary address, and where he wrote from.

    An answer to it speaks to the game of the first page; an offer to use orders means those of the
    mail answered here. An address that is not registered gets nothing, and nobody is answered
    without end: what answers our answers is a machine that does not say so. What answers press is
    in the *thread* of that. A question beside an answer has a *token* of its own.
    """
    if not _may_answer(desk, person):
        desk.judge.journal.note("answer.withheld", mail=desk.mail.sha256)
        return
    first = pages[0]
    cause = f"{desk.cause}:asked" if token else desk.cause
    token = token or _token(desk, person, first)
    for address in _addresses(desk, person):
        letter = Letter(
            contexts=tuple(pages),
            cause=f"{cause}:{address}",
            address=address,
            zone=person.zone,
            token=token,
            game=first.heading.game,
            person=person.id,
            answers=desk.answered,
            thread=thread,
        )
        post(desk.judge, desk.transaction, letter, desk.now)


def _may_answer(desk: Desk, person: Person) -> bool:
    """Say whether *person* is answered once more, and once more for the same words."""
    budgets, digest = desk.transaction.budgets, digest_of(desk.letter.text)
    return budgets.spend(
        f"answers to {person.id}", ANSWERS_MAX, ANSWER_PAUSE, desk.now
    ) and budgets.spend(f"answers to {person.id} {digest}", SAME_MAX, SAME_PAUSE, desk.now)


def _token(desk: Desk, person: Person, first: Context) -> Token:
    game = desk.game(first.heading.game) if first.heading.game else None
    person = desk.transaction.people.get(person.id) or person  # He may have asked for new tokens.
    about = Meaning(
        game=first.heading.game,
        power=game.power_of(person.id) if game else None,
        phase=first.heading.phase.code if first.heading.phase else None,
        subject=str(desk.mail.id),
    )
    return token_for(desk.transaction, Purpose.ORDERS, person, about)


def _addresses(desk: Desk, person: Person) -> tuple[str, ...]:
    registered = desk.transaction.people.addresses(person.id)
    sender = desk.letter.sender
    other = (each for each in registered[1:] if sender and same_mailbox(each, sender))
    return (registered[0], *other)
