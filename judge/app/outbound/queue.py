"""Queue emails for the recipients of a game or anyone: facts, addresses, threads, tokens."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import assert_never

from judge.app.outbound.facts import (
    AnsweredEmail,
    EmailFacts,
    addresses_on_pages,
    write_facts,
)
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import NEVER, OutgoingMail
from judge.app.ports.people import MailPace, Person, Purpose, Token
from judge.game import visibility
from judge.game.game_state import Game, SeatState
from judge.game.press import MODERATOR, OBSERVERS, PressSent
from judge.mail import compose
from judge.mail.headers import address_with, folded, token_text
from judge.mail.language.confirmations import code_of
from judge.reports.emails.confirmation_emails import offer_of_door
from judge.reports.emails.contexts import Context
from judge.reports.render import kind_name
from judge.rules.types import Power

CAN_WAIT = frozenset({"letter", "vacancy", "civil_disorder"})  # the other kinds are critical
STORED_KINDS = {  # of emails that had another name when the first were stored, or get one later
    "already_answered": "settled",
    "cannot_join": "at_the_door",
    "diaries_and_statements": "memoirs",
    "game_news": "table_news",
    "orders_missing": "reminder",
    "phase_held": "held",
    "press_email": "letter",
    "tasks_pending": "desk_mail",
    "unknown_sender": "unknown",
    "unread_mail": "unread",
}
DAILY_HOUR = 18  # in UTC, some time before the deadline of most games


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


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailDraft:
    """An email to be queued.

    Its pages are *contexts*, and its subject that of the first, as is its kind unless another is
    *named*. *cause* is the unique name of its occasion: with the reader it makes the Message-ID,
    so the same cause never sends twice to the same reader. *token* is the meaning of a reply;
    *thread* is the first message of an exchange of press, with so many *letters*.
    """

    contexts: tuple[Context, ...]
    named: str | None = None
    cause: str
    address: str
    zone: str | None = None  # the reader's choice
    language: str | None = None  # instead of the reader's
    token: Token | None = None
    game: str | None = None
    person: str | None = None
    answers: AnsweredEmail | None = None
    thread: str | None = None
    letters: int = 0
    due_utc: datetime | None = None  # None means now

    @property
    def kind(self) -> str:
        return self.named or email_kind(self.contexts[0])


def queue_email(judge: Judge, transaction: Transaction, draft: EmailDraft, now: datetime) -> str:
    """Queue *draft* unless it was queued before, and return its Message-ID.

    Its words are rendered after the commit (`outbound.rendering`). An email for later is held back
    for the reader's digest, and rendered when that is sent.
    """
    return queue_emails(judge, transaction, (draft,), now)[0]


def queue_emails(
    judge: Judge, transaction: Transaction, drafts: Sequence[EmailDraft], now: datetime
) -> Sequence[str]:
    """Queue all *drafts*, and return their Message-IDs: see `queue_email`."""
    transaction.people.issue(*(each.token for each in drafts if each.token))
    mails = [_outgoing(judge, transaction, each, now) for each in drafts]
    transaction.outbox.put(*(each for each in mails if each.render_utc))
    transaction.outbox.hold_back(*(each for each in mails if not each.render_utc))
    for draft, mail in zip(drafts, mails, strict=True):
        note_mentions(transaction, mail, draft.contexts, addresses_on_pages(mail.facts or ""))
    return [each.message_id for each in mails]


def note_mentions(
    transaction: Transaction,
    mail: OutgoingMail,
    pages: Iterable[Context],
    addresses: frozenset[str],
) -> None:
    """Record the games and *addresses* on *pages* of *mail*: `judge forget` may look for them.

    The people of a game are found by the log of the game.
    """
    games = {each.heading.game for each in pages if each.heading.game} - {mail.game}
    people = map(transaction.people.by_address, addresses)
    named = {each.id for each in people if each}
    transaction.outbox.mention(mail.message_id, {*games, *addresses, *named})


def _outgoing(
    judge: Judge, transaction: Transaction, draft: EmailDraft, now: datetime
) -> OutgoingMail:
    key, reader = transaction.secrets.id_key(), draft.person or draft.address
    waits = draft.due_utc is not None and draft.due_utc > now
    facts = EmailFacts(
        written=now,
        zone=draft.zone,
        language=draft.language,
        token=draft.token,
        answers=draft.answers,
        thread=_thread(judge, transaction, draft),
        gathered=waits,
        letters=draft.letters,
    )
    identity = compose.message_id(key, draft.cause, reader, judge.domain)
    return OutgoingMail(
        message_id=identity,
        sender=_return_path(judge, key, draft, identity),
        recipient=draft.address,
        raw=b"",
        facts=write_facts(facts, draft.contexts),
        render_utc=None if waits else now,
        due_utc=draft.due_utc or now,
        kind=draft.kind,
        game=draft.game,
        person=draft.person,
        token=draft.token.text if draft.token else None,
        offer=offer_of_door(draft.contexts),
    )


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
    about = {  # `asdict` would copy each value
        "game": meaning.game,
        "power": meaning.power,
        "phase": meaning.phase,
        "subject": meaning.subject,
    }
    text = token_text(
        transaction.secrets.id_key(),
        purpose=purpose.value,
        person=person.id,
        key_version=person.key_version,
        **about,
    )
    return Token(text, purpose, person.id, person.key_version, **about)


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
    people = transaction.people.get_each(game.people)
    for power, seat in game.seats.items():
        person = people.get(seat.person) if seat.person else None
        if person and seat.state is SeatState.PLAYED:
            yield Recipient(person, power, moderates=seat.person == game.moderator)
    if moderator := moderator_of(transaction, game):
        yield moderator
    for observer in game.observers:
        person = people.get(observer)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEmail:
    """An email about a game to *reader*: what it says and when, and the meaning of a reply.

    The other fields are as in `EmailDraft`, *subject* is as in `Token`.
    """

    reader: Recipient
    cause: str
    kind: str
    pages: Callable[[], tuple[Context, ...]]
    purpose: Purpose = Purpose.ORDERS
    subject: str | None = None
    thread: str | None = None
    letters: int = 0
    due_utc: datetime | None = None


@dataclass(frozen=True, slots=True)
class GameMailer:
    """Writes the emails about one game in its present state, dated *now*."""

    judge: Judge
    transaction: Transaction
    game: Game
    now: datetime

    def write(self, context: Context, reader: Recipient, cause: str, *more: Context) -> None:
        """Queue *context*, followed by *more*, for *reader*; a reply to it is orders."""
        self.write_each((reader,), cause, email_kind(context), lambda _: (context, *more))

    def write_each(
        self,
        readers: Iterable[Recipient],
        cause: str,
        kind: str,
        pages: Callable[[Recipient], tuple[Context, ...]],
        subject: str | None = None,
    ) -> None:
        """Queue an email of *pages* for each of *readers*; a reply is orders, or on *subject*."""
        self.put(
            *(
                GameEmail(
                    reader=each,
                    cause=cause,
                    kind=kind,
                    pages=partial(pages, each),
                    subject=subject,
                )
                for each in readers
            )
        )

    def ask(self, context: Context, reader: Recipient, cause: str, subject: str) -> None:
        """Queue *context*; a reply to it is about *subject*."""
        kind = email_kind(context)
        self.write_each((reader,), cause, kind, lambda _: (context,), subject)

    def note(self, context: Context, reader: Recipient, cause: str, due_utc: datetime) -> None:
        """Queue *context* for *reader*, to be sent at *due_utc*."""
        kind = email_kind(context)
        self.put(
            GameEmail(
                reader=reader, cause=cause, kind=kind, pages=lambda: (context,), due_utc=due_utc
            )
        )

    def relay(self, context: Context, reader: Recipient, cause: str, sent: PressSent) -> None:
        """Queue press for *reader*; a reply to it answers this message only.

        The reply address must not depend on the author: two messages of one author, one of them
        unsigned, would share it.
        """
        self.put(
            GameEmail(
                reader=reader,
                cause=cause,
                kind=email_kind(context),
                pages=lambda: (context,),
                purpose=Purpose.PRESS,
                subject=sent.message,
                thread=sent.thread,
                letters=len(sent.sealed_text),
            )
        )

    def put(self, *emails: GameEmail) -> None:
        """Queue *emails*."""
        drafts = [self._draft(each) for each in emails]
        queue_emails(self.judge, self.transaction, drafts, self.now)

    def stored_pages(self, email: GameEmail) -> tuple[Context, ...]:
        """Return what is stored of the pages of *email*."""
        return email.pages()

    def _draft(self, email: GameEmail) -> EmailDraft:
        position, reader = self.game.position, email.reader
        about = ReplyMeaning(
            game=self.game.name,
            power=reader.power,
            phase=position.phase.code if position else None,
            subject=email.subject,
        )
        return EmailDraft(
            contexts=self.stored_pages(email),
            named=email.kind,
            cause=email.cause,
            address=reader.person.address,
            zone=reader.person.zone,
            token=token_for(self.transaction, email.purpose, reader.person, about),
            game=self.game.name,
            person=reader.person.id,
            thread=email.thread,
            letters=email.letters,
            due_utc=email.due_utc or send_time(email.kind, reader.person.pace, self.now),
        )
