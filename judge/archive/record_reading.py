"""Our JSON, read back into a `Record`; what is missing in it was not told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import TypeVar

from judge.archive.positions import CACHED_MAX, read_position, read_unit
from judge.archive.record import (
    RESULTS,
    Doubt,
    Ending,
    EndKind,
    Hold,
    Record,
    RecordedPhase,
    RecordedPress,
    Seat,
    Source,
    WrittenOrder,
    YearChart,
)
from judge.archive.record_json import FORMAT, VERSION
from judge.archive.values import (
    MalformedError,
    a_count,
    a_text,
    an_object,
    some_objects,
    some_texts,
)
from judge.notation.order_text import UnreadableOrderError, read_owned_order
from judge.rules.board import Map
from judge.rules.rulebook import DATC
from judge.rules.types import Order, Phase, Position

Told = Mapping[str, object]
Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=Enum)


def from_json(board: Map, told: Told) -> Record:
    """Return the record that *told* holds. Raises `MalformedError`."""
    if told.get("format") != FORMAT or told.get("version") != VERSION:
        raise MalformedError(told.get("version"), f"no version of {FORMAT}; {VERSION} is")
    variant = a_text(told.get("map"), "map")
    if variant != board.name:
        raise MalformedError(variant, f"is not the {board.name} map")
    ending = told.get("ending")
    return Record(
        name=a_text(told.get("id"), "id"),
        source=_source(an_object(told.get("source"), "source")),
        variant=variant,
        rulebook=_maybe(told, "rulebook", a_text),
        numbers=_texts_by_name(told, "numbers"),
        gamemaster=_maybe(told, "gamemaster", a_text),
        zine=_maybe(told, "zine", a_text),
        issue=_maybe(told, "issue", a_text),
        seats=tuple(map(_seat, some_objects(told.get("seats"), "seats"))),
        phases=tuple(_phase(board, each) for each in some_objects(told.get("phases"), "phases")),
        press=tuple(press for _, press in sorted(_press(told), key=lambda each: each[0])),
        charts=tuple(map(_chart, some_objects(told.get("charts"), "charts"))),
        ending=None if ending is None else _ending(an_object(ending, "ending")),
        settings=_texts_by_name(told, "settings"),
        doubts=tuple(map(_doubt, some_objects(told.get("doubts"), "doubts"))),
    )


def _source(told: Told) -> Source:
    return Source(
        format=a_text(told.get("format"), "format"),
        name=a_text(told.get("name", ""), "name"),
        sha256=a_text(told.get("sha256", ""), "sha256"),
        first_line=a_count(told.get("first_line", 1), "first_line"),
        last_line=_maybe(told, "last_line", a_count),
    )


def _seat(told: Told) -> Seat:
    return Seat(
        power=a_text(told.get("power"), "power"),
        player=_maybe(told, "player", a_text),
        hold=_one_of(Hold, told.get("hold"), "hold"),
        since=_maybe(told, "since", _a_phase),
        until=_maybe(told, "until", _a_phase),
        address=_maybe(told, "address", a_text),
    )


def _chart(told: Told) -> YearChart:
    counts = an_object(told.get("counts"), "counts")
    return YearChart(
        year=a_count(told.get("year"), "year"),
        counts={power: a_count(count, "counts") for power, count in counts.items()},
        owners=_texts_by_name(told, "owners"),
    )


def _ending(told: Told) -> Ending:
    return Ending(
        kind=_one_of(EndKind, told.get("kind"), "kind"),
        powers=tuple(some_texts(told.get("powers"), "powers")),
        phase=_maybe(told, "phase", _a_phase),
        reason=a_text(told.get("reason", ""), "reason"),
    )


def _doubt(told: Told) -> Doubt:
    return Doubt(
        line=_maybe(told, "line", a_count),
        text=a_text(told.get("text", ""), "text"),
        why=a_text(told.get("why", ""), "why"),
    )


def _phase(board: Map, told: Told) -> RecordedPhase:
    phase, state = _a_phase(told.get("name"), "name"), told.get("state")
    removed = some_objects(told.get("removed"), "removed")
    powers = [a_text(each.get("power"), "power") for each in removed]
    units = [a_text(each.get("unit"), "unit") for each in removed]
    return RecordedPhase(
        phase=phase,
        position=None if state is None else _position(board, phase, an_object(state, "state")),
        orders=tuple(map(_written, some_objects(told.get("written"), "written"))),
        removed=tuple(
            (power, read_unit(board, power, unit))
            for power, unit in zip(powers, units, strict=True)
        ),
        results_told=told.get("results_told") is True,
        deadline=_maybe(told, "deadline", _a_time),
        reported=_maybe(told, "reported", _a_time),
        edition=a_count(told.get("edition", 1), "edition"),
        first_line=_maybe(told, "first_line", a_count),
        last_line=_maybe(told, "last_line", a_count),
        notes=tuple(some_texts(told.get("notes"), "notes")),
    )


def _position(board: Map, phase: Phase, state: Told) -> Position:
    """Return the position of *state*, in which `builds` only tells what follows from the rest."""
    return read_position(board, {**state, "phase": phase.code, "builds": state.get("due")}, DATC)


def _written(told: Told) -> WrittenOrder:
    order, results = _maybe(told, "order", a_text), told.get("results")
    words = None if results is None else tuple(some_texts(results, "results"))
    for word in words or ():
        if word not in RESULTS:
            raise MalformedError(word, "no result of an order")
    try:
        understood = _understood(order) if order else None
    except UnreadableOrderError as unreadable:
        raise MalformedError(order, "no order, such as A BUD - SER") from unreadable
    return WrittenOrder(
        power=a_text(told.get("power"), "power"),
        text=a_text(told.get("text", order), "text"),
        order=understood,
        results=words,
        line=_maybe(told, "line", a_count),
    )


@lru_cache(CACHED_MAX)
def _understood(order: str) -> Order:
    return read_owned_order(order)


def _press(told: Told) -> Iterator[tuple[int, RecordedPress]]:
    """Yield the messages of *told*, with their numbers."""
    for holder in (told, *some_objects(told.get("phases"), "phases")):
        for message in some_objects(holder.get("messages"), "messages"):
            code = a_text(message.get("phase", ""), "phase")
            yield (
                a_count(message.get("number"), "number"),
                RecordedPress(
                    phase=_a_phase(code, "phase") if code else None,
                    sender=a_text(message.get("sender"), "sender") or None,
                    readers=tuple(some_texts(message.get("readers"), "readers")),
                    text=a_text(message.get("message"), "message"),
                    sent=_maybe(message, "sent", _a_time),
                    line=_maybe(message, "line", a_count),
                ),
            )


def _maybe(told: Told, key: str, read: Callable[[object, str], Value]) -> Value | None:
    value = told.get(key)
    return None if value is None else read(value, key)


def _texts_by_name(told: Told, key: str) -> Mapping[str, str]:
    return {name: a_text(value, name) for name, value in an_object(told.get(key), key).items()}


def _one_of(choices: type[Choice], value: object, name: str) -> Choice:
    try:
        return choices(value)
    except ValueError:
        known = ", ".join(str(each.value) for each in choices)
        raise MalformedError(name, f"must be one of {known}") from None


def _a_phase(value: object, name: str) -> Phase:
    try:
        return Phase.parse(a_text(value, name))
    except MalformedError:
        raise
    except ValueError:
        raise MalformedError(value, "no phase, such as S1901M") from None


def _a_time(value: object, name: str) -> datetime:
    try:
        return datetime.fromisoformat(a_text(value, name))
    except MalformedError:
        raise
    except ValueError:
        raise MalformedError(name, "must be a time, such as 2026-11-27T02:00:00+00:00") from None
