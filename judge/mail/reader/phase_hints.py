"""Find the phases that lines of an email name: `Fall 1901:`, `Next turn:`, `A Bur-Mun (F1901M)`.

Orders below the name of a phase are for that phase, in whatever form. So a line that names one is
a heading if it has nothing else; if it ends with the name and a colon, or with `orders for` it;
and if an order follows on the line: `F1901M: A Par-Bur`.

Other words may also hint at a phase: `Spring 1902 -- if all goes well` and `Fall moves are as
follows:` head the lines below them. Orders below `Next turn:` are for a later phase that only the
sender knows: such a line becomes a phase with an unknown name, so nothing below it is executed
unasked. The same applies to headings of alternative orders: `Plan B:`.

`Spring: A Par-Bur; Fall: A Bur-Mun` has a part for each; in `A Bur-Mun (F1901M)` the phase follows
its order, and applies to this line alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby, islice, takewhile

from judge.mail.body import Line
from judge.mail.headers import split_phrases
from judge.mail.language import phase_names
from judge.mail.language.command_table import CommandTable
from judge.mail.language.phase_names import spelled_words
from judge.notation.strict_orders import LINE_CHARACTERS_MAX, read_parts
from judge.notation.terms import keys_of, names_of
from judge.reading.anywhere import anywhere, read_anywhere
from judge.reading.policy import Status, TextRead
from judge.reading.signs import QUOTES
from judge.reading.words import words_for
from judge.rules.board import Map
from judge.rules.types import Order, PhaseKind

LINE_MAX = LINE_CHARACTERS_MAX
LINES_CACHED_MAX = 200  # each line is asked about up to ten times
UNIT = re.compile(r"(?<!\w)[AF]\s(?=\w)")  # an order may start there: `... from my phone A Par H`
UNITS_MAX = 10
MARKS = re.compile(  # of notation, even in doubt
    r"\w\s?(?:->|[-\u2013])\s?\w|(?<!\w)[AF]\s\w+\s[SCH]\b"
)
ORDER_MAX = 120  # characters that are enough to see whether text begins with an order
SLIP_MAX = 40  # characters after PHASE; more is a sentence
COLONS_MAX = 3  # `FRANCE: Fall 1901: A Par-Bur`
NAMED_MAX = 6  # words of a line in which one, such as a game's name, is not part of a heading
WORD = re.compile(r"[^\W_]+")
TAG = re.compile(r"\[#[^\]]*\]")
BETWEEN = (
    " \t:;,.!*_=~#+/|<>(){}[]'\"-\u2013\u2014"  # characters that may follow the name of a phase
)
DASHED = re.compile(r"\s*[)\]*_]*\s+[-\u2013\u2014:]+\s")  # After a season it separates the rest.
ORDERS = spelled_words("orders")
SEVERAL = spelled_words("orders_of_a_kind")
FOR = spelled_words("before_phases")
SENTENCE_END = re.compile(r"(?<=[^\W\d_]{3}[.!?])\s+")  # not behind `St.`
FILLERS = FOR | spelled_words("of_headings")
OF_OTHER_THINGS = spelled_words("of_other_things")
DOUBTING = spelled_words("doubting")


@dataclass(frozen=True, slots=True)
class PhaseHeading:
    """A heading: *code* is the part of a phase's code that it names, *rest* its other text.

    *second* is the code of the next phase, if it heads orders for both.

    *in_passing* means that the line has other words too, and is not a heading if the phase is
    over.
    """

    code: str
    rest: str = ""
    in_passing: bool = False
    second: str = ""


def phase_heading(line: str, board: Map) -> PhaseHeading | None:
    """Return the phase that *line* names for orders; None if it is not a heading."""
    if len(line) > LINE_MAX:
        return None
    first, _, rest = line.strip(" *_").partition(" ")
    if first.upper() == "PHASE":
        return _commanded(line, rest, board)
    line = phase_names.with_plain_phases(line, board)
    whole = _combined(line, board) or _with_colon(line, board) or _at_the_start(line, board)
    if whole or not OF_OTHER_THINGS.isdisjoint(WORD.findall(line.casefold())):
        return whole
    return _at_the_end(line, board) or _beside_a_name(line, board)


def phase_in_subject(subject: str, board: Map) -> tuple[str, ...]:
    """Return each phase in *subject*, and the kind of phase if it has no other words."""
    words = WORD.findall(phase_names.with_plain_phases(TAG.sub("", subject), board))
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
    rest = phase_names.with_plain_phases(rest, board)
    if code := phase_names.phase_written(rest.strip(BETWEEN).split()):
        return PhaseHeading(code)
    found = _with_colon(rest, board) or _at_the_start(rest, board)
    slip = len(rest) <= SLIP_MAX and phase_names.partial_code(rest.split())
    return found or (PhaseHeading(line.strip()) if slip or line.startswith("PHASE") else None)


def _combined(line: str, board: Map) -> PhaseHeading | None:
    """Read `Autumn 1901 & Winter 1901`, `Fall and Winter 1901:`."""
    heading, _, rest = line.partition(":")
    words = WORD.findall(heading)
    codes = phase_names.combined_codes(words)
    if codes is None or not all(is_of_heading(word, board) for word in words):
        return None
    return PhaseHeading(codes[0], _of_power(words, rest, board), second=codes[1])


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
    lower, names = word.casefold(), names_of(board)
    return (
        phase_names.is_of_phase(lower)
        or lower in ORDERS
        or lower in FILLERS
        or lower in names.powers
        or lower in names.words_of_powers
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
    names, keys = names_of(board), [word.casefold() for word in words]
    powers, lower = names.powers, {*keys}
    several = [(at, names.longest_power(keys[at:])) for at in range(len(keys))]
    phrases = {" ".join(keys[at : at + count]) for at, count in several}
    named = {powers[phrase] for phrase in (phrases - {""}) or lower if phrase in powers}
    owner = "".join(f"{board.nations[power].name}: " for power in named)
    long = {word for word in lower if len(word) > 1}  # `D, F01:` names Germany
    builds, removes = (bool(words_for(act) & long) for act in ("build", "disband"))
    verb = "" if builds == removes else "build: " if builds else "remove: "
    return f"{owner}{verb}{rest.strip()}".strip()


def begins_with_order(text: str, board: Map) -> bool:
    """Return whether *text* begins with an intended order, for any kind of phase."""
    return _is_begun_with_order(text[:ORDER_MAX], board)


@lru_cache(maxsize=LINES_CACHED_MAX)
def _is_begun_with_order(text: str, board: Map) -> bool:
    if any(any(read_parts(text, board, kind)[:1]) for kind in PhaseKind):
        return True
    return any(
        each.status is Status.PLAIN and not any(map(str.isalnum, text[: each.start]))
        for kind in PhaseKind
        for each in _read_in_words(text, board, kind).orders
    )


@lru_cache(maxsize=LINES_CACHED_MAX)
def holds_order(text: str, board: Map, *, holds: bool = False) -> bool:
    """Return whether *text* has an intended order, or text on which our own code fails.

    With *holds*, so does an order to all units: `All hold`.
    """
    try:
        ends = [text[found.start() :] for found in islice(UNIT.finditer(text), UNITS_MAX)]
        if any(any(read_parts(each, board, PhaseKind.MOVEMENT)) for each in (text, *ends)):
            return True
        found = _read_in_words(text, board, PhaseKind.MOVEMENT, unnamed=holds)
        return bool(holds and found.others) or any(
            each.status is Status.PLAIN or each.strict or MARKS.search(text, each.start, each.end)
            for each in found.orders
        )
    except Exception:  # noqa: BLE001 - the reader of orders reports the line, and keeps the others
        return True


def orders_in(line: str, board: Map, kind: PhaseKind) -> list[Order]:
    """Return the orders of *line* for a phase of *kind*, in notation or else in words."""
    notation = [each[0].order for each in read_parts(line, board, kind) if len(each) == 1]
    return notation or list(_read_in_words(line, board, kind).plain())


def _read_in_words(text: str, board: Map, kind: PhaseKind, *, unnamed: bool = False) -> TextRead:
    """Return the orders in words of *text*, which name a place if they may not be *unnamed*."""
    beginning = text[:ORDER_MAX]
    if not unnamed and not names_of(board).is_place_in(keys_of(text)):
        return TextRead(())
    return read_anywhere(beginning, anywhere(beginning, board, kind))


HINT_MAX = 200  # characters
WORDS_MAX = 12  # A longer line is a sentence.
COLON = re.compile(r":[\W_]*$")
VERB = re.compile(r"\b(?:will|must|shall|should|would|may|might|can|could|(?<!get )to) fall\b")
CONDITION = spelled_words("conditions")
HANGS = spelled_words("alternatives")
ENCLOSED_HINT = re.compile(r"\([^()]*\)")
NO_PHASE = "?"  # A phase is meant, but not named.
SOON = "<soon>"
OF_NEXT = split_phrases(
    "next | following | coming | subsequent | upcoming | second | third | 2nd | 3rd | fourth"
)
TURNS = split_phrases(
    "turn | turns | phase | phases | season | seasons | year | years | round | rounds"
)
NEXT = re.compile(
    rf"\b(?:(?:{'|'.join(OF_NEXT)}) (?:{'|'.join(TURNS)})|(?:turn|phase|year|round) [2-9]"
    r"|(?:n(?:ä|ae|a)chste|folgende|kommende)[nrsm]? (?:runde|phase|saison|jahr|zug|jahreszeit)"
    r"|(?:tour|phase|saison|ann(?:é|e)e) prochaine?"
    r"|prochaine? (?:tour|phase|saison|ann(?:é|e)e)|(?:tour|phase|saison|ann(?:é|e)e) suivante?)\b"
)
SOME_TIME = re.compile(r"\b(?:later|sp(?:ä|ae|a)ter|plus tard)\b")
THEREAFTER = re.compile(
    r"\b(?:afterwards?|thereafter|after that|danach|anschlie(?:ß|ss)end|ensuite|apr(?:è|e)s)\b"
)
NO_YEAR = re.compile(r"(?!20[2-9])\d+")  # `Fall 191`; but `Spring 2026` is the date of the email
# `H1901` may be Herbst or hiver, and `1901 II` any part of a year.
UNSURE = re.compile(r"\W*(?:[Hh](?:1\d{3}|0\d)|1\d{3}[ /.-]?(?:II|III|[23]))\W*")
# Alternatives, not to be executed now; `Plan A:` is for now.
INSTEAD = re.compile(
    r"\W*(?:(?:plan|option|variante?|alternative) (?:[b-h]|[2-9]|two|zwei|deux)"
    r"|(?:alternative?|alternatives|(?:back-?up|fall-?back)(?: plan| orders| moves)?)(?= ?:))\W*",
    re.IGNORECASE,
)
ALONE = re.compile(r"\W*(1\d{3})\W*")
WHEN = re.compile(  # `When fall comes:`, `Once in fall,`
    r"\W*(?:when|once|as soon as|wenn|sobald|quand)"
    r"(?: (?:in|it is|it's|we are in|we get to|the|es))* (\w+)"
    r"(?: (?:comes|arrives|starts|begins|is here|ist|kommt|vient))?\W*[:,]\W*",
    re.IGNORECASE,
)
NUMBER = spelled_words("numbers_of_years")


def phase_hint(line: str, board: Map) -> PhaseHeading | None:
    """Return the phase that *line* hints at for orders; None without a hint."""
    if len(line) > HINT_MAX:
        return None
    shown = VERB.sub(" ", phase_names.with_plain_phases(line, board).casefold())
    if UNSURE.fullmatch(line) or INSTEAD.fullmatch(line):
        return PhaseHeading(line.strip(), in_passing=True)
    if when := ALONE.fullmatch(line) or WHEN.fullmatch(line):
        season = (
            when[1] if phase_names.YEAR.fullmatch(when[1]) else phase_names.partial_code([when[1]])
        )
        return PhaseHeading(season, in_passing=True) if season else None
    colon = COLON.search(line) is not None
    words = WORD.findall(THEREAFTER.sub("later", shown) if colon else shown)
    if len(words) > WORDS_MAX or not OF_OTHER_THINGS.isdisjoint(words):
        return None
    code = _in_passing(shown, words, board, colon=colon) or _some_time(words, board, colon=colon)
    if code is None or holds_order(ENCLOSED_HINT.sub(" ", line), board):
        return None
    return PhaseHeading(line.strip() if code == NO_PHASE else code, in_passing=True)


def names_next_phase(line: str) -> bool:
    """Return whether *line* is about the next turn, such as `Next season's moves:`."""
    return (
        len(line) <= HINT_MAX
        and NEXT.search(phase_names.with_plain_phases(line).casefold()) is not None
    )


def next_in_subject(subject: str) -> tuple[str, ...]:
    """Return *subject*, as the name of no phase, if it is only like `Next turn`."""
    text = subject.strip(" :.!")
    return (text,) if len(text) <= HINT_MAX and NEXT.fullmatch(text.casefold()) else ()


def phase_hint_before(line: str, board: Map) -> PhaseHeading | None:
    """Read `Next turn: A Par-Bur`, where the orders follow the hint on its line."""
    head, colon, rest = line.partition(":")
    hint = phase_hint(head + colon, board) if colon and rest.strip() else None
    return replace(hint, rest=rest.strip()) if hint else None


def _in_passing(line: str, words: Sequence[str], board: Map, *, colon: bool) -> str | None:
    """Read `Fall moves are as follows:`, `Spring 1902 (if all goes well)`, `In 1902:`."""

    def of_heading(word: str) -> bool:
        return is_of_heading(word, board)

    code = phase_names.partial_code(words) or _year(words, of_heading)
    if code is None:
        return None
    others = [word for word in words if not of_heading(word)]
    start = list(takewhile(of_heading, words))
    end = list(takewhile(of_heading, reversed(words)))[::-1]
    if others and all(word in NUMBER or NO_YEAR.fullmatch(word) for word in others):
        counts = all(
            word in phase_names.KINDS or not phase_names.is_of_phase(word) for word in words
        )
        return None if counts else NO_PHASE  # `Two builds:`
    if colon and not phase_names.PARTIAL.fullmatch(code):
        return NO_PHASE
    if colon and (_has_year(code) or _has_season(start) or _has_season(end)):
        return code
    opened = phase_names.partial_code(start)
    introduced = others and (others[0] in CONDITION or _is_enclosed(line, others[0]))
    hangs = others[:1] and others[0] in HANGS and _has_season(start) and line[-1] != "!"
    return opened if opened and (hangs or (introduced and _has_year(opened))) else None


def _year(words: Sequence[str], of_heading: Callable[[str], bool]) -> str | None:
    years = {word for word in words if phase_names.YEAR.fullmatch(word)}
    return years.pop() if len(years) == 1 and all(map(of_heading, words)) else None


def _has_year(code: str) -> bool:
    named = phase_names.PARTIAL.fullmatch(code)
    return bool(named and named[2])


def _has_season(run: Sequence[str]) -> bool:
    named = phase_names.PARTIAL.fullmatch(phase_names.partial_code(run) or "")
    return bool(named and named[1])


def _is_enclosed(line: str, word: str) -> bool:
    return re.search(rf"\(\W*{re.escape(word)}\b[^()]*\)[\W_]*$", line) is not None


def _some_time(words: Sequence[str], board: Map, *, colon: bool) -> str | None:
    """Return `NO_PHASE` for `Next turn:` or `For later`, not for `Next turn will be fun`."""
    text = " ".join(words)
    reduced = SOME_TIME.sub(SOON, NEXT.sub(SOON, text)).split()
    if SOON not in reduced:
        return None
    start, end = (
        list(takewhile(lambda word: word == SOON or is_of_heading(word, board), each))
        for each in (reduced, reversed(reduced))
    )
    after = reduced[len(start) : len(start) + 1]
    introduced = SOON in start and not CONDITION.isdisjoint(after)
    ends = colon and SOON in end and NEXT.search(text)
    return NO_PHASE if len(start) == len(reduced) or introduced or ends else None


PARTS_MAX = 10  # of a line; people do not write more
MARKS_MAX = 80  # of a line, behind which a part may begin; 34 orders have fewer
BEHIND_ORDER = re.compile(r"[;,]\s+(?!\s)|(?<=\))\s+(?=\w)")
APART = re.compile(r"[;,.|/]\s+")
SENTENCE_END = re.compile(r"\w{4}[.!]\s")
ENCLOSED_PHASE = re.compile(r"[(\[{]\s*$")
SEASON_LETTERS = "SFW"
WORD_MAX = 40  # characters that contain the first word of a part
LEADING = spelled_words("leading")
INTO = spelled_words("into")
BEFORE_ORDER = (
    " \t([{<,;:*_-\u2013\u2014"  # text that may come between an order and the name of its phase
)


@dataclass(frozen=True, slots=True)
class LinePart:
    """A part of a line: *text* is for the phase of *heading*, or (None) of the lines above.

    The lines below are for the same phase, unless it follows the text and applies to it *alone*.
    """

    heading: PhaseHeading | None
    text: str
    alone: bool = False
    written: str = field(default="", compare=False)


def line_parts(line: str, board: Map, commands: CommandTable) -> tuple[LinePart, ...]:
    """Return the parts of *line*; empty if it names no phase.

    Doubts before the phase also cover the orders on its line: `Maybe Fall 1901: A Par-Bur`.
    """
    if len(line) > LINE_MAX:
        return ()
    starts = _starts(line, board)
    ends = [*starts[1:], len(line)]
    stretches = [line[start:end] for start, end in zip(starts, ends, strict=True)]
    texts = [each for text in stretches for each in _each_behind(text.rstrip(" \t;,|/"), board)]
    parts = tuple(replace(_part(text, board, commands), written=text) for text in texts)
    if not any(part.heading for part in parts):
        return ()
    if not _is_doubted(line, board):
        return parts
    named = [part for part in parts if part.heading]
    alone = len(parts) == 1 and not parts[0].text.strip()
    if not alone and not any(part.heading and is_dated(part.heading.code) for part in named):
        return ()
    unknown = PhaseHeading(line.strip(), in_passing=True)
    return tuple(replace(part, heading=unknown) for part in named)


def _is_doubted(line: str, board: Map) -> bool:
    """Return whether *line* begins with a quotation mark, or doubts in the sentence of a phase."""
    if line.lstrip()[:1] in QUOTES:
        return True
    plain = phase_names.with_plain_phases(line, board).casefold()
    sentences = [WORD.findall(each) for each in SENTENCE_END.split(plain)]
    named = (each for each in sentences if any(map(phase_names.is_of_phase, each)))
    before = takewhile(lambda word: not phase_names.is_of_phase(word), next(named, sentences[-1]))
    return not DOUBTING.isdisjoint(before)


def _starts(line: str, board: Map) -> list[int]:
    apart = islice(APART.finditer(line), MARKS_MAX)
    likely = (found.end() for found in apart if _may_start(line, found.end(), board))
    named = ((at, _phase_before(line[at:], board)) for at in islice(likely, PARTS_MAX - 1))
    return [0, *(at for at, heading in named if heading and heading.rest)]


def _may_start(line: str, at: int, board: Map) -> bool:
    """Return whether a phase may begin at that point of *line*, outside brackets."""
    word = WORD.search(phase_names.with_plain_phases(line[at : at + WORD_MAX], board))
    within = line.count("(", 0, at) > line.count(")", 0, at)
    return bool(
        word and not within and (phase_names.is_of_phase(word[0]) or word[0].casefold() in LEADING)
    )


def _phase_before(text: str, board: Map) -> PhaseHeading | None:
    named = phase_heading(text, board)
    if (
        named and named.code[0] not in SEASON_LETTERS and names_next_phase(text)
    ):  # `Next season's moves:`
        return phase_hint(text, board) or named
    return named or phase_hint(text, board) or phase_hint_before(text, board)


def _part(text: str, board: Map, commands: CommandTable) -> LinePart:
    named = _before_command(text, board, commands) or _phase_before(text, board)
    return LinePart(named, named.rest) if named else _phase_behind(text, board)


def _before_command(text: str, board: Map, commands: CommandTable) -> PhaseHeading | None:
    first, _, rest = phase_names.with_plain_phases(text, board).strip().partition(" ")
    code = phase_names.partial_code([first])
    if code is None or not is_dated(code):
        return None
    command = commands.read(Line(0, rest), board, first=False)
    return PhaseHeading(code, rest) if command and commands.of(command).of_phase else None


def _each_behind(text: str, board: Map) -> list[str]:
    """Split `A Par-Bur (spring), A Bur-Mun (fall)`, where each phase follows its order."""
    pieces = BEHIND_ORDER.split(text, PARTS_MAX)
    each_has = len(pieces) > 1 and all(_phase_behind(piece, board).heading for piece in pieces)
    return pieces if each_has else [text]


def _phase_behind(text: str, board: Map) -> LinePart:
    """Read `A Par-Gas (F1901M)`, `A Par-Gas in Fall 1901`, `A Par-Gas, Fall 1901`."""
    line = phase_names.with_plain_phases(text, board)
    found = list(WORD.finditer(line))
    run = list(takewhile(lambda each: is_of_heading(each[0], board), reversed(found)))[::-1]
    words = [each[0] for each in run]
    code = phase_names.partial_code(words)
    if code is None or len(run) == len(found):
        return LinePart(None, text)
    before = line[: run[0].start()]
    parted = is_dated(code) or words[0].casefold() in INTO or ENCLOSED_PHASE.search(before)
    body = before.strip(BEFORE_ORDER)
    if not is_dated(code) and SENTENCE_END.search(body):
        parted = None  # `Paris holds. Brest to Spain in fall`, where it is for the last
    if code[0] not in SEASON_LETTERS or not parted or not is_order(body, board):
        return LinePart(None, text)
    return LinePart(PhaseHeading(code), body, alone=True)


def is_order(text: str, board: Map) -> bool:
    """Return whether all of *text* is orders."""
    parts = read_parts(text, board, PhaseKind.MOVEMENT)
    if any(parts):
        return all(parts)
    left = text
    for each in reversed(_read_in_words(text, board, PhaseKind.MOVEMENT).orders):
        if each.status is Status.PLAIN:
            left = left[: each.start] + left[each.end :]
    return left != text and "?" not in left and not any(map(str.isalnum, left))
