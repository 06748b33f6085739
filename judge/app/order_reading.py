"""What the judge makes of the orders in an email: values in, values out, and no text is lost.

`read_orders` reads the lines between two commands, `read_email` a whole email. The daemon and
`judge orders read` use the same functions, so what the command prints is what an email does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import TypeAlias, assert_never

from judge.app.introduced import introduced
from judge.app.not_acted_on import NOTHING_ASIDE, Aside, aside_of
from judge.app.preferring import first_possible, with_its_unit
from judge.app.recognise import is_subject_of_ours
from judge.app.resting import resting
from judge.app.unheard import with_unheard
from judge.game.house_rules import STANDARD, HouseRules, Typos
from judge.game.orders.order_set_update import OrderSetUpdate, ordered_province
from judge.game.visibility import VisibleProvinces, position_within, visible_fault
from judge.mail.body import Line, Text
from judge.mail.language.command_reader import Parsed
from judge.mail.language.command_syntax import (
    LineFailed,
    NamedPhase,
    OrdersOfPhase,
    OrderText,
    TooMuch,
    UnknownCommand,
)
from judge.mail.language.join_commands import SignOff
from judge.mail.language.order_commands import Clear, Preview
from judge.mail.language.phase_names import phase_meant
from judge.mail.language.press_commands import Press, UnopenedPress
from judge.mail.reader.email_text import LEFT_OUT, FailingLine, read_all_others, read_lines
from judge.mail.reader.phase_headings import phase_in_subject
from judge.mail.reader.phase_mentions import next_in_subject
from judge.notation.clause_reader import with_coasts
from judge.notation.parser import parse
from judge.notation.readings import (
    ALL_REMAINING,
    NotUnderstood,
    Prose,
    Reading,
    Unclear,
    Understood,
)
from judge.notation.readings import WhyNotUnderstood as Unread
from judge.reports.emails.receipts import Introduced, RestHolds
from judge.rules.board import Map
from judge.rules.outcome import Impossible
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    Phase,
    PhaseKind,
    Position,
    Power,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    province_of,
)

ANOTHERS = "another power's order"
HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Situation:
    """All that decides how the orders of *power* are read, beside their text.

    *standing* are the orders that it gave before, *game* is the name of its game, and *sight* what
    it sees of the *position* (None: everything).
    """

    board: Map
    position: Position
    power: Power
    house_rules: HouseRules = STANDARD
    rulebook: Rulebook = DATC
    standing: tuple[Order, ...] = ()
    sight: VisibleProvinces = None
    game: str = ""

    @property
    def seen(self) -> Position:
        """Return the position as the power sees it."""
        return position_within(self.position, self.sight, self.power)


@dataclass(frozen=True, slots=True)
class OrdersRead:
    """What lines of orders came to, each piece of their text in one reading.

    *slips* are the readings that were put right, *rest* says which units keep other orders,
    *introduced* what stands above orders and may deny them, *aside* what is no order.
    """

    readings: tuple[Reading, ...]
    slips: frozenset[Reading] = frozenset()
    rest: tuple[RestHolds, ...] = ()
    introduced: tuple[Introduced, ...] = ()
    aside: Aside = NOTHING_ASIDE

    @property
    def defects(self) -> tuple[tuple[int, str], ...]:
        """Return on which lines our code failed, and where."""
        return tuple(
            (each.line, each.defect)
            for each in self.readings
            if isinstance(each, NotUnderstood) and each.why is Unread.FAILED
        )

    def orders(self, power: Power) -> tuple[Order, ...]:
        """Return the orders that are not said to be for units of another power."""
        understood = (each for each in self.readings if isinstance(each, Understood))
        return tuple(each.order for each in understood if each.power in (None, power))


def read_orders(situation: Situation, lines: Sequence[Line]) -> OrdersRead:
    """Read *lines* as orders for the open phase; one on which our code fails costs no other."""
    found, failing = read_all_others(partial(_read_orders, situation), lines)
    if not failing:
        return found
    told = (each for each in found.readings if each.text != LEFT_OUT)
    return replace(found, readings=(*told, *map(_failed, failing)))


def _failed(failing: FailingLine) -> NotUnderstood:
    number, text = failing.line.number, failing.line.text.strip()
    return NotUnderstood(number, 1, text, Unread.FAILED, "", 1, defect=failing.defect)


def _read_orders(situation: Situation, lines: Sequence[Line]) -> OrdersRead:
    board, power = situation.board, situation.power
    s_stands = situation.house_rules.s_stands
    readings = read(board, situation.seen, power, lines, s_stands=s_stands)
    readings = tuple(_with_repeated(situation, readings))
    heard = tuple(with_unheard(board, situation.seen, power, readings))
    put_right = mended(situation, heard)
    said, rest = resting(board, situation.position, power, situation.standing, put_right)
    return OrdersRead(
        readings=said,
        slips=frozenset(put_right) - frozenset(heard),
        rest=rest,
        introduced=tuple(introduced(board, situation.game, lines, said)),
        aside=aside_of(board, situation.seen, power, lines, said),
    )


def _with_repeated(situation: Situation, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield *readings*; beside an order `same orders but ...` says that what stands stays."""
    ordered = any(isinstance(each, Understood) for each in readings)
    for each in readings:
        repeated = isinstance(each, NotUnderstood) and each.why is Unread.REPEATED
        if repeated and ordered and situation.standing:
            yield Prose(each.line, each.column, each.text)
        else:
            yield each


