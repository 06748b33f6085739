"""Compare the judge with the oracle: `python -m tests.oracle.compare [--positions N]`.

The oracle (`tests.oracle.solver`) is written from DATC 5.B alone. Both adjudicate the same
positions in eight styles; every move, support and dislodgement has to agree. Each difference is
printed as a position, and the exit code is then 1.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from judge.adapters.variant_files import load_map
from judge.rules import adjudicate, types
from judge.rules.outcomes import Given, Succeeds
from tests.oracle import solver
from tests.oracle.standard_board import read_board
from tests.oracle.styles import STYLES, Case, make

POSITIONS = 100_000
CHUNK = 250
SHOWN_MAX = 10


def as_judged(case: Case) -> solver.Result:
    """Return the judge's result for *case*, under the rulebook `datc`."""
    units, orders = case
    board = load_map()
    position = types.Position(
        types.Phase.parse("S1901M"), tuple(_unit(each) for each in units.values())
    )
    given: dict[str, list[types.Order]] = {}
    for where, order in orders.items():
        given.setdefault(units[where].power, []).append(_order(units, where, order))
    adjudication = adjudicate(board, position, given)
    every = (*adjudication.outcomes, *adjudication.unordered)
    verdicts = {
        types.province_of(each.order.unit.location): each
        for each in every
        if not isinstance(each.order, types.Waive)
    }
    return solver.Result(
        moved={u for u, o in verdicts.items() if isinstance(o.verdict, Succeeds)},
        dislodged={u for u, o in verdicts.items() if o.fate is not None},
        given={u for u, o in verdicts.items() if isinstance(o.verdict, Given)},
    )


def _unit(unit: solver.Unit) -> types.Unit:
    kind = types.UnitKind.FLEET if unit.is_fleet else types.UnitKind.ARMY
    return types.Unit(unit.power, kind, unit.location)


def _order(units: dict[str, solver.Unit], where: str, order: solver.Order) -> types.Order:
    def name(province: str) -> types.UnitName:
        unit = _unit(units[province])
        return types.UnitName(unit.kind, unit.location)

    match order:
        case solver.Hold():
            return types.Hold(name(where))
        case solver.Move(target, via):
            return types.Move(name(where), target, via)
        case solver.Support(supported, None):
            return types.SupportHold(name(where), name(supported))
        case solver.Support(supported, target):
            assert target is not None
            return types.SupportMove(name(where), name(supported), target)
        case solver.Convoy(army, target):
            return types.Convoy(name(where), name(army), target)


def differences(case: Case) -> list[str]:
    """Return the differences between the two results for *case*, in words."""
    ours, theirs = as_judged(case), solver.solve(read_board(), *case)
    return [
        f"{what}: judge {sorted(a - b)}, oracle {sorted(b - a)}"
        for what, a, b in (
            ("moved", ours.moved, theirs.moved),
            ("dislodged", ours.dislodged, theirs.dislodged),
            ("given", ours.given, theirs.given),
        )
        if a != b
    ]


def described(case: Case) -> str:
    """Return *case* as text."""
    units, orders = case
    return "\n".join(
        f"  {units[each].power:8} {'F' if units[each].is_fleet else 'A'} "
        f"{units[each].location:7} {orders.get(each, solver.Hold())}"
        for each in sorted(units, key=lambda each: (units[each].power, each))
    )


def _compare(style: str, seeds: range) -> tuple[Counter[str], list[str]]:
    board, found, different = read_board(), Counter[str](), []
    for seed in seeds:
        case = make(board, style, seed)
        found.update({kind for _, kind in solver.solve(board, *case).groups})
        if said := differences(case):
            different.append(f"{style} {seed}: {'; '.join(said)}\n{described(case)}")
    return found, different


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("--positions", type=int, default=POSITIONS)
    each = options.parse_args().positions // len(STYLES)
    failed = False
    with ProcessPoolExecutor() as workers:
        for style in STYLES:
            chunks = [range(at, min(at + CHUNK, each)) for at in range(0, each, CHUNK)]
            kinds: Counter[str] = Counter()
            different: list[str] = []
            for found, more in workers.map(partial(_compare, style), chunks):
                kinds += found
                different += more
            held = ", ".join(f"{count} with {kind}" for kind, count in sorted(kinds.items()))
            print(f"{style:10} {each:6} positions ({held}): {len(different)} differ", flush=True)
            print("\n".join(different[:SHOWN_MAX]), end="\n" if different else "")
            failed |= bool(different)
    sys.exit(failed)


if __name__ == "__main__":
    main()
