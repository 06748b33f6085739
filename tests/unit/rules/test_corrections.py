"""An order read as another order is reported with that correction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.notation.order_text import read_owned_order, write_owned_order
from judge.rules.legality import correction_of
from judge.rules.rulebook import rulebook_named
from judge.rules.types import DislodgedUnit, Order, Phase
from tests.unit.rules.play_phase import BOARD, standing

WESTERN = standing(
    {
        "FRANCE": ["F GAS", "F POR", "F SPA/NC", "A MAR", "F LYO", "F WES"],
        "GERMANY": ["A BUR"],
        "ENGLAND": ["F MAO"],
    },
    centers={"FRANCE": ["PAR", "MAR", "BRE", "SPA", "POR"], "RUSSIA": ["STP", "MOS"]},
)


@pytest.mark.parametrize(
    ("order", "rulebook", "meant"),
    [
        pytest.param("F GAS - SPA/NC", "datc", None, id="as written"),
        pytest.param("GAS - SPA/NC", "datc", None, id="a kind left out"),
        pytest.param("MAR S A BUR", "datc", None, id="its own kind left out in a support"),
        pytest.param("LYO C A MAR - TUN", "datc", None, id="its own kind left out in a convoy"),
        pytest.param("A MAR S A BUR", "datc", None, id="an owner left out"),
        pytest.param("F SPA - MAO", "datc", None, id="the coast where it stands left out"),
        pytest.param("F POR S F MAO - SPA", "datc", None, id="a coast that a support may omit"),
        pytest.param("F GAS - SPA", "datc", "F GAS - SPA/NC", id="the only coast"),
        pytest.param("F POR - SPA", "njudge", "F POR - SPA/SC", id="the default coast"),
        pytest.param("F POR - SPA", "datc", None, id="impossible"),
        pytest.param("A GAS - BRE", "datc", "F GAS - BRE", id="another kind"),
        pytest.param("F SPA/SC - MAO", "datc", "F SPA/NC - MAO", id="another coast"),
        pytest.param("A MAR S F BUR", "datc", "A MAR S A BUR", id="another kind beside it"),
        pytest.param(
            "A MAR S RUSSIA A BUR", "datc", "A MAR S GERMANY A BUR", id="another owner beside it"
        ),
        pytest.param(
            "F POR S F MAO - SPA",
            "datc,4.B.4=required_default",
            "F POR S F MAO - SPA/SC",
            id="the default coast in a support",
        ),
        pytest.param(
            "F POR S F MAO - SPA/NC",
            "dpjudge",
            "F POR S F MAO - SPA",
            id="a coast that means nothing",
        ),
        pytest.param(
            "A LYO C F MAR - TUN", "datc", "F LYO C A MAR - TUN", id="other kinds in a convoy"
        ),
    ],
)
def test_an_order_of_a_movement_phase(order: str, rulebook: str, meant: str | None) -> None:
    found = correction_of(
        BOARD, WESTERN, "FRANCE", read_owned_order(order), rulebook_named(rulebook)
    )

    assert (write_owned_order(found) if found else None) == meant


@pytest.mark.parametrize(
    ("order", "rulebook", "meant"),
    [
        ("A MOS B", "datc", None),
        ("WAIVE", "datc", None),
        ("F MOS B", "datc,4.C.4=army", "A MOS B"),
        ("F STP B", "datc,4.B.7=default_coast", "F STP/NC B"),
    ],
)
def test_an_order_of_an_adjustment_phase(order: str, rulebook: str, meant: str | None) -> None:
    winter = replace(WESTERN, phase=Phase.parse("W1901A"))
    found = correction_of(
        BOARD, winter, "RUSSIA", read_owned_order(order), rulebook_named(rulebook)
    )

    assert (write_owned_order(found) if found else None) == meant


def test_a_retreat_may_be_written_as_a_move() -> None:
    beaten = standing({"RUSSIA": ["F CON"]}, "S1901M")
    rout = replace(
        beaten,
        phase=Phase.parse("S1901R"),
        units=(),
        dislodged=(
            DislodgedUnit(
                beaten.units[0], "SMY", attacker_convoyed=False, retreats=("BUL/EC", "AEG")
            ),
        ),
    )

    def read(order: str) -> Order | None:
        return correction_of(BOARD, rout, "RUSSIA", read_owned_order(order))

    assert read("F CON - AEG") is None
    assert read("F CON D") is None
    assert read("A CON - AEG") == read_owned_order("F CON R AEG")
