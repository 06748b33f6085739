"""Games written as JSON, ours and that of others, are read back unchanged."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random  # noqa: TID251 seeded by Hypothesis

from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from judge.archive.formats import diplomacy, record_json, webdiplomacy
from judge.archive.formats.diplomacy_writer import write_record as write_diplomacy
from judge.archive.formats.record_json import write_record
from judge.archive.reading import HEAD_CHARACTERS, Doubts, Format, Reading
from judge.archive.records import Record, RecordedPhase, RecordedPress
from tests.archive.exports import definition_of
from tests.properties.conflicts import seeds
from tests.properties.full_records import BOARD, FULL, powers, records
from tests.properties.random_records import played
from tests.properties.web_state import state_of

LENGTHS = st.integers(1, 12)
CENTURY = timedelta(days=36_500)
OPENING = played(BOARD, Random(1), phases=2)  # noqa: S311 no secret


@example(FULL)
@given(records())
def test_our_own_form_loses_nothing(told: Record) -> None:
    (again,) = read(record_json.FORMAT, "".join(write_record(told, BOARD)))

    assert again == told


@example(FULL)
@given(records())
def test_our_own_form_is_as_its_schema_says(told: Record) -> None:
    schema().validate(json.loads("".join(write_record(told, BOARD))))


@example(Random(1), 12)  # noqa: S311 no secret
@given(seeds, LENGTHS)
def test_our_own_form_reads_like_saved_games_of_the_diplomacy_package(
    chance: Random, length: int
) -> None:
    game = played(BOARD, chance, phases=length)

    (ours,) = diplomacy.DIPLOMACY.reads(reading(), ["".join(write_record(game, BOARD))])
    (theirs,) = diplomacy.DIPLOMACY.reads(reading(), ["".join(write_diplomacy(game, BOARD))])

    assert ours.phases == theirs.phases


@example(Random(1), 12)  # noqa: S311 no secret
@given(seeds, LENGTHS)
def test_the_diplomacy_package_is_told_positions_orders_and_results(
    chance: Random, length: int
) -> None:
    game = played(BOARD, chance, phases=length)

    (again,) = read(diplomacy.DIPLOMACY, "".join(write_diplomacy(game, BOARD)))

    assert [facts(each) for each in again.phases] == [facts(each) for each in game.phases]


@example([RecordedPress(BOARD.start.phase, None, (), "\0\u2028\ud7ff\U0001f600")])
@given(
    st.lists(
        st.builds(
            RecordedPress,
            phase=st.just(BOARD.start.phase),
            sender=st.none() | powers,
            readers=st.just(()) | st.tuples(powers),
            text=st.text(max_size=20),
        ),
        max_size=5,
    )
)
def test_the_diplomacy_package_is_told_who_said_what_to_whom(press: list[RecordedPress]) -> None:
    game = replace(OPENING, press=tuple(press))

    (again,) = read(diplomacy.DIPLOMACY, "".join(write_diplomacy(game, BOARD)))

    assert again.press == game.press


@example([timedelta(), timedelta(microseconds=1), CENTURY])
@example([timedelta(0, 1), timedelta(0, 1)])
@given(st.lists(st.timedeltas(timedelta(), CENTURY), max_size=5).map(sorted))
def test_the_diplomacy_package_is_told_when_it_was_said(since: list[timedelta]) -> None:
    sent = [datetime(1990, 1, 1, tzinfo=UTC) + each for each in since]
    press = [RecordedPress(BOARD.start.phase, "ITALY", (), "", each) for each in sent]
    game = replace(OPENING, press=tuple(press))

    (again,) = read(diplomacy.DIPLOMACY, "".join(write_diplomacy(game, BOARD)))

    off = [
        abs(mine.sent - each) for mine, each in zip(again.press, sent, strict=True) if mine.sent
    ]
    assert len(off) == len(sent)
    assert all(each <= timedelta(microseconds=5) for each in off)


@example(Random(1), 12)  # noqa: S311 no secret
@given(seeds, LENGTHS)
def test_webdiplomacy_tells_positions_and_orders(chance: Random, length: int) -> None:
    game = played(BOARD, chance, phases=length, rulebook="webdiplomacy")

    (again,) = read(webdiplomacy.FORMAT, json.dumps(state_of(game)))

    assert [known(each) for each in again.phases] == [known(each) for each in game.phases]


def read(form: Format, text: str) -> list[Record]:
    assert form.recognizes(text[:HEAD_CHARACTERS])
    return list(form.read(reading(), text.splitlines()))


def reading() -> Reading:
    return Reading(BOARD, "game", "0", Doubts("game"), keep_addresses=True)


def facts(phase: RecordedPhase) -> object:
    """Return what the diplomacy package tells of a phase."""
    position = phase.position
    assert position
    return (
        (phase.phase, position.units, position.owners),
        [(each.unit, each.retreats) for each in position.dislodged],
        [(each.power, each.order, each.results) for each in phase.orders],
    )


def known(phase: RecordedPhase) -> object:
    """Return what webDiplomacy tells of a phase."""
    return phase.phase, phase.position, [(each.power, each.order) for each in phase.orders]


@cache
def schema() -> Draft202012Validator:
    text = definition_of("record").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    return Draft202012Validator(json.loads(text))
