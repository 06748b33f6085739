"""Games that began elsewhere: recorded ones taken into the log, and branches of those in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from judge.app import operate
from judge.app.conduct import Conducted
from judge.app.judge import Judge
from judge.app.operate import NewGame
from judge.app.ports import Transaction
from judge.archive.log_conversion import (
    import_event,
    past_for_branch,
    past_from_record,
    record_from_log,
)
from judge.archive.record import Record, RecordedPress, Seat
from judge.events.store import Recorded
from judge.game.diaries import is_press_shown
from judge.game.events import evolve
from judge.game.game_state import Game, PressSent
from judge.game.press import goes_to_all, is_between_players
from judge.game.visibility import Observer, view
from judge.rules.board import Map
from judge.rules.types import Phase


def take_in(judge: Judge, new: NewGame, record: Record, at: Phase | None) -> Conducted:
    """Open *new* with what was played in *record*, to be played on from *at* or from its end.

    Raises `NoPastError`.
    """
    board = judge.boards(new.variant)
    past = past_from_record(board, record, new.rulebook, import_event(record), at)
    return operate.create(judge, replace(new, past=past))


def branch(judge: Judge, new: NewGame, parent: str, at: Phase) -> Conducted:
    """Open *new* with what was played in the game *parent* before *at*, to go on from there.

    Raises `NoPastError`.
    """
    board = judge.boards(new.variant)
    past = past_for_branch(board, operate.log(judge, parent), new.rulebook, at)
    return operate.create(judge, replace(new, past=past))


def recorded(judge: Judge, name: str) -> Record:
    """Return the game *name*, of which there are events, as a record of what is public."""
    game = operate.game(judge, name)
    assert game, "there are events of it"
    return record_from_log(judge.boards(game.variant), operate.log(judge, name))


def published(judge: Judge, name: str) -> Record:
    """Return the game *name* as `recorded`, with its players and what anybody may read of press.

    That is what they wrote to everybody or, once the game is over, all that they wrote to each
    other, if its rules have said so from the start, or all who wrote agree. It stands there as
    its readers were told it. What nobody can decrypt any more, because its writer asked to be
    forgotten, is left out.
    """
    game = operate.game(judge, name)
    assert game, "there are events of it"
    open_phase = game.position.phase.code if game.phase and game.position else None
    readable = _readable(judge.boards(game.variant), game, operate.log(judge, name))
    letters = []
    with judge.database.read() as transaction:
        for sent, readers in readable:
            key = transaction.people.key(sent.person)
            if key and sent.phase != open_phase and sent not in game.unread:
                text = judge.sealer.open(sent.sealed_text, key)
                letters.append(RecordedPress(Phase.parse(sent.phase), sent.signed, readers, text))
        seats = _seats(transaction, game)
    record = recorded(judge, name)
    phases = record.phases
    if game.phase and phases:
        phases = (*phases[:-1], replace(phases[-1], deadline=game.phase.deadline))
    return replace(record, press=tuple(letters), seats=seats, phases=phases)


def _seats(transaction: Transaction, game: Game) -> tuple[Seat, ...]:
    """Return who plays what, by the handles that anybody may know: in gunboat none."""
    people = view(game, Observer()).people
    known = {power: transaction.people.get(person) for power, person in people.items()}
    return tuple(Seat(power, person.handle) for power, person in known.items() if person)


def _readable(
    board: Map, now: Game, log: Iterable[Recorded]
) -> Iterator[tuple[PressSent, tuple[str, ...]]]:
    """Yield the letters that anybody may read *now*, with whom they were for: none if for all."""
    opened = is_press_shown(now)
    game: Game | None = None
    for each in log:
        sent = each.event
        if isinstance(sent, PressSent) and game:
            if goes_to_all(game, sent):
                yield sent, ()
            elif opened and is_between_players(game, sent):
                yield sent, sent.named
        game = evolve(board, game, each.event)
