"""Split text into clauses, with the heading above each, and mark the doubtful ones."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import takewhile
from operator import attrgetter

from judge.notation import vocabulary
from judge.notation.readings import NotUnderstood, Prose, WhyNotUnderstood
from judge.notation.terms import ARROW, DASH, Names, Token, tokenize, with_misleading_places
from judge.rules.types import Power, Province

COLUMN = attrgetter("column")
LINES_MAX = 500  # The longest legal order set is 34 units; this leaves room for press.
LINE_CHARACTERS_MAX = 4000  # an unwrapped paragraph of 34 orders in full

# `Austria:`, `**AUSTRIA**:`, `AUSTRIA (John):`, `Builds:`, `French removals:`
HEADING = re.compile(
    r"[^\w:]*([^\W\d_]+)(?:[^\w:(]+([^\W\d_]+))?(?:\s*\([^():]*\))?[^\w:]*:[*\s]*"
)
# `A Par-Bur. ITALY: A Ven-Tri`: another heading within a line
HEADING_WITHIN_LINE = re.compile(r"(?<=\s)[*_]*(?=([^\W\d_]{3,20})[*_]*\s?(?:\([^():]*\))?[*_]*:)")
LONG_HEADING_MAX = 80  # characters of `Muskogee Confederacy (John) builds:`
LEAD_IN_CHARACTERS_MAX = 100
LEADS_IN = re.compile(  # `My orders are A Par-Bur`, or any words with a colon
    r"\W*(?:my|our|meine|unsere|mes|nos)\s+(?:\w+\s+)?"
    r"(?:orders?|moves?|befehle|züge|ordres|coups)\s+(?:are|sind|lauten|sont)\b:?(?=\s)|[^:]*:",
    re.IGNORECASE,
)
LEAD_IN_WORDS_MAX = 12  # `Hi judge, here are my orders for Spring 1901: A Par-Bur`
# `Builds - A Par and A Mar`, `My builds are A Par and A Mar`
INTRODUCTION = re.compile(
    r"\W*(?:(?:my|our|the|these)\s+)?([^\W\d_]+)(?:\s+(?:are|is|will\s+be)\b:?|\s+[-\u2013\u2014]+)"
    r"\s+(?=\S)",
    re.IGNORECASE,
)
NUMBERED = re.compile(  # `1) A Par-Bur 2) A Mar-Spa`
    r"(?<![^\s,;])\(?\d{1,2}[.)][ \t]+(?=(?:army|fleet|[AF])\b|[A-Z][a-z]{2})", re.IGNORECASE
)
ANNOTATION = re.compile(r"\(\*[^()]*\)")  # a judge's result: `(*bounce, dislodged*)`
SMILEY = re.compile(r"(?<!\S)[:;=8][-']?[()DPp|/](?!\S)")  # `A Par-Bur :-)`
NOTHING_ORDERED = re.compile(r"\bno order\b", re.IGNORECASE)  # `Army Paris, No Order Processed.`
EMPHASIS = re.compile(r"\*{1,2}(?=[^*\s])([^*]*[^*\s])\*{1,2}")  # `*Army Vienna* moves`
IF_DISLODGED = re.compile(  # `A Par H or ret Gas`
    r"\b(?:or\s+(?:retreats?|ret)\b|(?:if|when)\s+(?:(?:it|they|i|we)(?:['\u2019]s|\s+(?:is|are|am|gets?))?\s+)?dislodged\b[\s,:]*"
    r"(?:then\b\s*)?(?:it\b\s*)?(?:(?:retreats?|ret|r|goes|go|moves?)\b[.:]?\s*)?(?:to\b\s*)?)",
    re.IGNORECASE,
)
HINT = re.compile(  # `(or retreat: Ber, Kie)`, `[OTB]`
    rf"[\[(]\s*(?:or\s+)?(?=(?:{'|'.join(sorted(vocabulary.RETREAT | vocabulary.DISBAND))}"
    r"|off the board)\b)"
    r"([^()\[\]]*(?:\([^()]*\)[^()\[\]]*)*)[\])]",
    re.IGNORECASE,
)
INSTEAD = re.compile(r"\bor\b", re.IGNORECASE)
ENCLOSED = r"\((?:[^()]|\([^()]*\))*\)"
SENTENCE = re.compile(rf"(?:{ENCLOSED}|[^;])+")
OTHERS = re.compile(r"\b(?:every(?:one|body|thing)|all)\s+else\b", re.IGNORECASE)  # not a doubt
AND_OTHERS = re.compile(  # `A Par-Bur and all others hold`
    r"\band(?=\s+(?:(?:the|my|all)\s+){0,3}(?:all|every\w+|others?|rest|units)\b[\w\s]{0,20}"
    r"\b(?:holds?|stands?)\W*(?:[,;]|$))",
    re.IGNORECASE,
)
AND_A_UNIT = re.compile(  # `Build A Par and F Bre`, `... and the army in Paris holds`
    r"\b(?:and|und|et)(?=\s+(?:(?:the|a|an|my|our|die|meine|eine|ma|la|une|l['\u2019])\s*)?"
    r"(?:army|fleet|armee|flotte|armée|[AF][\s(]+[^\W\d_]{3}))",
    re.IGNORECASE,
)
COMMENT = re.compile(r"(?<=\s)(?:#+|//+|<[-=]+)\s(?!.*[,;]).*$")  # `F Tri-Adr  # finally`
NOTATION = re.compile(
    rf"{DASH}|{ARROW}"
    r"|(?<!\w)[AF](?!\w)|^\W*[af](?!\w)|^\W*[AF][^\W\d_]{3}\b"  # the letter of a kind: `FAnk`
    r"|^\W*(?i:army|fleet|armee|armée|flotte)\s+[A-Z]"
    r"|\w\W+[hscHSC](?![\w'\u2019])"  # a short verb
    r"|^\W*\w{3}(?:\s+(?:\w{3}|move|hold|support|convoy|disband))+"  # `mun bur`, `vie move gal`
    r"(?:\s+via\s+convoy)?\W*$"
)
CLAUSE = re.compile(rf"(?:{ENCLOSED}|[^,;])+")


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a line; *power* is the one named before the line.

    *doubtful* means that its sentence or block is conditional or uncertain; *verb* is the action
    in the heading above: `build`, `remove`.
    """

    line: int
    column: int
    text: str
    tokens: tuple[Token, ...]
    power: Power | None
    doubtful: bool
    verb: str = ""

    @property
    def in_doubt(self) -> bool:
        """Return whether the clause must never be executed."""
        return self.doubtful or _is_denied(self.tokens)


