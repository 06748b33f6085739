"""Search for the text that costs most to read, not for the first that fails.

`python -m tests.fuzz.costs SECONDS` breeds lines from what the grammar knows: orders, commands,
headings, marks. Each fills an email of a seated player, which is read as the judge reads it ahead.
It prints the ten lines that cost most for each character, beside an email with plain orders, and
what a whole email of each takes. Its exit code is 0 if that is less than the time an email has.
`tests/unit/app/test_cost_of_reading.py` keeps the worst.
"""

from __future__ import annotations

import random  # noqa: TID251 - the search is a walk at random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from judge.app.commands.table import COMMANDS
from judge.app.inbound.email_reading import Expected, read_ahead
from judge.app.readings import CPU_SECONDS_MAX
from judge.mail.envelope import OpenedEmail, open_mail
from tests.bench.measuring import ANCHOR_SECONDS, busy, calibrate
from tests.fuzz.player_emails import FRAGMENTS, GAME
from tests.fuzz.reply_check import BOARD, SITUATIONS

MARKS = (*"()[]<>,;:.!?-/*=+&\"'", "->", "--", "...", "> ", "//", "1. ", "(NMR)", "\u2019", "a")
WORDS = (
    *("A ", "F ", "S ", "C ", "H ", "via convoy ", "to ", "not ", "if ", "and ", "or "),
    *("IF ", "ELSE ", "PHASE ", "F1901M ", "Spring ", "1901 ", "Austria", "France: ", "To G: "),
    *(
        "SIGNON ",
        "YES ",
        "PRESS TO ",
        "SET ",
        "JOIN ",
        "I ",
        "my ",
        "retreat ",
        "build ",
        "waive ",
    ),
)
GLUES = ("", " ", ", ", "\n", ". ", "; ")
PIECES_MAX = 5
LINE_CHARACTERS, LINES = 960, 1  # of a trial
WHOLE_CHARACTERS, WHOLE_LINES = 990, 490  # of an email that is as long as the door lets in
POOL, SHOWN = 40, 10
NEW_SHARE = 0.3  # of all trials
HONEST = "A Par-Bur\nA Mar S A Par-Bur\nF Bre-MAO\nHello judge,\nthanks, Bob\n"


@dataclass(frozen=True, slots=True)
class Line:
    """Text that repeats *pieces*, with *glue* between them."""

    pieces: tuple[str, ...]
    glue: str

    def text(self, characters: int, lines: int) -> str:
        """Return it over and over: so many *lines* of so many *characters*, no two alike."""
        piece = self.glue.join((*self.pieces, ""))
        line = (piece * (characters // len(piece) + 1))[:characters].rstrip(" ")
        return "\n".join(f"{line} {number}" if number else line for number in range(lines))


def main(seconds: float, seed: int) -> bool:
    """Breed lines for so many *seconds*, print the worst, and return whether all are cheap."""
    chance = random.Random(seed)  # noqa: S311 - it guesses nothing secret
    pool: dict[Line, float] = {}
    end, tried = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        tried += 1
        line = _bred(chance, [*pool])
        if line not in pool:
            pool[line] = _cost_of_a_character(line)
        if len(pool) > 2 * POOL:
            pool = dict(_worst(pool, POOL))
    honest = min(seconds_of(HONEST * 20) for _ in range(5)) / len(HONEST * 20)
    dear = False
    found = [f"{tried} lines; an email with orders costs {honest * 1e6:.1f} µs a character"]
    for line, _ in _worst(pool, SHOWN):
        times = min(_cost_of_a_character(line) for _ in range(3)) / honest
        whole = min(seconds_of(line.text(WHOLE_CHARACTERS, WHOLE_LINES)) for _ in range(2))
        whole *= ANCHOR_SECONDS / min(busy(calibrate) for _ in range(2))
        dear |= whole > CPU_SECONDS_MAX
        written = line.glue.join((*line.pieces, ""))
        found.append(f"{times:6.1f} times; a whole email {whole:.2f} s: {written!r}")
    sys.stdout.write("\n".join(found) + "\n")
    return not dear


def _bred(chance: random.Random, pool: Sequence[Line]) -> Line:
    known = (*MARKS, *WORDS) if chance.random() < 1 / 2 else FRAGMENTS
    if not pool or chance.random() < NEW_SHARE:
        count = chance.randint(1, 3)
        return Line(tuple(chance.choice(known) for _ in range(count)), chance.choice(GLUES))
    parent = chance.choice(pool)
    pieces, glue = [*parent.pieces], parent.glue
    at = chance.randrange(len(pieces))
    match chance.randrange(5):
        case 0:
            pieces[at] = chance.choice(known)
        case 1 if len(pieces) < PIECES_MAX:
            pieces.insert(at, chance.choice(known))
        case 2 if len(pieces) > 1:
            del pieces[at]
        case 3:
            pieces = [*pieces, *chance.choice(pool).pieces][:PIECES_MAX]
        case _:
            glue = chance.choice(GLUES)
    return Line(tuple(pieces), glue)


def _worst(pool: dict[Line, float], count: int) -> list[tuple[Line, float]]:
    """Return the dearest lines, of those with the same pieces one only."""
    dearest = sorted(pool.items(), key=lambda each: -each[1])
    kinds: dict[frozenset[str], tuple[Line, float]] = {}
    for line, cost in dearest:
        kinds.setdefault(frozenset(line.pieces), (line, cost))
    return [*kinds.values()][:count]


def _cost_of_a_character(line: Line) -> float:
    text = line.text(LINE_CHARACTERS, LINES)
    return min(seconds_of(text) for _ in range(2)) / len(text)


def seconds_of(text: str) -> float:
    """Return the CPU time that reading *text* takes."""
    opened = open_mail(b"From: x@x.example\n\n" + text.encode(), "x@x.example")
    if not isinstance(opened, OpenedEmail):
        return 0.0
    situation = SITUATIONS[0]
    expected = Expected(
        board=BOARD,
        default_board=BOARD,
        own=situation.power,
        games=frozenset([GAME]),
        situation=situation,
        sent=(),
        is_press_reply=False,
        characters_max=None,
    )
    return busy(read_ahead, opened, COMMANDS, expected)


if __name__ == "__main__":
    sys.exit(not main(float(sys.argv[1]), seed=time.time_ns()))
