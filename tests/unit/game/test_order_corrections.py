"""Mistakes in orders (DATC 4.B, 4.C): the adjudication treats them as the receipt said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game.clock import ProcessNow
from judge.game.game_state import Game
from judge.game.house_rules import STANDARD, HouseRules, ImpossibleOrders
from judge.game.payloads import outcomes_from_payloads
from judge.game.phases import PhaseClosed, has_ordered_all, verify_phase
from judge.game.submission import SubmitOrders
from judge.rules.outcomes import Illegal, Impossible
from judge.rules.rulebook import rulebook_named
from tests.unit.game.table import BOARD, ask, given, happened, in_phase, orders, standing, submit

NOW = ProcessNow("operator")

UNITS = {"FRANCE": "A PAR, A MAR, F GAS, F POR, F SPA/NC", "GERMANY": "A BUR, F MAO"}
OUSTED = {"FRANCE": {"F POR": ("MAO", "SPA/NC SPA/SC")}}
HOMES = {"RUSSIA": "STP MOS SEV"}
WHY = Impossible

MISTAKES = [  # rule choice, order written, order recorded, reason if impossible
    ("4.B.1=fails", "F Por-Spa", "F POR - SPA", WHY.COAST_NEEDED),
    ("4.B.1=default_coast", "F Por-Spa", "F POR - SPA/SC", None),
    ("4.B.2=only_coast", "F Gas-Spa", "F GAS - SPA/NC", None),
    ("4.B.2=default_coast", "F Gas-Spa", "F GAS - SPA", WHY.COAST_OMITTED),
    ("4.B.2=fails", "F Gas-Spa", "F GAS - SPA", WHY.COAST_OMITTED),
    ("4.B.3=illegal", "F Gas-Spa(sc)", "F GAS - SPA/SC", WHY.COAST_UNREACHABLE),
    ("4.B.3=corrected", "F Gas-Spa(sc)", "F GAS - SPA/NC", None),
    ("4.B.4=omit_any", "F Por S F Mao-Spa", "F POR S F MAO - SPA", None),
    ("4.B.4=omit_own_or_single", "F Por S F Mao-Spa", "F POR S F MAO - SPA", WHY.COAST_NEEDED),
    ("4.B.4=required_default", "F Por S F Mao-Spa", "F POR S F MAO - SPA/SC", None),
    ("4.B.4=required_fail", "F Por S F Mao-Spa", "F POR S F MAO - SPA", WHY.COAST_NEEDED),
    ("4.B.4=ignored", "F Por S F Gas-Spa(sc)", "F POR S F GAS - SPA", None),
    ("4.B.5=ignored", "F Spa(sc)-Por", "F SPA/NC - POR", None),
    ("4.B.5=illegal", "F Spa(sc)-Por", "F SPA/SC - POR", WHY.STANDING_COAST_WRONG),
    ("4.B.5=illegal", "F Por S F Spa(sc)", "F POR S F SPA/SC", WHY.STANDING_COAST_WRONG),
    ("4.B.6=ignored", "A Mar-Spa(nc)", "A MAR - SPA", None),
    ("4.B.6=illegal", "A Mar-Spa(nc)", "A MAR - SPA/NC", WHY.COAST_SUPERFLUOUS),
    ("4.C.1=legal", "Par-Pic", "A PAR - PIC", None),
    ("4.C.1=legal_unless_better", "Par-Pic", "A PAR - PIC", None),
    ("4.C.1=illegal", "Par-Pic", "PAR - PIC", WHY.KIND_NEEDED),
    ("4.C.1=illegal", "A Par S Bur", "A PAR S BUR", WHY.KIND_NEEDED),
    ("4.C.2=legal", "F Par-Pic", "A PAR - PIC", None),
    ("4.C.2=legal_unless_better", "F Par-Pic", "A PAR - PIC", None),
    ("4.C.2=illegal", "F Par-Pic", "F PAR - PIC", WHY.KIND_WRONG),
    ("4.C.2=illegal", "F Par-Mos", "F PAR - MOS", WHY.KIND_WRONG),
    ("4.C.5=legal", "A Par S A Bur", "A PAR S A BUR", None),
    ("4.C.5=legal_unless_better", "A Par S A Bur", "A PAR S GERMANY A BUR", None),
    ("4.C.5=illegal", "A Par S A Bur", "A PAR S A BUR", WHY.POWER_NEEDED),
    ("4.C.5=illegal", "A Par S German A Bur-Gas", "A PAR S GERMANY A BUR - GAS", None),
    ("4.C.5=illegal", "F Gas S F Spa(nc)", "F GAS S FRANCE F SPA/NC", None),
    ("4.C.6=legal", "A Par S Russian A Bur", "A PAR S A BUR", None),
    ("4.C.6=legal_unless_better", "A Par S Russian A Bur", "A PAR S GERMANY A BUR", None),
    ("4.C.6=illegal", "A Par S Russian A Bur", "A PAR S RUSSIA A BUR", WHY.POWER_WRONG),
    ("4.C.6=illegal", "A Par S A Bur", "A PAR S GERMANY A BUR", None),
]
RETREATS = [
    ("4.B.1=fails", "F Por-Spa", "F POR R SPA", WHY.COAST_NEEDED),
    ("4.B.1=default_coast", "F Por-Spa", "F POR R SPA/SC", None),
    ("4.C.2=illegal", "A Por-Spa(nc)", "A POR R SPA/NC", WHY.KIND_WRONG),
    ("4.C.2=legal", "A Por-Spa(nc)", "F POR R SPA/NC", None),
    ("4.C.1=illegal", "Disband Por", "POR D", WHY.KIND_NEEDED),
]
BUILDS = [
    ("4.B.6=illegal", "A Stp(nc) B", "A STP/NC B", WHY.COAST_SUPERFLUOUS),
    ("4.B.6=ignored", "A Stp(nc) B", "A STP B", None),
    ("4.B.7=fails", "F Stp B", "F STP B", WHY.COAST_NEEDED),
    ("4.B.7=default_coast", "F Stp B", "F STP/NC B", None),
    ("4.C.3=fails", "Build Mos", "MOS B", WHY.KIND_NEEDED),
    ("4.C.3=army_inland", "Build Mos", "A MOS B", None),
    ("4.C.4=fails", "F Mos B", "F MOS B", WHY.NO_FLEET_INLAND),
    ("4.C.4=army", "F Mos B", "A MOS B", None),
]


def movement(choice: str, rules: HouseRules = STANDARD) -> Game:
    return in_phase("F1901M", UNITS, rules=rules, rulebook=rulebook_named(f"datc,{choice}"))


def mail(game: Game, power: str, text: str) -> SubmitOrders:
    assert game.position is not None
    return replace(submit(power, ""), orders=orders(text, game.position.phase.kind))


def check(game: Game, power: str, text: str, recorded: str, why: Impossible | None) -> None:
    """Check that *recorded* stands for *text* and that both receipt and close report *why*."""
    command = mail(game, power, text)
    kept = given(game, command)
    closed = next(each for each in happened(kept, NOW) if isinstance(each, PhaseClosed))
    assert game.position is not None
    outcome = outcomes_from_payloads(closed.verdicts)[0]

    assert standing(kept, power) == (recorded,)
    assert [remark.impossible for remark in ask(game, command).remarks] == ([why] if why else [])
    assert (outcome.verdict == Illegal(why)) if why else not isinstance(outcome.verdict, Illegal)
    assert verify_phase(BOARD, kept, closed) == ()


@pytest.mark.parametrize(("choice", "text", "recorded", "why"), MISTAKES)
def test_a_mistake_in_a_movement_phase(
    choice: str, text: str, recorded: str, why: Impossible | None
) -> None:
    check(movement(choice), "FRANCE", text, recorded, why)


@pytest.mark.parametrize(("choice", "text", "recorded", "why"), RETREATS)
def test_a_mistake_in_a_retreat_phase(
    choice: str, text: str, recorded: str, why: Impossible | None
) -> None:
    rulebook = rulebook_named(f"datc,{choice}")
    game = in_phase("S1901R", {"GERMANY": "F MAO"}, dislodged=OUSTED, rulebook=rulebook)

    check(game, "FRANCE", text, recorded, why)


@pytest.mark.parametrize(("choice", "text", "recorded", "why"), BUILDS)
def test_a_mistake_in_an_adjustment_phase(
    choice: str, text: str, recorded: str, why: Impossible | None
) -> None:
    game = in_phase(
        "W1901A", {"RUSSIA": "A WAR"}, HOMES, rulebook=rulebook_named(f"datc,{choice}")
    )

    check(game, "RUSSIA", text, recorded, why)


def test_a_set_with_an_unforgiven_mistake_is_not_complete() -> None:
    game = in_phase(
        "F1901M", {"FRANCE": "A PAR"}, rulebook=rulebook_named("datc,kind_wrong=illegal")
    )

    assert not has_ordered_all(BOARD, given(game, mail(game, "FRANCE", "F Par-Pic")), "FRANCE")
    assert has_ordered_all(BOARD, given(game, mail(game, "FRANCE", "A Par-Pic")), "FRANCE")


def test_mistakes_are_refused_where_impossible_orders_are() -> None:
    refusing = HouseRules(impossible_orders=ImpossibleOrders.REFUSE)
    game = movement("kind_wrong=illegal", refusing)
    game = given(game, mail(game, "FRANCE", "A Par-Pic"))

    assert ask(game, mail(game, "FRANCE", "F Par H")).remarks[0].refused
    assert standing(game, "FRANCE") == ("A PAR - PIC",)


def test_an_owner_stays_named_when_a_later_email_orders_another_unit() -> None:
    game = movement("power_omitted=illegal")
    game = given(game, mail(game, "FRANCE", "A Par S German A Bur"))
    game = given(game, mail(game, "FRANCE", "A Mar H"))

    assert standing(game, "FRANCE") == ("A PAR S GERMANY A BUR", "A MAR H")
