"""Positions and outcomes as primitives of the log, and back; classes are named by stable words.

A position has the shape in which programs exchange it: `{"phase": "S1901M", "units": {"AUSTRIA":
["A BUD"]}, "centers": {...}, "dislodged": {...}, "contested": [...], "builds": {...}}`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TypeAlias, cast

from judge.events.value import Value
from judge.game.primitives import inner, text, texts
from judge.game.standing import read_orders
from judge.notation.order_text import write_owned_order
from judge.rules.board import Map
from judge.rules.outcome import (
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Destroyed,
    Dislodged,
    Disrupted,
    FailCause,
    Fails,
    Fate,
    Futile,
    Given,
    HeadOn,
    HeldOff,
    Illegal,
    Impossible,
    Invalid,
    Outcome,
    OwnUnit,
    Paradox,
    ParadoxHold,
    RetreatsClash,
    Stands,
    StoodOff,
    Strength,
    Succeeds,
    Unmatched,
    Verdict,
)
from judge.rules.rule_options import ConvoyParadoxes
from judge.rules.types import (
    DislodgedUnit,
    Order,
    Phase,
    PhaseKind,
    Position,
    Power,
    Unit,
    UnitKind,
)

Payload: TypeAlias = Mapping[str, Value]
Part: TypeAlias = Verdict | FailCause | Fate | Strength

CLASSES: Mapping[str, Callable[..., Part]] = {
    "illegal": Illegal,
    "invalid": Invalid,
    "stands": Stands,
    "succeeds": Succeeds,
    "fails": Fails,
    "given": Given,
    "cut": Cut,
    "available": Available,
    "disrupted": Disrupted,
    "stood_off": StoodOff,
    "held_off": HeldOff,
    "head_on": HeadOn,
    "own_unit": OwnUnit,
    "convoy_broken": ConvoyBroken,
    "convoy_paradox": ConvoyParadox,
    "paradox_hold": ParadoxHold,
    "futile": Futile,
    "retreats_clash": RetreatsClash,
    "dislodged": Dislodged,
    "destroyed": Destroyed,
    "strength": Strength,
}
WORDS = {part: word for word, part in CLASSES.items()}
# What `why` is in each.
REASONS = {"illegal": Impossible, "invalid": Unmatched, "futile": Impossible}


def position_to_payload(position: Position) -> dict[str, Value]:
    """Write *position* as primitives."""
    powers = dict.fromkeys(unit.power for unit in position.units)
    owners = sorted(set(position.owners.values()))
    ousted = dict.fromkeys(each.unit.power for each in position.dislodged)
    return {
        "phase": position.phase.code,
        "units": {p: tuple(str(unit) for unit in position.units_of(p)) for p in powers},
        "centers": {power: position.centers_of(power) for power in owners},
        "dislodged": {
            power: {
                str(each.unit): _ousted_to_payload(each) for each in position.dislodged_of(power)
            }
            for power in ousted
        },
        "contested": tuple(sorted(position.contested)),
        "builds": dict(position.builds),
    }


def position_from_payload(payload: Payload) -> Position:
    """Read what `position_to_payload` wrote."""
    units, centers, dislodged = (inner(payload, key) for key in ("units", "centers", "dislodged"))
    return Position(
        phase=Phase.parse(text(payload, "phase")),
        units=tuple(
            unit_from_text(power, each) for power in sorted(units) for each in texts(units, power)
        ),
        owners={center: power for power in sorted(centers) for center in texts(centers, power)},
        dislodged=tuple(
            _ousted_from_payload(power, each, inner(inner(dislodged, power), each))
            for power in sorted(dislodged)
            for each in inner(dislodged, power)
        ),
        contested=frozenset(texts(payload, "contested")),
        builds=dict(cast("Mapping[Power, int]", payload["builds"])),
    )


def unit_from_text(power: Power, written: str) -> Unit:
    """Read `A BUD`, a unit of *power*."""
    kind, _, location = written.partition(" ")
    return Unit(power, UnitKind(kind), location)


def _ousted_to_payload(dislodged: DislodgedUnit) -> dict[str, Value]:
    return {
        "from": dislodged.attacked_from,
        "convoyed": dislodged.attacker_convoyed,
        "retreats": dislodged.retreats,
    }


def _ousted_from_payload(power: Power, written: str, payload: Payload) -> DislodgedUnit:
    return DislodgedUnit(
        unit=unit_from_text(power, written),
        attacked_from=text(payload, "from"),
        attacker_convoyed=payload["convoyed"] is True,
        retreats=texts(payload, "retreats"),
    )


def outcome_to_payload(outcome: Outcome) -> dict[str, Value]:
    """Write *outcome* as primitives, its causes included."""
    return {
        "power": outcome.power,
        "order": write_owned_order(outcome.order),
        "verdict": _part_to_payload(outcome.verdict),
        "fate": _part_to_payload(outcome.fate) if outcome.fate else None,
        "written": outcome.written,
        **({"by_land": True} if outcome.by_land else {}),
    }


def outcomes_from_payloads(
    board: Map, kind: PhaseKind, payloads: Iterable[Payload]
) -> tuple[Outcome, ...]:
    """Read what `outcome_to_payload` wrote in a phase of *kind*."""
    return tuple(Reader(board, kind).outcome(payload) for payload in payloads)


def paradox_to_payload(paradox: Paradox) -> dict[str, Value]:
    """Write *paradox* as primitives."""
    return {
        "convoys": paradox.convoys,
        "moves": paradox.moves,
        "rule": paradox.rule.value,
        "stood_in": paradox.stood_in,
    }


def paradox_from_payload(payload: Payload) -> Paradox:
    """Read what `paradox_to_payload` wrote."""
    return Paradox(
        convoys=texts(payload, "convoys"),
        moves=texts(payload, "moves"),
        rule=ConvoyParadoxes(text(payload, "rule")),
        stood_in=payload["stood_in"] is True,
    )


def _part_to_payload(part: Part) -> Payload:
    held = {each.name: _plain(getattr(part, each.name)) for each in fields(part)}
    return {"is": WORDS[type(part)], **held}


def _plain(held: object) -> Value:
    match held:
        case str() | bool() | None:
            return held
        case Impossible() | Unmatched():
            return str(held.value)
        case tuple():
            return tuple(_plain(each) for each in held)
        case _ if type(held) in WORDS:
            return _part_to_payload(cast("Part", held))
        case _:
            return write_owned_order(cast("Order", held))


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads outcomes of a phase of *kind* on *board*, where orders are text."""

    board: Map
    kind: PhaseKind

    def outcome(self, payload: Payload) -> Outcome:
        """Read one outcome."""
        fate = payload["fate"]
        return Outcome(
            power=text(payload, "power"),
            order=self._order(text(payload, "order")),
            verdict=cast("Verdict", self._part(inner(payload, "verdict"))),
            fate=cast("Fate", self._part(inner(payload, "fate"))) if fate else None,
            written=payload["written"] is True,
            by_land=payload.get("by_land") is True,
        )

    def _part(self, payload: Payload) -> Part:
        word = text(payload, "is")
        held = {key: self._held(word, key, value) for key, value in payload.items() if key != "is"}
        return CLASSES[word](**held)

    def _held(self, word: str, key: str, value: Value) -> object:
        match value:
            case str() if key == "why":
                return REASONS[word](value)
            case str() if key == "instead":
                return self._order(value)
            case Mapping():
                return self._part(value)
            case tuple() | list():
                return tuple(self._held(word, "", each) for each in value)
            case _:
                return value

    def _order(self, written: str) -> Order:
        (order,) = read_orders(self.board, self.kind, (written,))
        return order
