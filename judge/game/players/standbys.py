"""The standby list, applications to the moderator, and offers of vacant powers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias, assert_never

from judge.event_log import Event
from judge.game import game_state
from judge.game.decision import Accepted, Refused, Why
from judge.game.house_rules import Entry
from judge.game.payloads import format_instant, parse_instant
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class JoinGame:
    """A person wants to play, with preferences before the start, or a vacant *power* after it.

    *seed* decides, if this is the last player needed, between equal assignments. They are
    *admitted* if they know the password of the game, or by the moderator or operator *by*, who may
    also give away a power that is kept for another person.
    """

    person: str
    preferences: tuple[tuple[Power, ...], ...]
    seed: str
    power: Power | None = None
    admitted: bool = False
    by: str | None = None


@dataclass(frozen=True, slots=True)
class StandBy:
    """A person waits for a place, or (not *on*) no longer; *admitted* as in `JoinGame`."""

    person: str
    preferences: tuple[tuple[Power, ...], ...] = ()
    on: bool = True
    admitted: bool = False


@dataclass(frozen=True, slots=True)
class Decline:
    """A person declines the power offered to them."""

    person: str


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """Allow a person to join, deny it, or lift either ruling, as the moderator.

    *ruling* is `ALLOWED`, `DENIED` or `LIFTED`.
    """

    person: str
    ruling: str
    by: str


@dataclass(frozen=True, slots=True)
class PlaceAsked(Event):
    """A person asks the moderator for a seat, with *preferences*, or for a vacant *power*."""

    person: str
    preferences: tuple[tuple[str, ...], ...]
    power: str | None


@dataclass(frozen=True, slots=True)
class PlaceDenied(Event):
    """The moderator, *by*, refuses a person who has applied."""

    person: str
    by: str


@dataclass(frozen=True, slots=True)
class StandbyCame(Event):
    """A person waits for a place: before the start with *preferences*, after it for any power."""

    person: str
    preferences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class StandbyWent(Event):
    """A person waits no longer."""

    person: str


@dataclass(frozen=True, slots=True)
class PlaceOffered(Event):
    """A standby is offered *power*, which is kept for them *until* then."""

    power: str
    person: str
    until: str


@dataclass(frozen=True, slots=True)
class OfferEnded(Event):
    """An offer of *power* ended: *reason* is `declined` or `lapsed`."""

    power: str
    person: str
    reason: str


@dataclass(frozen=True, slots=True)
class EntryRuled(Event):
    """The moderator, *by*, decides whether the person may join.

    *ruling* is `allowed`, whatever the house rules demand, or `denied`, or `lifted`.
    """

    person: str
    ruling: str
    by: str


StandbyEvent: TypeAlias = (
    PlaceAsked | PlaceDenied | StandbyCame | StandbyWent | PlaceOffered | OfferEnded | EntryRuled
)


DECLINED, LAPSED = "declined", "lapsed"


def decide_standby(
    game: game_state.Game, command: StandBy | Decline | RuleEntry
) -> Accepted | Refused:
    """Decide on standbys: their coming and going, offers they decline, the moderator's rulings."""
    match command:
        case StandBy(person, on=False):
            if person not in game.standbys:
                return Refused(Why.NOTHING_CHANGED)
            return Accepted((*_decline_offers(game, person), StandbyWent(person)))
        case StandBy():
            return _become_standby(game, command)
        case Decline(person):
            declined = _decline_offers(game, person)
            if not declined:
                return Refused(Why.NO_OFFER)
            return Accepted((*declined, StandbyWent(person)))
        case RuleEntry():
            return _rule_entry(game, command)
        case _:
            assert_never(command)


def _rule_entry(game: game_state.Game, command: RuleEntry) -> Accepted | Refused:
    """Rule on whether a person may join; a denied person leaves all lists."""
    ruling = EntryRuled(command.person, command.ruling, command.by)
    if apply_ruling(game, ruling) == game:
        return Refused(Why.NOTHING_CHANGED)
    if command.ruling != DENIED:
        return Accepted((ruling,))
    return Accepted((ruling, *_withdraw_person(game, command.person, command.by)))


def _withdraw_person(game: game_state.Game, person: str, by: str) -> Iterator[StandbyEvent]:
    if person in game.applicants:
        yield PlaceDenied(person, by)
    if person in game.standbys:
        yield from _decline_offers(game, person)
        yield StandbyWent(person)


def join_standbys(game: game_state.Game, command: JoinGame | StandBy) -> Accepted | Refused:
    """Put a person who may join on the waiting list."""
    if command.person in game.standbys:
        return Refused(Why.ALREADY_WAITING)
    if _is_hidden(game, command):
        return Refused(Why.NO_SUCH_GAME)
    return Accepted((StandbyCame(command.person, command.preferences),))


def apply_to_moderator(
    game: game_state.Game, command: JoinGame | StandBy, power: Power | None
) -> Accepted | Refused:
    """Apply to the moderator for a place, or for the vacant *power*."""
    if game.applicants.get(command.person) == game_state.Application(command.preferences, power):
        return Refused(Why.NOTHING_CHANGED)
    return Accepted((PlaceAsked(command.person, command.preferences, power),))


def vacancies(game: game_state.Game) -> tuple[Power, ...]:
    """Return the surviving powers without a player, also those in civil disorder."""
    return tuple(
        p
        for p in game_state.survivors(game)
        if game.seats[p].state is not game_state.SeatState.PLAYED
    )


