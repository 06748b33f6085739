"""`judge adjudicate --explain`: reasons for orders that fail."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner

from judge.cli.adjudicate import adjudicate

Question: TypeAlias = dict[str, Any]


def explained(**question: object) -> dict[str, Any]:
    result = CliRunner().invoke(adjudicate, ["--explain"], input=json.dumps(question))
    (answer,) = map(json.loads, result.stdout.splitlines())
    assert isinstance(answer, dict)
    return answer


def sentences(**question: Any) -> list[str]:  # noqa: ANN401 - JSON
    """Return the reason for each order in the answer to *question*."""
    answer = explained(**question)
    several = [*(each for own in answer["results"].values() for each in own), *answer["unordered"]]
    return [each["reason"]["says"] for each in several]


def france_question(units: str, orders: str, rulebook: str = "datc") -> Question:
    """Return a question with *units* and *orders* of France."""
    return {
        "rulebook": rulebook,
        "phase": "S1901M",
        "units": {"FRANCE": units.split(", ")},
        "orders": {"FRANCE": orders.split(", ")},
    }


def movement_question(written: str, rulebook: str = "datc") -> Question:
    """Return a question with the units that orders such as `ITALY: A ROM H, A VEN H` name."""
    parts = [each.split(": ") for each in written.split("; ")]
    orders = {power: several.split(", ") for power, several in parts}
    units = {power: [each[: each.index(" ", 2)] for each in orders[power]] for power in orders}
    return {"rulebook": rulebook, "phase": "S1901M", "units": units, "orders": orders}


def retreat_question(orders: str, *, convoyed: bool = False, rulebook: str = "datc") -> Question:
    """Return a question with retreat *orders* for a dislodged Russian army in Warsaw."""
    attack = {"from": "SIL", "convoyed": convoyed}
    return {
        "rulebook": rulebook,
        "phase": "S1901R",
        "units": {"RUSSIA": ["*A WAR"], "GERMANY": ["A WAR", "A LVN"]},
        "dislodged": {"RUSSIA": {"A WAR": attack}},
        "contested": ["UKR"],
        "orders": {"RUSSIA": [each for each in orders.split(", ") if each]},
    }


def adjustment_question(units: str, orders: str, due: int, rulebook: str = "datc") -> Question:
    """Return a question with adjustment *orders* of Russia, who has *due* builds."""
    return {
        "rulebook": rulebook,
        "phase": "W1901A",
        "units": {"RUSSIA": units.split(", ")},
        "centers": {"RUSSIA": ["MOS", "STP", "WAR"]},
        "builds": {"RUSSIA": due},
        "orders": {"RUSSIA": [each for each in orders.split(", ") if each]},
    }


SPRING = [
    (
        "datc",
        "A PIC",
        "A BRE H",
        ("A Bre H was impossible: there is no unit in Brest (rulebook VII.7, DATC 4.E.1)."),
    ),
    (
        "datc",
        "F ENG",
        "F ENG S A PIC",
        (
            "F Eng S A Pic was impossible: there is no unit in Picardy (rulebook "
            "VII.7, DATC 4.E.1)."
        ),
    ),
    (
        "datc",
        "F ENG",
        "F ENG C A BRE - LON",
        (
            "F Eng C A Bre-Lon was impossible: there is no unit in Brest (rulebook "
            "VII.7, DATC 4.E.1)."
        ),
    ),
    (
        "datc",
        "F ENG",
        "F ENG S F NTH - BEL",
        (
            "F Eng S F Nth-Bel was impossible: there is no unit in the North Sea "
            "(rulebook VII.7, DATC 4.E.1)."
        ),
    ),
    (
        "datc",
        "A PAR",
        "A PAR - LON",
        (
            "A Par-Lon was impossible: the army cannot reach it by land or convoy "
            "(rulebook XII, DATC 4.E.1)."
        ),
    ),
    (
        "datc",
        "A PAR",
        "A PAR - ENG",
        "A Par-Eng was impossible: an army cannot be at sea (DATC 6.A.2).",
    ),
    (
        "datc",
        "F BRE",
        "F BRE - PAR",
        "F Bre-Par was impossible: a fleet cannot be inland (DATC 6.A.3).",
    ),
    (
        "datc",
        "F SPA/NC",
        "F SPA/EC - MAR",
        ("F Spa(ec)-Mar was impossible: the fleet cannot reach it (DATC 6.A.1)."),
    ),
    (
        "datc",
        "F GAS",
        "F GAS - MAR",
        "F Gas-Mar was impossible: the fleet cannot reach it (DATC 6.A.1).",
    ),
    (
        "datc",
        "A PIC",
        "A PIC - BEL VIA",
        (
            "A Pic-Bel via convoy was impossible: there are no fleets that could "
            "convoy the army there (rulebook XII, DATC 4.E.1)."
        ),
    ),
    (
        "jdip",
        "A PIC, F ENG, F NTH",
        "A PIC - NTH - LON",
        (
            "A Pic-Nth-Lon was impossible: there are no fleets that could convoy "
            "the army along the named route (rulebook XII, DATC 4.A.6)."
        ),
    ),
    (
        "datc",
        "F POR",
        "F POR - SPA",
        (
            "F Por-Spa was impossible: the fleet could reach either coast, and the "
            "order names neither (DATC 4.B.1)."
        ),
    ),
    (
        "datc",
        "F POR",
        "F POR - SPA/EC",
        (
            "F Por-Spa(ec) was impossible: the fleet could reach either coast, and "
            "the order names neither (DATC 4.B.1)."
        ),
    ),
    (
        "njudge",
        "F POR",
        "F POR - SPA",
        "F Por-Spa, read as F Por-Spa(sc), succeeded (rulebook IX.2).",
    ),
    (
        "datc",
        "F GAS",
        "F GAS - SPA",
        "F Gas-Spa, read as F Gas-Spa(nc), succeeded (rulebook IX.2).",
    ),
    (
        "datc,4.B.2=fails",
        "F GAS",
        "F GAS - SPA",
        (
            "F Gas-Spa was impossible: the fleet can reach only one coast, and the order "
            "must name it (DATC 4.B.2)."
        ),
    ),
    (
        "datc",
        "F GAS",
        "F GAS - SPA/SC",
        ("F Gas-Spa(sc) was impossible: the fleet cannot reach that coast (DATC 4.B.3)."),
    ),
    (
        "datc,4.B.3=corrected",
        "F GAS",
        "F GAS - SPA/SC",
        "F Gas-Spa(sc), read as F Gas-Spa(nc), succeeded (rulebook IX.2).",
    ),
    (
        "datc",
        "F MAO, F GAS",
        "F MAO S F GAS - SPA/SC",
        (
            "F Mao S F Gas-Spa(sc) was impossible: the fleet cannot reach that "
            "coast (rulebook IX.1, DATC 4.B.4)."
        ),
    ),
    (
        "datc",
        "F SPA/NC",
        "F SPA/SC - MAO",
        "F Spa(sc)-Mao, read as F Spa(nc)-Mao, succeeded (rulebook IX.2).",
    ),
    (
        "datc,4.B.5=illegal",
        "F SPA/NC",
        "F SPA/SC - MAO",
        (
            "F Spa(sc)-Mao was impossible: the fleet is on a different coast than "
            "the order says (DATC 4.B.5)."
        ),
    ),
    (
        "datc",
        "F SPA/NC",
        "F SPA/SC - LYO",
        (
            "F Spa(sc)-Lyo was impossible: the fleet is on the other coast and cannot "
            "reach it from there (DATC 6.B.11)."
        ),
    ),
    (
        "datc",
        "A GAS",
        "A GAS - SPA/NC",
        "A Gas-Spa(nc), read as A Gas-Spa, succeeded (rulebook IX.2).",
    ),
    (
        "datc,4.B.6=illegal",
        "A GAS",
        "A GAS - SPA/NC",
        (
            "A Gas-Spa(nc) was impossible: the order names a coast that does not "
            "exist for such a unit (DATC 4.B.6)."
        ),
    ),
    ("datc", "A PIC", "F PIC - BEL", "F Pic-Bel, read as A Pic-Bel, succeeded (rulebook IX.2)."),
    (
        "datc,4.C.2=illegal",
        "A PIC",
        "F PIC - BEL",
        (
            "F Pic-Bel was impossible: the order calls an army a fleet, or a fleet "
            "an army (DATC 4.C.2)."
        ),
    ),
    (
        "datc",
        "A PIC",
        "A PIC - BEL, A PIC - BUR",
        (
            "A Pic-Bur did not count: of several orders for one unit, the first "
            "counts, A Pic-Bel (DATC 4.D.3)."
        ),
    ),
    (
        "njudge",
        "A PIC",
        "A PIC - BEL, A PIC - BUR",
        (
            "A Pic-Bel did not count: of several orders for one unit, the last "
            "counts, A Pic-Bur (DATC 4.D.3)."
        ),
    ),
    (
        "datc,4.D.3=none",
        "A PIC",
        "A PIC - BEL, A PIC - BUR",
        ("A Pic-Bel did not count: of several orders for one unit, none counts (DATC 4.D.3)."),
    ),
    (
        "datc,4.C.2=legal_unless_better",
        "A PIC",
        "F PIC - BEL, A PIC - BUR",
        (
            "F Pic-Bel did not count: another order names its units correctly, A "
            "Pic-Bur (DATC 4.C)."
        ),
    ),
    (
        "datc",
        "A PIC",
        "A PIC B",
        ("Build A Pic was impossible: units are built only after Fall (rulebook XIII.2)."),
    ),
    (
        "datc",
        "A PIC",
        "A PIC R BEL",
        ("A Pic-Bel was impossible: there are no retreats in this phase (rulebook XI)."),
    ),
    (
        "datc",
        "A PIC",
        "A PIC D",
        (
            "Disband A Pic was impossible: units cannot be disbanded in this phase "
            "(rulebook XI, XIII.2)."
        ),
    ),
    (
        "datc",
        "A PIC",
        "WAIVE",
        ("Waive was impossible: units are built only after Fall (rulebook XIII.2)."),
    ),
    (
        "datc",
        "F GAS",
        "F GAS/EC - LON",
        ("F Gas(ec)-Lon was impossible: the fleet cannot reach it (DATC 6.A.1)."),
    ),
]
ROUT = [
    (
        "datc",
        "A WAR R UKR",
        (
            "A War-Ukr was impossible: a standoff left the province vacant, so no "
            "unit can retreat there (rulebook XI, DATC 6.H.6); the unit is "
            "disbanded."
        ),
    ),
    (
        "datc",
        "A WAR R LVN",
        (
            "A War-Lvn was impossible: the province is occupied (rulebook XI); the "
            "unit is disbanded."
        ),
    ),
    (
        "datc",
        "A WAR - SIL",
        (
            "A War-Sil was impossible: a unit cannot retreat to the province its "
            "attacker came from (rulebook XI, DATC 6.H.5); the unit is disbanded."
        ),
    ),
    (
        "datc",
        "A WAR R PAR",
        (
            "A War-Par was impossible: a unit can retreat only to a province it "
            "could move to without a convoy (rulebook XI); the unit is disbanded."
        ),
    ),
    (
        "datc",
        "A WAR H",
        (
            "A War H was impossible: such orders are for movement phases (rulebook "
            "XI, XIII.2); the unit is disbanded."
        ),
    ),
    ("datc", "A WAR D", "Disband A War succeeded (rulebook XI)."),
    (
        "datc",
        "A WAR R MOS, A WAR R GAL",
        (
            "A War-Gal did not count: of several orders for one unit, the first "
            "counts, A War-Mos (DATC 4.D.3)."
        ),
    ),
    (
        "datc",
        "A WAR R MOS, A WAR B",
        ("Build A War was impossible: units are built only after Fall (rulebook XIII.2)."),
    ),
]
WINTER = [
    (
        "datc",
        "A LVN",
        1,
        "F STP B",
        (
            "Build F Stp was impossible: the order must name a coast of the province "
            "(rulebook XIII.2, DATC 4.B.7)."
        ),
    ),
    (
        "datc",
        "A LVN",
        1,
        "F STP/EC B",
        (
            "Build F Stp(ec) was impossible: the order must name a coast of the province "
            "(rulebook XIII.2, DATC 4.B.7)."
        ),
    ),
    (
        "datc,4.B.7=default_coast",
        "A LVN",
        1,
        "F STP B",
        "Build F Stp, read as Build F Stp(nc), succeeded (rulebook XIII.2).",
    ),
    (
        "datc",
        "A LVN",
        1,
        "F MOS B",
        "Build F Mos was impossible: a fleet cannot be inland (rulebook XIII.2, DATC 4.C.4).",
    ),
    (
        "datc,4.C.4=army",
        "A LVN",
        1,
        "F MOS B",
        "Build F Mos, read as Build A Mos, succeeded (rulebook XIII.2).",
    ),
    (
        "datc,4.B.6=illegal",
        "A LVN",
        1,
        "A MOS/NC B",
        (
            "Build A Mos(nc) was impossible: the order names a coast that does not "
            "exist for such a unit (rulebook XIII.2, DATC 4.B.6)."
        ),
    ),
    (
        "datc",
        "A LVN",
        1,
        "A MOS B, A WAR B",
        (
            "Build A War did not count: there are more builds than allowed; the "
            "first ones count, Build A Mos (rulebook XIII.2, DATC 4.D.4)."
        ),
    ),
    (
        "njudge",
        "A LVN",
        1,
        "A MOS B, A WAR B",
        (
            "Build A Mos did not count: there are more builds than allowed; the "
            "last ones count, Build A War (rulebook XIII.2, DATC 4.D.4)."
        ),
    ),
    (
        "dpjudge",
        "A LVN",
        1,
        "A MOS B, A WAR B",
        (
            "Build A Mos did not count: there are more builds than allowed; none "
            "counts (rulebook XIII.2, DATC 4.D.4)."
        ),
    ),
    (
        "datc",
        "A LVN",
        2,
        "A STP B, F STP/SC B",
        (
            "Build F Stp(sc) did not count: of several builds in one center, the "
            "first counts, Build A Stp (rulebook XIII.2, DATC 4.D.5)."
        ),
    ),
    (
        "datc,4.D.5=last",
        "A LVN",
        2,
        "A STP B, F STP/SC B",
        (
            "Build A Stp did not count: of several builds in one center, the last "
            "counts, Build F Stp(sc) (rulebook XIII.2, DATC 4.D.5)."
        ),
    ),
    (
        "datc,4.D.5=none",
        "A LVN",
        2,
        "A STP B, F STP/SC B",
        (
            "Build A Stp did not count: of several builds in one center, none "
            "counts (rulebook XIII.2, DATC 4.D.5)."
        ),
    ),
    (
        "datc",
        "A LVN, A WAR",
        -1,
        "A LVN D, A WAR D",
        (
            "Disband A War did not count: there are more removals than due; the "
            "first ones count, Disband A Lvn (rulebook XIII.2, DATC 4.D.6)."
        ),
    ),
    (
        "datc,4.D.6=last",
        "A LVN, A WAR",
        -1,
        "A LVN D, A WAR D",
        (
            "Disband A Lvn did not count: there are more removals than due; the "
            "last ones count, Disband A War (rulebook XIII.2, DATC 4.D.6)."
        ),
    ),
    (
        "datc,4.D.6=civil_disorder",
        "A WAR, A LVN",
        -1,
        "A WAR D, A LVN D",
        (
            "Disband A War did not count: there are more removals than due; those "
            "made by rule count, Disband A Lvn (rulebook XIII.2, DATC 4.D.6)."
        ),
    ),
    ("datc", "A LVN, A WAR", -1, "A LVN D", "Disband A Lvn succeeded (rulebook XIII.2)."),
    (
        "datc",
        "A LVN",
        1,
        "A LVN D",
        "Disband A Lvn was impossible: no removal is due (rulebook XIII.2).",
    ),
    (
        "datc",
        "A LVN",
        -1,
        "A MOS B",
        "Build A Mos was impossible: the power may not build (rulebook XIII.2).",
    ),
    (
        "datc",
        "A LVN",
        1,
        "A LVN - PRU",
        "A Lvn-Pru was impossible: such orders are for movement phases (rulebook XI, XIII.2).",
    ),
]
REMOVED = [
    (
        "njudge",
        "A MUN, A UKR",
        (
            "A Mun was removed by rule: it was the oldest of the units on no center of their "
            "power (DATC 4.D.8)."
        ),
    ),
    (
        "dpjudge",
        "A UKR, A WAR",
        (
            "A Ukr was removed by rule: it was on no center, and A War, on a home center of its "
            "power, goes later (DATC 4.D.8)."
        ),
    ),
    (
        "dpjudge",
        "A UKR, F BAL",
        (
            "F Bal was removed by rule: it was on no center, like A Ukr, and fleets are removed "
            "before armies (DATC 4.D.8)."
        ),
    ),
    (
        "datc",
        "A MUN, A WAR",
        (
            "A Mun was removed by rule: it is 2 steps from a center of its power, "
            "farther than A War with 0 (DATC 4.D.8)."
        ),
    ),
    (
        "datc",
        "A UKR, F LVN",
        (
            "F Lvn was removed by rule: it is 1 step from a center of its power, like "
            "A Ukr, and fleets are removed before armies (DATC 4.D.8)."
        ),
    ),
    (
        "datc",
        "A UKR, A LVN",
        (
            "A Lvn was removed by rule: it is 1 step from a center of its power, like "
            "A Ukr, and its full name comes first alphabetically (DATC 4.D.8)."
        ),
    ),
    (
        "droidippy",
        "F LYO, F TUN",
        (
            "F Lyo was removed by rule: it is 5 steps from a home center, like "
            "F Tun, and its code comes first alphabetically (DATC 4.D.8)."
        ),
    ),
    (
        "2000",
        "A MUN, A UKR",
        (
            "A Mun was removed by rule: it is 2 steps from its home country, farther "
            "than A Ukr with 0 (DATC 4.D.8)."
        ),
    ),
    (
        "webdiplomacy_2023",
        "A MUN, A UKR",
        (
            "A Mun was removed by rule: it is 2 steps from a home center, farther "
            "than A Ukr with 1 (DATC 4.D.8)."
        ),
    ),
    (
        "datc",
        "A UKR",
        "A Ukr was removed by rule, like all units of its power (DATC 4.D.8).",
    ),
]


@pytest.mark.parametrize(("rulebook", "units", "orders", "sentence"), SPRING)
def test_movement_reasons(rulebook: str, units: str, orders: str, sentence: str) -> None:
    assert sentence in sentences(**france_question(units, orders, rulebook))


@pytest.mark.parametrize(("rulebook", "orders", "sentence"), ROUT)
def test_retreat_reasons(rulebook: str, orders: str, sentence: str) -> None:
    assert sentence in sentences(**retreat_question(orders, rulebook=rulebook))


def test_a_retreat_from_a_convoyed_attacker() -> None:
    barred = retreat_question("A WAR R SIL", convoyed=True, rulebook="datc,4.A.5=barred")

    assert sentences(**barred) == [
        (
            "A War-Sil was impossible: a unit cannot retreat to the province its "
            "attacker came from, even by convoy (rulebook XI, DATC 4.A.5); the "
            "unit is disbanded."
        )
    ]


def test_a_dislodged_unit_without_orders_is_disbanded() -> None:
    assert sentences(**retreat_question("")) == [
        ("Disband A War succeeded by default: the unit had no order (rulebook XI).")
    ]


@pytest.mark.parametrize(("rulebook", "units", "due", "orders", "sentence"), WINTER)
def test_adjustment_reasons(
    rulebook: str, units: str, due: int, orders: str, sentence: str
) -> None:
    assert sentence in sentences(**adjustment_question(units, orders, due, rulebook))


@pytest.mark.parametrize(("rulebook", "units", "sentence"), REMOVED)
def test_removals_without_orders(rulebook: str, units: str, sentence: str) -> None:
    answer = explained(**adjustment_question(units, "", -1, rulebook))

    assert [each["reason"]["says"] for each in answer["removed"]] == [sentence]
    assert answer["removed"][0]["reason"]["rule"] == {"rulebook": None, "datc": "4.D.8"}


DRIVEN_OUT = [
    (
        "datc",
        "A MUN - SWE",
        (
            "A Mun-Swe was impossible: the army cannot reach it by land or convoy "
            "(rulebook XII, DATC 4.E.1); dislodged by A Boh-Mun."
        ),
    ),
    (
        "datc",
        "A MUN S A MUN",
        (
            "A Mun S A Mun was impossible: a unit cannot support itself (rulebook IX.1, DATC "
            "6.A.8); dislodged by A Boh-Mun."
        ),
    ),
    (
        "datc",
        "A MUN - MUN",
        (
            "A Mun-Mun was impossible: a unit cannot move to its own province "
            "(DATC 6.A.4); dislodged by A Boh-Mun."
        ),
    ),
    (
        "njudge",
        "A MUN - BER VIA",
        (
            "A Mun-Ber via convoy was impossible: there are no fleets that could "
            "convoy the army there (rulebook XII, DATC 4.E.1); dislodged by A "
            "Boh-Mun."
        ),
    ),
]


@pytest.mark.parametrize(("rulebook", "order", "sentence"), DRIVEN_OUT)
def test_a_dislodged_unit_with_an_impossible_order(
    rulebook: str, order: str, sentence: str
) -> None:
    battle = movement_question(
        f"GERMANY: {order}; AUSTRIA: A BOH - MUN, A TYR S A BOH - MUN", rulebook
    )

    assert sentences(**battle)[0] == sentence


def test_a_fleet_that_cannot_leave_its_coast_and_is_dislodged() -> None:
    battle = movement_question(
        "FRANCE: F SPA/NC - MAR; ITALY: F WES - SPA/SC, F POR S F WES - SPA"
    )

    assert sentences(**battle)[0] == (
        "F Spa(nc)-Mar was impossible: the fleet cannot reach it (DATC 6.A.1); "
        "dislodged by F Wes-Spa(sc)."
    )


def test_a_support_that_is_spared_as_the_convoy_broke_elsewhere_too() -> None:
    battle = movement_question(
        "ENGLAND: F EDI S F NWY - NTH, F NWY - NTH; "
        "FRANCE: A BRE - EDI, F ENG C A BRE - EDI, F NTH C A BRE - EDI; "
        "GERMANY: F BEL S F PIC - ENG, F PIC - ENG"
    )

    assert (
        "F Edi S F Nwy-Nth counted despite A Bre-Edi (whose convoy was "
        "disrupted) (rulebook XII.5)."
    ) in sentences(**battle)


@pytest.mark.parametrize("rulebook", ["1982", "datc,convoy_paradoxes=1982"])
def test_two_supports_each_of_which_helps_to_break_the_convoy_to_the_other(rulebook: str) -> None:
    battle = movement_question(
        "ENGLAND: F EDI - NTH, F LON S F EDI - NTH; FRANCE: A BRE - LON, F ENG C A BRE - LON; "
        "GERMANY: F BEL S F PIC - ENG, F PIC - ENG; RUSSIA: A NWY - BEL, F NTH C A NWY - BEL",
        rulebook,
    )
    why = "(a convoyed army cuts no support in a fight over a convoy) (rulebook XII.5, DATC 4.A.2)"

    said = sentences(**battle)

    assert f"F Lon S F Edi-Nth counted despite A Bre-Lon {why}." in said
    assert f"F Bel S F Pic-Eng counted despite A Nwy-Bel {why}." in said


def test_help_head_on_against_a_unit_of_the_same_power() -> None:
    battle = movement_question("GERMANY: A MUN - BOH, A TYR S A BOH - MUN; AUSTRIA: A BOH - MUN")

    assert (
        "A Boh-Mun bounced: 2 (with A Tyr) against 1 (A Mun-Boh), but the support by A Tyr "
        "does not count against A Mun, a unit of the same power (rulebook IX.3, DATC 6.E.3)."
    ) in sentences(**battle)


FROM_FLEET = "datc,4.A.4=from_fleet"


def test_a_convoy_from_where_a_support_is_aimed_does_not_cut_it() -> None:
    battle = movement_question(
        "ENGLAND: F LON S F WAL - ENG, F WAL - ENG; FRANCE: A BRE - LON, F ENG C A BRE - LON",
        FROM_FLEET,
    )

    assert (
        "F Lon S F Wal-Eng counted despite A Bre-Lon (convoyed from the "
        "province the support was aimed at) (rulebook X, DATC 4.A.4)."
    ) in sentences(**battle)


def test_a_convoyed_army_cuts_a_support_against_its_origin() -> None:
    battle = movement_question(
        "ENGLAND: A YOR - LON VIA, F NTH C A YOR - LON; FRANCE: F LON S A WAL - YOR, A WAL - YOR",
        FROM_FLEET,
    )

    assert (
        "F Lon S A Wal-Yor was cut by A Yor-Lon via convoy (rulebook X, DATC 4.A.4)."
    ) in sentences(**battle)


@pytest.mark.parametrize("rulebook", ["jdip", "njudge"])
def test_the_route_named_is_not_the_one_ordered(rulebook: str) -> None:
    battle = movement_question(
        "ENGLAND: A LON - ENG - BEL, F NTH C A LON - BEL, F ENG H", rulebook
    )

    assert (
        "A Lon-Eng-Bel was void: not every fleet of the named route was "
        "ordered to convoy the army (rulebook XII, DATC 4.A.6)."
    ) in sentences(**battle)


@pytest.mark.parametrize("rulebook", ["jdip", "njudge"])
def test_the_route_named_breaks_and_another_is_left(rulebook: str) -> None:
    battle = movement_question(
        "ENGLAND: A LON - ENG - BEL, F NTH C A LON - BEL, F ENG C A LON - BEL; "
        "FRANCE: F BRE - ENG, F MAO S F BRE - ENG",
        rulebook,
    )

    assert (
        "A Lon-Eng-Bel failed: its convoy was disrupted: F Eng was dislodged "
        "by F Bre-Eng; it cannot switch to another route (rulebook XII, DATC "
        "4.A.6)."
    ) in sentences(**battle)


@pytest.mark.parametrize("rulebook", ["1971", "1976"])
def test_an_army_that_changed_places_with_another_by_convoy(rulebook: str) -> None:
    battle = movement_question(
        "ENGLAND: A NWY - SWE; GERMANY: F SKA C A NWY - SWE; RUSSIA: A SWE - NWY", rulebook
    )

    assert sentences(**battle)[0] == (
        "A Nwy-Swe succeeded (rulebook IX.2); it was convoyed by F Ska "
        "(rulebook XII.6, DATC 4.A.3)."
    )


def test_an_army_that_went_by_sea_where_there_was_no_other_way() -> None:
    battle = movement_question("ENGLAND: A LON - BEL, F NTH C A LON - BEL")

    assert sentences(**battle)[0] == (
        "A Lon-Bel succeeded (rulebook IX.2); it was convoyed by F Nth (rulebook XII)."
    )


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ({"order": {"FRANCE": ["A PIC H"]}}, "key 'order': unknown; did you mean 'orders'?"),
        ({"phase": "S0001M"}, "S0001M: is before S1901M, the first phase"),
        ({"orders": {"FRANCE": [""]}}, "'': cannot be read as an order"),
    ],
)
def test_an_invalid_question_is_an_error(question: Question, complaint: str) -> None:
    answer = explained(**{"phase": "S1901M", "units": {"FRANCE": ["A PIC"]}, **question})

    assert complaint in answer["error"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("null", "the line: must be an object"),
        ("{}", "phase: missing"),
        ('{"phase": "S1901M", "phase": "F1901M"}', "'phase' appears twice in one object"),
        ('{"phase": "S1901M", "units": {}, "builds": {"ITALY": NaN}}', "NaN is not a number"),
    ],
)
def test_a_line_without_a_question_is_an_error(line: str, complaint: str) -> None:
    answer = json.loads(CliRunner().invoke(adjudicate, input=line).stdout)

    assert answer["error"].endswith(complaint)


def test_a_game_that_is_over_has_nothing_to_adjudicate() -> None:
    assert explained(phase="COMPLETED", units={})["error"] == (
        "COMPLETED: the game is over, and has no phase to adjudicate"
    )


def test_the_disband_is_reported_for_one_of_two_orders() -> None:
    said = sentences(**retreat_question("A WAR R SIL, A WAR R SIL"))

    assert [each.endswith("; the unit is disbanded.") for each in said] == [True, False]


def test_the_default_rulebook_is_the_datc() -> None:
    assert "error" not in explained(phase="S1901M", units={}, rulebook=None)


def test_units_that_moved_round_in_a_ring() -> None:
    ring = movement_question("TURKEY: A ANK - CON, A CON - SMY, A SMY - ANK")

    assert sentences(**ring)[0] == "A Ank-Con succeeded (rulebook VIII)."


@pytest.mark.parametrize("convoyed", ["yes", 1, None, []])
def test_whether_an_attacker_was_convoyed_is_true_or_false(convoyed: object) -> None:
    question = retreat_question("A WAR D")
    question["dislodged"]["RUSSIA"]["A WAR"]["convoyed"] = convoyed

    assert explained(**question)["error"] == "convoyed of A WAR: must be true or false"


@pytest.mark.parametrize("key", ["phase", "units"])
def test_an_empty_board_must_be_explicit(key: str) -> None:
    whole = {"phase": "S1901M", "units": {}}

    assert "error" not in explained(**whole)
    for without in (whole | {key: None}, {each: whole[each] for each in whole if each != key}):
        assert explained(**without)["error"] == f"{key}: missing"


def test_unknown_keys_are_ignored() -> None:
    assert "error" not in explained(phase="S1901M", units={}, note="the opening")
