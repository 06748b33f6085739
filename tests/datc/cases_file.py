"""The DATC cases as positions, orders and expected facts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import Adjudication, Succeeds, result_words
from judge.rules.rulebook import Rulebook, rulebook_named
from judge.rules.types import Move, Order, Phase, Position, Power, Unit, Waive
from tests.datc.case_notation import read_dislodged, read_order, read_units

FOLDER = Path(__file__).parent / "cases"
COUNTS = {"A": 12, "B": 19, "C": 9, "D": 35, "E": 15, "F": 30, "G": 20, "H": 17, "I": 7, "J": 12}
IDS = [f"6.{section}.{n}" for section, count in COUNTS.items() for n in range(1, count + 1)]

Case: TypeAlias = Mapping[str, Any]  # one case, as the files have it
Facts: TypeAlias = dict[str, Any]


def cases_of_the_edition() -> dict[str, Case]:
    """Return the cases of DATC 3.2 by number."""
    return {case["id"]: case for path in sorted(FOLDER.glob("6*.json")) for case in _read(path)}


def cases_of_other_editions() -> dict[str, Case]:
    """Return those that other editions set up otherwise."""
    return {case["id"]: case for case in _read(FOLDER / "other_editions.json")}


def position_of(case: Case) -> Position:
    owners = {center: power for power, held in case.get("centers", {}).items() for center in held}
    units = read_units(case["units"])
    return Position(Phase.parse(case["phase"]), units, owners, builds=case.get("builds", {}))


def retreat_of(case: Case) -> Position:
    """Return the second phase of a case that has one."""
    return Position(
        Phase.parse(case["then"]["phase"]),
        read_units(case["after"]),
        dislodged=read_dislodged(case.get("dislodged", {})),
        contested=frozenset(case.get("contested", ())),
    )


def orders_of(case: Case) -> dict[Power, list[Order]]:
    return {
        power: [read_order(text) for text, _ in orders] for power, orders in case["orders"].items()
    }


def expected(case: Case) -> Facts:
    """Return every fact that *case* gives; what it leaves out did not happen."""
    facts: Facts = {
        "results": [words for orders in case["orders"].values() for _, words in orders],
        "after": _sorted(case["after"]),
        "contested": sorted(case.get("contested", ())),
        "removed": _sorted(case.get("removed", {})),
        "disbanded": _sorted(case.get("disbanded", {})),
    }
    facts["dislodged"] = {
        f"{power} {unit}": told
        for power, units in case.get("dislodged", {}).items()
        for unit, told in units.items()
    }
    return facts


def told(position: Position, result: Adjudication) -> Facts:
    """Return the same facts as *result* has them."""
    return {
        "results": [", ".join(result_words(outcome)) for outcome in result.outcomes],
        "after": _by_power(result.after.units),
        "contested": sorted(result.contested),
        "removed": _by_power(result.removed),
        "disbanded": _by_power(result.disbanded),
        "dislodged": dict(_driven_out(position, result)),
    }


def law_of(choices: Mapping[str, str]) -> Rulebook:
    """Return the rulebook that differs from DATC 3.2 in *choices*, by the numbers of questions."""
    return rulebook_named(
        ",".join(("datc", *(f"{number}={key}" for number, key in choices.items())))
    )


def played(case: Case, rulebook: Rulebook) -> Iterator[Facts]:
    """Yield the facts of each phase of *case* under *rulebook*, each played on from the last."""
    position = position_of(case)
    for phase in phases_of(case):
        result = adjudicate(load_map(), position, orders_of(phase), rulebook)
        yield told(position, result)
        position = result.after


def phases_of(case: Case) -> Sequence[Case]:
    """Return *case*, and its second phase if it has one."""
    return (case, case["then"]) if "then" in case else (case,)


def _read(path: Path) -> Iterator[Case]:
    yield from json.loads(path.read_text(encoding="utf-8"))


def _sorted(units: Mapping[Power, Iterable[str]]) -> dict[Power, list[str]]:
    return {power: sorted(texts) for power, texts in units.items() if texts}


def _by_power(units: Iterable[Unit]) -> dict[Power, list[str]]:
    named: dict[Power, list[str]] = {}
    for unit in units:
        named.setdefault(unit.power, []).append(str(unit))
    return _sorted(named)


def _driven_out(position: Position, result: Adjudication) -> Iterator[tuple[str, object]]:
    outcomes = [*result.outcomes, *result.unordered]
    by_sea = {
        outcome.order.unit.province
        for outcome in outcomes
        if isinstance(outcome.order, Move) and isinstance(outcome.verdict, Succeeds)
        if outcome.verdict.route
    }
    units = {unit.province: unit for unit in position.units}
    for outcome in outcomes:
        if outcome.fate is not None:
            assert not isinstance(outcome.order, Waive)
            unit = units[outcome.order.unit.province]
            retreats = getattr(outcome.fate, "retreats", ())
            by = outcome.fate.by
            yield (
                f"{unit.power} {unit}",
                {"from": by, "convoyed": by in by_sea, "retreats": list(retreats)},
            )