def read(
    board: Map,
    position: Position,
    power: Power | None,
    lines: Sequence[Line],
    kind: PhaseKind | None = None,
    *,
    s_stands: bool = False,
) -> tuple[Reading, ...]:
    """Read *lines* as orders for the open phase; one reading of an own unit settles a doubt."""
    texts, of = [line.text for line in lines], kind or position.phase.kind
    if of is PhaseKind.RETREATS:
        texts = [with_its_unit(board, position, power, each) for each in texts]
    text = "\n".join(texts)
    readings = parse(text, board, of, s_stands=s_stands)
    if of is PhaseKind.MOVEMENT:
        readings = tuple(_asked_if_torn(board, position, power, lines, readings))
    else:
        readings = tuple(first_possible(board, position, text, readings))
    readings = tuple(_asked_if_no_coast(board, each) for each in readings)
    numbered = (_as_written(each, lines[each.line - 1], texts[each.line - 1]) for each in readings)
    settled = [_settled(position, power, each) for each in numbered]
    return tuple(_repeated(position, power, settled))


def _asked_if_no_coast(board: Map, reading: Reading) -> Reading:
    """Ask which coast of a province with two is meant, if it has none that is so called."""
    if not isinstance(reading, Understood):
        return reading
    place = _last_place(reading.order)
    if place is None or place in board.locations or not board.coasts_of(province_of(place)):
        return reading
    meant = with_coasts(reading.order, board.coasts_of(province_of(place)))
    line, column, text, power = reading.line, reading.column, reading.text, reading.power
    asked = Unclear(line, column, text, place, column, (province_of(place),), meant, power)
    return asked if meant else reading


def _last_place(order: Order) -> Location | None:
    match order:
        case Move(target=place) | Retreat(target=place) | SupportMove(target=place):
            return place
        case SupportHold(supported=unit) | Build(unit) | Disband(unit) | Hold(unit):
            return unit.location
        case Convoy() | Waive():
            return None


def _as_written(reading: Reading, line: Line, read_as: str) -> Reading:
    """Return *reading* with the words of its writer, and the number of the line they are in.

    It may have been *read_as* other words of the same length, or with others at its start.
    """
    start, longer = reading.column - 1, len(read_as) - len(line.text)
    end = start + len(reading.text) - longer
    text = line.text[max(start - longer, 0) : end].strip()
    return replace(reading, line=line.number_at(start), text=text)


def _asked_if_torn(
    board: Map,
    position: Position,
    power: Power | None,
    lines: Sequence[Line],
    readings: Sequence[Reading],
) -> Iterator[Reading]:
    """Yield *readings*; ask about `A Den S`, `F Hel - Kie` if F Hel has no other order.

    The line break may part two orders as well as stand in one. If the unit of the second line has
    its order elsewhere, only the joined order makes sense.
    """
    ordered = {ordered_province(each.order) for each in readings if isinstance(each, Understood)}
    own = {unit.province for unit in position.units if unit.power == power}
    for each in readings:
        alone = _behind_break(board, each, lines[each.line - 1])
        place = ordered_province(alone) if alone else None
        if alone and isinstance(each, Understood) and place in own and place not in ordered:
            orders = (each.order, alone)
            line, column = each.line, each.column
            yield Unclear(line, column, each.text, "", column, (), orders, each.power)
        else:
            yield each


def _behind_break(board: Map, reading: Reading, line: Line) -> Order | None:
    """Return the order behind the last line break in *reading*, if both its lines are orders."""
    if not isinstance(reading, Understood):
        return None
    start, end = reading.column - 1, reading.column - 1 + len(reading.text)
    within = [at for at, _ in line.breaks if start < at < end]
    if not within:
        return None
    above = parse(line.text[start : within[-1]], board, s_stands=True)
    below = parse(line.text[within[-1] : end], board)
    match (*above, *below):
        case (Understood(), Understood(order=order)):
            return order
        case _:
            return None


def read_safely(
    board: Map,
    position: Position,
    power: Power | None,
    lines: Sequence[Line],
    *,
    s_stands: bool,
) -> tuple[Reading, ...]:
    """Read *lines* as `read` does; one on which our code fails is not understood."""
    reader = partial(read, board, position, power, s_stands=s_stands)
    readings, failing = read_all_others(reader, lines)
    return (*readings, *map(_failed, failing))


