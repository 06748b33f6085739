"""Split replies to press into press, commands and messages to others.

Blocks (`PRESS TO A` ... `ENDPRESS`, `BROADCAST` ... `ENDBROADCAST`, `ORDERS` ... `ENDORDERS`) are
explicit, and count in a reply to any email. Everything else in the reply is its *rest*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from judge.mail.body import Line, Text, trimmed
from judge.mail.language import command_syntax
from judge.mail.language.command_table import CommandTable
from judge.mail.language.confirmations import Confirm
from judge.mail.language.phase_names import spelled_words
from judge.mail.reader import press_blocks
from judge.mail.reader.email_text import LINES_MAX, read_lines
from judge.mail.reader.notation_in_press import holds_notation
from judge.mail.redaction import FAREWELL_ALONE
from judge.mail.reply_kind import ReplyKind
from judge.rules.board import Map

ORDERS = re.compile(r"\W*(?:ORDERS|BEFEHLE|ORDRES)\W*")  # in capitals: `Orders:` may be talk
END_ORDERS = re.compile(r"\W*(?:END ?ORDERS|ENDE BEFEHLE|FIN ORDRES)\W*", re.IGNORECASE)
NAME = re.compile(r"\W*[^\W\d_]+(?:\W+[^\W\d_]+)?\W*")
GREETING_MAX = 40  # characters of a line that only greets
EXAMINED_MAX = 20_000  # characters of the rest: longer than any message
ANSWER_MAX = 12  # words of an answer to the question whether a reply is press or orders


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply to press: the lines of its *blocks*, its *rest*, and the parts that are not press.

    These are *commands*, messages to *others*, and orders below the name of a *phase*. A rest that
    is *too_long* was not searched.
    """

    blocks: tuple[Line, ...]
    rest: tuple[Line, ...]
    commands: tuple[Line, ...]
    others: tuple[Line, ...]
    phase: tuple[Line, ...]
    too_long: bool = False

    @property
    def says_more(self) -> bool:
        """Return whether the rest is more than a greeting and a name."""
        written = [line.text for line in self.rest if line.text.strip()]
        return not all(_only_greets(line, at, len(written)) for at, line in enumerate(written))


WORDS = {word: kind for kind in ReplyKind for word in spelled_words(f"means_{kind.value}")}
DENIED = re.compile(
    r"\b(?:not|no|nicht|keine?n?|pas|sans)\s+(?:(?:as|an?|als|eine?n?|une?|de|des)\s+|d['\u2019])?(?P<word>[^\W\d_]+)",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]+")


def read_reply(
    lines: Sequence[Line], board: Map, commands: CommandTable, own: str | None, to: Collection[str]
) -> Reply:
    """Read a reply to press of *to*, by the player of the power *own*."""
    blocks, rest = _parted(lines, board)
    if len(rest) > LINES_MAX or sum(len(line.text) for line in rest) > EXAMINED_MAX:
        return Reply(trimmed(blocks), trimmed(rest), (), (), (), too_long=True)
    # A greeting to one of *to* would open a message to others; `Tell Anna that ...` is for them.
    ungreeting = tuple(line for line in rest if not _greets(line, board, own, to))
    parsed = read_lines(Text(ungreeting), board, commands, own=own)
    return Reply(
        blocks=trimmed(blocks),
        rest=trimmed(rest),
        commands=tuple(_line_of(each) for each in parsed if _is_command(each, commands)),
        others=tuple(
            _line_of(each)
            for each in parsed
            if isinstance(each, press_blocks.Press | press_blocks.UnopenedPress)
        ),
        phase=tuple(_below_phase(parsed, board)),
    )


def declared_kind(lines: Sequence[Line]) -> ReplyKind | None:
    """Return the kind that the answer *lines* give to a reply; None if that is unclear."""
    written = [line.text for line in lines if line.text.strip()]
    words = WORD.findall(" ".join(written[:1]))
    if len(words) > ANSWER_MAX:
        return None
    text = DENIED.sub(_without_denied, written[0]) if words else ""
    found = [WORDS[word.casefold()] for word in WORD.findall(text) if word.casefold() in WORDS]
    kinds = {each for each in found if each is not ReplyKind.NEITHER}
    if len(kinds) == 1:
        return kinds.pop()
    return ReplyKind.NEITHER if found and not kinds else None


def _without_denied(found: re.Match[str]) -> str:
    """Remove `not press`, but keep `not sure`."""
    return "" if found["word"].casefold() in WORDS else found[0]


def _parted(lines: Sequence[Line], board: Map) -> tuple[list[Line], list[Line]]:
    ends = press_blocks.block_ends(lines, board)
    blocks: list[Line] = []
    rest: list[Line] = []
    i, ordering = 0, False
    while i < len(lines):
        line, end, i = lines[i], ends[i], i + 1
        if end is not None and press_blocks.press_opening(line, board, closed=True):
            blocks += lines[i - 1 : end + 1]
            i = end + 1
        elif ORDERS.fullmatch(line.text):
            ordering = True
        elif ordering and END_ORDERS.fullmatch(line.text):
            ordering = False
        elif ordering:
            blocks.append(line)
        else:
            rest.append(line)
    return blocks, rest


def _greets(line: Line, board: Map, own: str | None, to: Collection[str]) -> bool:
    found = press_blocks.misdirected_press(line, (), board, own)
    return found is not None and (
        press_blocks.tells(line.text)
        or {*press_blocks.recipients_of(found[0])}
        <= {
            command_syntax.ALL,
            *to,
        }
    )


def _line_of(parsed: command_syntax.ParsedLine) -> Line:
    return Line(parsed.line, parsed.text)


def _is_command(parsed: command_syntax.ParsedLine, commands: CommandTable) -> bool:
    first, *more = parsed.text.split() or [""]
    match parsed:
        case (
            Confirm()
            | command_syntax.NamedGame()
            | command_syntax.OrderText()
            | command_syntax.NamedPhase()
            | command_syntax.OrdersOfPhase()
        ):
            return False
        case press_blocks.Press() | press_blocks.UnopenedPress():
            return False
        case command_syntax.UnknownCommand():
            return first.isupper() and len(first) > 1
        case _:
            in_sentence = commands.of(parsed).in_sentences and not parsed.has_password
            return not in_sentence or first.isupper() or not more


def _below_phase(parsed: Sequence[command_syntax.ParsedLine], board: Map) -> Iterator[Line]:
    """Yield the orders for a named phase, whichever power's units they are for."""
    named = False
    for each in parsed:
        if isinstance(each, command_syntax.NamedPhase):
            named = True
        elif isinstance(each, command_syntax.OrdersOfPhase) or (
            named and isinstance(each, command_syntax.OrderText)
        ):
            yield from (line for line in each.lines if holds_notation(line.text, board))


def _only_greets(line: str, at: int, count: int) -> bool:
    if FAREWELL_ALONE.fullmatch(line) or (
        len(line) <= GREETING_MAX and press_blocks.GREETS.match(line.lstrip())
    ):
        return True
    return 0 < at == count - 1 and NAME.fullmatch(line) is not None
