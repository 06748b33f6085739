"""Split a zine into season reports: headings, orders, marks, charts and notices.

Marks of failed orders: `(A Ven-Rom)`, `((A Ven-Rom))`, `<F Nwy-Stp(nc)>`, `_A Ven-Rom_`, a row of
dashes below, `[nso]`, `[***]`, `(*Bounce*)`, `*cut*`, `CUT`, `Bounced with gas (1 against 1)`,
capitals where other orders are in small letters, and `<SEV>` for a dislodged unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from judge.archive.formats.njudge.sentence_patterns import ENDED, ending_kind, names_in
from judge.archive.records import Doubt, Ending
from judge.archive.text_parsing import center_named, orders_meant, power_named, read_date
from judge.notation.terms import keys_of, names_of
from judge.rules.board import Map
from judge.rules.types import Phase, PhaseKind, Power, Province, Season

FAILS = "fails"  # without a reason
WORDS = {
    **dict.fromkeys(("bounce", "bounced", "bounces", "standoff"), "bounce"),
    **dict.fromkeys(("cut",), "cut"),
    **dict.fromkeys(("void", "nso", "ordered to move", "invalid", "illegal", "misorder"), "void"),
    **dict.fromkeys(("no convoy",), "no convoy"),
    **dict.fromkeys(("disrupted",), "disrupted"),
    **dict.fromkeys(("dislodged", "***"), "dislodged"),
    **dict.fromkeys(("destroyed", "disbands", "annihilated"), "destroyed"),
    **dict.fromkeys(("fail", "fails", "failed"), FAILS),
}
PLAIN = "|".join(sorted((word for word in WORDS if word[0].isalpha()), key=len, reverse=True))
BEHIND = (
    re.compile(r"\s*\(\*(?P<words>[^*()]+)\*(?P<remark>[^()]*)\)\.?$"),
    re.compile(r"\s*\[(?P<words>[^\]]+)\]\.?$"),
    re.compile(r"\s*\*(?P<words>[A-Za-z ]+)\*\.?$"),
    re.compile(rf"[\s,]+(?P<words>{PLAIN.upper()})\.?$"),
)
SENTENCES = (  # jDip's
    (re.compile(r"\s+Bounced with .*$"), "bounce"),
    (re.compile(r"\s+Support cut by .*$"), "cut"),
    (re.compile(r"\s+Convoy disrupted.*$|\s+Convoying .* was dislodged.*$"), "disrupted"),
    (re.compile(r"\s+Dislodged (?:from|by) .*$"), "dislodged"),
)
EDITOR_NOTE = re.compile(r"\s*\((?:NOTE|SEE|N\.?B\.?)\b.*\)$")
STAMPED = re.compile(r"<([A-Z]{3}(?:\([a-z]{2}\))?)>")  # the province of a dislodged unit
WRAPPERS = (("(", ")"), ("<", ">"), ("_", "_"), ("<u>", "</u>"), ("<U>", "</U>"))
OPENERS, CLOSERS = "(<[", ")>]"
ONLY_WORDS = re.compile(rf"(?:{PLAIN.upper()})\.?$")
MARKS_MAX = 8  # per order; three are common at most
UNDERLINE = re.compile(r"[-_=~^]{2,}")


@dataclass(frozen=True, slots=True)
class Marked:
    """An order without its marks: its *text*, the words for its marks, and its columns.

    *unknown* is a mark that was not understood.
    """

    text: str
    words: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    unknown: str = ""


def marked_orders(line: str, start: int = 0) -> Iterator[Marked]:
    """Split *line*, from column *start* on, into orders without their marks."""
    pieces: list[Marked] = []
    for begin, end in _spans(line, start):
        text = line[begin:end]
        if pieces and ONLY_WORDS.match(text):  # `CUT, DISLODGED`
            more = WORDS[text.rstrip(".").lower()]
            pieces[-1] = replace(pieces[-1], words=(*pieces[-1].words, more))
        else:
            pieces += _unmarked(Marked(text, start=begin, end=end))
    yield from pieces


def with_underlined_failed(orders: Sequence[Marked], below: str) -> Sequence[Marked] | None:
    """Return *orders* with the underlined ones failed, None if *below* underlines none.

    A row of dashes that does not match an order exactly is a divider.
    """
    rows = [(found.start(), found.end()) for found in UNDERLINE.finditer(below)]
    if not rows or UNDERLINE.sub("", below).strip():
        return None
    spans = {(each.start, each.end) for each in orders}
    if not spans.issuperset(rows):
        return None
    return [
        replace(each, words=(*each.words, FAILS)) if (each.start, each.end) in rows else each
        for each in orders
    ]


def _spans(line: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the pieces between commas; commas in brackets do not split."""
    depth, begin = 0, start
    for at in range(start, len(line) + 1):
        sign = line[at] if at < len(line) else ","
        arrow = sign == ">" and line[at - 1] in "-="
        depth += (sign in OPENERS) - (sign in CLOSERS and not arrow)
        if sign in ",;" and (depth <= 0 or at == len(line)):
            text = line[begin:at]
            if text.strip():
                indent = len(text) - len(text.lstrip())
                yield begin + indent, begin + len(text.rstrip())
            begin = at + 1


