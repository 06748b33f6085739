"""Faults of the store or the system: nothing is done meanwhile, and no email pays for it.

An error of the store, the disk, memory or the system ends the turn, and the email in hand is put
back untouched. Until the store works again no email is answered, no phase closes, and the doors
answer 451. So that no email can stop the judge by causing such an error itself, the error counts
for the email if the store works by a probe; after three attempts, alone, it is quarantined.
"""

from __future__ import annotations

from judge.app.ports.database import Blame, OlderStoreError, claim_on_sender
from judge.app.ports.inbox import InboxState
from judge.app.ports.judge import Call, Judge, UnreadError
from judge.app.readings import CPU_SECONDS_MAX
from judge.mail.envelope import UnopenedError
from judge.mail.headers import one_line
from judge.reports.render import trouble_texts

DESPITE_STORE = "while the store worked: "  # begins the reason of an error that may be its own
# The reasons of such errors before they were told apart.
STORE_ERRORS = frozenset(
    {"OperationalError", "DatabaseError", "InternalError", "MemoryError", "OSError", "ImportError"}
)
RETAKEN_MAX = 1_000
REASON_MAX = 200  # characters of what the store says
PROBE = b"From: judge@localhost\nSubject: a probe\n\n"


class LostRowsError(Exception):
    """The store is emptier than this judge left it."""

    def __init__(self) -> None:
        super().__init__(
            "rows are missing, as while a dump is restored; if it is whole, restart the judge"
        )


def is_cause_of(judge: Judge, error: Exception) -> bool:
    """Return whether the store or the system is the cause of *error*."""
    if isinstance(error, LostRowsError | OlderStoreError):
        return True
    match judge.database.blame(error):
        case Blame.STORE:
            return True
        case Blame.UNCLEAR | Blame.OTHERS:
            return _fault(judge) is not None
        case Blame.DATA:
            return isinstance(error, UnopenedError | UnreadError) and _fault(judge) is not None


def begin(judge: Judge, error: Exception) -> None:
    """Note that the store fails, in the log once."""
    if judge.trouble.since is None:
        judge.trouble.since, judge.trouble.reason = judge.clock.now(), reason_of(error)
        text = trouble_texts()["store_fails"]
        judge.operator_log.warning("store.fails", text=text, reason=judge.trouble.reason)


def reason_of(error: Exception) -> str:
    """Return what the store or the system says, on one line."""
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return one_line(str(cause), REASON_MAX) or type(cause).__name__


def log_failure(judge: Judge, event: str, error: Exception, **facts: str | int) -> None:
    """Log *error*, in the words of `judge status` if the store or the system fails."""
    found = judge.database.blame(error)
    if found is not Blame.DATA:
        facts |= {"reason": reason_of(error)}
    if found in (Blame.STORE, Blame.UNCLEAR):
        facts |= {"text": trouble_texts()["store_fails"]}
    judge.operator_log.failed(event, error, **facts)


def look(judge: Judge) -> None:
    """Note that the store fails if a table cannot be read or is another version's."""
    try:
        judge.database.probe(writes=False)
    except Exception as error:  # noqa: BLE001 - whatever it is, the store does not work
        begin(judge, error)


def is_over(judge: Judge) -> bool:
    """Return whether the store works, as far as is known; look again if it did not.

    Emails that were quarantined because it did not are taken again, also at the start.
    """
    trouble = judge.trouble
    if trouble.since and _fault(judge):
        return False
    # Put back what was in hand: this process has not ended. Another judge may be at work on it.
    for mail, sender in tuple(trouble.in_hand.items()):
        claim = claim_on_sender(sender)
        if judge.database.claims.take(claim):
            try:
                with judge.database.write() as transaction:
                    transaction.inbox.take_back(mail)
            finally:
                judge.database.claims.leave(claim)
        del trouble.in_hand[mail]
    if trouble.since or not trouble.retaken:
        with judge.database.write() as transaction:
            for each in transaction.inbox.entries(InboxState.QUARANTINED, RETAKEN_MAX):
                if each.reason in STORE_ERRORS or each.reason.startswith(DESPITE_STORE):
                    transaction.inbox.restart(each.id)
                    judge.operator_log.note("mail.retaken", mail=each.sha256, reason=each.reason)
        trouble.retaken = True
    if trouble.since:
        trouble.since, trouble.reason = None, ""
        judge.operator_log.note("store.works")
    return True


def _fault(judge: Judge) -> Exception | None:
    """Return what is wrong with the store or the processes that read; None if nothing is."""
    try:
        judge.database.probe(writes=True)
        with judge.database.read() as transaction:
            if transaction.is_older() and transaction.agenda.last_heartbeat() is None:
                return LostRowsError()
        judge.opener.open(PROBE, "")
        judge.reader.read(Call(len, ("a probe",)), CPU_SECONDS_MAX)
    except Exception as error:  # noqa: BLE001 - whatever it is, no email has caused it
        return error
    return None
