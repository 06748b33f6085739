"""Identify the sender of an email by tokens, passwords, addresses and signatures.

An email acts for a player if it comes from a registered address of theirs and has one more proof.
Other email waits until they confirm it. The *boundary* is the operator's own mail server: it
receives mail from outside, checks DKIM and DMARC, and adds Authentication-Results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import TypeAlias, assert_never

from judge.app.ports.database import Transaction
from judge.app.ports.inbox import IncomingMail
from judge.app.ports.judge import Judge
from judge.app.ports.people import GIVEN_HANDLE, Person, Purpose, Token
from judge.game.game_state import Game, SeatState
from judge.game.house_rules import Proof
from judge.mail.envelope import OpenedEmail
from judge.mail.headers import (
    GAME_IN_SUBJECT,
    is_ours,
    one_line,
    same_mailbox,
    tag_in_subject,
    token_of,
)
from judge.mail.sender_evidence import Signature, Verdict, boundary_verdict, is_expired
from judge.reports.emails.confirmation_emails import ConfirmationReason
from judge.reports.emails.listings import Contact
from judge.rules.types import Power

CONFIRMED = (Purpose.CONFIRM, Purpose.JOIN, Purpose.ADDRESS, Purpose.MODERATE)


class AuthorshipBy(Enum):
    """The proof of an author; events store these words as evidence."""

    CONFIRMED = "confirmed"  # they replied YES to our question
    TOKEN = "token"  # noqa: S105 - see `Answers`
    THREAD = "thread"
    VOUCHED = "boundary"  # the boundary, or a signature that covers it, vouches for the From
    PASSWORD = "password"  # noqa: S105 - the proof by a SIGNON, no password
    ADDRESS = "from"  # its From, in a game that demands no more


@dataclass(frozen=True, slots=True)
class Author:
    """The author of an email, proven or (in a `Doubtful`) claimed.

    The email is about *game* if it answers an email about one.

    *phase* is the phase of that email and *answered* their own email that it answered. *press_to*
    is the author of the press that this one replies to. *settles* is their held email that the
    question was about. *readdressed* if others could read their reply address, so it has changed,
    and nothing vouches for the From, with which the old one counts. *signs* are the signs that
    prove the author, and *how* goes into the evidence.
    """

    person: Person
    signs: AuthorshipSigns
    how: AuthorshipBy = AuthorshipBy.ADDRESS
    game: str | None = None
    phase: str | None = None
    answered: str | None = None
    press_to: str | None = None
    settles: str | None = None
    readdressed: bool = False


@dataclass(frozen=True, slots=True)
class Doubtful:
    """An email that claims to be from *person*; *claimed* is what it means once that is proven."""

    person: Person
    claimed: Author
    why: ConfirmationReason = ConfirmationReason.UNPROVEN
    token: str | None = None  # of the email that it answers


@dataclass(frozen=True, slots=True)
class ConfirmationReply:
    """A reply to our confirmation email."""

    token: Token


@dataclass(frozen=True, slots=True)
class Stranger:
    """An unknown sender."""


Sender: TypeAlias = Author | Doubtful | ConfirmationReply | Stranger


@dataclass(frozen=True, slots=True)
class SenderProof:
    """A finding on the From: *verified*, or known to be *forged*; *explanation* says why."""

    verified: bool = False
    forged: bool = False
    explanation: str = ""


NO_PROOF = SenderProof()


def authenticate(
    judge: Judge,
    transaction: Transaction,
    mail: IncomingMail,
    opened: OpenedEmail,
    proof: SenderProof = NO_PROOF,
) -> Sender:
    """Identify the author of *opened* by the strongest evidence; *proof* vouches for its From."""
    token, answers = _token(judge, transaction, mail, opened)
    signs = _signs(judge, proof, answers)
    if token and token.purpose in CONFIRMED:
        if signs.live_answer:
            return ConfirmationReply(token)
        token = None
    claimed = _claimed_author(judge, transaction, opened, token, signs)
    if mail.confirmed_person:
        return _confirmed(transaction, mail.confirmed_person, claimed if token else None)
    if claimed is None:
        return Stranger()
    leaked = (
        token is not None
        and not claimed.signs.revoked
        and _has_leaked(judge, transaction, opened, claimed, answers)
    )
    if leaked:
        transaction.people.raise_key_version(claimed.person.id)
        person = transaction.people.get(claimed.person.id)
        assert person is not None, "they were found a moment ago"
        claimed = replace(claimed, person=person)
    # Whether an email is press or orders can be decided in any phase, but nothing else.
    signs = replace(claimed.signs, closed=claimed.signs.closed and claimed.settles is None)
    rule = rule_of(judge, transaction, claimed)
    if leaked and isinstance(authorship(replace(signs, revoked=True), rule), Unproven):
        claimed = replace(claimed, readdressed=True)
    match authorship(signs, rule):
        case Proven(how):
            return replace(claimed, how=how)
        case Unproven(why):
            return Doubtful(claimed.person, claimed, why, token.text if token else None)
        case outcome:
            assert_never(outcome)


def answered_question(
    judge: Judge,
    transaction: Transaction,
    mail: IncomingMail,
    opened: OpenedEmail,
    proof: SenderProof = NO_PROOF,
) -> Token | None:
    """Return the token of our question that *opened* answers, None if it answers none."""
    token, answers = _token(judge, transaction, mail, opened)
    asks = token is not None and token.purpose in CONFIRMED
    return token if asks and _signs(judge, proof, answers).live_answer else None


def _signs(judge: Judge, proof: SenderProof, answers: Answers) -> AuthorshipSigns:
    return AuthorshipSigns(
        registered=False,
        vouched=proof.verified,
        forged=proof.forged,
        boundary=bool(judge.authserv_id),
        answers=answers,
    )


def claimed_sender(
    judge: Judge, transaction: Transaction, mail: IncomingMail, opened: OpenedEmail
) -> Author | ConfirmationReply | None:
    """Return the author whom *mail* claims, or who confirmed it; nothing is proven yet."""
    token, answers = _token(judge, transaction, mail, opened)
    if token and token.purpose in CONFIRMED:
        return ConfirmationReply(token)
    signs = AuthorshipSigns(registered=False, answers=answers)
    claimed = _claimed_author(judge, transaction, opened, token, signs)
    if mail.confirmed_person:
        confirmed = _confirmed(transaction, mail.confirmed_person, claimed if token else None)
        return confirmed if isinstance(confirmed, Author) else None
    return claimed


def _claimed_author(
    judge: Judge,
    transaction: Transaction,
    opened: OpenedEmail,
    token: Token | None,
    signs: AuthorshipSigns,
) -> Author | None:
    """Return the claimed author: recipient of the email answered, else owner of the From."""
    owner = transaction.people.by_address(opened.sender) if opened.sender else None
    holder = transaction.people.get(token.person) if token else None
    if token and holder:
        game = judge.game_cache.load(transaction, judge.boards, token.game) if token.game else None
        own = replace(
            signs,
            registered=owner is not None and owner.id == holder.id,
            revoked=token.key_version != holder.key_version,
            closed=bool(game and game.position and game.position.phase.code != token.phase),
        )
        author = Author(holder, own, game=token.game, phase=token.phase)
        if token.purpose is Purpose.PRESS:
            return replace(author, press_to=token.subject)
        if token.purpose is Purpose.SETTLE:
            return replace(author, settles=token.subject)
        return replace(author, answered=token.subject)
    if owner is None:
        return None
    named = GAME_IN_SUBJECT.search(opened.subject)
    own = replace(signs, registered=True, answers=Answers.NOTHING)
    return Author(owner, own, game=named[1] if named else None)


def rule_of(judge: Judge, transaction: Transaction, author: Author) -> Proof:
    """Return the level of proof that the rules of the game of *author* demand."""
    name = author.game or only_game(transaction, author.person.id)
    game = judge.game_cache.load(transaction, judge.boards, name) if name else None
    return game.house_rules.proof if game else Proof.STANDARD


def only_game(transaction: Transaction, person: str) -> str | None:
    """Return the name of the only game that *person* takes part in, None if not exactly one."""
    names = transaction.summaries.names_of(person, limit=2)
    return names[0] if len(names) == 1 else None


def is_subject_of_ours(subject: str) -> bool:
    """Return whether *subject* is one of ours, as copied by mail clients."""
    named = GAME_IN_SUBJECT.search(subject)
    return named is not None and subject.startswith(" - ", named.end())


def _token(
    judge: Judge, transaction: Transaction, mail: IncomingMail, opened: OpenedEmail
) -> tuple[Token | None, Answers]:
    """Return the token in the address or subject, else that of the email answered; and which."""
    text = token_of(mail.recipient, judge.address, judge.delimiter)
    token = transaction.people.redeem(text or tag_in_subject(opened.subject) or "")
    if token:
        return token, Answers.TOKEN
    answered = (transaction.outbox.find(message_id) for message_id in opened.answers)
    tokens = (transaction.people.redeem(each.token) for each in answered if each and each.token)
    token = next((each for each in tokens if each), None)
    return token, Answers.THREAD if token else Answers.NOTHING


def replies_to_lost_email(
    judge: Judge, transaction: Transaction, mail: IncomingMail, opened: OpenedEmail
) -> bool:
    """Return whether *opened* answers an email of ours that was lost when a backup was restored.

    It has a token that is no longer known, or names a Message-ID of ours that is not.
    """
    if not transaction.secrets.epoch():
        return False
    token, _ = _token(judge, transaction, mail, opened)
    if token:
        return False
    if token_of(mail.recipient, judge.address, judge.delimiter) or tag_in_subject(opened.subject):
        return True
    ours = rf"<[0-9a-f]{{32}}@{re.escape(judge.domain)}>"
    replied = next((each for each in opened.answers if re.fullmatch(ours, each)), None)
    return replied in opened.answers[:1] and transaction.outbox.find(replied or "") is None


def _has_leaked(
    judge: Judge, transaction: Transaction, opened: OpenedEmail, claimed: Author, answers: Answers
) -> bool:
    """Return whether another person knows a reply address that identifies the player.

    Another player writes to it, or other recipients can read it in the email.
    """
    if not claimed.signs.registered and opened.sender:
        return transaction.people.by_address(opened.sender) is not None
    return answers is Answers.TOKEN and _has_companions(judge, transaction, opened, claimed)


def _has_companions(
    judge: Judge, transaction: Transaction, opened: OpenedEmail, claimed: Author
) -> bool:
    own = transaction.people.addresses(claimed.person.id)
    return any(
        not is_ours(each, judge.address, judge.delimiter)
        and not any(same_mailbox(each, address) for address in own)
        for each in opened.recipients
    )


def _confirmed(transaction: Transaction, person_id: str, claimed: Author | None) -> Sender:
    """Return the person who confirmed an email, with the context of *claimed* if it was theirs."""
    person = transaction.people.get(person_id)
    if person is None:
        return Stranger()
    confirmed = confirmed_by(person)
    if claimed and claimed.person.id == person_id:
        return replace(claimed, signs=confirmed.signs, how=confirmed.how)
    return confirmed


def confirmed_by(person: Person) -> Author:
    """Return *person* as the confirmed author of an email."""
    return Author(person, AuthorshipSigns(registered=True, confirmed=True), AuthorshipBy.CONFIRMED)


def register_person(
    judge: Judge, transaction: Transaction, address: str, now: datetime, person: str | None = None
) -> Person:
    """Return the person with the verified *address*, registered now (as *person*) if unknown."""
    known = transaction.people.by_address(address)
    if known:
        return known
    person = person or judge.random.nonce()
    handle = f"{GIVEN_HANDLE}{person[:6]}"  # shown to others: no part of the address
    transaction.people.add(person, address, handle, judge.random.key(), now)
    added = transaction.people.get(person)
    assert added is not None
    return added


NAME_MAX = 60  # characters of a display name


def note_name(transaction: Transaction, person: Person, called: str) -> None:
    """Store the display name *called* of *person*, from an email to a game."""
    name = one_line(called, NAME_MAX)
    if name and name != person.name:
        transaction.people.change(person.id, name=name)


def contacts_of_players(transaction: Transaction, game: Game) -> tuple[Contact, ...]:
    """Return the contacts of the players by power, or of those who have joined.

    The caller checks who may see them.
    """
    found = ((power, transaction.people.get(person)) for power, person in _people(game))
    return tuple(
        Contact(power, each.handle, each.name, each.address) for power, each in found if each
    )


def _people(game: Game) -> Iterator[tuple[Power | None, str]]:
    if not game.seats:
        yield from ((None, person) for person in game.joined)
    for power, seat in game.seats.items():
        if seat.person and seat.state is SeatState.PLAYED:
            yield power, seat.person


class Answers(Enum):
    """The way in which an email identifies the email of ours that it answers."""

    NOTHING = "nothing"
    TOKEN = "token"  # noqa: S105 - where the token is, no password
    THREAD = "thread"  # it names the Message-ID


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorshipSigns:
    """The signs that a player wrote an email.

    *registered*: its From is an address of theirs. *vouched*: a signature, or the mail server at
    the boundary, vouches for that From and this email; *forged*: the boundary says that the From
    is false. *boundary*: this judge has such a server, so a From that it does not vouch for counts
    for less. *answers*: how it answers one of our emails to them. That email may carry a *revoked*
    token or be of a *closed* phase. *password*: it contains their password. *confirmed*: they
    confirmed it.
    """

    registered: bool
    vouched: bool = False
    forged: bool = False
    boundary: bool = False
    answers: Answers = Answers.NOTHING
    revoked: bool = False
    closed: bool = False
    password: bool = False
    confirmed: bool = False

    @property
    def live_answer(self) -> AuthorshipBy | None:
        """Return what the reply proves by itself.

        Other players in a thread and the servers on the way can read a Message-ID. So where a
        boundary checks mail it must vouch for every reply.
        """
        if self.revoked or self.closed or self.answers is Answers.NOTHING:
            return None
        if self.answers is Answers.TOKEN:
            return AuthorshipBy.TOKEN
        return AuthorshipBy.THREAD if self.vouched or not self.boundary else None


@dataclass(frozen=True, slots=True)
class Proven:
    """The email is the player's; *how* names the proof."""

    how: AuthorshipBy


