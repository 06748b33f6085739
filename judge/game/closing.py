"""The end of a phase and the beginning of the next, as events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import reduce
from typing import TypeAlias

from judge.events.types import GameEnded, PhaseClosed, PhaseOpened
from judge.events.value import Event
from judge.game import calendar
from judge.game.absence import after_absences
from judge.game.commitment import commit
from judge.game.endings import agreed
from judge.game.game import Game, OpenPhase
from judge.game.house_rules import Deadlines, DrawEffect
from judge.game.instants import to_text
from judge.game.needs import needs_of
from judge.game.planning import given_in_advance
from judge.game.proposing import expired
from judge.game.standing import read_orders
from judge.game.state import _heard, _moved_on
from judge.game.verdicts import outcome_to_payload, paradox_to_payload, position_to_payload
from judge.rules.adjudication import RESOLVER_VERSION, adjudicate
from judge.rules.board import Map
from judge.rules.outcome import Adjudication
from judge.rules.phase_sequence import leaders, winner
from judge.rules.rulebook import rulebook_name
from judge.rules.types import Phase, PhaseKind, Position, Power, Season

Texts: TypeAlias = Mapping[Power, tuple[str, ...]]


def open_phase(game: Game, position: Position, number: int, now: datetime) -> PhaseOpened:
    """Open the phase of *position*, the game's phase *number*."""
    rules = game.house_rules
    hours = calendar.phase_hours(position.phase.kind, number, rules)
    deadline = after_absences(game, position, calendar.deadline(now, hours, rules))
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
    after = _moved_on(game, closed)
    ended = _end(board, after, closed.phase)
    if ended:
        return closed, ended
    lapsed = expired(after, closed.phase)
    if any(isinstance(each, GameEnded) for each in lapsed):
        return closed, *lapsed
    assert after.position is not None
    opened = open_phase(game, after.position, game.phase.number + 1, now)
    open_now = _moved_on(after, opened)
    given = tuple(
        given_in_advance(
            board, replace(open_now, plans=game.plans), opened.phase, opened=opened.opened
        )
    )
    begun = reduce(_heard, given, open_now)
    needs = needs_of(board, begun)
    assert needs is not None
    if needs.owed and not _is_judged_at_once(game, after.position):
        return closed, opened, *given, *lapsed
    return closed, opened, *given, *close(board, begun, now)


def _is_judged_at_once(game: Game, position: Position) -> bool:
    """Say whether the phase has no deadline of its own: what was ordered in advance counts."""
    movement = position.phase.kind is PhaseKind.MOVEMENT
    return game.house_rules.deadlines is Deadlines.MOVEMENT and not movement


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
        nmr=() if _is_judged_at_once(game, position) else needs.missing,
        after=position_to_payload(judged.after),
        commitments={
            power: {"digest": commit(phase.nonces[power], texts), "nonce": phase.nonces[power]}
            for power, texts in orders.items()
        },
        rulebook=rulebook_name(game.rulebook),
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
    solo = winner(board, game.position, game.house_rules.victory_centers)
    if solo:
        return GameEnded(phase, "solo", (solo,))
    if _is_last(game.position.phase, game.house_rules.last_year):
        best = leaders(game.position)
        return GameEnded(phase, "solo" if len(best) == 1 else "draw", best)
    waited = game.house_rules.draw_effect is DrawEffect.AT_CLOSE
    return agreed(game, phase) if waited else None


def _is_last(next_phase: Phase, last_year: int) -> bool:
    """Say whether the Fall of the agreed *last_year* is over when *next_phase* comes."""
    return last_year > 0 and next_phase > Phase(Season.FALL, last_year, PhaseKind.RETREATS)
