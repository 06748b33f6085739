"""Generate records: games of random orders, adjudicated, as if a judge had reported them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random  # noqa: TID251 the caller seeds it
from typing import assert_never

from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder
from judge.notation.order_text import write_order
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.outcomes import Cut, Disrupted, Fails, Illegal, Invalid, Outcome, Unmatched
from judge.rules.rulebook import rulebook_named
from judge.rules.types import (
    Build,
    Disband,
    Order,
    PhaseKind,
    Position,
    Power,
    Retreat,
    UnitKind,
    UnitName,
    province_of,
)
from tests.properties.random_positions import Orders, name, tangle

SILENCE = 0.1  # How often a power says nothing in a retreat or adjustment phase.


def played(board: Map, chance: Random, *, phases: int, rulebook: str = "datc") -> Record:
    """Play *phases* phases from the start of *board*; the last is open, without orders."""
    position, chosen = board.start, rulebook_named(rulebook)
    told: list[RecordedPhase] = []
    for _ in range(phases - 1):
        orders = random_orders(board, chance, position)
        judged = adjudicate(board, position, orders, chosen)
        written = tuple(_written(each) for each in judged.outcomes)
        told.append(RecordedPhase(position.phase, position, written, results_told=True))
        position = judged.after
    told.append(RecordedPhase(position.phase, position))
    return Record(
        name="a game",
        source=Source("ours", "a game", "0"),
        rulebook=rulebook,
        phases=tuple(told),
    )


def random_orders(board: Map, chance: Random, position: Position) -> Orders:
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return tangle(board, chance, position)
        case PhaseKind.RETREATS:
            pairs = list(_retreats(chance, position))
        case PhaseKind.ADJUSTMENTS:
            pairs = list(_adjustments(board, chance, position))
        case kind:
            assert_never(kind)
    silent = {power for power in board.powers if chance.random() < SILENCE}
    orders: dict[Power, list[Order]] = {}
    for power, order in pairs:
        if power not in silent:
            orders.setdefault(power, []).append(order)
    return orders


def _retreats(chance: Random, position: Position) -> Iterator[tuple[Power, Order]]:
    for each in position.dislodged:
        goals: Sequence[Order] = [Retreat(name(each.unit), goal) for goal in each.retreats]
        yield each.unit.power, chance.choice([*goals, Disband(name(each.unit))])


def _adjustments(board: Map, chance: Random, position: Position) -> Iterator[tuple[Power, Order]]:
    taken = {unit.province for unit in position.units}
    for power in board.powers:
        due, units = position.due(power), position.units_of(power)
        free = [
            home
            for home in board.homes_of(power)
            if home not in taken and position.owners.get(home) == power
        ]
        for home in chance.sample(free, max(0, min(due, len(free)))):
            yield power, Build(_new(board, chance, home))
        for unit in chance.sample(units, max(0, min(-due, len(units)))):
            yield power, Disband(name(unit))


def _new(board: Map, chance: Random, home: str) -> UnitName:
    borders: Mapping[UnitKind, Mapping[str, object]] = {
        UnitKind.ARMY: board.army,
        UnitKind.FLEET: board.fleet,
    }
    choices = [
        UnitName(kind, location)
        for kind, touching in borders.items()
        for location in sorted(touching)
        if province_of(location) == home
    ]
    return chance.choice(choices)


def _written(outcome: Outcome) -> WrittenOrder:
    return WrittenOrder(
        outcome.power, write_order(outcome.order), outcome.order, tuple(_results(outcome))
    )


def _results(outcome: Outcome) -> Iterator[str]:
    match outcome.verdict:
        case Fails():
            yield "bounce"
        case Cut():
            yield "cut"
        case Disrupted():
            yield "disrupted"
        case Invalid(why=Unmatched.NO_CONVOY):
            yield "no convoy"
        case Illegal() | Invalid():
            yield "void"
        case _:
            pass
    if outcome.fate:
        yield type(outcome.fate).__name__.lower()
