"""Press on its way in: a block between PRESS and ENDPRESS, or the answer to somebody's letter."""

from __future__ import annotations

from collections.abc import Sequence

from judge.app.desk import Desk, Session
from judge.app.finished import PROCESSED, Finished
from judge.app.letters import readers
from judge.app.ordering import why_no_power
from judge.app.pages import send_pages
from judge.app.recognise import Speaker
from judge.app.signing import session_of
from judge.game.commands import MODERATOR, SendPress
from judge.game.decision import Accepted, Refused, Why
from judge.game.game import Game
from judge.mail.body import Line
from judge.mail.identity import scrub
from judge.mail.said import ALL, MASTER, Press
from judge.reports import press, receipts
from judge.reports.items import Duplicate, PressBack, PressGone

OFFICES = {MASTER: MODERATOR}


def send_press(desk: Desk, session: Session, block: Press) -> PressGone | PressBack:
    """Send *block*; nothing leaves that is not closed, or is for somebody who is nobody."""
    if not block.closed or block.unknown:
        return PressBack(desk.shown(block.lines), None, block.unknown)
    return write(desk, session, _recipients(desk, session, block.recipients), block.lines)


def _recipients(desk: Desk, session: Session, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return who is meant: the word ALL is every other power of the game."""
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    everybody = tuple(power for power in game.seats if power != session.power)
    return tuple(
        recipient
        for name in named
        for recipient in (everybody if name == ALL else (OFFICES.get(name, name),))
    )


def write(
    desk: Desk, session: Session, recipients: tuple[str, ...], lines: Sequence[Line]
) -> PressGone | PressBack:
    """Send *lines* to *recipients*, without any address of ours that answers for the writer."""
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    sender = session.power or (MODERATOR if session.person.id == game.moderator else None)
    reached = _reached(desk, game, recipients)
    if sender is None or not reached:
        why = Why.NO_RECIPIENTS if sender else why_no_power(desk, session)
        return PressBack(desk.shown(lines), why)
    key = desk.transaction.people.key(session.person.id)
    assert key, "who writes has not been forgotten"
    text = scrub(
        "\n".join(line.text for line in lines).strip(), desk.judge.address, desk.judge.delimiter
    )
    if not text:
        return PressBack(desk.shown(lines), Why.EMPTY_PRESS)
    command = SendPress(
        message=desk.judge.chance.nonce(),
        sender=sender,
        person=session.person.id,
        recipients=recipients,
        sealed_text=desk.judge.sealer.seal(text, key),
        mail=desk.mail.sha256,
        received=desk.mail.received_utc,
    )
    match desk.conduct(session.game, command).decision:
        case Accepted():
            shown = text.splitlines() if game.house_rules.anonymous else ()
            return PressGone(reached, tuple(shown))
        case Refused(why=why):
            return PressBack(desk.shown(lines), why)


def _reached(desk: Desk, game: Game, recipients: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of *recipients* who can read it: a power without a player cannot."""
    everybody = tuple(readers(desk.transaction, game))
    return tuple(
        recipient
        for recipient in recipients
        if any(reader.is_among((recipient,)) for reader in everybody)
    )


def answer_press(desk: Desk, speaker: Speaker, to: str) -> Finished:
    """Send what answers a letter to its writer alone; it is no order (DECISIONS, Who speaks)."""
    session = session_of(desk, speaker)
    assert session is not None, "a letter is about a game"
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    received = desk.received_before(speaker.person)
    if received:
        again = receipts.receipt(
            desk.board(game), game, None, [Duplicate(received)], judge_code=desk.judge.code
        )
        send_pages(desk, speaker.person, [again])
        return PROCESSED
    gone = write(desk, session, (to,), desk.letter.text.fresh)
    echo = press.echo(
        desk.board(game),
        game,
        (to,),
        judge_code=desk.judge.code,
        refused=gone.why if isinstance(gone, PressBack) else None,
    )
    send_pages(desk, speaker.person, [echo])
    return PROCESSED
