"""nJudge reports as people keep them: wrapped, quoted, between banners, truncated."""

from __future__ import annotations

import textwrap

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats.njudge import readers
from judge.archive.reading import UnreadableError
from judge.archive.records import EndKind, Record, SeatKind
from judge.archive.verification import verify
from judge.notation.order_text import read_order
from judge.rules.types import Phase
from tests.support.njudge import HEAD, NEXT, SPRING, read, spring

BOUNCE = {"Army Vienna": " -> Galicia. (*bounce*)", "Army Warsaw": " -> Galicia. (*bounce*)"}
CONVOY = {
    "Fleet London": " -> North Sea.",
    "Army Liverpool": " -> Yorkshire.",
    "Fleet St Petersburg (south coast)": " -> Gulf of Bothnia.",
}
FALL = """\
Movement results for Fall of 1901. (lagoon.002)

Austria: Army Budapest HOLD.
Austria: Army Vienna HOLD.
Austria: Fleet Trieste -> Venice. (*bounce*)

England: Army Yorkshire -> North Sea -> Norway.
England: Fleet Edinburgh HOLD.
England: Fleet North Sea CONVOY Army Yorkshire -> Norway.

France: Army Marseilles HOLD.
France: Army Paris HOLD.
France: Fleet Brest HOLD.

Germany: Army Berlin HOLD.
Germany: Army Munich HOLD.
Germany: Fleet Kiel HOLD.

Italy: Army Rome HOLD.
Italy: Army Venice HOLD.
Italy: Fleet Naples HOLD.

Russia: Army Moscow HOLD.
Russia: Army Warsaw HOLD.
Russia: Fleet Sevastopol HOLD.
Russia: Fleet Gulf of Bothnia -> Sweden.

Turkey: Army Constantinople, No Order Processed.
Turkey: Army Smyrna SUPPORT Army Constantinople.
Turkey: Fleet Ankara HOLD.

Ownership of supply centers:

Austria:   Budapest, Trieste, Vienna.
England:   Edinburgh, Liverpool, London, Norway.
France:    Brest, Marseilles, Paris.
Germany:   Berlin, Kiel, Munich.
Italy:     Naples, Rome, Venice.
Russia:    Moscow, Sevastopol, St Petersburg, Sweden, Warsaw.
Turkey:    Ankara, Constantinople, Smyrna.
Unowned:   Belgium, Bulgaria, Denmark, Greece, Holland, Portugal, Rumania,
           Serbia, Spain, Tunis.

Austria:   3 Supply centers,  3 Units:  Builds   0 units.
England:   4 Supply centers,  3 Units:  Builds   1 unit.
Russia:    5 Supply centers,  4 Units:  Builds   1 unit.
Turkey:    3 Supply centers,  3 Units:  Builds   0 units.  (* CD *)

The next phase of 'lagoon' will be Adjustments for Winter of 1901.
The deadline for orders will be Mon Mar 16 1998 23:30:00 +0000.
"""
WINTER = """\
Adjustment results for Winter of 1901.  (lagoon.003)

England:                  Builds a fleet in London.
Russia:                   1 build pending.

The next phase of 'lagoon' will be Movement for Spring of 1902.
"""
YEAR = f"{spring(CONVOY)}\n{FALL}\n{WINTER}"


def phases(record: Record) -> list[str]:
    return [each.phase.code for each in record.phases]


def facts(record: Record) -> list[object]:
    return [
        (each.phase, each.position, [(o.power, o.order, o.results) for o in each.orders])
        for each in record.phases
    ]


def test_a_year_is_folded_from_its_reports() -> None:
    (record,) = read(YEAR)

    assert phases(record) == ["S1901M", "F1901M", "W1901A", "S1902M"]
    fall, winter, spring_1902 = (each.position for each in record.phases[1:])
    assert fall
    assert winter
    assert spring_1902
    assert str(fall.units_of("RUSSIA")[0]) == "F BOT"
    assert winter.centers_of("ENGLAND") == ("EDI", "LON", "LVP", "NWY")
    assert [str(unit) for unit in spring_1902.units_of("ENGLAND")] == [
        *("F EDI", "F LON", "F NTH", "A NWY")
    ]
    assert record.phases[2].notes == ("Russia: 1 build pending.",)


