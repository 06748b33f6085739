"""Diary notes and end-of-game statements, written by email and stored encrypted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from judge.app.commands.context import MailContext, Session
from judge.app.game.sealed_texts import Diaries
from judge.game.decision import Accepted, Refused, Why
from judge.game.diaries import (
    DropNote,
    MakeStatement,
    OpenDiary,
    OpenPress,
    WriteNote,
    is_diary_shown,
)
from judge.game.game_state import Game
from judge.mail.body import Line
from judge.mail.language.diary_commands import (
    Diary,
    DiaryCommand,
    DiaryDelete,
    DiaryRead,
    DiaryShow,
    PressShow,
    Statement,
)
from judge.reports.emails import game_history
from judge.reports.emails.contexts import Context
from judge.reports.emails.game_history import Note
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item

BEGINNING = 1  # line of each note in the list of them


def write_diary(desk: MailContext, session: Session, said: DiaryCommand) -> tuple[Item, ...]:
    """Do what *said* asks of a diary or of a game that is over, and account for it."""
    person = session.person.id
    match said:
        case Diary() | Statement():
            return (_keep(desk, session, said),)
        case DiaryDelete(notes=notes):
            return tuple(
                _put(desk, session, "diary_delete", DropNote(person, note)) for note in notes
            )
        case DiaryShow(shown=shown):
            name = "diary_show" if shown else "diary_hide"
            return (_put(desk, session, name, OpenDiary(person, shown)),)
        case PressShow(shown=shown):
            name = "press_show" if shown else "press_hide"
            return (_put(desk, session, name, OpenPress(person, shown)),)
        case _:
            assert_never(said)


def own_diary(desk: MailContext, session: Session | None, said: DiaryRead) -> Context | None:
    """Show the writer what he has noted, whole or by beginnings; nobody else ever asks this."""
    game = desk.game(session.game) if session else None
    if session is None or game is None or session.acting:
        return None
    own = session.person.id
    written = Diaries(desk.judge, desk.transaction, game)
    notes = tuple(
        note if said.whole else Note(note.by, note.lines[:BEGINNING], note.number, note.phase)
        for person, note in written.notes()
        if person == own and said.note in (None, note.number)
    )
    code = desk.judge.code
    return game_history.diaries_and_statements(
        desk.board(game), game, (), notes, own=True, judge_code=code
    )


def statements_shown(desk: MailContext, game: Game) -> Sequence[Context]:
    """Return what everybody may read of a game that is over, if anything was written."""
    written = Diaries(desk.judge, desk.transaction, game)
    notes = tuple(note for person, note in written.notes() if is_diary_shown(game, person))
    statements = tuple(written.statements())
    if not notes and not statements:
        return ()
    board, code = desk.board(game), desk.judge.code
    return (
        game_history.diaries_and_statements(
            board, game, statements, notes, own=False, judge_code=code
        ),
    )


def _keep(desk: MailContext, session: Session, said: Diary | Statement) -> Item:
    name = "diary" if isinstance(said, Diary) else "statement"
    text = _text(said.lines)
    if not said.closed:
        return CommandRefused(name, Why.NOT_CLOSED)
    if not text:
        return CommandRefused(name, Why.EMPTY_PRESS)
    key = desk.transaction.people.key(session.person.id)
    assert key, "who writes has not been forgotten"
    made = WriteNote if isinstance(said, Diary) else MakeStatement
    sealed = desk.judge.encryption.seal(text, key)
    return _put(desk, session, name, made(session.person.id, sealed, desk.mail.sha256))


def _text(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines).strip()


def _put(
    desk: MailContext,
    session: Session,
    name: str,
    command: WriteNote | MakeStatement | DropNote | OpenDiary | OpenPress,
) -> Item:
    match desk.conduct(session.game, command).decision:
        case Accepted() | Refused(why=Why.NOTHING_CHANGED):
            return CommandDone(name)
        case Refused(why=why):
            return CommandRefused(name.replace("_", " "), why)
        case other:
            assert_never(other)
