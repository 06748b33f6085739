"""Text of DPjudge: results with their notes, status files, summaries."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from judge.archive.formats.dpjudge import FORMAT
from judge.archive.formats.droidippy import FORMAT as DROIDIPPY
from judge.archive.formats.njudge.readers import NJUDGE
from judge.archive.reading import Doubts, Reading, UnreadableError, recognized_formats
from judge.archive.records import Ending, EndKind, Record, RecordedPhase, SeatKind
from judge.archive.tally import index_by_survivors
from judge.rules.types import Phase, Position
from tests.unit.archive.reading import BOARD, game_in, games_in, orders_of, units_of

FALL = """\
From dpjudge@example.org Sat Nov 21 02:17:00 2026
Subject: Diplomacy results skat F1903M

:: Judge: TEST  Game: skat  Variant: standard
:: Deadline: F1903M Fri 27 Nov 2026 02:00 GMT
:: URL: http://localhost/dp?game=skat

Movement results for Fall of 1903.  (skat.F1903M)

England: Fleet Norway -> St Petersburg (north coast).
England: Fleet Barents Sea SUPPORT Fleet Norway -> St Petersburg (north
coast).
England: Army Wales -> English Channel -> Brest.  (*bounce*)
England: Fleet English Channel CONVOY Army Wales -> Brest.

France: Army Brest HOLD.

Russia: Fleet St Petersburg (south coast) SUPPORT German Army Livonia.
(*void, dislodged*)


The following units were dislodged:

The Russian fleet in St Petersburg (south coast) can retreat to Finland or
Gulf of Bothnia or Livonia.

The next phase of 'skat' will be Retreats for Fall of 1903.
The deadline for orders will be Friday 27 November 2026 02:00 GMT.

"""
IN_A_MBOX = """\
From dpjudge@example.org Sat Nov 21 02:17:00 2026
Subject: TEST:skat - F1903R Results

Retreat orders for Fall of 1903.  (skat.F1903R)

Russia:     Fleet St Petersburg (south coast) -> Finland.

The next phase of 'skat' will be Adjustments for Winter of 1903.

"""
AUTUMN = """\
From dpjudge@example.org Sat Nov 21 02:18:00 2026
Subject: Diplomacy results skat F1903R

:: Judge: TEST  Game: skat  Variant: standard
:: Deadline: F1903R Fri 27 Nov 2026 02:00 GMT

Retreat orders for Fall of 1903.  (skat.F1903R)

Russia:     Fleet St Petersburg (south coast) -> Finland.

Ownership of supply centers:

England:    Edinburgh, Liverpool, London, Norway, St Petersburg, Holland,
            Denmark.
France:     Brest.
Russia:     Moscow.
Unowned:    Belgium, Sweden.

England:     7 Supply centers,  4 Units:  Builds   3 units.
France:      1 Supply center,   1 Unit:   Builds   0 units.
Russia:      1 Supply center,   1 Unit:   Builds   0 units.

The next phase of 'skat' will be Adjustments for Winter of 1903.
The deadline for orders will be Friday 27 November 2026 02:00 GMT.
"""
WINTER = """\
:: Judge: TEST  Game: skat  Variant: standard
:: Deadline: F1903B Fri 27 Nov 2026 02:00 GMT

Adjustment orders for Winter of 1903.  (skat.W1903A)

England:    Builds a fleet in Edinburgh.
England:    2 unused builds pending.

The next phase of 'skat' will be Movement for Spring of 1904.
"""
STATUS = """\
GAME skat
PHASE FALL 1903 MOVEMENT
MAP standard
MASTER #1|gm@example.org|Grace M
PASSWORD sesame
RULE NO_PRESS
RULE POWER_CHOICE

ENGLAND
PLAYER #7|ann@example.org|Ann E
PASSWORD swordfish
INHABITS EDI LON LVP
OWNS EDI LON LVP NWY
F NWY
A WAL
F NWY - STP/NC
A WAL H

FRANCE
PLAYER DUMMY
OWNS BRE
A BRE
"""
SUMMARY = """\
Summary of game skat through F1903R.

  Master:         Grace M                gm@example.org
  England:        Ann E                  ann@example.org
  France:                                someone@somewhere
       from S1902M: Bob F                bob@example.org

The parameters for 'skat' are as follows:
  Variant:  Standard, Gunboat.

The game was declared a draw between England and France.

Historical Supply Center Summary
--------------------------------
     Ank Ber Bud
Year  Bel Bre
1901 T E . F A
1902 T E E F A
"""
PRESS = """\
:: S1901M FRANCE ENGLAND RUSSIA | (ANON) ENGLAND RUSSIA
Somebody proposes peace.

