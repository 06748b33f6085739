"""The pages of emails that are made while no lock is held: from a game's log, and answers.

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
from judge.app.game.event_emails import announced_pages
from judge.app.outbound.facts import (
    Announced,
    FactsReader,
    OrdersMissing,
    TasksPending,
    Unanswered,
    read_value,
    write_value,
)
from judge.app.ports.damaged_logs import reporting_damage
from judge.app.ports.database import Transaction
from judge.app.ports.judge import AnnouncedPages, Judge
from judge.app.ports.people import Person
from judge.app.public_log import closing_at
from judge.app.readings import Readings
from judge.game.game_state import Game
from judge.mail.language.command_syntax import ParsedLine
from judge.reports.emails.contexts import Context, Heading, heading_of
from judge.reports.emails.game_news import desk_mail
from judge.reports.emails.notices import reminder

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


def finished_pages(
    judge: Judge,
    transaction: Transaction,
    pages: Iterable[Context],
    written: datetime,
    announced: AnnouncedPages,
) -> tuple[Context, ...]:
    """Return *pages*, with what they say in the place of those that only say about what.

    Questions are answered as if they were asked just when the email was *written*.
    """
    found = list[Context]()
    for page in pages:
        match page:
            case Announced():
                found += announced_pages(judge, transaction, page, announced)
            case OrdersMissing(version=version, power=power, length=length, waiting=waiting):
                game, code = _game_at(judge, transaction, page, version), judge.code
                board = judge.board_of(game)
                found.append(
                    reminder(board, game, power, length, judge_code=code, waiting=waiting)
                )
            case TasksPending(version=version):
                game = _game_at(judge, transaction, page, version)
                asking = transaction.people.get_each(game.applicants)
                handles = {name: each.handle for name, each in asking.items()}
                found.append(desk_mail(judge.board_of(game), game, handles, judge_code=judge.code))
            case Unanswered():
                found += _answers_later(judge, transaction, page, written)
            case _:
                found.append(page)
    return tuple(found)


def _answers_later(
    judge: Judge, transaction: Transaction, page: Unanswered, asked: datetime
) -> Iterator[Context]:
    reader = FactsReader(judge.board_drawn, partial(closing_at, judge, transaction))
    person = transaction.people.get(page.person)
    if person is None:
        return
    session = read_value(Session, page.session, reader) if page.session else None
    readings = Readings(judge.reader, judge.opener, holds_no_lock=True)
    game = _game_at(judge, transaction, page, page.version) if page.heading.game else None
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


def _game_at(judge: Judge, transaction: Transaction, page: Context, version: int) -> Game:
    name = page.heading.game or ""
    game = judge.game_cache.at(transaction, judge.boards, name, version)
    assert game is not None, "a log only grows"
    return game


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
