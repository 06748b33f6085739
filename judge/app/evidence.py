"""What speaks for the address in a From: it can be forged, so by itself it proves nothing."""

from __future__ import annotations

from dataclasses import dataclass

from judge.app.incoming import IncomingMail
from judge.app.judge import Judge
from judge.app.ports import Transaction
from judge.mail.authentication import FAIL, PASS, Signature, boundary_verdict, is_expired
from judge.mail.envelope import Letter


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

    A signature proves one mail only: whoever sends what it signed once more, with other headers
    around it, proves nothing.
    """
    verdict = boundary_verdict(letter.vouchers.boundary, judge.authserv_id, letter.sender)
    if verdict == FAIL:
        return Evidence(forged=True, told="boundary: fail")
    by = letter.vouchers.signatures if verdict == PASS else valid
    fresh = [transaction.people.first_proof(each.digest, mail.sha256) for each in by]
    if not all(fresh):
        return Evidence(told="replayed")
    if verdict == PASS:
        return Evidence(verified=True, told="boundary: pass")
    if valid:
        return Evidence(verified=True, told=f"dkim: pass, {valid[0].domain}")
    return Evidence(told="; ".join(f"dkim: {why}" for why in letter.vouchers.refused))
