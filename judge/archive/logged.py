"""Recorded phases as events of the log, and back; and the log of any game as a record.

Only what is public goes either way: phases that were played to their end, and how the game ended.
Who played stays outside, because no event holds a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from judge.archive.judges.wording import words_of
from judge.archive.record import Ending, EndKind, Record, RecordedPhase, Source, WrittenOrder
from judge.events.store import Recorded, Value
from judge.game.events import evolve
from judge.game.game_state import Game
from judge.game.payloads import (
    get_text,
    get_texts,
    outcomes_from_payloads,
    position_from_payload,
    position_to_payload,
    unit_from_text,
)
from judge.game.phases import PhaseClosed, PhaseOpened, PhaseRecorded
from judge.game.rollback import without_rolled_back
from judge.game.voting import GameEnded
from judge.notation.order_text import read_owned_order, write_owned_order
from judge.rules.board import Map
from judge.rules.outcome import Destroyed, Outcome
from judge.rules.rulebook import rulebook_name
from judge.rules.types import Phase, PhaseKind, Position, Power, Unit

FORMAT = "log"  # of the source of a record that was made of our own log


def event_of(recorded: RecordedPhase, *, by_law: bool = False) -> PhaseRecorded:
    """Return *recorded*, whose position is known, as an event."""
    assert recorded.position, "in a gap there is nothing to record"
    return PhaseRecorded(
        phase=recorded.phase.code,
        position=position_to_payload(recorded.position),
        orders=tuple(map(_order_to_payload, recorded.orders)),
        results_told=recorded.results_told,
        removed=tuple(f"{power} {unit}" for power, unit in recorded.removed),
        by_law=by_law,
    )


def phase_of(event: PhaseRecorded) -> RecordedPhase:
    """Read what `event_of` wrote."""
    return RecordedPhase(
        phase=Phase.parse(event.phase),
        position=position_from_payload(event.position),
        orders=tuple(map(_order_from_payload, event.orders)),
        removed=tuple(map(_removed, event.removed)),
        results_told=event.results_told,
    )


def taken_over(log: Iterable[Recorded]) -> Iterator[RecordedPhase]:
    """Yield the phases of *log* that were played elsewhere, and that in which play went on."""
    for each in log:
        match each.event:
            case PhaseRecorded(by_law=False):
                yield phase_of(each.event)
            case PhaseRecorded():
                return
            case PhaseOpened(position=payload):
                position = position_from_payload(payload)
                yield RecordedPhase(position.phase, position)
                return
            case _:
                pass


def record_of(board: Map, log: Sequence[Recorded]) -> Record:
    """Return the game that *log* tells of: phases that were closed, and the position after."""
    phases: list[RecordedPhase] = []
    ending: Ending | None = None
    game: Game | None = None
    for each in without_rolled_back(log):
        match each.event:
            case PhaseRecorded():
                phases.append(phase_of(each.event))
            case PhaseClosed() if game and game.position:
                phases.append(_closed(board, game.position, each.event))
            case GameEnded(phase, result, winners):
                ending = Ending(EndKind(result), winners, Phase.parse(phase))
            case _:
                pass
        game = evolve(board, game, each.event)
    assert game, "a log begins with the creation of its game"
    if game.position and (not phases or phases[-1].phase != game.position.phase):
        phases.append(RecordedPhase(game.position.phase, game.position))
    return Record(
        name=game.name,
        source=Source(FORMAT, game.name, log[-1].hash),
        variant=game.variant,
        rulebook=rulebook_name(game.rulebook),
        phases=tuple(phases),
        ending=ending,
    )


def _closed(board: Map, before: Position, closed: PhaseClosed) -> RecordedPhase:
    outcomes = outcomes_from_payloads(board, before.phase.kind, closed.verdicts)
    return RecordedPhase(
        phase=before.phase,
        position=before,
        orders=tuple(_judged(each, before.phase.kind) for each in outcomes if each.written),
        removed=tuple(map(_removed, closed.removed)),
        results_told=True,
    )


def _judged(outcome: Outcome, kind: PhaseKind) -> WrittenOrder:
    words = words_of(outcome, kind)
    if isinstance(outcome.fate, Destroyed):
        words = tuple("destroyed" if word == "dislodged" else word for word in words)
    return WrittenOrder(outcome.power, write_owned_order(outcome.order), outcome.order, words)


def _order_to_payload(written: WrittenOrder) -> Mapping[str, Value]:
    """Write an order; what nobody understood stays in the source, which may say anything."""
    return {
        "power": written.power,
        "order": write_owned_order(written.order) if written.order else None,
        "results": written.results,
    }


def _order_from_payload(payload: Mapping[str, Value]) -> WrittenOrder:
    power, told = get_text(payload, "power"), payload["results"] is not None
    results = get_texts(payload, "results") if told else None
    if payload["order"] is None:
        return WrittenOrder(power, "", None, results)
    order = get_text(payload, "order")
    return WrittenOrder(power, order, read_owned_order(order), results)


def _removed(written: str) -> tuple[Power, Unit]:
    """Read `TURKEY A CON`."""
    power, _, unit = written.partition(" ")
    return power, unit_from_text(power, unit)
