"""Recipients of the emails of a game, and the emails written to them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from datetime import datetime

from judge.app.outbound.digest import send_time
from judge.app.outbound.queue import EmailDraft, ReplyMeaning, queue_email, token_for
from judge.app.ports.judge import Judge
from judge.app.ports.people import Person, Purpose
from judge.app.ports.storage import Transaction
from judge.game import visibility
from judge.game.game_state import Game, SeatState
from judge.game.press import MODERATOR, OBSERVERS
from judge.reports.emails.contexts import Context
from judge.reports.render import kind_name
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class Recipient:
    """A recipient of a game's emails, and their power, if they play."""

    person: Person
    power: Power | None
    moderates: bool = False

    @property
    def observes(self) -> bool:
        """Return whether the recipient is an observer only."""
        return self.power is None and not self.moderates

    def is_among(self, recipients: Container[str | None]) -> bool:
        """Return whether press to *recipients* includes this recipient."""
        return (
            self.power in recipients
            or (self.moderates and MODERATOR in recipients)
            or (self.observes and (OBSERVERS in recipients or self.person.id in recipients))
        )


def recipients_of(transaction: Transaction, game: Game) -> Iterator[Recipient]:
    """Return the recipients of *game*: players, eliminated ones too, moderator, observers."""
    for power, seat in game.seats.items():
        person = transaction.people.get(seat.person) if seat.person else None
        if person and seat.state is SeatState.PLAYED:
            yield Recipient(person, power, moderates=seat.person == game.moderator)
    moderator = transaction.people.get(game.moderator) if game.moderator else None
    if moderator and game.power_of(moderator.id) is None:
        yield Recipient(moderator, None, moderates=True)
    for observer in game.observers:
        person = transaction.people.get(observer)
        if person and game.power_of(observer) is None and observer != game.moderator:
            yield Recipient(person, None)


def visibility_for(reader: Recipient) -> visibility.Reader:
    """Return what *reader* may see of the game."""
    if reader.power:
        return visibility.Player(reader.power)
    return visibility.Moderator() if reader.moderates else visibility.Observer()


@dataclass(frozen=True, slots=True)
class GameMailer:
    """Writes the emails about one game in its present state, dated *now*."""

    judge: Judge
    transaction: Transaction
    game: Game
    now: datetime

    def write(self, context: Context, reader: Recipient, cause: str, *more: Context) -> None:
        """Queue *context* for *reader*, and *more* behind it; an answer to it is orders."""
        self._post((context, *more), reader, cause, Purpose.ORDERS, None)

    def ask(self, context: Context, reader: Recipient, cause: str, subject: str) -> None:
        """Queue *context*, whose answer is about *subject*."""
        self._post((context,), reader, cause, Purpose.ORDERS, subject)

    def note(self, context: Context, reader: Recipient, cause: str, due_utc: datetime) -> None:
        """Queue *context* for *reader*, to go at *due_utc*."""
        self._post((context,), reader, cause, Purpose.ORDERS, None, due_utc=due_utc)

    def relay(
        self, context: Context, reader: Recipient, cause: str, message: str, thread: str
    ) -> None:
        """Queue press for *reader*; an answer to it answers *message*, and nothing else.

        What the address of an answer looks like must not depend on who wrote: two letters of one
        writer, one of them unsigned, would have the same.
        """
        self._post((context,), reader, cause, Purpose.PRESS, message, thread)

    def _post(  # noqa: PLR0913 - what a letter of a game may differ in
        self,
        contexts: tuple[Context, ...],
        reader: Recipient,
        cause: str,
        purpose: Purpose,
        subject: str | None,
        thread: str | None = None,
        *,
        due_utc: datetime | None = None,
    ) -> None:
        position = self.game.position
        about = ReplyMeaning(
            game=self.game.name,
            power=reader.power,
            phase=position.phase.code if position else None,
            subject=subject,
        )
        token = token_for(self.transaction, purpose, reader.person, about)
        letter = EmailDraft(
            contexts=contexts,
            cause=cause,
            thread=thread,
            address=reader.person.address,
            zone=reader.person.zone,
            token=token,
            game=self.game.name,
            person=reader.person.id,
            due_utc=due_utc or send_time(kind_name(contexts[0]), reader.person.pace, self.now),
        )
        queue_email(self.judge, self.transaction, letter, self.now)