def split_clauses(
    text: str, names: Names, about: AbstractSet[Province] | None = None
) -> Iterator[Clause | NotUnderstood | Prose]:
    """Split *text* into clauses; blank lines and headings yield none.

    Lines that name none of the provinces *about* yield none either. A heading (`Austria:` or
    `Builds:` alone) applies until the next one. A doubtful block, an IF and the orders below it,
    ends at ENDIF, or without one at a blank line.
    """
    lines = text.split("\n", LINES_MAX)
    rest = lines.pop() if len(lines) > LINES_MAX else ""
    above, in_block = Heading(), False
    closers = [
        index for index, line in enumerate(lines) if _first_word(line) in vocabulary.BLOCK_CLOSERS
    ]
    for index, line in enumerate(lines):
        closes_later = bool(closers) and index < closers[-1]
        heading = _heading(line, names)
        if heading.end == len(line) and heading != Heading():
            above = Heading(heading.power or above.power, heading.verb)
        in_block = _in_block(line, in_block=in_block, closes_later=closes_later)
        if about is not None and about.isdisjoint(names.all_in(line[:LINE_CHARACTERS_MAX])):
            continue
        own = Heading(heading.power or above.power, heading.verb or above.verb, heading.end)
        for part, end in _parts(line, own, names):
            lead_in = _lead_in(line[:end], part.end, names)
            if lead_in:
                yield Prose(index + 1, part.end + 1, line[part.end : lead_in].strip())
            behind = replace(part, end=lead_in or part.end)
            without_comment = _without_comment(line[:end], names)
            yield from _line(index + 1, without_comment, behind, names, in_block=in_block)
    if rest.strip():
        yield NotUnderstood(len(lines) + 1, 1, "", WhyNotUnderstood.TOO_MANY)