@dataclass(frozen=True, slots=True)
class Unproven:
    """The email waits until the player confirms it; *why* is the reason."""

    why: ConfirmationReason


Authorship: TypeAlias = Proven | Unproven


def authorship(signs: AuthorshipSigns, rule: Proof) -> Authorship:
    """Return whether an email acts for a player, in a game whose house rules demand *rule*."""
    if signs.confirmed:
        return Proven(AuthorshipBy.CONFIRMED)
    if not signs.registered:
        return Unproven(ConfirmationReason.ELSEWHERE)
    if signs.forged:
        return Unproven(ConfirmationReason.UNPROVEN)
    vouched = AuthorshipBy.VOUCHED if signs.vouched else None
    password = AuthorshipBy.PASSWORD if signs.password else None
    standard = signs.live_answer or vouched or password
    match rule:
        case Proof.STANDARD:
            how = standard
        case Proof.LOOSE:
            how = standard or AuthorshipBy.ADDRESS
        case Proof.STRICT:  # both the right address and a secret
            answers = signs.answers is not Answers.NOTHING and not signs.revoked
            how = (signs.live_answer or vouched) if answers else password
            how = how if vouched else None
        case _:
            assert_never(rule)
    return Proven(how) if how else Unproven(_doubt(signs))


def _doubt(signs: AuthorshipSigns) -> ConfirmationReason:
    if signs.revoked:
        return ConfirmationReason.OLD_TOKEN
    return ConfirmationReason.CLOSED_PHASE if signs.closed else ConfirmationReason.UNPROVEN


