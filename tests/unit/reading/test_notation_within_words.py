"""Orders in notation and the words around them are one text, read once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.situation import Situation
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Unclear
from judge.rules.types import Unit, UnitKind
from tests.emails.labelled import settled

BOARD = load_map()
FRANCE = Situation(BOARD, BOARD.start, "FRANCE")

PLACES = ("A PAR", "A MAR", "A BUR", "A GAS", "F MAO")
UNITS = tuple(Unit("FRANCE", UnitKind(each[0]), each[2:]) for each in PLACES)
LATER = Situation(BOARD, replace(BOARD.start, units=UNITS), "FRANCE")

TOGETHER = {
    "A Mar-Bur. Paris supports that.": {"A MAR - BUR", "A PAR S A MAR - BUR"},
    "A Mar-Bur, and it is supported by Paris.": {"A MAR - BUR", "A PAR S A MAR - BUR"},
    "A Par-Pic\nF Bre-Mao\nMarseilles just sits there.": {
        "A PAR - PIC",
        "F BRE - MAO",
        "A MAR H",
    },
    "A Par-Pic. The rest holds.": {"A PAR - PIC", "A MAR H", "F BRE H"},
    "A Par-Bur. Wait, no: Paris goes to Picardy.": {"A PAR - PIC"},
    "A Par-Bur, A Mar-Spa, F Bre-Mao. Maybe we talk later.": {
        "A PAR - BUR",
        "A MAR - SPA",
        "F BRE - MAO",
    },
    "A Par-Bur. Marseilles helps Paris.": {"A PAR - BUR", "A MAR S A PAR - BUR"},
}
IN_DOUBT = ["Maybe A Par-Bur. I am not sure yet.", 'He wrote: "A Par-Bur"', "A Par-Bur? Hm."]


def carried_out(text: str, of: Situation = FRANCE) -> set[str]:
    return {settled(of, write_order(each)) for each in read_email(of, split(text)).orders}


@pytest.mark.parametrize(("text", "orders"), TOGETHER.items(), ids=TOGETHER.keys())
def test_words_refer_to_notation(text: str, orders: set[str]) -> None:
    assert carried_out(text) == orders


HELPED = {
    "A Mar - Bur supported by A Par": {"A MAR - BUR", "A PAR S A MAR - BUR"},
    "A Mar-Bur (s. by A Par)": {"A MAR - BUR", "A PAR S A MAR - BUR"},
    "A Mar-Bur, supported by A Par": {"A MAR - BUR", "A PAR S A MAR - BUR"},
    "A Bur is supported by A Par": {"A PAR S A BUR"},
    "A Bur H supported by A Par": {"A BUR H", "A PAR S A BUR"},
    "A Gas-Lon convoyed by F Mao": {"A GAS - LON", "F MAO C A GAS - LON"},
    "The army in Gascony is convoyed to London by the fleet in the Mid-Atlantic Ocean": {
        "A GAS - LON",
        "F MAO C A GAS - LON",
    },
    "supported by A Par": set(),
    "A Gas convoyed by sea to Lon": set(),
}


@pytest.mark.parametrize(("text", "orders"), HELPED.items(), ids=HELPED.keys())
def test_a_unit_may_be_told_by_whom_it_is_helped(text: str, orders: set[str]) -> None:
    assert carried_out(text, LATER) == orders


@pytest.mark.parametrize("text", IN_DOUBT)
def test_words_of_doubt_cover_notation(text: str) -> None:
    assert carried_out(text) == set()


def test_an_order_that_only_the_grammar_of_notation_finds_in_words_is_offered() -> None:
    england = Situation(BOARD, BOARD.start, "ENGLAND")

    read = read_email(england, split("Liverpool heads east to Yorkshire"))

    wrong = [each for each in read.orders if "EAS" in write_order(each)]
    asked = [each for each in read.pieces if isinstance(each, NotUnderstood | Unclear)]
    assert wrong == []
    assert [write_order(each) for each in read.orders] == ["A LVP - YOR"] or asked


def test_a_verb_in_brackets_is_no_power_with_its_letter() -> None:
    board = load_map("modern")  # where S is Spain

    read = read_email(Situation(board, board.start, "POLAND"), split("A War (S) A Kra-Pru"))

    assert [write_order(each) for each in read.orders] == ["A WAR S A KRA - PRU"]
