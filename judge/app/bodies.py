"""What stands in a mail: its words, their markup, the picture and the calendars beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from judge.app.illustrations import chips, recipe
from judge.app.judge import Judge
from judge.mail.appointments import Appointment, written
from judge.mail.compose import Attachment, Picture
from judge.mail.enclosed import Enclosed, within
from judge.mail.language.said import Form
from judge.reports.contexts import Context
from judge.reports.deadlines import Deadline, deadlines
from judge.reports.documents import document
from judge.reports.render import Rendered, render

BETWEEN = "\n" + "-" * 72 + "\n\n"  # the pages of a mail
FORMS = tuple(Form)  # from the least


@dataclass(frozen=True, slots=True)
class Body:
    """A mail but for its headers and addresses."""

    language: str
    subject: str
    text: str
    html: str | None
    picture: Picture | None
    attachments: tuple[Attachment, ...]


def body(judge: Judge, contexts: Sequence[Context], wish: Form, now: datetime) -> Body:
    """Put all that *contexts* say into one mail, of no more than its reader has a *wish* for."""
    form = min(wish, judge.form, key=FORMS.index)
    picture = _picture(judge, contexts[0]) if form is Form.PICTURES else None
    shown = picture.content_id if picture else None
    pages = [render(contexts[0], shown), *(render(each) for each in contexts[1:])]
    return Body(
        language=contexts[0].heading.language,
        subject=pages[0].subject,
        text=BETWEEN.join(each.text for each in pages),
        html=None if form is Form.TEXT else _document(contexts, pages),
        picture=picture,
        attachments=() if form is Form.TEXT else tuple(_calendars(judge, contexts, now)),
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
        html=within(body.html, markup) if body.html and whole else None,
    )


def _document(contexts: Sequence[Context], pages: Sequence[Rendered]) -> str:
    board = next((each.heading.board for each in contexts if each.heading.board), None)
    return document(pages, chips(board), contexts[0].heading.language)


def _picture(judge: Judge, context: Context) -> Picture | None:
    """Return the picture of *context*, which is named after what is in it."""
    content = recipe(judge, context)
    if content is None:
        return None
    name = sha256(content).hexdigest()[:32]
    return Picture(f"{name}@{judge.domain}", f"{context.heading.game}.png", content)


def _calendars(judge: Judge, contexts: Sequence[Context], now: datetime) -> Iterator[Attachment]:
    for deadline in (each for context in contexts for each in deadlines(context, now)):
        appointment = _appointment(judge, deadline, now)
        name = f"{deadline.game}-{deadline.phase}.ics"
        yield Attachment(name, appointment.method, written(appointment))


def _appointment(judge: Judge, deadline: Deadline, now: datetime) -> Appointment:
    return Appointment(
        uid=f"{deadline.phase}.{deadline.game}@{judge.domain}",
        organizer=judge.address,
        told_at=now,
        due=deadline.due,
        summary=deadline.summary,
        description=deadline.description,
        cancelled=deadline.cancelled,
    )
