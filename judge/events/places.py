"""The events of those who want to play: let in or not, waiting, asked, and what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.events.value import Event


@dataclass(frozen=True, slots=True)
class PlaceAsked(Event):
    """A person asks the moderator to be let in, with *preferences*, or for a vacant *power*."""

    person: str
    preferences: tuple[tuple[str, ...], ...]
    power: str | None


@dataclass(frozen=True, slots=True)
class PlaceDenied(Event):
    """The moderator, *by*, does not let the person in who had asked."""

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
    """A person who waits is asked to take *power*, which is kept for him *until* then."""

    power: str
    person: str
    until: str


@dataclass(frozen=True, slots=True)
class OfferEnded(Event):
    """Who was asked to take *power* does not: *reason* is `declined` or `lapsed`."""

    power: str
    person: str
    reason: str


@dataclass(frozen=True, slots=True)
class EntryRuled(Event):
    """The moderator, *by*, rules on whether the person may come in.

    *ruling* is `allowed`, whatever the house rules ask for, or `denied`, or `lifted`.
    """

    person: str
    ruling: str
    by: str


Place: TypeAlias = (
    PlaceAsked | PlaceDenied | StandbyCame | StandbyWent | PlaceOffered | OfferEnded | EntryRuled
)
