"""What players have written down of a game, opened with their keys."""

from __future__ import annotations

from collections.abc import Iterator

from judge.app.judge import Judge
from judge.app.ports import Transaction
from judge.game.diaries import NoteDropped, NoteWritten, StatementMade
from judge.game.game_state import Game
from judge.reports.emails.game_history import Note


class Memory:
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
        return tuple(self._judge.sealer.open(written.sealed_text, key).splitlines()) if key else ()
