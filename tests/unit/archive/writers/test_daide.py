"""A record as a DAIDE session, as an observer would receive it."""

from __future__ import annotations

from judge.archive.formats.daide_session import FORMAT
from judge.archive.formats.daide_writer import write_record
from judge.archive.records import (
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    RecordedPress,
    Source,
    WrittenOrder,
)
from judge.notation.order_text import read_order
from judge.rules.types import DislodgedUnit, Phase, Position, SupportHold, Unit, UnitKind, UnitName
from tests.unit.archive.reading import BOARD, game_in

SPRING = Phase.parse("S1901M")
LONDON = Unit("ENGLAND", UnitKind.ARMY, "LON")
CHANNEL = Unit("FRANCE", UnitKind.FLEET, "ENG")
BEFORE = Position(SPRING, (LONDON, CHANNEL), {"LON": "ENGLAND"})


def test_an_order_is_reported_with_its_result_or_submitted_without_one() -> None:
    text = written(
        WrittenOrder("ENGLAND", "", read_order("A LON - ENG - BEL"), ("no convoy", "dislodged")),
        WrittenOrder("FRANCE", "", read_order("F ENG S A LON - WAL")),
    )

    assert text.splitlines()[3:] == [
        "1,,ORD ( SPR #1901 ) ( ( ENG AMY LON ) CTO BEL VIA ( ECH ) ) ( DSR RET )",
        "1,SUB ( SPR #1901 ) ( ( FRA FLT ECH ) SUP ( ENG AMY LON ) MTO WAL )",
    ]


def test_a_dislodged_unit_must_retreat() -> None:
    autumn = Phase.parse("F1901R")
    waiting = DislodgedUnit(CHANNEL, "NTH", attacker_convoyed=False, retreats=("BRE", "MAO"))
    record = recorded(RecordedPhase(autumn, Position(autumn, (LONDON,), {}, (waiting,))))

    now = "".join(write_record(record, BOARD)).splitlines()[2]

    expected = "1,,NOW ( AUT #1901 ) ( ENG AMY LON ) ( FRA FLT ECH MRT ( BRE MAO ) )"
    assert now == expected


def test_an_order_for_what_nobody_knows_is_left_out() -> None:
    nobody = SupportHold(UnitName(UnitKind.ARMY, "LON"), UnitName(None, "WAL"))

    assert "SUB" not in written(WrittenOrder("ENGLAND", "lon s wal", nobody))


def test_press_and_ending_are_told() -> None:
    press = RecordedPress(SPRING, "ENGLAND", ("FRANCE",), "Don't, please")
    ending = Ending(EndKind.DRAW, ("ENGLAND", "FRANCE"), SPRING)

    again = game_in(FORMAT, "".join(write_record(recorded(press=(press,), ending=ending), BOARD)))

    assert [each.text for each in again.press] == ["Don\u2019t, please"]
    assert again.ending == ending


def written(*orders: WrittenOrder) -> str:
    return "".join(write_record(recorded(RecordedPhase(SPRING, BEFORE, orders)), BOARD))


def recorded(
    phase: RecordedPhase | None = None,
    press: tuple[RecordedPress, ...] = (),
    ending: Ending | None = None,
) -> Record:
    told = phase or RecordedPhase(SPRING, BEFORE)
    return Record(name="", source=Source("", "", ""), phases=(told,), press=press, ending=ending)
