"""Digests: emails held back for a reader and sent as one, which are rendered then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from judge.app.outbound.facts import letters_of
from judge.app.outbound.queue import EmailDraft, ReplyMeaning, queue_email, token_for
from judge.app.ports.database import Transaction, retry_overtaken
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import OutgoingMail
from judge.app.ports.people import Person, Purpose
from judge.reports.emails.contexts import Digest, Heading, heading_of

MAILS_MAX, BYTES_MAX = 50, 150_000  # of facts per digest; the rest comes in the next


def send_digests(judge: Judge, persons: Sequence[str], now: datetime) -> None:
    """Send the digests that *persons* await: one email per reader, across games."""
    for person in persons:
        claim = f"gather for {person}"
        if judge.database.claims.take(claim):  # Otherwise another judge sends it.
            try:
                _send_digest(judge, person, now)
            finally:
                judge.database.claims.leave(claim)


def _send_digest(judge: Judge, person: str, now: datetime) -> None:
    def gather() -> None:
        with judge.database.write() as transaction:
            waiting = transaction.outbox.waiting(person, now)
            for _, mails in groupby(waiting, key=attrgetter("recipient")):
                for some in _split(mails):
                    _send_portion(judge, transaction, some, now)

    try:
        retry_overtaken(gather)
    except Exception as error:  # noqa: BLE001 - one reader must not hold up the others
        judge.operator_log.failed("gathering.failed", error)


def _split(mails: Iterator[OutgoingMail]) -> Iterator[Sequence[OutgoingMail]]:
    portion: list[OutgoingMail] = []
    size = 0
    for mail in mails:
        length = (
            letters_of(mail.facts) if mail.facts else len(mail.raw)
        )  # Older ones are rendered.
        if portion and (len(portion) == MAILS_MAX or size + length > BYTES_MAX):
            yield portion
            portion, size = [], 0
        portion.append(mail)
        size += length
    yield portion


def _send_portion(
    judge: Judge, transaction: Transaction, mails: Sequence[OutgoingMail], now: datetime
) -> None:
    """Queue *mails* as one digest; a single one unchanged, in its own thread."""
    first, *others = mails
    reader = transaction.people.get(first.person) if first.person else None
    if reader is None or not others:
        for mail in mails:
            transaction.outbox.release(mail.message_id, now)
        return
    draft = _digest(judge, transaction, mails, reader)
    identity = queue_email(judge, transaction, draft, now)
    for mail in mails:
        transaction.outbox.enclose(mail.message_id, identity)


def _digest(
    judge: Judge, transaction: Transaction, mails: Sequence[OutgoingMail], reader: Person
) -> EmailDraft:
    """Write the digest, about a game if all in it are; a reply to it is not press."""
    games = tuple(dict.fromkeys(mail.game for mail in mails))
    game = games[0] if len(games) == 1 else None
    heading = _heading(judge, transaction, game)
    context = Digest(heading=heading, subjects=(), games=len(games))
    phase = heading.phase.code if heading.phase else None
    return EmailDraft(
        contexts=(context,),
        cause=f"digest:{mails[0].message_id}",
        address=mails[0].recipient,
        zone=reader.zone,
        token=token_for(transaction, Purpose.ORDERS, reader, ReplyMeaning(game=game, phase=phase)),
        game=game,
        person=reader.id,
    )


def _heading(judge: Judge, transaction: Transaction, name: str | None) -> Heading:
    game = judge.game_cache.load(transaction, judge.boards, name) if name else None
    return heading_of(judge.board_of(game), game, judge.code) if game else Heading(judge.code)
