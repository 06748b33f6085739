"""The state of a game as webDiplomacy tells it to programs: JSON of the route `game/status`.

    {"gameID": 1, "variantID": 1, "turn": 1, "phase": "Diplomacy", "gameOver": "No", "phases": [
     {"turn": 0, "phase": "Diplomacy",
      "units": [{"unitType": "Army", "terrID": 47, "countryID": 2, "retreating": "No"}],
      "centers": [{"terrID": 47, "countryID": 2}],
      "orders": [{"countryID": 2, "terrID": 47, "unitType": "Army", "type": "Hold", ...}]}]}

Where there are no `phases`, the orders say themselves of which phase they are, only the present
one has units, and the positions before it are worked out from the orders. Who attacked whom, and
where a standoff was, is told of the present phase alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from judge.archive.json_games import JsonGame, json_games, keys_of
from judge.archive.placing import Placing, orders_of
from judge.archive.positions import UNKNOWN
from judge.archive.reading import Format, Reading
from judge.archive.record import (
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    RecordedPress,
    Source,
    WrittenOrder,
)
from judge.archive.values import MalformedError, a_text, an_object, some_objects
from judge.archive.webdiplomacy.numbers import CLASSIC, number, phase, place, power
from judge.archive.webdiplomacy.orders import KINDS, read_order, results
from judge.notation.order_text import write_order
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.phase_sequence import next_position, winner
from judge.rules.retreats import open_retreats
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Order, Phase, PhaseKind, Position, Province, Unit, province_of

NAME = "webdiplomacy"
LAW = rulebook_named(NAME)
FINISHED = "Finished"  # in place of a phase
SETTINGS = ("potType", "pressType", "drawType")

Told = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Game:
    reading: Reading
    line: int

    def doubt(self, text: str, why: str) -> None:
        self.reading.doubts.note(self.line, text, why)


def recognizes(head: str) -> bool:
    """Tell whether *head* begins such a file."""
    return keys_of(head) >= {"gameID", "variantID", "terrID", "countryID"}


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the games in *lines*."""
    for found in json_games(reading.doubts, lines):
        try:
            yield _record(_Game(reading, found.first_line), found)
        except MalformedError as error:
            reading.doubts.note(found.first_line, "", str(error))


def _record(game: _Game, found: JsonGame) -> Record:
    told, reading = found.value, game.reading
    if number(told, "variantID") != CLASSIC:
        raise MalformedError("variantID", f"is not {CLASSIC}, the classic board")
    steps = _steps(told)
    phases = _phases(game, steps)
    if not phases:
        raise MalformedError("phases", "are missing")
    return Record(
        name=str(number(told, "gameID")),
        source=Source(NAME, reading.name, reading.sha256, found.first_line, found.last_line),
        rulebook=NAME,
        phases=tuple(phases),
        press=tuple(_press(steps)),
        ending=_ending(game, told, phases),
        settings={key: value for key in SETTINGS if isinstance(value := told.get(key), str)},
        doubts=reading.doubts.taken(),
    )


def _steps(told: Told) -> Sequence[Told]:
    """Return the phases of a state, the last with what the state tells of the present."""
    steps = some_objects(told["phases"], "phases") if "phases" in told else _sorted_out(told)
    present = {key: told.get(key) for key in ("standoffs", "occupiedFrom")}
    return [*steps[:-1], *({**each, **present} for each in steps[-1:])]


def _sorted_out(told: Told) -> Sequence[Told]:
    """Return the phases of a state that has its orders in one heap."""
    heaps: dict[tuple[int, object], list[Told]] = {}
    for order in some_objects(told.get("orders"), "orders"):
        heaps.setdefault((number(order, "turn"), order.get("phase")), []).append(order)
    present = number(told, "turn"), told.get("phase")
    heaps.setdefault(present, [])
    board = {key: told.get(key) for key in ("units", "centers")}
    return [
        {"turn": when[0], "phase": when[1], "orders": heaps[when]}
        | (board if when == present else {})
        for when in sorted(heaps, key=_when)
    ]


def _when(step: tuple[int, object]) -> tuple[int, int]:
    turn, kind = step
    kinds = ["Diplomacy", "Retreats", "Builds", FINISHED]
    return turn, kinds.index(str(kind)) if kind in kinds else -1


def _phases(game: _Game, steps: Sequence[Told]) -> list[RecordedPhase]:
    phases: list[RecordedPhase] = []
    for step in steps:
        before = phases[-1] if phases else None
        when = _time_of(game, step, before)
        if when is None:
            continue
        position = _position(game, step, when, before)
        orders = tuple(_orders(game, step, when, position))
        told = any(each.results is not None for each in orders)
        phases.append(RecordedPhase(when, position, orders, results_told=told))
    return phases


def _time_of(game: _Game, step: Told, before: RecordedPhase | None) -> Phase | None:
    """Return the phase of *step*; of a finished game, that which would come after the last."""
    if step.get("phase") != FINISHED:
        return phase(number(step, "turn"), step.get("phase"))
    if before is None or not before.orders or not step.get("units"):
        return None
    end = _placed(game, step, before.phase, None)
    return next_position(game.reading.board, before.phase, end.units, end.owners).phase


