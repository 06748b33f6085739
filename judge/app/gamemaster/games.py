"""The games as whoever looks after them may know them: who is late, and never what is ordered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta

from judge.app import operate
from judge.app.gamemaster.sight import Sight
from judge.app.health import examine
from judge.app.incoming import InboxState
from judge.app.judge import Judge
from judge.app.outgoing import Way
from judge.app.ports import Person, Transaction
from judge.archive.position_json import write_position
from judge.game.game_state import Game, SeatState, Stage
from judge.game.house_rules import Nmr
from judge.game.moderator_tasks import ExtensionWanted, LatePlayer, moderator_tasks
from judge.game.orders.missing_orders import missing_orders
from judge.game.visibility import GameView, sees_contacts, view
from judge.reports.board_names import power_name
from judge.reports.desk_views import GameOverview, Games, OrdersState, PendingTask, SeatOverview
from judge.reports.render import kind_name
from judge.rules.board import Map
from judge.rules.types import Power

LATELY = timedelta(days=3)
COUNTED_MAX = 1_000


def games(judge: Judge, sight: Sight) -> Games:
    """Return every game, and what waits for somebody's hand."""
    found = operate.games(judge)
    with judge.database.read() as transaction:
        told = [tell(judge, transaction, game, sight) for game in found]
        failed = tuple(_undelivered(transaction, judge.clock.now()))
        stuck = tuple(_stuck(transaction))
    troubles = tuple(PendingTask(name) for name in examine(judge).troubles)
    by_deadline = sorted(
        (each for each in told if each.stage is Stage.PLAYING),
        key=lambda each: each.deadline or judge.clock.now(),
    )
    decisions = (
        each
        for game in found
        for each in _of_game(judge.boards(game.variant), game, sight.language)
    )
    return Games(
        wanting=(*troubles, *stuck, *failed, *decisions),
        playing=tuple(by_deadline),
        forming=tuple(each for each in told if each.stage is Stage.FORMING),
        ended=tuple(each for each in told if each.stage is Stage.ENDED),
    )


def tell(judge: Judge, transaction: Transaction, game: Game, sight: Sight) -> GameOverview:
    """Return what may be known of *game*."""
    board, seen = judge.boards(game.variant), view(game, sight.reader(game))
    phase, ending = seen.phase, seen.ending
    return GameOverview(
        name=game.name,
        stage=seen.stage,
        variant=game.variant,
        phase=seen.position.phase.code if seen.position else None,
        deadline=phase.deadline if phase else None,
        grace_end=phase.grace_end if phase else None,
        passed=phase is not None and phase.passed,
        manual=game.house_rules.manual_processing,
        waits=game.house_rules.nmr is Nmr.WAIT,
        zone=game.house_rules.zone,
        joined=seen.joined,
        places=len(board.powers),
        seats=tuple(_seats(transaction, board, game, seen, sight)),
        joined_by=_joined(transaction, game) if _sees(game, sight) else (),
        paused=game.paused,
        asked=tuple(game.phase.asked.items()) if game.phase else (),
        result=ending.result if ending else None,
        winners=tuple(power_name(board, power, sight.language) for power in ending.winners)
        if ending
        else (),
        applicants=tuple(_applicants(transaction, game)),
        board=_board(game) if not sight.plays(game) else "",
    )


def _applicants(transaction: Transaction, game: Game) -> Iterator[tuple[str, str]]:
    for each in game.applicants:
        person = transaction.people.get(each)
        if person and game.stage is not Stage.ENDED:
            yield each, person.handle


def _board(game: Game) -> str:
    """Write the board of the open phase, to be corrected by hand."""
    if game.phase is None or game.position is None:
        return ""
    return json.dumps(write_position(game.position), indent=1)


def _seats(
    transaction: Transaction, board: Map, game: Game, seen: GameView, sight: Sight
) -> Iterator[SeatOverview]:
    needs, shown = missing_orders(board, game), _sees(game, sight)
    for power, (state, takeover_until) in seen.seats.items():
        person = transaction.people.get(seen.people[power]) if power in seen.people else None
        yield SeatOverview(
            power=power,
            nation=power_name(board, power, sight.language),
            player=person.handle if person and (shown or not game.house_rules.anonymous) else "",
            state=state,
            takeover_until=takeover_until,
            entry=_entry(seen, power, needed=needs is not None and power in needs.owed),
            units=len(seen.position.units_of(power)) if seen.position else 0,
            centers=len(seen.position.centers_of(power)) if seen.position else 0,
            contact=_contact(person) if person and shown else "",
            returned=transaction.outbox.last_bounce(person.id) if person else None,
        )


def _sees(game: Game, sight: Sight) -> bool:
    """Say whether names and addresses of the players are shown at this desk."""
    return sees_contacts(game, sight.reader(game)) and not sight.plays(game)


def _joined(transaction: Transaction, game: Game) -> tuple[str, ...]:
    people = map(transaction.people.get, game.joined) if game.stage is Stage.FORMING else ()
    return tuple(f"{each.handle}, {_contact(each)}" for each in people if each)


def _contact(person: Person) -> str:
    return f"{person.name} <{person.address}>".strip()


def _entry(seen: GameView, power: Power, *, needed: bool) -> OrdersState:
    if seen.phase is None or not needed:
        return OrdersState.NOT_NEEDED
    if power in seen.phase.ordered:
        return OrdersState.HERE
    return OrdersState.LATE if power in seen.phase.late else OrdersState.MISSING


def _stuck(transaction: Transaction) -> Iterator[PendingTask]:
    """Count the mails that wait for somebody's decision: the judge's is made."""
    for state in (InboxState.QUARANTINED, InboxState.HELD):
        if number := len(transaction.inbox.entries(state, COUNTED_MAX)):
            yield PendingTask(state.value, number)


def _undelivered(transaction: Transaction, now: datetime) -> Iterator[PendingTask]:
    """Count the mails that did not reach their readers lately."""
    for way in (Way.GIVEN_UP, Way.CAME_BACK):
        entries = transaction.outbox.entries(way=way, limit=COUNTED_MAX)
        lately = [each for each in entries if now - (each.bounced_utc or each.due_utc) < LATELY]
        if lately:
            yield PendingTask(way.value, len(lately))


def _of_game(board: Map, game: Game, language: str) -> Iterator[PendingTask]:
    """Name the powers that want a player, and what the moderator has to decide."""
    named: dict[str, list[str]] = {}
    for power, seat in game.seats.items():
        if seat.state is SeatState.VACANT and game.stage is Stage.PLAYING:
            named.setdefault(seat.state.value, []).append(power_name(board, power, language))
    for decision in moderator_tasks(board, game):
        powers = named.setdefault(kind_name(decision), [])
        if isinstance(decision, ExtensionWanted | LatePlayer):
            powers.append(power_name(board, decision.power, language))
    for what, powers in named.items():
        yield PendingTask(what, len(powers), game.name, tuple(powers))
