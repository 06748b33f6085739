"""The email being answered: its transaction, its sessions and its passwords."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import ParamSpec, TypeVar, assert_never

from judge.app.game.apply import CommandResult, apply_command
from judge.app.identity import NO_PROOF, SenderProof
from judge.app.outbound.facts import AnsweredEmail
from judge.app.ports.database import Transaction
from judge.app.ports.inbox import BY_CODE, InboxState, IncomingMail, MailOutcome, meaning_in
from judge.app.ports.judge import Judge
from judge.app.ports.people import Evidence, Person
from judge.app.readings import Readings, read_now
from judge.app.sent_emails import emails_to_compare, split_by_sent_text
from judge.game.commands import Command
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game
from judge.mail.body import Line, digest_of
from judge.mail.envelope import OpenedEmail, UnopenedError, Unreadable
from judge.mail.language.command_syntax import ParsedLine
from judge.mail.redaction import mentions_password, starred_out, with_body
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item
from judge.rules.board import DEFAULT_VARIANT, Map
from judge.rules.types import Phase, Power

COMMAND_BOARD = DEFAULT_VARIANT  # of emails about no game
EMAILS_OF_PHASE_MAX = 8  # that may offer something
LINES_LOOKED_AT_MAX = 50  # within the transaction, for passwords in what is shown

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class QuestionContext:
    """The transaction in which something that an email asks is answered, as things are *now*.

    *readings* is what was read of the email before, *then* the state of a game that counts instead
    of its present one.
    """

    judge: Judge
    transaction: Transaction
    now: datetime
    readings: Readings
    then: Game | None = field(default=None, kw_only=True)

    def game(self, name: str) -> Game | None:
        """Return the game, with the changes of this transaction so far."""
        if self.then and self.then.name == name:
            return self.then
        return self.judge.game_cache.load(self.transaction, self.judge.boards, name)

    def game_open_to(self, person: Person | None, name: str) -> Game | None:
        """Return the game *name* if it is listed or *person* takes part, else None."""
        game = self.game(name)
        known = game and (game.house_rules.listed or (person and game.knows(person.id)))
        return game if known else None

    def board(self, game: Game) -> Map:
        """Return the board of *game*."""
        return self.judge.board_of(game)

    def read(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what *function* reads in the email: by a pure function, within a limit of time.

        It is read before the transaction, or the transaction is repeated once it is.
        """
        return self.readings.read(function, *args, **kwargs)