def _unmarked(piece: Marked, marks: int = MARKS_MAX) -> Iterator[Marked]:
    parts = _parts(piece, piece.text.strip()) if marks else []
    if not parts:
        yield replace(piece, text=EDITOR_NOTE.sub("", piece.text.strip()).removesuffix("."))
    for part in parts:
        yield from _unmarked(part, marks - 1)


def _parts(piece: Marked, text: str) -> Sequence[Marked]:
    """Return *piece* without one mark, as several orders if the mark encloses several."""
    for opening, closing in WRAPPERS:
        if _wraps(text, opening, closing):
            inner = text[len(opening) : -len(closing)]
            return [_with(piece, inner[begin:end], FAILS) for begin, end in _spans(inner, 0)]
    if stamped := STAMPED.search(text):
        bare = text[: stamped.start()] + stamped[1] + text[stamped.end() :]
        return [_with(piece, bare, "dislodged")]
    for pattern in BEHIND:
        if found := pattern.search(text):
            words = [WORDS.get(word.strip().lower(), "") for word in found["words"].split(",")]
            part = _with(piece, text[: found.start()], *filter(None, words))
            return [part if all(words) else replace(part, unknown=found["words"])]
    for pattern, word in SENTENCES:
        if pattern.search(text):
            return [_with(piece, pattern.sub("", text), word)]
    return []


def _with(piece: Marked, text: str, *words: str) -> Marked:
    return replace(piece, text=text, words=(*piece.words, *words))


def _wraps(text: str, opening: str, closing: str) -> bool:
    """Return whether one pair of *opening* and *closing* encloses all of *text*."""
    if not (text.startswith(opening) and text.endswith(closing)):
        return False
    inner = text[len(opening) : -len(closing)]
    if opening == closing or len(opening) > 1:
        return closing not in inner and bool(inner)
    depth = 0
    for at, sign in enumerate(inner):
        depth += (sign == opening) - (sign == closing and inner[at - 1 : at] not in {"-", "="})
        if depth < 0:
            return False
    return depth == 0 and bool(inner)


