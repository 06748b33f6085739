"""Instants, orders, positions and outcomes as primitives of the log, and back.

The owner of a unit is in it only where the rulebook of the game requires it (DATC 4.C.5, 4.C.6).

A position has the shape in which programs exchange it: `{"phase": "S1901M", "units": {"AUSTRIA":
["A BUD"]}, "centers": {...}, "dislodged": {...}, "contested": [...], "builds": {...}}`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from functools import lru_cache
from typing import TypeAlias, cast

from judge.event_log import Value
from judge.notation.order_text import (
    TEXTS_KEPT_MAX,
    read_owned_order,
    write_order,
    write_owned_order,
)
from judge.rules import outcomes, types
from judge.rules.rule_options import ConvoyParadoxes, MisnamedUnit
from judge.rules.rulebook import Rulebook


def format_instant(instant: datetime) -> str:
    """Write *instant*, which is aware, without its fraction of a second."""
    whole = instant.astimezone(UTC).replace(microsecond=0, tzinfo=None)
    return f"{whole.isoformat()}Z"


def parse_instant(text: str) -> datetime:
    """Read what `format_instant` wrote."""
    return datetime.fromisoformat(text)


def get_text(payload: Mapping[str, Value], key: str) -> str:
    """Return the string under *key*."""
    return cast("str", payload[key])


def get_texts(payload: Mapping[str, Value], key: str) -> tuple[str, ...]:
    """Return the strings under *key*."""
    return tuple(cast("tuple[str, ...]", payload[key]))


def get_payload(payload: Mapping[str, Value], key: str) -> Mapping[str, Value]:
    """Return the payload under *key*."""
    return cast("Mapping[str, Value]", payload[key])


def write_orders(orders: Iterable[types.Order], rulebook: Rulebook) -> tuple[str, ...]:
    """Write *orders* so that *rulebook* judges each text like its order."""
    forgiving = rulebook.power_omitted is rulebook.power_wrong is MisnamedUnit.LEGAL
    return tuple(map(write_order if forgiving else write_owned_order, orders))


def orders_from_texts(texts: Iterable[str]) -> tuple[types.Order, ...]:
    """Read what `write_orders` wrote; raises `UnreadableOrderError` for anything else."""
    return tuple(map(read_owned_order, texts))


Payload: TypeAlias = Mapping[str, Value]
OutcomePart: TypeAlias = outcomes.Verdict | outcomes.FailCause | outcomes.Fate | outcomes.Strength

CLASSES_BY_WORD: Mapping[str, Callable[..., OutcomePart]] = {
    word: part for part, word in outcomes.WORDS.items()
}
# What `why` is in each.
REASON_ENUMS = {
    "illegal": outcomes.Impossible,
    "invalid": outcomes.Unmatched,
    "futile": outcomes.Impossible,
}


def position_to_payload(position: types.Position) -> dict[str, Value]:
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
                str(each.unit): {
                    "from": each.attacked_from,
                    "convoyed": each.attacker_convoyed,
                    "retreats": each.retreats,
                }
                for each in position.dislodged_of(power)
            }
            for power in ousted
        },
        "contested": tuple(sorted(position.contested)),
        "builds": dict(position.builds),
        **({"listed": _list_to_payload(position.listed)} if position.listed else {}),
    }


def position_from_payload(payload: Payload) -> types.Position:
    """Read what `position_to_payload` wrote."""
    units, centers, dislodged = (
        get_payload(payload, key) for key in ("units", "centers", "dislodged")
    )
    return types.Position(
        phase=types.Phase.parse(get_text(payload, "phase")),
        units=tuple(
            unit_from_text(power, each)
            for power in sorted(units)
            for each in get_texts(units, power)
        ),
        owners={
            center: power for power in sorted(centers) for center in get_texts(centers, power)
        },
        dislodged=tuple(
            _dislodged_from_payload(power, each, get_payload(get_payload(dislodged, power), each))
            for power in sorted(dislodged)
            for each in get_payload(dislodged, power)
        ),
        contested=frozenset(get_texts(payload, "contested")),
        builds=dict(cast("Mapping[types.Power, int]", payload["builds"])),
        listed=tuple(
            unit_from_text(power, each)
            for power, several in cast(
                "Mapping[types.Power, tuple[str, ...]]", payload.get("listed", {})
            ).items()
            for each in several
        ),
    )


def _list_to_payload(listed: tuple[types.Unit, ...]) -> dict[str, Value]:
    """Write nJudge's list of units by power: the order counts within a power only."""
    powers = sorted({unit.power for unit in listed})
    return {power: tuple(str(unit) for unit in listed if unit.power == power) for power in powers}


