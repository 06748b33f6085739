"""Mails that waited for the hour that their reader chose go out as one: his digest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from judge.app.claims import persistently
from judge.app.judge import Judge
from judge.app.ports import OutgoingMail, Person, Purpose, Transaction
from judge.app.post import Letter, Meaning, post, token_for
from judge.mail.compose import enclosed_email
from judge.reports.emails.heading import Heading, digest_heading, heading_of

MAILS_MAX, BYTES_MAX = 50, 400_000  # of one digest; what is more comes in the next


def gather_due(judge: Judge) -> None:
    """Let go what has waited: the mails to one reader together, whichever games they are of."""
    now = judge.clock.now()
    with judge.database.read() as transaction:
        persons = transaction.outbox.awaited(now)
    for person in persons:
        claim = f"gather for {person}"
        if judge.database.claims.take(claim):  # Else another judge is at it.
            try:
                _gather(judge, person, now)
            finally:
                judge.database.claims.leave(claim)


def _gather(judge: Judge, person: str, now: datetime) -> None:
    def gather() -> None:
        with judge.database.write() as transaction:
            waiting = transaction.outbox.waiting(person, now)
            for _, mails in groupby(waiting, key=attrgetter("recipient")):
                for some in _portions(mails):
                    _let_go(judge, transaction, some, now)

    try:
        persistently(gather)
    except Exception as error:  # noqa: BLE001 - one reader must not hold up the others
        judge.journal.failed("gathering.failed", error)


def _portions(mails: Iterator[OutgoingMail]) -> Iterator[Sequence[OutgoingMail]]:
    """Cut *mails* into as many as one digest takes."""
    portion: list[OutgoingMail] = []
    size = 0
    for mail in mails:
        if portion and (len(portion) == MAILS_MAX or size + len(mail.raw) > BYTES_MAX):
            yield portion
            portion, size = [], 0
        portion.append(mail)
        size += len(mail.raw)
    yield portion


def _let_go(
    judge: Judge, transaction: Transaction, mails: Sequence[OutgoingMail], now: datetime
) -> None:
    """Queue *mails* as one; a single one as it is, in its own thread."""
    first, *others = mails
    reader = transaction.people.get(first.person) if first.person else None
    if reader is None or not others:
        for mail in mails:
            transaction.outbox.release(mail.message_id)
        return
    letter = _digest(judge, transaction, mails, reader)
    identity = post(judge, transaction, letter, now)
    for mail in mails:
        transaction.outbox.enclose(mail.message_id, identity)


def _digest(
    judge: Judge, transaction: Transaction, mails: Sequence[OutgoingMail], reader: Person
) -> Letter:
    """Write the digest, which is of a game if all in it are; an answer to it is no press."""
    games = tuple(dict.fromkeys(mail.game for mail in mails))
    game = games[0] if len(games) == 1 else None
    told = tuple(enclosed_email(mail.raw) for mail in mails)
    heading = _heading(judge, transaction, game)
    context = digest_heading(heading, [each.subject for each in told], len(games))
    phase = heading.phase.code if heading.phase else None
    return Letter(
        contexts=(context,),
        cause=f"digest:{mails[0].message_id}",
        address=mails[0].recipient,
        zone=reader.zone,
        token=token_for(transaction, Purpose.ORDERS, reader, Meaning(game=game, phase=phase)),
        game=game,
        person=reader.id,
        enclosed=told,
    )


def _heading(judge: Judge, transaction: Transaction, name: str | None) -> Heading:
    game = judge.histories.load(transaction, judge.boards, name) if name else None
    return (
        heading_of(judge.boards(game.variant), game, judge.code) if game else Heading(judge.code)
    )
