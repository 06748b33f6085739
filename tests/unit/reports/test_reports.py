"""Facts that players must find in receipts, results and other emails."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from judge.game.house_rules import HOUR, HouseRules, ModeratorSees
from judge.game.phases import missing_orders
from judge.game.visibility import Moderator, Observer, Player
from judge.notation.order_text import read_order
from judge.reports.emails import (
    game_start,
    help_pages,
    listings,
    notices,
    order_status,
    press,
    receipts,
)
from judge.reports.emails.contexts import SuggestedReply
from judge.reports.render import render
from judge.reports.text_formatting import format_instant, wrap
from judge.rules.legality import impossibility
from tests.support.written_orders import orders_in
from tests.unit.reports.press_samples import sent
from tests.unit.reports.samples import (
    BOARD,
    CODE,
    DEADLINE,
    HANDLES,
    RETREATS,
    WINTER,
    board_of,
    forming,
    game,
    late,
    results_of,
    unit,
)

if TYPE_CHECKING:
    from judge.reports.emails.contexts import Context
    from judge.rules.types import Position

ORDER = re.compile(r"(?:Build |Remove )?[AF] [A-Z][a-z]{2}(?:\(\w\w\))?(?:-[A-Z][a-z]{2}| D)?")
HOSTILE = "{{7*7}}{% include 'mail/base.txt.j2' %}\x1b[31m\rBcc: x"


def results(reader: str | None = None, **orders: tuple[str, ...]) -> str:
    """Return the results of the start position with *orders*."""
    return render(results_of(BOARD.start, reader, **orders)).text


def test_programs_that_read_judges_find_every_order_with_its_mark() -> None:
    text = results(FRANCE=("A PAR - BUR", "A MAR S A PAR - BUR"), GERMANY=("A MUN - BUR",))

    assert "\nFrance: Army Paris -> Burgundy.\n" in text
    assert "\nFrance: Army Marseilles SUPPORT Army Paris -> Burgundy.\n" in text
    assert "\nGermany: Army Munich -> Burgundy.  (*bounce*)\n" in text
    assert "\nItaly: Army Venice, No Order Processed.\n" in text


def test_a_failed_order_is_explained_with_the_strengths_on_both_sides() -> None:
    text = results(FRANCE=("A PAR - BUR", "A MAR S A PAR - BUR"), GERMANY=("A MUN - BUR",))

    assert "- A Mun-Bur bounced: 1 against 2 (A Par-Bur with A Mar)" in text


def test_a_paradox_is_explained_with_the_rule_that_decided() -> None:
    """Use DATC 6.F.14."""
    position = board_of("F1901M", ENGLAND="F LON, F WAL", FRANCE="A BRE, F ENG")
    sent = results_of(
        position,
        None,
        ENGLAND=("F LON S F WAL - ENG", "F WAL - ENG"),
        FRANCE=("A BRE - LON", "F ENG C A BRE - LON"),
    )

    words = " ".join(render(sent).text.split())
    assert "Convoy paradox: the convoy by F Eng" in words
    assert "the Szykman rule" in words


def test_no_reason_can_be_taken_for_an_order_line() -> None:
    text = results(FRANCE=("A PAR - MOS",), AUSTRIA=("A VIE S F TRI - VEN",))

    reasons = text.partition("Reasons:")[2].partition("The next phase")[0]
    assert reasons
    assert not re.search(r"^\s*[\w-]+:\s+(Army|Fleet)", reasons, re.MULTILINE)


def test_an_order_that_must_be_wrapped_keeps_its_mark_with_its_last_word() -> None:
    position = board_of("S1902M", ENGLAND="F ENG, A LON", FRANCE="F BRE, F MAO")
    text = render(
        results_of(
            position,
            None,
            ENGLAND=("F ENG S F BRE",),
            FRANCE=("F BRE - ENG", "F MAO S F BRE - ENG"),
        )
    ).text

    assert "SUPPORT French Fleet\nBrest.  (*void, dislodged*)" in text


def test_a_fleet_is_named_with_its_coast_and_a_foreign_unit_with_its_owner() -> None:
    text = results(RUSSIA=("F STP/SC - BOT",), GERMANY=("A BER S A WAR - PRU",))

    assert "Russia: Fleet St. Petersburg (south coast) -> Gulf of Bothnia." in text
    assert "Germany: Army Berlin SUPPORT Russian Army Warsaw -> Prussia.  (*void*)" in text


def test_a_convoyed_army_is_printed_with_every_sea_on_its_way() -> None:
    position = board_of("F1901M", ENGLAND="A YOR, F NTH, F NWG")
    orders = ("A YOR - NWY", "F NTH C A YOR - NWY")
    text = render(results_of(position, None, ENGLAND=orders)).text

    assert "\nEngland: Army Yorkshire -> North Sea -> Norway.\n" in text


def test_the_results_name_the_units_that_the_reader_has_to_order() -> None:
    duty = results(reader="FRANCE").partition("Your orders for F1901M")[2].partition(".")[0]

    assert "F Bre, A Mar, A Par" in " ".join(duty.split())
    assert "A Vie" not in duty


def test_an_observer_gets_the_results_without_anything_to_do() -> None:
    assert "Your orders" not in results(reader=None)


def test_results_after_fall_count_the_centers_and_list_possible_builds() -> None:
    position = board_of(
        "F1901M", AUSTRIA="A SER, F GRE, A TRI", TURKEY="A BUL, A CON, F ANK, A SMY"
    )
    text = render(results_of(position, "AUSTRIA")).text

    assert "Austria:   Budapest, Greece, Serbia, Trieste, Vienna.\n" in text
    assert "Austria:   5 Supply centers,  3 Units:  Builds    2 units.\n" in text
    assert "up to 2 " in text
    assert "\nBuild A Bud, Build A Vie\n" in text


def test_results_after_spring_count_no_centers() -> None:
    assert "Supply centers," not in results()


def test_no_report_shows_anothers_orders_before_the_phase_closes() -> None:
    playing = late(game(AUSTRIA=("A VIE - GAL",), FRANCE=("A PAR - PIC",)))
    mails: list[Context] = [
        receipts.receipt(BOARD, playing, "FRANCE", (), judge_code=CODE),
        listings.status(BOARD, playing, Player("FRANCE"), HANDLES, judge_code=CODE),
        listings.status(BOARD, playing, Observer(), HANDLES, judge_code=CODE),
        notices.reminder(BOARD, playing, "FRANCE", 4 * HOUR, judge_code=CODE),
        notices.late_notice(BOARD, playing, "FRANCE", judge_code=CODE),
        notices.takeover(BOARD, playing, "FRANCE", "FRANCE", judge_code=CODE),
    ]

    for mail in mails:
        assert "Galicia" not in render(mail).text


def test_a_moderator_sees_orders_only_where_the_rules_say_so() -> None:
    for sees, shown in ((ModeratorSees.NOTHING, False), (ModeratorSees.ORDERS, True)):
        playing = game(house_rules=HouseRules(moderator_sees=sees), FRANCE=("A PAR H",))
        mail = render(listings.status(BOARD, playing, Moderator(), HANDLES, judge_code=CODE)).text

        assert ("Orders of France" in mail) is shown


def test_a_gunboat_game_shows_a_player_no_name_but_their_own() -> None:
    gunboat = game(house_rules=HouseRules(anonymous=True))
    mails: list[Context] = [
        game_start.game_start(BOARD, gunboat, Player("FRANCE"), HANDLES, judge_code=CODE),
        listings.status(BOARD, gunboat, Player("FRANCE"), HANDLES, judge_code=CODE),
    ]

    for mail in mails:
        named = [handle for handle in HANDLES.values() if handle in render(mail).text]
        assert named == [HANDLES["FRANCE"]]


def test_a_receipt_says_first_that_two_orders_were_in_conflict() -> None:
    said = [order_status.OrderTaken(read_order("A PAR - BUR"), instead_of=read_order("A PAR H"))]
    receipt = render(receipts.receipt(BOARD, game(), "FRANCE", said, judge_code=CODE))

    assert receipt.subject == "JUDG:dogger - S1901M Receipt: CONFLICT"
    assert receipt.text.index("CONFLICT: ") < receipt.text.index("A Par-Bur")


@pytest.mark.parametrize(
    ("standing", "sentence"),
    [
        pytest.param((), "No orders received yet; 3 are due.", id="none"),
        pytest.param(("A PAR H",), "1 of 3 orders received.", id="some"),
        pytest.param(
            ("A PAR H", "A MAR H", "F BRE H"),
            "All 3 orders received.",
            id="all",
        ),
        pytest.param(
            ("A PAR - MOS", "A MAR H", "F BRE H"),
            "3 of 3 orders received, of which 1 cannot be carried out.",
            id="impossible",
        ),
    ],
)
def test_a_receipt_says_in_one_sentence_whether_more_is_needed(
    standing: tuple[str, ...], sentence: str
) -> None:
    receipt = receipts.receipt(BOARD, game(FRANCE=standing), "FRANCE", (), judge_code=CODE)

    assert f"\n\nFrance: {sentence}\n" in render(receipt).text


def test_a_game_that_needs_ready_says_so_until_it_is_given() -> None:
    standing = ("A PAR H", "A MAR H", "F BRE H")
    playing = game(house_rules=HouseRules(need_ready=True), FRANCE=standing)
    receipt = receipts.receipt(BOARD, playing, "FRANCE", (), judge_code=CODE)

    assert "3 of 3 orders received; this game also needs your READY." in render(receipt).text
    assert SuggestedReply("ready", "READY") in receipt.replies()


@pytest.mark.parametrize("standing", [(), ("A PAR H",), ("A PAR H", "A MAR H", "F BRE - MOS")])
def test_a_player_with_incomplete_orders_is_not_ready(standing: tuple[str, ...]) -> None:
    playing = game(house_rules=HouseRules(need_ready=True), FRANCE=standing)
    receipt = receipts.receipt(BOARD, playing, "FRANCE", (), judge_code=CODE)

    assert SuggestedReply("ready", "READY") not in receipt.replies()


@pytest.mark.parametrize(
    ("standing", "sentence"),
    [
        (("A STP B", "F SEV B", "A MOS B"), "Both orders received."),
        (("A STP B", "A MOS B", "A WAR B", "F SEV B"), "Both orders received."),
        (("A STP B", "F SEV B", "A MUN B"), "2 of 2 orders received, plus 1 that cannot be"),
        (("A STP B", "A MUN B"), "2 of 2 orders received, of which 1 cannot be"),
        (("A MUN B", "A BER B", "A STP B"), "1 of 2 orders received, plus 2 that cannot be"),
    ],
)
def test_no_more_builds_are_counted_than_are_due(standing: tuple[str, ...], sentence: str) -> None:
    due = board_of(
        "W1901A", {"BUL": "RUSSIA", "RUM": "RUSSIA"}, RUSSIA="A BUL, A RUM, A GAL, A UKR"
    )
    text = render(
        receipts.receipt(BOARD, game(due, RUSSIA=standing), "RUSSIA", (), judge_code=CODE)
    ).text

    assert sentence in " ".join(text.split())
    assert ("more builds than allowed" in text) is sentence.startswith("Both")


ALL = ("A PAR H", "A MAR H", "F BRE H")
TAKEN = order_status.OrderTaken(read_order("A PAR H"))
UNIT_HOLDS = "READY is set with orders missing"
LATE = "France is late at the deadline"
CHANGED = "Your earlier READY also covers"


@pytest.mark.parametrize(
    ("standing", "said", "told"),
    [
        pytest.param((), (), (UNIT_HOLDS, LATE), id="no orders"),
        pytest.param(("A PAR H",), (), (UNIT_HOLDS,), id="some orders"),
        pytest.param(ALL, (), (), id="all orders"),
        pytest.param(ALL, (TAKEN,), (CHANGED,), id="changed"),
        pytest.param(
            ALL, (TAKEN, receipts.CommandDone("ready")), (), id="changed, and said again"
        ),
        pytest.param((), (receipts.CommandDone("clear"),), (UNIT_HOLDS, LATE), id="cleared"),
        pytest.param(ALL, (receipts.CommandDone("wait"),), (), id="another command"),
    ],
)
def test_a_receipt_explains_what_ready_means_for_the_orders(
    standing: tuple[str, ...], said: tuple[receipts.Item, ...], told: tuple[str, ...]
) -> None:
    playing = game(FRANCE=standing)
    assert playing.phase
    playing = replace(playing, phase=replace(playing.phase, ready=frozenset({"FRANCE"})))
    text = render(receipts.receipt(BOARD, playing, "FRANCE", said, judge_code=CODE)).text

    words = " ".join(text.split())
    assert "READY is set" in words
    assert [each for each in (UNIT_HOLDS, LATE, CHANGED) if each in words] == [*told]
    assert ("NOT READY cancels it." in words) is bool(told)


def test_press_is_relayed_line_by_line_and_never_read_as_a_template() -> None:
    written = "{{7*7}} {% include 'x' %}\n\n\n\n   a table,  kept as it is" + " and long" * 20
    letter = press.press_email(BOARD, game(), sent("ITALY", "FRANCE"), written, judge_code=CODE)

    assert written in render(letter).text


def test_press_controls_no_terminal() -> None:
    letter = press.press_email(BOARD, game(), sent("ITALY", "FRANCE"), "\x1b[2J", judge_code=CODE)

    assert "\x1b" not in render(letter).text


@pytest.mark.parametrize(
    "item",
    [
        receipts.LineNotUnderstood(1, HOSTILE, (HOSTILE,)),
        receipts.LineUnclear(1, HOSTILE, HOSTILE, ("a", "b")),
        receipts.QuotedTextIgnored(1, (HOSTILE,)),
        press.PressReturned((HOSTILE,), None, (HOSTILE,)),
    ],
    ids=lambda item: type(item).__name__,
)
def test_a_quoted_line_is_literal_and_controls_no_terminal(item: receipts.Item) -> None:
    text = render(receipts.receipt(BOARD, game(), "FRANCE", [item], judge_code=CODE)).text

    assert "{{7*7}}" in text
    assert "\x1b" not in text
    assert "\r" not in text


def test_a_subject_is_one_line_whatever_is_asked() -> None:
    rendered = render(help_pages.help_page(None, {}, asked="x\nBcc: y", judge_code=CODE))

    assert rendered.subject == "JUDG - Help"


def test_the_deadline_line_names_the_phase_as_the_rest_of_the_email_does() -> None:
    winter = replace(RETREATS, phase=BOARD.calendar.following(RETREATS.phase), dislodged=())
    rendered = render(receipts.receipt(BOARD, game(winter), "AUSTRIA", (), judge_code=CODE))

    assert ":: Deadline: W1902A Fri Nov 27 2026 20:00:00 +0100\n" in rendered.text
    assert "W1902A" in rendered.subject


def test_a_deadline_is_given_in_the_games_zone_and_in_utc() -> None:
    text = render(receipts.receipt(BOARD, game(), "FRANCE", (), judge_code=CODE)).text

    assert "Fri 27 Nov 2026 20:00 Europe/Berlin (19:00 UTC)." in text


@pytest.mark.parametrize(
    ("zone", "written"),
    [
        ("UTC", "Fri 27 Nov 2026 19:00 UTC"),
        ("Europe/Berlin", "Fri 27 Nov 2026 20:00 Europe/Berlin (19:00 UTC)"),
        ("Asia/Tokyo", "Sat 28 Nov 2026 04:00 Asia/Tokyo (Fri 27 Nov 19:00 UTC)"),
    ],
)
def test_an_instant_names_the_utc_day_only_if_it_differs(zone: str, written: str) -> None:
    assert wrap(format_instant(DEADLINE, zone)) == written


def test_a_very_long_line_is_quoted_shortened() -> None:
    item = receipts.LineNotUnderstood(7, "A Par - " + "Bur" * 100)
    text = render(receipts.receipt(BOARD, game(), "FRANCE", [item], judge_code=CODE)).text

    assert "Line 7 was not understood" in text
    assert "BurBur\n...\n" in text
    assert text.count("Bur") < 100


def test_a_power_that_owes_nothing_is_told_so() -> None:
    retreating = receipts.receipt(BOARD, game(RETREATS), "ITALY", (), judge_code=CODE)

    assert "No orders are due from Italy in this phase." in render(retreating).text


LOST = replace(WINTER, owners={c: p for c, p in WINTER.owners.items() if p != "AUSTRIA"})
[OUT] = RETREATS.dislodged
NOWHERE = replace(OUT, unit=unit("ITALY", "A VEN"), retreats=())


@pytest.mark.parametrize(
    ("position", "asked"),
    [
        pytest.param(BOARD.start, set(BOARD.powers), id="movement"),
        pytest.param(replace(RETREATS, dislodged=(OUT, NOWHERE)), {"AUSTRIA"}, id="no retreat"),
        pytest.param(LOST, set(BOARD.powers) - {"AUSTRIA"}, id="all units must go"),
    ],
)
def test_only_powers_that_the_phase_waits_for_are_asked_for_orders(
    position: Position, asked: set[str]
) -> None:
    playing = game(position)
    needs = missing_orders(BOARD, playing)
    assert needs
    assert set(needs.owed) == asked

    for power in BOARD.powers:
        email = notices.takeover(BOARD, playing, power, power, judge_code=CODE)
        receipt = receipts.receipt(BOARD, playing, power, (), judge_code=CODE)
        assert ("You have no orders to send" in render(email).text) is (power not in asked)
        assert ("No orders are due" in render(receipt).text) is (power not in asked)


def test_no_order_is_asked_for_a_unit_without_a_retreat() -> None:
    beside = replace(OUT, unit=unit("AUSTRIA", "A BUD"), retreats=())
    playing = game(replace(RETREATS, dislodged=(OUT, beside)))
    text = render(notices.takeover(BOARD, playing, "AUSTRIA", "AUSTRIA", judge_code=CODE)).text

    assert "A Tri-Alb" in text
    assert "A Bud D" not in text


def test_a_player_of_a_forming_game_has_no_orders_to_see() -> None:
    text = render(listings.status(BOARD, forming(), Player("FRANCE"), {}, judge_code=CODE)).text

    assert "The game waits for 5 more players." in text
    assert "orders" not in text.lower()


def test_a_fleet_may_be_built_on_either_coast() -> None:
    text = render(results_of(board_of("F1901M", RUSSIA="A MOS"), "RUSSIA")).text

    assert "Build A Stp, Build F Stp(nc), Build F Stp(sc)" in text


@pytest.mark.parametrize(
    ("position", "reader", "understood"),
    [
        pytest.param(RETREATS, "AUSTRIA", 3, id="retreats"),
        pytest.param(WINTER, "RUSSIA", 4, id="builds"),
        pytest.param(WINTER, "TURKEY", 4, id="removals"),
    ],
)
def test_the_lines_to_choose_from_are_orders_that_can_be_carried_out(
    position: Position, reader: str, understood: int
) -> None:
    text = render(notices.takeover(BOARD, game(position), reader, reader, judge_code=CODE)).text

    duty = " ".join(text.partition(f" for {position.phase}: ")[2].split("\n\n")[0].split())
    orders = orders_in("\n".join(ORDER.findall(duty)), BOARD, position.phase.kind)
    assert len(orders) == understood
    assert [impossibility(BOARD, position, reader, order) for order in orders] == [
        None
    ] * understood