# `AUSTRIA:`, `Austria (Ann Smith): A Vie-Gal`, or only the name
OF_POWER = re.compile(
    r"\s*(?P<word>[A-Za-z]{3,})(?:\s*\((?P<person>[^():]+)\))?(?::(?=\s|$)|\s*$)"
)
# `AUSTRIA (Ann Smith) ..... A Vie-Gal`, with or without the player
DOTTED = re.compile(
    r"\s*(?P<word>[A-Za-z]{3,})\b"
    r"(?:\s*\((?P<person>[^():]{1,60})\)|[\s:,-]{1,4}(?P<player>[^\s:;,().-][^:;,()]{0,60}?))?"
    r"[\s:]{0,4}(?:\.\s?){3,}:?"
)
# In old zines; the parser knows the abbreviations that are still in use.
OLD_ABBREVIATIONS: Mapping[str, Province] = {
    old: new
    for new, several in (
        *(("BEL", ("BLG",)), ("BLA", ("BLK",)), ("BOT", ("GBO", "GBT")), ("ENG", ("ENC",))),
        *(("HEL", ("HGB", "HLG")), ("HOL", ("HLD",)), ("IRI", ("IRS",)), ("KIE", ("KEI",))),
        *(("LYO", ("GLN", "GLY")), ("NWG", ("NWS",)), ("NWY", ("NRY",)), ("PIE", ("PDM",))),
        *(("POR", ("PRT",)), ("PRU", ("PRS",)), ("RUM", ("ROU",)), ("SKA", ("SKG", "SKK"))),
        ("YOR", ("YRK",)),
    )
    for old in several
}
OLD_WORD = re.compile(rf"\b(?:{'|'.join(OLD_ABBREVIATIONS)})\b", re.IGNORECASE)
LEGEND = re.compile(
    r"\b(?:fail\w*|unsuccessful)\b[^.]*\b(?:capitals|caps|upper case)\b"
    r"|\b(?:capitals|caps|upper case)\b[^.]*\b(?:fail\w*|unsuccessful)\b",
    re.IGNORECASE,
)
COUNT_DUE = re.compile(r"\s*(?:(?:builds?|removes?) \d+|no change|even)\.?\s*", re.IGNORECASE)
TABLE = re.compile(r"(?:builds|removals|retreats|adjustments):\s+\w", re.IGNORECASE)
CANNOT_RETREAT = re.compile(r"The (?:Army|Fleet) in (?P<place>.+?) cannot retreat", re.IGNORECASE)
LINE_CHARACTERS_MAX = 2000  # longer lines are prose
GAMEMASTER = re.compile(
    r"(?:GM|Game ?master|Guest GM):\s*(?P<name>[^,;<>()@]*[^\s,;<>()@.])", re.IGNORECASE
)
NOTHING_FAILED = re.compile(r"(?:No order failed|All orders succeed(?:ed)?)\.?", re.IGNORECASE)
MEANT = re.compile(  # as an order, even if it cannot be read: `A Xyz-Bur`
    r"[->\u2013+]|\b(?:hold|move|support|convoy|transport|retreat|build|remove|disband)s?\b"
    r"|\bvia\b|^\W*(?:A|F|Army|Fleet)\s.*\b(?:to|SA?|SF|CA?|H|R|D)\b"
    r"|^\W*[AF]\s+\w+\s+[AF]\s+\w+\W*$",
    re.IGNORECASE,
)
REMARK = re.compile(r"No order for unit|All dislodged units destroyed", re.IGNORECASE)


@dataclass(slots=True)
class OrderLine:
    """A line of orders of *power*, or of an unnamed *block* of lines."""

    number: int
    power: Power | None
    block: int
    orders: Sequence[Marked]


@dataclass(slots=True)
class Chapter:
    """The unparsed lines under one *heading*."""

    heading: Heading
    first_line: int
    last_line: int
    lines: list[OrderLine] = field(default_factory=list)
    owners: dict[Province, Power] = field(default_factory=dict)
    chart_line: int | None = None
    destroyed: list[tuple[str, int]] = field(default_factory=list)
    following: Phase | None = None
    deadline: datetime | None = None
    players: dict[Power, str] = field(default_factory=dict)
    gamemaster: str | None = None
    ending: Ending | None = None
    nothing_failed: bool = False  # stated, since no order has a mark
    capitals_failed: bool = False  # stated
    notes: list[str] = field(default_factory=list)
    faults: list[Doubt] = field(default_factory=list)