def _repeated(
    position: Position, power: Power | None, readings: Sequence[Reading]
) -> Iterator[Reading]:
    """Waive as many builds as a line says, or all that are left beside those of the mail."""
    adjusts = position.phase.kind is PhaseKind.ADJUSTMENTS
    due = position.due(power) if power and adjusts else 0
    built = [each for each in readings if isinstance(each, Understood) and _is_for_build(each)]
    left = max(due - sum(each.times for each in built), 0)
    for each in readings:
        if not isinstance(each, Understood) or each.times == 1:
            yield each
            continue
        times = each.times if each.times != ALL_REMAINING else left or int(not built)
        yield from (replace(each, order=Waive(), times=1) for _ in range(times))


def _is_for_build(reading: Understood) -> bool:
    return isinstance(reading.order, Build | Waive) and reading.times != ALL_REMAINING


def _settled(position: Position, power: Power | None, reading: Reading) -> Reading:
    if isinstance(reading, Understood):
        return _as_due(position, power, reading)
    if not isinstance(reading, Unclear):
        return reading
    standing = (*position.units, *(each.unit for each in position.dislodged))
    own = {unit.province for unit in standing if unit.power == power}
    likely = [each for each in reading.orders if ordered_province(each) in own]
    if len(likely) != 1:
        return reading
    return Understood(reading.line, reading.column, reading.text, likely[0], reading.power)


def _as_due(position: Position, power: Power | None, reading: Understood) -> Understood:
    """Read a unit that stands there alone as one to remove, where removals are due."""
    removing = power is not None and position.due(power) < 0
    match reading.order:
        case Build(unit) if removing and reading.bare:
            return replace(reading, order=Disband(unit))
        case _:
            return reading


