"""Queue emails for the recipients of a game or anyone: addresses, threads, tokens, attachments."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import chain
from typing import TypeAlias, assert_never

from judge.app.outbound.maps import map_recipes, power_chips
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import OutgoingMail
from judge.app.ports.people import (
    MailForm,
    MailPace,
    Person,
    Purpose,
    Receipts,
    ResultPictures,
    Token,
)
from judge.game import visibility
from judge.game.game_state import Game, SeatState
from judge.game.press import MODERATOR, OBSERVERS
from judge.mail import compose, proofs
from judge.mail.headers import address_with, folded, token_text
from judge.mail.language.confirmations import code_of
from judge.reports.board_names import power_name
from judge.reports.emails import press
from judge.reports.emails.contexts import Answer, Context, addressed_to_reader
from judge.reports.emails.game_history import BoardMap, GameOver
from judge.reports.emails.order_status import Commitment
from judge.reports.emails.phase_results import PhaseResults
from judge.reports.emails.press import PressEmail as Press
from judge.reports.emails.receipts import Receipt
from judge.reports.languages import SOURCE
from judge.reports.render import (
    HTML_BYTES_MAX,
    Rendered,
    html_document,
    kind_name,
    render,
    sentences,
)
from judge.rules.types import Power

CAN_WAIT = frozenset({"letter", "vacancy", "civil_disorder"})  # the other kinds are critical
STORED_KINDS = {  # of emails that had another name when the first were stored
    "already_answered": "settled",
    "cannot_join": "at_the_door",
    "diaries_and_statements": "memoirs",
    "game_news": "table_news",
    "phase_held": "held",
    "press_email": "letter",
    "unknown_sender": "unknown",
    "unread_mail": "unread",
}
DAILY_HOUR = 18  # in UTC, some time before the deadline of most games
NEVER = datetime(9999, 1, 1, tzinfo=UTC)  # until the reader chooses another pace


def email_kind(context: Context) -> str:
    """Return the kind under which the outbox stores an email that begins with *context*."""
    name = kind_name(context)
    return STORED_KINDS.get(name, name)


def send_time(kind: str, pace: MailPace, now: datetime) -> datetime:
    """Return when an email of *kind* queued *now* goes to a reader with that *pace*."""
    return next_send_time(pace, now) if kind in CAN_WAIT else now


def next_daily(now: datetime) -> datetime:
    """Return when the next daily emails go out."""
    return next_send_time(MailPace.DAILY, now)


def next_send_time(pace: MailPace, now: datetime) -> datetime:
    """Return when email that can wait goes out to a person with *pace*."""
    hour = now.replace(minute=0, second=0, microsecond=0)
    match pace:
        case MailPace.AT_ONCE:
            return now
        case MailPace.HOURLY:
            return hour + timedelta(hours=1)
        case MailPace.DAILY:
            return hour + timedelta(hours=(DAILY_HOUR - hour.hour - 1) % 24 + 1)
        case MailPace.CRITICAL:
            return NEVER
        case _:
            assert_never(pace)


KIND_HEADER = "X-Judge-Kind"
UNSUBSCRIBE = "unsubscribe"  # the subject of a request for critical emails only


@dataclass(frozen=True, slots=True)
class AnsweredEmail:
    """The reader's email that an email of ours answers."""

    message_id: str | None


Unlocked: TypeAlias = "Callable[[object, Callable[[], Body]], Body]"


def at_once(_: object, make: Callable[[], Body]) -> Body:
    """Return what *make* returns."""
    return make()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailDraft:
    """An email to be queued.

    Its pages are *contexts*, and its subject that of the first. *cause* is the unique name of its
    occasion: with the reader it makes the Message-ID, so the same cause never sends twice to the
    same reader. *token* is the meaning of a reply; *thread* is the first message of an exchange of
    press. *unlocked* composes its body, before the transaction if it can.
    """

    contexts: tuple[Context, ...]
    cause: str
    address: str
    zone: str | None = None  # the reader's choice
    token: Token | None = None
    game: str | None = None
    person: str | None = None
    answers: AnsweredEmail | None = None
    thread: str | None = None
    due_utc: datetime | None = None  # None means now
    enclosed: tuple[compose.Enclosed, ...] = ()
    unlocked: Unlocked = at_once

    @property
    def kind(self) -> str:
        return email_kind(self.contexts[0])


