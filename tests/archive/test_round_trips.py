"""A record written in any format is read back as the same game, and verifies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from judge.archive.reading import WRITERS
from judge.archive.records import (
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    RecordedPress,
    Seat,
    WrittenOrder,
)
from judge.rules.types import PhaseKind, Waive
from tests.archive.round_trips import BOARD, as_told, differences
from tests.properties.random_records import played

GAMES, PHASES, RULEBOOK = 20, 15, "datc"
FIRST = datetime(1998, 3, 2, 9, 5, tzinfo=UTC)


@pytest.fixture(scope="module")
def games() -> list[Record]:
    """Return random games of this judge, with everything that several formats tell."""
    return [told(number) for number in range(GAMES)]


def told(number: int) -> Record:
    chance = Random(number)
    game = played(BOARD, chance, phases=PHASES, rulebook=RULEBOOK)
    last = game.phases[-1].phase
    phases = tuple(
        replace(waived(each, chance), reported=FIRST + timedelta(days=day))
        for day, each in enumerate(game.phases[:-1])
    )
    press = tuple(letters(game, chance))
    powers = tuple(sorted(chance.sample(BOARD.powers, 2)))
    return replace(
        game,
        name=f"random{number}",
        gamemaster="Gerd Meyer",
        seats=tuple(Seat(power, f"Player of {power.title()}") for power in BOARD.powers),
        phases=(*phases, game.phases[-1]),
        press=press,
        ending=Ending(EndKind.DRAW, powers, last),
    )


def waived(phase: RecordedPhase, chance: Random) -> RecordedPhase:
    """Make powers that could build more waive, now and then."""
    position = phase.position
    assert position
    if phase.phase.kind is not PhaseKind.ADJUSTMENTS:
        return phase
    ordered = [each.power for each in phase.orders]
    waives = [
        WrittenOrder(power, "WAIVE", Waive(), ())
        for power in BOARD.powers
        for _ in range(position.due(power) - ordered.count(power))
        if chance.random() < 0.5
    ]
    return replace(phase, orders=(*phase.orders, *waives))


def letters(game: Record, chance: Random) -> Iterator[RecordedPress]:
    for phase in game.phases[:-1]:
        sender, reader = chance.sample(BOARD.powers, 2)
        text = f"{reader.title()}, will you help me in {phase.phase}?\n\nYours, {sender.title()}"
        yield RecordedPress(phase.phase, sender, chance.choice([(reader,), ()]), text)


@pytest.mark.parametrize("form", WRITERS)
def test_twenty_random_games_go_through_every_writable_format_and_back(
    form: str, games: list[Record], tmp_path: Path
) -> None:
    """One file each and all in one: equal as records, and every file verifies."""
    assert list(differences(games, form, tmp_path, RULEBOOK)) == []


@pytest.mark.parametrize("form", WRITERS)
def test_a_game_with_an_order_changed_or_a_unit_missing_is_not_equal(
    form: str, games: list[Record]
) -> None:
    game = games[0]
    spring, fall, *others = game.phases
    assert fall.position
    fewer = replace(fall, position=replace(fall.position, units=fall.position.units[1:]))
    swapped = tuple(
        replace(each, order=other.order)
        for each, other in zip(spring.orders, (*spring.orders[1:], spring.orders[0]), strict=True)
    )

    for phases in [(spring, fewer), (replace(spring, orders=swapped), fall)]:
        changed = replace(game, phases=(*phases, *others))
        assert as_told(changed, form) != as_told(game, form)
