"""Orders for a later phase: with conditions (IF, ELSE), and in order of preference.

`IF`, `ELSE IF`, `ELSE` and `ENDIF` begin a line, as in nJudge; if orders follow THEN on the line
of an IF, only they depend on it. Of a list of builds or removals, as many count as are due.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TypeAlias, assert_never

from judge.notation import strict_orders
from judge.notation.order_text import write_order
from judge.notation.readings import (
    NotUnderstood,
    Reading,
    Understood,
    WhyNotUnderstood,
)
from judge.notation.strict_orders import (
    BUILD,
    DISBAND,
    KINDS,
    LINE_CHARACTERS_MAX,
    REMOVE,
    RETREAT,
    UNFIT,
    Line,
    Word,
    words_of,
)
from judge.notation.terms import Names, Token, names_of, tokenize
from judge.rules import types
from judge.rules.board import Map, Terrain

BLOCKS_MAX = 8  # nested
BRANCHES_MAX = 20  # per block
LINE_MAX = LINE_CHARACTERS_MAX

ORDERING = frozenset(KINDS) | BUILD | REMOVE | DISBAND | RETREAT  # words that begin orders
STATEMENT = re.compile(r"\W*(else\s*if|if|else|end\s*if)\b", re.IGNORECASE)
ONE_LINE = re.compile(r"\W*(?:else\s*)?if\b.*\bthen\b.*\selse\b", re.IGNORECASE)
BEFORE_ELSE = re.compile(r"[,;.]?\s+(?=else\b)", re.IGNORECASE)
END_OF_CONDITION = re.compile(r"\bthen\b[,:]?|[,:]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ConditionalOrder:
    """The first feasible one of *orders*, to be executed if the *condition* holds."""

    condition: Condition | None
    orders: tuple[types.Order, ...]


@dataclass(frozen=True, slots=True)
class ReadConditionalOrder:
    """The conditional order read from *text*; *power* as in `Understood`."""

    line: int
    text: str
    wish: ConditionalOrder
    power: types.Power | None = None
    column: int = 1


PlanReading: TypeAlias = ReadConditionalOrder | Reading


OrdersReader: TypeAlias = Callable[[str, Map, types.PhaseKind], tuple[Reading, ...]]
"""A reader of orders, of which each line may depend on another condition."""


def read_plan(
    text: str, board: Map, kind: types.PhaseKind, read: OrdersReader
) -> tuple[PlanReading, ...]:
    """Read orders for a later phase of *kind*; *read* reads what is below conditions."""
    names = names_of(board)
    lines = tuple(_statements(text))
    scan = _Scan(board, names, [line for _, line in lines])
    bodies = tuple(scan.bodies())
    readings = read("\n".join(bodies), board, kind)
    scan.note_unread(bodies, readings)
    planned = sorted((*scan.failures, *_conditional_orders(scan, readings)), key=_line)
    planned = _without_failing_blocks(scan, planned)
    return tuple(replace(each, line=lines[each.line - 1][0]) for each in planned)


def _without_failing_blocks(scan: _Scan, planned: Sequence[PlanReading]) -> list[PlanReading]:
    """Withhold the orders of each block in which a statement was not understood."""
    failing = {
        scan.block_of.get(each.line, 0)
        for each in planned
        if not isinstance(each, ReadConditionalOrder)
    } - {0}
    return [
        _doubtful(each)
        if isinstance(each, ReadConditionalOrder) and scan.block_of.get(each.line, 0) in failing
        else each
        for each in planned
    ]


def write_conditional_order(wish: ConditionalOrder) -> str:
    """Write *wish* as `read_plan` reads it: `IF A BER THEN A MUN R KIE, A MUN D`."""
    written = ", ".join(map(write_order, wish.orders))
    return f"IF {write_condition(wish.condition)} THEN {written}" if wish.condition else written


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines; `IF ... THEN ... ELSE ...` in one line yields two."""
    for number, line in enumerate(text.split("\n"), 1):
        whole = len(line) <= LINE_MAX and ONE_LINE.match(line)
        yield from ((number, part) for part in (BEFORE_ELSE.split(line) if whole else (line,)))


def _line(planned: PlanReading) -> int:
    return planned.line


@dataclass
class _Block:
    """The orders between IF and ENDIF; *branch* is None if its condition is unreadable.

    *one_line* means that the orders are on the line of their condition, *line* is where it begins.
    """

    one_line: bool
    line: int
    branch: Condition | None = None
    denied: tuple[Condition, ...] = ()
    readable: bool = True

    @property
    def conditions(self) -> tuple[Condition, ...]:
        denials = tuple(
            each.condition if isinstance(each, Not) else Not(each) for each in self.denied
        )
        return (*denials, self.branch) if self.branch else denials


