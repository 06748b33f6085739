"""DAIDE sessions: the game is read from any client's log."""

from __future__ import annotations

import pytest

from judge.archive.formats.daide_session import FORMAT
from judge.archive.reading import UnreadableError
from judge.archive.records import Ending, EndKind, Seat, SeatKind
from judge.rules.types import Phase
from tests.unit.archive.reading import game_in, games_in, orders_of, units_of

START = """\
7,NME ( A d a ) ( v 2 )
7,,YES ( NME ( A d a ) ( v 2 ) )
7,,MAP ( s t a n d a r d )
7,,MDF ( AUS ENG ) ( ( ( AUS BUD ) ) ( ADR ) ) ( ( ADR ( FLT ALB ) ) )
7,,HLO ( ENG ) ( #1234 ) ( ( LVL #20 ) ( MTL #300 ) )
7,,SCO ( ENG LON EDI ) ( RUS STP ) ( UNO SPA )
7,,NOW ( SPR #1901 ) ( ENG FLT NTH ) ( ENG AMY LON ) ( RUS FLT ( STP SCS ) ) ( RUS FLT ECH )
"""
ORDERS = """\
7,SUB ( ( ENG FLT NTH ) CVY ( ENG AMY LON ) CTO NWY ) ( ( ENG AMY LON ) CTO NWY VIA ( NTH ) )
7,,THX ( ( ENG AMY LON ) CTO NWY VIA ( NTH ) ) ( MBV ),THX ( ( RUS AMY LON ) HLD ) ( NSU )
"""
RESULTS = """\
7,,ORD ( SPR #1901 ) ( ( ENG FLT NTH ) CVY ( ENG AMY LON ) CTO NWY ) ( SUC )
7,,ORD ( SPR #1901 ) ( ( ENG AMY LON ) MTO VIA ) ( SUC )
7,,ORD ( SPR #1901 ) ( ( RUS FLT ( STP SCS ) ) MTO GOB ) ( BNC RET )
7,,ORD ( SPR #1901 ) ( ( RUS FLT ECH ) SUP ( ENG AMY LON ) MTO NWY ) ( NSO )
7,,SCO ( ENG LON EDI ) ( RUS STP ) ( UNO SPA )
7,,NOW ( SUM #1901 ) ( ENG FLT NTH ) ( ENG AMY NWY ) ( RUS FLT ECH ) \
( RUS FLT ( STP SCS ) MRT ( FIN GOB ) )
"""


def test_positions_owners_and_orders_are_heard() -> None:
    first, second = game_in(FORMAT, START + ORDERS + RESULTS).phases

    assert units_of(first) == ["ENGLAND A LON", "ENGLAND F NTH", "RUSSIA F ENG", "RUSSIA F STP/SC"]
    assert first.position
    assert first.position.owners == {"LON": "ENGLAND", "EDI": "ENGLAND", "STP": "RUSSIA"}
    assert first.results_told
    assert second.phase == Phase.parse("S1901R")
    assert units_of(second)[-1] == "RUSSIA *F STP/SC"
    assert second.position
    assert second.position.dislodged[0].retreats == ("BOT", "FIN")


def test_what_the_server_garbles_is_as_it_was_submitted() -> None:
    phase, _ = game_in(FORMAT, START + ORDERS + RESULTS).phases

    assert orders_of(phase) == [
        "ENGLAND F NTH C A LON - NWY",
        "ENGLAND A LON - NTH - NWY",
        "RUSSIA F STP/SC - BOT",
        "RUSSIA F ENG S A LON - NWY",
    ]
    assert [each.results for each in phase.orders] == [(), (), ("bounce", "dislodged"), ("void",)]


def test_orders_without_a_report_have_no_results() -> None:
    (phase,) = game_in(FORMAT, START + ORDERS).phases

    assert [each.results for each in phase.orders] == [None, None]
    assert not phase.results_told


def test_a_server_that_says_no_such_order_of_a_move_does_not_say_how_anything_failed() -> None:
    vague = RESULTS.replace("( BNC RET )", "( NSO )")

    phase, _ = game_in(FORMAT, START + ORDERS + vague).phases

    assert [each.results for each in phase.orders] == [(), (), None, None]


def test_an_order_that_the_server_refuses_is_only_noted() -> None:
    (phase,) = game_in(FORMAT, START + ORDERS).phases

    assert phase.notes == ("( ( RUS AMY LON ) HLD ) NSU",)


def test_an_order_that_is_withdrawn_is_none() -> None:
    (phase,) = game_in(FORMAT, START + ORDERS + "7,NOT ( SUB ( ( ENG AMY LON ) HLD ) )\n").phases

    assert orders_of(phase) == ["ENGLAND F NTH C A LON - NWY"]