@dataclass(frozen=True, slots=True)
class _Content:
    """The content of an email and its threads."""

    body: Body
    thread: tuple[str, ...]


def queue_email(judge: Judge, transaction: Transaction, draft: EmailDraft, now: datetime) -> str:
    """Queue *draft* unless it was queued before, and return its Message-ID.

    An email for later is held back for the reader's digest.
    """
    key, reader = transaction.secrets.id_key(), draft.person or draft.address
    waits = draft.due_utc is not None and draft.due_utc > now
    body = _body(judge, transaction, draft, now, waits=waits)
    content = _Content(enclosing_body(body, draft.enclosed), _thread(judge, transaction, draft))
    identity = compose.message_id(key, draft.cause, reader, judge.domain)
    if draft.token:
        transaction.people.issue(draft.token)
    queue = transaction.outbox.hold_back if waits else transaction.outbox.put
    queue(
        OutgoingMail(
            message_id=identity,
            sender=_return_path(judge, key, draft, identity),
            recipient=draft.address,
            raw=compose.compose(_message(judge, draft, content, identity, now)),
            due_utc=draft.due_utc or now,
            kind=draft.kind,
            game=draft.game,
            person=draft.person,
            token=draft.token.text if draft.token else None,
        )
    )
    return identity


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyMeaning:
    """The meaning of a reply to an email; see `Token` for each field."""

    game: str | None = None
    power: str | None = None
    phase: str | None = None
    subject: str | None = None


NO_MEANING = ReplyMeaning()


def token_for(
    transaction: Transaction, purpose: Purpose, person: Person, meaning: ReplyMeaning = NO_MEANING
) -> Token:
    """Issue the token with this meaning: the same meaning always has the same address."""
    text = token_text(
        transaction.secrets.id_key(),
        purpose=purpose.value,
        game=meaning.game,
        power=meaning.power,
        person=person.id,
        phase=meaning.phase,
        subject=meaning.subject,
        key_version=person.key_version,
    )
    return Token(text, purpose, person.id, person.key_version, **asdict(meaning))


def question_code(transaction: Transaction, token: Token) -> str:
    """Return the code that confirms what the question of *token* asks about.

    It stands in the body of the question only: who knows its reply address does not know the code.
    """
    secret = token_text(
        transaction.secrets.id_key(),
        purpose="code",
        game=None,
        power=None,
        person=token.person,
        phase=None,
        subject=token.text,
        key_version=token.key_version,
    )
    return code_of(secret)


def _thread(judge: Judge, transaction: Transaction, draft: EmailDraft) -> tuple[str, ...]:
    """Return the Message-IDs that thread *draft* in mail clients: of its game and phase.

    Press is only in the thread of its exchange. No email has these Message-IDs, so a lost email
    breaks no thread. Only the phase is another one after a restored backup.
    """
    if draft.game is None:
        return ()
    own, reader = transaction.secrets.token_key(), draft.person or draft.address
    if draft.thread:
        press_cause = f"press:{draft.game}:{draft.thread}"
        return (compose.message_id(own, press_cause, reader, judge.domain),)
    whole = compose.message_id(own, f"game:{draft.game}", reader, judge.domain)
    phase = draft.token.phase if draft.token else None
    if not phase:
        return (whole,)
    key, phase_cause = transaction.secrets.id_key(), f"phase:{draft.game}:{phase}"
    return whole, compose.message_id(key, phase_cause, reader, judge.domain)


def _return_path(judge: Judge, key: bytes, draft: EmailDraft, identity: str) -> str:
    """Return a secret envelope sender for this email only; it identifies no one."""
    if draft.person is None:
        return judge.address
    token = token_text(
        key,
        purpose="bounce",
        game=draft.game,
        power=None,
        person=draft.person,
        phase=None,
        subject=identity,
        key_version=0,
    )
    return folded(address_with(token, judge.address, judge.delimiter))