def _first_word(line: str) -> str:
    words = line[:LINE_CHARACTERS_MAX].split(maxsplit=1)
    return words[0].casefold() if words else ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The power and action of a line's orders; the heading reaches to *end*."""

    power: Power | None = None
    verb: str = ""
    end: int = 0


def _parts(line: str, first: Heading, names: Names) -> Iterator[tuple[Heading, int]]:
    """Yield the headings within *line* and where the part of each ends."""
    heading = first
    for found in HEADING_WITHIN_LINE.finditer(line[:LINE_CHARACTERS_MAX], first.end):
        body = line[heading.end : found.start()].strip()
        if body and found[1].casefold() in names.powers:
            yield heading, found.start()
            heading = _heading(line, names, found.start())
    yield heading, len(line)


def _lead_in(line: str, start: int, names: Names) -> int:
    """Return the index after introductory words and a colon, 0 if there are none.

    Words with a place or power may name the owner of the orders; words of doubt or denial may
    revoke them.
    """
    found = LEADS_IN.match(line[: start + LEAD_IN_CHARACTERS_MAX], start)
    tokens = tokenize(found[0].removesuffix(":")) if found else ()
    keys = [token.key for token in tokens]
    if not found or not tokens or len(keys) > LEAD_IN_WORDS_MAX or is_in_doubt(tokens):
        return 0
    if not vocabulary.LEADS_TO_NONE.isdisjoint(keys):
        return 0
    end = found.end()
    behind = [token.key for token in tokenize(line[end : end + LEAD_IN_CHARACTERS_MAX])]
    says_more = any(
        key in names.powers
        or key in vocabulary.DOUBTS
        or key in vocabulary.KINDS
        or key in vocabulary.ADJUSTING
        for key in keys
    )
    orders = names.is_place_in(behind) or says_all_hold(behind)
    return end if orders > says_more + names.is_place_in(keys) else 0


def _without_comment(line: str, names: Names) -> str:
    """Drop a comment at the end of *line* unless it names a place or may change the order."""
    found = COMMENT.search(line[:LINE_CHARACTERS_MAX])
    tokens = tokenize(found[0]) if found and line[: found.start()].strip() else ()
    keys = [token.key for token in tokens]
    if not found or not tokens or is_in_doubt(tokens) or names.is_place_in(keys):
        return line
    return line[: found.start()].rstrip()


def _heading(line: str, names: Names, start: int = 0) -> Heading:
    heading = _heading_of_several_words(line, names, start) or Heading(end=start)
    while found := HEADING.match(line[:LINE_CHARACTERS_MAX], heading.end):
        words = [word.casefold() for word in found.groups() if word]
        powers = [names.powers[word] for word in words if word in names.powers]
        verbs = [vocabulary.ADJUSTING[word] for word in words if word in vocabulary.ADJUSTING]
        if len(powers) + len(verbs) < len(words) or (heading.power and powers):
            break
        heading = Heading(next(iter(powers), heading.power), "".join(verbs[:1]), found.end())
    return heading if heading.verb else _introduced(line, heading)


def _heading_of_several_words(line: str, names: Names, start: int) -> Heading | None:
    """Read `South Africa:`, `SOUTH-AFRICA (John):`, `South Africa builds:`."""
    text, colon, _ = line[start : start + LONG_HEADING_MAX].partition(":")
    if not colon:
        return None
    written = (token.key for token in tokenize(text.partition("(")[0].lstrip(" \t-")))
    keys = [key for key in written if key == "-" or key.isalnum()]
    count = names.longest_power(keys)
    verbs = [vocabulary.ADJUSTING[key] for key in keys[count:] if key in vocabulary.ADJUSTING]
    if not count or len(keys) > count + len(verbs):
        return None
    end = start + len(text) + 1
    behind = line[end:].lstrip("* \t")
    return Heading(
        names.powers[" ".join(keys[:count])], "".join(verbs[:1]), len(line) - len(behind)
    )


