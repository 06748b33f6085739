"""The contract that every event store fulfils."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from judge.event_log import GENESIS, EventStore, Head, StaleStreamError, Vouched, verify_chain
from judge.game.phases import PhaseOpened
from judge.game.players.joining import PlayerJoined, PlayerLeft

Log: TypeAlias = Callable[[], AbstractContextManager[EventStore]]

NOON = datetime(2026, 11, 27, 12, 0, 0, 123456, UTC)
ANNA, BORIS = PlayerJoined("anna", (("FRANCE",),)), PlayerJoined("boris", (("ITALY", "TURKEY"),))
GONE = PlayerLeft("anna")


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def test_a_game_that_nobody_wrote_to_has_no_events(log: Log) -> None:
    with log() as events:
        assert events.head("garnet") == Head(0, GENESIS)
        assert not events.read("garnet")
        assert not events.games()


def test_appended_events_are_read_back(log: Log) -> None:
    with log() as events:
        appended = events.append("garnet", 0, [ANNA, BORIS], NOON)

    with log() as events:
        assert events.read("garnet") == appended
        assert [(each.version, each.event) for each in appended] == [(1, ANNA), (2, BORIS)]
        assert {each.recorded_utc for each in appended} == {NOON}


def test_the_head_is_the_last_event(log: Log) -> None:
    with log() as events:
        appended = events.append("garnet", 0, [ANNA, BORIS], NOON)
    with log() as events:
        assert events.head("garnet") == Head(2, appended[-1].hash)


def test_appending_to_an_outdated_version_is_refused(log: Log) -> None:
    with log() as events:
        events.append("garnet", 0, [ANNA], NOON)

    with log() as events, pytest.raises(StaleStreamError):
        events.append("garnet", 0, [BORIS], NOON)
    with log() as events, pytest.raises(StaleStreamError):
        events.append("garnet", 2, [BORIS], NOON)
    with log() as events:
        assert [each.event for each in events.read("garnet")] == [ANNA]


def test_appending_nothing_changes_nothing(log: Log) -> None:
    with log() as events:
        assert not events.append("garnet", 0, [], NOON)
        assert not events.games()


def test_each_game_counts_its_own_versions(log: Log) -> None:
    with log() as events:
        events.append("topaz", 0, [ANNA], NOON)
        events.append("garnet", 0, [BORIS], NOON)
        events.append("topaz", 1, [GONE], NOON)

        assert [each.version for each in events.read("topaz")] == [1, 2]
        assert [each.version for each in events.read("garnet")] == [1]


def test_games_are_named_in_the_order_in_which_they_began(log: Log) -> None:
    with log() as events:
        events.append("topaz", 0, [ANNA], NOON)
        events.append("garnet", 0, [BORIS], NOON)

        assert tuple(events.games()) == ("topaz", "garnet")


def test_reading_can_begin_behind_what_is_known(log: Log) -> None:
    with log() as events:
        events.append("garnet", 0, [ANNA, BORIS], NOON)
        assert [each.event for each in events.read("garnet", after=1)] == [BORIS]


def test_an_instant_is_kept_whatever_zone_it_was_given_in(log: Log) -> None:
    with log() as events:
        events.append("garnet", 0, [ANNA], NOON.astimezone(timezone(timedelta(hours=9))))

        assert events.read("garnet")[0].recorded_utc == NOON


def test_the_log_as_stored_is_a_valid_chain(log: Log) -> None:
    with log() as events:
        events.append("garnet", 0, [ANNA, BORIS], NOON)
        events.append("garnet", 2, [GONE], NOON)

        assert verify_chain("garnet", events.rows("garnet"), events.head("garnet")) is None


def test_what_a_person_lets_stand_is_remembered_and_the_last_word_counts(log: Log) -> None:
    first = Vouched(Head(2, "a" * 64), "b" * 64, "I mended a name", NOON)
    last = Vouched(Head(3, "c" * 64), "d" * 64, "and another", NOON)
    with log() as events:
        assert events.vouched("garnet") is None
        events.vouch("garnet", first)
    with log() as events:
        assert events.vouched("garnet") == first
        events.vouch("garnet", last)
        assert events.vouched("garnet") == last
        assert events.vouched("topaz") is None


def test_the_chain_is_what_the_document_says(log: Log) -> None:
    with log() as events:
        recorded = events.append("grün", 0, [ANNA, GONE], NOON)

    written = {"game": "grün", "recorded_utc": "2026-11-27T12:00:00.123456Z", "schema": 1}
    joined = {"type": "player_joined", "version": 1, "payload": asdict(ANNA)}
    left = {"type": "player_left", "version": 2, "payload": {"person": "anna"}}
    first = sha256(b"0" * 64 + canonical(written | joined)).hexdigest()
    second = sha256(first.encode() + canonical(written | left)).hexdigest()
    assert [each.hash for each in recorded] == [first, second]


def test_r40_eight_writers_leave_no_gap_and_the_losers_are_told(log: Log) -> None:
    def write(writer: int) -> int:
        lost = written = 0
        while written < 10:
            with log() as events:
                expected = events.head("garnet").version
            try:
                with log() as events:
                    events.append("garnet", expected, [PlayerLeft(f"{writer}.{written}")], NOON)
                written += 1
            except StaleStreamError:
                lost += 1
        return lost

    with ThreadPoolExecutor(8) as writers:
        list(writers.map(write, range(8)))

    with log() as events:
        recorded = events.read("garnet")
        assert [each.version for each in recorded] == list(range(1, 81))
        assert len({each.event for each in recorded}) == 80
        assert verify_chain("garnet", events.rows("garnet"), events.head("garnet")) is None


def test_r41_a_reader_sees_every_event_once_and_in_order_while_others_write(
    log: Log,
) -> None:
    count = 40

    def write(game: str) -> None:
        for number in range(count):
            with log() as events:
                events.append(game, number, [PlayerLeft(f"{number}")], NOON)

    def read(game: str) -> list[int]:
        seen: list[int] = []
        while len(seen) < count:
            with log() as events:
                seen += [each.version for each in events.read(game, after=len(seen))]
        return seen

    games = ("garnet", "topaz", "amber", "jade")
    with ThreadPoolExecutor(2 * len(games)) as threads:
        reading = [threads.submit(read, game) for game in games]
        list(threads.map(write, games))
        assert [each.result() for each in reading] == [list(range(1, count + 1))] * len(games)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(value={"": (), "\x00": (None, True, False, {"é": {}})})
@example(value=(0, -1, 2**53 + 1, -(2**63), 2**64, 10**30))
@example(value=("", "\x00", "\ud7ff", "\u2028", "e\u0301", "\U0001f600", '"\\/'))
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
        lambda inner: st.lists(inner).map(tuple) | st.dictionaries(st.text("aé\x00"), inner),
        max_leaves=8,
    )
)
def test_every_payload_value_comes_back(log: Log, value: object) -> None:
    opened = PhaseOpened("S1901M", 1, {"x": value}, "", "", "")  # type: ignore[dict-item]  # any Value
    with log() as events:
        version = events.head("garnet").version
        events.append("garnet", version, [opened], NOON)

    with log() as events:
        assert events.read("garnet", after=version)[0].event == opened
