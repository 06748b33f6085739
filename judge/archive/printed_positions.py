"""Build positions from the units and centers that a source prints.

Contradictions become doubts. Few sources list retreats or the units that dislodged others; these
are computed from the orders of the phase before, under the rules of the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.archive.position_json import UNKNOWN_PROVINCE
from judge.archive.reading import Doubts
from judge.archive.record import RecordedPhase
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.phase_sequence import sort_units
from judge.rules.retreats import open_retreats
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    DislodgedUnit,
    Location,
    Phase,
    Position,
    Power,
    Province,
    Unit,
    UnitKind,
    province_of,
)


@dataclass(slots=True)
class PrintedPosition:
    """A printed position; a piece that does not fit is noted and left out."""

    board: Map
    doubts: Doubts
    on_board: dict[Province, Unit] = field(default_factory=dict)
    dislodged: dict[Province, Unit] = field(default_factory=dict)
    owners: dict[Province, Power] = field(default_factory=dict)
    retreats: dict[Unit, tuple[Location, ...]] = field(default_factory=dict)  # where they are told

    def place(self, unit: Unit, line: int, text: str, *, dislodged: bool = False) -> None:
        """Place *unit*, or have it wait for its retreat if it is *dislodged*."""
        if unit.location not in borders_for(self.board, unit.kind):
            self.doubts.note(line, text, "no such unit can stand there")
            return
        there = self.dislodged if dislodged else self.on_board
        if there.setdefault(unit.province, unit) is not unit:
            self.doubts.note(line, text, f"a second unit in {unit.province}")

    def own(self, center: Province, power: Power, line: int, text: str) -> None:
        """Set *power* as the owner of *center*."""
        if not self.board.places[center].center:
            self.doubts.note(line, text, "no supply center")
        elif self.owners.setdefault(center, power) != power:
            self.doubts.note(line, text, f"{center} has two owners")

    def unit_in(self, province: Province) -> Unit | None:
        """Return the unit of *province* that can be ordered: a dislodged one before another."""
        return self.dislodged.get(province) or self.on_board.get(province)

    def position(self, phase: Phase, before: RecordedPhase | None, law: Rulebook) -> Position:
        """Return the position of *phase*, which the orders of *before* led to under *law*."""
        units = sort_units(self.board, self.on_board.values())
        if not self.dislodged:
            return Position(phase, units, self.owners)
        known: dict[Unit, DislodgedUnit] = {}
        contested: frozenset[Province] = frozenset()
        if before and before.position and before.phase.following() == phase:
            judged = adjudicate(self.board, before.position, before.orders_by_power(), law)
            known = {each.unit: each for each in judged.after.dislodged}
            contested = judged.contested.difference(self.on_board)
        waiting = tuple(
            known.get(unit) or self._driven_out(unit, contested, law)
            for unit in sort_units(self.board, self.dislodged.values())
        )
        return Position(phase, units, self.owners, waiting, contested)

    def _driven_out(
        self, unit: Unit, contested: frozenset[Province], law: Rulebook
    ) -> DislodgedUnit:
        """Return *unit* as dislodged from an unknown province.

        Printed retreats only count if they are empty: after an attack by sea, the server of the
        `diplomacy` package also lists the others, and then refuses them.
        """
        closed = self.on_board.keys() | contested
        told = self.retreats.get(unit)
        if told is None:
            places = open_retreats(
                self.board,
                unit,
                attacked_from=UNKNOWN_PROVINCE,
                attacker_convoyed=False,
                closed=closed,
                rulebook=law,
            )
        else:
            places = tuple(each for each in told if province_of(each) not in closed)
        return DislodgedUnit(unit, UNKNOWN_PROVINCE, attacker_convoyed=False, retreats=places)


def borders_for(board: Map, kind: UnitKind) -> Mapping[Location, frozenset[Location]]:
    """Return the borders of *board* for units of *kind*, by location."""
    return board.army if kind is UnitKind.ARMY else board.fleet