BOUNDARY = "boundary: pass"
UNCHECKED_WAY = "smtp"  # Anyone on the machine can connect there and write what a boundary writes.


def valid_signatures(
    judge: Judge, mail: IncomingMail, opened: OpenedEmail
) -> tuple[Signature, ...]:
    """Return the valid signatures of the From's domain.

    This asks the DNS and takes time, so only signatures that can matter are checked: those of
    registered people that have not expired.
    """
    candidates = opened.evidence.signatures
    if judge.signatures is None or opened.sender is None or not candidates:
        return ()
    with judge.database.read() as transaction:
        if transaction.people.by_address(opened.sender) is None:
            return ()
    now = judge.clock.now()
    return tuple(
        each
        for each in candidates
        if not is_expired(each, now) and judge.signatures.is_valid(mail.raw, each.number)
    )


def assess_sender(
    judge: Judge,
    transaction: Transaction,
    mail: IncomingMail,
    opened: OpenedEmail,
    valid: tuple[Signature, ...] = (),
) -> SenderProof:
    """Judge the From by the operator's own mail server and the *valid* signatures.

    A signature proves one email only, and only to its addressee. Forwarding a player's email to
    another person, or sending it to us again, proves nothing.
    """
    evidence = opened.evidence
    verdict = _verdict(judge, mail, opened)
    if verdict is Verdict.FORGED:
        return SenderProof(forged=True, explanation="boundary: fail")
    believed, explanation = _believed(verdict, opened)
    by, explanation = (evidence.signatures, explanation) if believed else (valid, _valid(valid))
    fresh = [transaction.people.first_proof(each.digest, mail.sha256) for each in by]
    if not believed and not valid:
        return SenderProof(explanation="; ".join(f"dkim: {why}" for why in evidence.refused))
    if not all(fresh):
        return SenderProof(explanation="replayed")
    if not _is_for_us(judge, opened, by, sent=verdict is Verdict.SENT):
        return SenderProof(explanation="not addressed to the judge")
    return SenderProof(verified=True, explanation=explanation)


