"""Reports by hand: headings, marks on failed orders, charts, and doubtful entries."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.archive.formats.zine_reports import FORMAT
from judge.archive.order_results import results_agree
from judge.archive.reading import Doubts, Reading, UnreadableError
from judge.archive.records import EndKind
from judge.notation.order_text import write_order
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import rulebook_named
from tests.unit.archive.reading import BOARD, game_in, games_in, orders_of, units_of

PARENTHESES = """\
HARBOUR #12 - game SARDINE, BNC 1990AB, Fall '04.

AUSTRIA: (A VEN-ROM), A TYR-MUN, A SER SA BUL-BUL
         A BUL-H
ITALY:   A ROM-H, (A TUS SA ROM-VEN)
TURKEY:  (A GRE-BUL), F AEG CA SMY-GRE

SUPPLY CENTERS
AUS: BUD BUL SER TRI VEN VIE  =  7( 6) + MUN
ITA: NAP ROM TUN              =  3( 3)
"""
ANGLES = """\
Spring '05 of the game SARDINE
England: <F NTH-nwy>, <F <STP(nc)> S *German* A fin-nwy>, A bel-HOL
Russia:  A MOS-stp, A LVN S A mos-stp, <F SKA-nwy>
"""
WORDS = """\
Results for Spring, 1902 (Movement)

Austria:
A Budapest - Serbia
A Galicia - Rumania (*Bounce*)
F Greece Supports A Serbia (*Ordered to Move*)
A Serbia \u2013 Bulgaria

Russia:
F Rumania Supports A Ukraine - Galicia (*Cut*)
A Ukraine - Galicia (*Fails* SEE BELOW)

Winter 1901 was kind to us all, wrote the Tsar.
"""
JDIP = """\
Results for Spring, 1902 (Movement)

Italy:
A tun - gre Bounced with gre (1 against 1).
F ion Convoys A tun - gre
F tys Supports A nap - rom Support cut by Move from Tuscany.
A nap - rom
No order for unit at Venice. Hold order assigned.
A ven Holds
The Army in ven cannot retreat; unit destroyed.
Austria:
A tyr - ven
"""
UNDERLINED = """\
Spring 1902
FRANCE: A PAR-BUR, F BRE-ENG, A MAR S A PAR-BUR
                   ---------
GERMANY: A MUN-BUR
         ---------
