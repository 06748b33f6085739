"""A changed log is detected, and the first bad event named."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from judge.event_log import (
    GENESIS,
    CodecError,
    Damage,
    Flaw,
    Head,
    Row,
    Vouched,
    canonical_row,
    chain_hash,
    digest_rows,
    seal,
    unseal,
    verify_chain,
    vouched_head,
)
from judge.game.events import CODEC
from judge.game.players.joining import PlayerLeft

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
LOG = tuple(seal(CODEC, "garnet", Head(), [PlayerLeft(f"p{n}") for n in range(1, 6)], NOON))
HEAD = Head(5, LOG[-1].hash)


def flaw(rows: tuple[Row, ...], head: Head = HEAD) -> Flaw | None:
    return verify_chain("garnet", rows, head)


def altered(version: int, **changes: str | int) -> tuple[Row, ...]:
    return tuple(
        replace(row, **changes) if row.version == version else row  # type: ignore[arg-type]  # any field
        for row in LOG
    )


def test_a_log_that_nobody_touched_is_whole() -> None:
    assert flaw(LOG) is None
    assert flaw((), Head()) is None


def test_an_event_without_a_time_is_refused() -> None:
    with pytest.raises(CodecError, match="no time"):
        unseal(CODEC, replace(LOG[0], recorded_utc="at noon"))


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"payload": '{"person":"p9"}'}, id="another payload"),
        pytest.param({"payload": '{"person": "p3"}'}, id="a space in the payload"),
        pytest.param({"recorded_utc": "2026-11-27T12:00:00.000001Z"}, id="another time"),
        pytest.param({"type": "player_joined"}, id="another type"),
        pytest.param({"schema": 2}, id="another schema"),
        pytest.param({"hash": "f" * 64}, id="another hash"),
    ],
)
def test_an_event_that_was_altered_is_named(changes: dict[str, str]) -> None:
    assert flaw(altered(3, **changes)) == Flaw("garnet", 3, Damage.ALTERED)


def test_an_event_that_was_removed_is_named() -> None:
    assert flaw(LOG[:2] + LOG[3:]) == Flaw("garnet", 3, Damage.MISSING)
    assert flaw(LOG[1:]) == Flaw("garnet", 1, Damage.MISSING)


def test_a_gap_that_was_closed_by_counting_anew_is_noticed() -> None:
    moved = tuple(replace(row, version=row.version - 1) for row in LOG[3:])
    assert flaw(LOG[:2] + moved, Head(4, HEAD.hash)) == Flaw("garnet", 3, Damage.ALTERED)


def test_two_events_that_changed_places_are_noticed() -> None:
    second, third = replace(LOG[1], version=3), replace(LOG[2], version=2)
    assert flaw((LOG[0], third, second, *LOG[3:])) == Flaw("garnet", 2, Damage.ALTERED)


def test_a_log_that_was_cut_off_is_noticed() -> None:
    assert flaw(LOG[:4]) == Flaw("garnet", 5, Damage.TRUNCATED)
    assert flaw(()) == Flaw("garnet", 1, Damage.TRUNCATED)


def test_an_event_that_the_head_does_not_count_is_noticed() -> None:
    assert flaw(LOG, Head(4, LOG[3].hash)) == Flaw("garnet", 5, Damage.ADDED)


def test_a_chain_that_was_made_anew_does_not_end_in_the_head() -> None:
    forged, previous = [], GENESIS
    for row in altered(3, payload='{"person":"p9"}'):
        previous = chain_hash(previous, canonical_row(row))
        forged.append(replace(row, hash=previous))

    assert flaw(tuple(forged)) == Flaw("garnet", 5, Damage.ALTERED)


def test_the_log_of_another_game_is_not_this_one() -> None:
    other = tuple(seal(CODEC, "topaz", Head(), [PlayerLeft("p1")], NOON))
    renamed = tuple(replace(row, game="garnet") for row in other)

    assert flaw(renamed, Head(1, other[0].hash)) == Flaw("garnet", 1, Damage.ALTERED)


def test_a_witness_statement_holds_as_long_as_the_log_is_what_was_seen() -> None:
    seen = altered(3, payload='{"person":"p9"}')
    vouched = Vouched(Head(5, LOG[-1].hash), digest_rows(seen), "as it was meant", NOON)

    assert vouched_head(seen, vouched) == vouched.head
    assert verify_chain("garnet", seen, HEAD, vouched) is None
    again = altered(3, payload='{"person":"p8"}')
    assert vouched_head(again, vouched) == Head()
    assert verify_chain("garnet", again, HEAD, vouched) == Flaw("garnet", 3, Damage.ALTERED)


def test_after_a_head_that_was_sound_only_what_follows_is_checked() -> None:
    sound = Head(3, LOG[2].hash)
    rows = altered(5, type="player_joined")

    assert verify_chain("garnet", LOG[3:], HEAD, sound=sound) is None
    assert verify_chain("garnet", rows[3:], HEAD, sound=sound) == Flaw("garnet", 5, Damage.ALTERED)
    assert verify_chain("garnet", (), HEAD, sound=sound) == Flaw("garnet", 4, Damage.TRUNCATED)
