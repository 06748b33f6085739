"""Convert recorded games to events of the log and back; import and branch games.

Only public facts are converted: completed phases and the ending. Events hold no player names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath

from judge.archive import records
from judge.archive.order_results import recorded_results
from judge.event_log import Recorded, Value
from judge.game import payloads, rollback
from judge.game.events import evolve
from judge.game.game_state import Game
from judge.game.phases import PhaseClosed, PhaseOpened, PhaseRecorded
from judge.game.players.creation import GameBranched, GameImported, Origin, PastGame
from judge.game.voting import GameEnded
from judge.notation.order_text import read_owned_order, write_owned_order
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.outcomes import Outcome
from judge.rules.phase_sequence import winner
from judge.rules.rulebook import Rulebook, rulebook_name
from judge.rules.types import Phase, PhaseKind, Position, Power, Unit

LOG_FORMAT = "log"  # the source format of records made from our log


def phase_to_event(recorded: records.RecordedPhase, *, by_law: bool = False) -> PhaseRecorded:
    """Return *recorded* as an event; its position must be known."""
    assert recorded.position, "gaps are not recorded"
    return PhaseRecorded(
        phase=recorded.phase.code,
        position=payloads.position_to_payload(recorded.position),
        orders=tuple(map(_order_to_payload, recorded.orders)),
        results_told=recorded.results_told,
        removed=tuple(f"{power} {unit}" for power, unit in recorded.removed),
        by_law=by_law,
    )


def phase_from_event(event: PhaseRecorded) -> records.RecordedPhase:
    """Read what `phase_to_event` wrote."""
    return records.RecordedPhase(
        phase=Phase.parse(event.phase),
        position=payloads.position_from_payload(event.position),
        orders=tuple(map(_order_from_payload, event.orders)),
        removed=tuple(map(_removed, event.removed)),
        results_told=event.results_told,
    )


def imported_phases(log: Iterable[Recorded]) -> Iterator[records.RecordedPhase]:
    """Yield the imported phases of *log*, then the first one played here."""
    for each in log:
        match each.event:
            case PhaseRecorded(by_law=False):
                yield phase_from_event(each.event)
            case PhaseRecorded():
                return
            case PhaseOpened(position=payload):
                position = payloads.position_from_payload(payload)
                yield records.RecordedPhase(position.phase, position)
                return
            case _:
                pass


def record_from_log(board: Map, log: Sequence[Recorded]) -> records.Record:
    """Return the game in *log*: its closed phases and the position after them."""
    phases: list[records.RecordedPhase] = []
    ending: records.Ending | None = None
    game: Game | None = None
    for each in rollback.without_rolled_back(log):
        match each.event:
            case PhaseRecorded():
                phases.append(phase_from_event(each.event))
            case PhaseClosed() if game and game.position:
                phases.append(_closed(game.position, each.event))
            case GameEnded(phase=phase, result=result, winners=winners):
                ending = records.Ending(records.EndKind(result), winners, Phase.parse(phase))
            case _:
                pass
        game = evolve(board, game, each.event)
    assert game, "a log begins with the creation of its game"
    if game.position and (not phases or phases[-1].phase != game.position.phase):
        phases.append(records.RecordedPhase(game.position.phase, game.position))
    return records.Record(
        name=game.name,
        source=records.Source(LOG_FORMAT, game.name, log[-1].hash),
        variant=game.variant,
        rulebook=rulebook_name(game.rulebook),
        phases=tuple(phases),
        ending=ending,
    )


def _closed(before: Position, closed: PhaseClosed) -> records.RecordedPhase:
    outcomes = payloads.outcomes_from_payloads(closed.verdicts)
    return records.RecordedPhase(
        phase=before.phase,
        position=before,
        orders=tuple(_judged_order(each, before.phase.kind) for each in outcomes if each.written),
        removed=tuple(map(_removed, closed.removed)),
        results_told=True,
    )


def _judged_order(outcome: Outcome, kind: PhaseKind) -> records.WrittenOrder:
    words = recorded_results(outcome, kind)
    return records.WrittenOrder(
        outcome.power, write_owned_order(outcome.order), outcome.order, words
    )


def _order_to_payload(written: records.WrittenOrder) -> Mapping[str, Value]:
    return {
        "power": written.power,
        "order": write_owned_order(written.order) if written.order else None,
        "results": written.results,
    }


def _order_from_payload(payload: Mapping[str, Value]) -> records.WrittenOrder:
    power, has_results = payloads.get_text(payload, "power"), payload["results"] is not None
    results = payloads.get_texts(payload, "results") if has_results else None
    if payload["order"] is None:
        return records.WrittenOrder(power, "", None, results)
    order = payloads.get_text(payload, "order")
    return records.WrittenOrder(power, order, read_owned_order(order), results)


def _removed(written: str) -> tuple[Power, Unit]:
    """Read `TURKEY A CON`."""
    power, _, unit = written.partition(" ")
    return power, payloads.unit_from_text(power, unit)


class UnimportableRecordError(ValueError):
    """A record cannot be imported, or cannot be played on from the wanted phase."""


def import_event(record: records.Record) -> GameImported:
    """Return the origin of *record*, without folders or email addresses."""
    name, source = record.name, PurePath(record.source.name).name
    if name == record.source.name:  # an unnamed game
        name = source
    return GameImported(
        record=records.redact_addresses(name),
        source=records.redact_addresses(source),
        format=record.source.format,
        sha256=record.source.sha256,
        takeover_until=None,
    )


def past_from_record(
    board: Map, record: records.Record, rulebook: Rulebook, origin: Origin, at: Phase | None = None
) -> PastGame:
    """Return the phases of *record* before the phase *at*, where play continues.

    The default is all phases: the game is over if the record has an ending or a winner, and
    otherwise continues from its last position. Phases without a position are left out. Raises
    `UnimportableRecordError`.
    """
    phases = [each for each in record.played if each.position]
    if record.variant != board.name or not phases:
        raise UnimportableRecordError(f"{record.name!r} has no position of the {board.name} board")
    events = [phase_to_event(each) for each in phases]
    after = _position_after_last(board, phases[-1], rulebook)
    if after:
        phases.append(after)
        events.append(phase_to_event(after, by_law=True))
    ending = _ending(board, record, phases[-1]) if at is None else None
    if ending:
        return PastGame(origin, tuple(events), ending)
    index = _index_of_phase(record, phases, at or phases[-1].phase)
    phase = phases[index]
    assert phase.position
    if not phase.position.owners:
        raise UnimportableRecordError(f"nobody knows who owned what in {phase.phase}")
    solo = winner(board, phase.position)
    if solo:
        raise UnimportableRecordError(f"in {phase.phase} {solo} has won already")
    return PastGame(origin, tuple(events[:index]), phase.position)


def past_for_branch(
    board: Map, log: Sequence[Recorded], rulebook: Rulebook, at: Phase
) -> PastGame:
    """Return the phases in *log* before the phase *at*, whose orders stay secret.

    Raises `NoPastError`.
    """
    game: Game | None = None
    origin: GameBranched | None = None
    until, counting = 0, rollback.without_rolled_back(log)
    for count, each in enumerate(counting, 1):
        game = evolve(board, game, each.event)
        again = isinstance(
            each.event,
            rollback.GameRolledBack | rollback.GameRolledForward | rollback.PositionCorrected,
        )
        if game.position and game.position.phase == at and (origin is None or again):
            origin = GameBranched(game.name, each.version, each.hash, takeover_until=None)
            until = count
    if origin:
        return past_from_record(
            board, record_from_log(board, counting[:until]), rulebook, origin, at
        )
    raise UnimportableRecordError(f"the game has no position of {at}")


def _position_after_last(
    board: Map, last: records.RecordedPhase, rulebook: Rulebook
) -> records.RecordedPhase | None:
    assert last.position
    if not last.orders or not last.is_understood:
        return None
    position = adjudicate(board, last.position, last.orders_by_power(), rulebook).after
    return records.RecordedPhase(position.phase, position)


def _ending(board: Map, record: records.Record, last: records.RecordedPhase) -> GameEnded | None:
    match record.ending:
        case records.Ending(kind, powers, phase):
            return GameEnded((phase or last.phase).code, kind.value, powers)
        case None:
            assert last.position
            solo = winner(board, last.position)
            return GameEnded(last.phase.code, "solo", (solo,)) if solo else None


def _index_of_phase(
    record: records.Record, phases: Sequence[records.RecordedPhase], at: Phase
) -> int:
    for index, each in enumerate(phases):
        if each.phase == at:
            return index
    known = ", ".join(each.phase.code for each in phases)
    raise UnimportableRecordError(f"{record.name!r} has no position of {at}, but of {known}")
