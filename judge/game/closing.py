"""The end of a phase and the beginning of the next, as events."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TypeAlias

from judge.events.types import Event, GameEnded, PhaseClosed, PhaseOpened
from judge.game import calendar
from judge.game.commitment import commit
from judge.game.endings import agreed
from judge.game.game import Game, OpenPhase
from judge.game.house_rules import DrawEffect
from judge.game.instants import to_text
from judge.game.needs import needs_of
from judge.game.standing import read_orders
from judge.game.state import evolve
from judge.game.verdicts import outcome_to_payload, paradox_to_payload, position_to_payload
from judge.rules.adjudication import RESOLVER_VERSION, adjudicate
from judge.rules.geography import Map
from judge.rules.position import Position
from judge.rules.result import Adjudication
from judge.rules.rulebook import name_of
from judge.rules.victory import winner
from judge.rules.vocabulary import Power

Texts: TypeAlias = Mapping[Power, tuple[str, ...]]


def open_phase(game: Game, position: Position, number: int, now: datetime) -> PhaseOpened:
    """Open the phase of *position*, the game's phase *number*."""
    rules = game.house_rules
    hours = calendar.phase_hours(position.phase.kind, number, rules)
    deadline = calendar.deadline(now, hours, rules)
    return PhaseOpened(
        phase=position.phase.code,
        number=number,
        position=position_to_payload(position),
        opened=to_text(now),
        deadline=to_text(deadline),
        grace_end=to_text(calendar.grace_end(deadline, rules)),
    )


def close(board: Map, game: Game, now: datetime) -> tuple[Event, ...]:
    """Adjudicate the open phase and open the next, unless the game is over.

    Phases in which nobody has a choice are closed as well.
    """
    assert game.phase is not None, "a phase is closed once"
    assert game.position is not None
    closed = close_phase(board, game, game.position, game.phase)
    after = evolve(board, game, closed)
    ended = _end(board, after, closed.phase)
    if ended:
        return closed, ended
    assert after.position is not None
    opened = open_phase(game, after.position, game.phase.number + 1, now)
    begun = evolve(board, after, opened)
    needs = needs_of(board, begun)
    assert needs is not None
    return (closed, opened) if needs.owed else (closed, opened, *close(board, begun, now))


def close_phase(board: Map, game: Game, position: Position, phase: OpenPhase) -> PhaseClosed:
    """Say what becomes of the orders that stand."""
    needs = needs_of(board, game)
    assert needs is not None
    orders = {power: phase.standing[power] for power in board.powers if power in phase.ordered}
    judged = judge(board, game, position, orders)
    return PhaseClosed(
        phase=position.phase.code,
        number=phase.number,
        orders=orders,
        verdicts=tuple(map(outcome_to_payload, (*judged.outcomes, *judged.unordered))),
        paradoxes=tuple(map(paradox_to_payload, judged.paradoxes)),
        removed=tuple(f"{unit.power} {unit}" for unit in judged.removed),
        nmr=needs.missing,
        after=position_to_payload(judged.after),
        commitments={
            power: {"digest": commit(phase.nonces[power], texts), "nonce": phase.nonces[power]}
            for power, texts in orders.items()
        },
        rulebook=name_of(game.rulebook),
        resolver=RESOLVER_VERSION,
    )


def judge(board: Map, game: Game, position: Position, orders: Texts) -> Adjudication:
    """Adjudicate *orders*, as the log holds them, by the law of *game*."""
    kind = position.phase.kind
    read = {power: read_orders(board, kind, texts) for power, texts in orders.items()}
    return adjudicate(board, position, read, game.rulebook)


def _end(board: Map, game: Game, phase: str) -> GameEnded | None:
    """Return the end of *game* after *phase*: on the board, or by votes that waited for it."""
    assert game.position is not None
    solo = winner(board, game.position)
    if solo:
        return GameEnded(phase, "solo", (solo,))
    waited = game.house_rules.draw_effect is DrawEffect.AT_CLOSE
    return agreed(game, phase) if waited else None
