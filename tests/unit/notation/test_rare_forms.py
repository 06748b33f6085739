"""Rarer ways to write an order, and what is none."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Unclear, Understood
from judge.rules.types import PhaseKind
from tests.support.emails_of_orders import carried_out, without_kinds

BOARD = load_map()

ORDERS = {
    # Verbs.
    "F Kie takes Holland": "F KIE - HOL",
    "Kiel takes Holland": "KIE - HOL",
    "Kiel attacks Holland": "KIE - HOL",
    "Kiel goes to Holland": "KIE - HOL",
    "A Mun backs Ber to Sil": "A MUN S BER - SIL",
    "Munich supports Berlin's move to Silesia": "MUN S BER - SIL",
    "A Mun stays": "A MUN H",
    "Munich is going to Tyrolia": "MUN - TYR",
    # Coasts in words.
    "Fleet Aegean Sea to the south coast of Bulgaria": "F AEG - BUL/SC",
    "F Aeg vers la côte sud de Bulgarie": "F AEG - BUL/SC",
    "F Aeg an die Südküste von Bulgarien": "F AEG - BUL/SC",
    # What is to be done, and who says so.
    # Courtesy, and corrections.
    # How it is written down.
    "A Vie - Tyr [to annoy Italy]": "A VIE - TYR",
    "F Tri - Adr  # finally": "F TRI - ADR",
    "A Bud S A Ser  <- important!": "A BUD S A SER",
    "F Lon - NOR SEA": "F LON - NTH",
    "F Bre - Mid Atl": "F BRE - MAO",
    "1) F LON/ENG": "F LON - ENG",
    "Kiel: Denmark": "KIE - DEN",
    "* Kiel: Denmark": "KIE - DEN",
    "- Mun: S Ber-Sil": "MUN S BER - SIL",
    "Kiel = Denmark": "KIE - DEN",
    "| F Lon | Eng |": "F LON - ENG",
    "| F Lon | - | Eng |": "F LON - ENG",
    "| A Lvp | S | F Lon |": "A LVP S F LON",
    "FAnk H": "F ANK H",
    "FNao S FMao": "F NAO S F MAO",
    "ARom H": "A ROM H",
    "fank-con": "F ANK - CON",
    "The Kiel fleet takes Denmark": "F KIE - DEN",
    "Kiel (F) - Denmark": "F KIE - DEN",
    "Mun A S Ber-Sil": "A MUN S BER - SIL",
    "My orders: A Mun - Ruh": "A MUN - RUH",
    "My orders are A Mun - Ruh": "A MUN - RUH",
    "Correction: A Mar - Spa": "A MAR - SPA",
    # German.
    "Meine Befehle: Kiel nach Dänemark": "KIE - DEN",
    "Flotte Sewastopol ins Schwarze Meer": "F SEV - BLA",
    "Flotte Sewastopol in das Schwarze Meer": "F SEV - BLA",
    "München greift Tirol an": "MUN - TYR",
    # French.
    "La flotte de Brest prend la Manche": "F BRE - ENG",
}


@pytest.mark.parametrize(("text", "order"), ORDERS.items(), ids=ORDERS.keys())
def test_the_words_people_use_are_read(text: str, order: str) -> None:
    assert carried_out(text, [order]) == {without_kinds(order)}


DOUBTS = ["If Germany agrees, {}", "{} unless you object", "Maybe {}", "{}?", "Should he wait, {}"]


@pytest.mark.parametrize("doubt", DOUBTS)
def test_in_doubt_none_of_them_is_executed(doubt: str) -> None:
    doubted = {text: carried_out(doubt.format(text), [ORDERS[text]]) for text in ORDERS}

    assert {text: orders for text, orders in doubted.items() if orders} == {}


@pytest.mark.parametrize("subject", ["Germany wants that {}", "He says: {}", "You said {}"])
def test_reported_speech_is_not_executed(subject: str) -> None:
    sentences = ("Kiel takes Holland", "Munich stays put", "I move Kiel to Holland")

    assert [read(subject.format(each)) for each in sentences] == [[], [], []]


def test_orders_joined_by_and_are_read_one_by_one() -> None:
    assert read("Mun-Ruhr and Ber-Kie and Kie-Den") == ["MUN - RUH", "BER - KIE", "KIE - DEN"]


@pytest.mark.parametrize(
    "text",
    [
        "Sev - Bla & Mos - Ukr",
        "A Mos - Ukr et F Sev - Bla",
        "Armee Moskau in die Ukraine und die Flotte Sewastopol ins Schwarze Meer",
    ],
)
def test_two_orders_are_joined_by_and_in_every_language(text: str) -> None:
    assert carried_out(text, ["A MOS - UKR", "F SEV - BLA"]) == {"MOS - UKR", "SEV - BLA"}


@pytest.mark.parametrize(
    "text",
    ["A Vie - Tyr  # or Mun", "A Vie - Tyr // if Italy agrees", "F Aeg to the west coast of"],
)
def test_a_comment_that_may_change_an_order_leaves_it_unread(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, no time this week. Everything holds.",
        "Keine Zeit diese Woche, alle Einheiten halten. Gruß",
        "Mes ordres : toutes mes unités tiennent.",
    ],
)
def test_all_units_hold_in_a_sentence_among_others(text: str) -> None:
    assert carried_out(text, ["A PAR H", "F BRE H"]) == {"PAR H", "BRE H"}


@pytest.mark.parametrize(
    "text",
    ["I waive the other build.", "Ich verzichte auf den Aufbau.", "Je renonce à construire"],
)
def test_a_build_is_waived_in_a_sentence(text: str) -> None:
    (reading,) = read_for_phase(text, BOARD, PhaseKind.ADJUSTMENTS)

    assert isinstance(reading, Understood)
    assert write_order(reading.order) == "WAIVE"


def test_seas_joined_by_and_belong_to_one_order() -> None:
    assert read("A Lon - Nwy via Nth and Nwg, please") == ["A LON - NTH - NWG - NWY"]


def test_courtesy_is_read_in_other_phases_too() -> None:
    assert carried_out("Please build FBre, thanks", ["F BRE B"]) == {"F BRE B"}


@pytest.mark.parametrize(
    "text",
    [
        "Should I move Kiel to Holland",
        "I might move Kiel to Holland",
        "I will not move Kiel to Holland",
        "Can Kiel go to Holland?",
        "Germany moves Kiel to Holland",
        "He moves Kiel to Holland",
        "England will move Kiel to Holland",
        "Old orders: A Mar - Spa",
        "Fleet goes to Kiel",
        "Kie F Den",
        "Kie F",
        "I will attack Munich",
        "Attack Munich",
        "Attack Munich from the south",
        "Move Munich",
        "A Mar S Par and Bre",
        "A Par-Bur and Germany moves to Ruhr",
        "Farm the land to Paris",
        "I",
        "Bitte",
        "|---|---|",
        "| |",
        "Paris:",
    ],
)
def test_doubts_and_sentences_about_others_are_never_executed(text: str) -> None:
    assert read(text) == []


ASKED = {
    "F Con - Bul(aec)": ["F CON - BUL/EC", "F CON - BUL/SC"],
    "F Con - Bul (Aegean)": ["F CON - BUL/EC", "F CON - BUL/SC"],
}


@pytest.mark.parametrize(("text", "orders"), ASKED.items(), ids=ASKED.keys())
def test_an_ambiguous_order_is_asked_about(text: str, orders: list[str]) -> None:
    (reading,) = read_for_phase(text, BOARD)

    assert isinstance(reading, Unclear)
    assert sorted(map(write_order, reading.orders)) == sorted(orders)


@pytest.mark.parametrize(
    "text",
    [
        *("f iri f wes-mao", "A Mun A Ber-Sil", "F Nth A Lon-Bel", "F Nth F Lon-Bel"),
        *("A Mos S A War-Mon", "A Mar S A Par -"),
    ],
)
def test_a_unit_that_lacks_part_of_its_order_is_asked_about(text: str) -> None:
    asked, *_ = read_for_phase(text, BOARD)

    assert isinstance(asked, NotUnderstood)


def test_a_verb_that_is_lost_between_units_far_apart_is_not_guessed() -> None:
    readings = read_for_phase("A Par A Mos", BOARD)

    assert not any(isinstance(each, Understood) for each in readings)


COASTS = {
    "NC": [
        *("(nc)", "(n.c.)", "(n c)", "(N. C.)", "(n)", "(north)", "(north c.)", "(north-coast)"),
        *("(the northern coast)", "(nth c)", "[nc]", "/nc", "/n.c.", " nc", " n.c.", "-nc"),
        *(" north coast", "(Nordküste)", "(n.k.)", "(côte nord)"),
    ],
    "SC": ["(sc)", "(s.c.)", "(S C)", "(south cst)", "/sc", "(Südküste)", "(côte sud)"],
}


@pytest.mark.parametrize(
    ("coast", "spelling"),
    [(coast, spelling) for coast, spellings in COASTS.items() for spelling in spellings],
)
def test_coasts_are_read_in_every_spelling(coast: str, spelling: str) -> None:
    assert read(f"F Mao - Spa{spelling}") == [f"F MAO - SPA/{coast}"]
    assert read(f"F Spa{spelling} - Mao") == [f"F SPA/{coast} - MAO"]
    assert read(f"F Por S F Mao - Spa{spelling}") == [f"F POR S F MAO - SPA/{coast}"]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A Mar - Spa (to bounce Italy)", "A MAR - SPA"),
        ("F Mar - Spa (or retreat: Gas)", "F MAR - SPA"),
        ("F Mar - Spa/sc (bounce)", "F MAR - SPA/SC"),
        ("F Mar - Lyo (bounce)", "F MAR - LYO"),
        ("F Lyo C A Mar - Spa (to bounce Italy)", "F LYO C A MAR - SPA"),
    ],
)
def test_remarks_that_cannot_be_coasts_stay_remarks(text: str, order: str) -> None:
    assert read(text) == [order]


def read(text: str) -> list[str]:
    return [
        write_order(each.order)
        for each in read_for_phase(text, BOARD)
        if isinstance(each, Understood)
    ]


ADDRESSED = {
    "Munich, hold": ["MUN H"],
    "A Par, Holds": ["A PAR H"],
    "Kiel, go to Holland!": ["KIE - HOL"],
    "Army Munich, move to Silesia": ["A MUN - SIL"],
    "Berlin, support Munich to Silesia; Munich, move to Silesia": [
        "BER S MUN - SIL",
        "MUN - SIL",
    ],
    "Kiel, halte": ["KIE H"],
    "Hold with the army in Munich": ["A MUN H"],
    "A Mun H, Kiel, move to Holland, A Ber - Pru": ["A MUN H", "KIE - HOL", "A BER - PRU"],
}


@pytest.mark.parametrize(("text", "orders"), ADDRESSED.items(), ids=ADDRESSED.keys())
def test_a_unit_is_told_what_to_do_behind_a_comma(text: str, orders: list[str]) -> None:
    assert carried_out(text, orders) == set(map(without_kinds, orders))


@pytest.mark.parametrize("text", ["Munich, hold?", "If Italy waits, Kiel, go to Holland"])
def test_a_unit_that_is_told_something_in_doubt_does_nothing(text: str) -> None:
    assert carried_out(text, ["A MUN H", "F KIE - HOL"]) == set()


LED_IN = ["My orders are {}", "My final orders are: {}", "Meine Befehle lauten {}", "Note: {}"]


@pytest.mark.parametrize("words", LED_IN)
def test_words_that_lead_in_orders_cost_none(words: str) -> None:
    assert read(words.format("A Mun - Sil, A Ber - Pru")) == ["A MUN - SIL", "A BER - PRU"]


OTHERWISE = ["Last turn: {}", "Proposal: {}", "He told me: {}", "Example: {}", "Alte Befehle: {}"]


@pytest.mark.parametrize("words", OTHERWISE)
def test_words_that_deny_what_they_lead_in_order_nothing(words: str) -> None:
    assert read(words.format("A Mun - Sil")) == []


@pytest.mark.parametrize("text", ['"', 'Kiel, "', '", hold', "A,", ",,"])
def test_marks_without_words_tell_no_unit_anything(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", ["F Mao - nc Spain", "F Mao to NC of Spain"])
def test_a_coast_may_stand_before_its_province(text: str) -> None:
    assert read(text) == ["F MAO - SPA/NC"]


@pytest.mark.parametrize("smiley", [":-)", ":)", ";-)", ":D", "=)"])
def test_a_smiley_behind_an_order_is_no_part_of_it(smiley: str) -> None:
    assert read(f"A Par - Bur {smiley}") == ["A PAR - BUR"]


@pytest.mark.parametrize("text", ["A Vie - Tyr  # as agreed", "A Vie - Tyr // done"])
def test_a_comment_behind_an_order_is_none_of_it(text: str) -> None:
    assert read(text) == ["A VIE - TYR"]
    assert carried_out(text, ["A VIE - TYR"]) == {"VIE - TYR"}
