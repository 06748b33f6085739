"""Press and diaries of a game, decrypted for those who may read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge.app.outbound.recipients import GameMailer, Recipient, recipients_of
from judge.app.ports.judge import Judge
from judge.app.ports.storage import Transaction
from judge.game.diaries import NoteDropped, NoteWritten, StatementMade
from judge.game.game_state import Game
from judge.game.press import MODERATOR, OBSERVER, PressSent, goes_to_all
from judge.reports.emails import press
from judge.reports.emails.game_history import Note
from judge.reports.emails.press import Letter
from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class PressReader:
    """Decrypts the press of one *game* and queues it for its recipients."""

    judge: Judge
    transaction: Transaction
    board: Map
    game: Game

    def relay(self, sent: PressSent, cause: str, scribe: GameMailer) -> None:
        """Queue *sent* for each of its readers, unless it waits for results."""
        if sent.postal:
            return
        for reader in recipients_of(self.transaction, self.game):
            letter = self.letter(sent, reader) if self.is_for(sent, reader) else None
            if letter:
                scribe.relay(letter, reader, cause, sent.message, sent.thread)

    def bring(self, letters: Iterable[PressSent], reader: Recipient) -> tuple[Letter, ...]:
        """Return those of the *letters* that *reader* is to read."""
        told = (self.letter(each, reader) for each in letters if self.is_for(each, reader))
        return tuple(letter for letter in told if letter)

    def is_for(self, sent: PressSent, reader: Recipient) -> bool:
        """Return whether *reader* may read *sent*."""
        looks_on = reader.observes and goes_to_all(self.game, sent)
        return reader.is_among(sent.recipients) or looks_on

    def letter(
        self, sent: PressSent, reader: Recipient | None, *, answerable: bool = True
    ) -> Letter | None:
        """Return *sent* as *reader* gets it; None if its writer asked to be forgotten.

        The moderator is never deceived in what is written to him.
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
        """Return by which name an observer is known to others."""
        shown = sent.sender == OBSERVER and not self.game.house_rules.anonymous
        person = self.transaction.people.get(sent.person) if shown else None
        return person.handle if person else ""


class Diaries:
    """What was written down of one game, as far as the keys of its writers are still there."""

    def __init__(self, judge: Judge, transaction: Transaction, game: Game) -> None:
        self._judge = judge
        self._transaction = transaction
        self._game = game

    def notes(self) -> Iterator[tuple[str, Note]]:
        """Yield who wrote what, in the order of powers and time, but for what he took back."""
        kept: dict[tuple[str, int], NoteWritten] = {}
        for each in self._transaction.events.read(self._game.name):
            match each.event:
                case NoteWritten(note, _, person) as written:
                    kept[person, note] = written
                case NoteDropped(note, person):
                    del kept[person, note]
                case _:
                    pass
        for written in sorted(kept.values(), key=lambda each: each.power):
            lines = self.lines(written)
            if lines:
                yield written.person, Note(written.power, lines, written.note, written.phase)

    def statements(self) -> Iterator[Note]:
        """Yield the last statement of each who made one."""
        log = self._transaction.events.read(self._game.name)
        made = {e.event.person: e.event for e in log if isinstance(e.event, StatementMade)}
        for each in made.values():
            yield Note(each.power, self.lines(each))

    def lines(self, written: NoteWritten | StatementMade) -> tuple[str, ...]:
        """Return the text of *written*; nothing, if its writer asked to be forgotten."""
        key = self._transaction.people.key(written.person)
        return (
            tuple(self._judge.encryption.open(written.sealed_text, key).splitlines())
            if key
            else ()
        )
