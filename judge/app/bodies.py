"""What stands in a mail: its words, their markup, the picture and the calendars beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from judge.app.illustrations import chips, recipes
from judge.app.judge import Judge
from judge.mail.compose import (
    Appointment,
    Attachment,
    Enclosed,
    Picture,
    as_enclosed,
    calendar_text,
)
from judge.mail.language.profile_commands import MailForm, ResultPictures
from judge.reports.calendar_entries import CalendarDeadline, calendar_deadlines
from judge.reports.emails.contexts import Context
from judge.reports.emails.game_history import BoardMap
from judge.reports.render import Rendered, html_document, render

BETWEEN = "\n" + "-" * 72 + "\n\n"  # the pages of a mail
FORMS = tuple(MailForm)  # from the least
BOARDS_MAX = 2  # pages of an email that have pictures because somebody asked for them


@dataclass(frozen=True, slots=True)
class Body:
    """A mail but for its headers and addresses."""

    language: str
    subject: str
    text: str
    html: str | None
    pictures: tuple[Picture, ...]
    attachments: tuple[Attachment, ...]


@dataclass(frozen=True, slots=True)
class Taste:
    """What a reader wants emails to be made of."""

    form: MailForm
    pictures: ResultPictures = ResultPictures.BOTH


def body(judge: Judge, contexts: Sequence[Context], taste: Taste, now: datetime) -> Body:
    """Put all that *contexts* say into one email, of no more than is to its reader's *taste*.

    Somebody who asks for the board gets its picture, whatever else they want, but not if the
    operator sends none.
    """
    asked = any(isinstance(each, BoardMap) for each in contexts)
    form = min(MailForm.PICTURES if asked else taste.form, judge.form, key=FORMS.index)
    drawn = _drawn(judge, contexts, taste) if form is MailForm.PICTURES else {}
    pages = [
        render(each, {name: picture.content_id for name, picture in drawn.get(number, {}).items()})
        for number, each in enumerate(contexts)
    ]
    painted = {each.content_id: each for page in drawn.values() for each in page.values()}
    return Body(
        language=contexts[0].heading.language,
        subject=pages[0].subject,
        text=BETWEEN.join(each.text for each in pages),
        html=None if form is MailForm.TEXT else _document(contexts, pages),
        pictures=tuple(painted.values()),
        attachments=() if form is MailForm.TEXT else tuple(_calendars(judge, contexts, now)),
    )


def enclosing(body: Body, more: Sequence[Enclosed]) -> Body:
    """Return *body* with what other mails say behind it."""
    if not more:
        return body
    markup = tuple(each.html for each in more if each.html)
    whole = body.html is not None and len(markup) == len(more)  # else there is the text
    return replace(
        body,
        text=BETWEEN.join([body.text, *(each.text for each in more)]),
        html=as_enclosed(body.html, markup) if body.html and whole else None,
    )


def _document(contexts: Sequence[Context], pages: Sequence[Rendered]) -> str:
    board = next((each.heading.board for each in contexts if each.heading.board), None)
    return html_document(pages, chips(board), contexts[0].heading.language)


def _drawn(
    judge: Judge, contexts: Sequence[Context], taste: Taste
) -> Mapping[int, Mapping[str, Picture]]:
    """Return the pictures by page: of the first, and of those that show a board on demand."""
    boards = [number for number, each in enumerate(contexts) if isinstance(each, BoardMap)]
    return {
        number: _pictures(judge, contexts[number], taste) for number in {0, *boards[:BOARDS_MAX]}
    }


def _pictures(judge: Judge, context: Context, taste: Taste) -> Mapping[str, Picture]:
    """Return the pictures of *context*, which are named after what is in them."""
    found = {}
    for shown, content in recipes(judge, context, taste.pictures).items():
        name = f"{sha256(content).hexdigest()[:32]}@{judge.domain}"
        found[shown] = Picture(name, f"{context.heading.game}-{shown}.png", content)
    return found


def _calendars(judge: Judge, contexts: Sequence[Context], now: datetime) -> Iterator[Attachment]:
    for deadline in (each for context in contexts for each in calendar_deadlines(context, now)):
        appointment = _appointment(judge, deadline, now)
        name = f"{deadline.game}-{deadline.phase}.ics"
        yield Attachment(name, appointment.method, calendar_text(appointment))


def _appointment(judge: Judge, deadline: CalendarDeadline, now: datetime) -> Appointment:
    return Appointment(
        uid=f"{deadline.phase}.{deadline.game}@{judge.domain}",
        organizer=judge.address,
        told_at=now,
        due=deadline.due,
        summary=deadline.summary,
        description=deadline.description,
        cancelled=deadline.cancelled,
    )
