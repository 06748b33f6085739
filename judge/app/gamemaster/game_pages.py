"""The games on the desk: the list of games, one game, and the state of the judge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta

from judge.app.admin import game_admin
from judge.app.admin.health import examine
from judge.app.game.summaries import board_of_summary
from judge.app.gamemaster import emails
from judge.app.gamemaster.standing_orders import DeskAccess
from judge.app.outbound.maps import map_captions
from judge.app.ports.database import Transaction
from judge.app.ports.inbox import InboxState
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import DeliveryState
from judge.app.ports.people import Person
from judge.archive.position_json import write_position
from judge.event_log import Value
from judge.game.game_state import Game, SeatState, Stage
from judge.game.game_summary import GameSummary
from judge.game.house_rules import Nmr, standard_rules, to_payload
from judge.game.moderator_tasks import ExtensionWanted, LatePlayer, moderator_tasks
from judge.game.phases import missing_orders
from judge.game.rollback import played_phases
from judge.game.visibility import GameView, sees_contacts, view
from judge.pictures.board_art import BoardArt
from judge.pictures.drawing import draw_picture
from judge.pictures.scene import Scene
from judge.pictures.themes import Look, load_theme, scale_for_width
from judge.reports import desk_views
from judge.reports.board_names import power_name
from judge.reports.emails.contexts import addressed_to_reader
from judge.reports.emails.game_start import rules_sheet
from judge.reports.render import kind_name, render
from judge.rules.board import Map
from judge.rules.rulebook import rulebook_name
from judge.rules.types import Power

LATELY = timedelta(days=3)
COUNTED_MAX = 1_000
ENDED_SHOWN = 100  # games


def list_games(judge: Judge, access: DeskAccess) -> desk_views.Games:
    """Return the games that are not over, the last ones that are, and the pending tasks."""
    with judge.database.read() as transaction:
        summaries, load = transaction.summaries, judge.game_cache.load
        current = [each.name for each in summaries.current(listed=False)]
        games = (load(transaction, judge.boards, name) for name in current)
        found = [game for game in games if game]
        over = summaries.over(ENDED_SHOWN + 1, listed=False)
        ended = [_ended(judge, transaction, each, access) for each in over[:ENDED_SHOWN]]
        overviews = [describe_game(judge, transaction, game, access) for game in found]
        failed = tuple(_undelivered(transaction, judge.clock.now()))
        stuck = tuple(_stuck(transaction))
    troubles = tuple(desk_views.PendingTask(name) for name in examine(judge).troubles)
    by_deadline = sorted(
        (each for each in overviews if each.stage is Stage.PLAYING),
        key=lambda each: each.deadline or judge.clock.now(),
    )
    decisions = (
        each for game in found for each in _of_game(judge.board_of(game), game, access.language)
    )
    return desk_views.Games(
        wanting=(*troubles, *stuck, *failed, *decisions),
        playing=tuple(by_deadline),
        forming=tuple(each for each in overviews if each.stage is Stage.FORMING),
        ended=tuple(ended),
        more_ended=len(over) > ENDED_SHOWN,
    )


def _ended(
    judge: Judge, transaction: Transaction, game: GameSummary, access: DeskAccess
) -> desk_views.EndedGame:
    board = board_of_summary(judge, transaction, game)
    winners = (power_name(board, power, access.language) for power in game.winners)
    return desk_views.EndedGame(game.name, game.phase, game.result, tuple(winners))


def describe_game(
    judge: Judge, transaction: Transaction, game: Game, access: DeskAccess
) -> desk_views.GameOverview:
    """Return the facts about *game* that this user may see."""
    board, seen = judge.board_of(game), view(game, access.reader(game))
    phase, ending = seen.phase, seen.ending
    return desk_views.GameOverview(
        name=game.name,
        stage=seen.stage,
        variant=game.variant,
        phase=seen.position.phase.code if seen.position else None,
        deadline=phase.deadline if phase else None,
        grace_end=phase.grace_end if phase else None,
        passed=phase is not None and phase.passed,
        waits=game.house_rules.nmr is Nmr.WAIT,
        zone=game.house_rules.zone,
        joined=seen.joined,
        places=len(board.players),
        seats=tuple(_seats(transaction, board, game, seen, access)),
        joined_by=_joined(transaction, game) if _sees(game, access) else (),
        paused=game.paused,
        asked=tuple(game.phase.asked.items()) if game.phase else (),
        result=ending.result if ending else None,
        winners=tuple(power_name(board, power, access.language) for power in ending.winners)
        if ending
        else (),
        applicants=tuple(_applicants(transaction, game)),
        board=_board(game) if not access.plays(game) else "",
    )


def _applicants(transaction: Transaction, game: Game) -> Iterator[tuple[str, str]]:
    for each in game.applicants:
        person = transaction.people.get(each)
        if person and game.stage is not Stage.ENDED:
            yield each, person.handle


def _board(game: Game) -> str:
    if game.phase is None or game.position is None:
        return ""
    return json.dumps(write_position(game.position), indent=1)


def _seats(
    transaction: Transaction, board: Map, game: Game, seen: GameView, access: DeskAccess
) -> Iterator[desk_views.SeatOverview]:
    needs, shown = missing_orders(board, game), _sees(game, access)
    for power, (state, takeover_until) in seen.seats.items():
        person = transaction.people.get(seen.people[power]) if power in seen.people else None
        yield desk_views.SeatOverview(
            power=power,
            nation=power_name(board, power, access.language),
            player=person.handle if person and (shown or not game.house_rules.anonymous) else "",
            state=state,
            takeover_until=takeover_until,
            entry=_orders_entered(seen, power, needed=needs is not None and power in needs.owed),
            units=len(seen.position.units_of(power)) if seen.position else 0,
            centers=len(seen.position.centers_of(power)) if seen.position else 0,
            contact=_contact(person) if person and shown else "",
            returned=transaction.outbox.last_bounce(person.id) if person else None,
        )


def _sees(game: Game, access: DeskAccess) -> bool:
    return sees_contacts(game, access.reader(game)) and not access.plays(game)


def _joined(transaction: Transaction, game: Game) -> tuple[str, ...]:
    people = map(transaction.people.get, game.joined) if game.stage is Stage.FORMING else ()
    return tuple(f"{each.handle}, {_contact(each)}" for each in people if each)


def _contact(person: Person) -> str:
    return f"{person.name} <{person.address}>".strip()


def _orders_entered(seen: GameView, power: Power, *, needed: bool) -> desk_views.OrdersState:
    if seen.phase is None or not needed:
        return desk_views.OrdersState.NOT_NEEDED
    if power in seen.phase.ordered:
        return desk_views.OrdersState.HERE
    return (
        desk_views.OrdersState.LATE if power in seen.phase.late else desk_views.OrdersState.MISSING
    )


def _stuck(transaction: Transaction) -> Iterator[desk_views.PendingTask]:
    for state in (InboxState.QUARANTINED, InboxState.HELD):
        if number := len(transaction.inbox.entries(state, COUNTED_MAX)):
            yield desk_views.PendingTask(state.value, number)


def _undelivered(transaction: Transaction, now: datetime) -> Iterator[desk_views.PendingTask]:
    for way in (DeliveryState.GIVEN_UP, DeliveryState.CAME_BACK):
        entries = transaction.outbox.entries(way=way, limit=COUNTED_MAX)
        lately = [each for each in entries if now - (each.bounced_utc or each.due_utc) < LATELY]
        if lately:
            yield desk_views.PendingTask(way.value, len(lately))


def _of_game(board: Map, game: Game, language: str) -> Iterator[desk_views.PendingTask]:
    named: dict[str, list[str]] = {}
    for power, seat in game.seats.items():
        if seat.state is SeatState.VACANT and game.stage is Stage.PLAYING:
            named.setdefault(seat.state.value, []).append(power_name(board, power, language))
    for decision in moderator_tasks(board, game):
        powers = named.setdefault(kind_name(decision), [])
        if isinstance(decision, ExtensionWanted | LatePlayer):
            powers.append(power_name(board, decision.power, language))
    for what, powers in named.items():
        yield desk_views.PendingTask(what, len(powers), game.name, tuple(powers))


MAILS_SHOWN = 15
BROADCASTS_SHOWN = 20
EARLIER_SHOWN = 30
PIXELS = 900


def game_page(
    judge: Judge, game: Game, access: DeskAccess, *, has_picture: bool
) -> desk_views.GamePage:
    """Return the page of *game*, as far as this user may see it."""
    with judge.database.read() as transaction:
        entries = transaction.outbox.entries(game.name, limit=MAILS_SHOWN)
        overview = describe_game(judge, transaction, game, access)
        latest = emails.mail_lines(judge, transaction, entries, access.language)
    past = (
        played_phases(game_admin.read_log(judge, game.name))
        if game.stage is not Stage.FORMING
        else ()
    )
    return desk_views.GamePage(
        game=overview,
        rulebook=rulebook_name(game.rulebook),
        sheet=_sheet(judge, game, access.language),
        settings=tuple(_settings(game)),
        earlier=tuple(each.position.phase.code for each in reversed(past) if each.undone)[
            :EARLIER_SHOWN
        ],
        press=_press(judge, game, access.language) if game.position else (),
        mails=latest,
        has_picture=has_picture and game.position is not None,
        sees_orders=game.phase is not None and access.sees_orders(game),
        plays=access.plays(game),
    )


def game_map(judge: Judge, game: Game, art: BoardArt, colors: str, language: str) -> str | None:
    """Return the board of *game* as SVG without orders, labeled in *language*."""
    if game.position is None:
        return None
    title = f"{game.name} \N{MIDDLE DOT} {game.position.phase}"
    scene = Scene(position=game.position, title=title)
    look = Look(load_theme(colors), scale=scale_for_width(PIXELS))
    board = judge.board_of(game)
    return draw_picture(board, art, scene, look, map_captions(board, language)).svg()


def _sheet(judge: Judge, game: Game, language: str) -> str:
    sheet = rules_sheet(judge.board_of(game), game, judge_code=judge.code)
    paragraphs = render(addressed_to_reader(sheet, None, None, language)).text.split("\n\n")
    return "\n\n".join(each for each in paragraphs if not each.startswith("::"))


def _settings(game: Game) -> Iterator[desk_views.HouseRuleLine]:
    usual = to_payload(standard_rules(game.name))
    for name, value in to_payload(game.house_rules).items():
        yield desk_views.HouseRuleLine(name, _written(value), value == usual[name])


def _written(value: Value) -> str:
    """Write *value* as settings have it: `press=none`, `closed_weekdays=6,7`."""
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ",".join(map(_written, value))
        case _:
            return str(value)


def _press(judge: Judge, game: Game, language: str) -> tuple[desk_views.BroadcastItem, ...]:
    board = judge.board_of(game)
    broadcasts = [
        each
        for each in game_admin.public_record_of_game(judge, game.name).press
        if not each.readers
    ]
    return tuple(
        desk_views.BroadcastItem(
            each.phase.code if each.phase else "",
            power_name(board, each.sender or "", language),
            each.text,
        )
        for each in reversed(broadcasts[-BROADCASTS_SHOWN:])
    )


def judge_condition(judge: Judge) -> desk_views.Condition:
    """Return the health of the judge for the desk."""
    health = examine(judge)
    tally = health.tally
    return desk_views.Condition(
        troubles=health.troubles,
        last_tick=health.last_tick,
        inbox=tally.inbox,
        outbox=tally.outbox,
        oldest_waiting=tally.oldest_waiting,
        oldest_queued=tally.oldest_queued,
        retried=tally.retried,
        refused=tally.refused,
        mailboxes=tuple(
            (each.name, each.read_utc, each.failing_utc, each.reason) for each in health.mailboxes
        ),
    )