@dataclass
class _Scan:
    """Scans *lines*; *under* has the condition of each and whether it is readable.

    *block_of* has the first line of the block around each.
    """

    board: Map
    names: Names
    lines: list[str]
    blocks: list[_Block] = field(default_factory=list)
    failures: list[NotUnderstood] = field(default_factory=list)
    under: dict[int, tuple[Condition | None, bool]] = field(default_factory=dict)
    block_of: dict[int, int] = field(default_factory=dict)

    def bodies(self) -> Iterator[str]:
        ends = [at for at, line in enumerate(self.lines) if _statement(line) == "endif"]
        for at, line in enumerate(self.lines):
            closes_later = bool(ends) and at < ends[-1]
            yield self._body(at + 1, line[: LINE_MAX + 1], closes_later=closes_later)

    def note_unread(self, bodies: Sequence[str], readings: Sequence[Reading]) -> None:
        """Note the lines of blocks that are meant as orders, and are none: `Build A Xyzzy`."""
        read = {each.line for each in (*readings, *self.failures)}
        for number, body in enumerate(bodies, 1):
            meant = any(token.key in ORDERING for token in tokenize(body[:LINE_MAX])[:1])
            if meant and number not in read and number in self.block_of:
                self._fail(number, body, WhyNotUnderstood.NOT_AN_ORDER)

    def _body(self, number: int, line: str, *, closes_later: bool) -> str:
        statement = _statement(line)
        if not line.strip() and not closes_later:
            self.blocks.clear()
        if line.strip() and statement not in ("else", "elseif", "endif"):
            while self.blocks and self.blocks[-1].one_line:
                self.blocks.pop()
        body = line
        match statement:
            case "endif":
                body = ""
                if self.blocks:
                    self.blocks.pop()
            case "if" | "else" | "elseif":
                body = self._branched(number, line, statement)
            case _:
                pass
        self._note(number)
        return body

    def _note(self, number: int) -> None:
        conditions = [each for block in self.blocks for each in block.conditions]
        readable = all(block.readable for block in self.blocks)
        if self.blocks:
            self.block_of[number] = self.blocks[0].line
        self.under[number] = (reduce(Both, conditions) if conditions else None, readable)

    def _branched(self, number: int, line: str, statement: str) -> str:
        """Open a block or its next branch; return the orders after the condition."""
        start = STATEMENT.match(line)
        assert start
        end = start.end() if statement == "else" else _end_of_condition(line, start.end())
        words, body = line[start.end() : end], line[end:].removeprefix(":")
        block = self._block(number, line, statement, one_line=any(map(str.isalnum, body)))
        if block and statement != "else":
            tokens = [each for each in tokenize(words) if each.key not in {"then", ",", ":"}]
            block.branch = read_condition(tokens, self.board, self.names)
            if block.branch is None:
                block.readable = False
                self._fail(number, line, WhyNotUnderstood.DOUBTFUL)
        return body.rjust(len(line))

    def _block(self, number: int, line: str, statement: str, *, one_line: bool) -> _Block | None:
        if statement == "if":
            self.blocks.append(_Block(one_line, number, readable=len(self.blocks) < BLOCKS_MAX))
            return self.blocks[-1]
        if not self.blocks or len(self.blocks[-1].denied) >= BRANCHES_MAX:
            self._fail(number, line, WhyNotUnderstood.NOT_AN_ORDER)
            self.blocks = [*self.blocks[:-1], _Block(one_line, number, readable=False)]
            return None
        block = self.blocks[-1]
        block.denied = (*block.denied, block.branch) if block.branch else block.denied
        block.branch, block.one_line = None, one_line
        return block

    def _fail(self, number: int, line: str, why: WhyNotUnderstood) -> None:
        words = tokenize(line)
        column = words[0].column if words else 1
        self.failures.append(NotUnderstood(number, column, line.strip(), why))


def _statement(line: str) -> str:
    found = STATEMENT.match(line[:LINE_MAX])
    return "".join(found[1].casefold().split()) if found else ""


def _end_of_condition(line: str, start: int) -> int:
    found = END_OF_CONDITION.search(line, start)
    return found.end() if found else len(line)


def _conditional_orders(scan: _Scan, readings: Iterable[Reading]) -> Iterator[PlanReading]:
    failed = {each.line for each in scan.failures}
    for reading in readings:
        condition, readable = scan.under[reading.line]
        if isinstance(reading, Understood) and readable:
            wish = ConditionalOrder(condition, reading.instead or (reading.order,))
            line, column = reading.line, reading.column
            yield ReadConditionalOrder(line, reading.text, wish, reading.power, column)
        elif readable:
            yield reading
        elif reading.line not in failed:
            yield _doubtful(reading)


def _doubtful(reading: Reading | ReadConditionalOrder) -> NotUnderstood:
    line, column = reading.line, reading.column
    return NotUnderstood(line, column, reading.text, WhyNotUnderstood.DOUBTFUL)


TOKENS_MAX = 60  # nJudge's longest example fits
OWNS = "owns"
OWN = "own"
FILLERS = strict_orders.FILLERS | {
    *("my", "our", "own", "please", "is", "gets"),
    *("in", "im", "der", "die", "das", "en", "à", "le", "la"),
}
FOREIGN_KINDS = dict.fromkeys(("armee", "armée"), "army") | {"flotte": "fleet"}
ONESELF = frozenset({"i", "we"})


