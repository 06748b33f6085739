"""`judge archive show`: a recorded game as text, or one phase as a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from judge.adapters.archive.record_files import ReadOptions
from judge.archive.records import Record, RecordedPhase, WrittenOrder
from judge.cli.archive.game_files import (
    board_of,
    fail_without_games,
    read_records,
    reading_options,
    without_local_path,
)
from judge.cli.map_options import PictureOptions, picture_options, save_picture
from judge.cli.options import phase_named
from judge.cli.terminal import UNAVAILABLE, USAGE, FilePath, fail
from judge.pictures.scene import Scene, scene_with_orders, scene_with_outcomes
from judge.rules.board import Map
from judge.rules.types import Order, Phase, Position, Power


@click.command()
@click.argument("file", type=FilePath(exists=True, or_stream=True))
@reading_options
@click.option("--game", help="Only the game of this name.")
@click.option(
    "--number", type=click.IntRange(min=1), help="Only the game with this number in the file."
)
@click.option("--phase", "code", metavar="F1901M", help="Only this phase.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per game, complete.")
@picture_options
def show(  # noqa: PLR0913 - one argument per option
    picture: PictureOptions | None,
    how: ReadOptions,
    file: Path,
    *,
    game: str | None,
    number: int | None,
    code: str | None,
    as_json: bool,
) -> None:
    """Show the games in FILE: players and, for each phase, units, centers and orders.

    FILE is a file, a folder, an archive, a Maildir, or - for standard input.
    """
    if picture and not code:
        fail("--picture needs --phase: a picture shows one phase", USAGE)
    phase, shown = phase_named(code) if code else None, False
    for place, record in enumerate(read_records(how, [file]), 1):
        if number and place != number:
            continue
        part = _part(record, game, phase)
        if part is None:
            continue
        board = board_of(record)
        if picture:
            if shown:
                fail(f"{file} has several such games: choose one with --game or --number", USAGE)
            _draw(board, picture, part)
        elif as_json:
            from judge.archive.formats.record_json import record_to_json

            click.echo(json.dumps(record_to_json(without_local_path(part, how), board)))
        else:
            click.echo("\n".join(_page(board, part)))
        shown = True
    if not shown:
        wanted = (
            f"game {game!r}" if game else "",
            f"game number {number}" if number else "",
            f"phase {code}" if code else "",
        )
        if not any(wanted):
            fail_without_games([file])
        fail(f"{file} has no {', '.join(filter(None, wanted))}", UNAVAILABLE)


def _part(record: Record, game: str | None, phase: Phase | None) -> Record | None:
    if game and record.name != game:
        return None
    if phase is None:
        return record
    phases = tuple(each for each in record.phases if each.phase == phase)
    return replace(record, phases=phases) if phases else None


def _draw(board: Map, picture: PictureOptions, record: Record) -> None:
    phase = record.phases[-1]
    if phase.position is None:
        fail(f"no position is recorded for {phase.phase} of {record.name}", UNAVAILABLE)
    scene = _scene(board, record, phase, phase.position)
    save_picture(picture, record.variant, board, scene)


def _scene(board: Map, record: Record, phase: RecordedPhase, position: Position) -> Scene:
    """Return *phase* with the results of its orders, by the rulebook of its source."""
    from judge.archive.reading import rulebook_of
    from judge.rules.adjudication import adjudicate
    from judge.rules.rulebook import UnknownRulebookError

    title = f"{record.name.rpartition('/')[2]} \N{MIDDLE DOT} {phase.phase}"
    orders: dict[Power, list[Order]] = {}
    for written in phase.orders:
        if written.order:
            orders.setdefault(written.power, []).append(written.order)
    if not orders:
        return scene_with_orders(position, {}, title)
    try:
        rulebook = rulebook_of(record)
    except UnknownRulebookError as error:
        fail(str(error), UNAVAILABLE)
    judged = adjudicate(board, position, orders, rulebook)
    outcomes = (*judged.outcomes, *judged.unordered)
    return scene_with_outcomes(position, outcomes, judged.removed, title)


def _page(board: Map, record: Record) -> Iterator[str]:
    yield f"{record.name} ({record.source.format})"
    for seat in record.seats:
        since = f" from {seat.since}" if seat.since else ""
        until = f" to {seat.until}" if seat.until else ""
        yield f"  {seat.power}: {seat.player or seat.hold.value}{since}{until}"
    for phase in record.phases:
        edition = f", edition {phase.edition}" if phase.edition > 1 else ""
        yield f"\n{phase.phase}{edition}"
        for power in board.powers:
            yield from _power_lines(phase, power)
    if record.ending:
        ending = record.ending
        yield f"\n{ending.kind.value}: {', '.join(ending.powers)} {ending.reason}".rstrip()


def _power_lines(phase: RecordedPhase, power: Power) -> Iterator[str]:
    shown = dict(_position(phase.position, power)) if phase.position else {}
    orders = [_order(each) for each in phase.orders if each.power == power]
    if not (shown or orders):
        return
    yield power
    for name, pieces in shown.items():
        yield f"  {name:9}{', '.join(pieces)}"
    for order in orders:
        yield f"  {order}"


def _position(position: Position, power: Power) -> Iterator[tuple[str, list[str]]]:
    units = [str(unit) for unit in position.units_of(power)]
    units += [f"*{each.unit}" for each in position.dislodged_of(power)]
    if units:
        yield "units", units
    if centers := position.centers_of(power):
        yield "centers", [*centers]


def _order(written: WrittenOrder) -> str:
    return f"{written.text} ({', '.join(written.results)})" if written.results else written.text
