"""Orders in German and French, and what the judge asks about them."""

from __future__ import annotations

import pytest
from rapidfuzz.distance import OSA

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_order
from judge.notation.readings import Unclear, Understood
from judge.notation.terms import names_of
from judge.rules.types import PhaseKind
from tests.support.emails_of_orders import carried_out, without_kinds

BOARD = load_map()

LETTERS = 3  # of abbreviations
MOVEMENT = {
    # German
    "Armee Paris - Burgund": "A PAR - BUR",
    "A Paris nach Burgund": "A PAR - BUR",
    "Die Armee in Paris zieht nach Burgund.": "A PAR - BUR",
    "Armee M\xfcnchen h\xe4lt": "A MUN H",
    "A Muenchen haelt": "A MUN H",
    "Flotte Nordsee steht": "F NTH H",
    "F Norwegische See H": "F NWG H",
    "A Marseille unterst\xfctzt A Paris - Burgund": "A MAR S A PAR - BUR",
    "A Mar U A Par-Bur": "A MAR S A PAR - BUR",
    "A Mar unterstuetzt Armee Paris nach Burgund": "A MAR S A PAR - BUR",
    "A Ber unterst\xfctzt A Mun": "A BER S A MUN",
    "Flotte \xc4rmelkanal konvoyiert Armee London nach Brest": "F ENG C A LON - BRE",
    "F Nordsee K A Yorkshire - Norwegen": "F NTH C A YOR - NWY",
    "A London - Belgien \xfcber Konvoi": "A LON - BEL VIA",
    "A London nach Belgien mit Konvoi": "A LON - BEL VIA",
    "A Lon - Bel per Konvoi": "A LON - BEL VIA",
    "F Mittelatlantik - Spanien (S\xfcdk\xfcste)": "F MAO - SPA/SC",
    "F Mao - Spanien S\xfcdk\xfcste": "F MAO - SPA/SC",
    "F Mao - Spa (SK)": "F MAO - SPA/SC",
    "F \xd6stliches Mittelmeer - \xc4g\xe4is": "F EAS - AEG",
    "F Oestliches Mittelmeer - Aegaeis": "F EAS - AEG",
    "Flotte im Schwarzen Meer nach Rum\xe4nien": "F BLA - RUM",
    "A Warschau - Livland": "A WAR - LVN",
    "A Preu\xdfen - Schlesien": "A PRU - SIL",
    "A Preussen - Schles": "A PRU - SIL",
    "A Par unterst\xfctzt deutsche A Mun - Bur": "A PAR S A MUN - BUR",
    # French
    "Arm\xe9e Paris - Bourgogne": "A PAR - BUR",
    "L'arm\xe9e de Paris va en Bourgogne": "A PAR - BUR",
    "armee Paris vers Bourgogne": "A PAR - BUR",
    "A Paris tient": "A PAR H",
    "Flotte Mer du Nord tient": "F NTH H",
    "A Marseille soutient A Paris - Bourgogne": "A MAR S A PAR - BUR",
    "A Marseille soutient l'arm\xe9e de Paris vers la Bourgogne": "A MAR S A PAR - BUR",
    "F Manche convoie A Londres - Brest": "F ENG C A LON - BRE",
    "A Londres - Belgique par convoi": "A LON - BEL VIA",
    "A Lon - Bel par mer": "A LON - BEL VIA",
    "F Atlantique Moyen - Espagne (c\xf4te sud)": "F MAO - SPA/SC",
    "F M\xe9diterran\xe9e orientale - Mer \xc9g\xe9e": "F EAS - AEG",
    "F mediterranee orientale - mer egee": "F EAS - AEG",
    "F Mer Noire - Roumanie": "F BLA - RUM",
    "A Varsovie - Livonie": "A WAR - LVN",
    "A Saint-P\xe9tersbourg - Finlande": "A STP - FIN",
    "A Pays de Galles - Londres": "A WAL - LON",
    "F Mer d'Irlande - Liverpool": "F IRI - LVP",
}
OTHERS = {
    "A Paris zieht sich zur\xfcck nach Burgund": "A PAR R BUR",
    "A Par R\xfcckzug Gascogne": "A PAR R GAS",
    "A Paris aufgel\xf6st": "A PAR D",
    "A Paris l\xf6st sich auf": "A PAR D",
    "Armee Paris retraite Bourgogne": "A PAR R BUR",
    "A Paris se replie en Gascogne": "A PAR R GAS",
    "A Paris bat en retraite vers Gascogne": "A PAR R GAS",
    "A Paris dissoute": "A PAR D",
    "Aufbau Armee M\xfcnchen": "A MUN B",
    "Baut Flotte St. Petersburg (Nordk\xfcste)": "F STP/NC B",
    "Baut eine Armee in Moskau auf": "A MOS B",
    "Abbau A Paris": "A PAR D",
    "Verzicht": "WAIVE",
    "Construit une arm\xe9e \xe0 Moscou": "A MOS B",
    "Construction F Brest": "F BRE B",
    "Retire la flotte de Brest": "F BRE D",
    "Renonce": "WAIVE",
}
# What is not done for certain: it is shown back.
ASKED = [
    "A Paris nicht nach Burgund",
    "A Paris - Burgund, wenn Italien das will",
    "Vielleicht A Paris - Burgund",
    "A Paris - Bourgogne si possible",
    "A Mos S A War-Mon",
    "A War - Von",
    "F en - Lon",
]


