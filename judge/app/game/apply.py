"""Apply a command to a game: check its log, decide, append, announce, in one transaction.

A closed phase is announced to all players, and email cannot be recalled. So a game whose log was
changed from outside waits for the operator, who restores the log from a backup or accepts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.app.game.event_emails import announce
from judge.app.game.summaries import update_summary
from judge.app.ports.damaged_logs import DamagedLogError, find_break, find_damage, reporting_damage
from judge.app.ports.database import Transaction
from judge.app.ports.judge import GameCache, Judge
from judge.app.ports.people import People
from judge.event_log import Damage, Flaw, Head, Vouched, digest_rows, verify_chain
from judge.game.clock import CreditOutage, next_due_at, reminders
from judge.game.commands import Command, decide
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game
from judge.game.moderator_tasks import moderator_tasks
from judge.game.phases import PhaseClosed
from judge.game.players.creation import CreateGame
from judge.game.players.joining import GameStarted
from judge.game.players.seats import CivilDisorderDeclared, PowerTakenOver, PowerVacated
from judge.game.players.standbys import OfferEnded, StandBy, StandbyWent, standbys_wanted
from judge.game.rollback import EarlierPhase, played_phases
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class CommandResult:
    """A game's reply to a command, and the game afterwards."""

    decision: Accepted | Refused
    game: Game | None


def apply_command(
    judge: Judge, transaction: Transaction, name: str, command: Command, now: datetime
) -> CommandResult:
    """Apply *command* to the game *name*: append its events and announce them.

    An outage is credited first. Raises `DamagedLogError` if a phase would close on a damaged log,
    or if an order of the open phase cannot be read.
    """
    with reporting_damage(transaction, name):
        return _apply_command(judge, transaction, name, command, now)


def _apply_command(
    judge: Judge, transaction: Transaction, name: str, command: Command, now: datetime
) -> CommandResult:
    credit_outage(judge, transaction, name, now)
    before = judge.game_cache.load(transaction, judge.boards, name)
    if before is None and not isinstance(command, CreateGame):
        return CommandResult(Refused(Why.NO_SUCH_GAME), None)
    board = board_of(judge, before, command)
    decision = decide(board, before, command, now)
    if isinstance(decision, Refused) or not decision.events:
        return CommandResult(decision, before)
    if any(isinstance(event, PhaseClosed) for event in decision.events):
        flaw = _find_new_break(judge.game_cache, transaction, name)
        if flaw:
            raise DamagedLogError(find_damage(transaction, name) or flaw)
    version = before.version if before else 0
    people = before.people if before else ()
    recorded = transaction.events.append(name, version, decision.events, now, known=people)
    states = judge.game_cache.follow(judge.boards, before, recorded)
    after = states[-1]
    for each in recorded:
        if isinstance(each.event, PowerTakenOver) and before:
            _revoke_tokens(transaction, before, each.event.power)
    update_summary(judge, transaction, board, before, after, recorded)
    announce(judge, transaction, board, (before, *states), recorded, now)
    if not transaction.agenda.is_due(name, now):  # A due game is processed anyway.
        transaction.agenda.set(name, next_wake_up(board, after, now))
    if any(isinstance(each.event, VACATING) for each in recorded):
        for standby in standbys_to_ask(transaction.people, after):
            apply_command(judge, transaction, name, standby, now)
    return CommandResult(decision, after)


def credit_outage(judge: Judge, transaction: Transaction, name: str, now: datetime) -> None:
    """Extend the deadline of the game *name* by the last outage, unless that was done."""
    since = transaction.agenda.outage_since(name)
    if since:
        transaction.agenda.end_outage(name)
        apply_command(judge, transaction, name, CreditOutage(since), now)


def _revoke_tokens(transaction: Transaction, game: Game, power: Power) -> None:
    last = game.seats[power].person
    if last:
        transaction.people.revoke(last, game.name)


def board_of(judge: Judge, game: Game | None, command: Command) -> Map:
    """Return the board of *game*, or of the game that *command* creates."""
    if game:
        return judge.board_of(game)
    assert isinstance(command, CreateGame)
    return judge.boards(command.variant)


# After these a power may need a player.
VACATING = (PowerVacated, CivilDisorderDeclared, GameStarted, OfferEnded, StandbyWent)


