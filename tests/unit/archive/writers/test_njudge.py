"""An nJudge history that we write reads back as the same game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats.njudge import history_writer
from judge.archive.records import (
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    RecordedPress,
    Seat,
    Source,
    WrittenOrder,
)
from judge.notation.order_text import read_order
from judge.rules.adjudication import adjudicate
from judge.rules.types import DislodgedUnit, Phase, Position
from tests.support.njudge import read, spring
from tests.unit.archive.recorded_games import unit

BOARD = load_map()
BATTLES = {
    "Army Munich": " HOLD. (*dislodged*)",
    "Army Paris": " -> Munich.",
    "Army Venice": " HOLD. (*dislodged*)",
    "Army Rome": " -> Venice.",
    "Fleet London": " CONVOY Army Liverpool -> Norway.",
}
RETREATS = """\
The next phase of 'lagoon' will be Retreats for Spring of 1901.

Retreat results for Spring of 1901.  (lagoon.002)

Germany:                  Army  Munich -> Tyrolia (*bounce, destroyed*).
Italy:                    Army  Venice -> Tyrolia (*bounce, destroyed*).

The next phase of 'lagoon' will be Movement for Fall of 1901.
"""
ORDERS = {
    "ENGLAND": ("A LVP - YOR", "F LON - NTH", "F EDI H"),
    "GERMANY": ("A MUN - BUR", "A BER - KIE"),
    "FRANCE": ("A PAR - BUR", "A MAR S A PAR - BUR"),
    "RUSSIA": ("F STP/SC - BOT",),
}
FALL = {
    "ENGLAND": ("A YOR - NWY VIA", "F NTH C A YOR - NWY"),
    "FRANCE": ("A BUR - MUN",),
    "GERMANY": ("A MUN - BUR", "F KIE S A MUN"),
}


def game() -> Record:
    """Return a game of two phases, of which no results are told."""
    position, phases = BOARD.start, []
    for orders in (ORDERS, FALL):
        written = [
            WrittenOrder(power, text, read_order(text))
            for power, texts in orders.items()
            for text in texts
        ]
        phases.append(RecordedPhase(position.phase, position, tuple(written)))
        given = {power: [read_order(each) for each in texts] for power, texts in orders.items()}
        position = adjudicate(BOARD, position, given).after
    phases.append(RecordedPhase(position.phase, position))
    return Record(
        name="lagoon",
        source=Source("test", "none", ""),
        numbers={"judge": "SEED:lagoon"},
        seats=(Seat("AUSTRIA", "Anna Alt"),),
        phases=tuple(phases),
        press=(RecordedPress(Phase.parse("F1901M"), "FRANCE", ("GERMANY",), "Pax?\n\nOr not."),),
    )


def again(record: Record) -> Record:
    (found,) = read("".join(history_writer.write_record(record, BOARD)))
    return found


def test_positions_read_back() -> None:
    written, found = game(), again(game())

    assert [each.position for each in found.phases] == [each.position for each in written.phases]


def test_orders_read_back_with_the_results_that_the_law_has() -> None:
    fall = {each.order: each.results for each in again(game()).phases[1].orders}

    assert fall[read_order("A YOR - NTH - NWY")] == ()
    assert fall[read_order("A MUN - BUR")] == ("bounce",)


def test_orders_are_worded_as_njudge_does() -> None:
    lines = "".join(history_writer.write_record(game(), BOARD)).split("\n")

    assert "Russia: Fleet St Petersburg (south coast) -> Gulf of Bothnia." in lines
    assert "England: Army Yorkshire -> North Sea -> Norway." in lines
    assert "Turkey: Army Smyrna, No Order Processed." in lines
    assert "Unowned:   Belgium, Bulgaria, Denmark, Greece, Holland, Portugal, Rumania," in lines
    assert "England:   4 Supply centers,  3 Units:  Builds   1 unit." in lines


@pytest.mark.parametrize(
    ("rulebook", "line"),
    [
        pytest.param("datc,via_without_convoy=land", "Bulgaria.", id="by land"),
        pytest.param("datc", "Bulgaria via convoy. (*void*)", id="not at all"),
    ],
)
def test_an_army_that_finds_no_convoy_goes_by_land_where_its_law_has_it_so(
    rulebook: str, line: str
) -> None:
    via = WrittenOrder("TURKEY", "A CON - BUL VIA", read_order("A CON - BUL VIA"))
    spring = RecordedPhase(BOARD.start.phase, BOARD.start, (via,))

    lines = "".join(
        history_writer.write_record(replace(game(), phases=(spring,), rulebook=rulebook), BOARD)
    )

    assert f"Turkey: Army Constantinople -> {line}\n" in lines


def test_players_press_and_the_end_read_back() -> None:
    ending = Ending(EndKind.DRAW, ("AUSTRIA", "FRANCE"))
    found = again(replace(game(), ending=ending))

    assert [(seat.power, seat.player) for seat in found.seats] == [("AUSTRIA", "Anna Alt")]
    assert [replace(each, line=None) for each in found.press] == list(game().press)
    assert found.ending
    assert (found.ending.kind, found.ending.powers) == (ending.kind, ending.powers)


WINTER = """\
FRANCE A BUR
FRANCE A PAR
GERMANY A MUN
GERMANY F KIE
ITALY A ROM
ITALY F TYS
"""
OWNED = "FRANCE: BRE MAR PAR SPA; GERMANY: BER KIE; ITALY: NAP; RUSSIA: MOS SEV"


def winter(**orders: str) -> RecordedPhase:
    """Return a winter in which France builds two, Russia too, and Italy removes one."""
    owners = {
        center: power
        for power, _, listed in (each.partition(": ") for each in OWNED.split("; "))
        for center in listed.split()
    }
    units = tuple(map(unit, WINTER.splitlines()))
    written = tuple(
        WrittenOrder(power, text, read_order(text))
        for power, texts in orders.items()
        for text in texts.split(", ")
    )
    position = Position(Phase.parse("W1904A"), units, owners)
    return RecordedPhase(position.phase, position, written)


def adjustments(*phases: RecordedPhase) -> list[str]:
    """Return the rows of the first report on adjustments."""
    lines = "".join(
        history_writer.write_record(replace(game(), phases=phases), BOARD)
    ).splitlines()
    start = lines.index("Adjustment results for Winter of 1904.  (lagoon.001)") + 2
    return lines[start : lines.index("", start)]


def test_to_njudge_never_writes_what_did_not_happen_adjustments_are_judged_first() -> None:
    told = winter(
        FRANCE="A PAR B, A MUN B, F BRE B, A MAR B, F MAR B",
        GERMANY="A MUN D",
        ITALY="A ROM D, F TYS D",
    )

    assert adjustments(told) == [
        "France:                   Builds a fleet in Brest.",
        "France:                   Builds an army in Marseilles.",
        "Italy:                    Removes the army in Rome.",
        "Russia:                   2 builds pending.",
    ]


def test_what_the_record_shows_is_what_happened_whatever_the_law_has() -> None:
    before = winter(ITALY="A ROM D")
    assert before.position
    units = tuple(each for each in before.position.units if each.location != "TYS")
    after = replace(before.position, phase=Phase.parse("S1905M"), units=units)

    rows = adjustments(before, RecordedPhase(after.phase, after))

    assert "Italy:                    Defaults, removing the fleet in the Tyrrhenian Sea." in rows
    assert not [row for row in rows if "Removes" in row or "Builds" in row]


def test_it_writes_njudges_own_sentences_for_adjustments() -> None:
    rows = adjustments(winter(FRANCE="WAIVE, F BRE B", RUSSIA="A MOS B, WAIVE"))

    assert rows == [
        "France:                   Builds a fleet in Brest.",
        "Russia:                   Builds an army in Moscow.",
        "France:                   Build waived.",
        "Italy:                    Defaults, removing the fleet in the Tyrrhenian Sea.",
        "Russia:                   Build waived.",
    ]


def test_builds_without_an_open_home_are_unusable() -> None:
    full = winter(ITALY="A ROM D")
    assert full.position
    homes = (unit("FRANCE A MAR"), unit("FRANCE F BRE"))
    owners = {**full.position.owners, "POR": "FRANCE", "BEL": "FRANCE"}
    position = replace(full.position, units=(*full.position.units, *homes), owners=owners)

    rows = adjustments(replace(full, position=position))

    assert "France:                   2 unusable builds waived." in rows


def test_a_retreat_that_failed_is_marked_before_the_full_stop() -> None:
    retreats = Phase.parse("F1904R")
    driven = [
        DislodgedUnit(unit("FRANCE A BEL"), "HOL", attacker_convoyed=False, retreats=("PIC",)),
        DislodgedUnit(unit("ENGLAND F ENG"), "IRI", attacker_convoyed=False, retreats=("PIC",)),
        DislodgedUnit(unit("ITALY A TUS"), "ROM", attacker_convoyed=False, retreats=("PIE",)),
        DislodgedUnit(unit("TURKEY A BUL"), "GRE", attacker_convoyed=False, retreats=("CON",)),
    ]
    position = Position(retreats, (), BOARD.start.owners, tuple(driven))
    orders = [("FRANCE", "A BEL R PIC"), ("ENGLAND", "F ENG R PIC"), ("ITALY", "A TUS R NAP")]
    written = tuple(WrittenOrder(power, text, read_order(text)) for power, text in orders)
    told = replace(game(), phases=(RecordedPhase(retreats, position, written),))

    lines = "".join(history_writer.write_record(told, BOARD)).splitlines()

    start = lines.index("Retreat results for Fall of 1904.  (lagoon.001)") + 2
    assert lines[start : start + 4] == [
        "France:                   Army  Belgium -> Picardy (*bounce, destroyed*).",
        "England:                  Fleet English Channel -> Picardy (*bounce, destroyed*).",
        "Italy:                    Army  Tuscany -> Naples (*blocked, destroyed*).",
        "Turkey:                   Army  Bulgaria, No Order Processed (DISBAND).",
    ]


def test_phases_are_counted_001_002() -> None:
    lines = "".join(history_writer.write_record(game(), BOARD)).splitlines()

    assert [each for each in lines if " results for " in each] == [
        "Movement results for Spring of 1901. (lagoon.001)",
        "Movement results for Fall of 1901. (lagoon.002)",
    ]


@pytest.mark.parametrize(
    ("name", "file", "title"),
    [
        pytest.param("Lagoon", "games/other.txt", "Lagoon", id="named"),
        pytest.param("dogger.txt", "games/dogger.txt", "dogger", id="named after its file"),
        pytest.param("dogger.txt, game 2", "dogger.txt", "doggergame2", id="one of several"),
    ],
)
def test_a_game_is_titled_by_its_name_not_its_file(name: str, file: str, title: str) -> None:
    told = replace(game(), name=name, source=Source("test", file, ""))

    text = "".join(history_writer.write_record(told, BOARD))

    assert text.startswith(f"History information for game '{title}':\n")


def test_a_phase_in_which_nobody_ordered_is_written_if_the_units_held() -> None:
    spring, fall = BOARD.start, replace(BOARD.start, phase=Phase.parse("F1901M"))
    phases = (RecordedPhase(spring.phase, spring), RecordedPhase(fall.phase, fall))

    found = again(replace(game(), phases=phases))

    assert [each.position for each in found.phases] == [spring, fall]


def test_the_game_is_over_in_the_last_results_though_nobody_ordered_then() -> None:
    spring, *_ = game().phases
    _, winter, _ = phases = [
        replace(spring, phase=phase, position=replace(BOARD.start, phase=phase), orders=orders)
        for phase, orders in (
            (Phase.parse("F1902M"), spring.orders[:1]),
            (Phase.parse("W1902A"), ()),
            (Phase.parse("S1903M"), ()),
        )
    ]
    ending = Ending(EndKind.SOLO, ("RUSSIA",), winter.phase)

    text = "".join(
        history_writer.write_record(replace(game(), phases=tuple(phases), ending=ending), BOARD)
    )

    _, _, winter_results = text.partition("Adjustment results for Winter of 1902.")
    assert text.count("The game is over.") == 1
    assert "The game is over." in winter_results
    assert "The next phase" not in winter_results


def test_orders_that_are_unknown_are_not_written_as_missing() -> None:
    played = game().phases
    phases = (replace(played[0], orders=()), *played[1:])

    text = "".join(history_writer.write_record(replace(game(), phases=phases), BOARD))

    assert "Movement results for Spring of 1901." not in text


def test_writing_twice_gives_the_same_text() -> None:
    once = again(game())

    assert "".join(history_writer.write_record(again(once), BOARD)) == "".join(
        history_writer.write_record(once, BOARD)
    )


def test_retreats_are_marked_before_the_full_stop_and_convoys_never_void() -> None:
    (record,) = read(spring(BATTLES, RETREATS))

    text = "".join(history_writer.write_record(record, BOARD))

    assert "Army  Munich -> Tyrolia (*bounce, destroyed*).\n" in text
    assert "Fleet London CONVOY Army Liverpool -> Norway.\n" in text
    (again,) = read(text)
    assert [each.position for each in again.phases] == [each.position for each in record.phases]
