"""The state of the judge: waiting and failed work, coming deadlines, warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.app import store_trouble
from judge.app.ports.damaged_logs import find_damage
from judge.app.ports.database import DiskRoom, Tally, Transaction
from judge.app.ports.inbox import InboxState, Mailbox, WithheldEmail
from judge.app.ports.judge import Judge
from judge.app.public_log import log_name
from judge.checkpoints import Witnessed, WitnessedCheckpoint
from judge.event_log import Flaw
from judge.reports.render import trouble_texts

UNANSWERED_MAX = timedelta(minutes=15)
UNSENT_MAX = timedelta(hours=1)
FAILING_MAX = timedelta(minutes=15)
STANDSTILL_MAX = timedelta(minutes=3)  # the heartbeat comes every minute
OVERDUE_MAX = timedelta(minutes=15)
DAMAGE_SOUGHT_AFTER = timedelta(minutes=1)  # overdue: no phase closes on a damaged log
UNCOSIGNED_MAX = timedelta(days=3)
FAILURES_SINCE = timedelta(days=1)
GAMES_SHOWN = 5
ANSWERS_SHOWN = 5  # of servers, behind a trouble
DISK_USED_MAX = 0.9  # of the disk; then it is time to act
DISK_BYTES_MIN = 50_000_000  # with less, emails may be refused at any time

FIXES: Mapping[str, str] = {  # what to do about each trouble
    "disk_full": "free disk space, or raise the quota: until then mail is refused and comes again",
    "disk_filling": "free disk space, or keep emails for fewer days (keep_mail_days)",
    "not_running": "start it (systemctl start judge); its log says why it stopped",
    "mail_waits": "see mail.failed in its log, and `judge inbox list --state received`",
    "mail_not_sent": "check that the smarthost accepts mail, and its log",
    "template_fails": "mend the template in `judge status`, reload, then `judge outbox retry`",
    "template_replaced": "mend the template in `judge status` and reload: until then the judge's "
    "own words go out",
    "mail_refused": "see the reasons in `judge status`; `judge outbox retry MAIL` tries again now",
    "mail_given_up": "see `judge outbox list --state given_up`; then retry or discard them",
    "mail_quarantined": "see `judge inbox list --state quarantined`; then retry or discard them",
    "clock_behind": "set the clock and run chrony, then restart the judge",
    "deadline_overdue": "see turn.failed and game.held in its log",
    "game_damaged": "look at it (judge log show), then restore a backup or, if the event is only "
    "altered, accept the log: see docs/operators/running.md#event-logs",
    "mailbox_login": "correct imap_user and the password, which may have to be one for apps",
    "email_withheld": "see `judge status`; repair or delete it there, then reload the judge",
    "mailbox_unread": "see the reason in `judge status`; `judge check` tries again now",
    "witness_silent": "see `judge status`; ask the other operator, see docs/proofs.md#witnesses",
    "log_not_extended": "compare the logs with the other operator: docs/proofs.md#witnesses",
    "store_fails": "correct that; the judge goes on when it works. See `store.fails` in the log",
    "store_damaged": "restore a backup, or save what can be read: see "
    "docs/operators/running.md#a-damaged-database",
}


OF_STORE = ("disk_full", "store_damaged", "store_fails")
# With such a trouble these follow from it, and go when it goes.
CONSEQUENCES = ("not_running", "mail_waits", "mail_not_sent", "deadline_overdue")


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time at which a game is next due, and the deadline of its open phase, if any."""

    game: str
    look_utc: datetime
    phase: str | None
    deadline_utc: datetime | None


@dataclass(frozen=True, slots=True)
class WitnessHealth:
    """The checkpoints that the witness *name* has *cosigned* last and was *asked* for since.

    *seen* is what this judge cosigned of its log last; nobody has proven that those *refused*
    extend it.
    """

    name: str
    cosigned: WitnessedCheckpoint | None
    asked: WitnessedCheckpoint | None
    seen: WitnessedCheckpoint | None
    refused: Sequence[WitnessedCheckpoint]


@dataclass(frozen=True, slots=True)
class Health:
    """The state of the judge *at* an instant; *troubles* need attention."""

    at: datetime
    tally: Tally
    last_tick: datetime | None
    last_backup: datetime | None
    mailboxes: Sequence[Mailbox]
    withheld: Sequence[WithheldEmail]
    witnesses: Sequence[WitnessHealth]
    troubles: tuple[str, ...]
    store_reason: str = ""  # why the store fails
    damaged: Sequence[Flaw] = ()  # in the logs of games that are due

    def explain(self, trouble: str) -> str:
        """Return the sentence that says what *trouble* is, with its reason."""
        reason = ""
        if trouble in OF_STORE:
            reason = self.store_reason
        elif trouble == "game_damaged":
            flaws = (f"event {e.version} of {e.game} is {e.damage.value}" for e in self.damaged)
            reason = ", ".join(flaws)
        text = trouble_texts()[trouble]
        return f"{text}: {reason}" if reason else text

    def report(self, trouble: str) -> str:
        """Return what `explain` says and, of a mailbox or mail server, what that has answered."""
        words = "".join(f"\n  {line}" for line in self._answers_behind(trouble))
        return f"{self.explain(trouble)}{words}"

    def _answers_behind(self, trouble: str) -> Sequence[str]:
        match trouble:
            case "email_withheld":
                found = [
                    f"UID {each.uid} in {each.mailbox}: {each.reason}" for each in self.withheld
                ]
            case "mailbox_login" | "mailbox_unread":
                found = [f"{each.name}: {each.reason}" for each in self.mailboxes if each.reason]
            case "mail_refused":
                found = [each.reason for each in self.tally.failures if each.ours]
            case "template_fails":
                found = [each.reason for each in self.tally.unrendered]
            case _:
                found = []
        return found[:ANSWERS_SHOWN]


