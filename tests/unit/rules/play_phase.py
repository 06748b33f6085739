"""Play a phase in the notation of the DATC cases, with units placed by their orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import Adjudication, Fate, Outcome, Verdict
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import Phase, Position, Power, Unit, Waive
from tests.datc.case_notation import read_order, read_units

BOARD = load_map()

Written = Mapping[Power, Sequence[str]]


def standing(
    units: Written,
    phase: str = "S1901M",
    centers: Written | None = None,
    builds: Mapping[Power, int] | None = None,
) -> Position:
    owners = {center: power for power, held in (centers or {}).items() for center in held}
    return Position(Phase.parse(phase), read_units(units), owners, builds=builds or {})


def ordered(position: Position, orders: Written, rulebook: Rulebook = DATC) -> Adjudication:
    read = {power: [read_order(text) for text in texts] for power, texts in orders.items()}
    return adjudicate(BOARD, position, read, rulebook)


def played(orders: Written, phase: str = "S1901M", rulebook: Rulebook = DATC) -> Adjudication:
    """Adjudicate movement *orders*; each unit is where its order says."""
    units = {
        power: [" ".join(text.split()[:2]) for text in texts] for power, texts in orders.items()
    }
    return ordered(standing(units, phase), orders, rulebook)


def verdict_in(result: Adjudication, province: str) -> Verdict:
    return outcome_in(result, province).verdict


def fate_in(result: Adjudication, province: str) -> Fate | None:
    return outcome_in(result, province).fate


def outcome_in(result: Adjudication, province: str) -> Outcome:
    (found,) = [
        outcome
        for outcome in (*result.outcomes, *result.unordered)
        if not isinstance(outcome.order, Waive) and outcome.order.unit.province == province
    ]
    return found


def names(units: Sequence[Unit]) -> list[str]:
    return [f"{unit.power} {unit}" for unit in units]
