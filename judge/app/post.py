"""A rendered text becomes a mail in the outbox: addressed, threaded, with a token to answer to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from judge.app.bodies import Body, Taste, body, enclosing
from judge.app.judge import Judge
from judge.app.ports import OutgoingMail, Person, Purpose, Token, Transaction
from judge.mail.compose import Enclosed, Message, compose, message_id
from judge.mail.mail_addresses import address_with, folded, token_text
from judge.reports.emails import heading, press
from judge.reports.emails.contexts import Context, addressed_to_reader
from judge.reports.emails.press import Letter as Press
from judge.reports.languages import SOURCE
from judge.reports.render import kind_name

KIND_HEADER = "X-Judge-Kind"
UNSUBSCRIBE = "unsubscribe"  # the subject of a mail that asks for no more than what is critical


@dataclass(frozen=True, slots=True)
class Answer:
    """The mail of theirs that a mail of ours answers."""

    message_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A mail to be queued.

    It says each of *contexts*, under the subject of the first. *cause* names what it is sent for,
    once and for all: with the reader it makes the Message-ID, so the same cause never writes twice
    to the same reader. *token* is what an answer to it means; *thread* names the letter that an
    exchange of press began with.
    """

    contexts: tuple[Context, ...]
    cause: str
    address: str
    zone: str | None = None  # of the reader, if he has chosen one
    token: Token | None = None
    game: str | None = None
    person: str | None = None
    answers: Answer | None = None
    thread: str | None = None
    due_utc: datetime | None = None  # at once, if there is nothing else
    enclosed: tuple[Enclosed, ...] = ()  # what it says besides

    @property
    def kind(self) -> str:
        """Name the template of the first page."""
        return kind_name(self.contexts[0])


@dataclass(frozen=True, slots=True)
class _Told:
    """What a mail says, and in which threads."""

    body: Body
    thread: tuple[str, ...]


def post(judge: Judge, transaction: Transaction, letter: Letter, now: datetime) -> str:
    """Queue *letter*, unless it was queued before; return its Message-ID.

    One that is not due waits for others to the same reader (`gathering`).
    """
    key, reader = transaction.secrets.token_key(), letter.person or letter.address
    waits = letter.due_utc is not None and letter.due_utc > now
    said = _body(judge, transaction, letter, now, waits=waits)
    told = _Told(enclosing(said, letter.enclosed), _thread(judge, key, letter))
    identity = message_id(key, letter.cause, reader, judge.domain)
    if letter.token:
        transaction.people.issue(letter.token)
    queue = transaction.outbox.hold_back if waits else transaction.outbox.put
    queue(
        OutgoingMail(
            message_id=identity,
            sender=_return_path(judge, key, letter, identity),
            recipient=letter.address,
            raw=compose(_message(judge, letter, told, identity, now)),
            due_utc=letter.due_utc or now,
            kind=letter.kind,
            game=letter.game,
            person=letter.person,
            token=letter.token.text if letter.token else None,
        )
    )
    return identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What an answer to a mail is about; see `Token` for each."""

    game: str | None = None
    power: str | None = None
    phase: str | None = None
    subject: str | None = None


NOTHING = Meaning()


def token_for(
    transaction: Transaction, purpose: Purpose, person: Person, meaning: Meaning = NOTHING
) -> Token:
    """Derive the token that says so: the same answer always has the same address."""
    text = token_text(
        transaction.secrets.token_key(),
        purpose=purpose.value,
        game=meaning.game,
        power=meaning.power,
        person=person.id,
        phase=meaning.phase,
        subject=meaning.subject,
        key_version=person.key_version,
    )
    return Token(text, purpose, person.id, person.key_version, **asdict(meaning))


def _thread(judge: Judge, key: bytes, letter: Letter) -> tuple[str, ...]:
    """Name the threads that a mail program is to put *letter* in: of its game and phase.

    Press is in the thread of its exchange and in no other. No mail has these Message-IDs, so it
    matters to no thread which mail is read or lost.
    """
    if letter.game is None:
        return ()
    reader = letter.person or letter.address
    phase = letter.token.phase if letter.token else None
    causes = [f"game:{letter.game}", *([f"phase:{letter.game}:{phase}"] if phase else [])]
    if letter.thread:
        causes = [f"press:{letter.game}:{letter.thread}"]
    return tuple(message_id(key, cause, reader, judge.domain) for cause in causes)


def _return_path(judge: Judge, key: bytes, letter: Letter, identity: str) -> str:
    """Return an envelope sender of the mail's own, that nobody can guess; it speaks for nobody."""
    if letter.person is None:
        return judge.address
    token = token_text(
        key,
        purpose="bounce",
        game=letter.game,
        power=None,
        person=letter.person,
        phase=None,
        subject=identity,
        key_version=0,
    )
    return folded(address_with(token, judge.address, judge.delimiter))


