"""Questions in plain words, answered by the page of help that their keyword names."""

from __future__ import annotations

from collections.abc import Sequence

from judge.app.desk import STANDARD, Desk
from judge.mail.body import Line
from judge.mail.language.command_reader import Parsed, read_command
from judge.mail.language.command_syntax import OrderText, UnknownCommand
from judge.mail.reader.email_text import OUR_SUBJECT, REPLY_PREFIX
from judge.mail.reader.phase_headings import holds_order
from judge.mail.reader.prose import is_question, topic_in, topics_asked
from judge.reports.emails import help_pages
from judge.reports.emails.contexts import Context


def keyword_pages(desk: Desk, said: Sequence[Parsed]) -> tuple[Context, ...]:
    """Return the pages of help about what the sentences in *said* ask."""
    code = desk.judge.code
    return tuple(help_pages.help_page(each, judge_code=code) for each in topics_of(desk, said))


def is_answered(desk: Desk, said: Sequence[Parsed], sentence: str) -> bool:
    """Return whether *sentence*, which is in *said*, is a question that a page of help answers."""
    return is_question(sentence) and topic_in(sentence) in topics_of(desk, said)


def topics_of(desk: Desk, said: Sequence[Parsed]) -> Sequence[str]:
    """Return what the sentences in *said* ask about; the subject asks if nothing else does."""
    board = desk.judge.boards(STANDARD)
    lines = [line.text for each in said if isinstance(each, OrderText) for line in each.lines]
    prose = [line for line in lines if not holds_order(line, board)]
    alone = len(prose) == len(lines) and all(isinstance(each, OrderText) for each in said)
    subject = desk.letter.subject
    if not said and not REPLY_PREFIX.match(subject) and not subject.isupper():  # a command
        prose = [subject]
    return topics_asked(prose, alone=alone)


def says_in_subject(desk: Desk) -> bool:
    """Return whether orders or a command stand in the subject, or it alone was written."""
    board = desk.judge.boards(STANDARD)
    answers = REPLY_PREFIX.match(desk.letter.subject)
    subject = REPLY_PREFIX.sub("", desk.letter.subject).strip()
    command = read_command(Line(0, subject), board, first=False)
    empty = not any(line.text.strip() for line in desk.letter.text.fresh)
    ours = OUR_SUBJECT.search(subject) is not None
    says = not ours and (
        holds_order(subject, board) or not isinstance(command, UnknownCommand | None)
    )
    return bool(subject) and (says or (empty and not answers))
