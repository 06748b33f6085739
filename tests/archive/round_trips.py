"""Convert records to every writable format and back, one file each and all in one.

    python -m tests.archive.round_trips FOLDER...

does it with the games of droidippy in each FOLDER, and verifies every file that it wrote.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from judge.adapters.archive.record_files import ReadOptions, find_files, games_in
from judge.adapters.variant_files import load_map
from judge.archive.formats.njudge.wording import game_name
from judge.archive.reading import WRITERS, UnreadableError, writer_named
from judge.archive.records import (
    Record,
    RecordedPhase,
    RecordedPress,
    Source,
    WrittenOrder,
    ordered_unit,
)
from judge.cli.root import archive
from judge.rules import types
from tests.archive.exports import faults

BOARD = load_map()
# What each format keeps of a game, and of a phase besides its position and orders.
KEPT: Mapping[str, frozenset[str]] = {
    "daide": frozenset({"press", "ending"}),
    "diplomacy": frozenset({"name", "press", "ending"}),
    "droidippy": frozenset(),
    "njudge": frozenset({"name", "press", "ending", "seats", "gamemaster", "reported"}),
}
CALL_DESTROYED_DISLODGED = {"daide", "njudge"}  # the lack of retreats says the rest
DROIDIPPY = "droidippy"


def differences(games: Sequence[Record], form: str, folder: Path, rulebook: str) -> Iterator[str]:
    """Write *games*, played under *rulebook*, as *form* into *folder*.

    Yields what is not read back, or not verified.
    """
    apart, whole = folder / form, folder / f"all.{form}"
    apart.mkdir()
    texts = ["".join(writer_named(form)(game, BOARD)) for game in games]
    whole.write_text("".join(texts), encoding="utf-8")
    yield from _compared(games, [whole], form)
    files = [apart / f"{number:03}.{form}" for number in range(len(games))]
    for game, file, text in zip(games, files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
        yield from faults(form, text)
        yield from _compared([game], [file], form)
    for path in (whole, apart):
        yield from _verified(path, rulebook, len(games))


def _compared(games: Sequence[Record], files: Iterable[Path], form: str) -> Iterator[str]:
    found: list[Record] = []
    for each in (game for file in files for game in games_in(BOARD, file, ReadOptions(form))):
        if isinstance(each, UnreadableError):
            yield f"{form}: {each}"
        else:
            found.append(each)
    if len(found) != len(games):
        yield f"{form}: {len(games)} games were written, {len(found)} read"
        return
    for game, again in zip(games, found, strict=True):
        told, read = as_told(game, form), as_told(again, form, game)
        if told != read:
            yield f"{form}: {game.name}: {_first_difference(told, read)}"


def _first_difference(told: Record, read: Record) -> str:
    for one, other in zip(told.phases, read.phases, strict=False):
        if one != other:
            told, read = replace(told, phases=(one,)), replace(read, phases=(other,))
            break
    return f"written {told}, read {read}"


def _verified(path: Path, rulebook: str, games: int) -> Iterator[str]:
    arguments = ["verify", "--json", "--rulebook", rulebook, str(path)]
    found = json.loads(CliRunner().invoke(archive, arguments).stdout)
    if found["differences"] or found["unread"] or found["games"] != games:
        several = [*found["differences"], *found["unread"]]
        yield f"{path.name}: verifies {found['games']} of {games} games; {several[:1]}"


def as_told(game: Record, form: str, original: Record | None = None) -> Record:
    """Return *game* without what *form* leaves out.

    Results that the *original* does not have are left out too: writers take them from the rules.
    """
    if form == "record":
        return game
    kept = {name: getattr(game, name) for name in KEPT[form] if hasattr(game, name)}
    if form == "njudge":
        kept["name"] = game_name(game).casefold()
    if "press" in kept:
        kept["press"] = tuple(_message(each, form) for each in game.press)
    if ending := kept.get("ending"):
        kept["ending"] = replace(ending, phase=None, reason="")
    editions = {each.phase: each for each in game.phases if each.position}
    phases = [*editions.values()]
    first = (original or game).phases
    results = any(each.results for phase in first for each in phase.orders)
    if original and first[-1].orders and len(phases) > len(first):
        phases.pop()  # the position that the results of the last phase tell
    followers = [*phases[1:], None]
    told = [
        _phase(each, next_, form, results=results)
        for each, next_ in zip(phases, followers, strict=True)
    ]
    return Record(**{"name": "", **kept, "source": Source("test", "", ""), "phases": tuple(told)})


def _message(message: RecordedPress, form: str) -> RecordedPress:
    text = " ".join(message.text.split()) if form == "daide" else message.text
    return replace(message, text=text, sent=None, line=None)


def _phase(
    phase: RecordedPhase, following: RecordedPhase | None, form: str, *, results: bool
) -> RecordedPhase:
    assert phase.position, "phases without a position are left out"
    orders = [each for each in phase.orders if each.order]
    if form == DROIDIPPY:
        orders = [each for each in orders if not isinstance(each.order, types.Waive)]
    if form == "njudge":
        orders = list(_reported(phase, orders, following))
    told = sorted((_order(each, form, results=results) for each in orders), key=str)
    return RecordedPhase(
        phase.phase,
        _position(phase.position),
        tuple(told),
        reported=phase.reported if "reported" in KEPT[form] else None,
    )


def _position(position: types.Position) -> types.Position:
    dislodged = [
        replace(
            each, attacked_from="", attacker_convoyed=False, retreats=tuple(sorted(each.retreats))
        )
        for each in position.dislodged
    ]
    return replace(position, dislodged=tuple(dislodged), contested=frozenset())


def _reported(
    phase: RecordedPhase, orders: Iterable[WrittenOrder], following: RecordedPhase | None
) -> Iterator[WrittenOrder]:
    """Yield the last order of each unit, holds for the others, and the adjustments made."""
    assert phase.position
    last = {(each.power, name): each for each in orders if (name := _province(each))}
    match phase.phase.kind:
        case types.PhaseKind.MOVEMENT:
            for unit in phase.position.units:
                named = types.UnitName(unit.kind, unit.location)
                hold = WrittenOrder(unit.power, "", types.Hold(named))
                yield last.get((unit.power, unit.province), hold)
        case types.PhaseKind.RETREATS:
            yield from last.values()
        case types.PhaseKind.ADJUSTMENTS:
            after = following.position if following else None
            for (power, province), each in last.items():
                before = {unit.province for unit in phase.position.units_of(power)}
                then = {unit.province for unit in after.units_of(power)} if after else set()
                if not after or (province in before) != (province in then):
                    yield each
            yield from [each for each in orders if isinstance(each.order, types.Waive)]


def _province(written: WrittenOrder) -> types.Province | None:
    name = ordered_unit(written.order)
    return name.province if name else None


def _order(written: WrittenOrder, form: str, *, results: bool) -> WrittenOrder:
    order = written.order
    tells = results and form != DROIDIPPY and not isinstance(order, types.Hold)
    words = tuple(sorted(written.results or ())) if tells else None
    if words and form in CALL_DESTROYED_DISLODGED and not isinstance(order, types.Retreat):
        words = tuple(sorted({word.replace("destroyed", "dislodged") for word in words}))
    return WrittenOrder(written.power, "", _bare(order, form), words)


def _bare(order: types.Order | None, form: str) -> types.Order | None:
    """Return *order* without routes and the powers and coasts of units that it helps."""
    match order:
        case types.Move():
            return replace(
                order, route=(), via_convoy=False if form == "njudge" else order.via_convoy
            )
        case types.SupportHold(supported=other) | types.SupportMove(supported=other):
            named = types.UnitName(other.kind, other.province)
            return replace(order, supported=named)
        case types.Convoy(army=army):
            return replace(order, army=replace(army, power=None))
        case _:
            return order


def recorded(folders: Sequence[Path]) -> Iterator[Record]:
    """Yield the games of droidippy in *folders*; what is no order is left out."""
    how = ReadOptions(DROIDIPPY, strict=False)
    for file in find_files(folders):
        if file.read_bytes().startswith(b"PHASE "):
            for game in games_in(BOARD, file, how):
                assert isinstance(game, Record), game
                yield game


def main(folders: Sequence[Path]) -> None:
    games, failed = [*recorded(folders)], 0
    for form in WRITERS:
        with TemporaryDirectory() as scratch:
            found = list(differences(games, form, Path(scratch), DROIDIPPY))
        failed += len(found)
        print(f"{form}: {len(games)} games, {len(found)} differences")
        print("".join(f"  {each[:2000]}\n" for each in found[:5]), end="")
    sys.exit(f"{failed} differences" if failed or not games else None)


if __name__ == "__main__":
    main([*map(Path, sys.argv[1:])])
