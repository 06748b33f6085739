"""The seats of the powers: vacated, taken over, in civil disorder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from typing import TypeAlias, assert_never

from judge.event_log import Event
from judge.game import game_state, voting
from judge.game.decision import Accepted, Refused, Why
from judge.game.payloads import format_instant, parse_instant
from judge.game.players import standbys
from judge.game.voting import ending_in_phase
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class Eject:
    """Remove the player of *power*, as if they had resigned."""

    power: Power
    by: str


@dataclass(frozen=True, slots=True)
class MakeDummy:
    """Put *power* into civil disorder."""

    power: Power
    by: str


RESIGNED = "resigned"  # the reason for a vacancy that the player chose


@dataclass(frozen=True, slots=True)
class PowerVacated(Event):
    """A power has no player: *reason* is `nmr`, `resigned` or `ejected`.

    Until *takeover_until* another player may take it over.
    """

    power: str
    person: str
    phase: str
    reason: str
    takeover_until: str


@dataclass(frozen=True, slots=True)
class PowerTakenOver(Event):
    """A person plays a vacant power from now on."""

    power: str
    person: str
    phase: str


@dataclass(frozen=True, slots=True)
class CivilDisorderDeclared(Event):
    """A power is in civil disorder.

    Its takeover period ended, the moderator made it a dummy, or its player missed the deadline in
    a game with `nmr=civil_disorder`.
    """

    power: str
    phase: str


SeatEvent: TypeAlias = PowerVacated | PowerTakenOver | CivilDisorderDeclared


def vacate_seat(game: game_state.Game, power: Power, reason: str, now: datetime) -> PowerVacated:
    """Make the seat of *power* vacant, to be taken over from *now* on."""
    person = game.seats[power].person
    assert game.position is not None
    assert person is not None, "it has a player"
    until = now + game.house_rules.takeover_hours
    return PowerVacated(
        power=power,
        person=person,
        phase=game.position.phase.code,
        reason=reason,
        takeover_until=format_instant(until),
    )


def eject(game: game_state.Game, command: Eject, now: datetime) -> Accepted | Refused:
    """Decide on the removal of a player by the moderator."""
    seat = game.seats.get(command.power)
    if seat is None:
        return Refused(Why.UNKNOWN_POWER)
    if seat.state is not game_state.SeatState.PLAYED:
        return Refused(Why.NOTHING_CHANGED)
    left = vacate_seat(game, command.power, "ejected", now)
    ended = ending_in_phase(apply_seat_event(game, left))
    return Accepted((left, ended) if ended else (left,))


def make_dummy(game: game_state.Game, command: MakeDummy, now: datetime) -> Accepted | Refused:
    """Decide on putting a power into civil disorder."""
    seat = game.seats.get(command.power)
    if seat is None:
        return Refused(Why.UNKNOWN_POWER)
    assert game.position is not None
    declared = CivilDisorderDeclared(command.power, game.position.phase.code)
    events: tuple[PowerVacated | CivilDisorderDeclared, ...] = (declared,)
    match seat.state:
        case game_state.SeatState.PLAYED:
            events = (vacate_seat(game, command.power, "ejected", now), declared)
        case game_state.SeatState.VACANT:
            pass
        case game_state.SeatState.CIVIL_DISORDER:
            return Refused(Why.NOTHING_CHANGED)
        case _:
            assert_never(seat.state)
    ended = ending_in_phase(reduce(apply_seat_event, events, game))
    return Accepted((*events, ended) if ended else events)


def apply_seat_event(game: game_state.Game, event: SeatEvent) -> game_state.Game:
    """Return *game* after a power became vacant, was taken over or fell into civil disorder."""
    power = event.power
    match event:
        case PowerVacated():
            until = parse_instant(event.takeover_until)
            seat = game_state.Seat(event.person, game_state.SeatState.VACANT, until)
            game = replace(
                game,
                draw_votes=game.draw_votes - {power},
                draw_lists=game_state.without_key(game.draw_lists, power),
                concessions=game_state.without_key(game.concessions, power),
                phase=game.phase
                and replace(
                    game.phase,
                    waiting=game.phase.waiting - {power},
                    ready=game.phase.ready - {power},
                    planned=game_state.without_key(game.phase.planned, power),
                ),
                waits=_waits_without(game, power),
            )
            game = voting.without_proposal_votes(game, power)
        case PowerTakenOver(person=person):
            seat = game_state.Seat(person)
            game = standbys.with_place_found(game, person, power)
        case CivilDisorderDeclared():
            seat = replace(
                game.seats[power], state=game_state.SeatState.CIVIL_DISORDER, takeover_until=None
            )
            game = replace(
                game,
                phase=game.phase
                and replace(
                    game.phase,
                    standing=game_state.without_key(game.phase.standing, power),
                    planned=game_state.without_key(game.phase.planned, power),
                ),
                plans=game_state.without_key(game.plans, power),
                waits=_waits_without(game, power),
            )
        case _:
            assert_never(event)
    return replace(game, seats=game_state.with_entry(game.seats, power, seat))


def _waits_without(game: game_state.Game, power: Power) -> Mapping[str, frozenset[Power]]:
    return {code: powers - {power} for code, powers in game.waits.items()}