def _verdict(judge: Judge, mail: IncomingMail, opened: OpenedEmail) -> Verdict:
    """Return the boundary's verdict; it has not seen email that came by our own SMTP port."""
    if mail.way_in == UNCHECKED_WAY:
        return Verdict.NOTHING
    return boundary_verdict(opened.evidence.boundary, judge.authserv_id, opened.sender)


def _believed(verdict: Verdict, opened: OpenedEmail) -> tuple[bool, str]:
    """Return whether the boundary's *verdict* vouches for the From, and the words for that.

    Its `pass` may come from any signature of the domain, so each of them must cover the email; a
    pass that only a signature can give needs one.
    """
    evidence = opened.evidence
    match verdict:
        case Verdict.SENT:
            return True, BOUNDARY
        case Verdict.DMARC:
            return not evidence.half_signed, BOUNDARY
        case Verdict.DKIM:
            return bool(evidence.signatures) and not evidence.half_signed, BOUNDARY
        case Verdict.NOTHING | Verdict.FORGED:
            return False, ""
        case _:
            assert_never(verdict)


def _valid(signatures: tuple[Signature, ...]) -> str:
    return f"dkim: pass, {signatures[0].domain}" if signatures else ""


def _is_for_us(
    judge: Judge, opened: OpenedEmail, signatures: tuple[Signature, ...], *, sent: bool
) -> bool:
    """Return whether a header that only the author wrote addresses the email to the judge."""
    cc = sent or all(each.signs_cc for each in signatures)
    return opened.evidence.is_for(judge.address, judge.delimiter, cc=cc)