def test_orders_have_the_words_and_results_of_the_judge() -> None:
    (record,) = read(spring(BOUNCE))

    written = {each.text: each for each in record.phases[0].orders}
    order = written["Army Vienna -> Galicia."]
    assert (order.power, order.order, order.results) == (
        "AUSTRIA",
        read_order("A VIE - GAL"),
        ("bounce",),
    )
    assert order.line == 7


def test_the_heading_tells_judge_variant_and_deadline() -> None:
    (record,) = read(spring())

    assert (record.name, record.variant, record.numbers["judge"]) == (
        "lagoon",
        "standard",
        "SEED:lagoon",
    )
    first, following = record.phases
    assert str(first.deadline) == "1998-03-09 23:30:00+00:00"
    assert following.deadline is None, "it has not been reported yet"


@pytest.mark.parametrize("width", [40, 60, 72])
def test_wrapped_lines_are_joined(width: int) -> None:
    wrapped = "\n".join(
        piece
        for line in YEAR.split("\n")
        for piece in (textwrap.wrap(line, width, break_on_hyphens=False) or [""])
    )

    assert facts(read(wrapped)[0]) == facts(read(YEAR)[0])


def test_saint_may_have_a_full_stop_and_a_line_of_its_own() -> None:
    spelled = spring(CONVOY).replace("Fleet St Petersburg", "Fleet St.\nPetersburg")

    assert facts(read(spelled)[0]) == facts(read(spring(CONVOY))[0])


def test_a_quoted_copy_of_a_report_says_nothing_new() -> None:
    quoted = "\n".join(f"> {line}" for line in spring(BOUNCE).split("\n"))

    assert facts(read(f"{spring(BOUNCE)}\nJim wrote:\n\n{quoted}")[0]) == facts(
        read(spring(BOUNCE))[0]
    )
    assert facts(read(quoted)[0]) == facts(read(spring(BOUNCE))[0])


def test_banners_and_footers_are_passed_over() -> None:
    banner = "*****\n* The judge moves house on Friday: be patient. *\n*****\n\n"

    assert facts(read(f"{banner}{spring()}\n-- \nmailed by SEED")[0]) == facts(read(spring())[0])


def test_lists_of_orders_so_far_are_no_results() -> None:
    mine = spring(tail="Orders not received for all units.").replace("results for", "orders for")

    assert phases(read(f"{mine}\n{spring()}")[0]) == ["S1901M", "F1901M"]


def test_reports_out_of_order_are_put_in_order() -> None:
    assert facts(read(f"{WINTER}\n{FALL}\n{spring(CONVOY)}")[0]) == facts(read(YEAR)[0])


def test_after_a_rollback_both_editions_stand() -> None:
    (record,) = read(f"{spring(BOUNCE)}\n{YEAR}")

    assert [(each.phase.code, each.edition) for each in record.phases[:3]] == [
        ("S1901M", 1),
        ("S1901M", 2),
        ("F1901M", 1),
    ]


def test_a_removal_that_the_judge_chose_is_no_order() -> None:
    winter = WINTER.replace(
        "Russia:                   1 build pending.",
        "Turkey:                   Defaults, removing the fleet in Ankara.",
    )
    (record,) = read(f"{spring(CONVOY)}\n{FALL}\n{winter}")

    assert [(power, str(unit)) for power, unit in record.phases[2].removed] == [
        ("TURKEY", "F ANK")
    ]
    assert [each.order for each in record.phases[2].orders] == [read_order("F LON B")]


