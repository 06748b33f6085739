"""Diary notes and end-of-game statements, written by email and stored encrypted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import assert_never

from judge.app.commands.command import CommandRow, Outcome
from judge.app.commands.context import MailContext, QuestionContext, Session
from judge.app.game.encrypted_texts import Diaries
from judge.app.ports.people import Person
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game
from judge.game.players import diaries
from judge.mail.body import Line, trimmed
from judge.mail.language.command_syntax import CommandReader, LineMaker, ParsedLine
from judge.mail.language.command_table import CommandTable, Form
from judge.mail.reader.phase_hints import holds_order
from judge.reports.emails import game_history
from judge.reports.emails.contexts import Context
from judge.reports.emails.game_history import Note
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item, LinesReturned
from judge.rules.board import Map

SIGN_OFF = "SIGNOFF"


@dataclass(frozen=True, slots=True)
class Diary(ParsedLine):
    """`DIARY` ... `ENDDIARY`: a private note; if not *closed*, *lines* is all that follows.

    The end of the email ends a note, too, unless something else stands below it.
    """

    lines: tuple[Line, ...]
    closed: bool


@dataclass(frozen=True, slots=True)
class Statement(ParsedLine):
    """`STATEMENT` ... `ENDSTATEMENT`: a public end-of-game statement."""

    lines: tuple[Line, ...]
    closed: bool


@dataclass(frozen=True, slots=True)
class DiaryRead(ParsedLine):
    """`DIARY LIST` for the first lines; `DIARY READ` or `DIARY READ 3` for *whole* notes."""

    note: int | None
    whole: bool


@dataclass(frozen=True, slots=True)
class DiaryDelete(ParsedLine):
    """`DIARY DELETE 3`."""

    notes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiaryShow(ParsedLine):
    """`DIARY SHOW` or `DIARY HIDE`: publish the diary after the game, or not."""

    shown: bool


@dataclass(frozen=True, slots=True)
class PressShow(ParsedLine):
    """`SHOW PRESS` or `HIDE PRESS`: agree, or not, to publish private press after the game."""

    shown: bool


DIARIES = ("DIARY", "TAGEBUCH", "JOURNAL")
CLOSINGS = {
    "DIARY": frozenset(
        (*(f"END{each}" for each in DIARIES), "DIARYEND", "ENDPRESS", "ENDBROADCAST", SIGN_OFF)
    ),
    "STATEMENT": frozenset(("ENDSTATEMENT", "STATEMENTEND", "ENDEOG", "EOGEND", SIGN_OFF)),
}


def _read_block(
    made: type[Diary | Statement], line: Line, below: Sequence[Line]
) -> tuple[Diary | Statement, int] | None:
    """Read the block below *line*; SIGNOFF ends it and is read on its own, too."""
    ends = CLOSINGS[made.__name__.upper()]
    at = next((i for i, each in enumerate(below) if _closing_word(each) in ends), None)
    if at is None and made is Statement and not line.text.isupper():
        return None
    text = made(trimmed(below[:at]), closed=at is not None, line=line.number, text=line.text)
    if at is None:
        return text, len(below)
    return text, at if _closing_word(below[at]) == SIGN_OFF else at + 1


def _read_diary(arguments: list[str], _: Map) -> LineMaker | None:
    """Read `LIST`, `READ`, `READ 3`, `DELETE 3 4`, `SHOW`, `HIDE`."""
    numbers = [int(word) for word in arguments[1:] if word.isdecimal()]
    if len(numbers) < len(arguments) - 1:
        return None
    match arguments[0].upper() if arguments else "":
        case "LIST" if not numbers:
            return partial(DiaryRead, note=None, whole=False)
        case "READ" if len(numbers) < 2:  # noqa: PLR2004 - one, or all
            return partial(DiaryRead, note=next(iter(numbers), None), whole=True)
        case "DELETE" if numbers:
            return partial(DiaryDelete, notes=tuple(numbers))
        case "SHOW" | "HIDE" as word if not numbers:
            return partial(DiaryShow, shown=word == "SHOW")
        case _:
            return None


def _show_press_reader(word: str) -> CommandReader:
    def read(arguments: list[str], _: Map) -> LineMaker | None:
        named = [each.upper() for each in arguments] == ["PRESS"]
        return partial(PressShow, shown=word == "SHOW") if named else None

    return read


END = re.compile(r"(?:ENDE?|FIN)(?: (?:DES|VOM|DU|DE|OF))?(?: (?:THE|MY|MON))?(?= [A-Z]+$)")


def _closing_word(line: Line) -> str:
    """Return the word of *line* if it closes a block: ENDDIARY of `Ende Tagebuch`."""
    return "".join(END.sub("END", line.text.upper().strip(" .")).split())


BEGINNING = 1  # lines of each note in the list


def _delete_notes(context: MailContext, session: Session, parsed: DiaryDelete) -> tuple[Item, ...]:
    person = session.person.id
    return tuple(
        _apply(context, session, "diary_delete", diaries.DropNote(person, note))
        for note in parsed.notes
    )


def _show_diary(context: MailContext, session: Session, parsed: DiaryShow) -> Item:
    name = "diary_show" if parsed.shown else "diary_hide"
    return _apply(context, session, name, diaries.OpenDiary(session.person.id, parsed.shown))


def _show_press(context: MailContext, session: Session, parsed: PressShow) -> Item:
    name = "press_show" if parsed.shown else "press_hide"
    return _apply(context, session, name, diaries.OpenPress(session.person.id, parsed.shown))


def _read_notes(
    context: QuestionContext, _: Person | None, session: Session | None, parsed: DiaryRead
) -> Sequence[Context]:
    game = context.game(session.game) if session else None
    if session is None or game is None or session.acting:
        return ()
    own = session.person.id
    written = Diaries(context.judge, context.transaction, game)
    notes = tuple(
        note if parsed.whole else Note(note.by, note.lines[:BEGINNING], note.number, note.phase)
        for person, note in written.notes()
        if person == own and parsed.note in (None, note.number)
    )
    code = context.judge.code
    page = game_history.diaries_and_statements(
        context.board(game), game, (), notes, own=True, judge_code=code
    )
    return (page,)


def statements_shown(context: QuestionContext, game: Game) -> Sequence[Context]:
    """Return the public statements and diaries of a game that is over, if any."""
    written = Diaries(context.judge, context.transaction, game)
    notes = tuple(note for person, note in written.notes() if diaries.is_diary_shown(game, person))
    statements = tuple(written.statements())
    if not notes and not statements:
        return ()
    board, code = context.board(game), context.judge.code
    return (
        game_history.diaries_and_statements(
            board, game, statements, notes, own=False, judge_code=code
        ),
    )


def _keep_text(context: MailContext, session: Session, parsed: Diary | Statement) -> Outcome:
    name = "diary" if isinstance(parsed, Diary) else "statement"
    text = "\n".join(line.text for line in parsed.lines).strip()
    returned = LinesReturned(context.shown(parsed.lines))
    if not parsed.closed and _needs_closing(context, session, parsed):
        return CommandRefused(name, Why.NOT_CLOSED), returned
    if not text:
        return CommandRefused(name, Why.EMPTY_PRESS)
    key = context.transaction.people.key(session.person.id)
    assert key, "an active person has a key"
    made = diaries.WriteNote if isinstance(parsed, Diary) else diaries.MakeStatement
    sealed = context.judge.encryption.seal(text, key)
    done = _apply(context, session, name, made(session.person.id, sealed, context.mail.sha256))
    return (done, returned) if isinstance(done, CommandRefused) else done


def _needs_closing(context: MailContext, session: Session, parsed: Diary | Statement) -> bool:
    """Return whether the end of *parsed* must be marked: what all read, or what holds more."""
    if isinstance(parsed, Statement):
        return True
    board = context.board(context.game_of(session))
    return context.read(holds_more, parsed.lines, board, context.judge.commands)


def holds_more(lines: tuple[Line, ...], board: Map, commands: CommandTable) -> bool:
    """Return whether *lines* hold orders or commands."""
    return any(
        holds_order(line.text, board, holds=True) or commands.read(line, board, first=False)
        for line in lines
    )


def _apply(
    context: MailContext,
    session: Session,
    name: str,
    command: diaries.WriteNote
    | diaries.MakeStatement
    | diaries.DropNote
    | diaries.OpenDiary
    | diaries.OpenPress,
) -> Item:
    match context.apply_command(session.game, command).decision:
        case Accepted() | Refused(why=Why.NOTHING_CHANGED):
            return CommandDone(name)
        case Refused(why=why):
            return CommandRefused(name.replace("_", " "), why)
        case other:
            assert_never(other)


COMMANDS = (
    CommandRow(
        Diary,
        blocks=dict.fromkeys((*DIARIES, "DIARY RECORD"), partial(_read_block, Diary)),
        suggested={"DIARY": "DIARY READ"},
        handle=_keep_text,
        topic="diary",
        aliases="diaries, notes",
        forms=(
            Form(
                "DIARY ... Italy is honest. ... ENDDIARY",
                "writes a note for yourself",
                also="DIARY RECORD ... Italy is honest. ... ENDDIARY",
            ),
        ),
    ),
    CommandRow(
        Statement,
        blocks={
            "STATEMENT": partial(_read_block, Statement),
            "EOG": partial(_read_block, Statement),
        },
        suggested={"STATEMENT": ""},
        handle=_keep_text,
        topic="statement",
        aliases="eog",
        forms=(
            Form(
                "STATEMENT ... Thank you. ... ENDSTATEMENT",
                "sends everybody your thoughts on a game that is over",
            ),
        ),
    ),
    CommandRow(
        DiaryDelete,
        readers={"DIARY": _read_diary},
        handle=_delete_notes,
        topic="diary",
        forms=(Form("DIARY DELETE 3", "deletes a note"),),
    ),
    CommandRow(
        DiaryRead,
        answer=_read_notes,
        topic="diary",
        forms=(
            Form(
                "DIARY LIST | DIARY READ | DIARY READ 3", "lists your notes, or sends all or one"
            ),
        ),
    ),
    CommandRow(
        DiaryShow,
        handle=_show_diary,
        topic="diary",
        forms=(
            Form(
                "DIARY SHOW | DIARY HIDE",
                "opens your notes to everybody after the game, or keeps them private",
            ),
        ),
    ),
    CommandRow(
        PressShow,
        readers={"SHOW": _show_press_reader("SHOW"), "HIDE": _show_press_reader("HIDE")},
        handle=_show_press,
        topic="press",
        forms=(
            Form(
                "SHOW PRESS | HIDE PRESS",
                "opens your press to everybody after the game, if every writer agrees; or keeps "
                "it private",
            ),
        ),
    ),
)
