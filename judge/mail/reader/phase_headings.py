"""Read lines that head orders with a phase: `Fall 1901:`, `FRANCE - Autumn 1901`.

Orders below the name of a phase are for that phase, in whatever form. So a line that names one is
a heading if it has nothing else; if it ends with the name and a colon, or with `orders for` it;
and if an order follows on the line: `F1901M: A Par-Bur`. Other mentions of phases are in
`phase_mentions`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from judge.mail.language import phase_names
from judge.notation.clauses import LINE_CHARACTERS_MAX
from judge.notation.parser import parse
from judge.notation.readings import Prose
from judge.notation.terms import names_of
from judge.notation.vocabulary import ADJUSTING
from judge.rules.types import PhaseKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.rules.board import Map

LINE_MAX = LINE_CHARACTERS_MAX
ORDER_MAX = 200  # characters that show whether an order begins a text
SLIP_MAX = 40  # characters after PHASE; more is a sentence
COLONS_MAX = 3  # `FRANCE: Fall 1901: A Par-Bur`
NAMED_MAX = 6  # words of a line in which one, such as a game's name, is not part of a heading
WORD = re.compile(r"[^\W_]+")
TAG = re.compile(r"\[#[^\]]*\]")
BETWEEN = (
    " \t:;,.!*_=~#+/|<>(){}[]'\"-\u2013\u2014"  # characters that may follow the name of a phase
)
DASHED = re.compile(r"\s*[)\]*_]*\s+[-\u2013\u2014:]+\s")  # After a season it separates the rest.
ORDERS = phase_names.all_spellings(
    "orders order plan plans ideas proposals befehle befehl pläne ideen ordres ordre idées"
)
# Orders of one kind: even alone they head those of the next phase of that kind.
SEVERAL = phase_names.all_spellings(
    "moves movements retreats builds adjustments removals züge bewegungen rückzüge aufbau abbau"
    " mouvements retraites ajustements constructions"
)
FOR = phase_names.all_spellings("for für pour")
FILLERS = FOR | phase_names.all_spellings(
    "of the my our here below are these this next and phase season turn year game final new"
    " revised in then so also on now at tentative provisional preliminary conditional"
    " der die des meine unsere hier sind runde jahr und im dann auch vorläufig"
    " du de d la le les l mes nos voici saison tour et en au pour puis alors provisoire"
)
# A line about the past, about the sender or about absence does not head orders.
OF_OTHER_THINGS = phase_names.all_spellings(
    "was were had did been not never no thanks thank see loved enjoy enjoyed remember since until"
    " before after away absent absence holiday holidays vacation he she they who what why how"
    " war waren hatte nicht danke seit bis nach vor urlaub merci pas depuis avant vacances"
)


@dataclass(frozen=True, slots=True)
class PhaseHeading:
    """A heading: *code* is the part of a phase's code that it names, *rest* its other text.

    *in_passing* means that the line has other words too, and is not a heading if the phase is
    over.
    """

    code: str
    rest: str = ""
    in_passing: bool = False


def phase_heading(line: str, board: Map) -> PhaseHeading | None:
    """Return the phase that *line* names for orders; None if it is not a heading."""
    if len(line) > LINE_MAX:
        return None
    first, _, rest = line.strip(" *_").partition(" ")
    if first.upper() == "PHASE":
        return _commanded(line, rest, board)
    line = phase_names.with_plain_phases(line)
    whole = _with_colon(line, board) or _at_the_start(line, board)
    if whole or not OF_OTHER_THINGS.isdisjoint(WORD.findall(line.casefold())):
        return whole
    return _at_the_end(line, board) or _beside_a_name(line, board)


def phase_in_subject(subject: str, board: Map) -> tuple[str, ...]:
    """Return each phase in *subject*, and the kind of phase if it has no other words."""
    words = WORD.findall(phase_names.with_plain_phases(TAG.sub("", subject)))
    together = groupby(words, lambda word: is_of_heading(word, board))
    runs = [list(run) for of_heading, run in together if of_heading]
    if runs == [words] and (code := _phase_in(words, board)):
        return (code,)
    return tuple(
        code for run in runs if (code := phase_names.partial_code(run)) and is_dated(code)
    )


def _commanded(line: str, rest: str, board: Map) -> PhaseHeading | None:
    """Read the *rest* of `PHASE F 1902 M`, `PHASE FALL 1902 MOVEMENT: A Par-Bur`.

    `PHASE XYZ` and `phase fall 1902 mvoement` head orders too; `Phase two will follow` does not.
    """
    rest = phase_names.with_plain_phases(rest)
    if code := phase_names.phase_written(rest.strip(BETWEEN).split()):
        return PhaseHeading(code)
    found = _with_colon(rest, board) or _at_the_start(rest, board)
    slip = len(rest) <= SLIP_MAX and phase_names.partial_code(rest.split())
    return found or (PhaseHeading(line.strip()) if slip or line.startswith("PHASE") else None)


def _with_colon(line: str, board: Map) -> PhaseHeading | None:
    """Read `Fall 1901:`, `FRANCE: Retreats: A Par-Gas`."""
    end = -1
    for _ in range(COLONS_MAX):
        end = line.find(":", end + 1)
        words = WORD.findall(line[: max(end, 0)])
        if not all(is_of_heading(word, board) for word in words):
            return None
        if words and (code := _phase_in(words, board, colon=True)):
            return PhaseHeading(code, _of_power(words, line[end + 1 :], board))
    return None


def _at_the_start(line: str, board: Map) -> PhaseHeading | None:
    """Read `Fall 1901`, `FRANCE - Autumn 1901`, `Fall 1901 A Par-Bur`."""
    found = list(takewhile(lambda each: is_of_heading(each[0], board), WORD.finditer(line)))
    while found:
        words = [each[0] for each in found]
        rest = line[found[-1].end() :].lstrip(BETWEEN)
        code = phase_names.partial_code(words) if rest else _phase_in(words, board)
        parted = code and (is_dated(code) or _is_parted(code, line[found[-1].end() :]))
        if code and (not rest or (parted and begins_with_order(rest, board))):
            return PhaseHeading(code, _of_power(words, rest, board))
        if words[-1].casefold() not in phase_names.KINDS.keys() - SEVERAL:
            return None
        found.pop()  # `Winter 1901 build F Bre`: the verb belongs to the order.
    return None


def _at_the_end(line: str, board: Map) -> PhaseHeading | None:
    """Read `Hello, here are my orders for Fall 1901.` and `And in Fall 1901:`."""
    words = WORD.findall(line)
    last = list(takewhile(lambda word: is_of_heading(word, board), reversed(words)))[::-1]
    code, lower = phase_names.partial_code(last), {word.casefold() for word in last}
    announced = lower & ORDERS or (lower & FOR and lower & SEVERAL)
    if not (code and is_dated(code) and (announced or line.rstrip(" *_").endswith(":"))):
        return None
    return None if holds_order(line, board) else PhaseHeading(code)


def _beside_a_name(line: str, board: Map) -> PhaseHeading | None:
    """Read `baltic, Fall 1901`: one more word does not make it an order."""
    words = WORD.findall(line)
    others = [word for word in words if not is_of_heading(word, board)]
    code = (
        phase_names.partial_code(words) if len(words) <= NAMED_MAX and len(others) == 1 else None
    )
    return PhaseHeading(code) if code and is_dated(code) else None


def is_of_heading(word: str, board: Map) -> bool:
    """Return whether *word* may be part of a heading."""
    lower = word.casefold()
    return (
        phase_names.is_of_phase(lower)
        or lower in ORDERS
        or lower in FILLERS
        or lower in names_of(board).powers
    )


def _phase_in(words: Sequence[str], board: Map, *, colon: bool = False) -> str | None:
    """Return the phase in *words*, which are a whole line or precede a *colon*.

    Without a year, `The fall of France` and `Build` name none.
    """
    code, lower = phase_names.partial_code(words), {word.casefold() for word in words}
    if code is None or is_dated(code):
        return code
    several = lower & (ORDERS | SEVERAL)
    of_season = lower.isdisjoint(phase_names.KINDS) and lower.isdisjoint(names_of(board).powers)
    plainly = colon or lower & ORDERS or of_season or not lower & FILLERS
    return code if plainly and (several or lower.isdisjoint(phase_names.KINDS)) else None


def _is_parted(code: str, rest: str) -> bool:
    """Return whether a dash separates a season from the *rest*: `Fall - A Par-Bur`."""
    return code[0] in "SFW" and DASHED.match(rest) is not None


def is_dated(code: str) -> bool:
    """Return whether *code* has a year, or contradicting parts."""
    found = phase_names.PARTIAL.fullmatch(code)
    return found is None or bool(found[1] and found[2])


def _of_power(words: Sequence[str], rest: str, board: Map) -> str:
    powers, lower = names_of(board).powers, {word.casefold() for word in words}
    named = {powers[word] for word in lower if word in powers}
    owner = "".join(f"{board.nations[power].name}: " for power in named)
    verbs = {ADJUSTING[word] for word in lower if word in ADJUSTING}
    verb = f"{verbs.pop()}: " if len(verbs) == 1 else ""
    return f"{owner}{verb}{rest.strip()}".strip()


def begins_with_order(text: str, board: Map) -> bool:
    """Return whether *text* begins with an intended order, for any kind of phase."""
    return any(
        not isinstance(each, Prose)
        for kind in PhaseKind
        for each in parse(text[:ORDER_MAX], board, kind)[:1]
    )


def holds_order(text: str, board: Map) -> bool:
    """Return whether *text* has an intended order, or text on which our own code fails."""
    try:
        return any(not isinstance(each, Prose) for each in parse(text, board))
    except Exception:  # noqa: BLE001 - the reader of orders reports the line, and keeps the others
        return True