def test_dislodged_units_and_their_retreats_are_told() -> None:
    dislodged = {
        "Army Munich": " HOLD. (*dislodged*)",
        "Army Paris": " -> Munich.",
    }
    tail = (
        "The following units were dislodged:\n\n"
        "The German Army in Munich can retreat to Ruhr or Silesia or\nTyrolia.\n\n"
        "The next phase of 'lagoon' will be Retreats for Spring of 1901.\n"
    )
    retreat = (
        "Retreat results for Summer of 1901.  (lagoon.002)\n\n"
        "Germany:                  Army  Munich, No Order Processed (DISBAND).\n\n" + NEXT
    )
    (record,) = read(f"{spring(dislodged, tail)}\n{retreat}")

    position = record.phases[1].position
    assert position
    assert record.phases[1].phase == Phase.parse("S1901R")
    (waiting,) = position.dislodged
    assert (str(waiting.unit), waiting.retreats, waiting.attacked_from) == (
        "A MUN",
        ("RUH", "SIL", "TYR"),
        "PAR",
    )
    assert [(power, str(unit)) for power, unit in record.phases[1].removed] == [
        ("GERMANY", "A MUN")
    ]


@pytest.mark.parametrize("mark", [" (*bounce, destroyed*).", ". (*bounce, destroyed*)"])
@pytest.mark.parametrize("word", ["bounce", "blocked"])
def test_a_retreat_is_marked_before_or_after_its_full_stop(mark: str, word: str) -> None:
    battles = {
        "Army Munich": " HOLD. (*dislodged*)",
        "Army Paris": " -> Munich.",
        "Army Venice": " HOLD. (*dislodged*)",
        "Army Rome": " -> Venice.",
    }
    tail = "The next phase of 'lagoon' will be Retreats for Spring of 1901.\n"
    marked = mark.replace("bounce", word)
    retreats = (
        "Retreat results for Spring of 1901.  (lagoon.002)\n\n"
        f"Germany:                  Army  Munich -> Tyrolia{marked}\n"
        f"Italy:                    Army  Venice -> Tyrolia{marked}\n\n{NEXT}"
    )

    (record,) = read(f"{spring(battles, tail)}\n{retreats}")

    assert [each.results for each in record.phases[1].orders] == [("bounce", "destroyed")] * 2
    after = record.phases[2].position
    assert after
    assert "TYR" not in after.unit_at
    assert verify(load_map(), record, "njudge", lambda *_: "").differing == 1  # Munich's attack


def test_an_unmarked_convoy_says_nothing_about_the_convoy() -> None:
    convoy = {"Fleet London": " CONVOY Army Liverpool -> Norway."}
    moved = {"Army Liverpool": " -> Yorkshire."}

    (record,) = read(spring(convoy | moved))

    (convoying,) = [each for each in record.phases[0].orders if "CONVOY" in each.text]
    assert convoying.results is None
    assert len(record.phases) == 2, "the position after it is known"


@pytest.mark.parametrize("variant", ["Standard, Gunboat", "Standard,No-Press", "standard; Blind"])
def test_the_board_comes_first_in_a_variant(variant: str) -> None:
    (record,) = read(spring().replace("Variant: Standard", f"Variant: {variant}"))

    assert (record.variant, record.settings["variant"]) == ("standard", variant)
    assert record.phases


def test_an_order_to_switzerland_comes_to_a_hold() -> None:
    (record,) = read(spring({"Army Munich": " -> Switzerland."}))

    orders = {each.text: each.order for each in record.phases[0].orders}
    assert orders["Army Munich -> Switzerland."] == read_order("A MUN H")


def test_realpolitik_says_the_same_in_other_words() -> None:
    text = spring({"Army Vienna": " - Galicia (*Fails*)", "Army Rome": " S A Venice (*Cut*)"})
    for long, short in ((HEAD, ""), ("Army ", "A "), ("Fleet ", "F "), (" HOLD.", " Hold")):
        text = text.replace(long, short)
    (record,) = read(text)

    told = {each.text: (each.order, each.results) for each in record.phases[0].orders}
    assert told["A Vienna - Galicia"] == (read_order("A VIE - GAL"), ("bounce",))
    assert told["A Rome S A Venice"] == (read_order("A ROM S A VEN"), ("cut",))


