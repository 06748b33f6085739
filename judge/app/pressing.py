"""Press on its way in: a block between PRESS and ENDPRESS, or the answer to somebody's letter."""

from __future__ import annotations

from collections.abc import Sequence

from judge.app.desk import Desk, Session
from judge.app.finished import PROCESSED, Finished
from judge.app.pages import page, send_pages
from judge.app.ports import InboxState
from judge.app.recognise import Speaker
from judge.app.signing import session_of
from judge.game.commands import MODERATOR, SendPress
from judge.game.decision import Accepted, Refused, Why
from judge.mail.identity import scrub
from judge.mail.said import ALL, MASTER, Press
from judge.reports import press
from judge.reports.items import PressBack, PressGone

OFFICES = {MASTER: MODERATOR}


def send_press(desk: Desk, session: Session, block: Press) -> PressGone | PressBack:
    """Send *block*; nothing leaves that is not closed, or is for somebody who is nobody."""
    lines = tuple(line.text for line in block.lines)
    if not block.closed or block.unknown:
        return PressBack(lines, None, block.unknown)
    return write(desk, session, _recipients(desk, session, block.recipients), lines)


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
    desk: Desk, session: Session, recipients: tuple[str, ...], lines: Sequence[str]
) -> PressGone | PressBack:
    """Send *lines* to *recipients*, without any address of ours that answers for the writer."""
    if session.power is None:
        return PressBack(tuple(lines), Why.NOT_A_PLAYER)
    key = desk.transaction.people.key(session.person.id)
    assert key, "who writes has not been forgotten"
    text = scrub("\n".join(lines).strip(), desk.judge.address)
    command = SendPress(
        message=desk.judge.chance.nonce(),
        sender=session.power,
        person=session.person.id,
        recipients=recipients,
        sealed_text=desk.judge.sealer.seal(text, key),
        mail=desk.mail.sha256,
        received=desk.mail.received_utc,
    )
    match desk.conduct(session.game, command).decision:
        case Accepted():
            return PressGone(recipients)
        case Refused(why=why):
            return PressBack(tuple(lines), why)


def answer_press(desk: Desk, speaker: Speaker, to: str) -> Finished:
    """Send what answers somebody's letter to him alone; nothing in it is an order (DECISIONS, Who speaks)."""
    session = session_of(desk, speaker)
    game = desk.game(session.game) if session else None
    if session is None or game is None:
        return Finished(InboxState.IGNORED, "press about no game")
    lines = tuple(line.text for line in desk.letter.text.fresh)
    gone = write(desk, session, (to,), lines)
    echo = press.echo(
        desk.board(game),
        game,
        (to,),
        judge_code=desk.judge.code,
        refused=gone.why if isinstance(gone, PressBack) else None,
    )
    send_pages(desk, speaker.person, [page(echo)])
    return PROCESSED
