"""The board after a naive solution, and the verdict of each order, as they are compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from judge.rules.outcomes import WORDS, Adjudication, Illegal
from judge.rules.rule_options import ConvoyParadoxes, RetreatToConvoyedOrigin
from judge.rules.types import (
    Convoy,
    Hold,
    Location,
    Move,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    province_of,
)
from tests.properties.naive_decisions import Supposing
from tests.properties.naive_solver import Solution


@dataclass(frozen=True, slots=True)
class Board:
    """Result of a phase: the verdict of each order, and the units.

    For a dislodged unit: where it was attacked from, whether by convoy, and its retreats. Units
    without a retreat are gone.
    """

    words: dict[Province, str]
    standing: frozenset[Unit]
    dislodged: dict[Unit, tuple[Province, bool, frozenset[Location]]]
    contested: frozenset[Province]


def board_of(result: Adjudication) -> Board:
    """Return the resolver's result."""
    words = {
        outcome.order.unit.province: WORDS[type(outcome.verdict)]
        for outcome in result.outcomes
        if not isinstance(outcome.verdict, Illegal)
        if isinstance(outcome.order, Hold | Move | SupportHold | SupportMove | Convoy)
    }
    dislodged = {
        each.unit: (each.attacked_from, each.attacker_convoyed, frozenset(each.retreats))
        for each in result.after.dislodged
    }
    return Board(words, frozenset(result.after.units), dislodged, result.contested)


def board_after(solution: Solution) -> Board:
    """Return the board that *solution* leads to."""
    field, answers = solution.field, solution.answers
    moved = {start for start in field.moves if answers.get(start)}
    driven = {
        field.moves[by]: by
        for by in moved
        if field.moves[by] in field.units and field.moves[by] not in moved
    }
    standing = {
        Unit(unit.power, unit.kind, field.landings[start] if start in moved else unit.location)
        for start, unit in field.units.items()
        if start not in driven
    }
    taken = {unit.province for unit in standing}
    contested = {
        end
        for start, end in field.moves.items()
        if end not in taken
        if field.goes(start) and Supposing(field, answers.__getitem__).keeps_out(start)
    }
    dislodged = {}
    for start, by in driven.items():
        by_sea = field.by_sea(by)
        unit = field.units[start]
        barred = field.rulebook.retreat_to_convoyed_origin is RetreatToConvoyedOrigin.BARRED
        closed = taken | contested | ({by} if barred or not by_sea else set())
        around = field.board.army if unit.kind is UnitKind.ARMY else field.board.fleet
        free = {each for each in around[unit.location] if province_of(each) not in closed}
        if free:
            dislodged[unit] = (by, by_sea, frozenset(free))
    words = dict(_words(solution))
    return Board(words, frozenset(standing), dislodged, frozenset(contested))


def _words(solution: Solution) -> Iterator[tuple[Province, str]]:
    for unit, order in solution.field.orders.items():
        answer = solution.answers.get(unit)
        match order:
            case Hold():
                yield unit, "stands"
            case _ if answer is None:
                yield unit, "invalid"
            case Move():
                yield unit, "succeeds" if answer else "fails"
            case SupportHold() | SupportMove():
                yield unit, "given" if answer else "cut"
            case Convoy():
                yield unit, "available" if answer or _spared(solution, unit) else "disrupted"
            case _:
                assert_never(order)


def _spared(solution: Solution, fleet: Province) -> bool:
    """Return whether *fleet* only holds in a paradox and its army had another path (6.F.19)."""
    field = solution.field
    holds = field.rulebook.convoy_paradoxes is ConvoyParadoxes.ALL_HOLD
    driven_out = any(solution.answers[attacker] for attacker in field.attackers(fleet))
    return holds and field.spared(fleet) and not driven_out