def test_a_listing_alone_is_a_position() -> None:
    rows = "\n".join(f"{p}: {unit}." for p, units in SPRING.items() for unit in units)
    (record,) = read(
        f"{HEAD}Status of the Movement phase for Fall of 1903. (lagoon.009)\n\n{rows}"
    )

    assert phases(record) == ["F1903M"]
    assert record.phases[0].position
    assert len(record.phases[0].position.units) == 22


def test_a_summary_tells_players_charts_and_the_end() -> None:
    (record,) = read(
        "Summary of game 'lagoon' through F1902B.\n\n"
        "  Master:        Mary Master       mary@seed.example\n"
        "  Austria:       Anna Alt          anna@seed.example\n"
        "       from F1902M: Bert Neu  bert@seed.example\n\n"
        "The game was declared a draw between Austria, England and\nTurkey.\n\n"
        "Historical Supply Center Summary\n"
        "    Ven Nap\n"
        "Year  Rom Nor\n"
        "1900 I I I .\n"
        "1901 A I I E\n"
    )

    assert record.gamemaster == "Mary Master"
    anna, bert = record.seats
    assert (anna.player, anna.hold, anna.address) == ("Anna Alt", SeatKind.PLAYER, None)
    assert (bert.player, bert.hold, str(bert.since)) == ("Bert Neu", SeatKind.TAKEOVER, "F1902M")
    assert record.charts[1].owners == {
        "VEN": "AUSTRIA",
        "ROM": "ITALY",
        "NAP": "ITALY",
        "NWY": "ENGLAND",
    }
    assert record.ending
    assert (record.ending.kind, record.ending.powers, str(record.ending.phase)) == (
        EndKind.DRAW,
        ("AUSTRIA", "ENGLAND", "TURKEY"),
        "W1902A",
    )


def test_civil_disorder_is_told_by_the_count() -> None:
    (record,) = read(YEAR)

    assert [(seat.power, seat.hold) for seat in record.seats] == [
        ("TURKEY", SeatKind.CIVIL_DISORDER)
    ]


def test_press_is_kept_once_without_addresses() -> None:
    press = (
        f"{HEAD}Message sent to Germany:\n\n"
        "Message from fran@seed.example as France to Germany in 'lagoon':\n\n"
        "Burgundy?\nWrite to me@seed.example.\n\nEnd of message.\n"
    )
    (record,) = read(press + press)

    (message,) = record.press
    assert (message.sender, message.readers, str(message.phase)) == (
        "FRANCE",
        ("GERMANY",),
        "S1901M",
    )
    assert message.text == "Burgundy?\nWrite to [address]."
    assert "me@seed.example" in read(press, keep_addresses=True)[0].press[0].text


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        pytest.param(spring()[:-200], 31, "breaks off", id="truncated"),
        pytest.param(f"{spring()}\n\0\0", 38, "binary data", id="binary"),
        pytest.param(spring().replace("Rome", "R\ufffdme"), 22, "encoding", id="encoding"),
        pytest.param(f"{spring()}\n{FALL}", 44, "no A YOR was there before", id="contradictory"),
        pytest.param(
            spring({"Army Rome": " -> Rumelia."}), 22, "not understood as an order", id="order"
        ),
        pytest.param("Dear Sir,\nno.", None, "no report of a judge", id="other"),
        pytest.param(
            spring().replace("Standard", "Youngstown"), 1, "no map of the variant", id="variant"
        ),
    ],
)
def test_an_unreadable_line_is_refused_with_its_number(
    text: str, line: int | None, why: str
) -> None:
    with pytest.raises(UnreadableError, match=why) as failure:
        read(text)

    assert (failure.value.name, failure.value.line) == ("mails.txt", line)


def test_a_lenient_reading_goes_on_and_lists_its_doubts() -> None:
    (record,) = read(f"{spring()}\n{FALL}\n{WINTER}", strict=False)

    assert phases(record)[-1] == "S1902M"
    assert {doubt.line for doubt in record.doubts} >= {44, 63, 69}