-----
"""


def results_in(text: str, *, strict: bool = True) -> dict[str, tuple[str, ...] | None]:
    """Return the results of the orders of the first phase of the game in *text*."""
    phase = game_in(FORMAT, text, strict=strict).phases[0]
    return {each.text: each.results for each in phase.orders}


def test_a_heading_names_game_number_season_and_issue() -> None:
    game = game_in(FORMAT, PARENTHESES)

    assert game.name == "SARDINE"
    assert game.numbers == {"boardman": "1990AB"}
    assert (game.zine, game.issue) == ("HARBOUR", "12")
    assert game.phases[0].phase.code == "F1904M"


@pytest.mark.parametrize(
    "heading",
    [
        "PHOENIX (1974BX), Spring 1902",
        '"Phoenix" 1974 BX: Spring 1902',
        "Phoenix 1974BX - SPRING '02",
    ],
)
def test_a_heading_may_have_only_the_name_and_its_number(heading: str) -> None:
    record = game_in(FORMAT, f"{heading}\n\nItaly ... (A Rom-Ven), A Tus-Pie, A Ven H\n")

    assert (record.name.title(), record.numbers) == ("Phoenix", {"boardman": "1974BX"})
    assert record.phases[0].phase.code == "S1902M"


def test_an_order_in_parentheses_failed() -> None:
    assert results_in(PARENTHESES) == {
        "A VEN-ROM": ("bounce",),
        "A TYR-MUN": (),
        "A SER SA BUL-BUL": (),
        "A BUL-H": (),
        "A ROM-H": (),
        "A TUS SA ROM-VEN": ("void",),
        "A GRE-BUL": ("bounce",),
        "F AEG CA SMY-GRE": (),
    }


def test_a_support_written_to_where_the_unit_is_supports_its_hold() -> None:
    assert "AUSTRIA A SER S A BUL" in orders_of(game_in(FORMAT, PARENTHESES).phases[0])


def test_a_chart_owns_what_it_lists_and_what_is_won() -> None:
    after = game_in(FORMAT, PARENTHESES).phases[1].position

    assert after
    assert after.centers_of("AUSTRIA") == ("BUD", "BUL", "MUN", "SER", "TRI", "VEN", "VIE")


def test_an_order_in_angles_failed_and_a_unit_in_angles_is_dislodged() -> None:
    spring, retreats = game_in(FORMAT, ANGLES).phases

    assert [each.results for each in spring.orders] == [
        ("bounce",),
        ("void", "dislodged"),
        (),
        (),
        (),
        ("bounce",),
    ]
    assert "ENGLAND *F STP/NC" in units_of(retreats)
    assert "RUSSIA A STP" in units_of(retreats)


def test_a_unit_whose_province_is_taken_is_dislodged_where_nothing_marks_it() -> None:
    text = (
        "Fall 1902\nAUSTRIA: (A VEN-ROM)\nITALY: A ROM-H\nTURKEY: F TRI-VEN, F ADR S F TRI-VEN\n"
    )

    _, retreats = game_in(FORMAT, text).phases

    assert retreats.phase.code == "F1902R"
    assert "AUSTRIA *A VEN" in units_of(retreats)


def test_reports_of_the_map_programs_are_read_with_their_words() -> None:
    assert results_in(WORDS) == {
        "A Budapest - Serbia": (),
        "A Galicia - Rumania": ("bounce",),
        "F Greece Supports A Serbia": ("void",),
        "A Serbia \u2013 Bulgaria": (),
        "F Rumania Supports A Ukraine - Galicia": ("cut",),
        "A Ukraine - Galicia": ("bounce",),
    }
    assert results_in(JDIP) == {
        "A tun - gre": ("bounce",),
        "F ion Convoys A tun - gre": (),
        "F tys Supports A nap - rom": ("cut",),
        "A nap - rom": (),
        "A ven Holds": ("dislodged",),
        "A tyr - ven": (),
    }
    assert [power for power, _ in game_in(FORMAT, JDIP).phases[0].removed] == ["ITALY"]


def test_an_underlined_order_failed_and_a_divider_underlines_nothing() -> None:
    assert results_in(UNDERLINED) == {
        "A PAR-BUR": (),
        "F BRE-ENG": ("bounce",),
        "A MAR S A PAR-BUR": (),
        "A MUN-BUR": ("bounce",),
    }


@pytest.mark.parametrize(
    ("line", "results"),
    [
        ("_A Par-Bur_", ("bounce",)),
        ("((A Par-Bur))", ("bounce",)),
        ("<A Par-Bur>", ("bounce",)),
        ("<u>A Par-Bur</u>", ("bounce",)),
        ("A Par-Bur [***]", ("dislodged",)),
        ("<A Par-Bur>[***]", ("bounce", "dislodged")),
        ("A Par-Bur *bounce*", ("bounce",)),
        ("A Par-Bur BOUNCE, DISLODGED", ("bounce", "dislodged")),
        ("A Par S A Mar-Bur CUT", ("cut",)),
        ("(A Par S A Gas)", ("cut",)),
        ("(A Par-Lon)", ("no convoy",)),
        ("(F Eng C A Bel-Lon)", ("void",)),
        ("A Par-Bur (NOTE: he wrote Bug)", ()),
    ],
)
def test_each_mark_has_its_meaning(line: str, results: tuple[str, ...]) -> None:
    text = f"Fall 1902\nFrance: {line}\n        A Gas-H\nItaly: (A Rom-Ven), A Tus-Pie\n"

    assert game_in(FORMAT, text).phases[0].orders[0].results == results


@pytest.mark.parametrize(
    "leader",
    [
        "TURKEY (Ann Smith) ..... ",
        "TURKEY (Ann Smith).....",
        "Turkey: A. Smith . . . . . ",
        "Turkey, Ann Smith ....: ",
        "TURKEY.........",
    ],
)
def test_dots_may_lead_from_the_player_to_the_orders(leader: str) -> None:
    text = f"Spring 1901\n{leader}A Con-Bul, F Ank-Con, A Smy-Arm\nItaly ... (A Rom-Ven)\n"

    record = game_in(FORMAT, text)

    assert orders_of(record.phases[0]) == [
        *("TURKEY A CON - BUL", "TURKEY F ANK - CON", "TURKEY A SMY - ARM", "ITALY A ROM - VEN")
    ]
    players = [each.player for each in record.seats]
    assert players == (
        ["A. Smith" if "A. S" in leader else "Ann Smith"] if "S" in leader[6:] else []
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("F Ank-Blk", "F ANK - BLA"),
        ("F SEV-BLK", "F SEV - BLA"),
        ("F Edi-NWS", "F EDI - NWG"),
        ("A Lpl-Yrk", "A LVP - YOR"),
        ("A Bud-Rou", "A BUD - RUM"),
        ("F Den-Hgb", "F DEN - HEL"),
        ("F Stp(sc)-Gbo", "F STP/SC - BOT"),
    ],
)
def test_old_abbreviations_of_zines_are_read(written: str, read: str) -> None:
    text = f"Spring 1905\nItaly: (A Rom-Ven), A Tus-Pie\nTurkey: {written}\n"

    turkish = game_in(FORMAT, text).phases[0].orders[-1]

    assert turkish.order
    assert (turkish.text, write_order(turkish.order)) == (written, read)


CAPITALS = """\
Spring 1902
France: A Par-Pic, A MAR-BUR, F Bre-Mid
Germany: A MUN-BUR, F Kie-Hol
"""


def test_orders_in_capitals_failed_where_the_zine_says_so() -> None:
    told = results_in(f"Orders that failed are in capitals.\n\n{CAPITALS}")

    assert told == {
        "A Par-Pic": (),
        "A MAR-BUR": ("bounce",),
        "F Bre-Mid": (),
        "A MUN-BUR": ("bounce",),
        "F Kie-Hol": (),
    }


def test_orders_in_capitals_among_others_are_taken_as_failed_with_a_doubt() -> None:
    with pytest.raises(UnreadableError, match="only some orders are in capitals"):
        results_in(CAPITALS)

    assert results_in(CAPITALS, strict=False)["A MAR-BUR"] == ("bounce",)


def test_winter_has_retreats_and_adjustments() -> None:
    text = (
        f"{PARENTHESES}\nAutumn and Winter '04 of the game SARDINE\n"
        "Austria: Build A Vie\nItaly: Build F Nap\nTurkey: Remove F Aeg\n"
    )

    winter, spring = game_in(FORMAT, text).phases[1:]

    assert winter.phase.code == "W1904A"
    assert orders_of(winter) == ["AUSTRIA A VIE B", "ITALY F NAP B", "TURKEY F AEG D"]
    assert "ITALY F NAP" in units_of(spring)
    assert "TURKEY F AEG" not in units_of(spring)


def test_powers_that_are_not_named_are_known_by_the_position() -> None:
    text = "Spring 1901\nA Vie-Gal\nA Bud-Ser\n\nF Lon-Nth\n\nF Edi-Nwg\n\nA War-Gal (*Bounce*)\n"

    assert orders_of(game_in(FORMAT, text).phases[0]) == [
        "AUSTRIA A VIE - GAL",
        "AUSTRIA A BUD - SER",
        "ENGLAND F LON - NTH",
        "ENGLAND F EDI - NWG",
        "RUSSIA A WAR - GAL",
    ]


def test_a_power_may_be_named_with_its_player_or_alone() -> None:
    text = (
        "Fall 1902\nFRANCE (Ann Smith): A Par-Bur\n  A Gas-H\nITALY\n(A Rom-Ven)\nGermany (NMR):\n"
    )

    game = game_in(FORMAT, text)

    assert orders_of(game.phases[0]) == [
        "FRANCE A PAR - BUR",
        "FRANCE A GAS H",
        "ITALY A ROM - VEN",
    ]
    assert [(seat.power, seat.player) for seat in game.seats] == [("FRANCE", "Ann Smith")]
    assert game.phases[0].notes == ("GERMANY: NMR",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Autumn 1902\nFrance: A Par-Bur, A Gas-H\nItaly: (A Rom-Ven)\n", "F1902M"),
        (f"{ANGLES}Summer '05\nEngland: F Stp-Bot, A Nwy-Swe, A Lon-Yor\n", "S1905R"),
    ],
    ids=["moves-in-autumn", "retreats-in-summer"],
)
def test_the_season_says_what_is_ordered(text: str, code: str) -> None:
    game = game_in(FORMAT, text, strict=False)

    assert code in [each.phase.code for each in game.phases if each.orders]


def test_the_deadline_of_the_next_phase_is_kept_for_it() -> None:
    text = (
        "Spring 1902\nFrance: A Par-Bur, A Gas-H\nItaly: (A Rom-Ven)\n"
        "Fall 1902 is due Fri 27 Nov 1992 20:00 GMT\n"
        "Fall 1902\nFrance: A Bur-H\n"
    )

    fall = game_in(FORMAT, text).phases[1]

    assert fall.deadline
    assert fall.deadline.isoformat() == "1992-11-27T20:00:00+00:00"


def test_each_game_of_an_issue_is_a_record() -> None:
    other = ANGLES.replace("SARDINE", "HERRING")

    assert [game.name for game in games_in(FORMAT, PARENTHESES + other)] == ["SARDINE", "HERRING"]


def test_the_gamemaster_and_the_end_are_told() -> None:
    text = "GM: Gerd Meyer, Kiel\nThe game was declared a draw between Austria and Italy.\n"

    game = game_in(FORMAT, f"{PARENTHESES}{text}")

    assert game.gamemaster == "Gerd Meyer"
    assert game.ending
    assert (game.ending.kind, game.ending.powers) == (EndKind.DRAW, ("AUSTRIA", "ITALY"))


def test_an_end_of_nobody_is_a_doubt() -> None:
    with pytest.raises(UnreadableError, match="an ending of nobody"):
        game_in(FORMAT, f"{PARENTHESES}Game SARDINE was won by Ruritania.\n")


def test_a_long_line_is_prose() -> None:
    long = f"FRANCE: {'A PAR-BUR, ' * 300}"

    assert orders_of(game_in(FORMAT, PARENTHESES + long).phases[0]) == orders_of(
        game_in(FORMAT, PARENTHESES).phases[0]
    )


def test_addresses_of_a_report_stay_out() -> None:
    assert "gm@example.org" not in repr(
        games_in(FORMAT, PARENTHESES + "\n(GM is gm@example.org) Due Thursday December 21\n")
    )


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (
            "Fall 1902\nFrance: A Par-Bur, A Gas-Frob\nItaly: A Rom-H\n",
            2,
            "not understood as an order",
        ),
        ("France: A Par-Bur, A Gas-Spa\nItaly: A Rom-H\n", 1, "the season of these orders"),
        ("Fall 1902\nA Par-Bur\nA Gas-H\nA Rom-H\n", 2, "the power of this order"),
        ("Fall 1902\nFrance: A Par-Bur [?!]\nItaly: A Rom-H, A Tus-Pie\n", 2, "unknown mark"),
        ("Fall 1902\nFrance: A Par-Bur, A Gas-H\nItaly: (A Rom-H)\n", 3, "cannot fail"),
        ("Fall 1902\nFrance: A Par-H, A Gas-H\nItaly: A Par-Rom CUT\n", 3, "a second line"),
        (PARENTHESES.replace("=  7", "=  8"), 9, "7 centers are listed"),
        (PARENTHESES.replace("NAP ROM", "NAP XYZ"), 10, "not a supply center: XYZ"),
        (f"{PARENTHESES}Builds: Turkey     England\n", 11, "a table"),
        ("Fall 1902\nA Ankara   A Edinburgh\nItaly: A Rom-H, A Tus-H, A Ven-H\n", 2, "the power"),
        (
            "Winter 1902\nFrance: A Par S A Gas, A Bur-H\nItaly: A Rom-H\n",
            2,
            "not an order for winter",
        ),
    ],
)
def test_a_doubtful_entry_stops_a_strict_reading_at_its_line(
    text: str, line: int, why: str
) -> None:
    with pytest.raises(UnreadableError, match=why) as unreadable:
        games_in(FORMAT, text)

    assert unreadable.value.line == line


def test_a_season_that_is_told_by_the_deadline_only_is_a_doubt() -> None:
    text = "Fall 1902 moves are due on Friday.\nFrance: A Par-Bur, A Gas-Spa\nItaly: (A Rom-Ven)\n"

    game = game_in(FORMAT, text, strict=False)

    assert game.phases[0].phase.code == "S1902M"
    assert [doubt.line for doubt in game.doubts] == [2]


@pytest.mark.parametrize(
    "text",
    [
        "PHASE 1901 Spring Movement\nPOSITIONS\nAustria: army bud\n",
        "Movement results for Fall of 1902. (x.005)\n\nItaly: Army Rome HOLD.\n" * 3,
        '{"id": "x", "orders": ["A PAR - BUR", "A MAR H", "F BRE H"]}',
        "Dear all, I will be away.\n",
    ],
)
def test_output_of_programs_is_not_taken_for_a_report_by_hand(text: str) -> None:
    assert not FORMAT.recognizes(text)


@pytest.fixture
def samples() -> Path:
    """Return the folder of other people's files."""
    folder = os.environ.get("JUDGE_SAMPLES")
    if not folder:
        pytest.skip("JUDGE_SAMPLES names no folder")
    return Path(folder)


