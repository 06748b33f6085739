"""The proof an email must show that its sender wrote it, and the rule that weighs it.

An email acts for a player if it comes from a registered address of theirs and shows one thing
more. Anything else waits until they confirm it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, assert_never

from judge.app.ports.inbox import IncomingMail
from judge.app.ports.judge import Judge
from judge.app.ports.storage import Transaction
from judge.game.house_rules import Proof
from judge.mail.authentication import Signature, Verdict, boundary_verdict, is_expired
from judge.mail.envelope import Letter
from judge.reports.emails.confirmation_emails import ConfirmationReason


class Answers(Enum):
    """By what an email answers one of ours."""

    NOTHING = "nothing"
    TOKEN = "token"  # noqa: S105 - in the address that it was sent to, or in its subject
    THREAD = "thread"  # it names the Message-ID


class AuthorshipBy(Enum):
    """What proves who wrote an email; the evidence of events has these words."""

    CONFIRMED = "confirmed"  # they have answered YES to our question
    TOKEN = "token"  # noqa: S105 - see `Answers`
    THREAD = "thread"
    VOUCHED = "boundary"  # the boundary, or a signature that covers it, vouches for the From
    PASSWORD = "password"  # noqa: S105 - of a SIGNON
    ADDRESS = "from"  # its From, in a game that asks for no more


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorshipSigns:
    """What an email shows of whether one player wrote it.

    *registered*: its From is an address of theirs. *vouched*: a signature, or the mail server at
    the boundary, vouches for that From and for this email; *forged*: the boundary says that it is
    not from there. *boundary*: this judge has one, so a From that it does not vouch for is worth
    less. *answers*: by what it answers one of our emails to them, which may be *revoked* (they
    have new tokens since) or of a *closed* phase. *password*: it holds their password.
    *confirmed*: they said that it is theirs.
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
        """Return what the email it answers proves by itself.

        Many read a Message-ID: other players in a thread, the servers on the way. So where a
        boundary checks mail it must vouch for whoever answers it.
        """
        if self.revoked or self.closed or self.answers is Answers.NOTHING:
            return None
        if self.answers is Answers.TOKEN:
            return AuthorshipBy.TOKEN
        return AuthorshipBy.THREAD if self.vouched or not self.boundary else None


@dataclass(frozen=True, slots=True)
class Proven:
    """The email is the player's, and *how* that is known."""

    how: AuthorshipBy


@dataclass(frozen=True, slots=True)
class Unproven:
    """The email waits until the player confirms it, and *why*."""

    why: ConfirmationReason


Authorship: TypeAlias = Proven | Unproven


def authorship(signs: AuthorshipSigns, rule: Proof) -> Authorship:
    """Return whether an email acts for a player, in a game whose house rules ask for *rule*."""
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
        case (
            Proof.STRICT
        ):  # both: it comes from there, and whoever wrote it knows what only they do
            answers = signs.answers is not Answers.NOTHING and not signs.revoked
            how = (signs.live_answer or vouched) if answers else password
            how = how if vouched else None
        case _:
            assert_never(rule)
    return Proven(how) if how else Unproven(_doubt(signs))


def _doubt(signs: AuthorshipSigns) -> ConfirmationReason:
    """Return why an email from a registered address is not enough."""
    if signs.revoked:
        return ConfirmationReason.OLD_TOKEN
    return ConfirmationReason.CLOSED_PHASE if signs.closed else ConfirmationReason.UNPROVEN


BOUNDARY = "boundary: pass"
UNCHECKED_WAY = (
    "smtp"  # Anybody on the machine can connect there and write what a boundary writes.
)


@dataclass(frozen=True, slots=True)
class SenderProof:
    """Whether the From is *verified*, or known to be *forged*; *told* is why, for the operator."""

    verified: bool = False
    forged: bool = False
    told: str = ""


NO_PROOF = SenderProof()


def valid_signatures(judge: Judge, mail: IncomingMail, letter: Letter) -> tuple[Signature, ...]:
    """Return the signatures of the From's domain that are valid; asks the DNS, so takes time.

    Only those that can matter are looked at: of somebody registered, and not past their time.
    """
    candidates = letter.vouchers.signatures
    if judge.signatures is None or letter.sender is None or not candidates:
        return ()
    with judge.database.read() as transaction:
        if transaction.people.by_address(letter.sender) is None:
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
    letter: Letter,
    valid: tuple[Signature, ...] = (),
) -> SenderProof:
    """Weigh what the operator's own mail server and the *valid* signatures say of the From.

    A signature proves one email only, and only to whom that is addressed: whoever sends on what a
    player wrote to somebody else, or once more what was sent to us, proves nothing.
    """
    vouchers = letter.vouchers
    verdict = _verdict(judge, mail, letter)
    if verdict is Verdict.FORGED:
        return SenderProof(forged=True, told="boundary: fail")
    believed, told = _believed(verdict, letter)
    by, told = (vouchers.signatures, told) if believed else (valid, _valid(valid))
    fresh = [transaction.people.first_proof(each.digest, mail.sha256) for each in by]
    if not believed and not valid:
        return SenderProof(told="; ".join(f"dkim: {why}" for why in vouchers.refused))
    if not all(fresh):
        return SenderProof(told="replayed")
    if not _is_for_us(judge, letter, by, sent=verdict is Verdict.SENT):
        return SenderProof(told="not addressed to the judge")
    return SenderProof(verified=True, told=told)


def _verdict(judge: Judge, mail: IncomingMail, letter: Letter) -> Verdict:
    """Return what the boundary says; it has not seen what came in by our own SMTP door."""
    if mail.way_in == UNCHECKED_WAY:
        return Verdict.NOTHING
    return boundary_verdict(letter.vouchers.boundary, judge.authserv_id, letter.sender)


def _believed(verdict: Verdict, letter: Letter) -> tuple[bool, str]:
    """Return whether the boundary's *verdict* vouches for the From, and the words for that.

    Its `pass` may be owed to any signature of the domain, so each of them must cover the email; a
    pass that only a signature can have given needs one.
    """
    vouchers = letter.vouchers
    match verdict:
        case Verdict.SENT:
            return True, BOUNDARY
        case Verdict.DMARC:
            return not vouchers.half_signed, BOUNDARY
        case Verdict.DKIM:
            return bool(vouchers.signatures) and not vouchers.half_signed, BOUNDARY
        case Verdict.NOTHING | Verdict.FORGED:
            return False, ""
        case _:
            assert_never(verdict)


def _valid(signatures: tuple[Signature, ...]) -> str:
    return f"dkim: pass, {signatures[0].domain}" if signatures else ""


def _is_for_us(
    judge: Judge, letter: Letter, signatures: tuple[Signature, ...], *, sent: bool
) -> bool:
    """Return whether the email is addressed to the judge where none but its writer can say so."""
    cc = sent or all(each.signs_cc for each in signatures)
    return letter.vouchers.is_for(judge.address, judge.delimiter, cc=cc)