@dataclass(frozen=True, slots=True)
class Stands:
    """A unit is in a province; its power and kind are optional."""

    unit: types.UnitName


@dataclass(frozen=True, slots=True)
class Owns:
    """A power, by default the writer's, owns the center in *province*."""

    province: types.Province
    power: types.Power | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """The condition does not hold."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Both:
    """Both conditions hold."""

    first: Condition
    second: Condition


@dataclass(frozen=True, slots=True)
class Either:
    """At least one condition holds."""

    first: Condition
    second: Condition


CONDITION_WORDS = frozenset({"and", "or", "not", OWNS, *KINDS, *ONESELF})

Condition: TypeAlias = Stands | Owns | Not | Both | Either


def read_condition(tokens: Sequence[Token], board: Map, names: Names) -> Condition | None:
    """Read all of *tokens*: `[NOT] [power] [kind] province`, joined by AND and OR.

    As in nJudge, they are read from left to right, parentheses first. `[power] OWNS province` is
    our addition. Returns None for anything else.
    """
    keys = [token.key for token in tokens]
    if len(keys) > TOKENS_MAX or keys.count("(") != keys.count(")"):
        return None
    inside = {  # the words of names of places
        at + ahead
        for at in range(len(keys))
        for ahead in range(names.longest(keys[at : at + names.words_max])[0])
    }
    plain = [
        key if at in inside else _plain_word(key, names)
        for at, key in enumerate(keys)
        if at in inside or key == OWN or key not in FILLERS
    ]
    words = words_of(plain, names)
    settled = [_settled(board, words, at) for at in range(len(words))]
    if not all(settled):
        return None
    line = Line([word for word in settled if word], names)
    condition = _joined(line)
    return None if line.peek().key else condition


def write_condition(condition: Condition) -> str:
    """Write *condition* as `read_condition` reads it."""
    match condition:
        case Stands(unit):
            parts = (unit.power, unit.kind.value if unit.kind else None, unit.location)
            return " ".join(part for part in parts if part)
        case Owns(province, power):
            return f"{power} OWNS {province}" if power else f"OWNS {province}"
        case Not(denied):
            return f"NOT {_enclosed(denied)}"
        case Both(first, second):
            start = _enclosed(first) if isinstance(first, Either) else write_condition(first)
            return f"{start} AND {_enclosed(second)}"
        case Either(first, second):
            start = _enclosed(first) if isinstance(first, Both) else write_condition(first)
            return f"{start} OR {_enclosed(second)}"
        case _:
            assert_never(condition)


def _enclosed(condition: Condition) -> str:
    text = write_condition(condition)
    return f"({text})" if isinstance(condition, Both | Either) else text


SHORT_POWER_MIN = 2  # letters of `fr`


def _plain_word(key: str, names: Names) -> str:
    """Return *key* in English, and the name of the one power that begins with it in full."""
    if key == OWN or key in FOREIGN_KINDS:
        return OWNS if key == OWN else FOREIGN_KINDS[key]
    known = key in CONDITION_WORDS or key in names.powers
    if known or len(key) < SHORT_POWER_MIN:
        return key
    longer = {name for name in names.powers if name.startswith(key)}
    return min(longer) if len({names.powers[name] for name in longer}) == 1 else key


def _settled(board: Map, words: Sequence[Word], at: int) -> Word | None:
    """Return the word *at* if it has one meaning for a unit of the kind before it."""
    word = words[at]
    if len(word.places) < 2:  # noqa: PLR2004 - one meaning, or none
        return word
    before = words[at - 1].key if at else ""
    kind = KINDS.get(before)
    unfit = (
        {Terrain.SEA, Terrain.IMPASSABLE} if before == OWNS else {UNFIT[kind]} if kind else set()
    )
    fit = tuple(place for place in word.places if board.places[place].terrain not in unfit)
    return word._replace(places=fit) if len(fit) == 1 else None


def _joined(line: Line) -> Condition | None:
    condition = _single(line)
    while condition and line.peek().key in {"and", "or"}:
        join = Both if line.peek().key == "and" else Either
        line.step()
        second = _single(line)
        condition = join(condition, second) if second else None
    return condition


def _single(line: Line) -> Condition | None:
    if line.take({"not"}):
        denied = _single(line)
        return Not(denied) if denied else None
    start = line.at
    if line.take({"("}):
        enclosed = _joined(line)
        if enclosed and line.take({")"}):
            return enclosed
    line.at = start
    return _owned(line) or _stands(line)


def _owned(line: Line) -> Owns | None:
    start = line.at
    power = line.names.powers.get(line.peek().key)
    if power or line.peek().key in ONESELF:
        line.step()
    if line.take({OWNS}) and (place := line.place()):
        return Owns(types.province_of(place), power)
    line.at = start
    return None


def _stands(line: Line) -> Stands | None:
    unit = line.unit()
    return Stands(unit) if unit else None
