"""A missing, unreachable or unknown coast is read by the rulebook's choice (DATC 4.B)."""

from __future__ import annotations

import pytest

from judge.rules.legality import completed_order, impossibility
from judge.rules.outcomes import (
    Given,
    Illegal,
    Impossible,
    Invalid,
    Unmatched,
    Verdict,
    result_words,
)
from judge.rules.rule_options import (
    BuildCoastOmitted,
    CoastSuperfluous,
    MovedCoastOpen,
    MovedCoastSingle,
    MovedCoastWrong,
    StandingCoastWrong,
    SupportedCoast,
)
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import Move, Phase, Position
from tests.datc.case_notation import read_order, read_units
from tests.unit.rules.play_phase import BOARD, fate_in, outcome_in, played, standing, verdict_in

SPAIN = standing({"FRANCE": ["F GAS", "F POR", "F WES", "F SPA/NC", "A MAR", "F MAO"]})
WINTER = standing({}, "W1901A", centers={"RUSSIA": ["STP"]})

OPEN_DEFAULT = Rulebook(moved_coast_open=MovedCoastOpen.DEFAULT_COAST)
SINGLE_DEFAULT = Rulebook(moved_coast_single=MovedCoastSingle.DEFAULT_COAST)
SINGLE_FAILS = Rulebook(moved_coast_single=MovedCoastSingle.FAILS)
CORRECTED = Rulebook(moved_coast_wrong=MovedCoastWrong.CORRECTED)
STRICT = Rulebook(coast_superfluous=CoastSuperfluous.ILLEGAL)


@pytest.mark.parametrize(
    ("order", "rulebook", "meant"),
    [
        pytest.param("F POR - SPA", DATC, Impossible.COAST_NEEDED, id="4.B.1 fails"),
        pytest.param("F POR - SPA", OPEN_DEFAULT, "SPA/SC", id="4.B.1 default_coast"),
        pytest.param("F GAS - SPA", DATC, "SPA/NC", id="4.B.2 only_coast"),
        pytest.param("F GAS - SPA", OPEN_DEFAULT, "SPA/NC", id="4.B.2 is not 4.B.1"),
        pytest.param("F GAS - SPA", SINGLE_FAILS, Impossible.COAST_OMITTED, id="4.B.2 fails"),
        pytest.param("F GAS - SPA", SINGLE_DEFAULT, Impossible.COAST_OMITTED, id="4.B.2 default"),
        pytest.param("F WES - SPA", SINGLE_DEFAULT, "SPA/SC", id="4.B.2 default in reach"),
        pytest.param("F GAS - SPA/SC", DATC, Impossible.COAST_UNREACHABLE, id="4.B.3 illegal"),
        pytest.param("F GAS - SPA/SC", CORRECTED, "SPA/NC", id="4.B.3 corrected"),
        pytest.param("F GAS - SPA/XC", DATC, "SPA/NC", id="4.B.6 ignored"),
        pytest.param("F GAS - SPA/XC", SINGLE_FAILS, Impossible.COAST_OMITTED, id="4.B.6 is none"),
        pytest.param("F GAS - SPA/XC", STRICT, Impossible.COAST_SUPERFLUOUS, id="4.B.6 illegal"),
        pytest.param("F GAS - BRE/NC", DATC, "BRE", id="4.B.6 ignored where there is one coast"),
        pytest.param("F GAS - BRE/NC", STRICT, Impossible.COAST_SUPERFLUOUS, id="4.B.6 likewise"),
        pytest.param("A MAR - SPA/NC", DATC, "SPA", id="4.B.6 army ignored"),
        pytest.param("A MAR - SPA/NC", STRICT, Impossible.COAST_SUPERFLUOUS, id="4.B.6 army"),
    ],
)
def test_a_fleet_goes_to_the_coast_that_the_rulebook_says(
    order: str, rulebook: Rulebook, meant: str | Impossible
) -> None:
    read = read_order(order)
    fault = impossibility(BOARD, SPAIN, "FRANCE", read, rulebook)
    going = completed_order(BOARD, SPAIN, read, rulebook)

    assert isinstance(going, Move)
    assert (fault or going.target) == meant


def test_a_move_without_its_only_coast_fails_in_the_words_of_datc() -> None:
    result = played({"FRANCE": ["F GAS - SPA"]}, rulebook=SINGLE_FAILS)

    assert result_words(outcome_in(result, "GAS")) == ("fails",)


