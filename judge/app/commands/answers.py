"""The answers to the questions in an email, which are made while no lock is held.

If the email has changed nothing, they are made before its transaction, which queues them. If it
has, they show what has changed: then the transaction queues the questions, and the answers are
made when the email is rendered, after the commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from functools import partial

from judge.app.commands.command import Answerer
from judge.app.commands.context import MailContext, QuestionContext, Session
from judge.app.commands.table import ALL_COMMANDS, COMMAND_OF
from judge.app.outbound.facts import FactsReader, Unanswered, read_value, write_value
from judge.app.ports.damaged_logs import reporting_damage
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Judge
from judge.app.ports.people import Person
from judge.app.public_log import closing_at
from judge.app.readings import Readings
from judge.game.events import evolve
from judge.game.game_state import Game
from judge.mail.language.command_syntax import ParsedLine
from judge.reports.emails import confirmation_emails
from judge.reports.emails.contexts import Context, Heading, heading_of

QUESTIONS = {each.parsed.__name__: each.parsed for each in ALL_COMMANDS if each.answer}


def answer_questions(
    context: MailContext,
    person: Person | None,
    session: Session | None,
    parsed: Iterable[ParsedLine],
) -> tuple[Context, ...]:
    """Return the pages that answer the questions in *parsed*; *person* is None for a stranger.

    After a change it is one page, with the questions.
    """
    questions = tuple(
        {replace(each, line=0, text=""): each for each in parsed if _answerer(each)}.values()
    )
    if not questions:
        return ()
    if person and context.has_changed:
        return (_to_be_answered(context, person, session, questions),)
    about = person, session and replace(session, evidence=""), questions
    return context.unlocked(
        about, lambda context: tuple(_answers(context, person, session, questions))
    )


def with_answers(
    judge: Judge, transaction: Transaction, pages: Iterable[Context], asked: datetime
) -> tuple[Context, ...]:
    """Return *pages*, with the answers in the place of questions that were *asked* then."""
    answered = tuple(_with_answers(judge, transaction, pages, asked))
    return answered or (confirmation_emails.unknown_sender(judge_code=judge.code),)


def _with_answers(
    judge: Judge, transaction: Transaction, pages: Iterable[Context], asked: datetime
) -> Iterator[Context]:
    reader = FactsReader(judge.board_drawn, partial(closing_at, judge, transaction))
    for page in pages:
        if not isinstance(page, Unanswered):
            yield page
            continue
        person = transaction.people.get(page.person)
        if person is None:
            continue
        session = read_value(Session, page.session, reader) if page.session else None
        readings = Readings(judge.reader, judge.opener, holds_no_lock=True)
        game = _game_then(judge, transaction, page)
        context = QuestionContext(judge, transaction, asked, readings, then=game)
        named = (each.partition(" ") for each in page.questions)
        questions = [read_value(QUESTIONS[name], text, reader) for name, _, text in named]
        yield from _answers(context, person, session, questions)


def _to_be_answered(
    context: MailContext, person: Person, session: Session | None, questions: Iterable[ParsedLine]
) -> Unanswered:
    game = context.game_open_to(person, session.game) if session else None
    code = context.judge.code
    return Unanswered(
        heading=heading_of(context.board(game), game, code) if game else Heading(code),
        person=person.id,
        version=game.version if game else 0,
        session=write_value(session) if session else None,
        questions=tuple(f"{type(each).__name__} {write_value(each)}" for each in questions),
    )


def _game_then(judge: Judge, transaction: Transaction, asked: Unanswered) -> Game | None:
    """Return the game of the questions as it was at their place in the email."""
    name = asked.heading.game
    game = judge.game_cache.load(transaction, judge.boards, name) if name else None
    if game is None or game.version == asked.version:
        return game
    board, then = judge.board_of(game), None
    for recorded in transaction.events.read(game.name):
        if recorded.version <= asked.version:
            then = evolve(board, then, recorded.event)
    return then


def _answers(
    context: QuestionContext,
    person: Person | None,
    session: Session | None,
    questions: Iterable[ParsedLine],
) -> Iterator[Context]:
    with reporting_damage(context.transaction, session.game) if session else nullcontext():
        for each in questions:
            if answerer := _answerer(each):
                yield from answerer(context, person, session, each)


def _answerer(parsed: ParsedLine) -> Answerer | None:
    return COMMAND_OF[type(parsed)].answer
