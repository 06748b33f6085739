"""What is so after somebody has asked for a place, waited for one, or been offered one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar, assert_never

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
from judge.game.game import Application, Game, Offer
from judge.game.instants import from_text
from judge.rules.types import Power

# What a moderator may rule on whether somebody comes in; the third takes it back.
ALLOWED, DENIED, LIFTED = "allowed", "denied", "lifted"

Held = TypeVar("Held")


def changed(game: Game, event: Place) -> Game:
    """Return *game* as *event* leaves it."""
    match event:
        case PlaceAsked(person, preferences, power):
            asked = Application(preferences, power)
            return replace(game, applicants={**game.applicants, person: asked})
        case PlaceDenied(person):
            return replace(game, applicants=_without(game.applicants, person))
        case StandbyCame(person, preferences):
            applicants = _without(game.applicants, person)
            standbys = {**game.standbys, person: preferences}
            return replace(game, applicants=applicants, standbys=standbys)
        case StandbyWent(person):
            return replace(game, standbys=_without(game.standbys, person))
        case PlaceOffered() | OfferEnded():
            return _offered(game, event)
        case EntryRuled():
            return ruled(game, event)
        case _:
            assert_never(event)


def _offered(game: Game, event: PlaceOffered | OfferEnded) -> Game:
    others = _without(game.offers, event.power)
    if isinstance(event, PlaceOffered):
        offer = Offer(event.person, from_text(event.until))
        return replace(game, offers={**others, event.power: offer})
    return replace(game, offers=others)


def ruled(game: Game, event: EntryRuled) -> Game:
    """Return *game* after a word on whether somebody may come in."""
    person, ruling = {event.person}, event.ruling
    return replace(
        game,
        allowed=game.allowed - person | (person if ruling == ALLOWED else set()),
        denied=game.denied - person | (person if ruling == DENIED else set()),
    )


def found(game: Game, person: str, power: Power | None = None) -> Game:
    """Return *game* once *person* has a place, perhaps *power*: nothing else is kept for him."""
    offers = {p: o for p, o in game.offers.items() if p != power and o.person != person}
    return replace(
        game,
        applicants=_without(game.applicants, person),
        standbys=_without(game.standbys, person),
        offers=offers,
    )


def _without(held: Mapping[str, Held], key: str) -> dict[str, Held]:
    return {each: value for each, value in held.items() if each != key}
