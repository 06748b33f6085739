"""Is the log of a game what was written? No phase is closed on one that is not.

What is closed is told to everybody, and cannot be taken back by mail. So a log that was changed
behind the judge's back waits for a person, who mends it from a copy or says that it stands.
"""

from __future__ import annotations

from collections.abc import Iterable

from judge.app.judge import Judge
from judge.app.ports import Transaction
from judge.errors import JudgeError
from judge.events.chain import Damage, Flaw, digest_rows, verify_chain
from judge.events.store import Event, Vouched
from judge.game.game_state import Game
from judge.game.phases import PhaseClosed


class DamagedLogError(JudgeError):
    """The log of a game is not what was written."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(
            f"{flaw.game}: event {flaw.version} of its log is {flaw.damage.value}, so no phase is "
            "closed: look at it (judge log show), then restore a backup or let the log stand "
            "(judge log accept)"
        )
        self.flaw = flaw


def flaw_in(transaction: Transaction, name: str) -> Flaw | None:
    """Name the first event of the game *name* that is wrong and that nobody vouched for."""
    log = transaction.events
    return verify_chain(name, log.rows(name), log.head(name), log.vouched(name))


def require_sound(transaction: Transaction, name: str, events: Iterable[Event]) -> None:
    """Raise `DamagedLogError` if *events* close a phase of a game whose log is damaged."""
    if any(isinstance(event, PhaseClosed) for event in events):
        flaw = flaw_in(transaction, name)
        if flaw:
            raise DamagedLogError(flaw)


def require_whole(transaction: Transaction, game: Game) -> None:
    """Raise `DamagedLogError` if *game* was folded from a log of which something is missing."""
    if game.version != transaction.events.head(game.name).version:
        flaw = flaw_in(transaction, game.name)
        assert flaw, "each event makes a game one version older"
        raise DamagedLogError(flaw)


def accept(judge: Judge, name: str, reason: str) -> Flaw | None:
    """Let the log of a game stand as it is; return what was wrong with it.

    What is not there cannot stand: such a log raises `DamagedLogError`.
    """
    with judge.database.write() as transaction:
        flaw = flaw_in(transaction, name)
        if flaw is None:
            return None
        if flaw.damage is not Damage.ALTERED:
            raise DamagedLogError(flaw)
        log = transaction.events
        head, now = log.head(name), judge.clock.now()
        log.vouch(name, Vouched(head, digest_rows(log.rows(name)), reason, now))
    return flaw