def standbys_wanted(game: game_state.Game) -> int:
    """Return how many general standbys to ask about *game*: it must be listed and open to all."""
    rules = game.house_rules
    is_open = rules.listed and rules.entry is Entry.OPEN
    if game.stage is not game_state.Stage.PLAYING or not is_open:
        return 0
    return max(0, len(vacancies(game)) - len(game.standbys))


def next_offers(game: game_state.Game) -> tuple[PlaceOffered, ...]:
    """Return the offers to make now, to the first standbys; *until* is not set."""
    asked = {offer.person for offer in game.offers.values()}
    waiting = [person for person in game.standbys if person not in asked]
    unasked = [power for power in vacancies(game) if power not in game.offers]
    return tuple(
        PlaceOffered(power, person, "") for power, person in zip(unasked, waiting, strict=False)
    )


def make_offers(game: game_state.Game, now: datetime) -> Iterator[PlaceOffered]:
    """Offer the vacant powers to the first standbys."""
    until = format_instant(now + game.house_rules.claim_hours)
    for offer in next_offers(game):
        yield PlaceOffered(offer.power, offer.person, until)


def prolong_offers(
    game: game_state.Game, began: datetime, now: datetime
) -> Iterator[PlaceOffered]:
    """Extend open offers by the time for which the judge was down, from *began* on."""
    for power, offer in game.offers.items():
        if offer.until > began:
            yield PlaceOffered(power, offer.person, format_instant(offer.until + (now - began)))


def lapse_offers(game: game_state.Game, at: datetime) -> Iterator[StandbyEvent]:
    """End the offers that were not answered up to *at*, and drop their standbys."""
    for power, offer in game.offers.items():
        if offer.until == at:
            yield OfferEnded(power, offer.person, LAPSED)
            yield StandbyWent(offer.person)


def _become_standby(game: game_state.Game, command: StandBy) -> Accepted | Refused:
    if why := _why_no_standby(game, command):
        return Refused(why)
    rule, allowed = game.house_rules.entry, command.person in game.allowed
    if command.admitted or allowed or rule is Entry.OPEN:
        return join_standbys(game, command)
    return (
        apply_to_moderator(game, command, None)
        if rule is Entry.APPROVAL
        else Refused(Why.WRONG_PASSWORD)
    )


def _why_no_standby(game: game_state.Game, command: StandBy) -> Why | None:
    """Return why the game takes no standbys."""
    seated = any(seat.person == command.person for seat in game.seats.values())
    reasons = {
        Why.GAME_OVER: game.stage is game_state.Stage.ENDED,
        Why.ALREADY_IN: seated or command.person in game.joined,
        Why.ALREADY_WAITING: command.person in game.standbys,
        Why.NO_SUCH_GAME: _is_hidden(game, command),
        Why.DENIED: command.person in game.denied,
    }
    return next((why for why, holds in reasons.items() if holds), None)


def _is_hidden(game: game_state.Game, command: JoinGame | StandBy) -> bool:
    """Return whether the game stays unknown to the person: it is full and unlisted."""
    known = game.knows(command.person) or command.person in game.allowed
    return not (game.house_rules.listed or command.admitted or known)


def _decline_offers(game: game_state.Game, person: str) -> tuple[OfferEnded, ...]:
    return tuple(
        OfferEnded(power, person, DECLINED)
        for power, offer in game.offers.items()
        if offer.person == person
    )


# What a moderator may rule on a person; the third takes it back.
ALLOWED, DENIED, LIFTED = "allowed", "denied", "lifted"


def apply_standby_event(game: game_state.Game, event: StandbyEvent) -> game_state.Game:
    """Return *game* after an application, a standby or an offer."""
    match event:
        case PlaceAsked(person, preferences, power):
            asked = game_state.Application(preferences, power)
            return replace(game, applicants={**game.applicants, person: asked})
        case PlaceDenied(person):
            return replace(game, applicants=game_state.without_key(game.applicants, person))
        case StandbyCame(person, preferences):
            applicants = game_state.without_key(game.applicants, person)
            standbys = {**game.standbys, person: preferences}
            return replace(game, applicants=applicants, standbys=standbys)
        case StandbyWent(person):
            return replace(game, standbys=game_state.without_key(game.standbys, person))
        case PlaceOffered() | OfferEnded():
            return _apply_offer(game, event)
        case EntryRuled():
            return apply_ruling(game, event)
        case _:
            assert_never(event)


def _apply_offer(game: game_state.Game, event: PlaceOffered | OfferEnded) -> game_state.Game:
    others = game_state.without_key(game.offers, event.power)
    if isinstance(event, PlaceOffered):
        offer = game_state.Offer(event.person, parse_instant(event.until))
        return replace(game, offers={**others, event.power: offer})
    return replace(game, offers=others)


def apply_ruling(game: game_state.Game, event: EntryRuled) -> game_state.Game:
    """Return *game* after a ruling on a person."""
    person, ruling = {event.person}, event.ruling
    return replace(
        game,
        allowed=game.allowed - person | (person if ruling == ALLOWED else set()),
        denied=game.denied - person | (person if ruling == DENIED else set()),
    )


def with_place_found(
    game: game_state.Game, person: str, power: Power | None = None
) -> game_state.Game:
    """Return *game* after *person* got a place, or *power*: they wait for nothing else."""
    offers = {p: o for p, o in game.offers.items() if p != power and o.person != person}
    return replace(
        game,
        applicants=game_state.without_key(game.applicants, person),
        standbys=game_state.without_key(game.standbys, person),
        offers=offers,
    )