class ChapterReader:
    """Reads the lines of one *chapter*."""

    def __init__(self, board: Map, heading: Heading, line: int) -> None:
        self.chapter = Chapter(heading, line, line)
        self._board = board
        self._power: Power | None = None
        self._block = 0
        self._units_listed: int | None = None  # the rows so far of a list of units
        self._block_is_empty = True  # no orders since the power was named

    def add(self, line: str, number: int) -> None:
        """Add one line."""
        chapter, text = self.chapter, line.strip()
        if not text:
            self._end_block()
        if self._lists_units(text) or not text or len(line) > LINE_CHARACTERS_MAX:
            return
        chapter.last_line = number
        if chapter.lines and chapter.lines[-1].number == number - 1:
            marked = with_underlined_failed(chapter.lines[-1].orders, line)
            if marked is not None:
                chapter.lines[-1].orders = marked
                return
        if not (self._is_aside(text, number) or self._is_order(line, number)):
            self._read_notice(text)

    def _lists_units(self, text: str) -> bool:
        """Return whether *text* belongs to a list of units, which a blank line ends."""
        if POSITIONS.fullmatch(text):
            self._units_listed = 0
            return True
        if self._units_listed is None:
            return False
        if text:
            self._units_listed += 1
        elif self._units_listed:
            self._units_listed = None
        return True

    def _end_block(self) -> None:
        if not self._block_is_empty:
            self._power, self._block_is_empty = None, True
            self._block += 1

    def _is_aside(self, text: str, number: int) -> bool:
        """Return whether *text* is part of a chart or a program's remark, and record it."""
        chapter = self.chapter
        if CHART.fullmatch(text):
            chapter.chart_line = number
        elif row := chart_row(self._board, text):
            chapter.chart_line = chapter.chart_line or number
            chapter.owners.update(dict.fromkeys(row.centers, row.power))
            chapter.faults += [Doubt(number, text, fault) for fault in row.faults]
        elif destroyed := CANNOT_RETREAT.match(text):
            chapter.destroyed.append((destroyed["place"], number))
        elif TABLE.match(text):
            chapter.faults.append(Doubt(number, text, "a table that cannot be read"))
        elif REMARK.match(text):
            chapter.notes.append(text)
        else:
            return False
        return True

    def _is_order(self, line: str, number: int) -> bool:
        """Return whether *line* names a power or has orders, and record it."""
        named = DOTTED.match(line) or OF_POWER.match(line)
        power = power_named(self._board, named["word"]) if named else None
        start = named.end() if named and power else 0
        if named and power:
            self._end_block()
            self._power, self._block_is_empty = power, True
            parts = named.groupdict()
            self._introduce(power, parts["person"] or parts.get("player") or "")
        orders = list(marked_orders(line, start))
        if COUNT_DUE.fullmatch(line[start:]):
            self.chapter.notes.append(line.strip())
        elif any(self._is_meant_as_order(each) for each in orders):
            self._block_is_empty = False
            self.chapter.lines.append(OrderLine(number, self._power, self._block, orders))
        else:
            return bool(named and power and not line[start:].strip())
        return True

    def _introduce(self, power: Power, person: str) -> None:
        if STATUS.search(person):
            self.chapter.notes.append(f"{power}: {person}")
        elif person and "@" not in person:
            self.chapter.players[power] = person.strip()

    def _read_notice(self, text: str) -> None:
        chapter = self.chapter
        if DUE.search(text):
            chapter.following = announced_phase(text) or chapter.following
            chapter.deadline = read_date(WHEN.sub("", text)) or chapter.deadline
        elif LEGEND.search(text):
            chapter.capitals_failed = True
        elif NOTHING_FAILED.fullmatch(text):
            chapter.nothing_failed = True
        elif found := GAMEMASTER.match(text):
            chapter.gamemaster = found["name"]
        elif found := ENDED.match(text):
            self._read_ending(found, text)
        elif STATUS.search(text) and "@" not in text:
            chapter.notes.append(text)

    def _read_ending(self, found: re.Match[str], text: str) -> None:
        powers = [power_named(self._board, name) for name in names_in(found["powers"])]
        if None in powers:
            self.chapter.faults.append(Doubt(self.chapter.last_line, text, "an ending of nobody"))
        known = tuple(power for power in powers if power)
        self.chapter.ending = Ending(ending_kind(found), known, reason=text)

    def _is_meant_as_order(self, marked: Marked) -> bool:
        text, names = modern(marked.text), names_of(self._board)
        if orders_meant(self._board, text, PhaseKind.MOVEMENT):
            return True
        return bool(MEANT.search(text)) and names.is_place_in(keys_of(text))


