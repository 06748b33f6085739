"""Read the orders of a whole email without a game, as `judge orders read` does.

`read_orders` reads the lines between two commands, `read_email` a whole email. The daemon and
`judge orders read` use the same functions, so what the command prints is what an email does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TypeAlias, assert_never

from judge.app.commands.later_phases import other_phase_in_subject
from judge.app.commands.order_lines import OrdersRead, read_orders
from judge.app.commands.orders import Clear
from judge.app.commands.situation import Situation
from judge.app.commands.table import COMMANDS
from judge.mail.body import Line, Text
from judge.mail.language import command_syntax
from judge.mail.language.phase_names import phase_meant
from judge.mail.language.previews import Preview
from judge.mail.reader.email_text import read_lines
from judge.mail.reader.press_blocks import Press, UnopenedPress
from judge.notation.readings import NotUnderstood, Unclear, Understood
from judge.notation.readings import WhyNotUnderstood as Unread
from judge.rules.outcomes import Impossible
from judge.rules.types import Order, Phase, PhaseKind

ANOTHERS = "another power's order"
HEADING = "heading"
CONTINUED = "part of another order"


@dataclass(frozen=True, slots=True)
class Ordered:
    """A piece of text with an *order*, which counts unless a later one replaces it."""

    line: int
    text: str
    order: Order


@dataclass(frozen=True, slots=True)
class Ignored:
    """A piece of text without effect, and *why*."""

    line: int
    text: str
    why: str


Piece: TypeAlias = Ordered | NotUnderstood | Unclear | Ignored


@dataclass(frozen=True, slots=True)
class EmailRead:
    """The *orders* in force after an email, and each piece of its text."""

    orders: tuple[Order, ...]
    pieces: tuple[Piece, ...]


def read_email(situation: Situation, text: Text, subject: str = "") -> EmailRead:
    """Read a whole email as orders for the open phase."""
    pieces: list[Piece] = []
    above = other_phase_in_subject(subject, situation.board, situation.position.phase)
    everything = read_lines(text, situation.board, COMMANDS, subject, situation.power)
    for parsed, then in zip_longest(everything, everything[1:]):
        if isinstance(parsed, command_syntax.OrdersOfPhase):
            pieces += _phase_beside(parsed)
        match parsed:
            case command_syntax.NamedPhase(code=name):
                above = name
                pieces.append(Ignored(parsed.line, parsed.text, HEADING))
            case command_syntax.OrdersOfPhase(code=name, lines=lines) if _is_other(
                situation, name
            ):
                pieces += _ignored(lines, "for another phase")
            case command_syntax.OrderText(lines=lines) if above and _is_other(situation, above):
                pieces += _ignored(lines, "for another phase")
            case command_syntax.OrderText(lines=lines) | command_syntax.OrdersOfPhase(lines=lines):
                situation, found = _submit(situation, read_orders(situation, lines))
                pieces += found
            case Clear(words=()):
                situation = replace(situation, standing=())
                pieces.append(Ignored(parsed.line, parsed.text, "command"))
            case command_syntax.UnknownCommand() | command_syntax.LineFailed():
                pieces.append(_not_understood(parsed.line, parsed.text))
            case command_syntax.TooMuch():
                pieces.append(_not_understood(parsed.line, parsed.text))
                rest = (line for line in text.fresh if line.number > parsed.line)
                pieces += _ignored(tuple(rest), "beyond what is read of one email")
            case _:
                end = then.line if then else text.fresh[-1].number + 1
                below = (line for line in text.fresh if parsed.line < line.number < end)
                pieces += _pieces_of_command(parsed, tuple(below))
    old = (*text.quoted, *text.returned)
    pieces += [Ignored(0, each, "quoted") for each in old if each.strip()]
    pieces += [Ignored(0, each, "signature") for each in text.signature if each.strip()]
    pieces += [Ignored(0, each, "struck through") for each in text.struck if each.strip()]
    return EmailRead(situation.standing, tuple(pieces))


def _is_other(situation: Situation, name: str) -> bool:
    now: Phase = situation.position.phase
    of_this_kind = name == now.kind.value and now.kind is PhaseKind.MOVEMENT
    return not of_this_kind and phase_meant(name, now, situation.board.calendar) != now.code


def _submit(situation: Situation, found: OrdersRead) -> tuple[Situation, list[Piece]]:
    """Return the situation after the orders *found*, and the outcome of each piece."""
    power = situation.power
    after, taken = situation.take(found.orders(power))
    refused = {id(each.order): each.impossible for each in taken.remarks if each.refused}
    pieces: list[Piece] = []
    for each in found.readings:
        match each:
            case Understood(line=line, text=text, power=owner) if owner not in (None, power):
                pieces.append(Ignored(line, text, ANOTHERS))
            case Understood(line=line, text=text, order=order):
                why = refused.get(id(order))
                left = Ignored(line, text, _why_ignored(why)) if why else None
                pieces.append(left or Ordered(line, text, order))
            case NotUnderstood() | Unclear():
                pieces.append(each)
            case _:
                assert_never(each)
    pieces += [
        Ignored(each.line, each.text, "prose that names a province" if each.names else "prose")
        for each in found.aside.sentences
    ]
    pieces += [Ignored(0, each, "greeting or signature") for each in found.aside.courtesies]
    pieces += [Ignored(line, text, HEADING) for line, text in found.aside.headings]
    pieces += [Ignored(each.line, each.text, CONTINUED) for each in found.noted]
    return after, pieces


def _phase_beside(parsed: command_syntax.OrdersOfPhase) -> Iterator[Ignored]:
    """Yield the name of the phase before or after the orders of a line."""
    [orders] = parsed.lines
    name = parsed.text.replace(orders.text[orders.added :], "", 1).strip(" ,;:")
    if name:
        yield Ignored(parsed.line, name, HEADING)


def _why_ignored(why: Impossible) -> str:
    return ANOTHERS if why is Impossible.NOT_YOURS else why.value.replace("_", " ")


def _pieces_of_command(
    parsed: command_syntax.ParsedLine, below: Sequence[Line]
) -> Iterator[Piece]:
    """Yield pieces for text that is no order; for a command, also for the lines *below* it."""
    match parsed:
        case Press(lines=lines, beneath=beneath):
            opening = parsed.text
            if lines and lines[0].number == parsed.line:
                opening = opening.removesuffix(lines[0].text)
            yield Ignored(parsed.line, opening, "press")
            yield from _ignored((*lines, *beneath), "press")
        case UnopenedPress(lines=lines):
            yield from _ignored(lines, "press that is not opened")
            yield Ignored(parsed.line, parsed.text, "press that is not opened")
        case Preview(lines=lines, closing=closing):
            opening = parsed.text
            if lines and lines[0].number == parsed.line:
                opening = opening.removesuffix(lines[0].text)
            yield Ignored(parsed.line, opening, "preview")
            yield from _ignored((*lines, *closing), "preview")
        case command_syntax.SignOff(ignored=lines):
            yield Ignored(parsed.line, parsed.text, "command")
            yield from _ignored(lines, "below SIGNOFF")
        case _:
            yield Ignored(parsed.line, parsed.text, "command")
            own = (line for line in below if line.text.strip() not in parsed.text)
            yield from _ignored(tuple(own), "command")


def _ignored(lines: Sequence[Line], why: str) -> Iterator[Ignored]:
    written = ((line.number, line.text[line.added :]) for line in lines)
    return (Ignored(number, text, why) for number, text in written if text.strip())


def _not_understood(line: int, text: str) -> NotUnderstood:
    return NotUnderstood(line, 1, text, Unread.NOT_AN_ORDER)
