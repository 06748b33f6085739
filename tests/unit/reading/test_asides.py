"""Permissions, promises, abandoned plans and news of others beside orders."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import EmailRead, read_email
from judge.app.commands.situation import Situation
from judge.archive.position_json import read_position
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Unclear
from judge.rules.rulebook import DATC

BOARD = load_map()


def read(text: str, power: str = "FRANCE") -> EmailRead:
    return read_email(Situation(BOARD, BOARD.start, power), split(text))


def orders(text: str, power: str = "FRANCE") -> set[str]:
    return set(map(write_order, read(text, power).orders))


def test_what_a_unit_may_do_is_offered() -> None:
    found = read("Paris goes to Burgundy. The fleet at Brest may go out to the Mid-Atlantic.")
    offered = {
        write_order(each.nearest)
        for each in found.pieces
        if isinstance(each, NotUnderstood) and each.nearest
    }
    assert set(map(write_order, found.orders)) == {"A PAR - BUR"}
    assert offered == {"F BRE - MAO"}


PLAIN = {
    "a reason with whatever": "Paris to Burgundy, whatever I may have told the German.",
    "a reason with as": "Paris goes to Burgundy, as there is nobody there.",
    "knowledge of others": "Paris goes to Burgundy. I know he is going there too, it is fine.",
    "a promise": "Paris - Burgundy\n\nNothing against Italy, I promised Tom that.",
    "an idiom": "Last of all, Paris moves to Burgundy.",
    "people attacked": "Paris goes to Burgundy. So much for the Germans.",
    "a reason with as and a name": "Paris goes to Burgundy, as Munich is full of Germans.",
    "moving on a place": "Paris moves on Burgundy.",
    "a new plan": "New plan: Paris to Burgundy.",
    "obwohl": "Paris geht nach Burgund, obwohl der Mann sehr h\u00f6flich schreibt.",
    "personne": "Paris va en Bourgogne, y a personne.",
    "on sait jamais": "Paris va en Bourgogne, on sait jamais.",
    "egal": "Paris geht nach Burgund, egal was ich dem Deutschen gesagt habe.",
    "versprochen": "Paris - Burgund\n\nNichts gegen Italien, das habe ich Tom versprochen.",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_what_explains_an_order_puts_no_doubt_on_it(text: str) -> None:
    assert orders(f"F Bre H\nA Mar H\n\n{text}") == {"F BRE H", "A MAR H", "A PAR - BUR"}


def test_a_reason_ends_where_another_unit_is_ordered() -> None:
    text = (
        "Paris goes to Burgundy, because nobody is there, and the fleet goes to the Mid-Atlantic."
    )
    assert orders(text) == {"A PAR - BUR", "F BRE - MAO"}


def test_what_was_given_up_is_no_order_and_what_is_done_instead_is() -> None:
    text = "F Bre H\nA Mar H\n\nI was going to go to Picardy, but Paris moves to Burgundy."
    assert orders(text) == {"F BRE H", "A MAR H", "A PAR - BUR"}


def test_the_rest_as_above_keeps_the_orders_before_a_correction() -> None:
    text = """Brest to the Channel, Paris to Picardy, Marseilles to Spain.
No wait, sorry, I don't like his tone. Paris to Burgundy instead, rest as above."""
    assert orders(text) == {"F BRE - ENG", "A PAR - BUR", "A MAR - SPA"}


def test_a_name_that_is_corrected_withdraws_no_order_before() -> None:
    text = "Marseille va en Espagne. La Picardie, je veux dire Paris, attaque la Bourgogne."
    assert orders(text) == {"A MAR - SPA", "A PAR - BUR"}


def builds(text: str, power: str, units: list[str], centers: list[str]) -> set[str]:
    source = {"phase": "W1901A", "units": {power: units}, "centers": {power: centers}}
    position = read_position(BOARD, source, DATC)
    return set(map(write_order, read_email(Situation(BOARD, position, power), split(text)).orders))


@pytest.mark.parametrize(
    "heading", ["Two builds:", "3 builds for France:", "One build:", "My two builds:"]
)
def test_a_number_of_builds_names_no_phase(heading: str) -> None:
    found = builds(
        f"{heading}\nBuild F Bre\nBuild A Mar",
        *("FRANCE", ["A SPA", "F POR"], ["PAR", "MAR", "BRE", "SPA", "POR"]),
    )
    assert found == {"F BRE B", "A MAR B"}


@pytest.mark.parametrize(
    "text",
    [
        "Build a fleet in St. Petersburg. It must be on the north coast.",
        "Flotte in St. Petersburg bauen. Die Flotte bitte an der Nordk\u00fcste.",
    ],
)
def test_the_coast_of_a_new_fleet_may_follow_in_a_sentence_of_its_own(text: str) -> None:
    found = builds(text, "RUSSIA", ["A UKR", "F RUM"], ["STP", "MOS", "WAR"])
    assert found == {"F STP/NC B"}


def test_a_convoy_and_its_move_may_stand_in_two_sentences() -> None:
    source = {"phase": "S1903M", "units": {"ENGLAND": ["F NTH", "A YOR"]}}
    text = """The fleet in the North Sea convoys the army in Yorkshire to Belgium.
The army in Yorkshire moves to Belgium by convoy."""
    found = read_email(
        Situation(BOARD, read_position(BOARD, source, DATC), "ENGLAND"), split(text)
    )
    assert set(map(write_order, found.orders)) == {"F NTH C A YOR - BEL", "A YOR - BEL VIA"}


def test_a_unit_may_be_helped_as_a_person() -> None:
    text = "Paris geht nach Burgund, und Marseille hilft ihm."
    assert orders(text) == {"A PAR - BUR", "A MAR S A PAR - BUR"}


@pytest.mark.parametrize("text", ["NO", "No", "nichts", "A Par H\n\nno", "rien", "no:"])
def test_a_denial_may_end_an_email(text: str) -> None:
    assert orders(text) <= {"A PAR H"}


@pytest.mark.parametrize(
    "text",
    [
        "A Par - Bur/Pic",
        "A Mar - Spa and Gas",
        "Paris to Burgundy and Picardy",
        "Armee Paris nach Burgund und Picardie",
    ],
)
def test_two_places_for_one_unit_are_asked_about(text: str) -> None:
    found = read(text)
    [asked] = [each for each in found.pieces if isinstance(each, Unclear)]
    assert not found.orders
    assert len(asked.orders) == 2


@pytest.mark.parametrize(
    "afterthought",
    [
        "Only if Tom does what he promised, I think.",
        "That is what I promised, if he keeps quiet.",
        "Nur wenn Tom mitmacht, denke ich.",
        "Seulement si Tom est d'accord, je pense.",
    ],
)
def test_a_condition_of_its_own_doubts_the_orders_before(afterthought: str) -> None:
    assert not orders(f"A Par-Bur, A Mar H, F Bre H. {afterthought}") & {"A PAR - BUR", "F BRE H"}


@pytest.mark.parametrize(
    "text",
    [
        "All who still hold out get an equal share.",
        "Everyone who still stands gets a share of it.",
        "Alle, die jetzt noch stehen, bekommen gleich viel.",
        "Tous ceux qui tiennent encore seront d'accord.",
    ],
)
def test_what_is_said_of_all_who_hold_is_no_order(text: str) -> None:
    assert orders(text) == set()


def test_all_who_stand_hold_by_a_verb_of_its_own() -> None:
    assert len(orders("All that still stand hold.")) == 3