def modern(text: str) -> str:
    """Return *text* with the abbreviations of old zines in their present form."""
    return OLD_WORD.sub(lambda found: OLD_ABBREVIATIONS[found[0].upper()], text)


CENTURY = 1900  # '09 is 1909
HEADING_CHARACTERS_MAX = 200
WHEN = re.compile(
    r"(?P<season>Spring|Summer|Fall|Autumn|Winter)(?P<winter> and Winter)?,?[\s-]+(?:of )?"
    r"(?:['\u2019]?(?P<short>\d\d)|(?P<year>\d{4}))\b(?!\d)",
    re.IGNORECASE,
)
# Words that may follow the season in a heading; others make it a sentence of prose.
TAIL = re.compile(
    r"[\s.,:;()/-]*"
    r"(?:(?:movement|moves|orders|results|adjudication|retreats|builds|adjustments|report|turn)\b"
    r"[\s.,:;()-]*)*"
    r"(?:(?:of the|of|for)\b.*\bgame\b.*|game\b.*|[;(].*)?",
    re.IGNORECASE,
)
TITLE = re.compile(
    r"\s*(?:#.*|.*\b(?:game|results?|adjudication|report|orders|moves)\b.*?)?[\s,:;(\u2013-]*",
    re.IGNORECASE,
)
GAME = re.compile(
    r"\bgame (?P<capitals>[A-Z0-9][A-Z0-9 '&!.-]*[A-Z0-9])\b"
    r"|\b[Gg]ame:? [\"'\u2018\u201c](?P<quoted>[^\"'\u2019\u201d]+)"
    r"|\bGame: (?P<labelled>[^,;.(]+)"
)
# `PHOENIX (1974BX), ` before the season: a game with its Boardman number
NUMBERED_GAME = re.compile(
    r"[\s\"'\u2018\u201c]*(?P<name>\w[\w '&!.-]{0,40}?)[\s\"'\u2019\u201d,:-]*"
    r"\(?(?P<number>(?:19|20)\d\d ?[A-Z]{1,3})\)?[\s,:;.\u2013-]*"
)
ISSUE = re.compile(r"\b(?P<zine>[A-Z][\w.]*(?: [A-Z][\w.]*)*) #(?P<issue>\d+)")
NUMBER = r"\b[\s#:]*(?:number)?[\s#:]*(\d{4}[A-Z]+\w*)"
NUMBERS = {
    "boardman": re.compile(rf"\b(?:BNC|BN|Boardman){NUMBER}", re.IGNORECASE),
    "miller": re.compile(rf"\b(?:MNC|MN|Miller){NUMBER}", re.IGNORECASE),
}
DUE = re.compile(r"\b(?:due|deadline)\b", re.IGNORECASE)
STATUS = re.compile(r"\b(?:not received|nmr|no moves? received|standby|delayed)\b", re.IGNORECASE)
CHART = re.compile(r"\s*(?:supply )?cent(?:er|re)s?(?: chart)?:?\s*", re.IGNORECASE)
POSITIONS = re.compile(r"positions:?", re.IGNORECASE)
CHART_ROW = re.compile(
    r"(?P<power>[A-Za-z]{3,}):(?P<centers>[A-Za-z,. ]*)= ?(?P<count>\d+) ?"
    r"(?:\( ?\d+ ?\))? ?(?P<rest>.*)"
)
GAINED = re.compile(r"\+\s*([A-Za-z, ]*)")