def test_a_message_to_several_clients_is_read_once() -> None:
    others = START.replace("7,", "8,").replace("ENG ) (", "RUS ) (")

    record = game_in(FORMAT, START + others + ORDERS + RESULTS + RESULTS.replace("7,", "8,"))

    assert [len(phase.orders) for phase in record.phases] == [4, 0]
    assert record.seats == (Seat("ENGLAND", "Ada v2"), Seat("RUSSIA", "Ada v2"))


def test_messages_need_no_client() -> None:
    bare = START.replace("7,,", "").replace("7,", "")

    assert len(game_in(FORMAT, bare).phases) == 1


def test_passcodes_are_not_kept() -> None:
    record = game_in(FORMAT, START)

    assert record.settings == {"LVL": "20", "MTL": "300"}
    assert "1234" not in repr(record)


def test_press_is_in_the_language_of_daide_or_in_plain_words() -> None:
    press = "7,,FRM ( RUS ) ( ENG ) ( PRP ( PCE ( ENG RUS ) ) )\n7,SND ( RUS ) ( 'no, thanks' )\n"

    one, two = game_in(FORMAT, START + press).press

    assert (one.sender, one.readers, one.text) == (
        "RUSSIA",
        ("ENGLAND",),
        "PRP ( PCE ( ENG RUS ) )",
    )
    assert (two.sender, two.readers, two.text) == ("ENGLAND", ("RUSSIA",), "no, thanks")
    assert two.phase == Phase.parse("S1901M")


def test_a_vote_for_a_draw_is_no_draw() -> None:
    assert game_in(FORMAT, START + "7,DRW\n7,,YES ( DRW )\n").ending is None


@pytest.mark.parametrize(
    ("said", "kind", "powers"),
    [
        pytest.param("DRW", EndKind.DRAW, ("ENGLAND", "RUSSIA"), id="all survivors"),
        pytest.param("DRW ( RUS )", EndKind.DRAW, ("RUSSIA",), id="some"),
        pytest.param("SLO ( ENG )", EndKind.SOLO, ("ENGLAND",), id="solo"),
        pytest.param(
            "SMR ( SPR #1901 ) ( ENG ( A ) ( 1 ) #18 ) ( RUS ( B ) ( 1 ) #0 #1900 )",
            EndKind.SOLO,
            ("ENGLAND",),
            id="by the summary",
        ),
    ],
)
def test_the_server_tells_how_it_ended(said: str, kind: EndKind, powers: tuple[str, ...]) -> None:
    record = game_in(FORMAT, f"{START}7,,{said}\n")

    assert record.ending == Ending(kind, powers, Phase.parse("S1901M"))


def test_a_power_in_civil_disorder_is_held_by_nobody() -> None:
    record = game_in(FORMAT, START + "7,,CCD ( RUS )\n")

    since = Phase.parse("S1901M")
    assert record.seats[-1] == Seat("RUSSIA", None, SeatKind.CIVIL_DISORDER, since=since)


def test_a_client_who_is_given_a_board_again_plays_another_game() -> None:
    first, second = games_in(FORMAT, START + ORDERS + START)

    assert (len(first.phases[0].orders), len(second.phases[0].orders)) == (2, 0)
    assert (second.name, second.source.first_line) == ("game.txt, game 2", 12)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(START[:-30], "is not a message: a bracket is not closed", id="truncated"),
        pytest.param(
            START + "7,,ORD ( SPR #1901 ) ( ( ENG FLT NTH ) XXX )\n",
            "game.txt:8: ( ( SPR #1901 ) ( ( ENG FLT NTH ) XXX ) ) is not an ORD message",
            id="no result",
        ),
        pytest.param(START + "\x00\x93\n", "is not a DAIDE message", id="binary"),
        pytest.param(
            START.replace("NTH", "N\ufffdH"), "game.txt:7: N\ufffdH is no", id="encoding"
        ),
        pytest.param(
            START.replace("( ENG AMY LON )", "( ENG AMY NTH )"),
            "game.txt:7: this unit cannot be there: ( ENG AMY NTH )",
            id="at sea",
        ),
        pytest.param(
            START.replace("( ENG AMY LON )", "( RUS FLT NTH )"),
            "game.txt:7: a second unit in NTH",
            id="two units",
        ),
        pytest.param(
            START + START[START.index("7,,NOW") :].replace("AMY LON", "AMY WAL"),
            "game.txt:8: contradicts an earlier message: S1901M",
            id="contradiction",
        ),
        pytest.param(START[: START.index("7,,SCO")], "game.txt: no position", id="no game"),
    ],
)
def test_a_line_not_understood_is_reported_with_its_number(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        game_in(FORMAT, text)

    assert complaint in str(caught.value)