Write to fran@example.org.

:: F1901M ENGLAND FRANCE
Agreed :: but not in
:: Burgundy.
"""


def test_a_results_file_becomes_phases_that_follow_from_each_other() -> None:
    game = game_in(FORMAT, FALL + AUTUMN + WINTER)

    fall, autumn, winter, spring = game.phases
    assert game.name == "skat"
    assert [each.phase.code for each in game.phases] == ["F1903M", "F1903R", "W1903A", "S1904M"]
    assert orders_of(fall)[:3] == [
        "ENGLAND F NWY - STP/NC",
        "ENGLAND F BAR S F NWY - STP/NC",
        "ENGLAND A WAL - ENG - BRE",
    ]
    assert [each.results for each in fall.orders] == [
        (),
        (),
        ("bounce",),
        (),
        (),
        ("void", "dislodged"),
    ]
    assert "RUSSIA *F STP/SC" in units_of(autumn)
    assert winter.notes == ("England: 2 unused builds pending.",)
    assert "ENGLAND F EDI" in units_of(spring)
    assert "RUSSIA F FIN" in units_of(spring)


def test_retreats_owners_and_deadlines_are_those_that_the_judge_printed() -> None:
    fall, autumn, winter, _ = game_in(FORMAT, FALL + AUTUMN + WINTER).phases

    assert fall.deadline
    assert fall.deadline.isoformat() == "2026-11-27T02:00:00+00:00"
    assert autumn.position
    assert set(autumn.position.dislodged[0].retreats) == {"BOT", "FIN", "LVN"}
    assert winter.position
    assert winter.position.centers_of("ENGLAND") == (
        *("DEN", "EDI", "HOL", "LON", "LVP"),
        *("NWY", "STP"),
    )


def test_a_history_without_header_lines_reads_the_same() -> None:
    bare = "\n".join(line for line in (FALL + AUTUMN).splitlines() if not line.startswith("::"))

    told = game_in(FORMAT, bare)

    assert [each.position for each in told.phases] == [
        each.position for each in game_in(FORMAT, FALL + AUTUMN).phases
    ]


def test_a_dry_run_is_no_result() -> None:
    dry = FALL.replace("Subject: ", "Subject: PREVIEW ").replace("  (*bounce*)", "")

    (fall, *_) = game_in(FORMAT, dry + FALL).phases

    assert fall.edition == 1
    assert fall.orders[2].results == ("bounce",)


def test_emails_are_decoded() -> None:
    encoded = FALL.replace("\n\n::", "\nContent-Transfer-Encoding: quoted-printable\n\n::", 1)
    encoded = encoded.replace("SUPPORT Fleet", "SUPPORT=20Fle=\net")

    assert orders_of(game_in(FORMAT, encoded).phases[0])[1] == "ENGLAND F BAR S F NWY - STP/NC"


def test_each_game_of_a_file_is_a_record() -> None:
    names = [game.name for game in games_in(FORMAT, FALL + FALL.replace("skat", "whist"))]

    assert names == ["skat", "whist"]


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        pytest.param("HOLD.", "HODL.", 16, "not understood as an order", id="no-order"),
        pytest.param("(*bounce*)", "(*bonce*)", 13, "unknown result 'bonce'", id="no-result"),
        pytest.param(
            "to Finland", "to Frankland", 24, "not a place for this unit", id="no-retreat"
        ),
        pytest.param(
            "Russia: Fleet St Petersburg (south coast)",
            "Russia: Fleet Norway",
            18,
            "a second line for this province",
            id="two-units-in-a-province",
        ),
    ],
)
def test_a_line_not_understood_stops_a_strict_reading(
    old: str, new: str, line: int, why: str
) -> None:
    with pytest.raises(UnreadableError) as unreadable:
        games_in(FORMAT, FALL.replace(old, new))

    assert unreadable.value.line == line
    assert why in unreadable.value.why


def test_a_truncated_file_is_told_from_a_whole_one() -> None:
    cut = FALL[: FALL.index("The next phase")]

    with pytest.raises(UnreadableError, match="breaks off"):
        games_in(FORMAT, cut)


@pytest.mark.parametrize("text", [FALL, STATUS], ids=["results", "status"])
def test_bytes_are_no_text(text: str) -> None:
    with pytest.raises(UnreadableError, match="binary data") as unreadable:
        games_in(FORMAT, f"{text}\0\0\n")

    assert unreadable.value.line


def test_a_copy_of_the_status_has_position_orders_and_players() -> None:
    game = game_in(FORMAT, STATUS)

    (phase,) = game.phases
    assert phase.phase.code == "F1903M"
    assert units_of(phase) == ["ENGLAND F NWY", "ENGLAND A WAL", "FRANCE A BRE"]
    assert orders_of(phase) == ["ENGLAND F NWY - STP/NC", "ENGLAND A WAL H"]
    assert not phase.results_told
    assert phase.position
    assert phase.position.owners["NWY"] == "ENGLAND"
    assert game.gamemaster == "Grace M"
    assert [(seat.power, seat.player, seat.hold) for seat in game.seats] == [
        ("ENGLAND", "Ann E", SeatKind.PLAYER),
        ("FRANCE", None, SeatKind.CIVIL_DISORDER),
    ]


def test_copies_of_one_game_are_its_phases() -> None:
    later = STATUS.replace("FALL 1903 MOVEMENT", "FALL 1903 RETREATS")
    later = later.replace("F NWY - STP/NC\nA WAL H", "A BEL --> HOL, RUH\nA BEL R HOL")

    game = game_in(FORMAT, STATUS + later)

    assert [each.phase.code for each in game.phases] == ["F1903M", "F1903R"]
    assert "ENGLAND *A BEL" in units_of(game.phases[1])
    assert orders_of(game.phases[1]) == ["ENGLAND A BEL R HOL"]


def test_the_result_of_a_status_is_its_end() -> None:
    over = STATUS.replace(
        "PHASE FALL 1903 MOVEMENT", "PHASE COMPLETED\nRESULT W1905A ENGLAND FRANCE"
    )

    assert game_in(FORMAT, STATUS + over).ending == Ending(
        EndKind.DRAW,
        ("ENGLAND", "FRANCE"),
        Phase.parse("W1905A"),
        "W1905A ENGLAND FRANCE",
    )


@pytest.mark.parametrize("secret", ["sesame", "swordfish", "@example.org"])
@pytest.mark.parametrize("text", [FALL, STATUS, SUMMARY], ids=["results", "status", "summary"])
def test_no_password_and_no_address_gets_into_a_record(text: str, secret: str) -> None:
    assert secret not in repr(game_in(FORMAT, text))


def test_addresses_are_kept_where_they_are_asked_for() -> None:
    reading = Reading(BOARD, "status", "0", Doubts("status"), keep_addresses=True)

    (game,) = FORMAT.read(reading, STATUS.splitlines())

    assert game.seats[0].address == "ann@example.org"


def test_a_summary_tells_players_charts_and_the_end() -> None:
    game = game_in(FORMAT, SUMMARY)

    assert game.gamemaster == "Grace M"
    assert (game.seats[0].power, game.seats[0].player) == ("ENGLAND", "Ann E")
    assert game.ending
    assert (game.ending.kind, game.ending.powers) == (EndKind.DRAW, ("ENGLAND", "FRANCE"))
    assert [chart.year for chart in game.charts] == [1901, 1902]
    assert game.charts[1].owners == {
        "ANK": "TURKEY",
        "BEL": "ENGLAND",
        "BER": "ENGLAND",
        "BRE": "FRANCE",
        "BUD": "AUSTRIA",
    }


@pytest.fixture
def samples() -> Path:
    """Return the folder of other judges' files."""
    folder = os.environ.get("JUDGE_SAMPLES")
    if not folder:
        pytest.skip("JUDGE_SAMPLES names no folder")
    return Path(folder)