def _message(
    judge: Judge, draft: EmailDraft, content: _Content, identity: str, now: datetime
) -> compose.Message:
    answered = draft.answers.message_id if draft.answers else None
    body = content.body
    return compose.Message(
        message_id=identity,
        sender=judge.address,
        sender_name=_sender_name(judge, draft.contexts[0], body.language),
        recipient=draft.address,
        reply_to=_reply_to(judge, draft),
        subject=" ".join(filter(None, (body.subject, _tag(judge, draft)))),
        text=body.text,
        html=body.html,
        pictures=body.pictures,
        attachments=body.attachments,
        date=now,
        in_reply_to=answered,
        references=content.thread,
        automatic="auto-replied" if draft.answers else "auto-generated",
        headers=(
            (KIND_HEADER, draft.kind),
            ("Content-Language", body.language),
            *_list_headers(judge, draft),
        ),
    )


def _sender_name(judge: Judge, first: Context, language: str) -> str:
    if isinstance(first, Press):
        return press.press_sender_name(first, language)
    return f"{judge.code} judge"


def _list_headers(judge: Judge, draft: EmailDraft) -> tuple[tuple[str, str], ...]:
    """Name the game as a list (RFC 2919), with an address to get less email (RFC 2369).

    RFC 8058 One-Click is left out, as it needs a web server.
    """
    if draft.token is None or not (draft.game or draft.enclosed):
        return ()
    tag = f"%20[%23{draft.token.text}]" if not judge.delimiter else ""
    less = f"<mailto:{_reply_to(judge, draft)}?subject={UNSUBSCRIBE}{tag}>"
    fewer = ("List-Unsubscribe", less)
    return (("List-Id", f"<{draft.game}.{judge.domain}>"), fewer) if draft.game else (fewer,)


def _reply_to(judge: Judge, draft: EmailDraft) -> str:
    if draft.token is None:
        return judge.address
    return address_with(draft.token.text, judge.address, judge.delimiter)


def _tag(judge: Judge, draft: EmailDraft) -> str:
    return f"[#{draft.token.text}]" if draft.token and not judge.delimiter else ""


def _body(
    judge: Judge, transaction: Transaction, draft: EmailDraft, now: datetime, *, waits: bool
) -> Body:
    person = transaction.people.get(draft.person) if draft.person else None
    language = person.language if person else _language(transaction, draft)
    *pages, last = (
        addressed_to_reader(each, None, draft.zone, language) for each in draft.contexts
    )
    answer = Answer(_reply_to(judge, draft), _tag(judge, draft))
    taste = (
        BodyOptions(person.form, person.pictures, person.receipts)
        if person
        else BodyOptions(judge.form)
    )
    contexts = (*pages, addressed_to_reader(last, answer, draft.zone, language, gathered=waits))
    return draft.unlocked((contexts, taste), lambda: body(judge, contexts, taste, now))


def _language(transaction: Transaction, draft: EmailDraft) -> str:
    """Return the language of a reader who is not known by id."""
    people, token = transaction.people, draft.token
    reader = (people.get(token.person) if token else None) or people.by_address(draft.address)
    return reader.language if reader else SOURCE


BETWEEN = "\n" + "-" * 72 + "\n\n"  # between the pages of an email
FORMS = tuple(MailForm)  # from the simplest
BOARDS_MAX = 2  # pages of an email with requested pictures


@dataclass(frozen=True, slots=True)
class Body:
    """An email but for its headers and addresses."""

    language: str
    subject: str
    text: str
    html: str | None
    pictures: tuple[compose.Picture, ...]
    attachments: tuple[compose.Attachment, ...]


@dataclass(frozen=True, slots=True)
class BodyOptions:
    """A reader's choices for the content of emails."""

    form: MailForm
    pictures: ResultPictures = ResultPictures.BOTH
    receipts: Receipts = Receipts.SHORT


