"""Orders that a mail program wrapped, read back: `python -m tests.bench.wrapping [GAMES]`.

Every order set of the recorded games in the folder GAMES (by default tests/games) is written in
four layouts, wrapped at every width from 20 to 80 columns, and read as an email is. No set may
gain an order that nobody wrote, nor lose one that the receipt does not name; from 60 columns on
the judge may ask about fewer than 1 % of the sets. The exit code is 1 if any of this fails.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import EmailRead, read_email
from judge.app.commands.situation import Situation
from judge.archive.position_json import read_position, read_written_orders
from judge.mail.body import split
from judge.notation.order_text import write_order, write_short
from judge.notation.readings import NotUnderstood, Unclear
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Convoy, Order, Position, SupportHold, SupportMove
from tests.games.records import GAME_10713, Game, RecordedPhase, read_droidippy, read_lines

WIDTHS = range(20, 81)
WIDE = 60  # columns, from which the judge may ask about few sets only
ASKED_MAX = 0.01
SHOWN_MAX = 20  # failures that are printed


@dataclass
class Tally:
    """The number of sets, and of those that led to questions, at each width."""

    sets: Counter[int] = field(default_factory=Counter)
    asked: Counter[int] = field(default_factory=Counter)
    gained: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.sets += other.sets
        self.asked += other.asked
        self.gained += other.gained
        self.lost += other.lost


def layouts(board: Map, position: Position, power: str, orders: Sequence[Order]) -> Iterator[str]:
    """Yield the four ways to write *orders*."""
    brief = [write_short(order, board) for order in orders]
    yield "\n".join(brief)
    yield ", ".join(brief)
    yield f"{power}: {', '.join(brief)}."
    owned = [_with_nationality(board, position, power, order) for order in orders]
    yield ", ".join(each.replace(" - ", "-") for each in owned) + "."


def _with_nationality(board: Map, position: Position, power: str, order: Order) -> str:
    """Write *order* as the rulebook does: `A Sil S RUSSIAN A War-Pru`."""
    text = write_short(order, board)
    match order:
        case SupportHold(supported=unit) | SupportMove(supported=unit) | Convoy(army=unit):
            owners = {each.province: each.power for each in position.units}
            owner = owners.get(unit.province)
            verb = " C " if isinstance(order, Convoy) else " S "
            if owner and owner != power:
                return text.replace(verb, f"{verb}{board.nations[owner].adjective.upper()} ", 1)
            return text
        case _:
            return text


def wrapped(text: str, width: int) -> str:
    """Return *text* as a mail program sends it that wraps at *width* columns."""
    return "\n".join(
        part for line in text.split("\n") for part in wrap(line, width, break_on_hyphens=False)
    )


def read_set(
    board: Map, position: Position, power: str, orders: Sequence[Order], of: str
) -> Tally:
    """Read one order set in all layouts and widths; *of* names it in what is printed."""
    tally = Tally()
    situation = Situation(board, position, power)
    for layout in layouts(board, position, power, orders):
        read: dict[str, EmailRead] = {}
        for width in WIDTHS:
            text = wrapped(layout, width)
            if text not in read:
                read[text] = read_email(situation, split(text))
                _judge(situation, orders, read[text], f"{of}:\n{text}", tally)
            tally.sets[width] += 1
            tally.asked[width] += any(map(_is_question, read[text].pieces))
    return tally


def _is_question(piece: object) -> bool:
    return isinstance(piece, NotUnderstood | Unclear)


def _judge(
    situation: Situation, orders: Sequence[Order], email: EmailRead, of: str, tally: Tally
) -> None:
    wanted = {_settled(situation, order): order for order in orders}
    found = {write_order(order) for order in email.orders}
    named = " ".join(
        " ".join(each.text.split()).replace(" - ", "-")
        for each in email.pieces
        if isinstance(each, NotUnderstood | Unclear)
    )
    if gained := found - wanted.keys():
        tally.gained.append(f"{of}\n  gained: {sorted(gained)}")
    for text in wanted.keys() - found:
        if write_short(wanted[text], situation.board).split(" ")[1] not in named:
            tally.lost.append(f"{of}\n  lost: {text}")


def _settled(situation: Situation, order: Order) -> str:
    """Return how *order* comes out of an email that says nothing else."""
    alone = read_email(situation, split(write_short(order, situation.board))).orders
    return write_order(alone[0] if len(alone) == 1 else order)


def read_game(name: str, game: Game) -> Tally:
    """Read all order sets of *game*."""
    board, tally = load_map(), Tally()
    position = board.start
    for phase in game:
        position = _as_recorded(board, position, phase)
        given = {
            power: read_written_orders(board, texts) for power, texts in phase["orders"].items()
        }
        for power, orders in given.items():
            if orders:
                of = f"{name} {phase['phase']} {power}"
                tally.add(read_set(board, position, power, orders, of))
        position = adjudicate(board, position, given, rulebook_named(phase["rulebook"])).after
    return tally


def _as_recorded(board: Map, position: Position, phase: RecordedPhase) -> Position:
    """Return *position*, or the one of *phase* if the recorded orders led elsewhere."""
    recorded = {f"{power} {unit}" for power, units in phase["units"].items() for unit in units}
    standing = {f"{each.power} {each}" for each in position.units}
    dislodged = {f"{each.unit.power} *{each.unit}" for each in position.dislodged}
    retreating = any("*" in unit for unit in recorded)  # Their retreats were not recorded.
    as_computed = recorded == standing | dislodged and position.phase.code == phase["phase"]
    if retreating or as_computed:
        return position
    described = {"phase": phase["phase"], "units": phase["units"], "centers": phase["centers"]}
    return read_position(board, described, rulebook_named(phase["rulebook"]))


def _read_file(path: Path) -> Tally:
    text = path.read_text(errors="replace")
    game = read_lines(text) if path.suffix == ".jsonl" else read_droidippy(text, lenient=True)
    return read_game(path.stem, game)


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("games", nargs="?", type=Path, default=GAME_10713.parent)
    folder = options.parse_args().games
    paths = sorted((*folder.glob("*.jsonl"), *folder.glob("game_*.txt")))
    total = Tally()
    with ProcessPoolExecutor() as workers:
        for path, tally in zip(paths, workers.map(_read_file, paths), strict=True):
            total.add(tally)
            print(f"{path.name}: {tally.sets[WIDE]} sets", file=sys.stderr, flush=True)
    print(f"{len(paths)} games, {total.sets[WIDE]} order sets in 4 layouts")
    for width in WIDTHS:
        share = total.asked[width] / total.sets[width]
        print(f"{width:3} columns: asked about {share:7.3%}")
    for kind, failures in (("gained", total.gained), ("lost", total.lost)):
        print(f"{len(failures)} wrapped sets {kind} an order")
        for failure in failures[:SHOWN_MAX]:
            print(failure, file=sys.stderr)
    too_often = [w for w in WIDTHS if w >= WIDE and total.asked[w] >= ASKED_MAX * total.sets[w]]
    sys.exit(bool(total.gained or total.lost or too_often))


if __name__ == "__main__":
    main()