@pytest.mark.parametrize(
    ("support", "move", "rule", "verdict"),
    [
        ("SPA", "SPA/NC", SupportedCoast.OMIT_ANY, Given()),
        ("SPA/SC", "SPA/NC", SupportedCoast.OMIT_ANY, Invalid(Unmatched.COAST_MISMATCH)),
        ("SPA/XC", "SPA/NC", SupportedCoast.OMIT_ANY, Given()),
        ("SPA/SC", "SPA/NC", SupportedCoast.IGNORED, Given()),
        ("SPA", "SPA/NC", SupportedCoast.REQUIRED_FAIL, Illegal(Impossible.COAST_NEEDED)),
        ("SPA/NC", "SPA/NC", SupportedCoast.REQUIRED_FAIL, Given()),
        ("SPA", "SPA/SC", SupportedCoast.REQUIRED_DEFAULT, Given()),
        ("SPA", "SPA/NC", SupportedCoast.REQUIRED_DEFAULT, Invalid(Unmatched.COAST_MISMATCH)),
        ("SPA/NC", "SPA/NC", SupportedCoast.REQUIRED_DEFAULT, Given()),
    ],
)
def test_a_support_for_a_fleet_means_the_coast_that_the_rulebook_says(
    support: str, move: str, rule: SupportedCoast, verdict: Verdict
) -> None:
    result = played(
        {"ENGLAND": [f"F MAO - {move}"], "FRANCE": [f"F POR S F MAO - {support}"]},
        rulebook=Rulebook(supported_coast=rule),
    )
    told = verdict_in(result, "POR")

    assert type(told) is type(verdict)
    assert getattr(told, "why", None) == getattr(verdict, "why", None)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (SupportedCoast.OMIT_ANY, Impossible.COAST_UNREACHABLE),
        (SupportedCoast.IGNORED, None),
    ],
)
def test_a_support_to_a_coast_out_of_reach_is_impossible_unless_coasts_mean_nothing(
    rule: SupportedCoast, why: Impossible | None
) -> None:
    support = read_order("F POR S F GAS - SPA/SC")

    assert impossibility(BOARD, SPAIN, "FRANCE", support, Rulebook(supported_coast=rule)) is why


@pytest.mark.parametrize(
    ("power", "fleet", "why"),
    [
        pytest.param("FRANCE", "F MAO", None, id="an own fleet"),
        pytest.param("ENGLAND", "F GAS", None, id="one coast in reach"),
        pytest.param("ENGLAND", "F MAO", Impossible.COAST_NEEDED, id="two coasts in reach"),
    ],
)
def test_a_coast_may_be_left_out_for_an_own_fleet_or_if_there_is_one_only(
    power: str, fleet: str, why: Impossible | None
) -> None:
    units = read_units({"FRANCE": ["F POR"]}) + read_units({power: [fleet]})
    position = Position(Phase.parse("S1901M"), units)
    rulebook = Rulebook(supported_coast=SupportedCoast.OMIT_OWN_OR_SINGLE)

    support = read_order(f"F POR S {fleet} - SPA")

    assert impossibility(BOARD, position, "FRANCE", support, rulebook) is why


@pytest.mark.parametrize(
    "order",
    [
        "F POR S A MAR - SPA/NC",
        "F POR S F MAO - SPA/XC",
        "F LYO S A MAR/NC",
        "F LYO C A MAR - NAF/NC",
        "F LYO C A MAR/NC - NAF",
        "A MAR - NAF/NC",
        "A MAR/NC - NAF",
    ],
)
def test_a_coast_that_is_none_is_ignored_unless_the_rulebook_is_strict(order: str) -> None:
    western = standing({"FRANCE": ["F POR", "A MAR", "F WES", "F LYO", "F MAO"]})
    read = read_order(order)

    assert impossibility(BOARD, western, "FRANCE", read) is None
    assert impossibility(BOARD, western, "FRANCE", read, STRICT) is Impossible.COAST_SUPERFLUOUS


@pytest.mark.parametrize("order", ["F SPA/SC - POR", "F POR S F SPA/SC", "F POR S F SPA/SC - MAO"])
def test_the_wrong_coast_of_a_fleet_is_ignored_unless_the_rulebook_is_strict(order: str) -> None:
    read = read_order(order)
    strict = Rulebook(standing_coast_wrong=StandingCoastWrong.ILLEGAL)

    assert impossibility(BOARD, SPAIN, "FRANCE", read) is None
    assert impossibility(BOARD, SPAIN, "FRANCE", read, strict) is Impossible.STANDING_COAST_WRONG


def test_a_build_takes_the_default_coast_where_the_rulebook_has_one() -> None:
    build = read_order("F STP B")
    lenient = Rulebook(build_coast_omitted=BuildCoastOmitted.DEFAULT_COAST)

    assert impossibility(BOARD, WINTER, "RUSSIA", build) is Impossible.COAST_NEEDED
    assert completed_order(BOARD, WINTER, build, lenient) == read_order("F STP/NC B")


def test_a_support_of_an_army_to_a_coast_is_none_where_the_rulebook_is_strict() -> None:
    orders = {"FRANCE": ["A GAS - SPA", "F POR S A GAS - SPA/NC"], "ITALY": ["A SPA H"]}
    lenient, strict = played(orders), played(orders, rulebook=STRICT)

    assert verdict_in(lenient, "POR") == Given()
    assert fate_in(lenient, "SPA")
    assert verdict_in(strict, "POR") == Illegal(Impossible.COAST_SUPERFLUOUS)
    assert fate_in(strict, "SPA") is None
