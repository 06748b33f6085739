"""What was found, for people: a line a game with what differs in it, and a line in sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.cli.archive.found import FoundDifference, FoundGame, Sum, Unread
from judge.cli.archive.tables import printable
from judge.cli.counting import counted


def game_lines(game: FoundGame) -> Iterator[str]:
    """Yield the line of *game*, and below it the lines of what differs and of what is doubted."""
    phases, agreeing = sum(game["phases"].values()), game["compared"] - game["differing"]
    counts = f"{counted(phases, 'phase')}, {counted(game['orders'], 'order')}"
    compared = f"{game['compared']} compared, {agreeing} agree, {game['differing']} differ"
    yield f"{printable(_title(game))}: {counts}; {compared} ({game['rulebook']})"
    for difference in game["differences"]:
        yield from _difference_lines(difference)
    for doubt in game["doubts"]:
        line = f"line {doubt['line']}: " if doubt["line"] else ""
        yield printable(f"  doubt: {line}{doubt['why']}: {doubt['text']}")


def unread_line(unread: Unread) -> str:
    """Return which file could not be read, from which line, and why."""
    line = f":{unread['line']}" if unread["line"] else ""
    return f"{unread['file']}{line}: {unread['why']}"


def sum_line(total: Sum) -> str:
    """Return what came of all of it."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in total.phases.items())
    compared = f"{total.compared} compared, {total.agreeing} agree, {total.differing} differ"
    held = f"{counted(total.games, 'game')}, {counted(total.orders, 'order')}"
    told = f"{held}, phases: {kinds}; {compared}"
    others = {
        f"{len(total.unread)} unread": total.unread,
        f"{len(total.passed_over)} passed over": total.passed_over,
        counted(len(total.doubts), "doubt"): total.doubts,
    }
    return "; ".join([told, *(text for text, several in others.items() if several)])


def _title(game: FoundGame) -> str:
    file, name = game["file"], game["game"]
    title = file.rpartition("/")[2]  # the name of a game that has none
    own, number = name.removeprefix(title), f"{title}, game "
    return file + own if name == title or name.startswith(number) else f"{file}: {name}"


def _difference_lines(difference: FoundDifference) -> Iterator[str]:
    line = f"line {difference['line']}, " if difference["line"] else ""
    order = f"{difference['power']} {difference['order']}".strip() or "no order"
    yield f"  {difference['phase']}, {line}{order}"
    yield f"    recorded: {_listed(difference['recorded'])}"
    yield f"    adjudicated: {_listed(difference['adjudicated'])}. {difference['reason']}".rstrip()
    if difference["explained_by"]:
        yield f"    as recorded under {_listed(difference['explained_by'])}"


def _listed(several: Sequence[str]) -> str:
    return ", ".join(several) or "nothing"
