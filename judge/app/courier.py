"""Letters between people: who reads one, as what, and which wait for the next results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from judge.app.judge import Judge
from judge.app.letters import Reader, Scribe, readers
from judge.app.ports import Transaction
from judge.game.game_state import Game, PressSent
from judge.game.press import MODERATOR, OBSERVER, goes_to_all
from judge.reports.emails import press
from judge.reports.emails.press import Letter
from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class Courier:
    """Brings the letters of one *game*, as it stands, to those who are to read them."""

    judge: Judge
    transaction: Transaction
    board: Map
    game: Game

    def relay(self, sent: PressSent, cause: str, scribe: Scribe) -> None:
        """Queue *sent* for each of its readers, unless it waits for results."""
        if sent.postal:
            return
        for reader in readers(self.transaction, self.game):
            letter = self.letter(sent, reader) if self.is_for(sent, reader) else None
            if letter:
                scribe.relay(letter, reader, cause, sent.message, sent.thread)

    def bring(self, letters: Iterable[PressSent], reader: Reader) -> tuple[Letter, ...]:
        """Return those of the *letters* that *reader* is to read."""
        told = (self.letter(each, reader) for each in letters if self.is_for(each, reader))
        return tuple(letter for letter in told if letter)

    def is_for(self, sent: PressSent, reader: Reader) -> bool:
        """Say whether *reader* is to read *sent*."""
        looks_on = reader.observes and goes_to_all(self.game, sent)
        return reader.is_among(sent.recipients) or looks_on

    def letter(
        self, sent: PressSent, reader: Reader | None, *, answerable: bool = True
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
            self.judge.sealer.open(sent.sealed_text, key),
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
