"""Strategies for records with every field filled, built around random games."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from random import Random  # noqa: TID251 seeded by Hypothesis

from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.archive.records import (
    RESULTS,
    Doubt,
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    RecordedPress,
    Seat,
    SeatKind,
    Source,
    WrittenOrder,
    YearChart,
)
from judge.rules.types import Phase, SupportHold, Unit, UnitKind, UnitName
from tests.properties.random_records import played

BOARD = load_map()
words = st.text(min_size=1, max_size=8)
lines = st.none() | st.integers(1, 9_999)
powers = st.sampled_from(BOARD.powers)
centers = st.sampled_from(BOARD.centers)
phases = st.sampled_from(["S1901M", "F1901R", "W1902A", "S1950M"]).map(Phase.parse)
times = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=-5))]))
names = st.dictionaries(words, st.text(max_size=8), max_size=2)
supports = st.builds(
    SupportHold,
    st.builds(UnitName, st.none() | st.sampled_from(UnitKind), centers),
    st.builds(UnitName, st.none() | st.sampled_from(UnitKind), centers, st.none() | powers),
)
written = st.builds(
    WrittenOrder,
    power=powers,
    text=st.text(max_size=8),
    order=st.none() | supports,
    results=st.none() | st.lists(st.sampled_from(RESULTS), max_size=2).map(tuple),
    line=lines,
)
removed = st.tuples(powers, centers).map(lambda at: (at[0], Unit(at[0], UnitKind.ARMY, at[1])))
gaps = st.builds(
    RecordedPhase,
    phase=phases,
    position=st.none(),
    orders=st.lists(written, max_size=3).map(tuple),
    removed=st.lists(removed, max_size=2).map(tuple),
    results_told=st.booleans(),
    deadline=st.none() | times,
    reported=st.none() | times,
    edition=st.integers(1, 3),
    first_line=lines,
    last_line=lines,
    notes=st.lists(words, max_size=2).map(tuple),
)
press = st.builds(
    RecordedPress,
    phase=st.none() | phases,
    sender=st.none() | words,
    readers=st.lists(words, max_size=3).map(tuple),
    text=st.text(max_size=20),
    sent=st.none() | times,
    line=lines,
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    chance = Random(draw(st.integers(0, 2**32)))  # noqa: S311 no secret
    game = played(BOARD, chance, phases=draw(st.integers(1, 5)))
    due = draw(st.dictionaries(powers, st.integers(-3, 3), max_size=2))
    last = game.phases[-1]
    assert last.position
    open_phase = replace(last, position=replace(last.position, builds=due))
    seat = st.builds(
        Seat,
        power=powers,
        player=st.none() | words,
        hold=st.sampled_from(SeatKind),
        since=st.none() | phases,
        until=st.none() | phases,
        address=st.none() | words,
    )
    chart = st.builds(
        YearChart,
        year=st.integers(1901, 1950),
        counts=st.dictionaries(powers, st.integers(0, 18)),
        owners=st.dictionaries(centers, powers, max_size=3),
    )
    ending = st.builds(
        Ending,
        kind=st.sampled_from(EndKind),
        powers=st.lists(powers, max_size=3).map(tuple),
        phase=st.none() | phases,
        reason=st.text(max_size=8),
    )
    doubt = st.builds(Doubt, line=lines, text=st.text(max_size=8), why=words)
    return replace(
        game,
        name=draw(words),
        source=draw(st.builds(Source, words, words, words, st.integers(1, 9), lines)),
        rulebook=draw(st.none() | words),
        numbers=draw(names),
        gamemaster=draw(st.none() | words),
        zine=draw(st.none() | words),
        issue=draw(st.none() | words),
        seats=tuple(draw(st.lists(seat, max_size=3))),
        phases=(*game.phases[:-1], open_phase, *draw(st.lists(gaps, max_size=2))),
        press=tuple(draw(st.lists(press, max_size=4))),
        charts=tuple(draw(st.lists(chart, max_size=2))),
        ending=draw(st.none() | ending),
        settings=draw(names),
        doubts=tuple(draw(st.lists(doubt, max_size=2))),
    )


# What Hypothesis draws differs in its next release; this is always tried: each field is filled.
STRANGE = '\0\u2028\r\n"=\\ #\U0001f600\t'
WHEN = datetime(1901, 1, 1, 0, 0, 0, 1, tzinfo=timezone(timedelta(hours=-5)))
FIRST, LAST = Phase.parse("S1901M"), Phase.parse("W1902A")
SUPPORT = SupportHold(UnitName(None, "BUD"), UnitName(UnitKind.ARMY, "VIE", "AUSTRIA"))
PLAYED = played(BOARD, Random(1), phases=5)  # noqa: S311 no secret
GAP = RecordedPhase(
    LAST,
    None,
    (
        WrittenOrder("AUSTRIA", STRANGE, None, None, 9_999),
        WrittenOrder("AUSTRIA", "", SUPPORT, ()),
        WrittenOrder("TURKEY", STRANGE, SUPPORT, tuple(RESULTS), 1),
    ),
    (("TURKEY", Unit("TURKEY", UnitKind.ARMY, "CON")),),
    results_told=True,
    deadline=WHEN,
    reported=WHEN,
    edition=3,
    first_line=1,
    last_line=9_999,
    notes=(STRANGE, ""),
)
FULL = replace(
    PLAYED,
    name=STRANGE,
    source=Source(STRANGE, STRANGE, STRANGE, 9, 9_999),
    rulebook=STRANGE,
    numbers={STRANGE: STRANGE, "": ""},
    gamemaster=STRANGE,
    zine=STRANGE,
    issue=STRANGE,
    seats=tuple(Seat("ITALY", STRANGE, kind, FIRST, LAST, STRANGE) for kind in SeatKind),
    phases=(*PLAYED.phases, GAP, replace(GAP, phase=FIRST, edition=1)),
    press=(
        RecordedPress(FIRST, STRANGE, (STRANGE, "FRANCE"), STRANGE, WHEN, 1),
        RecordedPress(None, None, (), ""),
    ),
    charts=(YearChart(1901, {"FRANCE": 0, "ITALY": 18}, {"BUD": "FRANCE"}), YearChart(1950, {})),
    ending=Ending(EndKind.DRAW, ("FRANCE", "FRANCE"), LAST, STRANGE),
    settings={STRANGE: STRANGE},
    doubts=(Doubt(None, "", STRANGE), Doubt(9_999, STRANGE, STRANGE)),
)
