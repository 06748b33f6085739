"""Press, diaries and statements of a game, decrypted for the people who may read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge.app.outbound.queue import GameMailer, Recipient, recipients_of
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Judge
from judge.game.game_state import Game
from judge.game.players.diaries import NoteWritten, StatementMade
from judge.game.press import MODERATOR, OBSERVER, PressSent, goes_to_all
from judge.reports.emails import press
from judge.reports.emails.game_history import Note
from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class PressReader:
    """Decrypts the press of one *game* and queues it for its recipients."""

    judge: Judge
    transaction: Transaction
    board: Map
    game: Game

    def relay(self, sent: PressSent, cause: str, mailer: GameMailer) -> None:
        """Queue *sent* for each recipient, unless it is delivered with the results."""
        if sent.postal:
            return
        for reader in recipients_of(self.transaction, self.game):
            delivered = self.press_for(sent, reader) if self.is_for(sent, reader) else None
            if delivered:
                mailer.relay(delivered, reader, cause, sent)

    def readable(
        self, sent: Iterable[PressSent], reader: Recipient
    ) -> tuple[press.PressEmail, ...]:
        """Return those of *sent* that *reader* may read."""
        found = (self.press_for(each, reader) for each in sent if self.is_for(each, reader))
        return tuple(each for each in found if each)

    def is_for(self, sent: PressSent, reader: Recipient) -> bool:
        """Return whether *reader* may read *sent*."""
        observed = reader.observes and goes_to_all(self.game, sent)
        return observed or reader.is_among(sent.recipients)

    def press_for(
        self, sent: PressSent, reader: Recipient | None, *, answerable: bool = True
    ) -> press.PressEmail | None:
        """Return *sent* as *reader* gets it; None if its writer was erased.

        Press to the moderator is never disguised.
        """
        key = self.transaction.people.key(sent.person)
        if key is None:
            return None
        honest = reader is not None and reader.moderates and MODERATOR in sent.recipients
        return press.press_email(
            self.board,
            self.game,
            sent,
            self.judge.encryption.open(sent.sealed_text, key),
            judge_code=self.judge.code,
            honest=honest,
            handle=self._handle(sent),
            answerable=answerable and not sent.postal,
        )

    def _handle(self, sent: PressSent) -> str:
        shown = sent.sender == OBSERVER and not self.game.house_rules.anonymous
        person = self.transaction.people.get(sent.person) if shown else None
        return person.handle if person else ""


class Diaries:
    """The notes and statements of one game whose writers have not been erased."""

    def __init__(self, judge: Judge, transaction: Transaction, game: Game) -> None:
        self._judge = judge
        self._transaction = transaction
        self._game = game

    def notes(self) -> Iterator[tuple[str, Note]]:
        """Yield writers and their notes, by power and time, without deleted ones."""
        log = self._transaction.events.read(self._game.name)
        notes = [each.event for each in log if isinstance(each.event, NoteWritten)]
        latest = {(each.person, each.note): each for each in notes}  # numbers are used again
        for written in sorted(latest.values(), key=lambda each: each.power):
            if written.note not in self._game.diaries.get(written.person, {}):
                continue
            lines = self.lines(written)
            if lines:
                yield written.person, Note(written.power, lines, written.note, written.phase)

    def statements(self) -> Iterator[Note]:
        """Yield the last statement of each player who made one."""
        log = self._transaction.events.read(self._game.name)
        made = {e.event.person: e.event for e in log if isinstance(e.event, StatementMade)}
        for each in made.values():
            yield Note(each.power, self.lines(each))

    def lines(self, written: NoteWritten | StatementMade) -> tuple[str, ...]:
        """Return the text of *written*; empty if its writer was erased."""
        key = self._transaction.people.key(written.person)
        text = self._judge.encryption.open(written.sealed_text, key) if key else ""
        return tuple(text.splitlines())