def _position(
    game: _Game, step: Told, when: Phase, before: RecordedPhase | None
) -> Position | None:
    """Return the position that *step* tells, or that the orders of *before* led to."""
    board = game.reading.board
    if step.get("units") is not None:
        return _placed(game, step, when, before)
    if when == board.start.phase:
        return board.start
    if before is None or before.position is None:
        return None
    after = adjudicate(board, before.position, orders_of(before), LAW).after
    return after if after.phase == when else None


def _placed(game: _Game, step: Told, when: Phase, before: RecordedPhase | None) -> Position:
    placing, line = Placing(game.reading.board, game.reading.doubts), game.line
    for each in some_objects(step.get("units"), "units"):
        kind, at, owner = each.get("unitType"), place(each, "terrID"), power(each)
        if kind not in KINDS or at is None or owner is None:
            raise MalformedError(json.dumps(each), "no unit")
        dislodged = each.get("retreating") == "Yes" and when.kind is PhaseKind.RETREATS
        unit = Unit(owner, KINDS[str(kind)], at)
        placing.place(unit, line, f"{when}: {owner} {unit}", dislodged=dislodged)
    for each in some_objects(step.get("centers"), "centers"):
        center, owner = place(each, "terrID"), power(each)
        if center and owner:
            placing.own(province_of(center), owner, line, f"{when}: {owner} {center}")
    position = placing.position(when, before, LAW)
    return _attacked(game.reading.board, position, step) if before is None else position


def _attacked(board: Map, position: Position, step: Told) -> Position:
    """Return *position* with the retreats that the attacks and standoffs of *step* leave open."""
    standoffs = [
        place(each, "terrID") for each in some_objects(step.get("standoffs"), "standoffs")
    ]
    contested = frozenset(province_of(each) for each in standoffs if each)
    attacks = an_object(step.get("occupiedFrom") or None, "occupiedFrom")  # [] if there are none
    origins = {place({"at": at}, "at"): place(attacks, at) for at in attacks}
    waiting = []
    for each in position.dislodged:
        origin = province_of(
            origins.get(each.unit.location) or origins.get(each.unit.province) or UNKNOWN
        )
        places = open_retreats(
            board,
            each.unit,
            attacked_from=origin,
            attacker_convoyed=False,
            closed={unit.province for unit in position.units} | contested,
            rulebook=LAW,
        )
        waiting.append(replace(each, attacked_from=origin, retreats=places))
    return replace(position, dislodged=tuple(waiting), contested=contested)


def _orders(
    game: _Game, step: Told, when: Phase, position: Position | None
) -> Iterator[WrittenOrder]:
    units = _units(when, position)
    several = some_objects(step.get("orders"), "orders")
    read = [(told, _order(game, told, units)) for told in several]
    given = {province_of(place(told, "terrID") or ""): order for told, order in read if order}
    for told, order in read:
        owner = power(told)
        if owner is None:
            game.doubt(json.dumps(told), "an order of nobody")
        elif order is None:
            yield WrittenOrder(owner, json.dumps(told), None)
        else:
            yield WrittenOrder(owner, write_order(order), order, results(told, order, given))


def _order(game: _Game, told: Told, units: Mapping[Province, Unit]) -> Order | None:
    try:
        return read_order(told, units)
    except MalformedError as error:
        game.doubt(json.dumps(told), str(error))
        return None


def _units(when: Phase, position: Position | None) -> Mapping[Province, Unit]:
    if position is None:
        return {}
    if when.kind is PhaseKind.RETREATS:
        return {each.unit.province: each.unit for each in position.dislodged}
    return {unit.province: unit for unit in position.units}


def _press(steps: Iterable[Told]) -> Iterator[RecordedPress]:
    for step in steps:
        for message in some_objects(step.get("messages"), "messages"):
            reader = power(message, "toCountryID")
            sent = number(message, "timeSent")
            yield RecordedPress(
                phase=phase(number(step, "turn"), step.get("phase")),
                sender=power(message, "fromCountryID"),
                readers=(reader,) if reader else (),
                text=a_text(message.get("message"), "message"),
                sent=datetime.fromtimestamp(sent, UTC) if sent else None,
            )


def _ending(game: _Game, told: Told, phases: Sequence[RecordedPhase]) -> Ending | None:
    """Return how the game ended; a draw is shared by all that still have units or centers."""
    over, position = told.get("gameOver"), phases[-1].position
    if over not in {"Won", "Drawn"} or position is None:
        return None
    played = [each.phase for each in phases if each.orders]
    last = played[-1] if played else phases[-1].phase
    if over == "Won":
        won = winner(game.reading.board, position)
        if won is None:
            game.doubt("gameOver Won", "nobody has the centers for it")
        return Ending(EndKind.SOLO, (won,) if won else (), last, "Won")
    alive = {unit.power for unit in position.units} | {*position.owners.values()}
    sharing = tuple(each for each in game.reading.board.powers if each in alive)
    return Ending(EndKind.DRAW, sharing, last, "Drawn")


FORMAT = Format(
    name=NAME,
    title="game states of webDiplomacy",
    rulebook=NAME,
    recognizes=recognizes,
    reads=read,
)
