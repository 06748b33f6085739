"""What speaks for the address in a From: it can be forged, so by itself it proves nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from judge.app.incoming import IncomingMail
from judge.app.judge import Judge
from judge.app.ports import Transaction
from judge.mail.authentication import Signature, Verdict, boundary_verdict, is_expired
from judge.mail.envelope import Letter

BOUNDARY = "boundary: pass"
UNCHECKED_WAY = (
    "smtp"  # Anybody on the machine can connect there and write what a boundary writes.
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Whether the From is *verified*, or known to be *forged*; *told* is why, for the operator."""

    verified: bool = False
    forged: bool = False
    told: str = ""


NONE = Evidence()


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


def weigh(
    judge: Judge,
    transaction: Transaction,
    mail: IncomingMail,
    letter: Letter,
    valid: tuple[Signature, ...] = (),
) -> Evidence:
    """Weigh what the operator's own mail server and the *valid* signatures say of the From.

    A signature proves one email only, and only to whom that is addressed: whoever sends on what a
    player wrote to somebody else, or once more what was sent to us, proves nothing.
    """
    vouchers = letter.vouchers
    verdict = _verdict(judge, mail, letter)
    if verdict is Verdict.FORGED:
        return Evidence(forged=True, told="boundary: fail")
    believed, told = _believed(verdict, letter)
    by, told = (vouchers.signatures, told) if believed else (valid, _valid(valid))
    fresh = [transaction.people.first_proof(each.digest, mail.sha256) for each in by]
    if not believed and not valid:
        return Evidence(told="; ".join(f"dkim: {why}" for why in vouchers.refused))
    if not all(fresh):
        return Evidence(told="replayed")
    if not _is_for_us(judge, letter, by, sent=verdict is Verdict.SENT):
        return Evidence(told="not addressed to the judge")
    return Evidence(verified=True, told=told)


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
