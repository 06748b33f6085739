"""Of any block of conditional orders, the log and the receipt hold what was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from random import Random  # noqa: TID251 - plans are made up
from typing import assert_never

import pytest

from judge.game.future_orders import plan_lines, wishes_from_payloads
from judge.notation.conditional_orders import Both, Condition, Either, Not, Owns, Stands
from judge.notation.order_text import write_order
from tests.support.table import Table

ATOMS = {"A Mun": "A MUN", "FRANCE OWNS Bel": "BEL", "F Eng": "F ENG", "GERMANY A Bur": "A BUR"}
ORDERS = {
    "F1901M": {
        "A Par-Bur": "A PAR - BUR",
        "A Mar-Spa": "A MAR - SPA",
        "F Bre-Mao": "F BRE - MAO",
        "A Par H": "A PAR H",
        "F Bre-Eng": "F BRE - ENG",
        "A Mar S A Par": "A MAR S A PAR",
    },
    "W1901A": {
        "Build F Bre": "F BRE B",
        "Build A Mar": "A MAR B",
        "Build A Par": "A PAR B",
        "Build F Mar": "F MAR B",
    },
    "S1901R": {
        "A Par R Gas": "A PAR R GAS",
        "A Mar R Pie": "A MAR R PIE",
        "F Bre R Mao": "F BRE R MAO",
        "A Par D": "A PAR D",
    },
}
Truth = Mapping[str, bool]


@dataclass(frozen=True)
class Test:
    """A condition as written, of one or two atoms, each of which may be denied."""

    words: str
    atoms: tuple[tuple[str, bool], ...]
    joined_by: str = ""

    __test__ = False

    def holds(self, truth: Truth) -> bool:
        values = [truth[ATOMS[atom]] is not denied for atom, denied in self.atoms]
        return any(values) if self.joined_by == "OR" else all(values)


@dataclass(frozen=True)
class Written:
    """Lines of an email, and for each order in them the tests of which all must hold or fail."""

    lines: tuple[str, ...]
    orders: tuple[tuple[str, tuple[tuple[Test, bool], ...]], ...]


class Writer:
    """Writes plans for *phase* in all forms that HELP PHASE explains."""

    def __init__(self, seed: int, phase: str) -> None:
        self.random = Random(seed)  # noqa: S311 - no secret
        self.orders = list(ORDERS[phase])
        self.random.shuffle(self.orders)

    def plan(self) -> Written:
        """Write blocks and free orders, until no order is left."""
        parts = []
        while self.orders:
            parts.append(self.block(1) if self.random.random() < 0.8 else self.free())
        lines = tuple(line for each in parts for line in each.lines)
        return Written(lines, tuple(order for each in parts for order in each.orders))

    def free(self) -> Written:
        order = self.orders.pop()
        return Written((order,), ((order, ()),))

    def test(self) -> Test:
        atoms = self.random.sample(sorted(ATOMS), self.random.choice((1, 1, 2)))
        denied = [(atom, self.random.random() < 0.3) for atom in atoms]
        words = [f"NOT {atom}" if no else atom for atom, no in denied]
        joined = self.random.choice(("AND", "OR")) if len(words) > 1 else ""
        return Test(f" {joined} ".join(words), tuple(denied), joined)

    def block(self, depth: int) -> Written:
        """Write IF, perhaps ELSE IF and ELSE, each on one line or above its orders."""
        tests = [self.test() for _ in range(self.random.choice((1, 1, 2)))]
        if len(self.orders) > len(tests) and self.random.random() < 0.6:
            tests.append(Test("", ()))  # ELSE
        one_line = depth == 1 and self.random.random() < 0.4
        lines: list[str] = []
        orders: list[tuple[str, tuple[tuple[Test, bool], ...]]] = []
        denied: tuple[tuple[Test, bool], ...] = ()
        for test in tests:
            if not self.orders:
                break
            under = denied if not test.words else (*denied, (test, True))
            head = "ELSE" if not test.words else f"IF {test.words}"
            head = f"ELSE {head}" if denied and test.words else head
            body = self.body(depth) if not one_line else self.free()
            orders += [(order, (*under, *more)) for order, more in body.orders]
            if one_line:
                lines.append(
                    f"{head} THEN {body.lines[0]}" if test.words else f"{head} {body.lines[0]}"
                )
            else:
                lines += [
                    head + self.random.choice(("", " THEN" if test.words else ":")),
                    *body.lines,
                ]
            denied = (*denied, (test, False))
        if not one_line:
            lines.append(self.random.choice(("ENDIF", "END IF")))
        return Written(tuple(lines), tuple(orders))

    def body(self, depth: int) -> Written:
        if depth < 3 and len(self.orders) > 1 and self.random.random() < 0.3:
            return self.block(depth + 1)
        parts = [self.free() for _ in range(min(len(self.orders), self.random.choice((1, 1, 2))))]
        lines = tuple(line for each in parts for line in each.lines)
        return Written(lines, tuple(order for each in parts for order in each.orders))


def is_true(condition: Condition | None, truth: Truth) -> bool:
    match condition:
        case None:
            return True
        case Stands(unit):
            return truth[f"{unit.kind.value if unit.kind else ''} {unit.location}"]
        case Owns(province):
            return truth[province]
        case Not(denied):
            return not is_true(denied, truth)
        case Both(first, second):
            return is_true(first, truth) and is_true(second, truth)
        case Either(first, second):
            return is_true(first, truth) or is_true(second, truth)
        case _:
            assert_never(condition)


def truths() -> Iterator[Truth]:
    for values in product((False, True), repeat=len(ATOMS)):
        yield dict(zip(ATOMS.values(), values, strict=True))


@pytest.mark.parametrize("phase", ORDERS)
@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(each, marks=pytest.mark.gate) for each in range(2, 20))]
)
def test_log_and_receipt_hold_the_blocks_that_were_written(
    table: Table, seed: int, phase: str
) -> None:
    written = Writer(seed, phase).plan()

    receipt = table.send("FRANCE", "\n".join((f"PHASE {phase}", *written.lines)))

    plan = table.game().plans["FRANCE"][phase]
    wishes = wishes_from_payloads(plan.wishes)
    for truth in truths():
        kept = [
            write_order(order)
            for wish in wishes
            if is_true(wish.condition, truth)
            for order in wish.orders
        ]
        meant = [
            ORDERS[phase][order]
            for order, under in written.orders
            if all(test.holds(truth) is holds for test, holds in under)
        ]
        assert sorted(kept) == sorted(meant), written.lines
    _, _, below = receipt.words.partition(f"Saved for {phase}, not for the open phase: ")
    assert below.startswith(" ".join(plan_lines(plan))), "the receipt shows what the log holds"