def _sample(path: Path) -> Record:
    text = path.read_text(encoding="utf-8")
    form = next(each for each in (FORMAT, NJUDGE, DROIDIPPY) if each.recognizes(text))
    digest = sha256(text.encode()).hexdigest()
    reading = Reading(BOARD, path.name, digest, Doubts(path.name))
    (record,) = form.read(reading, text.splitlines())
    return record


def _board(phase: RecordedPhase) -> object:
    """Return what all forms of a game tell of the board before *phase*."""
    position = phase.position
    assert isinstance(position, Position)
    waiting = {(each.unit, frozenset(each.retreats)) for each in position.dislodged}
    return phase.phase, position.units, dict(position.owners), waiting


@pytest.mark.parametrize("other", ["njudge_somme_history.txt", "droidippy_game_10713.txt"])
def test_game_10713_is_the_same_whoever_wrote_it_down(samples: Path, other: str) -> None:
    ours, theirs = _sample(samples / "dpjudge_lepanto_results.txt"), _sample(samples / other)

    played = min(len(ours.phases), len(theirs.phases))
    assert played >= 43
    assert [_board(each) for each in ours.phases[:played]] == [
        _board(each) for each in theirs.phases[:played]
    ]


def test_the_index_that_the_judge_printed_is_that_of_its_charts(samples: Path) -> None:
    game = _sample(samples / "dpjudge_lepanto_summary.txt")

    found = [index_by_survivors(chart.counts) for chart in game.charts]
    assert found == [22, 24, 26, 39, 37, 40, 42, 59, 61, 142, 156]


