"""Close phases at their deadlines, after all earlier mail, and send reminders before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from judge.app import store_trouble
from judge.app.commands.order_lines import read_for_any_phase
from judge.app.game import apply
from judge.app.outbound.delivery import unreachable_players
from judge.app.outbound.facts import OrdersMissing, TasksPending
from judge.app.outbound.queue import GameMailer, recipients_of
from judge.app.ports.damaged_logs import DamagedLogError, find_damage
from judge.app.ports.database import Agenda, Blame, Transaction, claim_on, retry_overtaken
from judge.app.ports.inbox import PRESS_OR_ORDERS, UNDECIDED, InboxState, IncomingMail
from judge.app.ports.judge import (
    Judge,
    StoreFaultError,
    TooMuchToReadError,
    UnreadError,
)
from judge.app.readings import read_now
from judge.app.sent_emails import without_sent_text
from judge.game.calendar import is_short, respite
from judge.game.clock import Tick, reminders_due
from judge.game.game_state import Game
from judge.game.house_rules import HOUR, write_duration
from judge.game.moderator_tasks import moderator_tasks, tasks_mark
from judge.game.submission import ordered_province
from judge.mail.body import Text
from judge.mail.envelope import OpenedEmail, UnopenedError
from judge.mail.language.command_syntax import NamedGame, OrdersOfPhase, OrderText
from judge.mail.language.command_table import CommandTable
from judge.mail.reader.email_text import read_lines
from judge.mail.reader.game_headings import split_by_game
from judge.notation.readings import NotUnderstood, Unclear, Understood, WhyNotUnderstood
from judge.reports.emails.contexts import Heading, heading_of
from judge.reports.emails.notices import PhaseHeld
from judge.reports.emails.receipts import EmailOnHold
from judge.rules.board import DEFAULT_VARIANT, Map
from judge.rules.types import Province

HEARTBEAT = timedelta(minutes=1)
WAKE_UP = "wake up"
OUTAGE = timedelta(minutes=15)  # a shorter one is a restart
SHORT_OUTAGE = timedelta(minutes=3)  # in games whose phases last minutes
SHORT_PHASE_MAX = timedelta(hours=1)
JUMP = timedelta(minutes=10)  # of the clock; a smaller one is a correction
BELIEVED_AFTER = timedelta(hours=1)  # a clock that was set back
GAMES_AT_A_TIME = 20
GAMES_LOADED_MAX = 10_000  # after a short outage
PHASES_CLOSED_MAX = 20  # per tick, after a long outage


def due_games(judge: Judge) -> Iterator[Sequence[str]]:
    """Yield batches of the games that may be due, each game once.

    Games that become due meanwhile go before those that only catch up after an outage.
    """
    seen, limit = set[str](), GAMES_AT_A_TIME
    while True:
        with judge.database.read() as transaction:
            found = transaction.agenda.due(judge.clock.now(), limit)
        games = [name for name in found if name not in seen][:GAMES_AT_A_TIME]
        if games:
            seen.update(games)
            yield games
        elif len(found) < limit:
            return
        else:
            limit *= 2  # All of these have to wait; look further.


def advance_due_games(judge: Judge, games: Iterable[str]) -> None:
    """Send reminders of *games* and do what is due, except where another judge works on one."""
    for game in games:
        claim = claim_on(game)
        if judge.database.claims.take(claim):
            try:
                _advance_due_game(judge, game)
            finally:
                judge.database.claims.leave(claim)


def note_wake_up(judge: Judge) -> bool:
    """Record an outage, and schedule the games that have no entry in the agenda.

    Each game gets its time back before anything else happens in it. The agenda is a hint and may
    have been lost. Returns False if another judge on the same store is doing this now: the time
    must not be given back twice.
    """
    if not judge.database.claims.take(WAKE_UP):
        return False
    try:
        _wake_up(judge)
    finally:
        judge.database.claims.leave(WAKE_UP)
    return True


def _wake_up(judge: Judge) -> None:
    now = judge.clock.now()
    with judge.database.read() as transaction:
        unscheduled = transaction.agenda.unscheduled_games()
    with judge.database.write() as transaction:
        agenda = transaction.agenda
        began = agenda.last_heartbeat() or now
        if now - began >= OUTAGE:
            agenda.begin_outage(began, now)
        elif now - began >= SHORT_OUTAGE:
            for name in _short_games(judge, transaction, now):
                agenda.begin_outage(began, now, name)
        for name in unscheduled:
            agenda.set(name, now)
        _record_heartbeat(judge, agenda, now)


def _short_games(judge: Judge, transaction: Transaction, now: datetime) -> Iterator[str]:
    """Yield the games whose phases last minutes: each of them is due within the hour."""
    for name in transaction.agenda.due(now + SHORT_PHASE_MAX, GAMES_LOADED_MAX):
        try:
            game = judge.game_cache.load(transaction, judge.boards, name)
        except Exception as error:  # noqa: BLE001 - one game must not hold up the others
            judge.operator_log.failed("game.failed", error, game=name)
        else:
            if game and is_short(game.house_rules):
                yield name


def record_heartbeat(judge: Judge) -> None:
    """Record regularly that the judge is awake, to date the beginning of an outage."""
    now = judge.clock.now()
    with judge.database.read() as transaction:
        last = transaction.agenda.last_heartbeat()
    if last is None or now - last >= HEARTBEAT or last - now >= JUMP:
        with judge.database.write() as transaction:
            _record_heartbeat(judge, transaction.agenda, now)


def _record_heartbeat(judge: Judge, agenda: Agenda, now: datetime) -> None:
    """Record a heartbeat, unless the last one lies in the future.

    In that case one of the two times is wrong. A clock without a battery may have lost years:
    believing it at once would credit those years to all games when it is set. So the clock must
    show the new time for a while first.
    """
    last, since = agenda.last_heartbeat(), agenda.clock_behind_since()
    if last and last - now >= JUMP:
        if since is None or since > now:
            since = now
            agenda.set_clock_behind(since)
            judge.operator_log.warning("clock.behind", seconds=round((last - now).total_seconds()))
        if now - since < BELIEVED_AFTER:
            return
    if since:
        agenda.set_clock_behind(None)
    agenda.record_heartbeat(now)


def _advance_due_game(judge: Judge, name: str) -> None:
    try:
        for _ in range(PHASES_CLOSED_MAX):
            if not retry_overtaken(partial(_do_and_commit, judge, name)):
                return
    except DamagedLogError as error:
        apply.warn_of_damage(judge, error.flaw)
    except Exception as error:
        if judge.database.blame(error) is not Blame.DATA and store_trouble.is_cause_of(
            judge, error
        ):
            store_trouble.begin(judge, error)
            raise StoreFaultError(judge.trouble.reason) from error
        _log_failure(judge, name, error)


def _log_failure(judge: Judge, name: str, error: Exception) -> None:
    try:
        with judge.database.read() as transaction:
            flaw = find_damage(transaction, name)
    except Exception as worse:  # noqa: BLE001 - the store is gone: the next tick tries again
        judge.operator_log.failed("game.failed", worse, game=name)
        return
    if flaw:
        apply.warn_of_damage(judge, flaw)
    else:
        judge.operator_log.failed("game.failed", error, game=name)


def _do_and_commit(judge: Judge, name: str) -> bool:
    with judge.database.write() as transaction:
        return _do_one_thing(judge, transaction, name)


def _do_one_thing(judge: Judge, transaction: Transaction, name: str) -> bool:
    """Do one due action; return False if none is left or earlier mail must be processed first."""
    now = judge.clock.now()
    if not transaction.agenda.is_due(name, now):  # Another judge was faster.
        return False
    apply.credit_outage(judge, transaction, name, now)
    game = judge.game_cache.load(transaction, judge.boards, name)
    assert game is not None, "the agenda names games of the log"
    apply.require_whole_log(transaction, game)
    board = judge.board_of(game)
    due = apply.next_wake_up(board, game, now)
    if due is None or due > now:
        _remind(judge, transaction, board, game, now, due)
        return False
    if transaction.inbox.waiting(until=due, limit=1):
        # decisions.md, Time: mail from before the deadline is processed before the close.
        return False
    if waits_for_inputs(judge, transaction, game, due, now):
        return False
    tick = Tick(answered_until=due, unreachable=unreachable_players(judge, transaction, game, now))
    result = apply.apply_command(judge, transaction, name, tick, now)
    assert result.game is not None
    judge.operator_log.note("game.moved", game=name, version=result.game.version)
    board = judge.board_of(result.game)
    due = apply.next_wake_up(board, result.game, now)
    if due and due <= now:
        return True
    _remind(judge, transaction, board, result.game, now, due)
    return False


def _remind(
    judge: Judge,
    transaction: Transaction,
    board: Map,
    game: Game,
    now: datetime,
    due: datetime | None,
) -> None:
    """Queue the reminders of *game*, which is *due* again then."""
    remind_players(judge, transaction, board, game, now)
    remind_moderator(judge, transaction, board, game, now)
    transaction.agenda.set(game.name, due)


ALERT_AFTER = timedelta(minutes=15)  # docs/developers/decisions.md, Time
LOOK_AGAIN = timedelta(minutes=1)  # after the alert


def waits_for_inputs(
    judge: Judge, transaction: Transaction, game: Game, due: datetime, now: datetime
) -> bool:
    """Return whether *game* must wait for mail; notify its moderator after 15 minutes or less."""
    unread = judge.inputs.unread(due, now)
    if not unread:
        return False
    if now - due >= respite(ALERT_AFTER, game.house_rules):
        judge.operator_log.warning("game.held", game=game.name, unread=", ".join(unread))
        notice = PhaseHeld(heading=heading_of(judge.board_of(game), game, judge.code), due=due)
        mailer = GameMailer(judge, transaction, game, now)
        for reader in recipients_of(transaction, game):
            if reader.power is None:
                mailer.write(notice, reader, f"held:{game.name}:{due.isoformat()}")
        transaction.agenda.set(game.name, now + LOOK_AGAIN)
    return True


DESK_LASTS = timedelta(hours=1)  # of pending tasks, which are listed again the next day


def remind_moderator(
    judge: Judge, transaction: Transaction, board: Map, game: Game, now: datetime
) -> None:
    """Queue the daily email about pending tasks, if it is time and there are any."""
    decisions, hour = moderator_tasks(board, game), apply.last_desk_hour(now)
    if not decisions or now - hour > DESK_LASTS:
        return
    mailer = GameMailer(judge, transaction, game, now)
    for reader in recipients_of(transaction, game):
        if reader.moderates:
            cause = f"{game.name}:desk:{hour.date().isoformat()}"
            page = TasksPending(heading=Heading(judge.code, game=game.name), version=game.version)
            mailer.ask(page, reader, cause, tasks_mark(decisions))


def remind_players(
    judge: Judge, transaction: Transaction, board: Map, game: Game, now: datetime
) -> None:
    """Queue the due reminders; phase, deadline and length in the cause make each unique."""
    due = {power: length for length, power in reminders_due(board, game, now)}
    assert game.phase or not due
    mailer = GameMailer(judge, transaction, game, now)
    for reader in recipients_of(transaction, game):
        if reader.power in due and game.phase:
            length = due[reader.power]
            deadline, before = game.phase.deadline.isoformat(), write_duration(length, HOUR)
            cause = f"{game.name}:{game.phase.number}:{deadline}:{before}"
            waiting = unconfirmed_emails(
                judge,
                transaction,
                reader.person.id,
                partial(_open_held, judge, transaction, reader.person.id),
            )
            page = OrdersMissing(
                heading=Heading(judge.code, game=game.name),
                version=game.version,
                power=reader.power,
                length=length,
                waiting=waiting,
            )
            mailer.write(page, reader, cause)


def _open_held(
    judge: Judge, transaction: Transaction, person: str, mail: IncomingMail
) -> OpenedEmail | None:
    opened = judge.opener.open(mail.raw, mail.sender)
    if not isinstance(opened, OpenedEmail):
        return None
    read = partial(read_now, judge.reader)
    return without_sent_text(judge, transaction, mail, opened, person, read=read)


MENTIONED_MAX = 3
LINES_COUNTED_MAX, ORDER_CHARACTERS_MAX = 100, 200  # of a held email, to count its orders
LOOKED_AT_MAX = 30  # held emails; replies to press come last
GAMES_OF_HELD_MAX = 20  # whose names and boards count in one


def count_orders(text: Text, boards: Mapping[str, Map], board: Map, commands: CommandTable) -> int:
    """Return how many units the beginning of *text* orders; 0 if it orders all at once.

    *boards* are those of its writer's games, by name; *board* counts above the name of one.
    """
    lines = (line for line in text.fresh[:LINES_COUNTED_MAX])
    short = tuple(line for line in lines if len(line.text) <= ORDER_CHARACTERS_MAX)
    parsed = read_lines(replace(text, fresh=short), board, commands)
    ordered, game = set[tuple[str, Province | int]](), ""
    for each in split_by_game(parsed, boards, board, commands):
        if isinstance(each, NamedGame):
            game = each.game
        if not isinstance(each, OrderText | OrdersOfPhase):
            continue
        written = "\n".join(line.text for line in each.lines)
        for reading in read_for_any_phase(written, boards.get(game, board)):
            match reading:
                case Understood(order=order) | Unclear(orders=(order, *_)):
                    ordered.add((game, ordered_province(order) or each.line + reading.line))
                case NotUnderstood(why=WhyNotUnderstood.ALL_UNITS):
                    return 0
                case _:
                    pass
    return len(ordered)


def unconfirmed_emails(
    judge: Judge,
    transaction: Transaction,
    person: str,
    open_mail: Callable[[IncomingMail], OpenedEmail | None],
) -> tuple[EmailOnHold, ...]:
    """Return the first emails in the name of *person* that await confirmation.

    Identical ones within one minute are listed once. Replies to press are listed until the phase
    in which they arrived closes, then once more, or until their writer leaves the game.
    """
    held = transaction.inbox.held_for(person, LOOKED_AT_MAX)
    names = transaction.summaries.names_of(person, GAMES_OF_HELD_MAX) if held else ()
    loaded = (judge.game_cache.load(transaction, judge.boards, name) for name in names)
    games = [game for game in loaded if game]
    boards = {game.name: judge.board_of(game) for game in games}
    opened_at = {
        game.name: game.phase.opened
        for game in games
        if game.phase and (game.power_of(person) or person in {game.moderator, *game.observers})
    }
    current = [
        mail
        for mail in held
        if mail.reason != UNDECIDED and (mail.reason != PRESS_OR_ORDERS or mail.game in opened_at)
    ]
    current.sort(key=lambda mail: mail.reason == PRESS_OR_ORDERS)
    found = []
    for mail in current[:MENTIONED_MAX]:
        try:
            opened = open_mail(mail)
        except (UnopenedError, UnreadError, TooMuchToReadError):
            continue
        board = boards.get(mail.game or next(iter(boards), ""), judge.boards(DEFAULT_VARIANT))
        orders = count_orders(opened.text, boards, board, judge.commands) if opened else 0
        minute = mail.received_utc.replace(second=0, microsecond=0)
        press = mail.reason == PRESS_OR_ORDERS
        closed = press and mail.received_utc < opened_at[mail.game or ""]
        if closed:
            transaction.inbox.finish(mail.id, InboxState.HELD, UNDECIDED)
        found.append(EmailOnHold(minute, orders, press, closed))
    return tuple(dict.fromkeys(found))
