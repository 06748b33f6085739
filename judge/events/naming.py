"""Which persons events name as those who come to a game, act in it or leave it."""

from __future__ import annotations

from collections.abc import Iterable

from judge.events.value import Event

FIELDS = ("person", "moderator")  # Whoever is seated, votes or writes has come by one of these.


def named_in(events: Iterable[Event]) -> frozenset[str]:
    """Return the ids of the persons that *events* name."""
    found = (getattr(event, field, None) for event in events for field in FIELDS)
    return frozenset(person for person in found if person)