def body(judge: Judge, contexts: Sequence[Context], taste: BodyOptions, now: datetime) -> Body:
    """Compose *contexts* as one email, in the form that *taste* asks for.

    A person who asks for the board gets its picture whatever their choice, unless the operator
    sends none.
    """
    asked = any(isinstance(each, BoardMap) for each in contexts)
    form = min(MailForm.PICTURES if asked else taste.form, judge.form, key=FORMS.index)
    drawn = _pictures_by_page(judge, contexts, taste) if form is MailForm.PICTURES else {}
    pages = [
        render(each, {name: picture.content_id for name, picture in drawn.get(number, {}).items()})
        for number, each in enumerate(contexts)
    ]
    painted = {each.content_id: each for page in drawn.values() for each in page.values()}
    html = None if form is MailForm.TEXT else _document(contexts, pages)
    return Body(
        language=contexts[0].heading.language,
        subject=pages[0].subject,
        text=BETWEEN.join(each.text for each in pages),
        html=html,
        pictures=tuple(painted.values()) if html else (),
        attachments=(
            *(() if form is MailForm.TEXT else _calendar(judge, contexts[0], now)),
            *(_proof_files(contexts) if taste.receipts is Receipts.FULL else ()),
        ),
    )


def enclosing_body(body: Body, more: Sequence[compose.Enclosed]) -> Body:
    """Return *body* followed by the texts of other emails."""
    if not more:
        return body
    markup = tuple(each.html for each in more if each.html)
    whole = body.html is not None and len(markup) == len(more)  # otherwise text only
    html = compose.as_enclosed(body.html, markup) if body.html and whole else None
    return replace(
        body,
        text=BETWEEN.join([body.text, *(each.text for each in more)]),
        html=html if html and len(html.encode()) <= HTML_BYTES_MAX else None,
    )


def _document(contexts: Sequence[Context], pages: Sequence[Rendered]) -> str | None:
    board = next((each.heading.board for each in contexts if each.heading.board), None)
    return html_document(pages, power_chips(board), contexts[0].heading.language)


def _pictures_by_page(
    judge: Judge, contexts: Sequence[Context], taste: BodyOptions
) -> Mapping[int, Mapping[str, compose.Picture]]:
    """Return the pictures by page: of the first, and of pages that show a board on request."""
    boards = [number for number, each in enumerate(contexts) if isinstance(each, BoardMap)]
    return {
        number: _pictures(judge, contexts[number], taste) for number in {0, *boards[:BOARDS_MAX]}
    }


def _pictures(judge: Judge, context: Context, taste: BodyOptions) -> Mapping[str, compose.Picture]:
    found = {}
    for shown, content in map_recipes(judge, context, taste.pictures).items():
        name = f"{sha256(content).hexdigest()[:32]}@{judge.domain}"
        found[shown] = compose.Picture(name, f"{context.heading.game}-{shown}.png", content)
    return found


def _calendar(judge: Judge, context: Context, now: datetime) -> Iterator[compose.Attachment]:
    """Yield the deadline that the email *context* announces, as the event of its game."""
    deadline, game = context.deadline(now), context.heading.game
    if deadline is None:
        return
    words = sentences("deadlines", context.heading.language)
    appointment = compose.Appointment(
        uid=f"deadline.{game}@{judge.domain}",
        organizer=judge.address,
        sent_at=now,
        due=deadline.due,
        summary=words["summary"].format(game=game, phase=deadline.phase),
        description=words["cancelled" if deadline.cancelled else "due"],
        cancelled=deadline.cancelled,
    )
    yield compose.Attachment(
        f"{game}-{deadline.phase}.ics", compose.calendar_text(appointment), appointment.method
    )


def _proof_files(contexts: Sequence[Context]) -> Iterator[compose.Attachment]:
    found = tuple(chain.from_iterable(map(_proofs, contexts)))
    if found:
        yield compose.Attachment(proofs.PROOF_FILENAME, proofs.proof_text(found))


def _proofs(context: Context) -> Iterator[proofs.Proof]:
    game, phase, board = context.heading.game, context.heading.phase, context.heading.board
    match context:
        case Receipt(commitment=commitment, promised=kept, recorded=own) if game and phase:
            made = tuple(_commitment(None, each) for each in (commitment,) if each)
            if made or own:
                yield proofs.Proof(game, phase.code, made, recorded=own)
            for later, each in kept.items():
                yield proofs.Proof(game, later.code, (_commitment(None, each),), kept=True)
        case PhaseResults(shared=results) if game and board:
            made = tuple(
                _commitment(power_name(board, power), each)
                for power, each in results.commitments.items()
            )
            yield proofs.Proof(game, results.closed.code, made, closing=results.closing)
        case GameOver(closing=closing) if game and closing:
            yield proofs.Proof(game, phase.code if phase else "", closing=closing)
        case _:
            return