def orders(text: str, kind: PhaseKind = PhaseKind.MOVEMENT) -> list[str]:
    return [
        write_order(each.order)
        for each in read_for_phase(text, BOARD, kind)
        if isinstance(each, Understood)
    ]


IMPLIED = {"F ENG C A LON - BRE": "LON - BRE"}  # in words, of an own army that is convoyed


@pytest.mark.parametrize(("text", "order"), MOVEMENT.items(), ids=MOVEMENT)
def test_a_movement_is_understood(text: str, order: str) -> None:
    assert carried_out(text, [order]) - {IMPLIED.get(order)} == {without_kinds(order)}


@pytest.mark.parametrize(("text", "order"), OTHERS.items(), ids=OTHERS)
def test_a_retreat_or_adjustment_is_understood(text: str, order: str) -> None:
    assert carried_out(text, [order]) == {without_kinds(order)}


def test_a_verb_whose_end_is_far_away_is_no_build() -> None:
    assert carried_out("Baut Armee Paris ab", ["A PAR - BUR"]) == set()


@pytest.mark.parametrize("text", ASKED)
def test_a_doubtful_or_misspelled_order_is_shown_back(text: str) -> None:
    readings = read_for_phase(text, BOARD)

    assert readings
    assert orders(text) == []


def test_a_heading_names_the_owner_in_any_language() -> None:
    for heading in ("Frankreich:", "T\xfcrkei:", "Turquie:", "\xd6sterreich:", "Autriche:"):
        (reading,) = read_for_phase(f"{heading}\nA Par H", BOARD)

        assert isinstance(reading, Understood)
        assert reading.power in {"FRANCE", "TURKEY", "AUSTRIA"}


def test_a_name_that_may_mean_several_provinces_is_asked_about() -> None:
    (both,) = read_for_phase("F Nth - Norweg", BOARD)

    assert isinstance(both, Unclear)
    assert {write_order(each) for each in both.orders} == {"F NTH - NWG", "F NTH - NWY"}


def test_no_short_name_is_one_slip_away_from_that_of_another_province() -> None:
    names = names_of(BOARD)
    english = {key: codes for key, codes in names.written.items() if len(key) == LETTERS}

    for key, codes in names.foreign.items():
        if len(key) == LETTERS and key not in english:
            near = {
                code
                for other in english
                if OSA.distance(key, other) == 1
                for code in english[other]
            }
            assert near <= set(codes), key


def test_no_english_name_means_another_place_because_of_another_language() -> None:
    names = names_of(BOARD)

    assert all(names.meaning(key) == codes for key, codes in names.written.items())
    unlike = {key for key in names.shortened if not set(names.meaning(key)) <= {*BOARD.places}}
    assert unlike == set()


def test_every_full_name_of_every_language_means_its_province() -> None:
    names = names_of(BOARD)

    for tongue in BOARD.tongues.values():
        for code, forms in tongue.places.items():
            assert names.find(forms["name"]) == (code,), forms


def test_prose_of_other_languages_is_no_order() -> None:
    for text in ("Ich danke dir f\xfcr die Mail.", "Merci pour le message, \xe0 demain."):
        assert read_for_phase(text, BOARD) == ()