def _message(judge: Judge, letter: Letter, told: _Told, identity: str, now: datetime) -> Message:
    answered = letter.answers.message_id if letter.answers else None
    said = told.body
    return Message(
        message_id=identity,
        sender=judge.address,
        sender_name=_sender_name(judge, letter.contexts[0], said.language),
        recipient=letter.address,
        reply_to=_reply_to(judge, letter),
        subject=" ".join(filter(None, (said.subject, _tag(judge, letter)))),
        text=said.text,
        html=said.html,
        pictures=said.pictures,
        attachments=said.attachments,
        date=now,
        in_reply_to=answered,
        references=told.thread,
        automatic="auto-replied" if letter.answers else "auto-generated",
        headers=(
            (KIND_HEADER, letter.kind),
            ("Content-Language", said.language),
            *_list_headers(judge, letter),
        ),
    )


def _sender_name(judge: Judge, first: Context, language: str) -> str:
    """Return who a mail seems to be from: of press, whoever signed it."""
    if isinstance(first, Press):
        return press.press_sender_name(first, language)
    return f"{judge.code} judge"


def _list_headers(judge: Judge, letter: Letter) -> tuple[tuple[str, str], ...]:
    """Name the game as a list (RFC 2919), and where to write to get less of it (RFC 2369).

    There is no One-Click of RFC 8058, which takes a web server.
    """
    if letter.token is None or not (letter.game or letter.enclosed):
        return ()
    tag = f"%20[%23{letter.token.text}]" if not judge.delimiter else ""
    less = f"<mailto:{_reply_to(judge, letter)}?subject={UNSUBSCRIBE}{tag}>"
    fewer = ("List-Unsubscribe", less)
    return (("List-Id", f"<{letter.game}.{judge.domain}>"), fewer) if letter.game else (fewer,)


def _reply_to(judge: Judge, letter: Letter) -> str:
    if letter.token is None:
        return judge.address
    return address_with(letter.token.text, judge.address, judge.delimiter)


def _tag(judge: Judge, letter: Letter) -> str:
    """Return what stands for the token in subjects, where addresses take no delimiter."""
    return f"[#{letter.token.text}]" if letter.token and not judge.delimiter else ""


def _body(
    judge: Judge, transaction: Transaction, letter: Letter, now: datetime, *, waits: bool
) -> Body:
    """Put all that *letter* says into words; the last page has the links of its answers."""
    person = transaction.people.get(letter.person) if letter.person else None
    language = _language(transaction, letter)
    *pages, last = (
        addressed_to_reader(each, None, letter.zone, language) for each in letter.contexts
    )
    answer = heading.Answer(_reply_to(judge, letter), _tag(judge, letter))
    taste = Taste(person.form, person.pictures) if person else Taste(judge.form)
    told = (*pages, addressed_to_reader(last, answer, letter.zone, language, gathered=waits))
    return body(judge, told, taste, now)


def _language(transaction: Transaction, letter: Letter) -> str:
    """Return what its reader has chosen: whoever he plays as, is asked as, or is written to as."""
    people = transaction.people
    named = letter.person or (letter.token.person if letter.token else None)
    reader = (people.get(named) if named else None) or people.by_address(letter.address)
    return reader.language if reader else SOURCE
