"""PREVIEW: the result of hypothetical orders.

Other powers' real orders are not used, except for a reader who may see them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge.app.commands.context import QuestionContext, Session
from judge.app.commands.order_lines import read_safely
from judge.game.payloads import orders_from_texts, write_orders
from judge.game.phases import suppose_orders
from judge.game.submission import ordered_province, orders_together
from judge.game.visibility import Observer, Reader, is_board_hidden, sees_orders, view
from judge.mail.body import Line
from judge.mail.language.command_table import CommandTable
from judge.mail.language.phase_names import phase_meant
from judge.mail.language.previews import Preview
from judge.mail.reader.phase_hints import LinePart, line_parts
from judge.notation.order_text import write_short
from judge.notation.readings import Reading, Understood
from judge.notation.terms import names_of, tokenize
from judge.reports.emails import explanations
from judge.reports.emails.contexts import Context, heading_of
from judge.reports.emails.phase_results import shared_results, visible_results
from judge.rules.board import Map
from judge.rules.types import Order, Phase, Position, Power, Waive

LETTER = re.compile(
    r"\s*([a-z][a-z0-9]?|[0-9](?=\s*:))\s*[:)]\s*(?=(?:[af]|army|fleet)[ (])", re.IGNORECASE
)


def preview_orders(
    context: QuestionContext, session: Session, reader: Reader, parsed: Preview
) -> Context | None:
    """Return the preview that *parsed* asks for; None if no phase of the game is open."""
    game = context.game(session.game)
    if game is None:
        return None
    board, hidden = context.board(game), is_board_hidden(game, reader)
    seen = view(game, reader, board)
    if seen.position is None or seen.phase is None:
        return None
    position = seen.position
    readings, others = context.read(
        read_preview,
        board,
        context.judge.commands,
        position,
        session.power,
        parsed.lines,
        s_stands=game.house_rules.s_stands,
    )
    own = parsed.own or not (others or readings)
    standing = seen.phase.standing if own else {}
    orders = {power: orders_from_texts(texts) for power, texts in standing.items()}
    for power, new in _orders_by_power(position, session, readings).items():
        orders[power] = orders_together(position.phase.kind, orders.get(power, ()), new)
    # Treat the visible position as complete, so the result reveals nothing else.
    rules = replace(game.house_rules, blind=game.house_rules.blind and not hidden)
    before = replace(game, position=position, house_rules=rules)
    texts = {power: write_orders(each, game.rulebook) for power, each in orders.items() if each}
    closed, after = suppose_orders(board, before, texts)
    results = shared_results(board, before, closed, after, judge_code=context.judge.code)
    return explanations.WhatIf(
        heading=heading_of(board, before, context.judge.code),
        shared=visible_results(board, after, results, Observer()),
        unread=tuple(each.text for each in readings if not isinstance(each, Understood)),
        others=others,
        own=own,
        held=own and sees_orders(game, reader),
        blind=hidden,
    )


def read_preview(
    board: Map,
    commands: CommandTable,
    position: Position,
    power: Power | None,
    lines: tuple[Line, ...],
    *,
    s_stands: bool,
) -> tuple[tuple[Reading, ...], tuple[str, ...]]:
    """Read *lines* as orders to try in *position*; also return the texts for other phases."""
    tried, others = _split_by_phase(board, commands, position.phase, lines)
    now = tuple(_with_power_named(board, line) for line in tried)
    readings = read_safely(board, position, power, now, s_stands=s_stands) if now else ()
    return readings, others


CLAUSE_END = re.compile(r"([.;?!,\n]+|\s(?:and|und|et)\s)")
ARTICLE = re.compile(r"\b(?:the|die|der|la|le|les|l['\u2019])\s*$", re.IGNORECASE)
SUBJECTS = ("a unit", "")  # in place of a power: `a unit moves to the Black Sea`


def orders_supposed(
    board: Map, position: Position, own: Power, text: str
) -> tuple[str, tuple[str, ...]]:
    """Return what other powers do in *text*, as `Turkey: F Ank-Bla`, and the rest of it before.

    `Turkey moves to the Black Sea` is that if only one of its units can.
    """
    rest: list[str] = []
    found: list[str] = []
    for part in CLAUSE_END.split(text):
        orders = _orders_of_other(board, position, own, part)
        rest += () if orders else (part,)
        found += orders
    return "".join(rest), tuple(found)


def _orders_of_other(board: Map, position: Position, own: Power, clause: str) -> list[str]:
    names, tokens = names_of(board), tokenize(clause)
    keys = [token.key for token in tokens]
    lengths = ((at, names.longest_power(keys[at:]) or 1) for at in range(len(keys)))
    named = ((at, length, " ".join(keys[at : at + length])) for at, length in lengths)
    at, length, name = next((each for each in named if each[2] in names.powers), (0, 0, ""))
    power = names.powers.get(name)
    if power in (None, own):
        return []
    last = tokens[at + length - 1]
    before = ARTICLE.sub("", clause[: tokens[at].column - 1])
    after = clause[last.column - 1 + len(last.text) :]
    for subject in SUBJECTS:
        said = (Line(1, f"{before}{subject}{after}."),)
        found = read_safely(board, position, power, said, s_stands=True)
        read = [each for each in found if isinstance(each, Understood)]
        if read and len(read) == len(found):
            nation, orders = board.nations[power].name, (each.order for each in read)
            return [f"{nation}: {write_short(order, board)}" for order in orders]
    return []


def _split_by_phase(
    board: Map, commands: CommandTable, now: Phase, lines: Sequence[Line]
) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    tried: list[Line] = []
    others: list[str] = []
    is_now = True
    for line in lines:
        for part in line_parts(line.text, board, commands) or (LinePart(None, line.text),):
            names_now = (
                part.heading is None
                or phase_meant(part.heading.code, now, board.calendar) == now.code
            )
            is_now = is_now if part.alone or part.heading is None else names_now
            if is_now and names_now:
                tried.append(line.part(part.text))
            elif part.text.strip():
                others.append(part.text.strip())
    return tuple(tried), tuple(others)


def _with_power_named(board: Map, line: Line) -> Line:
    """Replace the letter of a power by its name: `G: A Mun-Bur`."""
    found = LETTER.match(line.text)
    powers = {board.nations[power].letter: board.nations[power].name for power in board.powers}
    if found is None or found[1].upper() not in powers:
        return line
    return replace(line, text=f"{powers[found[1].upper()]}: {line.text[found.end() :]}")


def _orders_by_power(
    position: Position, session: Session, readings: Sequence[Reading]
) -> Mapping[Power, Sequence[Order]]:
    """Group the orders by the power named, else by that of the unit."""
    written: dict[Power, list[Order]] = {}
    for each in readings:
        if isinstance(each, Understood):
            power = each.power or _owner(position, each.order) or session.power
            if power:
                written.setdefault(power, []).append(each.order)
    return written


def _owner(position: Position, order: Order) -> Power | None:
    if isinstance(order, Waive):
        return None
    owners = {center: owner for center, owner in position.owners.items() if owner}
    owners |= {unit.province: unit.power for unit in position.units}
    owners |= {each.unit.province: each.unit.power for each in position.dislodged}
    place = ordered_province(order)
    return owners.get(place) if place else None