@lru_cache(maxsize=TEXTS_KEPT_MAX)
def unit_from_text(power: types.Power, written: str) -> types.Unit:
    """Read `A BUD`, a unit of *power*."""
    kind, _, location = written.partition(" ")
    return types.Unit(power, types.UnitKind(kind), location)


def _dislodged_from_payload(
    power: types.Power, written: str, payload: Payload
) -> types.DislodgedUnit:
    return types.DislodgedUnit(
        unit=unit_from_text(power, written),
        attacked_from=get_text(payload, "from"),
        attacker_convoyed=payload["convoyed"] is True,
        retreats=get_texts(payload, "retreats"),
    )


def outcome_to_payload(outcome: outcomes.Outcome) -> dict[str, Value]:
    """Write *outcome* as primitives, its causes included."""
    return {
        "power": outcome.power,
        "order": write_owned_order(outcome.order),
        "verdict": _part_to_payload(outcome.verdict),
        "fate": _part_to_payload(outcome.fate) if outcome.fate else None,
        "written": outcome.written,
        **({"by_land": True} if outcome.by_land else {}),
    }


def outcomes_from_payloads(payloads: Iterable[Payload]) -> tuple[outcomes.Outcome, ...]:
    """Read what `outcome_to_payload` wrote."""
    return tuple(map(_outcome_from_payload, payloads))


def paradox_to_payload(paradox: outcomes.Paradox) -> dict[str, Value]:
    """Write *paradox* as primitives."""
    return {
        "convoys": paradox.convoys,
        "moves": paradox.moves,
        "rule": paradox.rule.value,
        "stood_in": paradox.stood_in,
    }


def paradox_from_payload(payload: Payload) -> outcomes.Paradox:
    """Read what `paradox_to_payload` wrote."""
    return outcomes.Paradox(
        convoys=get_texts(payload, "convoys"),
        moves=get_texts(payload, "moves"),
        rule=ConvoyParadoxes(get_text(payload, "rule")),
        stood_in=payload["stood_in"] is True,
    )


def _part_to_payload(part: OutcomePart) -> Payload:
    held = {each.name: _to_primitive(getattr(part, each.name)) for each in fields(part)}
    return {"is": outcomes.WORDS[type(part)], **held}


def _to_primitive(held: object) -> Value:
    match held:
        case str() | bool() | None:
            return held
        case outcomes.Impossible() | outcomes.Unmatched():
            return str(held.value)
        case tuple():
            return tuple(_to_primitive(each) for each in held)
        case _ if type(held) in outcomes.WORDS:
            return _part_to_payload(cast("OutcomePart", held))
        case _:
            return write_owned_order(cast("types.Order", held))


def _outcome_from_payload(payload: Payload) -> outcomes.Outcome:
    fate = payload["fate"]
    return outcomes.Outcome(
        power=get_text(payload, "power"),
        order=read_owned_order(get_text(payload, "order")),
        verdict=cast("outcomes.Verdict", _part_from_payload(get_payload(payload, "verdict"))),
        fate=cast("outcomes.Fate", _part_from_payload(get_payload(payload, "fate")))
        if fate
        else None,
        written=payload["written"] is True,
        by_land=payload.get("by_land") is True,
    )


def _part_from_payload(payload: Payload) -> OutcomePart:
    word = get_text(payload, "is")
    fields_read = {
        key: _from_primitive(word, key, value) for key, value in payload.items() if key != "is"
    }
    return CLASSES_BY_WORD[word](**fields_read)


def _from_primitive(word: str, key: str, value: Value) -> object:
    match value:
        case str() if key == "why":
            return REASON_ENUMS[word](value)
        case str() if key == "instead":
            return read_owned_order(value)
        case Mapping():
            return _part_from_payload(value)
        case tuple() | list():
            return tuple(_from_primitive(word, "", each) for each in value)
        case _:
            return value