def test_several_games_in_a_file_are_several_records() -> None:
    other = spring().replace("agoon", "ido")

    assert [each.name for each in read(spring() + other)] == ["lagoon", "lido"]


def test_a_history_that_has_ended_is_yielded_before_the_file_ends() -> None:
    history = f"{HEAD}History information for game 'lagoon':\n\n{spring()}\n"
    end = "---- History terminated due to end of information.\n"
    games = read(f"{history}{end}" + spring().replace("agoon", "ido"))

    assert [each.name for each in games] == ["lagoon", "lido"]
    with pytest.raises(UnreadableError, match="history breaks off"):
        read(history)


def test_it_knows_its_own_text_and_no_other() -> None:
    assert readers.recognizes_njudge(spring())
    assert readers.recognizes_njudge(f"> {spring()}".replace("\n", "\n> "))
    assert not readers.recognizes_njudge(spring().replace("(lagoon.001)", " (lagoon.S1901M)"))
    assert not readers.recognizes_njudge("A PAR - BUR")
    assert not readers.recognizes_njudge(
        f"From seed@seed.example Mon Mar  9 23:30:00 1998\n\n{spring()}"
    )


def test_two_histories_of_one_name_are_two_games() -> None:
    ended = "---- History terminated due to end of information.\n"
    history = f"History information for game 'lagoon':\n\n{spring()}\n{ended}\n"

    assert [len(each.phases) for each in read(history * 2)] == [2, 2]


def test_press_keeps_the_marks_of_what_it_quotes() -> None:
    letter = "Message from a@b.example as France to Italy in 'lagoon':\n\n> Pax?\nNo.\n"
    (record,) = read(f"{spring()}\n{letter}")

    assert record.press[0].text == "> Pax?\nNo."


def test_moves_that_an_adjustment_report_repeats_are_doubted_and_no_orders() -> None:
    repeated = WINTER.replace("Russia:   ", "Turkey:  Army Smyrna HOLD.\nRussia:   ", 1)
    (record,) = read(f"{spring(CONVOY)}\n{FALL}\n{repeated}", strict=False)

    assert [each.text for each in record.phases[2].orders] == ["Builds a fleet in London."]
    assert [each.why for each in record.doubts] == ["not an order for adjustments"]


def test_a_line_that_begins_with_game_was_won_names_no_game() -> None:
    [record] = read(
        f"{spring()}\nTime is up: the most centers win. The\ngame was won by Russia.\n"
    )

    assert record.name == "lagoon"


def test_a_report_in_another_language_is_known_and_refused() -> None:
    text = spring().replace(
        "Movement results for Spring of 1901.", "Ergebnisse im Fruehling 1901."
    )

    assert readers.recognizes_njudge(text)
    with pytest.raises(UnreadableError, match="in English only"):
        read(text)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        pytest.param("the fleet in Ankara", "the boat", "not understood as a unit", id="removal"),
        pytest.param("Russia: ", "Prussia:", "not understood in a report", id="power"),
    ],
)
def test_an_impossible_adjustment_is_an_error(old: str, new: str, why: str) -> None:
    winter = WINTER.replace("1 build pending.", "Defaults, removing the fleet in Ankara.")
    assert old in winter

    with pytest.raises(UnreadableError, match=why):
        read(f"{spring(CONVOY)}\n{FALL}\n{winter.replace(old, new)}")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        pytest.param("Italy: Venice.", "not understood as a unit", id="no kind"),
        pytest.param("Italy: Fleet Munich.", "this unit cannot be there", id="fleet ashore"),
    ],
)
def test_an_invalid_listing_is_an_error_with_its_line(row: str, why: str) -> None:
    with pytest.raises(UnreadableError, match=why) as error:
        read(f"{HEAD}Status of the Movement phase for Fall of 1903. (lagoon.009)\n\n{row}\n")

    assert error.value.line == 6