def test_press_files_tell_what_their_readers_were_told() -> None:
    game = game_in(FORMAT, PRESS)

    anonymous, agreed = game.press
    assert (anonymous.phase, anonymous.sender) == (Phase.parse("S1901M"), None)
    assert anonymous.readers == ("ENGLAND", "RUSSIA")
    assert anonymous.text == "Somebody proposes peace.\n\nWrite to [address]."
    assert (agreed.sender, agreed.readers, agreed.line) == ("ENGLAND", ("FRANCE",), 6)
    assert agreed.text == "Agreed :: but not in\n:: Burgundy."


def test_bytes_among_press_are_an_error_with_their_line() -> None:
    with pytest.raises(UnreadableError, match="binary data") as unreadable:
        games_in(FORMAT, f"{PRESS}\0")

    assert unreadable.value.line == 9


def test_press_about_orders_and_results_is_still_press() -> None:
    quoting = f"{PRESS}A Par-Bur\nA Mar-Spa\nF Bre-MAO\n\nMovement results for Spring of 1901.\n"

    assert [each.name for each in recognized_formats(quoting)] == ["dpjudge"]


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        pytest.param("MAP standard", "MAP loeb9", 3, "the map loeb9 is not supported", id="map"),
        pytest.param("FALL 1903 MOVEMENT", "MAY 1903", 2, "not a phase", id="phase"),
        pytest.param("OWNS BRE", "OWNS BRE BUR", 21, "not a supply center: BUR", id="no center"),
        pytest.param("OWNS BRE", "OWNS EDI", 21, "already owned by ENGLAND", id="owned twice"),
        pytest.param("F NWY\n", "F MOS\n", 14, "this unit cannot be there", id="fleet ashore"),
        pytest.param("A BRE\n", "A BRE\nF BRE\n", 23, "a second unit in BRE", id="two units"),
        pytest.param("A WAL H", "A WAL ? H", 17, "not understood as an order", id="no order"),
        pytest.param(
            "F NWY\n", "F NWY --> XYZ\n", 14, "not a place to retreat to", id="no retreat"
        ),
        pytest.param(
            "MASTER #1", "RESULT W1905A ATLANTIS\nMASTER #1", 4, "unknown result", id="winner"
        ),
    ],
)
def test_an_error_in_a_status_is_reported_with_its_line(
    old: str, new: str, line: int, why: str
) -> None:
    assert old in STATUS
    with pytest.raises(UnreadableError) as unreadable:
        list(FORMAT.read(_strictly(), STATUS.replace(old, new).splitlines()))

    assert (unreadable.value.line, why in unreadable.value.why) == (line, True), unreadable.value


@pytest.mark.parametrize(
    ("owned", "kind"), [(3, EndKind.CONCESSION), (18, EndKind.SOLO)], ids=["few", "enough"]
)
def test_a_sole_winner_without_enough_centers_won_by_concession(owned: int, kind: EndKind) -> None:
    centers = " ".join(BOARD.centers[:owned])
    status = f"GAME skat\nPHASE COMPLETED\nRESULT W1905A ITALY\n\nITALY\nOWNS {centers}\n"

    ending = game_in(FORMAT, status).ending

    assert ending
    assert (ending.kind, ending.powers) == (kind, ("ITALY",))


def test_statuses_of_two_games_are_two_records() -> None:
    names = [each.name for each in games_in(FORMAT, STATUS + STATUS.replace("skat", "whist"))]

    assert names == ["skat", "whist"]


def test_a_line_of_press_that_names_nobody_is_an_error_and_leniently_no_game() -> None:
    with pytest.raises(UnreadableError, match=r"game\.txt:1: text before the first message"):
        games_in(FORMAT, ":: S1901M F|\n")
    with pytest.raises(UnreadableError, match="no message found"):
        games_in(FORMAT, ":: S1901M F|\n", strict=False)


def _strictly() -> Reading:
    return Reading(BOARD, "status", "0", Doubts("status"))


@pytest.mark.parametrize("text", [IN_A_MBOX, f"{IN_A_MBOX}{FALL}{AUTUMN}"])
def test_a_mailbox_of_dpjudge_is_not_taken_for_one_of_njudge(text: str) -> None:
    assert recognized_formats(text) == [FORMAT]
