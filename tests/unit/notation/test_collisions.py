"""One word for several provinces: the board decides, or the judge asks the player."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_order
from judge.notation.readings import Unclear, Understood
from judge.notation.strict_orders import misfit
from judge.rules.types import Waive

BOARD = load_map()

DECIDED = {
    "A Tyr H": "A TYR H",
    "F Tyr H": "F TYS H",
    "A Ven-Tyr": "A VEN - TYR",
    "F Nap-Tyr": "F NAP - TYS",
    "A Ber-Tyr": "A BER - TYR",
    "A Boh S A Ven-Tyr": "A BOH S A VEN - TYR",
    "F Rom S F Tyr": "F ROM S F TYS",
    "Tyr-Boh": "TYR - BOH",
    "F Nor-Swe": "F NWY - SWE",
    "A Nor-Fin": "A NWY - FIN",
    "A Nor-Tun": "A NAF - TUN",
    "F Hel-Nor": "F HEL - NTH",
    "F Nth S F Edi-Nor": "F NTH S F EDI - NWG",
    "F Nth C A Edi-Nor": "F NTH C A EDI - NWY",
    "A Pru-Liv": "A PRU - LVN",
    "F Iri-Liv": "F IRI - LVP",
    "A Liv-Wal": "A LVP - WAL",
    "F Swe-Gul": "F SWE - BOT",
    "F Gul-Spa/sc": "F LYO - SPA/SC",
    "A Nor-Nth-Bel": "A NWY - NTH - BEL",
    "A Vie R Tyr": "A VIE R TYR",
}
ASKED = {
    "A Nor H": ("NAF", "NWY"),
    "F Nor H": ("NAF", "NAO", "NTH", "NWG", "NWY"),
    "F Edi-Nor": ("NTH", "NWG"),
    "F Bar-Nor": ("NWG", "NWY"),
    "A Lon-Nor": ("NAF", "NWY"),
    "A Liv H": ("LVN", "LVP"),
    "F Bre-Liv": ("LVN", "LVP"),
    "F Gul H": ("BOT", "LYO"),
    "Tyr H": ("TYR", "TYS"),
}


@pytest.mark.parametrize(("text", "order"), DECIDED.items(), ids=DECIDED.keys())
def test_the_only_province_that_fits_is_meant(text: str, order: str) -> None:
    (reading,) = read_for_phase(text, BOARD)

    assert isinstance(reading, Understood)
    assert write_order(reading.order) == order


@pytest.mark.parametrize(("text", "provinces"), ASKED.items(), ids=ASKED.keys())
def test_where_several_fit_the_player_is_asked(text: str, provinces: tuple[str, ...]) -> None:
    (reading,) = read_for_phase(text, BOARD)

    assert isinstance(reading, Unclear)
    assert len(reading.orders) == len(provinces)
    written = [write_order(order) for order in reading.orders]
    assert all(any(each in text for text in written) for each in provinces)


def test_the_question_names_the_word_and_the_orders() -> None:
    (reading,) = read_for_phase("FRANCE: F Edi-Nor", BOARD)

    assert isinstance(reading, Unclear)
    assert (reading.word, reading.power) == ("Nor", "FRANCE")
    assert [write_order(order) for order in reading.orders] == ["F EDI - NTH", "F EDI - NWG"]


def test_an_order_without_a_province_fits_every_board() -> None:
    assert misfit(BOARD, Waive()) == 0


def test_with_too_many_meanings_nothing_is_guessed() -> None:
    (reading,) = read_for_phase("F Nor-Nor-Nor-Nor", BOARD)

    assert not isinstance(reading, Understood)
