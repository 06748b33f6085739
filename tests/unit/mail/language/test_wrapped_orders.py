"""Orders that a mail program wrapped are read as written."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.situation import Situation
from judge.game.house_rules import HouseRules
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Unclear
from judge.rules.types import Phase, Position, Unit, UnitKind

BOARD = load_map()


def situation(*units: str, power: str = "GERMANY", s_stands: bool = False) -> Situation:
    """Return Spring 1901, in which only *power* has units, these *units*."""
    stand = tuple(Unit(power, UnitKind(unit[0]), unit[2:]) for unit in units)
    position = Position(phase=Phase.parse("S1901M"), units=stand, owners={})
    return Situation(BOARD, position, power, HouseRules(s_stands=s_stands))


def orders(text: str, of: Situation) -> list[str]:
    return [write_order(order) for order in read_email(of, split(text)).orders]


def questions(text: str, of: Situation) -> list[str]:
    pieces = read_email(of, split(text)).pieces
    return [each.text for each in pieces if isinstance(each, NotUnderstood | Unclear)]


WRAPPED = {
    "a support behind its S": ("A Kie S\nAUSTRIAN A Boh-Mun", ["A KIE S A BOH - MUN"]),
    "a support behind its S and a full stop": (
        "A Kie S.\nAUSTRIAN A Boh-Mun",
        ["A KIE S A BOH - MUN"],
    ),
    "a support behind the nationality": ("A Kie S AUSTRIAN\nA Boh-Mun", ["A KIE S A BOH - MUN"]),
    "a support behind a word that is also a sea": (
        "A Kie S ENGLISH\nF Nth-Hol",
        ["A KIE S F NTH - HOL"],
    ),
    "a move before its dash": ("A Ber\n- Pru, A Kie H", ["A BER - PRU", "A KIE H"]),
    "a move behind its dash": ("A Ber-\nPru, A Kie H", ["A BER - PRU", "A KIE H"]),
    "a supported move before its dash": (
        "A Kie S A Ber\n- Mun, A Ber - Mun",
        ["A KIE S A BER - MUN", "A BER - MUN"],
    ),
    "a verb behind its unit": ("Army Berlin\nmoves to\nPrussia", ["A BER - PRU"]),
    "a kind before its province": ("A Kie H, A\nBer - Pru", ["A KIE H", "A BER - PRU"]),
    "a name of two words": ("F Den - North\nSea", ["F DEN - NTH"]),
    "an abbreviated saint": ("A Kie - St.\nPetersburg", ["A KIE - STP"]),
    "a coast": ("F Den - Stp\n(nc)", ["F DEN - STP/NC"]),
    "via convoy": ("A Kie - Nwy via\nconvoy", ["A KIE - NWY VIA"]),
    "an order on four lines": (
        "Army\nKiel SUPPORT\nArmy Bohemia -\nMunich",
        ["A KIE S A BOH - MUN"],
    ),
}


@pytest.mark.parametrize(("text", "read"), WRAPPED.values(), ids=list(WRAPPED))
def test_an_order_goes_on_in_the_next_line_after(text: str, read: list[str]) -> None:
    germany = situation("A KIE", "A BER", "F DEN")

    assert orders(text, germany) == read
    assert questions(text, germany) == []


LISTS = {
    "one an order": "A Ber - Kie\nA Mun S A Ber - Kie\nF Den H",
    "with bullets": "- A Ber - Kie\n- A Mun S A Ber - Kie\n- F Den H",
    "with bullets and no kinds": "- Ber - Kie\n- Mun S Ber - Kie\n- Den H",
    "with commas": "A Ber - Kie,\nA Mun S A Ber - Kie,\nF Den H",
    "with numbers": "1. A Ber - Kie\n2. A Mun S A Ber - Kie\n3. F Den H",
    "with a greeting and a closing": (
        "Hi,\n\nA Ber - Kie\nA Mun S A Ber - Kie\nF Den H\n\nSee you in\nParis"
    ),
}


@pytest.mark.parametrize("text", LISTS.values(), ids=list(LISTS))
def test_lines_that_are_whole_orders_are_not_joined(text: str) -> None:
    germany = situation("A BER", "A MUN", "F DEN")

    read = [each.replace("A ", "").replace("F ", "") for each in orders(text, germany)]
    assert read == ["BER - KIE", "MUN S BER - KIE", "DEN H"]


def test_a_break_that_may_part_two_orders_is_asked_about() -> None:
    text = "A Den S\nF Hel - Kie"

    assert orders(text, situation("A DEN", "F HEL")) == []
    assert questions(text, situation("A DEN", "F HEL")) == ["A Den S F Hel - Kie"]


def test_a_break_within_a_support_is_not_asked_about_if_the_other_unit_is_ordered_elsewhere() -> (
    None
):
    text = "A Den S\nF Hel - Kie\nF Hel - Kie"

    assert orders(text, situation("A DEN", "F HEL")) == ["A DEN S F HEL - KIE", "F HEL - KIE"]


def test_a_support_of_nothing_is_asked_about_and_never_a_hold() -> None:
    text = "A Ber - Kie\nA Mun S"

    assert orders(text, situation("A BER", "A MUN")) == ["A BER - KIE"]
    assert questions(text, situation("A BER", "A MUN")) == ["A Mun S"]


def test_a_support_of_nothing_is_a_hold_where_the_house_rule_says_so() -> None:
    germany = situation("A BER", "A MUN", s_stands=True)

    assert orders("A Ber - Kie\nA Mun S", germany) == ["A BER - KIE", "A MUN H"]


def test_a_power_with_a_colon_heads_all_orders_behind_it() -> None:
    text = (
        "GERMANY: A Ber - Kie, A Mun\n- Ruh. FRANCE: A Par - Bur, A Mar -\nSpa. GERMANY: F Den H"
    )

    assert orders(text, situation("A BER", "A MUN", "F DEN")) == [
        "A BER - KIE",
        "A MUN - RUH",
        "F DEN H",
    ]


def test_words_and_a_colon_may_lead_in_orders() -> None:
    text = "Hi judge, here are my orders for the first turn: A Ber - Kie, A Mun H. Thanks!"

    assert orders(text, situation("A BER", "A MUN")) == ["A BER - KIE", "A MUN H"]
    assert questions(text, situation("A BER", "A MUN")) == []


def test_builds_may_be_sentences() -> None:
    winter = Position(
        phase=Phase.parse("W1901A"),
        units=(),
        owners=dict.fromkeys(("BER", "KIE", "MUN"), "GERMANY"),
    )
    text = "I build an army in Berlin. I build a\nfleet in Kiel."

    assert orders(text, Situation(BOARD, winter, "GERMANY")) == ["A BER B", "F KIE B"]


DOUBTED = [
    "IF A Mun-Sil THEN A Ber S A\nMun-Sil",
    "If Italy attacks me I would like\nA Mun-Sil",
    "Unless England objects, I would move my army from\nMunich to Silesia",
    "Maybe I should send\nA Mun-Sil",
    "Falls Italien angreift, möchte ich\nA Mun-Sil",
    "Si l'Italie attaque, je voudrais\nA Mun-Sil",
    "I will not move\nA Mun-Sil",
    "What do you think about\nA Mun-Sil?",
]


@pytest.mark.parametrize("text", DOUBTED)
def test_a_sentence_in_doubt_goes_on_in_the_next_line_and_orders_nothing(text: str) -> None:
    germany = situation("A MUN", "A BER")

    assert orders(text, germany) == []
    assert "Sil" in " ".join(questions(text, germany))


NO_DOUBT = [
    "I hope I am not too late\nA Mun-Sil",
    "Sorry if I am late, here is my order\nA Mun-Sil",
    "I do not know more.\nA Mun-Sil",
    "Not much to say, but here are my orders:\nA Mun-Sil",
]


@pytest.mark.parametrize("text", NO_DOUBT)
def test_an_apology_above_an_order_puts_it_in_no_doubt(text: str) -> None:
    assert orders(text, situation("A MUN")) == ["A MUN - SIL"]


def test_a_wrapped_question_swallows_no_command_and_no_further_order() -> None:
    germany = situation("A MUN", "A BER", "A KIE")

    text = "Maybe I should send\nA Mun-Sil\nA Ber-Pru"
    assert orders(text, germany) == ["A BER - PRU"]
    ignored = [each.text for each in read_email(germany, split("Maybe I want\nDRAW")).pieces]
    assert "DRAW" in ignored


def test_french_orders_go_on_behind_their_small_words() -> None:
    france = situation("A PAR", "A MAR", power="FRANCE")

    text = "L'armée de Paris soutient l'armée de\nMarseille en Bourgogne. L'armée de\n"
    assert orders(f"{text}Marseille va en\nBourgogne.", france) == [
        "A PAR S A MAR - BUR",
        "A MAR - BUR",
    ]


def test_a_supported_french_move_is_no_order_of_its_own() -> None:
    france = situation("A PAR", "A MAR", power="FRANCE")

    text = "L'armée de Paris soutient l'armée de\nMarseille en Bourgogne."
    assert orders(text, france) == ["A PAR S A MAR - BUR"]


def test_a_command_ends_with_its_line() -> None:
    france = situation("A PAR", "A MAR", power="FRANCE")

    found = read_email(france, split("CLEAR A\nPar\nA Mar-Spa"))
    assert "CLEAR A" in [each.text for each in found.pieces]
    assert [write_order(order) for order in found.orders] == ["A MAR - SPA"]


TORN = {
    "an object below its verb": ("Kiel attacks\nHolland.", ["A KIE - HOL"]),
    "a verb at the end of a German sentence": (
        "Dänemark soll Kiel\nunterstützen. Kiel bleibt.",
        ["F DEN S A KIE", "A KIE H"],
    ),
    "words before a verb": ("Kiel geht nach Holland, Berlin soll\nauch bleiben.", ["A BER H"]),
    "an adverb behind a unit": ("Kiel to Holland and Berlin just\nholds.", ["A BER H"]),
    "what was said before": (
        "Kiel to Holland, Denmark supports that\nBerlin to Kiel",
        ["A BER - KIE"],
    ),
    "a German verb in two parts": (
        "Kiel rückt nach Holland nach\nBerlin geht nach Kiel",
        ["A KIE - HOL", "A BER - KIE"],
    ),
    "words that are names": ("kie hol\nber kie", ["A KIE - HOL", "A BER - KIE"]),
}


@pytest.mark.parametrize(("text", "read"), TORN.values(), ids=list(TORN))
def test_short_lines_are_read_on_where_no_order_can_end(text: str, read: list[str]) -> None:
    assert set(read) <= set(orders(text, situation("A KIE", "A BER", "F DEN")))
