"""Records as the imported past of a game in the log, and logged games as records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from judge.archive.log_conversion import (
    UnimportableRecordError,
    import_event,
    past_for_branch,
    past_from_record,
    phase_from_event,
    phase_to_event,
    record_from_log,
)
from judge.archive.records import (
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    Seat,
    Source,
    WrittenOrder,
    YearChart,
)
from judge.event_log import Event, Recorded
from judge.game.clock import ProcessNow
from judge.game.commands import Command, decide
from judge.game.decision import Accepted
from judge.game.events import CODEC, replay
from judge.game.house_rules import HouseRules
from judge.game.phases import PhaseRecorded
from judge.game.players.creation import CreateGame, GameBranched, PastGame
from judge.game.players.standbys import JoinGame
from judge.game.voting import GameEnded
from judge.notation.order_text import read_order
from judge.rules.rulebook import DATC, rulebook_named
from judge.rules.types import Phase, Position, Unit, UnitKind
from tests.support.event_store import MemoryEventStore
from tests.support.recorded_game import BOARD, RULEBOOK, game_10713
from tests.unit.game.table import given, happened, in_phase, submit

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
FALL_1905 = Phase.parse("F1905M")
BY_OPERATOR = ProcessNow("operator")


def past(record: Record, at: str | None = None) -> PastGame:
    origin = import_event(record)
    return past_from_record(
        BOARD, record, rulebook_named(RULEBOOK), origin, Phase.parse(at) if at else None
    )


def year_1901() -> Record:
    """Return the game as far as the orders of Fall 1901."""
    return replace(game_10713(), phases=game_10713().phases[:2])


def refusal(record: Record, at: str | None = None) -> str:
    with pytest.raises(UnimportableRecordError) as refused:
        past(record, at)
    return str(refused.value)


def codes(phases: Iterable[PhaseRecorded]) -> list[str]:
    return [each.phase for each in phases]


def kept(*events: Event) -> list[Recorded]:
    """Return *events* as they come out of a store."""
    store = MemoryEventStore(CODEC)
    store.append("game", 0, events, NOW)
    return list(store.read("game"))


def log_of(past: PastGame) -> list[Recorded]:
    answer = decide(
        BOARD,
        None,
        CreateGame("g", "standard", rulebook_named(RULEBOOK), HouseRules(), past=past),
        NOW,
    )
    assert isinstance(answer, Accepted)
    return kept(*answer.events)


# From a record


def test_play_goes_on_where_it_is_wanted_and_what_came_after_is_left_out() -> None:
    found = past(game_10713(), "F1905M")

    recorded = {each.phase: each.position for each in game_10713().phases}
    assert found.then == recorded[FALL_1905]
    assert codes(found.phases)[0] == "S1901M"
    assert codes(found.phases)[-1] == "S1905M"
    assert not any(each.by_law for each in found.phases)


def test_without_a_wish_it_goes_on_after_the_last_phase_as_the_law_has_it() -> None:
    found = past(year_1901())

    assert codes(found.phases) == ["S1901M", "F1901M"]
    assert found.then == game_10713().phases[2].position


def test_a_position_without_orders_at_the_end_is_where_it_goes_on() -> None:
    first, second, *_ = game_10713().phases

    found = past(replace(game_10713(), phases=(first, replace(second, orders=()))))

    assert codes(found.phases) == ["S1901M"]
    assert found.then == second.position


def test_orders_that_were_not_understood_are_not_guessed_at() -> None:
    first, second, *_ = game_10713().phases
    doubted = replace(second, orders=(WrittenOrder("FRANCE", "A Par with bob@x.example", None),))

    found = past(replace(game_10713(), phases=(first, doubted), ending=draw()))

    assert found.phases[-1].orders == ({"power": "FRANCE", "order": None, "results": None},)
    assert not found.phases[-1].by_law


def draw() -> Ending:
    return Ending(EndKind.DRAW, ("FRANCE", "RUSSIA"), Phase.parse("F1901M"), "agreed")


def test_a_game_that_ended_is_over_unless_it_is_to_go_on() -> None:
    ended = replace(year_1901(), ending=draw())
    undated = replace(ended, ending=replace(draw(), phase=None))

    assert past(ended).then == GameEnded("F1901M", "draw", ("FRANCE", "RUSSIA"))
    assert past(undated).then == GameEnded("W1901A", "draw", ("FRANCE", "RUSSIA"))
    assert [each.by_law for each in past(ended).phases] == [False, False, True]
    assert isinstance(past(ended, "W1901A").then, Position)


def won() -> RecordedPhase:
    owners = dict.fromkeys(BOARD.centers[:18], "TURKEY") | {"STP": "RUSSIA"}
    phase = Phase.parse("S1912M")
    return RecordedPhase(phase, Position(phase, BOARD.start.units, owners))


def test_a_game_that_somebody_has_won_is_over() -> None:
    record = replace(game_10713(), phases=(*game_10713().phases[:3], won()))

    assert past(record).then == GameEnded("S1912M", "solo", ("TURKEY",))
    assert refusal(record, "S1912M") == "in S1912M TURKEY has won already"


def test_the_last_edition_of_a_report_counts() -> None:
    first, second, *_ = game_10713().phases
    edited = replace(first, edition=2, orders=())

    found = past(replace(game_10713(), phases=(first, edited, second)), "F1901M")

    assert [each.orders for each in found.phases] == [()]


def test_phases_of_which_nobody_knows_the_position_are_left_out() -> None:
    first, second, third, *_ = game_10713().phases
    gap = RecordedPhase(second.phase, None)
    record = replace(game_10713(), phases=(first, gap, third))

    assert codes(past(record, third.phase.code).phases) == ["S1901M"]
    assert refusal(record, "F1901M") == (
        "'10713' has no position of F1901M, but of S1901M, W1901A, S1902M"
    )


def test_charts_of_the_year_s_ends_alone_are_no_past() -> None:
    charts = (YearChart(1901, {"FRANCE": 5}),)
    record = replace(game_10713(), phases=(), charts=charts)

    assert refusal(record) == "'10713' has no position of the standard board"


def test_another_board_is_none_of_ours() -> None:
    assert "no position of the standard board" in refusal(
        replace(game_10713(), variant="youngstown")
    )


def test_no_game_continues_without_known_owners() -> None:
    first, second, *_ = game_10713().phases
    assert second.position
    bare = replace(second, position=replace(second.position, owners={}))
    record = replace(game_10713(), phases=(first, bare))

    assert refusal(record, "F1901M") == "nobody knows who owned what in F1901M"


def test_no_event_says_who_played_or_where_a_file_lay() -> None:
    seats = (Seat("FRANCE", "Marie Curie", address="marie@players.example"),)
    source = Source("njudge", "/games/of marie/mails of marie@players.example.mbox", "0" * 64)
    record = replace(game_10713(), seats=seats, gamemaster="Pierre", source=source)

    log = " ".join(CODEC.encode(each.event).payload for each in log_of(past(record)))

    assert "mails of [address]" in log
    for secret in ("Curie", "Pierre", "of marie", "@"):
        assert secret not in log


def test_a_game_without_a_name_is_called_by_its_file() -> None:
    unnamed = replace(game_10713(), name="games/10713.txt")

    assert import_event(unnamed).record == import_event(unnamed).source == "10713.txt"


# There and back


def test_a_recorded_phase_comes_back_out_of_the_log() -> None:
    phase = in_phase("F1901M", {"FRANCE": "A PAR, A BRE"}).position
    assert phase
    told = RecordedPhase(
        phase.phase,
        phase,
        (
            WrittenOrder("FRANCE", "A PAR - BUR", read_order("A PAR - BUR"), ()),
            WrittenOrder("FRANCE", "A BRE - PAR", read_order("A BRE - PAR"), ("bounce",)),
            WrittenOrder("ITALY", "", None),
        ),
        removed=(("ITALY", Unit("ITALY", UnitKind.ARMY, "ROM")),),
        results_told=True,
    )
    encoded = CODEC.encode(phase_to_event(told))

    back = CODEC.decode(encoded.type, encoded.schema, encoded.payload)

    assert isinstance(back, PhaseRecorded)
    assert phase_from_event(back) == told


def test_a_game_that_was_taken_in_comes_out_as_it_was_recorded() -> None:
    record = replace(game_10713(), ending=draw())

    back = record_from_log(BOARD, log_of(past(record)))

    assert back.phases == record.phases
    assert (back.rulebook, back.ending) == (RULEBOOK, replace(draw(), reason=""))
    assert back.source.format == "log"


def test_phases_played_here_are_exported_with_their_results() -> None:
    game = in_phase(
        "S1905M", {"FRANCE": "A PAR, A BUR", "ITALY": "F TUS, A PIE", "TURKEY": "F LYO"}
    )
    game = given(
        game,
        submit("FRANCE", "A Par-Bur, A Bur-Mar"),
        submit("ITALY", "A Pie-Mar, F Tus-Lyo"),
    )
    (closed, *_) = happened(game, BY_OPERATOR)
    assert game.position

    record = record_from_log(BOARD, kept(*_in_play(game.position), closed))

    (phase, after) = record.phases
    assert [(each.power, each.text, each.results) for each in phase.orders] == [
        ("FRANCE", "A PAR - BUR", ("bounce",)),
        ("FRANCE", "A BUR - MAR", ("bounce",)),
        ("ITALY", "A PIE - MAR", ("bounce",)),
        ("ITALY", "F TUS - LYO", ("bounce",)),
    ]
    assert after.phase == Phase.parse("F1905M")


def test_a_unit_that_was_destroyed_and_one_taken_off_are_told() -> None:
    at_sea = {"ENGLAND": "F NTH, F HOL", "GERMANY": "F HEL, F KIE, F DEN, A RUH, A BEL"}
    game = given(
        in_phase("F1905M", at_sea),
        submit("GERMANY", "A Ruh-Hol, A Bel S A Ruh-Hol"),
        submit("ENGLAND", "F Hol H"),
    )
    winter = given(in_phase("W1905A", {"TURKEY": "A CON, A SMY"}, {"TURKEY": "CON"}))
    (moved, *_), (removed, *_) = happened(game, BY_OPERATOR), happened(winter, BY_OPERATOR)
    assert game.position
    assert winter.position

    (phase, _) = record_from_log(BOARD, kept(*_in_play(game.position), moved)).phases
    (adjusted, _) = record_from_log(BOARD, kept(*_in_play(winter.position), removed)).phases

    told = {each.text: each.results for each in phase.orders}
    assert told["F HOL H"] == ("destroyed",)
    assert [str(unit) for _, unit in adjusted.removed] == ["A SMY"]


def _in_play(position: Position) -> list[Event]:
    """Return the events that bring a game to *position*."""
    origin = GameBranched("parent", 1, "0" * 64, None)
    answer = decide(
        BOARD,
        None,
        CreateGame("g", "standard", DATC, HouseRules(), past=PastGame(origin, (), position)),
        NOW,
    )
    assert isinstance(answer, Accepted)
    return list(answer.events)


# Branches


def played_on() -> list[Recorded]:
    """Return the log of a game imported at Spring 1905 and continued for a phase."""
    log = log_of(past(game_10713(), "S1905M"))
    game = replay(BOARD, log)
    assert game
    join = JoinGame("france", (), "seed", "FRANCE")
    events = [each.event for each in log]
    commands: tuple[Command, ...] = (join, submit("FRANCE", "A Bre H"), BY_OPERATOR)
    for command in commands:
        answer = decide(BOARD, game, command, NOW)
        assert isinstance(answer, Accepted), answer
        events += answer.events
        game = replay(BOARD, kept(*events))
    ordered = decide(BOARD, game, submit("FRANCE", "A Mar-Pie"), NOW)
    assert isinstance(ordered, Accepted), ordered
    return kept(*events, *ordered.events)


def branch(log: list[Recorded], at: str) -> PastGame:
    return past_for_branch(BOARD, log, rulebook_named(RULEBOOK), Phase.parse(at))


def test_a_branch_parts_at_a_phase_that_was_played_elsewhere() -> None:
    log = played_on()

    found = branch(log, "F1903M")

    assert codes(found.phases)[-1] == "S1903R"
    assert isinstance(found.origin, GameBranched)
    event = log[found.origin.version - 1]
    assert found.origin.head == event.hash
    assert isinstance(event.event, PhaseRecorded)
    assert event.event.phase == "F1903M"


def test_a_branch_at_the_open_phase_has_what_is_public_and_nothing_else() -> None:
    log = played_on()
    game = replay(BOARD, log)
    assert game
    assert game.position
    assert game.phase

    found = branch(log, game.position.phase.code)

    assert found.then == game.position
    assert codes(found.phases)[-1] == "S1905M"
    closed = {each["order"]: each["results"] for each in found.phases[-1].orders}
    assert closed == {"A BRE H": ()}
    events = " ".join(CODEC.encode(each.event).payload for each in log_of(found))
    assert game.phase.standing["FRANCE"] == ("A MAR - PIE",)
    assert game.phase.nonces["FRANCE"] not in events
    assert "france" not in events  # who plays


def test_there_is_no_branch_where_no_phase_was() -> None:
    with pytest.raises(UnimportableRecordError, match="the game has no position of F1999M"):
        branch(played_on(), "F1999M")


def test_no_game_continues_after_a_solo() -> None:
    log = log_of(past(replace(game_10713(), phases=(won(),))))

    with pytest.raises(UnimportableRecordError, match="TURKEY has won"):
        branch(log, "S1912M")
