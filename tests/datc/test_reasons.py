"""Undoing the reason given for a failed DATC order changes its outcome."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judge.notation.order_text import write_order
from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import Adjudication, Available, Given, Outcome, Stands, Succeeds
from judge.rules.reasons import Reason, explain
from judge.rules.types import Order
from tests.datc.cases_file import (
    Case,
    cases_of_other_editions,
    cases_of_the_edition,
    orders_of,
    position_of,
    retreat_of,
)
from tests.datc.undo_causes import BOARD, Setting, undo, undo_fate
from tests.support.selection import in_one

CAUSES_MAX = 3  # A move meets who stands there, the rivals, and a convoy that breaks before.


@dataclass(frozen=True)
class Trouble:
    """An unwanted result of an order or of its unit."""

    case: str
    setting: Setting
    judged: Adjudication
    outcome: Outcome
    dislodgement: bool

    def reason(self) -> Reason:
        return explain(self.judged, self.outcome)

    def word(self) -> str:
        """Return the word for it, such as `Cut`, `Fails`, `Dislodged`."""
        return type(self.outcome.fate if self.dislodgement else self.outcome.verdict).__name__

    def undone(self) -> Trouble:
        """Undo the cause that is named, and judge again."""
        undoing = undo_fate if self.dislodgement else undo
        setting, order = undoing(self.setting, self.reason())
        judged = judge(setting)
        return Trouble(self.case, setting, judged, found(judged, order), self.dislodgement)

    def __str__(self) -> str:
        return f"{self.case} {write_order(self.outcome.order)} {self.word()}"


def judge(setting: Setting) -> Adjudication:
    return adjudicate(BOARD, setting.position, setting.orders)


def found(judged: Adjudication, order: Order) -> Outcome:
    """Return the outcome of that very *order*, or of a hold that was supposed."""
    told = [each for each in judged.outcomes if each.order is order]
    supposed = [each for each in judged.unordered if each.order == order]
    return [*told, *supposed][0]


def settings() -> Iterator[tuple[str, Setting]]:
    for name, case in (cases_of_the_edition() | cases_of_other_editions()).items():
        yield name, Setting(position_of(case), given(case))
        if "then" in case:
            yield f"{name} then", Setting(retreat_of(case), given(case["then"]))


def given(case: Case) -> tuple[tuple[str, Order], ...]:
    return tuple((power, order) for power, orders in orders_of(case).items() for order in orders)


def troubles() -> Iterator[Trouble]:
    for name, setting in settings():
        judged = judge(setting)
        for each in (*judged.outcomes, *judged.unordered):
            if not isinstance(each.verdict, Stands | Succeeds | Given | Available):
                yield Trouble(name, setting, judged, each, dislodgement=False)
            if each.fate:
                yield Trouble(name, setting, judged, each, dislodgement=True)


TROUBLES = list(troubles())


def test_every_trouble_of_the_datc_is_tried() -> None:
    assert len(TROUBLES) == 434


@in_one(TROUBLES)
def test_undoing_the_cause_that_is_named_changes_the_outcome(trouble: Trouble) -> None:
    before, after = trouble.outcome, trouble.undone().outcome

    if trouble.dislodgement:
        assert after.fate != before.fate
    else:
        assert after.verdict != before.verdict


@in_one(TROUBLES)
def test_no_trouble_is_left_when_each_cause_that_comes_up_is_undone(trouble: Trouble) -> None:
    left = trouble
    for _ in range(CAUSES_MAX):
        left = left.undone()
        if left.word() != trouble.word():
            return

    raise AssertionError(f"still {left}: {left.reason()}")
