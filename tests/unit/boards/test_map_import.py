"""A `.map` file becomes a variant; unsupported features are named."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from judge.adapters.variant_files import folder_of, load_map, read_folder
from judge.boards.map_import import MapFileError, read_map_file, used_files
from judge.boards.variant_text import check_variant
from judge.boards.variant_writer import write_variant
from judge.rules.board import BuildSites, Map, Terrain
from judge.rules.types import NEUTRAL, Phase

# north of the isthmus is the Bay, south of it the Gulf; the isthmus has a coast on each
ISTHMUS = """\
# An isthmus between two powers
{more}
VICTORY 3
BEGIN SPRING 1850 MOVEMENT

REDS (RED:X) EAS
F EAS
BLUES (Sky+Blue) WES HIL
A WES
{blue}

UNOWNED ISO

Eastern Town = eas east est?
Western Town = wes west
The Hill = hil
Isthmus (north coast) = iso/nc isthmus(nc)
Isthmus = iso isth+mus
Bay = bay
Gulf = gul
Waste = was

COAST EAS ABUTS BAY Gul iso
COAST WES ABUTS BAY GUL HIL iso
LAND HIL ABUTS WES
COAST iso ABUTS BAY EAS GUL WES
COAST ISO/NC ABUTS BAY
COAST ISO/SC ABUTS GUL
WATER BAY ABUTS EAS ISO/NC WES
WATER GUL ABUTS EAS ISO/SC WES
SHUT WAS ABUTS EAS HIL
{last}
"""


def isthmus(more: str = "", blue: str = "", last: str = "") -> str:
    return ISTHMUS.format(more=more, blue=blue, last=last)


def imported(text: str, used: Mapping[str, str | Map] | None = None) -> tuple[Map, list[str]]:
    """Return the board of the folder that is written, which must be sound, and the notes."""
    facts, notes = read_map_file(text, "isthmus", used)
    base = read_folder(folder_of(facts.extends)).texts if facts.extends else None
    board, complaints = check_variant(write_variant(facts), base)
    assert complaints == []
    return board, notes


def test_a_map_file_becomes_a_board() -> None:
    board, notes = imported(isthmus())

    assert notes == []
    assert board.powers == ("REDS", "BLUES")
    assert [each.letter for each in board.nations.values()] == ["X", "B"]
    assert board.nations["BLUES"].adjective == "Sky Blue"
    assert board.homes_of("BLUES") == ("HIL", "WES")
    assert board.centers == ("EAS", "HIL", "ISO", "WES")
    assert sorted(map(str, board.start.units)) == ["A WES", "F EAS"]
    assert board.start.phase == Phase.parse("S1850M")
    assert board.victory_centers == 3
    assert board.build_sites is BuildSites.HOME


def test_small_letters_are_for_armies_and_a_capital_alone_for_fleets() -> None:
    board, _ = imported(isthmus())

    assert board.army["EAS"] == {"ISO"}
    assert board.fleet["EAS"] == {"BAY", "GUL"}
    assert board.army["ISO"] == {"EAS", "WES"}
    assert board.fleet["ISO/NC"] == {"BAY"}
    assert board.coasts_of("ISO") == ("ISO/NC", "ISO/SC")


def test_provinces_have_their_names_and_terrain() -> None:
    board, _ = imported(isthmus())

    assert board.places["EAS"].name == "Eastern Town"
    assert board.places["EAS"].aliases == ("east", "est")
    assert board.places["ISO"].aliases == ("isth mus",)
    assert board.places["WAS"].terrain is Terrain.IMPASSABLE
    assert board.places["HIL"].terrain is Terrain.INLAND


@pytest.mark.parametrize(
    ("last", "note"),
    [
        ("RULE BUILD_ANY NO_TALK", "the rule NO_TALK is left out"),
        ("PARTISAN xyz EVERYWHERE", "this line is left out: PARTISAN xyz EVERYWHERE"),
        ("old -> New Hill = hil", "this line is left out: old -> New Hill = hil"),
        ("A WES HIL", "this line is left out: A WES HIL"),
        ("COAST", "this line is left out: COAST"),
        ("SOMETHING", "SOMETHING is left out: it has neither units nor centers"),
        ("VICTORY 4 3", "VICTORY 4 3 by year: the last counts from the start"),
        ("AMEND HIL ABUTS was\nAMEND EAS ABUTS hil", "EAS abuts HIL for armies one way"),
        ("COAST DRY ABUTS hil\nAMEND HIL ABUTS dry", "DRY, a coast that no fleet can reach"),
        ("FLOW IFYEARDIV:2 SPRING:MOVEMENT", "FLOW is left out: IFYEARDIV"),
        ("FLOW A:M B:M C:M D:M,A", "FLOW is left out: a year has more than 3 seasons"),
        ("FLOW FALL:MOVEMENT SPRING:MOVEMENT,ADJUSTMENTS", "FLOW is left out: the turns"),
    ],
)
def test_unsupported_features_are_named(last: str, note: str) -> None:
    _, notes = imported(isthmus(last=last))

    assert [each[: len(note)] for each in notes] == [note]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (isthmus("VICTORY soon"), "VICTORY is 'soon', no number"),
        (isthmus(last="BEGIN SOON"), "BEGIN is 'SOON', not such as SPRING 1901"),
        ("HOMES EAS", "'HOMES EAS' follows no power"),
        (isthmus(last="UNPLAYED GREENS"), "names GREENS, which is not a power"),
        (isthmus(last="AMEND NEW ABUTS EAS"), "amends what is not there"),
        (isthmus(last="COAST EAS TOUCHES WES"), "has no ABUTS"),
        (isthmus(last="AMEND EAS ABUTS XYZ"), "EAS abuts XYZ, which is nowhere"),
        (isthmus(last="WATER NEW/NC ABUTS BAY"), "NEW has coasts, but no line of its own"),
        ("USE elsewhere", "it starts from 'elsewhere', which is not there"),
        ("REDS EAS\nA EAS", "it has no provinces"),
    ],
)
def test_a_text_that_is_no_board_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(MapFileError, match=complaint):
        imported(text)


def test_files_that_use_each_other_are_refused() -> None:
    with pytest.raises(MapFileError, match="files use each other"):
        read_map_file("USE one", "x", {"one": "USE one.map"})


def test_a_power_has_homes_centers_and_units_of_its_own() -> None:
    more = "HOMES WES\nOWNS WES ISO\nUNITS\nF WES\nA EAS"

    board, _ = imported(isthmus(blue=more, last="UNOWNED\nA ISO\nREDS -EAS EAS HIL\nA HIL"))

    assert board.homes_of("BLUES") == ("WES",)
    assert board.homes_of("REDS") == ("EAS", "HIL")
    assert {each for each, owner in board.start.owners.items() if owner == "BLUES"} == {
        "ISO",
        "WES",
    }
    assert [each.name for each in board.start.units_of("BLUES")] == ["A EAS", "F WES"]
    assert [each.name for each in board.start.units_of("REDS")] == ["A HIL"]
    assert [each.name for each in board.start.units_of(NEUTRAL)] == ["A ISO"]


def test_centers_name_what_a_power_owns_or_what_nobody_owns() -> None:
    board, _ = imported(isthmus(blue="CENTERS WES"))

    assert "HIL" not in board.start.owners
    assert board.homes_of("BLUES") == ("HIL", "WES")
    assert board.centers == ("EAS", "HIL", "ISO", "WES")


@pytest.mark.parametrize(
    "dummies", ["DUMMY GREENS", "DUMMIES ALL EXCEPT REDS, BLUES", "GREENS\nDUMMY"]
)
def test_a_dummy_is_in_civil_disorder(dummies: str) -> None:
    board, _ = imported(isthmus(last=f"GREENS ISO\nA ISO\n{dummies}"))

    assert board.without_players == {"GREENS"}
    assert len(board.players) == 2


@pytest.mark.parametrize(
    "unplayed", ["UNPLAYED GREENS", "UNPLAYED ALL EXCEPT REDS BLUES", "UNPLAYED"]
)
def test_a_power_that_is_not_played_leaves_its_centers(unplayed: str) -> None:
    board, _ = imported(isthmus(last=f"GREENS ISO\nA ISO\n{unplayed}"))

    assert board.powers == ("REDS", "BLUES")
    assert "ISO" in board.centers


def test_powers_of_one_initial_have_letters_of_their_own() -> None:
    board, _ = imported(isthmus(last="BRICKS ISO\nA ISO"))

    assert {each.letter for each in board.nations.values()} == {"X", "B", "R"}


def test_more_powers_than_letters_have_two() -> None:
    powers = "\n".join(f"{first}{second}X ISO" for first in "ABCDEF" for second in "ABCDEFG")

    facts, _ = read_map_file(isthmus(last=powers), "isthmus")

    letters = [each.letter for each in facts.powers]
    assert len({*letters}) == len(letters) == 44
    assert any(len(letter) == 2 for letter in letters)


def test_provinces_are_amended_and_dropped() -> None:
    last = "AMEND EAS ABUTS -GUL\nCOAST ISO ABUTS BAY EAS WES\nAMEND WES ABUTS -iso ISO\nDROP GUL"
    last += "\nAMEND EAS ABUTS -iso ISO\nAMEND BAY ABUTS ISO"

    board, _ = imported(isthmus(last=last))

    assert "GUL" not in board.places
    assert board.coasts_of("ISO") == ()
    assert board.fleet["ISO"] == {"BAY", "EAS", "WES"}


def test_a_province_of_one_coast_may_get_several() -> None:
    last = "COAST wes ABUTS HIL iso\nCOAST WES/NC ABUTS BAY\nCOAST WES/SC ABUTS GUL"
    last += "\nAMEND BAY ABUTS -WES WES/NC\nAMEND GUL ABUTS -WES WES/SC"

    board, notes = imported(isthmus(last=last))

    assert notes == []
    assert board.coasts_of("WES") == ("WES/NC", "WES/SC")
    assert board.army["WES"] == {"HIL", "ISO"}


def test_an_amended_province_keeps_its_terrain_and_neighbors() -> None:
    last = "AMEND ISO\nAMEND EAS ABUTS -iso ISO\nAMEND WES ABUTS -iso ISO"
    last += "\nAMEND BAY ABUTS -ISO ISO\nAMEND GUL ABUTS -ISO ISO"

    board, _ = imported(isthmus(last=last))

    assert board.coasts_of("ISO") == ()
    assert board.fleet["ISO"] == {"BAY", "EAS", "GUL", "WES"}


def test_a_file_may_start_from_several_others() -> None:
    parts = {"powers": isthmus().partition("Eastern Town")[0], "land": isthmus()}

    board, notes = imported("USES powers land", {**parts, "land": parts["land"]})

    assert notes == []
    assert board.powers == ("REDS", "BLUES")


def test_a_start_with_builds_is_kept() -> None:
    facts, _ = read_map_file("USE chaos", "isthmus", {"chaos": load_map("chaos")})

    assert facts.start == "W1900A"


def test_a_fleet_convoys_from_a_port() -> None:
    board, _ = imported(isthmus(last="PORT EAS ABUTS BAY Gul iso"))

    assert board.places["EAS"].convoys


@pytest.mark.parametrize(
    ("flow", "begin", "phases"),
    [
        (
            "SPRING:MOVEMENT,RETREATS FALL:MOVEMENT,RETREATS WINTER:ADJUSTMENTS",
            "SPRING 1850 MOVEMENT",
            "S1850M S1850R F1850M F1850R W1850A S1851M",
        ),
        (
            "NEWYEAR:5 MARCH:MOVEMENT,RETREATS NEWYEAR:5 MARCH:MOVEMENT,RETREATS,ADJUSTMENTS",
            "MARCH 1850 MOVEMENT",
            "S1850M S1850R S1855M S1855R W1855A S1860M",
        ),
        (
            "NEWYEAR DRY:MOVEMENT MONSOON:MOVEMENT WINTER:ADJUSTMENTS",
            "MONSOON 1850 MOVEMENT",
            "F1850M F1850R W1850A S1851M",
        ),
        (
            "NEWYEAR SPRING MOVEMENT WINTER ADJUSTMENTS",
            "SPRING 9 MOVEMENT",
            "S0009M S0009R W0009A",
        ),
        ("", "WINTER 1849 ADJUSTMENTS", "W1849A S1850M"),
    ],
)
def test_the_flow_is_the_calendar(flow: str, begin: str, phases: str) -> None:
    board, notes = imported(isthmus(last=f"BEGIN {begin}\n" + (f"FLOW {flow}" if flow else "")))
    phase, found = board.start.phase, list[str]()
    while len(found) < len(phases.split()):
        found.append(phase.code)
        phase = board.calendar.following(phase)

    assert notes == []
    assert " ".join(found) == phases


def test_a_season_keeps_its_name() -> None:
    board, _ = imported(isthmus(last="FLOW SPRING:MOVEMENT MONSOON:MOVEMENT WINTER:ADJUSTMENTS"))

    assert [*board.calendar.names.values()] == ["Monsoon"]


DUEL = "MAP standard.map\nUNPLAYED ENGLAND, GERMANY, ITALY, RUSSIA, TURKEY"


def test_a_file_that_starts_from_a_board_of_ours_extends_it() -> None:
    standard = load_map()

    board, notes = imported(DUEL, {"standard": standard})

    assert used_files(DUEL) == ("standard",)
    assert notes == []
    assert board.powers == ("AUSTRIA", "FRANCE")
    assert board.army == standard.army
    assert board.tongues.keys() == standard.tongues.keys()
    assert board.centers == standard.centers


def test_other_starts_on_a_board_of_ours_have_powers_of_their_own() -> None:
    text = f"{DUEL}\nFRANCE (FRENCH) MUN\nA MUN\nDROP NOWHERE\nUNOWNED RUH"

    facts, _ = read_map_file(
        text.replace("DROP NOWHERE\n", ""), "isthmus", {"standard": load_map()}
    )
    board, _ = imported(text.replace("DROP NOWHERE\n", ""), {"standard": load_map()})

    assert facts.extends == "standard"
    assert facts.centers_added == ("RUH",)
    assert board.homes_of("FRANCE") == ("BRE", "MAR", "MUN", "PAR")


@pytest.mark.parametrize("name", ["standard", "ancient-med", "north-sea-wars", "hundred"])
def test_a_board_that_is_changed_is_written_whole(name: str) -> None:
    base = load_map(name)
    center = base.centers[0]

    board, _ = imported(f"USE {name}\nLAND NEW ABUTS\nDROP NEW", {name: base})

    assert board.army == base.army
    assert {key: board.fleet[key] for key in base.fleet} == base.fleet
    assert board.start.units == base.start.units
    assert board.centers == base.centers
    assert board.calendar == base.calendar
    assert board.places[center].name == base.places[center].name
