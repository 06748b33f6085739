"""Clauses beside an order that tell of others, give a reason or keep other orders."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.position_json import read_position
from judge.notation.order_text import write_order
from judge.reading.reader import read_text
from judge.reading.world import world_of
from judge.rules.rulebook import DATC
from judge.rules.types import Power

BOARD = load_map()
FRANCE = {"phase": "S1902M", "units": {"FRANCE": ["A PAR", "A MAR", "F BRE"]}}
ENGLAND = {"phase": "S1903M", "units": {"ENGLAND": ["A WAL", "F ENG", "F NTH"]}}
RUSSIA = {"phase": "S1902M", "units": {"RUSSIA": ["A UKR", "F SEV"], "TURKEY": ["F BLA"]}}
BOTH_MOVE = ["A PAR - BUR", "A MAR - SPA"]
BOTH = ["F MAR B", "A PAR B"]
TWO_BUILDS = {
    "phase": "W1902A",
    "units": {"FRANCE": ["A SPA"]},
    "centers": {"FRANCE": ["PAR", "MAR", "SPA"]},
}


def orders(at: Mapping[str, object], power: Power, text: str) -> list[str]:
    position = read_position(BOARD, at, DATC)
    return [
        write_order(each) for each in read_text(text, world_of(BOARD, position, power)).plain()
    ]


@pytest.mark.parametrize(
    "rest",
    [
        *("The rest stays as in my mail from lunchtime.", "the rest stays the same"),
        *(
            "Der Rest bleibt wie in meiner Mail von gestern.",
            "Le reste reste comme dans mon mail.",
        ),
    ],
)
def test_orders_that_stay_as_sent_are_no_holds(rest: str) -> None:
    assert orders(FRANCE, "FRANCE", f"A Par-Bur. {rest}") == ["A PAR - BUR"]


def test_the_rest_that_stays_holds() -> None:
    found = orders(FRANCE, "FRANCE", "Paris to Burgundy. The rest stays.")

    assert sorted(found) == ["A MAR H", "A PAR - BUR", "F BRE H"]


@pytest.mark.parametrize(
    "text",
    [
        "Meine Armee, die in Wales wartet, geht nach London.",
        "My army, which is waiting in Wales, goes to London.",
        "Mon armée, qui attend à Galles, va à Londres.",
    ],
)
def test_a_clause_says_where_a_unit_is(text: str) -> None:
    assert orders(ENGLAND, "ENGLAND", text) == ["A WAL - LON"]


@pytest.mark.parametrize("text", ["A Ukr - Rum, dabei hilft F Sev.", "A Ukr-Rum, F Sev helps it."])
def test_the_target_behind_a_dash_is_of_the_unit_before_it(text: str) -> None:
    assert orders(RUSSIA, "RUSSIA", text) == ["A UKR - RUM", "F SEV S A UKR - RUM"]


@pytest.mark.parametrize(
    "text",
    [
        "Paris to Burgundy, because he moved everything to Ruhr, and Marseilles to Spain.",
        "Paris to Burgundy, even though he may move there too. Marseilles to Spain.",
        "Paris geht nach Burgund, da unten passiert nichts. Marseille geht nach Spanien.",
        "Paris to Burgundy, you'd think poor Tom would be used to it by now. Marseilles to Spain.",
    ],
)
def test_what_is_told_of_others_doubts_no_order(text: str) -> None:
    assert orders(FRANCE, "FRANCE", text) == ["A PAR - BUR", "A MAR - SPA"]


@pytest.mark.parametrize("text", ["Brest nothing.", "Brest: nix", "Brest rien"])
def test_a_unit_that_does_nothing_holds(text: str) -> None:
    assert orders(FRANCE, "FRANCE", text) == ["F BRE H"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Bitte bauen Sie also nichts.", ["WAIVE", "WAIVE"]),
        ("Ich darf eine bauen: eine Flotte in Marseille, bitte.", ["F MAR B"]),
        ("Ich baue nichts.", ["WAIVE", "WAIVE"]),
        ("And no, I did not see him. A fleet in Marseilles and an army in Paris, please.", BOTH),
        (
            "A fleet in Marseilles, because Tom is having ideas, and an army in Paris.",
            ["F MAR B", "A PAR B"],
        ),
        ("Une seule construction : une flotte à Marseille.", ["F MAR B"]),
    ],
)
def test_builds_in_words(text: str, found: list[str]) -> None:
    assert orders(TWO_BUILDS, "FRANCE", text) == found


def test_the_coast_of_a_new_fleet_may_stand_behind_a_comma() -> None:
    russia = {
        "phase": "W1902A",
        "units": {"RUSSIA": ["A UKR"]},
        "centers": {"RUSSIA": ["STP", "MOS"]},
    }
    text = "Eine Flotte in Petersburg, und zwar an der Nordküste."

    assert orders(russia, "RUSSIA", text) == ["F STP/NC B"]


@pytest.mark.parametrize(
    "text",
    [
        "Die Armee aus Wales setzt mit Hilfe der Flotte im Kanal nach Belgien über.",
        "My army in Wales goes to Belgium with the help of the fleet in the Channel.",
    ],
)
def test_help_by_the_fleet_that_can_carry_an_army_is_a_convoy(text: str) -> None:
    found = sorted(each.removesuffix(" VIA") for each in orders(ENGLAND, "ENGLAND", text))
    assert found == ["A WAL - BEL", "F ENG C A WAL - BEL"]


@pytest.mark.parametrize(
    "text",
    [
        "Thank you for the extension. Paris to Burgundy. Marseilles to Spain.",
        "Ich bedanke mich für die Verlängerung. Paris nach Burgund. Marseille nach Spanien.",
        "Paris takes Burgundy rather than idling at home again. Marseilles to Spain.",
        "Paris to Burgundy as Italy is standing in Piedmont. Marseilles to Spain.",
        "A Bur: nothing there yet. Paris to Burgundy, keeping it short. Marseilles to Spain.",
    ],
)
def test_thanks_and_reasons_leave_the_orders_plain(text: str) -> None:
    assert orders(FRANCE, "FRANCE", text) == ["A PAR - BUR", "A MAR - SPA"]


def test_a_shortened_unit_may_stand_before_a_verb_in_words() -> None:
    turkey = {"phase": "S1902M", "units": {"TURKEY": ["A BUL", "A CON"]}}
    text = "A Bul bleibt\nA Kon unterstützt Bul"

    assert orders(turkey, "TURKEY", text) == ["A BUL H", "A CON S A BUL"]


@pytest.mark.parametrize(
    "behind",
    [
        "Haven't had this much fun since Whitby folded.",
        "Reicht Ihnen das so oder brauchen Sie es ausgeschrieben?",
        "Ton frère me dit que je joue trop prudemment. Qu'il regarde un peu ça.",
        "Madame Perrin dormait, elle ronflait.",
    ],
)
def test_a_sentence_about_something_else_doubts_no_orders_above_it(behind: str) -> None:
    assert orders(FRANCE, "FRANCE", f"A Par-Bur\nA Mar-Spa\n\n{behind}") == BOTH_MOVE


def test_units_that_are_kept_like_others_are_not_removed() -> None:
    germany = {
        "phase": "W1902A",
        "units": {"GERMANY": ["F KIE", "A BER", "A MUN", "F DEN"]},
        "centers": {"GERMANY": ["KIE", "BER", "MUN"]},
    }
    text = "Dänemark auflösen. Kiel möchte ich behalten, ebenso Berlin und München."

    assert orders(germany, "GERMANY", text) == ["F DEN D"]


def test_a_correction_may_name_its_unit_before_a_colon() -> None:
    text = "Paris -> Burgundy\nMarseilles -> Spain\n\nCorrection for Paris: it stays."

    assert orders(FRANCE, "FRANCE", text) == ["A MAR - SPA", "A PAR H"]


@pytest.mark.parametrize(
    ("at", "text", "meant"),
    [
        (
            FRANCE,
            "Marseilles to Spain. Paris to Burgundy - Germany promised he would stay out.",
            BOTH_MOVE,
        ),
        (FRANCE, "Paris va en Bourgogne pour garder la maison, Marseille en Espagne.", BOTH_MOVE),
        (FRANCE, "Paris to Burgundy to give Tom a clout. Marseilles to Spain.", BOTH_MOVE),
        (
            FRANCE,
            "La flotte de Brest reste pour protéger Paris. Paris en Bourgogne, Mar en Espagne.",
            [*BOTH_MOVE, "F BRE H"],
        ),
        (TWO_BUILDS, "A fleet in Marseilles, since a fleet makes sense there.", BOTH[:1]),
        (
            FRANCE,
            "Marseilles attack Burgundy, the army in Paris is support this attack.",
            ["A MAR - BUR", "A PAR S A MAR - BUR"],
        ),
        (
            TWO_BUILDS,
            "Eine Flotte in Marseille, damit Italien merkt, wer da ist, und eine Armee in Paris.",
            BOTH,
        ),
        (
            TWO_BUILDS,
            "F Marseille. Auf den zweiten Bau verzichte ich, das habe ich England versprochen.",
            ["F MAR B", "WAIVE"],
        ),
    ],
)
def test_what_is_said_beside_an_order_hides_none(
    at: Mapping[str, object], text: str, meant: list[str]
) -> None:
    assert set(orders(at, "FRANCE", text)) == set(meant)