def mended(situation: Situation, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Treat slips of the pen in *readings* as the house rule `typos` says."""
    match situation.house_rules.typos:
        case Typos.STRICT:
            return tuple(
                replace(each, nearest=None) if isinstance(each, NotUnderstood) else each
                for each in readings
            )
        case Typos.SUGGEST:
            return tuple(readings)
        case Typos.REPAIR:
            return tuple(put_right(situation, each) for each in readings)
        case typos:
            assert_never(typos)


def put_right(situation: Situation, reading: Reading) -> Reading:
    """Return the one order that *reading* is likest to, if the power could carry it out."""
    match reading:
        case NotUnderstood(why=Unread.UNKNOWN_WORD, nearest=nearest) if nearest:
            board, position, power = situation.board, situation.position, situation.power
            if visible_fault(board, position, power, nearest, situation.rulebook, situation.sight):
                return reading
            line, column, text = reading.line, reading.column, reading.text
            return Understood(line, column, text, nearest, reading.power)
        case _:
            return reading


@dataclass(frozen=True, slots=True)
class Ordered:
    """A piece of text that orders *order*; it stands unless a later one replaced it."""

    line: int
    text: str
    order: Order


@dataclass(frozen=True, slots=True)
class Ignored:
    """A piece of text with which nothing is done, and *why*."""

    line: int
    text: str
    why: str


Piece: TypeAlias = Ordered | NotUnderstood | Unclear | Ignored


@dataclass(frozen=True, slots=True)
class EmailRead:
    """What an email comes to: the *orders* that stand after it, and each piece of its text."""

    orders: tuple[Order, ...]
    pieces: tuple[Piece, ...]


def read_email(situation: Situation, text: Text, subject: str = "") -> EmailRead:
    """Read a whole email, opened, as orders for the open phase."""
    standing = situation.standing
    pieces: list[Piece] = []
    above = _phase_in_subject(situation, subject)
    everything = read_lines(text, situation.board, subject, situation.power)
    for said, then in zip_longest(everything, everything[1:]):
        match said:
            case NamedPhase(said=name):
                above = name
                pieces.append(Ignored(said.line, said.text, HEADING))
            case OrdersOfPhase(said=name, lines=lines) if _is_other(situation, name):
                pieces += _ignored(lines, "for another phase")
            case OrderText(lines=lines) if above and _is_other(situation, above):
                pieces += _ignored(lines, "for another phase")
            case OrderText(lines=lines) | OrdersOfPhase(lines=lines):
                read_so_far = read_orders(replace(situation, standing=standing), lines)
                standing, told = _taken(replace(situation, standing=standing), read_so_far)
                pieces += told
            case Clear(words=()):
                standing = ()
                pieces.append(Ignored(said.line, said.text, "command"))
            case UnknownCommand() | LineFailed() | TooMuch():
                pieces.append(_not_understood(said.line, said.text))
            case _:
                end = then.line if then else text.fresh[-1].number + 1
                below = (line for line in text.fresh if said.line < line.number < end)
                pieces += _not_for_orders(said, tuple(below))
    pieces += [Ignored(0, each, "quoted") for each in text.quoted if each.strip()]
    pieces += [Ignored(0, each, "signature") for each in text.signature if each.strip()]
    pieces += [Ignored(0, each, "struck through") for each in text.struck if each.strip()]
    return EmailRead(standing, tuple(pieces))


def _phase_in_subject(situation: Situation, subject: str) -> str | None:
    """Return another phase than the open one that *subject* says the email is for.

    What a mail program takes over from a subject of ours is not its writer's.
    """
    if is_subject_of_ours(subject):
        return None
    said = phase_in_subject(subject, situation.board) or next_in_subject(subject)
    is_open = any(not _is_other(situation, each) for each in said)
    return None if is_open or not said else said[0]


def _is_other(situation: Situation, name: str) -> bool:
    """Tell whether *name* names another phase than the one that is open."""
    now: Phase = situation.position.phase
    of_this_kind = name == now.kind.value and now.kind is PhaseKind.MOVEMENT
    return not of_this_kind and phase_meant(name, now) != now.code


def _taken(situation: Situation, found: OrdersRead) -> tuple[tuple[Order, ...], list[Piece]]:
    """Return what stands after *found*, and what became of each piece."""
    power = situation.power
    taken = OrderSetUpdate(
        situation.board,
        situation.position,
        situation.rulebook,
        situation.house_rules.impossible_orders,
        power,
        situation.sight,
    ).take(found.orders(power))
    refused = {id(each.order): each.impossible for each in taken.remarks if each.refused}
    unread = {(each.line, each.text) for each in found.readings if isinstance(each, NotUnderstood)}
    pieces: list[Piece] = []
    for each in found.readings:
        match each:
            case Understood(line=line, text=text, power=owner) if owner not in (None, power):
                pieces.append(Ignored(line, text, ANOTHERS))
            case Understood(line=line, text=text, order=order):
                why = refused.get(id(order))
                left = Ignored(line, text, _why_left(why)) if why else None
                pieces.append(left or Ordered(line, text, order))
            case NotUnderstood() | Unclear():
                pieces.append(each)
            case Prose(line=line, text=text, hold=True) if (line, text) not in unread:
                pieces.append(Ignored(line, text, "all others hold"))
            case Prose():
                pass  # It is in what was left aside.
            case _:
                assert_never(each)
    pieces += [
        Ignored(each.line, each.text, "prose that names a province" if each.names else "prose")
        for each in found.aside.sentences
    ]
    pieces += [Ignored(0, each, "greeting or signature") for each in found.aside.courtesies]
    pieces += [Ignored(line, text, HEADING) for line, text in found.aside.headings]
    if not taken.orders:
        return situation.standing, pieces
    if situation.position.phase.kind is PhaseKind.ADJUSTMENTS:
        return taken.orders, pieces
    together = {ordered_province(each): each for each in (*situation.standing, *taken.orders)}
    return tuple(together.values()), pieces


def _why_left(why: Impossible) -> str:
    return ANOTHERS if why is Impossible.NOT_YOURS else why.value.replace("_", " ")


def _not_for_orders(said: Parsed, below: Sequence[Line]) -> Iterator[Piece]:
    """Account for what is said beside orders; of a command, also for its lines *below*."""
    match said:
        case Press(lines=lines, beneath=beneath):
            opening = said.text
            if lines and lines[0].number == said.line:
                opening = opening.removesuffix(lines[0].text)
            yield Ignored(said.line, opening, "press")
            yield from _ignored((*lines, *beneath), "press")
        case UnopenedPress(lines=lines):
            yield from _ignored(lines, "press that is not opened")
            yield Ignored(said.line, said.text, "press that is not opened")
        case Preview(lines=lines, closing=closing):
            opening = said.text
            if lines and lines[0].number == said.line:
                opening = opening.removesuffix(lines[0].text)
            yield Ignored(said.line, opening, "preview")
            yield from _ignored((*lines, *closing), "preview")
        case SignOff(ignored=lines):
            yield Ignored(said.line, said.text, "command")
            yield from _ignored(lines, "below SIGNOFF")
        case _:
            yield Ignored(said.line, said.text, "command")
            own = (line for line in below if line.text.strip() not in said.text)
            yield from _ignored(tuple(own), "command")


def _ignored(lines: Sequence[Line], why: str) -> Iterator[Ignored]:
    written = ((line.number, line.text[line.added :]) for line in lines)
    return (Ignored(number, text, why) for number, text in written if text.strip())


def _not_understood(line: int, text: str) -> NotUnderstood:
    return NotUnderstood(line, 1, text, Unread.NOT_AN_ORDER, "", 1)
