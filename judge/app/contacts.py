"""The players of a game as their moderator knows them: by handle, name and address."""

from __future__ import annotations

from collections.abc import Iterator

from judge.app.ports import Person, Transaction
from judge.game.game_state import Game, SeatState
from judge.mail.plain_text import one_line
from judge.reports.emails.listings import Contact
from judge.rules.types import Power

NAME_MAX = 60  # characters of what an email calls its writer


def note_name(transaction: Transaction, person: Person, called: str) -> None:
    """Note what an email of *person* that comes to a game calls them, if that is anything new."""
    name = one_line(called, NAME_MAX)
    if name and name != person.name:
        transaction.people.set_name(person.id, name)


def contacts(transaction: Transaction, game: Game) -> tuple[Contact, ...]:
    """Return the players by power, or those who joined; who may see them is not asked here."""
    found = ((power, transaction.people.get(person)) for power, person in _people(game))
    return tuple(
        Contact(power, each.handle, each.name, each.address) for power, each in found if each
    )


def _people(game: Game) -> Iterator[tuple[Power | None, str]]:
    if not game.seats:
        yield from ((None, person) for person in game.joined)
    for power, seat in game.seats.items():
        if seat.person and seat.state is SeatState.PLAYED:
            yield power, seat.person
