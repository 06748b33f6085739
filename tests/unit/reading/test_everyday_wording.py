"""Orders in everyday words, in English, German and French."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.order_text import write_order
from judge.reading.reader import read_text
from judge.reading.world import World, world_of
from judge.rules.types import Unit, UnitKind

BOARD = load_map()
FLEETS = {"KIE", "BRE", "EDI"}

ORDERS = {
    "Kiel heads for Holland": "KIE - HOL",
    "Mun back to Ber": "MUN - BER",
    "Munich goes back to Berlin": "MUN - BER",
    "Munich backs up Berlin": "MUN S BER",
    "A Mun backs up A Ber to Sil": "A MUN S A BER - SIL",
    "A Mun supports the move from Ber to Sil": "A MUN S BER - SIL",
    "Munich stays put": "MUN H",
    "A Mun stays in Munich": "A MUN H",
    "Munich stays where it is": "MUN H",
    "A Mun sits tight": "A MUN H",
    "Munich supports Berlin in place": "MUN S BER",
    "A Mun supports A Ber where it stands": "A MUN S A BER",
    "Munich is going to hold": "MUN H",
    "Kiel will be moving to Holland": "KIE - HOL",
    "The one in Edinburgh to the Norwegian Sea": "EDI - NWG",
    "celle de Budapest va en Serbie": "BUD - SER",
    "Kiel should go to Holland": "KIE - HOL",
    "A Mun should hold": "A MUN H",
    "Kiel is to go to Holland": "KIE - HOL",
    "Munich will support Berlin to Silesia": "MUN S BER - SIL",
    "I move Kiel to Holland": "KIE - HOL",
    "I'm moving Kiel to Holland": "KIE - HOL",
    "I should move Kiel to Holland": "KIE - HOL",
    "We would like to move from Kiel to Holland": "KIE - HOL",
    "Let Kiel go to Holland": "KIE - HOL",
    "I will hold Munich": "MUN H",
    "Hold Munich": "MUN H",
    "Send Kiel to Holland": "KIE - HOL",
    "Take Holland with F Kiel": "F KIE - HOL",
    "Attack Munich from Tyrolia": "TYR - MUN",
    "Move to Holland from Kiel": "KIE - HOL",
    "Support Berlin to Silesia with Munich": "MUN S BER - SIL",
    "A Mar - Spa instead": "A MAR - SPA",
    "A Ber - Kiel thanks a lot": "A BER - KIE",
    "A Ber - Kiel now, please": "A BER - KIE",
    "Actually, A Mar - Spa": "A MAR - SPA",
    "Die Flotte fährt von Kiel nach Dänemark": "F KIE - DEN",
    "Kiel rückt nach Dänemark vor": "KIE - DEN",
    "Flotte Brest in den Ärmelkanal": "F BRE - ENG",
    "Ich ziehe mit A Mun nach Tyr.": "A MUN - TYR",
    "Kiel soll nach Holland gehen": "KIE - HOL",
    "Ich greife Tirol mit München an": "MUN - TYR",
    "München soll Berlin nach Schlesien unterstützen": "MUN S BER - SIL",
    "München bleibt wo sie ist": "MUN H",
    "J'envoie la flotte de Kiel en Hollande": "F KIE - HOL",
    "J'attaque la Bourgogne avec Paris": "PAR - BUR",
    "Je déplace Kiel vers la Hollande": "KIE - HOL",
    "Marseille reste sur place": "MAR H",
    "Please send the fleet in Kiel to Holland": "F KIE - HOL",
    "My fleet goes from Kiel to Holland": "F KIE - HOL",
    "Bitte schicke die Flotte in Kiel nach Holland": "F KIE - HOL",
    "Paris attaque la Bourgogne svp": "PAR - BUR",
}


def world(order: str) -> World:
    """Return the board with the unit of *order*, and the one that it supports."""
    places = re.findall(r"[A-Z]{3}", order)[: 2 if " S " in order else 1]
    units = [
        Unit("GERMANY", UnitKind.FLEET if each in FLEETS else UnitKind.ARMY, each)
        for each in places
    ]
    return world_of(BOARD, replace(BOARD.start, units=tuple(units)), "GERMANY")


def without_kinds(order: str) -> str:
    return re.sub(r"\b[AF] ", "", order)


def read(text: str, order: str) -> list[str]:
    return [without_kinds(write_order(each)) for each in read_text(text, world(order)).plain()]


@pytest.mark.parametrize(("text", "order"), ORDERS.items(), ids=ORDERS.keys())
def test_the_words_people_use_are_read(text: str, order: str) -> None:
    assert read(text, order) == [without_kinds(order)]


DOUBTS = ["If Germany agrees, {}", "{} unless you object", "Maybe {}", "{}?", "Should he wait, {}"]


@pytest.mark.parametrize("doubt", DOUBTS)
def test_in_doubt_none_of_them_is_executed(doubt: str) -> None:
    doubted = {text: read(doubt.format(text.rstrip(".")), order) for text, order in ORDERS.items()}

    assert {text: orders for text, orders in doubted.items() if orders} == {}
