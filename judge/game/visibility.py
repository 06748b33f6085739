"""Visibility: which readers may see orders before the phase closes, players, blind boards.

It sees its own units and centers, and who stands in or owns a province next to one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeAlias, assert_never

from judge.game import game_state
from judge.game.house_rules import DrawAmong, ModeratorSees
from judge.rules import types
from judge.rules.board import Map
from judge.rules.legality import impossibility
from judge.rules.outcomes import Impossible
from judge.rules.rulebook import Rulebook

VisibleProvinces: TypeAlias = frozenset[types.Province] | None  # None sees everything


def position_within(
    position: types.Position, visible: VisibleProvinces, power: types.Power | None
) -> types.Position:
    """Return the *visible* part of *position*, without the retreats of other powers."""
    if visible is None:
        return position
    return replace(
        position,
        units=tuple(unit for unit in position.units if unit.province in visible),
        owners={place: owner for place, owner in position.owners.items() if place in visible},
        dislodged=tuple(
            each if each.unit.power == power else replace(each, retreats=())
            for each in position.dislodged
            if each.unit.province in visible
        ),
        contested=position.contested & visible,
        builds={each: due for each, due in position.builds.items() if each == power},
    )


def visible_fault(
    board: Map,
    position: types.Position,
    power: types.Power,
    order: types.Order,
    rulebook: Rulebook,
    visible: VisibleProvinces,
) -> Impossible | None:
    """Return the fault of *order* as far as *power* may know it.

    It does not reveal whether there is a unit to support or convoy out of sight: of such an order
    it checks only the unit that carries it out.
    """
    known = position_within(position, visible, power)
    checked = order if visible is None else _without_hidden_unit(order, visible)
    return impossibility(board, known, power, checked, rulebook)


def _without_hidden_unit(order: types.Order, visible: frozenset[types.Province]) -> types.Order:
    """Return *order*, or a hold for a support or a convoy of a unit that is out of sight."""
    match order:
        case (
            types.SupportHold(unit=unit, supported=other)
            | types.SupportMove(unit=unit, supported=other)
            | types.Convoy(unit=unit, army=other)
        ):
            return order if other.province in visible else types.Hold(unit)
        case (
            types.Hold()
            | types.Move()
            | types.Retreat()
            | types.Disband()
            | types.Build()
            | types.Waive()
        ):
            return order
        case _:
            assert_never(order)


def is_blind(game: game_state.Game) -> bool:
    """Return whether anything of the board of *game* is hidden now."""
    return game.house_rules.blind and game.stage is not game_state.Stage.ENDED


def visible_provinces(
    board: Map, game: game_state.Game, position: types.Position, power: types.Power | None
) -> VisibleProvinces:
    """Return the provinces of *position* that *power* sees: none without a power."""
    if not is_blind(game):
        return None
    if power is None:
        return frozenset()
    own = provinces_held(position, power)
    return frozenset(own | _provinces_near(board, own))


def are_in_touch(
    board: Map, position: types.Position, power: types.Power, other: types.Power
) -> bool:
    """Return whether *power* and *other* have units or centers next to each other."""
    own = provinces_held(position, power)
    return not (own | _provinces_near(board, own)).isdisjoint(provinces_held(position, other))


def provinces_held(position: types.Position, power: types.Power) -> set[types.Province]:
    """Return where *power* has a unit or owns a center."""
    units = {unit.province for unit in position.units_of(power)}
    units |= {each.unit.province for each in position.dislodged_of(power)}
    return units | {*position.centers_of(power)}


def position_visible_to(
    board: Map, game: game_state.Game, position: types.Position, power: types.Power | None
) -> types.Position:
    """Return *position* as *power* sees it in *game*."""
    return position_within(position, visible_provinces(board, game, position, power), power)


def _provinces_near(board: Map, provinces: Collection[types.Province]) -> set[types.Province]:
    return {
        types.province_of(there)
        for borders in (board.army, board.fleet)
        for here, reached in borders.items()
        if types.province_of(here) in provinces
        for there in reached
    }


@dataclass(frozen=True, slots=True)
class Player:
    """The player of *power*, also when it is eliminated."""

    power: types.Power


@dataclass(frozen=True, slots=True)
class Moderator:
    """The moderator of the game."""


@dataclass(frozen=True, slots=True)
class Operator:
    """The operator of the judge."""


@dataclass(frozen=True, slots=True)
class Inspector:
    """A reader of the orders held, as the log records (`OrdersViewed`)."""


@dataclass(frozen=True, slots=True)
class Observer:
    """Any reader without another role."""


Reader: TypeAlias = Player | Moderator | Operator | Inspector | Observer


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseView:
    """The open phase as a reader may see it; of other powers, only which are late.

    *ordered* are those that the reader knows to have given orders.
    """

    number: int
    deadline: datetime
    grace_end: datetime
    passed: bool
    late: frozenset[types.Power]
    standing: Mapping[types.Power, tuple[str, ...]]
    ordered: frozenset[types.Power]
    waiting: frozenset[types.Power]
    ready: frozenset[types.Power]
    planned: Mapping[types.Power, game_state.Plan] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalView:
    """A proposal as a reader may see it: its proposer *by* and who *accepted*, if not secret."""

    number: int
    by: types.Power | None
    among: tuple[types.Power, ...]
    phases: int
    accepted: frozenset[types.Power]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """A game as a reader may see it; *people* are the players known to the reader.

    *waits* are the later phases for which they set WAIT, *draw_lists* say among whom powers
    would accept a draw, where that is not among all.
    """

    name: str
    stage: game_state.Stage
    joined: int
    people: Mapping[types.Power, str]
    seats: Mapping[types.Power, tuple[game_state.SeatState, datetime | None]]
    position: types.Position | None
    phase: PhaseView | None
    plans: Mapping[types.Power, Mapping[str, game_state.Plan]]
    waits: frozenset[str]
    draw_votes: frozenset[types.Power]
    draw_lists: Mapping[types.Power, tuple[types.Power, ...]]
    concessions: Mapping[types.Power, types.Power]
    proposals: tuple[ProposalView, ...]
    ending: game_state.Ending | None


def view(game: game_state.Game, reader: Reader, board: Map | None = None) -> GameView:
    """Return what *reader* may see of *game*; a blind position needs the *board*."""
    own = _own_power(reader)
    voters = frozenset(game.seats) if game.house_rules.open_votes else own
    return GameView(
        name=game.name,
        stage=game.stage,
        joined=len(game.joined),
        people=_people(game, reader),
        seats={power: (seat.state, seat.takeover_until) for power, seat in game.seats.items()},
        position=_position(game, reader, board),
        phase=_phase_view(game, game.phase, reader) if game.phase else None,
        plans={power: game.plans.get(power, {}) for power in _orders_seen(game, reader)},
        waits=frozenset(code for code, powers in game.waits.items() if powers & own),
        draw_votes=game.draw_votes & voters,
        draw_lists=_draw_lists(game, voters),
        concessions={power: to for power, to in game.concessions.items() if power in voters},
        proposals=tuple(_proposals(game, own, voters)),
        ending=game.ending,
    )


def _draw_lists(
    game: game_state.Game, voters: frozenset[types.Power]
) -> Mapping[types.Power, tuple[types.Power, ...]]:
    if game.house_rules.draw_among is not DrawAmong.NAMED:
        return {}
    return {power: named for power, named in game.draw_lists.items() if power in voters}


def _proposals(
    game: game_state.Game, own: frozenset[types.Power], voters: frozenset[types.Power]
) -> Iterator[ProposalView]:
    """Yield each open proposal as readers who see the votes of *voters* may see it."""
    hidden = game.house_rules.hide_proposer
    for number, each in game.proposals.items():
        yield ProposalView(
            number=number,
            by=None if hidden and each.power not in own else each.power,
            among=each.among or game_state.survivors(game),
            phases=each.phases,
            accepted=each.accepted & voters,
        )


def position_seen(
    board: Map, game: game_state.Game, position: types.Position, reader: Reader
) -> types.Position:
    """Return what *reader* may see of a *position* of *game*."""
    match reader:
        case Player(power):
            return position_visible_to(board, game, position, power)
        case Observer():
            return position_visible_to(board, game, position, None)
        case Moderator() | Operator() | Inspector():
            return position
        case _:
            assert_never(reader)


def is_board_hidden(game: game_state.Game, reader: Reader) -> bool:
    """Return whether anything of the board is hidden from *reader*."""
    return isinstance(reader, Player | Observer) and is_blind(game)


def _position(game: game_state.Game, reader: Reader, board: Map | None) -> types.Position | None:
    if game.position is None or not is_board_hidden(game, reader):
        return game.position
    return position_seen(board, game, game.position, reader) if board else None


def sees_contacts(game: game_state.Game, reader: Reader) -> bool:
    """Return whether *reader* sees the names and addresses of the players.

    A moderator who plays, played or joined sees no more than a player; nor does the operator
    of their game, who may be the same person.
    """
    match reader:
        case Moderator() | Operator() | Inspector():
            moderator = game.moderator
            return moderator is None or not (moderator in game.joined or _plays(game, moderator))
        case Player() | Observer():
            return False
        case _:
            assert_never(reader)


def sees_orders(game: game_state.Game, reader: Reader) -> bool:
    """Return whether *reader* sees the orders of all before the phase closes."""
    return _orders_seen(game, reader) == frozenset(game.seats)


def _own_power(reader: Reader) -> frozenset[types.Power]:
    return frozenset({reader.power}) if isinstance(reader, Player) else frozenset()


def _phase_view(game: game_state.Game, phase: game_state.OpenPhase, reader: Reader) -> PhaseView:
    own = _own_power(reader)
    seen = _orders_seen(game, reader)
    return PhaseView(
        number=phase.number,
        deadline=phase.deadline,
        grace_end=phase.grace_end,
        passed=phase.passed,
        late=phase.late,
        standing={power: texts for power, texts in phase.standing.items() if power in seen},
        ordered=phase.ordered & _order_entries_seen(game, reader),
        waiting=phase.waiting & own,
        ready=phase.ready & own,
        planned={power: plan for power, plan in phase.planned.items() if power in seen},
    )


def _orders_seen(game: game_state.Game, reader: Reader) -> frozenset[types.Power]:
    """Return the powers whose orders *reader* sees before the phase closes."""
    everybody = frozenset(game.seats)
    match reader:
        case Player():
            return _own_power(reader)
        case Inspector():
            return everybody
        case Moderator():
            allowed = game.house_rules.moderator_sees is ModeratorSees.ORDERS
            return everybody if allowed and not _plays(game, game.moderator) else frozenset()
        case Operator() | Observer():
            return frozenset()
        case _:
            assert_never(reader)


def _order_entries_seen(game: game_state.Game, reader: Reader) -> frozenset[types.Power]:
    """Return the powers of which *reader* learns whether they have ordered."""
    match reader:
        case Player() | Observer():
            return _own_power(reader)
        case Moderator() | Operator() | Inspector():
            return frozenset(game.seats)
        case _:
            assert_never(reader)


def _people(game: game_state.Game, reader: Reader) -> Mapping[types.Power, str]:
    """Return the players that *reader* may know: in gunboat only the moderator knows them."""
    match reader:
        case Moderator() | Operator() | Inspector():
            seen = frozenset(game.seats)
        case Player() | Observer():
            seen = _own_power(reader) if _is_gunboat(game) else frozenset(game.seats)
        case _:
            assert_never(reader)
    return {
        power: seat.person
        for power, seat in game.seats.items()
        if power in seen and seat.person and seat.state is game_state.SeatState.PLAYED
    }


def _is_gunboat(game: game_state.Game) -> bool:
    """Return whether players are anonymous; the rules may reveal them after the game."""
    rules = game.house_rules
    return rules.anonymous and not (rules.reveal and game.stage is game_state.Stage.ENDED)


def _plays(game: game_state.Game, person: str | None) -> bool:
    return any(seat.person == person for seat in game.seats.values())