@dataclass(frozen=True, slots=True)
class MailContext(QuestionContext):
    """A parsed email, and the transaction in which it is processed.

    *proof* is the evidence for its From address, *board_of_game* the board of the game that it is
    about, if it is not the default; it may change what the judge knows of its sender if it
    *changes_person*.
    """

    mail: IncomingMail
    opened: OpenedEmail
    proof: SenderProof = NO_PROOF
    board_of_game: Map | None = None
    readdressed: bool = False  # others could read their reply address, so it has changed
    changes_person: bool = True
    offers: list[Mapping[str, object]] = field(default_factory=list)  # of its receipts so far

    @property
    def reading_board(self) -> Map:
        """Return the board whose names the email uses: of the game it is about, or the default."""
        return self.board_of_game or self.judge.boards(COMMAND_BOARD)

    @property
    def answered(self) -> AnsweredEmail:
        """Return the references of a reply to this email."""
        return AnsweredEmail(self.opened.message_id)

    @property
    def cause(self) -> str:
        """Return the cause of the receipt, which keeps it unique."""
        confirmed = ":confirmed" if self.mail.confirmed_person else ""
        if self.mail.reason and meaning_in(self.mail.reason):
            confirmed = ":settled"
        return f"mail:{self.mail.sha256}:{self.mail.recipient}{confirmed}"

    def is_confirmed_by_code(self, person: Person) -> bool:
        """Return whether *person* has confirmed this email in the way that RESIGN needs."""
        return self.mail.confirmed_person == person.id and self.mail.reason in BY_CODE

    def game_of(self, session: Session) -> Game:
        """Return the game of *session*."""
        game = self.game(session.game)
        assert game is not None, "a session is of a game"
        return game

    @property
    def has_changed(self) -> bool:
        """Return whether the email may have changed what its sender sees."""
        return self.changes_person or self.transaction.has_appended

    def unlocked(self, about: object, make: Callable[[QuestionContext], R]) -> R:
        """Return what *make* returns *about* something, made in a transaction that only reads.

        That does not see what this transaction has changed.
        """
        return self.readings.answer(about, partial(self._make_unlocked, make))

    def _make_unlocked(self, make: Callable[[QuestionContext], R]) -> R:
        with self.judge.database.read() as transaction:
            return make(replace(self, transaction=transaction))

    def open(self, mail: IncomingMail) -> OpenedEmail | Unreadable:
        """Return another stored email."""
        return self.readings.open(mail)

    def shown(self, lines: Iterable[Line]) -> tuple[str, ...]:
        """Return *lines* without passwords."""
        some, commands = tuple(lines), self.judge.commands
        if len(some) <= LINES_LOOKED_AT_MAX and not any(map(commands.may_have_secret, some)):
            return tuple(each.text for each in some)
        return self.read(commands.all_without_secrets, some, self.reading_board)

    def opened_by(
        self, mail: IncomingMail, opened: OpenedEmail, person: str, *, latest: bool = True
    ) -> OpenedEmail:
        """Return *opened*, the email *mail* of *person*, without what they got from the judge.

        That is compared with the emails that it names, else if *latest* with the last to them.
        They are looked up once for all attempts.
        """
        known, key = self.readings.sent, (mail.id, person, latest)
        if key not in known:
            known[key] = emails_to_compare(
                self.judge, self.transaction, mail, opened, person, latest=latest
            )
        sent = known[key]
        return self.read(split_by_sent_text, opened, sent) if sent else opened

    def open_again(self, mail: IncomingMail, person: str) -> OpenedEmail | None:
        """Open an earlier email of *person*; None if it cannot be read."""
        opened = self.open(mail)
        return self.opened_by(mail, opened, person) if isinstance(opened, OpenedEmail) else None

    def received_before(self, person: Person) -> datetime | None:
        """Return when *person* sent this text under this Message-ID before, by any way in.

        The Date stands in for a Message-ID that is missing; without both, each email is new.
        """
        opened = self.opened
        name = opened.message_id or (opened.date and f"Date: {opened.date.isoformat()}")
        if not name:
            return None
        return self.transaction.inbox.seen_before(
            person.id, name, digest_of(opened.text), self.mail.id
        )

    def email_answered(self, session: Session) -> IncomingMail | None:
        """Return the email whose receipt this one answers, if any."""
        subject = session.answered or ""
        return self.transaction.inbox.get(int(subject)) if subject.isdecimal() else None

    def emails_of_phase(self, session: Session) -> Iterator[IncomingMail]:
        """Yield the latest other emails of the writer in the open phase, oldest first."""
        game, inbox = self.game(session.game), self.transaction.inbox
        since = game.phase.opened if game and game.phase else None
        numbers = inbox.of_person(session.person.id, since, EMAILS_OF_PHASE_MAX) if since else ()
        for mail in (mail for number in reversed(numbers) if (mail := inbox.get(number))):
            if mail.id != self.mail.id and mail.state is InboxState.PROCESSED:
                yield mail

    def apply_command(self, game: str, command: Command) -> CommandResult:
        """Apply *command* to *game*."""
        return apply_command(self.judge, self.transaction, game, command, self.now)

    def note_failing_line(self, line: int, defect: str) -> None:
        """Report to the operator that our code failed on *line*, without its text."""
        if (line, defect) in self.readings.noted:  # by an attempt that was rolled back
            return
        self.readings.noted.add((line, defect))
        mail = self.mail.sha256
        self.judge.operator_log.warning("line.failed", mail=mail, line=line, defect=defect)

    def evidence(self, how: str, game: str) -> str:
        """Record *how* the sender was recognized for *game*; return the record's id for events."""
        name, proof = self.judge.random.nonce(), self.proof.explanation
        evidence = Evidence(name, self.mail.id, how, proof, game or None)
        self.transaction.people.add_evidence(evidence, self.now)
        return name

    def evidence_also_for(self, game: str, evidence: str) -> str:
        """Record *evidence* for another *game*, too; return the record's id."""
        known = self.transaction.people.evidence(evidence)
        assert known is not None, "a session has recorded it"
        return self.evidence(known.how, game)


