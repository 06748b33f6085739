"""Who waits for a place: the waiting list, and whom it offers the powers that have no player."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import assert_never

from judge.events.places import (
    EntryRuled,
    OfferEnded,
    Place,
    PlaceAsked,
    PlaceDenied,
    PlaceOffered,
    StandbyCame,
    StandbyWent,
)
from judge.game.commands import Decline, JoinGame, RuleEntry, StandBy
from judge.game.decision import Accepted, Refused, Why
from judge.game.game import Application, Game, SeatState, Stage
from judge.game.house_rules import Entry
from judge.game.instants import to_text
from judge.game.needs import survivors
from judge.game.seeking import DENIED, ruled
from judge.rules.types import Power

DECLINED, LAPSED = "declined", "lapsed"


def decide(game: Game, command: StandBy | Decline | RuleEntry) -> Accepted | Refused:
    """Let a person wait for a place, or no longer, or never, or refuse what is kept for him."""
    match command:
        case StandBy(person, on=False):
            if person not in game.standbys:
                return Refused(Why.NOTHING_CHANGED)
            return Accepted((*_declined(game, person), StandbyWent(person)))
        case StandBy():
            return _stand_by(game, command)
        case Decline(person):
            declined = _declined(game, person)
            if not declined:
                return Refused(Why.NO_OFFER)
            return Accepted((*declined, StandbyWent(person)))
        case RuleEntry():
            return _rule(game, command)
        case _:
            assert_never(command)


def _rule(game: Game, command: RuleEntry) -> Accepted | Refused:
    """Rule on whether a person may come in; who may not waits no longer, and asks no longer."""
    ruling = EntryRuled(command.person, command.ruling, command.by)
    if ruled(game, ruling) == game:
        return Refused(Why.NOTHING_CHANGED)
    if command.ruling != DENIED:
        return Accepted((ruling,))
    return Accepted((ruling, *_out_of_the_way(game, command.person, command.by)))


def _out_of_the_way(game: Game, person: str, by: str) -> Iterator[Place]:
    if person in game.applicants:
        yield PlaceDenied(person, by)
    if person in game.standbys:
        yield from _declined(game, person)
        yield StandbyWent(person)


def wait(game: Game, command: JoinGame | StandBy) -> Accepted | Refused:
    """Put a person who may come in on the waiting list."""
    if command.person in game.standbys:
        return Refused(Why.ALREADY_WAITING)
    if _is_hidden(game, command):
        return Refused(Why.NO_SUCH_GAME)
    return Accepted((StandbyCame(command.person, command.preferences),))


def ask(game: Game, command: JoinGame | StandBy, power: Power | None) -> Accepted | Refused:
    """Let a person ask the moderator to be let in, for *power* if he names one."""
    if game.applicants.get(command.person) == Application(command.preferences, power):
        return Refused(Why.NOTHING_CHANGED)
    return Accepted((PlaceAsked(command.person, command.preferences, power),))


def vacancies(game: Game) -> tuple[Power, ...]:
    """Return the surviving powers that nobody plays, also those in civil disorder."""
    return tuple(p for p in survivors(game) if game.seats[p].state is not SeatState.PLAYED)


def next_offers(game: Game) -> tuple[PlaceOffered, ...]:
    """Return whom to ask now: those who wait longest, each for one power; *until* is not set."""
    asked = {offer.person for offer in game.offers.values()}
    waiting = [person for person in game.standbys if person not in asked]
    unasked = [power for power in vacancies(game) if power not in game.offers]
    return tuple(
        PlaceOffered(power, person, "") for power, person in zip(unasked, waiting, strict=False)
    )


def offers_made(game: Game, now: datetime) -> Iterator[PlaceOffered]:
    """Ask those who wait longest to take the powers that nobody plays."""
    until = to_text(now + timedelta(hours=game.house_rules.claim_hours))
    for offer in next_offers(game):
        yield PlaceOffered(offer.power, offer.person, until)


def offers_prolonged(game: Game, began: datetime, now: datetime) -> Iterator[PlaceOffered]:
    """Give those who are asked the time back for which the judge was away, from *began* on."""
    for power, offer in game.offers.items():
        if offer.until > began:
            yield PlaceOffered(power, offer.person, to_text(offer.until + (now - began)))


def offers_lapsed(game: Game, at: datetime) -> Iterator[Place]:
    """End the offers that were not answered up to *at*: who was asked waits no longer."""
    for power, offer in game.offers.items():
        if offer.until == at:
            yield OfferEnded(power, offer.person, LAPSED)
            yield StandbyWent(offer.person)


def _stand_by(game: Game, command: StandBy) -> Accepted | Refused:
    if why := _kept_off(game, command):
        return Refused(why)
    rule, allowed = game.house_rules.entry, command.person in game.allowed
    if command.admitted or allowed or rule is Entry.OPEN:
        return wait(game, command)
    return ask(game, command, None) if rule is Entry.APPROVAL else Refused(Why.WRONG_PASSWORD)


def _kept_off(game: Game, command: StandBy) -> Why | None:
    """Say why somebody can wait for no place, whatever the rules ask for."""
    seated = any(seat.person == command.person for seat in game.seats.values())
    reasons = {
        Why.GAME_OVER: game.stage is Stage.ENDED,
        Why.ALREADY_IN: seated or command.person in game.joined,
        Why.ALREADY_WAITING: command.person in game.standbys,
        Why.NO_SUCH_GAME: _is_hidden(game, command),
        Why.DENIED: command.person in game.denied,
    }
    return next((why for why, holds in reasons.items() if holds), None)


def _is_hidden(game: Game, command: JoinGame | StandBy) -> bool:
    """Say whether nobody tells him that there is this game: it has no place, and is not listed."""
    known = game.knows(command.person) or command.person in game.allowed
    return not (game.house_rules.listed or command.admitted or known)


def _declined(game: Game, person: str) -> tuple[OfferEnded, ...]:
    return tuple(
        OfferEnded(power, person, DECLINED)
        for power, offer in game.offers.items()
        if offer.person == person
    )