def _introduced(line: str, heading: Heading) -> Heading:
    """Extend *heading* by an action for the units after it."""
    found = INTRODUCTION.match(line[:LINE_CHARACTERS_MAX], heading.end)
    verb = vocabulary.ADJUSTING.get(found[1].casefold(), "") if found else ""
    return Heading(heading.power, verb, found.end()) if found and verb else heading


def _in_block(line: str, *, in_block: bool, closes_later: bool) -> bool:
    first = _first_word(line)
    if first in vocabulary.BLOCK_CLOSERS or (not first and not closes_later):
        return False
    if in_block or first not in vocabulary.BLOCK_OPENERS:
        return in_block
    return closes_later or line.rstrip().casefold().endswith((",", ":", "then"))


def _line(
    number: int, line: str, heading: Heading, names: Names, *, in_block: bool
) -> Iterator[Clause | NotUnderstood | Prose]:
    if len(line) > LINE_CHARACTERS_MAX:
        yield NotUnderstood(number, 1, line[:LINE_CHARACTERS_MAX], WhyNotUnderstood.TOO_LONG)
        return
    if NOTHING_ORDERED.search(line):
        yield Prose(number, 1, line.strip())
        return
    shown = SMILEY.sub(_spaces, ANNOTATION.sub(_spaces, line))
    shown = EMPHASIS.sub(_unstarred, shown)
    shown = OTHERS.sub(lambda found: "others".ljust(len(found[0])), shown)
    shown = HINT.sub(_reword_hint, IF_DISLODGED.sub(_reword_retreat, shown))
    tokens = _tokens(shown, heading, names)
    if not _is_denied(tokens):
        listed = AND_OTHERS.sub(",  ", AND_A_UNIT.sub(_comma, shown))
        if NUMBERED.match(listed, heading.end):
            listed = NUMBERED.sub(lambda found: ",".ljust(len(found[0])), listed)
        if listed != shown:
            shown, tokens = listed, _tokens(listed, heading, names)
    for sentence in SENTENCE.finditer(shown, heading.end):
        doubtful = in_block or _is_doubted(_within(tokens, *sentence.span()))
        clauses = (
            Clause(
                number,
                start + 1,
                text,
                _within(tokens, start, start + len(text)),
                heading.power,
                doubtful,
                heading.verb,
            )
            for start, text in _pieces(shown, sentence)
        )
        yield from clauses


def _tokens(line: str, heading: Heading, names: Names) -> tuple[Token, ...]:
    return with_misleading_places(tokenize(line[heading.end :], heading.end + 1), names)


def _within(tokens: tuple[Token, ...], start: int, end: int) -> tuple[Token, ...]:
    """Return those of the *tokens* of a line that are between two offsets in it."""
    first, behind = (bisect_right(tokens, each, key=COLUMN) for each in (start, end))
    return tokens[first:behind]


def _pieces(line: str, sentence: re.Match[str]) -> Iterator[tuple[int, str]]:
    for piece in CLAUSE.finditer(line, *sentence.span()):
        if text := piece[0].strip():
            yield piece.start() + piece[0].index(text), text


def _comma(found: re.Match[str]) -> str:
    return ",".ljust(len(found[0]))