def _commitment(power: str | None, commitment: Commitment) -> proofs.EmailCommitment:
    return proofs.EmailCommitment(power, commitment.nonce, commitment.orders, commitment.digest)


@dataclass(frozen=True, slots=True)
class Recipient:
    """A recipient of a game's emails, and their power, if they play."""

    person: Person
    power: Power | None
    moderates: bool = False

    @property
    def observes(self) -> bool:
        """Return whether the recipient is an observer only."""
        return self.power is None and not self.moderates

    def is_among(self, recipients: Container[str | None]) -> bool:
        """Return whether press to *recipients* includes this recipient."""
        return (
            self.power in recipients
            or (self.moderates and MODERATOR in recipients)
            or (self.observes and (OBSERVERS in recipients or self.person.id in recipients))
        )


def recipients_of(transaction: Transaction, game: Game) -> Iterator[Recipient]:
    """Yield the recipients of *game*: players (also eliminated), moderator, observers."""
    for power, seat in game.seats.items():
        person = transaction.people.get(seat.person) if seat.person else None
        if person and seat.state is SeatState.PLAYED:
            yield Recipient(person, power, moderates=seat.person == game.moderator)
    if moderator := moderator_of(transaction, game):
        yield moderator
    for observer in game.observers:
        person = transaction.people.get(observer)
        if person and game.power_of(observer) is None and observer != game.moderator:
            yield Recipient(person, None)


def moderator_of(transaction: Transaction, game: Game) -> Recipient | None:
    """Return the moderator of *game*, unless it has none or they play."""
    person = transaction.people.get(game.moderator) if game.moderator else None
    if person is None or game.power_of(person.id):
        return None
    return Recipient(person, None, moderates=True)


def visibility_for(reader: Recipient) -> visibility.Reader:
    """Return the role in which *reader* sees the game."""
    if reader.power:
        return visibility.Player(reader.power)
    return visibility.Moderator() if reader.moderates else visibility.Observer()


@dataclass(frozen=True, slots=True)
class GameMailer:
    """Writes the emails about one game in its present state, dated *now*."""

    judge: Judge
    transaction: Transaction
    game: Game
    now: datetime

    def write(self, context: Context, reader: Recipient, cause: str, *more: Context) -> None:
        """Queue *context*, followed by *more*, for *reader*; a reply to it is orders."""
        self._post((context, *more), reader, cause, Purpose.ORDERS, None)

    def ask(self, context: Context, reader: Recipient, cause: str, subject: str) -> None:
        """Queue *context*; a reply to it is about *subject*."""
        self._post((context,), reader, cause, Purpose.ORDERS, subject)

    def note(self, context: Context, reader: Recipient, cause: str, due_utc: datetime) -> None:
        """Queue *context* for *reader*, to be sent at *due_utc*."""
        self._post((context,), reader, cause, Purpose.ORDERS, None, due_utc=due_utc)

    def relay(
        self, context: Context, reader: Recipient, cause: str, message: str, thread: str
    ) -> None:
        """Queue press for *reader*; a reply to it answers *message* only.

        The reply address must not depend on the author: two messages of one author, one of them
        unsigned, would share it.
        """
        self._post((context,), reader, cause, Purpose.PRESS, message, thread)

    def _post(  # noqa: PLR0913 - the differences between emails of a game
        self,
        contexts: tuple[Context, ...],
        reader: Recipient,
        cause: str,
        purpose: Purpose,
        subject: str | None,
        thread: str | None = None,
        *,
        due_utc: datetime | None = None,
    ) -> None:
        position = self.game.position
        about = ReplyMeaning(
            game=self.game.name,
            power=reader.power,
            phase=position.phase.code if position else None,
            subject=subject,
        )
        token = token_for(self.transaction, purpose, reader.person, about)
        draft = EmailDraft(
            contexts=contexts,
            cause=cause,
            thread=thread,
            address=reader.person.address,
            zone=reader.person.zone,
            token=token,
            game=self.game.name,
            person=reader.person.id,
            due_utc=due_utc or send_time(email_kind(contexts[0]), reader.person.pace, self.now),
        )
        queue_email(self.judge, self.transaction, draft, self.now)
