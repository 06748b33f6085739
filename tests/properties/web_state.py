"""Write a record as a webDiplomacy state, with its numbers for provinces and powers."""

from __future__ import annotations

from typing import assert_never

from judge.archive.formats.webdiplomacy import PLACES, POWERS
from judge.archive.records import Record, RecordedPhase, WrittenOrder
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    PhaseKind,
    Power,
    Retreat,
    Season,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
)

KINDS = {UnitKind.ARMY: "Army", UnitKind.FLEET: "Fleet"}
PHASES = {
    PhaseKind.MOVEMENT: "Diplomacy",
    PhaseKind.RETREATS: "Retreats",
    PhaseKind.ADJUSTMENTS: "Builds",
}
Json = dict[str, object]


def state_of(record: Record) -> Json:
    """Return the state of the game after all phases of *record*."""
    phases = [_phase(each) for each in record.phases]
    last = phases[-1]
    return {
        "gameID": 7,
        "variantID": 1,
        "turn": last["turn"],
        "phase": last["phase"],
        "gameOver": "No",
        "phases": phases,
        "standoffs": [],
        "occupiedFrom": [],
    }


def _phase(recorded: RecordedPhase) -> Json:
    phase, position = recorded.phase, recorded.position
    assert position
    waiting = [each.unit for each in position.dislodged]
    return {
        "turn": (phase.year - 1901) * 2 + (phase.season is not Season.SPRING),
        "phase": PHASES[phase.kind],
        "units": [
            *(_unit(unit, "No") for unit in position.units),
            *(_unit(unit, "Yes") for unit in waiting),
        ],
        "centers": [
            {"terrID": place(center), "countryID": country(owner)}
            for center, owner in position.owners.items()
        ],
        "orders": [_order(each) for each in recorded.orders],
    }


def _unit(unit: Unit, retreating: str) -> Json:
    return {
        "unitType": KINDS[unit.kind],
        "terrID": place(unit.location),
        "countryID": country(unit.power),
        "retreating": retreating,
    }


def _order(written: WrittenOrder) -> Json:
    results = set(written.results or ())
    told: Json = {
        "countryID": country(written.power),
        "toTerrID": "",
        "fromTerrID": "",
        "viaConvoy": "No",
        "success": "No" if results - {"dislodged", "destroyed"} else "Yes",
        "dislodged": "Yes" if results & {"dislodged", "destroyed"} else "No",
        **_meant(written),
    }
    order = written.order
    if order and not isinstance(order, Build | Waive):
        assert order.unit.kind
        told |= {"terrID": place(order.unit.location), "unitType": KINDS[order.unit.kind]}
    return told


def _meant(written: WrittenOrder) -> Json:  # noqa: PLR0911 one return a kind of order
    match written.order:
        case Hold():
            return {"type": "Hold"}
        case Move(_, target, via):
            via_convoy = "Yes" if via else "No"
            return {"type": "Move", "toTerrID": place(target), "viaConvoy": via_convoy}
        case SupportHold(_, supported):
            return {"type": "Support hold", "toTerrID": place(supported.location)}
        case SupportMove(_, supported, target):
            ends = {"fromTerrID": place(supported.location), "toTerrID": place(target)}
            return {"type": "Support move", **ends}
        case Convoy(_, army, target):
            ends = {"fromTerrID": place(army.location), "toTerrID": place(target)}
            return {"type": "Convoy", **ends}
        case Retreat(_, target):
            return {"type": "Retreat", "toTerrID": place(target)}
        case Disband():
            return {"type": "Disband"}
        case Build(unit):
            assert unit.kind
            return {"type": f"Build {KINDS[unit.kind]}", "toTerrID": place(unit.location)}
        case Waive() | None:
            return {"type": "Wait", "terrID": None}
        case order:
            assert_never(order)


def place(location: Location) -> int:
    return PLACES.index(location) + 1


def country(power: Power) -> int:
    return POWERS.index(power) + 1
