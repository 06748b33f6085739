"""Eleven years that seven people played elsewhere, replayed by mail in five writing styles.

The orders are those of the game 10713 of droidippy. Who gave none there lets their units hold, and
disbands or waives here, so that no phase waits for its deadline.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any, cast

import pytest

from judge.archive.records import RecordedPhase
from judge.rules.phase_sequence import duties
from judge.rules.types import Disband, Hold, Order, PhaseKind, Power, Unit, UnitName, Waive
from tests.games import records
from tests.support.daemon import POWERS, Daemon, seated, text_of, wait_until
from tests.support.dialects import DIALECTS
from tests.support.recorded_game import BOARD, game_10713

RECORDED = game_10713().phases
SOON = 7  # phases: all of 1901 and 1902
WHOLE = pytest.param(len(RECORDED), marks=pytest.mark.slow)


@pytest.mark.parametrize("phases", [SOON, WHOLE])
def test_a_recorded_game_comes_out_the_same_by_mail(daemon: Daemon, phases: int) -> None:
    players = {power: seated(daemon, power)[0] for power in POWERS}
    post = Post(daemon.folder / "outgoing")
    subject = "Game Starting"
    for number in range(phases):
        code = RECORDED[number].phase.code
        for power in asked(RECORDED[number]):
            mail = post.wait_for(players[power].address, subject)
            players[power].answer(mail, written(number, power))
        closed = closed_phase(daemon, number)
        assert (closed["phase"], closed["nmr"]) == (code, [])
        if number + 1 < len(RECORDED):
            assert board_in(closed["after"]) == board_in(records.game_10713()[number + 1])
        subject = f"{code} Results"
    daemon.come_to_rest()
    assert not any("was not understood" in text_of(mail) for mail in post.mails())
    read_back = json.loads(daemon.judge("archive", "verify", "outgoing", "--json"))
    assert (read_back["games"], read_back["compared"], read_back["agreeing"]) == (
        1,
        phases,
        phases,
    )
    assert read_back["doubts"] == read_back["unread"] == []


@dataclass
class Post:
    """The emails that a daemon has sent, each read once."""

    folder: Path
    seen: dict[str, Message] = field(default_factory=dict)

    def mails(self) -> Sequence[Message]:
        """Return all emails, in no order."""
        for file in (self.folder / "new").iterdir():
            if file.name not in self.seen:
                self.seen[file.name] = message_from_bytes(file.read_bytes())
        return list(self.seen.values())

    def wait_for(self, address: str, subject: str) -> Message:
        """Return the email about the game to *address* with *subject* in its own."""
        found: list[Message] = []

        def has_come() -> bool:
            found[:] = [
                mail
                for mail in self.mails()
                if mail["Delivered-To"] == address and subject in mail["Subject"]
            ]
            return bool(found)

        wait_until(has_come, f"no {subject} came to {address}")
        return found[0]


def written(number: int, power: Power) -> str:
    """Write the orders of *power* in the phase *number*, in that player's style."""
    dialect = list(DIALECTS)[(POWERS.index(power) + number) % len(DIALECTS)]
    return DIALECTS[dialect](orders_of(number, power), BOARD) + "\n"


def orders_of(number: int, power: Power) -> list[Order]:
    """Return the orders that were given, and for the other units what came of giving none."""
    phase = RECORDED[number]
    given = [each.order for each in phase.orders if each.power == power and each.order]
    ordered = {order.unit.province for order in given if not isinstance(order, Waive)}
    position = phase.position
    assert position
    silent = [unit for unit in units_asked(phase, power) if unit.province not in ordered]
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return [*given, *(Hold(name(unit)) for unit in silent)]
        case PhaseKind.RETREATS:
            return [*given, *(Disband(name(unit)) for unit in silent)]
        case PhaseKind.ADJUSTMENTS:
            after = RECORDED[number + 1].position
            assert after
            gone = [unit for unit in silent if unit not in after.units]
            waived = [Waive()] * (asked(phase)[power] - len(given) - len(gone))
            return [*given, *(Disband(name(unit)) for unit in gone), *waived]


def asked(phase: RecordedPhase) -> Mapping[Power, int]:
    """Return how many orders each power owes."""
    assert phase.position
    return duties(BOARD, phase.position)


def units_asked(phase: RecordedPhase, power: Power) -> Sequence[Unit]:
    position = phase.position
    assert position
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return position.units_of(power)
        case PhaseKind.RETREATS:
            return [each.unit for each in position.dislodged_of(power) if each.retreats]
        case PhaseKind.ADJUSTMENTS:
            return position.units_of(power) if position.due(power) < 0 else []


def name(unit: Unit) -> UnitName:
    return UnitName(unit.kind, unit.location)


def closed_phase(daemon: Daemon, number: int) -> dict[str, Any]:
    """Wait until the phase *number* is closed, and return the event that says so."""
    closed = "SELECT payload FROM events WHERE type = 'phase_closed' ORDER BY version"
    rows: list[tuple[object, ...]] = []

    def is_closed() -> bool:
        rows[:] = daemon.ask(closed)
        return len(rows) > number

    wait_until(is_closed, lambda: f"phase {number} was never closed: {daemon.log()[-2000:]}")
    payload: dict[str, Any] = json.loads(cast("str", rows[number][0]))
    return payload


def board_in(told: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return the units, those dislodged with an asterisk, and the owners."""
    dislodged = told.get("dislodged", {}).items()
    return {
        *((power, unit) for power, units in told["units"].items() for unit in units),
        *((power, f"*{unit}") for power, units in dislodged for unit in units),
        *((power, center) for power, centers in told["centers"].items() for center in centers),
    }
