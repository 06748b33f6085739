"""Read an email: what its text says, and ahead of its answer what the judge will ask of it.

Everything here is a pure function; `judge.app.readings` has it called in a process with limits. To
read something else of every email, add a call to `read_ahead`, and the same call where the answer
needs it: `context.read(function, ...)`. Without the first it still works, in one more attempt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judge.app.commands.order_lines import read_for_any_phase, read_orders, read_without_position
from judge.app.commands.sessions import read_game_headings
from judge.app.commands.situation import Situation
from judge.app.commands.unread_parts import (
    compare_parts,
    gives_every_order,
    possible_orders,
    without_standing,
)
from judge.app.readings import Reading, Recorder
from judge.app.sent_emails import SentEmails, split_by_sent_text
from judge.mail.body import Line
from judge.mail.envelope import OpenedEmail
from judge.mail.language.command_syntax import NamedGame, OrderText, ParsedLine
from judge.mail.language.command_table import CommandTable
from judge.mail.reader.email_text import read_lines, with_subject_as_text
from judge.mail.reader.odd_words import name_odd_words
from judge.mail.reader.phase_hints import holds_order
from judge.notation.readings import Understood
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class TextRead:
    """An email, with its subject as its text if that is all, and its lines as *parsed*."""

    opened: OpenedEmail
    parsed: tuple[ParsedLine, ...]


def read_text(
    opened: OpenedEmail,
    board: Map,
    commands: CommandTable,
    own: Power | None,
    *,
    subject_as_text: bool,
    characters_max: int | None,
) -> TextRead:
    """Read the text of an email, or only its first *characters_max*, in whole lines."""
    if subject_as_text:
        opened = with_subject_as_text(opened, board, commands)
    text = opened.text
    if characters_max is not None:
        text = replace(text, fresh=tuple(_beginning(text.fresh, characters_max)))
    parsed = name_odd_words(read_lines(text, board, commands, opened.subject, own), board)
    return TextRead(opened, parsed)


def holds_orders(lines: tuple[Line, ...], board: Map) -> bool:
    """Return whether one of *lines* has an order."""
    return any(holds_order(line.text, board) for line in lines)


def lines_to_order(parsed: Sequence[ParsedLine]) -> tuple[Line, ...]:
    """Return the lines of *parsed* that may be orders."""
    return tuple(line for lines in _texts_of_orders(parsed) for line in lines)


ELSEWHERE = re.compile(r"\W*[AF] \w{3}(?:\(\wc\))?(?: ?-+>? ?\w{3}\b| [HSC](?:\W|$))")


def read_order_lines(lines: tuple[Line, ...], board: Map) -> tuple[Line, ...]:
    """Return those of *lines* that are orders in notation, maybe for another board."""
    return tuple(
        line
        for line in lines
        if ELSEWHERE.match(line.text)
        or any(isinstance(each, Understood) for each in read_for_any_phase(line.text, board))
    )


def _beginning(lines: Sequence[Line], characters_max: int) -> Iterator[Line]:
    for line in lines:
        characters_max -= len(line.text) + 1
        if characters_max < 0:
            return
        yield line


@dataclass(frozen=True, slots=True)
class Expected:
    """The meaning that an email seems to have, before anything about it is proven.

    *own* is the power of its sender in the game that it is about, *situation* what they can order
    there, *games* are all of theirs, *sent* the emails of ours that it may quote. The
    *default_board* is that of emails about no game.
    """

    board: Map
    default_board: Map
    own: Power | None
    games: frozenset[str]
    situation: Situation | None
    sent: SentEmails
    is_press_reply: bool
    characters_max: int | None


def read_ahead(
    opened: OpenedEmail, commands: CommandTable, expected: Expected
) -> Sequence[Reading]:
    """Read what the answer will need, if the email is what is *expected*."""
    board, situation = expected.board, expected.situation
    recorder = Recorder()
    read = recorder.read
    read(commands.passwords_in, opened.text, expected.default_board)
    if expected.sent:
        opened = read(split_by_sent_text, opened, expected.sent)
    text = read(
        read_text,
        opened,
        board,
        commands,
        expected.own,
        subject_as_text=not expected.is_press_reply,
        characters_max=expected.characters_max,
    )
    opened, parsed = text.opened, text.parsed
    if expected.is_press_reply:
        return recorder.readings
    if expected.characters_max is not None and (lines := lines_to_order(parsed)):
        read(read_order_lines, lines, board)
    if expected.games:
        parsed = read(
            read_game_headings,
            parsed,
            opened.subject,
            opened.text,
            expected.games,
            board,
            commands,
        )
    if situation:
        parsed = tuple(each for each in parsed if not isinstance(each, NamedGame))
        orders = _read_orders_ahead(recorder, situation, parsed)
        _read_rest_ahead(recorder, situation, opened, commands, orders=orders)
    elif expected.characters_max is None:
        for lines in _texts_of_orders(parsed):
            recorder.read(read_without_position, board, expected.own, lines)
    return recorder.readings


def _read_orders_ahead(
    recorder: Recorder, situation: Situation, parsed: Sequence[ParsedLine]
) -> int:
    """Read each text of orders, as if those above it were submitted; return how many there are."""
    texts, count = _texts_of_orders(parsed), 0
    for lines in texts:
        orders = recorder.read(read_orders, situation, lines).orders(situation.power)
        count += len(orders)
        if len(texts) > 1:
            situation, _ = situation.take(orders)
    return count


def _texts_of_orders(parsed: Sequence[ParsedLine]) -> Sequence[tuple[Line, ...]]:
    return [each.lines for each in parsed if isinstance(each, OrderText)]


def _read_rest_ahead(
    recorder: Recorder,
    situation: Situation,
    opened: OpenedEmail,
    commands: CommandTable,
    *,
    orders: int,
) -> None:
    """Read the parts of the email that the receipt mentions if they have orders."""
    text, board = opened.text, situation.board
    unordered = without_standing(situation)
    if text.quoted and not gives_every_order(board, situation.position, situation.power, orders):
        recorder.read(possible_orders, unordered, text.quoted)
    if text.signature:
        recorder.read(possible_orders, unordered, text.signature)
    if text.unread or text.says_more:
        recorder.read(compare_parts, board, commands, text, opened.subject, situation.power)