def examine(judge: Judge) -> Health:
    """Return the health of the judge, from its store; it need not be running."""
    now = judge.clock.now()
    with judge.database.read() as transaction:
        tally = transaction.tallies.count(now, now - FAILURES_SINCE, GAMES_SHOWN)
        last_tick = transaction.agenda.last_heartbeat()
        last_backup = transaction.agenda.last_backup()
        mailboxes = transaction.mailboxes.all()
        withheld = transaction.mailboxes.withheld()
        damaged = transaction.agenda.store_damaged_since() is not None
        behind = transaction.agenda.clock_behind_since() is not None
        witnesses = _witnesses(judge, transaction) if judge.witnesses else ()
        due = (name for name, at in tally.games if at < now - DAMAGE_SOUGHT_AFTER)
        flaws = [flaw for name in due if (flaw := find_damage(transaction, name))]
    damaged_games = {flaw.game for flaw in flaws}
    disk = disk_trouble(judge.database.disk_room())
    fault = _store_fault(judge) if disk != "disk_full" else None
    reason = judge.trouble.reason or (store_trouble.reason_of(fault) if fault else "")
    damaged = damaged or (fault is not None and judge.database.is_damage(fault))
    late = {
        "disk_full": disk == "disk_full",
        "disk_filling": disk == "disk_filling",
        "not_running": last_tick is None or now - last_tick > STANDSTILL_MAX,
        "mail_waits": _is_before(tally.oldest_waiting, now - UNANSWERED_MAX),
        "mail_not_sent": _is_before(tally.oldest_queued, now - UNSENT_MAX),
        "template_fails": bool(tally.unrendered),
        "template_replaced": bool(tally.replaced),
        "mail_refused": any(
            failure.ours and failure.since < now - FAILING_MAX for failure in tally.failures
        ),
        "mail_given_up": tally.given_up > 0,
        "mail_quarantined": tally.inbox[InboxState.QUARANTINED.value] > 0,
        "deadline_overdue": any(
            at < now - OVERDUE_MAX for name, at in tally.games if name not in damaged_games
        ),
        "game_damaged": bool(flaws),
        "mailbox_login": any(mailbox.login_refused for mailbox in mailboxes),
        "mailbox_unread": any(
            mailbox.is_red(now) and not mailbox.login_refused for mailbox in mailboxes
        ),
        "email_withheld": bool(withheld),
        "store_damaged": damaged,
        "clock_behind": behind,
        "store_fails": disk != "disk_full" and not damaged and bool(reason),
        "witness_silent": any(
            each.asked and each.asked.at < now - UNCOSIGNED_MAX for each in witnesses
        ),
        "log_not_extended": any(each.refused for each in witnesses),
    }
    hidden = CONSEQUENCES if any(late[name] for name in OF_STORE) else ()
    troubles = tuple(name for name, is_so in late.items() if is_so and name not in hidden)
    return Health(
        now, tally, last_tick, last_backup, mailboxes, withheld, witnesses, troubles, reason, flaws
    )


def _store_fault(judge: Judge) -> Exception | None:
    """Return why a table cannot be used; the judge that decides may be another process."""
    try:
        judge.database.probe(writes=False)
    except Exception as error:  # noqa: BLE001 - whatever it is, the store does not work
        return error
    return None


def disk_trouble(room: DiskRoom | None) -> str | None:
    """Return the name of the trouble with the disk, if there is any."""
    if room is None or room.used < DISK_USED_MAX:
        return None
    return "disk_full" if room.free < DISK_BYTES_MIN else "disk_filling"


def _witnesses(judge: Judge, transaction: Transaction) -> Sequence[WitnessHealth]:
    own, witnessed = log_name(judge, transaction), transaction.witnessed
    names = [each.log.name for each in judge.witnesses]
    return [
        WitnessHealth(
            name,
            witnessed.newest(own, name, Witnessed.COSIGNED),
            witnessed.newest(own, name, Witnessed.ASKED),
            witnessed.newest(name, own, Witnessed.COSIGNED),
            witnessed.of(name, own, Witnessed.REFUSED),
        )
        for name in names
    ]


def deadlines(judge: Judge, tally: Tally) -> tuple[Deadline, ...]:
    """Return the next deadlines of the games in *tally*."""
    with judge.database.read() as transaction:
        games = [(transaction.summaries.get(name), name, due) for name, due in tally.games]
    return tuple(
        Deadline(name, due, game.phase if game else None, game.deadline if game else None)
        for game, name, due in games
    )


def _is_before(instant: datetime | None, limit: datetime) -> bool:
    return instant is not None and instant < limit
