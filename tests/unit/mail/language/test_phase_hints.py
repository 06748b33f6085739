"""Lines that imply that the orders below are for later, and lines that are prose."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.table import COMMANDS
from judge.mail.language.phase_names import with_plain_phases
from judge.mail.reader.phase_hints import (
    LINE_MAX,
    PARTS_MAX,
    LinePart,
    PhaseHeading,
    line_parts,
    next_in_subject,
    phase_heading,
    phase_hint,
)

BOARD = load_map()


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("<b>Fall 1901</b>", "Fall 1901"),
        ('<p class="a">Fall 1901</p>', "Fall 1901"),
        ("Fall's moves:", "Fall moves:"),
        ("F 1901 M", "F1901M"),
        ("F.1901", "F1901"),
        ("F-1901", "F1901"),
        ("F'01:", "F01:"),
        ("S1901 M", "S1901M"),
        ("1901F", "F1901"),
        ("1901FM:", "F1901M:"),
        ("1901-F", "F1901"),
        ("1901/F:", "F1901:"),
        ("Fa01", "fall 01"),
        ("Spr 1902", "spring 1902"),
        ("Aut. 01:", "autumn 01:"),
        ("Sprng 1902", "spring 1902"),
        ("Sping 1902", "spring 1902"),
        ("Sprign 1902", "spring 1902"),
        ("Autum 1901:", "autumn 1901:"),
        ("Wintr 1901", "winter 1901"),
        ("Herbts 1901", "herbst 1901"),
        ("Herbstzug 1901", "Herbst 1901"),
        ("Fr\xfchjahrsz\xfcge 1902:", "Fr\xfchjahr 1902:"),
        ("Fall 19O1", "Fall 1901"),
        ("Fall 190l", "Fall 1901"),
        ("F19O1M", "F1901M"),
        ("A1901", "F1901"),
        ("P1902:", "S1902:"),
    ],
)
def test_a_slip_in_the_name_of_a_phase_is_put_right(line: str, shown: str) -> None:
    assert " ".join(with_plain_phases(line).split()) == shown


@pytest.mark.parametrize(
    "line",
    [
        "Spring 1901",
        "AUTUMN",
        "The winner of 1901",
        "A string, a sprint and a sprig",
        "Writer's herbs wither",
        "F Bre-Mao",
        "S A Mun-Bur",
        "<ben@example.org> wrote",
        "I win 18 centers",
        "A Par-Bur; 1901 F Bre-Mao",
        "A1901 was no good",
        "1900lb of gold",
        "Herbstlaub und Winterzucker",
    ],
)
def test_other_words_stay_as_they_are(line: str) -> None:
    assert with_plain_phases(line) == line.replace("'s", " ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("== Fall 1901 ==", "F1901"),
        ("~~ Fall 1901 ~~", "F1901"),
        ("### Fall 1901 ###", "F1901"),
        ("<b>Fall 1901</b>", "F1901"),
        ("<Fall 1901>", "F1901"),
        ("{Fall 1901}", "F1901"),
        ("Sprng 1902", "S1902"),
        ("F.1901", "F1901"),
        ("1901F", "F1901"),
        ("Fall01:", "F1901"),
        ("In the fall:", "F"),
        ("Then in Fall:", "F"),
        ("And then in the fall", "F"),
        ("Plans for Fall:", "F"),
        ("Some ideas for Fall 1901", "F1901"),
    ],
)
def test_decoration_does_not_change_a_heading(line: str, said: str) -> None:
    assert phase_heading(line, BOARD) == PhaseHeading(said)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Fall 1901 moves are as follows:", "F1901M"),
        ("Fall moves follow here:", "FM"),
        ("Spring 1902 -- if all goes well", "S1902"),
        ("Spring 1902 (subject to change)", "S1902"),
        ("Fall 1901, provided Germany agrees", "F1901"),
        ("Herbst 1901, falls alles klappt", "F1901"),
        ("Fall 1901, in case I forget", "F1901"),
        ("If we get to fall:", "F"),
        ("What if it goes on, then in Spring 1902 I order this:", None),
        ("Fall if A Bur stands there", "F"),
        ("Fall otherwise", "F"),
        ("Herbst sonst", "F"),
        ("Fall moves (assuming I get Burgundy):", "FM"),
        ("In 1902:", "1902"),
        ("1902:", "1902"),
        ("1902", "1902"),
        ("When fall comes:", "F"),
        ("Once in fall,", "F"),
        ("Sobald es Herbst ist:", "F"),
    ],
)
def test_a_phase_may_be_named_beside_other_words(line: str, said: str | None) -> None:
    assert phase_hint(line, BOARD) == (said and PhaseHeading(said, in_passing=True))


@pytest.mark.parametrize(
    "line",
    [
        "Next turn:",
        "Next phase",
        "For next turn",
        "Orders for next year:",
        "My plan for the next season:",
        "Next turn, if all goes well",
        "Later:",
        "For later",
        "After that:",
        "Afterwards:",
        "In the following season",
        "Second turn:",
        "Turn 2",
        "N\xe4chste Runde:",
        "Danach:",
        "Prochain tour :",
        "Au tour prochain :",
        "La saison prochaine :",
        "Plus tard :",
        "Spring, then fall:",
        "Fall nineteen-oh-one",
        "Fall 191",
        "Fall 2001",
        "H1901",
        "H01:",
        "1901 II",
        "Phase 2",
        "Year 2",
    ],
)
def test_what_is_for_later_and_not_for_when_names_itself(line: str) -> None:
    assert phase_hint(line, BOARD) == PhaseHeading(line, in_passing=True)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Good luck in fall!",
        "When fall comes, I attack",
        "When fall comes",
        "Once bitten,",
        "When done:",
        "Year 2 of my war",
        "In 1902",
        "2026",
        "II",
        "See you in Fall 1901",
        "See you next season:",
        "After a hard winter, here are my orders:",
        "In the spring of 1901 I was young",
        "Orders (not for Fall 1901):",
        "Thanks for F1901M",
        "Winter is coming",
        "My plan for Fall 1901 is to take Belgium.",
        "Second, please",
        "Fall if you dare!",
        "Winter follows",
        "Spring should be nice",
        "The year after was bad:",
        "If only fall were here",
        "Spring 1901 orders, fall will follow",
        "Spring 1902 - I'm away then.",
        "I am away in autumn",
        "Falls das klappt:",
        "England will fall:",
        "Next turn will be fun",
        "See you next turn",
        "Next, please",
        "next",
        "My next order:",
        "Later, Jean",
        "Later on I will write more:",
        "These are my moves, better later than never:",
        "Next year in Paris",
        "After that you may have Belgium",
        "The winner:",
        "Spring 2026",
        "The fall of France",
        "Hello all, hope you are fine, and that the coming season brings us all luck, my orders:",
        "Next turn A Par-Bur",
        "Next turn " + "x" * LINE_MAX,
    ],
)
def test_prose_with_a_season_in_it_heads_nothing(line: str) -> None:
    assert phase_heading(line, BOARD) is None
    assert phase_hint(line, BOARD) is None


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (
            "Spring: A Par-Bur; Fall: A Bur-Mun; F Bre-Mao",
            (
                LinePart(PhaseHeading("S", "A Par-Bur"), "A Par-Bur"),
                LinePart(PhaseHeading("F", "A Bur-Mun; F Bre-Mao"), "A Bur-Mun; F Bre-Mao"),
            ),
        ),
        (
            "A Par-Bur, F1901M: A Bur-Mun",
            (
                LinePart(None, "A Par-Bur"),
                LinePart(PhaseHeading("F1901M", "A Bur-Mun"), "A Bur-Mun"),
            ),
        ),
        ("Fall - A Par-Gas", (LinePart(PhaseHeading("F", "A Par-Gas"), "A Par-Gas"),)),
        (
            "Next turn: A Par-Gas",
            (LinePart(PhaseHeading("Next turn:", "A Par-Gas", in_passing=True), "A Par-Gas"),),
        ),
        (
            "Next season's moves:",
            (LinePart(PhaseHeading("Next season's moves:", in_passing=True), ""),),
        ),
        ("My next moves:", (LinePart(PhaseHeading("M"), ""),)),
        ("Next fall moves:", (LinePart(PhaseHeading("FM"), ""),)),
        (
            "A Par-Bur (spring), A Bur-Mun (fall)",
            (
                LinePart(PhaseHeading("S"), "A Par-Bur", alone=True),
                LinePart(PhaseHeading("F"), "A Bur-Mun", alone=True),
            ),
        ),
        (
            "A Par-Bur (S1901M) A Bur-Mun (F1901M)",
            (
                LinePart(PhaseHeading("S1901M"), "A Par-Bur", alone=True),
                LinePart(PhaseHeading("F1901M"), "A Bur-Mun", alone=True),
            ),
        ),
        ("F1901M WAIT", (LinePart(PhaseHeading("F1901M", "WAIT"), "WAIT"),)),
        ("F1901M: NOT READY", (LinePart(PhaseHeading("F1901M", "NOT READY"), "NOT READY"),)),
        ("A Par-Gas (F1901M)", (LinePart(PhaseHeading("F1901M"), "A Par-Gas", alone=True),)),
        ("A Par-Gas [Fall 1901]", (LinePart(PhaseHeading("F1901"), "A Par-Gas", alone=True),)),
        ("A Par-Gas, Fall 1901", (LinePart(PhaseHeading("F1901"), "A Par-Gas", alone=True),)),
        ("A Par-Gas in Fall 1901", (LinePart(PhaseHeading("F1901"), "A Par-Gas", alone=True),)),
        ("A Par-Gas in the fall", (LinePart(PhaseHeading("F"), "A Par-Gas", alone=True),)),
        ("A Par-Gas (fall)", (LinePart(PhaseHeading("F"), "A Par-Gas", alone=True),)),
        (
            "A Par-Gas; A Mar-Spa, F01",
            (LinePart(PhaseHeading("F1901"), "A Par-Gas; A Mar-Spa", alone=True),),
        ),
    ],
)
def test_a_line_may_hold_orders_for_several_phases(line: str, parts: tuple[LinePart, ...]) -> None:
    assert line_parts(line, BOARD, COMMANDS) == parts


@pytest.mark.parametrize(
    "line",
    [
        "A Par-Bur",
        "A Par-Bur; A Mar-Spa",
        "A Par H, retreat: Gas",
        "A Par H (or so, retreats: Gas, Pic)",
        "A Par-Bur, and good luck in fall",
        "Good luck, Fall will be hard",
        "He left Boston in Spring 1901",
        "Build A Par, F Bre",
        "I will write of Paris in Fall 1901",
        "A Par-Bur, fall back on Gas",
        "Fall 1901 was good; build well",
        "x" * LINE_MAX + "; Fall: A Par-Gas",
    ],
)
def test_another_line_has_no_parts(line: str) -> None:
    assert line_parts(line, BOARD, COMMANDS) == ()


def test_a_line_has_not_any_number_of_parts() -> None:
    assert len(line_parts("Fall: A Par-Gas; " * (PARTS_MAX + 5), BOARD, COMMANDS)) == PARTS_MAX


def test_a_subject_may_be_no_more_than_next_turn() -> None:
    assert next_in_subject("Next turn!") == ("Next turn",)
    assert not any(map(next_in_subject, ("", "Orders for next turn", "Re: next turn", "Next")))