@dataclass(frozen=True, slots=True)
class Heading:
    """A parsed heading; *season* is as printed, since retreats and builds may share one."""

    game: str | None
    season: str | None
    year: int | None
    numbers: Mapping[str, str]
    zine: str | None
    issue: str | None


@dataclass(frozen=True, slots=True)
class ChartRow:
    """The centers of *power*; *faults* are the row's contradictions."""

    power: Power
    centers: tuple[Province, ...]
    faults: tuple[str, ...]


def heading_of(line: str) -> Heading | None:
    """Return the report heading in *line*, None if it is not one."""
    if len(line) > HEADING_CHARACTERS_MAX or DUE.search(line):
        return None
    when, name, issue = WHEN.search(line), GAME.search(line), ISSUE.search(line)
    if not when and not name:
        return None
    numbered = NUMBERED_GAME.fullmatch(line[: when.start()]) if when and not name else None
    if when and not name:
        titled = numbered or TITLE.fullmatch(line[: when.start()])
        if not titled or not (TAIL.fullmatch(line[when.end() :]) or line.startswith("#")):
            return None
    numbers = {key: found[1] for key, each in NUMBERS.items() if (found := each.search(line))}
    if numbered:
        numbers.setdefault("boardman", numbered["number"].replace(" ", ""))
    return Heading(
        game=_game_name(name) if name else numbered["name"] if numbered else None,
        season=_season(when) if when else None,
        year=_year(when) if when else None,
        numbers=numbers,
        zine=issue["zine"] if issue else None,
        issue=issue["issue"] if issue else None,
    )


def _game_name(found: re.Match[str]) -> str:
    return str(next(filter(None, found.groups()))).strip()


def announced_phase(line: str) -> Phase | None:
    """Return the phase whose deadline *line* announces, None if there is none."""
    when = WHEN.search(line)
    if not when or not DUE.search(line):
        return None
    return phase_in(_season(when), _year(when), movement=True)


def phase_in(season: str, year: int, *, movement: bool) -> Phase | None:
    """Return the phase that zines call *season*, for movement or for anything else.

    Retreats follow in summer and autumn, or in the season of the moves; adjustments follow in
    winter.
    """
    match season, movement:
        case "spring" | "fall", True:
            return Phase(Season(season[0].upper()), year, PhaseKind.MOVEMENT)
        case "spring" | "summer", False:
            return Phase(Season.SPRING, year, PhaseKind.RETREATS)
        case "fall" | "autumn", False:
            return Phase(Season.FALL, year, PhaseKind.RETREATS)
        case "winter", _:
            return Phase(Season.WINTER, year, PhaseKind.ADJUSTMENTS)
        case _:
            return None


def chart_row(board: Map, line: str) -> ChartRow | None:
    """Read a row such as `GER: BER BRE KIE = 5( 4) + MUN SER`; centers after a plus are gained."""
    found = CHART_ROW.fullmatch(" ".join(line.split()))
    power = power_named(board, found["power"]) if found else None
    if found is None or power is None:
        return None
    won = GAINED.search(found["rest"])
    names = f"{found['centers']} {won[1] if won else ''}".replace(",", " ").split()
    places = {name: center_named(board, modern(name)) for name in names}
    centers = tuple(at for at in places.values() if at)
    faults = [f"not a supply center: {name}" for name, at in places.items() if not at]
    if len(names) != int(found["count"]):
        faults.append(f"{len(names)} centers are listed")
    return ChartRow(power, centers, tuple(faults))


def _season(when: re.Match[str]) -> str:
    return "winter" if when["winter"] else when["season"].lower()


def _year(when: re.Match[str]) -> int:
    return int(when["year"]) if when["year"] else CENTURY + int(when["short"])