@dataclass(frozen=True, slots=True)
class Session:
    """The person, game and power of a part of an email, and its *phase* if the email names one.

    *later* is that phase if it is still to come. *named* means that the email itself names it,
    rather than answering an email of that phase. *evidence* names how the sender was recognized.
    *signed_on*: a line of SIGNON names the game.
    *answered* is the email of theirs whose receipt they answer, or the mark of the decisions they
    answer. The moderator may be *acting* for a player, or order for a *dummy*.
    """

    person: Person
    evidence: str
    game: str
    power: Power | None = None
    phase: str | None = None
    answered: str | None = None
    acting: bool = False
    later: Phase | None = None
    dummy: Power | None = None
    named: bool = False
    signed_on: bool = False


def power_of(session: Session) -> Power:
    """Return the power of *session*, which has one."""
    assert session.power is not None, "only players get here"
    return session.power


def apply_and_report(
    context: MailContext,
    session: Session,
    parsed: ParsedLine,
    receipt_key: str,
    command: Command,
    argument: str | tuple[Power, ...] = "",
) -> Item:
    """Apply *command* to the game; *receipt_key* words it in the receipt, with *argument*."""
    match context.apply_command(session.game, command).decision:
        case Accepted():
            return CommandDone(receipt_key, argument)
        case Refused(why=Why.NOTHING_CHANGED):
            return CommandDone(receipt_key, argument, already=True)
        case Refused(why=why):
            return CommandRefused(parsed.text.strip(), why)
        case other:
            assert_never(other)


def apply_moderator_command(
    context: MailContext, session: Session, parsed: ParsedLine, receipt_key: str, command: Command
) -> Item:
    """Apply *command* like `apply_and_report`, but refuse one that changes nothing."""
    item = apply_and_report(context, session, parsed, receipt_key, command)
    unchanged = isinstance(item, CommandDone) and item.already
    return CommandRefused(parsed.text.strip(), Why.NOTHING_CHANGED) if unchanged else item


def redact_passwords(context: MailContext, finished: MailOutcome) -> None:
    """Remove the passwords from the stored email, unless it is held: then they are needed."""
    if finished.state is not InboxState.HELD:
        board = context.judge.boards(COMMAND_BOARD)
        secrets = context.read(context.judge.commands.passwords_in, context.opened.text, board)
        _redact(context.judge, context.transaction, context.mail, context.opened, secrets)


def discard_held(judge: Judge, transaction: Transaction, number: int, reason: str) -> None:
    """Ignore the held email *number* for *reason*, and remove its passwords."""
    mail = transaction.inbox.get(number)
    if mail is None or mail.state is not InboxState.HELD:
        return
    opened = _opened(judge, mail.raw, mail.sender)
    if isinstance(opened, OpenedEmail):
        board = judge.boards(COMMAND_BOARD)
        secrets = read_now(judge.reader, judge.commands.passwords_in, opened.text, board)
        _redact(judge, transaction, mail, opened, secrets)
    transaction.inbox.finish(number, InboxState.IGNORED, reason)


def _redact(
    judge: Judge,
    transaction: Transaction,
    mail: IncomingMail,
    opened: OpenedEmail,
    secrets: tuple[str, ...],
) -> None:
    if secrets:
        transaction.inbox.rewrite(mail.id, _redacted(judge, mail, opened, secrets))


def _redacted(
    judge: Judge, mail: IncomingMail, opened: OpenedEmail, secrets: tuple[str, ...]
) -> bytes:
    raw = starred_out(mail.raw, secrets)
    again = _opened(judge, raw, mail.sender)
    if isinstance(again, OpenedEmail) and not mentions_password(again.text, secrets):
        return raw
    board = judge.boards(COMMAND_BOARD)
    return with_body(
        mail.raw, [judge.commands.without_secrets(line, board) for line in opened.text.fresh]
    )


def _opened(judge: Judge, raw: bytes, sender: str | None) -> OpenedEmail | Unreadable:
    try:
        return judge.opener.open(raw, sender)
    except UnopenedError as error:
        return Unreadable(str(error))