def standbys_to_ask(people: People, game: Game) -> Iterator[StandBy]:
    """Yield the general standbys to ask about *game*.

    A standby who was taken from the list for any game is asked by this game only, until they
    offer again to play.
    """
    wanted = standbys_wanted(game)
    if not wanted:
        return
    for person in people.standing_by():
        if wanted > 0 and not game.knows(person) and person not in game.denied:
            people.stand_by(person, None)
            yield StandBy(person)
            wanted -= 1


DAY = timedelta(days=1)
DESK_HOUR = 18  # in UTC, as for other daily emails


def next_wake_up(board: Map, game: Game, now: datetime) -> datetime | None:
    """Return when *game* is next due: a deadline, a reminder or another timed action."""
    due = next_due_at(board, game)
    upcoming = (at for at in reminders(game) if at > now)
    next_tasks = (
        last_desk_hour(now) + DAY if game.moderator and moderator_tasks(board, game) else None
    )
    return min((at for at in (due, next_tasks, *upcoming) if at), default=None)


def last_desk_hour(now: datetime) -> datetime:
    """Return the last time at which moderators were due their list of pending tasks."""
    today = now.replace(hour=DESK_HOUR, minute=0, second=0, microsecond=0)
    return today if today <= now else today - DAY


OPERATOR = "operator"  # the actor when no person acts


def closed_phase(
    judge: Judge, transaction: Transaction, name: str, phase: str | None
) -> EarlierPhase | Why:
    """Return the closed phase with the code or number *phase*; the latest if None."""
    if judge.game_cache.load(transaction, judge.boards, name) is None:
        return Why.NO_SUCH_GAME
    found = played_phases(transaction.events.read(name))
    if phase is None:
        return next((each for each in reversed(found) if each.undone), Why.NO_SUCH_PHASE)
    named = (each for each in found if phase in (each.position.phase.code, f"{each.number:03}"))
    return next(named, Why.NO_SUCH_PHASE)


def find_damaged_games(judge: Judge, names: Iterable[str] | None = None) -> Sequence[Flaw]:
    """Return the first damaged event of each game that has one: of *names*, or of all."""
    with judge.database.read() as transaction:
        looked_at = transaction.events.games() if names is None else names
        found = [find_damage(transaction, name) for name in looked_at]
    return [flaw for flaw in found if flaw]


WARN_AGAIN = timedelta(minutes=15)


def warn_of_damage(judge: Judge, flaw: Flaw) -> None:
    """Warn the operator of a damaged log, at most once per `WARN_AGAIN`."""
    now, warned = judge.clock.now(), judge.game_cache.doubted
    if flaw.game not in warned or now - warned[flaw.game] >= WARN_AGAIN:
        warned[flaw.game] = now
        judge.operator_log.warning(
            "game.damaged", game=flaw.game, number=flaw.version, damage=flaw.damage.value
        )


def _find_new_break(cache: GameCache, transaction: Transaction, name: str) -> Flaw | None:
    """Check the events since the last check, or all if older ones could have been changed."""
    log = transaction.events
    guards, head = log.guards(), log.head(name)
    since, sound = cache.sound.pop(name, ("", Head()))
    if guards and guards == since and not log.vouched(name):
        flaw = verify_chain(name, log.rows(name, sound.version), head, sound=sound)
        if flaw:  # Or the transaction with the head that was sound was undone.
            flaw = find_break(transaction, name)
    else:
        flaw = find_break(transaction, name)
    if flaw is None:
        cache.sound[name] = guards, head
    return flaw


def require_whole_log(transaction: Transaction, game: Game) -> None:
    """Raise `DamagedLogError` if the log that *game* was loaded from has lost events."""
    if game.version != transaction.events.head(game.name).version:
        flaw = find_damage(transaction, game.name)
        assert flaw, "each event makes a game one version older"
        raise DamagedLogError(flaw)


def accept_damaged_log(judge: Judge, name: str, reason: str) -> Flaw | None:
    """Accept the damaged log of a game; return what was wrong with it.

    A log with missing events cannot be accepted and raises `DamagedLogError`.
    """
    with judge.database.write() as transaction:
        flaw = find_damage(transaction, name)
        if flaw is None:
            return None
        if flaw.damage is not Damage.ALTERED:
            raise DamagedLogError(flaw)
        log = transaction.events
        head, now = log.head(name), judge.clock.now()
        log.vouch(name, Vouched(head, digest_rows(log.rows(name)), reason, now))
    return flaw
