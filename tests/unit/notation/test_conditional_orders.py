"""Orders for later phases: conditions, blocks, and alternatives."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map, variants
from judge.app.commands.order_lines import read_for_phase
from judge.notation.conditional_orders import (
    Both,
    Condition,
    Either,
    Not,
    Owns,
    ReadConditionalOrder,
    Stands,
    read_condition,
    read_plan,
    write_conditional_order,
)
from judge.notation.conditional_orders import write_condition as write
from judge.notation.readings import NotUnderstood, WhyNotUnderstood
from judge.notation.terms import names_of, tokenize
from judge.rules.board import Terrain
from judge.rules.types import PhaseKind, UnitKind, UnitName, Waive

BOARD = load_map()
MOVES = PhaseKind.MOVEMENT
read_orders = partial(read_for_phase, apart=True)
OWNABLE = {Terrain.INLAND, Terrain.COAST}


def kept(text: str, kind: PhaseKind = PhaseKind.MOVEMENT) -> list[str]:
    """Return what is kept of *text*, and `?` for what is not understood."""
    readings = read_plan(text, BOARD, kind, read_orders)
    return [
        write_conditional_order(each.wish) if isinstance(each, ReadConditionalOrder) else "?"
        for each in readings
    ]


BLOCKS = {
    "A Par H": ["A PAR H"],
    "IF A Mun THEN A Par H": ["IF A MUN THEN A PAR H"],
    "if a mun, a par h": ["IF A MUN THEN A PAR H"],
    "IF A Mun: A Par H; A Mar H": ["IF A MUN THEN A PAR H", "IF A MUN THEN A MAR H"],
    "IF A Mun\nA Par H\nENDIF\nA Mar H": ["IF A MUN THEN A PAR H", "A MAR H"],
    "IF A Mun THEN\nA Par H\n\nA Mar H": ["IF A MUN THEN A PAR H", "A MAR H"],
    "IF A Mun\nA Par H\n\nA Mar H\nEND IF": ["IF A MUN THEN A PAR H", "IF A MUN THEN A MAR H"],
    "IF A Mun\nA Par H\nELSE\nA Par S Xyzzy\nENDIF\nA Mar H": ["?", "?", "A MAR H"],
    "IF A Mun\nA Par H\nA Xyzzy\nEND IF\nA Mar H": ["?", "?", "A MAR H"],
    "IF A Mun\nA Par H\nas we said\nEND IF": ["IF A MUN THEN A PAR H"],
    "IF A Mun THEN A Par H\nA Mar H": ["IF A MUN THEN A PAR H", "A MAR H"],
    "IF A Mun THEN A Par H\nELSE A Par-Bur\nA Mar H": [
        "IF A MUN THEN A PAR H",
        "IF NOT A MUN THEN A PAR - BUR",
        "A MAR H",
    ],
    "IF A Mun\nA Par H\nELSE IF F Nth\nA Par-Bur\nELSE\nA Par-Pic\nENDIF": [
        "IF A MUN THEN A PAR H",
        "IF NOT A MUN AND F NTH THEN A PAR - BUR",
        "IF NOT A MUN AND NOT F NTH THEN A PAR - PIC",
    ],
    "IF A Mun\nIF F Nth THEN A Par H\nELSE A Par-Bur\nENDIF": [
        "IF A MUN AND F NTH THEN A PAR H",
        "IF A MUN AND NOT F NTH THEN A PAR - BUR",
    ],
    "IF A Mun THEN A Par H ELSE A Par-Bur\nA Mar H": [
        "IF A MUN THEN A PAR H",
        "IF NOT A MUN THEN A PAR - BUR",
        "A MAR H",
    ],
    "If A Mun then A Par H; else if F Nth then A Par-Bur, else A Par-Pic": [
        "IF A MUN THEN A PAR H",
        "IF NOT A MUN AND F NTH THEN A PAR - BUR",
        "IF NOT A MUN AND NOT F NTH THEN A PAR - PIC",
    ],
    "IF NOT A Mun THEN A Par H ELSE A Par-Bur": [
        "IF NOT A MUN THEN A PAR H",
        "IF A MUN THEN A PAR - BUR",
    ],
    "A Par H else A Mar H": ["?", "?"],
    "ENDIF\nA Par H": ["A PAR H"],
    "IF it rains\nA Par H\nENDIF\nA Mar H": ["?", "?", "A MAR H"],
    "IF it rains THEN A Par H\nA Mar H": ["?", "A MAR H"],
    "IF it rains\nA Par H\nELSE\nA Par-Bur\nENDIF": ["?", "?", "?"],
    "ELSE A Par H\nA Mar H": ["?", "A MAR H"],
    "IF A Mun THEN A Par H unless you object": ["?"],
    "IF A Mun THEN A Parris H": ["?"],
}


@pytest.mark.parametrize(("text", "lines"), BLOCKS.items(), ids=list(BLOCKS))
def test_an_order_hangs_on_the_block_that_it_stands_in(text: str, lines: list[str]) -> None:
    assert kept(text) == lines


def test_blocks_do_not_go_deeper_than_anybody_needs() -> None:
    deep = "\n".join(["IF A Mun"] * 9 + ["A Par H"] + ["ENDIF"] * 9)

    assert kept(deep) == ["?"]


def test_a_block_has_no_more_branches_than_anybody_needs() -> None:
    wide = "\n".join(["IF A Mun", *["ELSE IF F Nth"] * 25, "A Par H", "ENDIF"])

    assert "A PAR H" not in kept(wide)


def test_two_statements_in_a_line_keep_its_number() -> None:
    text = "A Mar H\nIF A Mun THEN A Par H ELSE A Par-Bur\nF Bre H"

    readings = read_plan(text, BOARD, MOVES, read_orders)

    assert [each.line for each in readings] == [1, 2, 2, 3]


CONDITIONS = {
    "A Mun": Stands(UnitName(UnitKind.ARMY, "MUN")),
    "Mun": Stands(UnitName(None, "MUN")),
    "Ger A Mun": Stands(UnitName(UnitKind.ARMY, "MUN", "GERMANY")),
    "Eng A Lon": Stands(UnitName(UnitKind.ARMY, "LON", "ENGLAND")),
    "French army in Munich": Stands(UnitName(UnitKind.ARMY, "MUN", "FRANCE")),
    "ger mun": Stands(UnitName(None, "MUN", "GERMANY")),
    "fr Eng": Stands(UnitName(None, "ENG", "FRANCE")),
    "F Spa(nc)": Stands(UnitName(UnitKind.FLEET, "SPA/NC")),
    "F Tyr": Stands(UnitName(UnitKind.FLEET, "TYS")),
    "(French) A Bur": Stands(UnitName(UnitKind.ARMY, "BUR", "FRANCE")),
    "I own Bel": Owns("BEL"),
    "owns Bel": Owns("BEL"),
    "France owns Belgium": Owns("BEL", "FRANCE"),
    "NOT NOT Mun": Not(Not(Stands(UnitName(None, "MUN")))),
    "Mun AND Ber OR Kie": Either(
        Both(Stands(UnitName(None, "MUN")), Stands(UnitName(None, "BER"))),
        Stands(UnitName(None, "KIE")),
    ),
    "Mun AND (Ber OR Kie)": Both(
        Stands(UnitName(None, "MUN")),
        Either(Stands(UnitName(None, "BER")), Stands(UnitName(None, "KIE"))),
    ),
}


@pytest.mark.parametrize(("text", "condition"), CONDITIONS.items(), ids=list(CONDITIONS))
def test_a_condition_is_read_from_left_to_right(text: str, condition: Condition) -> None:
    assert read(text) == condition


@pytest.mark.parametrize("variant", variants())
def test_the_owner_of_each_province_of_each_board_may_be_a_condition(variant: str) -> None:
    board = load_map(variant)
    names = names_of(board)
    land = [each for each in board.places.items() if each[1].terrain in OWNABLE]

    unread = {
        name: found
        for code, place in land
        for name in (code, place.name)
        if (found := read_condition(tokenize(f"owns {name}"), board, names)) != Owns(code)
    }

    assert unread == {}


NONE = ["", "it rains", "A Nor", "(A Mun", "A Mun AND", "A Mun OR it rains", "NOT", "France owns"]


@pytest.mark.parametrize("text", [*NONE, "A Mun AND " * 40 + "A Ber"])
def test_a_sentence_without_a_condition_has_none(text: str) -> None:
    assert read(text) is None


PLACES = st.sampled_from(sorted(BOARD.places))
POWERS = st.none() | st.sampled_from(BOARD.powers)
NAMES = st.builds(UnitName, st.none() | st.sampled_from(UnitKind), PLACES, POWERS)
CONDITION = st.recursive(
    st.builds(Stands, NAMES) | st.builds(Owns, PLACES, POWERS),
    lambda some: (
        st.builds(Not, some) | st.builds(Both, some, some) | st.builds(Either, some, some)
    ),
    max_leaves=6,
)


@settings(max_examples=50)
@example(Not(Not(Stands(UnitName(None, "MUN")))))
@example(Both(Either(Owns("BEL", None), Owns("PAR", "FRANCE")), Not(Owns("BEL", "ITALY"))))
@example(Either(Owns("STP", None), Both(Owns("STP", None), Owns("STP", None))))
@example(Stands(UnitName(UnitKind.FLEET, "TYS", "ITALY")))
@given(CONDITION)
def test_a_written_condition_is_read_back(condition: Condition) -> None:
    assert read(write(condition)) == condition


LISTS = {
    "A Mun R Ber, Kie, OTB": ["A MUN R BER, A MUN R KIE, A MUN D"],
    "A Mun - Ber or Kie": ["A MUN R BER, A MUN R KIE"],
    "A Mun retreat: Ber; disband": ["A MUN R BER, A MUN D"],
    "A MUN R BER, A MUN R KIE": ["A MUN R BER, A MUN R KIE"],
    "A Mun R Ber, F Nth R Nwg": ["A MUN R BER", "F NTH R NWG"],
    "A Mun R Ber, thanks": ["A MUN R BER"],
    "A Mun R Ber\nKie": ["A MUN R BER"],
    "F Mao R Spa(sc), Spa(nc)": ["F MAO R SPA/SC, F MAO R SPA/NC"],
    "A Mun R Ber, A Liv H": ["A MUN R BER", "?"],
}


@pytest.mark.parametrize(("text", "lines"), LISTS.items(), ids=list(LISTS))
def test_where_a_unit_retreats_to_is_a_list(text: str, lines: list[str]) -> None:
    assert kept(text, PhaseKind.RETREATS) == lines


@pytest.mark.parametrize(("text", "times"), [("waive 2", 2), ("I waive", 1), ("no builds", 1)])
def test_builds_are_waived_as_often_as_is_known_before(text: str, times: int) -> None:
    planned = read_plan(text, BOARD, PhaseKind.ADJUSTMENTS, read_orders)

    assert [each.wish.orders for each in planned if isinstance(each, ReadConditionalOrder)] == [
        (Waive(),)
    ] * times


def test_builds_and_removals_stand_in_one_list() -> None:
    text = "Build F Bre or A Par\nRemove A Mun, A Bur\nwaive"

    assert kept(text, PhaseKind.ADJUSTMENTS) == [
        *("F BRE B", "A PAR B", "A MUN D", "A BUR D"),
        "WAIVE",
    ]


INSTEAD = {
    "Build F Bre if vacant otherwise A Par": ["F BRE B, A PAR B"],
    "Build F Bre if it is free, else waive; Build A Mar": ["F BRE B, WAIVE", "A MAR B"],
    "Build F Bre, if not A Par": ["F BRE B, A PAR B"],
    "Remove A Mun else A Ber, A Kie": ["A MUN D, A BER D", "A KIE D"],
    "Build F Bre otherwise thanks": ["F BRE B"],
}


@pytest.mark.parametrize(("text", "lines"), INSTEAD.items(), ids=list(INSTEAD))
def test_one_of_two_builds_may_be_wanted(text: str, lines: list[str]) -> None:
    assert kept(text, PhaseKind.ADJUSTMENTS) == lines


def test_an_order_below_an_unread_condition_is_doubtful() -> None:
    readings = read_plan("IF it rains\nA Par H\nENDIF", BOARD, MOVES, read_orders)

    assert [each.why for each in readings if isinstance(each, NotUnderstood)] == [
        *(WhyNotUnderstood.DOUBTFUL, WhyNotUnderstood.DOUBTFUL)
    ]


def read(text: str) -> Condition | None:
    return read_condition(tokenize(text), BOARD, names_of(BOARD))