def _spaces(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _unstarred(found: re.Match[str]) -> str:
    return f" {found[1]} ".center(len(found[0]))


def _reword_retreat(found: re.Match[str]) -> str:
    """Reword a conditional retreat; other conditions stay doubtful."""
    before = found.string[: found.start()].strip(" \t(-*")
    return "retreat ".ljust(len(found[0])) if before else found[0]


def _reword_hint(found: re.Match[str]) -> str:
    """Return the words of a retreat in parentheses, without `or`."""
    places = INSTEAD.sub(lambda instead: ",".rjust(len(instead[0])), found[1])
    return f"({places.rjust(len(found[0]) - 2)})"


def is_notation(text: str) -> bool:
    """Return whether *text* has the marks of notation, and is no sentence in people's words."""
    return ":" not in re.sub(ENCLOSED, "", text) and NOTATION.search(text) is not None


def is_in_doubt(tokens: tuple[Token, ...]) -> bool:
    """Return whether *tokens* contain a doubt or a denial."""
    return _is_doubted(tokens) or _is_denied(tokens)


def _is_doubted(tokens: tuple[Token, ...]) -> bool:
    """Return whether the sentence is in doubt; `Should he move, ...` starts with one."""
    begins = tokens[:1] and tokens[0].key in vocabulary.DOUBTS_FIRST
    return bool(begins) or any(token.key in vocabulary.DOUBTS for token in tokens)


def _is_denied(tokens: tuple[Token, ...]) -> bool:
    return any(token.key in vocabulary.DENIALS or token.key.endswith("n't") for token in tokens)


PUNCTUATION = frozenset("-:=()*")
AUXILIARIES = frozenset({"will", "to", "just", "simply", "werden", "sollen"})
SMALL_WORDS = vocabulary.FILLERS.union(
    vocabulary.FOREIGN_FILLERS, vocabulary.LEADERS, PUNCTUATION, AUXILIARIES
)
ALL_UNITS = frozenset(
    {
        *("all", "all units", "everything", "everyone", "everybody", "every unit", "each unit"),
        *("alle", "alle einheiten", "alles", "tout", "tous", "toutes", "toutes unités", "unités"),
    }
)
OTHER_UNITS = frozenset(
    {
        *("all other units", "all others", "all other", "all remaining units"),
        *("others", "other units", "rest", "rest of units"),
        *("remaining units", "alle anderen", "alle anderen einheiten"),
        *("anderen", "alles andere", "übrigen", "alle übrigen"),
        *("tous autres", "toutes autres", "autres", "reste"),
        *("toutes autres unités", "autres unités"),
    }
)
ALL_OR_OTHER_UNITS = ALL_UNITS | OTHER_UNITS
REPEAT_PHRASES = frozenset(
    {
        *("same as last time", "same as before", "same as last turn", "same as last season"),
        *("same as always", "same orders", "same orders as before", "same orders as last time"),
        *("same again", "same moves", "same moves as before", "ditto", "repeat orders"),
        *("repeat last orders", "repeat orders of last time", "dasselbe wie letztes mal"),
        *("wie letztes mal", "comme dernière fois", "gleiche befehle", "gleichen befehle"),
        *("selben befehle", "dieselben befehle", "mêmes ordres"),
    }
)

# These may mean orders given earlier in this phase.
KEEP_PHRASES = frozenset(
    {
        *("same orders", "same orders as before", "same again", "same moves", "same as before"),
        *("same moves as before", "gleiche befehle", "gleichen befehle", "selben befehle"),
        *("dieselben befehle", "mêmes ordres"),
    }
)


def says_others_hold(keys: Iterable[str]) -> bool:
    """Return whether *keys* order all units without another order to hold."""
    return _units_ordered_to_hold(keys) in ALL_OR_OTHER_UNITS


def says_all_hold(keys: Iterable[str]) -> bool:
    """Return whether *keys* replace all orders by holds: `hold all units`."""
    return _units_ordered_to_hold(keys) in ALL_UNITS


def _units_ordered_to_hold(keys: Iterable[str]) -> str | None:
    words = _content_words(keys)
    if len(words) > 1 and words[0] in vocabulary.HOLD:
        return " ".join(words[1:])
    who = list(takewhile(lambda key: key not in vocabulary.HOLD, words))
    if len(who) == len(words) and words[-1:] == [vocabulary.STANDS]:
        who.pop()
    does = words[len(who) :]  # `bleiben stehen`
    return (
        " ".join(who) if does and vocabulary.HOLD | {vocabulary.STANDS, "put"} >= {*does} else None
    )


def asks_to_repeat(keys: Iterable[str]) -> bool:
    """Return whether *keys* ask for earlier orders again."""
    return " ".join(_content_words(keys)) in REPEAT_PHRASES


def may_keep_orders(keys: Iterable[str]) -> bool:
    """Return whether *keys* may mean the orders already given in this phase."""
    return " ".join(_content_words(keys)) in KEEP_PHRASES


def _content_words(keys: Iterable[str]) -> list[str]:
    return [key for key in keys if key not in SMALL_WORDS]