def test_a_report_of_1989_is_what_the_rules_make_of_it(samples: Path) -> None:
    path = samples / "zine_electronic_protocol_excerpts.txt"
    reading = Reading(BOARD, path.name, "0", Doubts(path.name, strict=False))
    lines = path.read_text(encoding="utf-8").splitlines()
    panzer = next(game for game in FORMAT.read(reading, lines) if game.name == "PANZER")

    fall, retreats = panzer.phases
    assert fall.position
    assert retreats.position
    judged = adjudicate(
        BOARD, fall.position, fall.orders_by_power(), rulebook_named(FORMAT.rulebook)
    )
    words = {each.text: each.results or () for each in fall.orders}
    assert len(words) == 34
    assert judged.after.units == retreats.position.units
    assert [each.retreats for each in judged.after.dislodged] == [
        each.retreats for each in retreats.position.dislodged
    ]
    for outcome, said in zip(judged.outcomes, fall.orders, strict=True):
        assert results_agree(words[said.text], outcome, fall.phase.kind)


def test_quoted_text_is_neither_an_order_nor_a_heading() -> None:
    record = game_in(
        FORMAT,
        """Game 'x'
Spring 1901
AUSTRIA: A Vie-Gal, _A Bud-Ser_ [bounce], F Tri H
> Fall 1901
> AUSTRIA: A Vie-Tri
""",
    )

    assert [str(each.phase) for each in record.phases if each.orders] == ["S1901M"]
    assert len(record.phases[0].orders) == 3
    assert record.doubts == ()


def test_that_no_order_failed_tells_what_came_of_them() -> None:
    record = game_in(
        FORMAT,
        """Game 'x'
Spring 1901
AUSTRIA: A Vie-Gal, A Bud-Ser, F Tri-Alb
No order failed.
""",
    )

    assert [each.results for each in record.phases[0].orders] == [()] * 3
    assert record.phases[0].results_told
