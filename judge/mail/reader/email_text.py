"""Read the text and subject of an email as commands, blocks of press and lines of orders.

A line opens a block of press only if it can be nothing else: every word after PRESS names a
recipient, or nearly does, or a closing line follows. If a block is not closed, or another opens
inside it, the rest of the email is neither press nor orders, as it may have been meant for another
player. The same applies to the lines above a closing line without an opening.

Some people, and some mail programs that follow a link, write only a subject. It counts if it is
nothing but orders or a harmless command; a vote does not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, takewhile
from typing import TypeAlias, TypeGuard, TypeVar

from judge.game.future_orders import is_order_of_phase
from judge.mail.body import Line, Text, trimmed
from judge.mail.envelope import OpenedEmail
from judge.mail.headers import TAG_IN_SUBJECT
from judge.mail.language import command_syntax, previews
from judge.mail.language.command_table import CommandTable
from judge.mail.language.confirmations import may_be_note, plain_answer
from judge.mail.language.phase_names import EITHER_SEASON
from judge.mail.quotes import ends_press, signs_off
from judge.mail.reader import press_blocks
from judge.mail.reader.courtesies import is_courtesy
from judge.mail.reader.house_rule_text import settings_below
from judge.mail.reader.phase_hints import holds_order, is_order, line_parts, orders_in
from judge.mail.signatures import client_mark_after, opens_signature
from judge.notation.readings import describe_defect
from judge.reading.words import languages_of
from judge.rules.board import Map
from judge.rules.types import PhaseKind

LINES_MAX = 500  # The longest legal order set is 34 units; this leaves room for press.
CHARACTERS_MAX = 10_000  # outside of blocks; what people write takes a tenth of that
COMMANDS_MAX = 100
SECRETS_MAX = 10  # For SIGNON and SET PASSWORD: hashing a password takes 50 ms, on purpose.
PRESSES_MAX = 10  # Each is an email to up to seven people.
QUESTIONS_MAX = 20  # Each is answered with a page or more.
PREVIEW_COMMAND, CLEAR, NMR = "PREVIEW", "CLEAR", "(NMR)"
COMMENT_MARK = "//"
MAY_OPEN = re.compile(  # lines below such a line may have another recipient or purpose
    r"\W*(?:\w+\W+){0,2}?(?:press|broadcast|sign|join|become|game|phase|preview|comment|if)",
    re.IGNORECASE,
)


def read_lines(
    text: Text, board: Map, commands: CommandTable, subject: str = "", own: str | None = None
) -> tuple[command_syntax.ParsedLine, ...]:
    """Read the fresh lines of *text*; each line but blanks and comments is in one value.

    A *subject* that asks for a preview applies to all orders of the email; one may also open
    press. The sender's *own* power is never a recipient.
    """
    lines = (part for line in text.fresh for part in _parts_by_mark(line))
    written = [line for line in lines if not line.text.lstrip().startswith(COMMENT_MARK)]
    read = partial(
        _read_all, board=board, commands=commands, subject=TAG_IN_SUBJECT.sub("", subject), own=own
    )
    parsed, failing = read_all_others(read, written)
    parsed = _with_german_seasons(parsed, written)
    opens = next((each.line for each in failing if MAY_OPEN.match(each.line.text)), None)
    if opens is None:
        return parsed if not failing else tuple(_with_failing(parsed, failing))
    at = written.index(opens)
    below = [FailingLine(line, "") for line in written[at:] if line.text.strip()]
    parsed, failing = read_all_others(read, written[:at])
    return tuple(_with_failing(parsed, (*failing, *below)))


GERMAN, WORDS = "de", re.compile(r"[^\W\d_]{2,}")
FALL_OR_SPRING = re.compile(r"\bF[ .-]?(?:\d\d){1,2}\b", re.IGNORECASE)  # Fall, or Frühjahr


def _with_german_seasons(
    parsed: Sequence[command_syntax.ParsedLine], written: Sequence[Line]
) -> tuple[command_syntax.ParsedLine, ...]:
    """Read `F01` in a German email as spring or fall, whichever phase is open."""

    def is_either(each: command_syntax.ParsedLine) -> TypeGuard[command_syntax.PhaseLine]:
        return (
            isinstance(each, command_syntax.NamedPhase | command_syntax.OrdersOfPhase)
            and each.code[:1] == "F"
            and each.code[1:].isdecimal()
            and bool(FALL_OR_SPRING.search(each.text))
        )

    if not any(map(is_either, parsed)):
        return tuple(parsed)
    words = {word.casefold() for line in written for word in WORDS.findall(line.text)}
    if languages_of(words)[0] != GERMAN:
        return tuple(parsed)
    return tuple(
        replace(each, code=f"{EITHER_SEASON}{each.code[1:]}") if is_either(each) else each
        for each in parsed
    )


LINE_BREAK = re.compile(r"\s*\\{1,2}([^\w\s])(.+)")  # DPjudge's: `\;A Par H;SET WAIT`


def _parts_by_mark(line: Line) -> Iterator[Line]:
    """Split a line that begins with a backslash and a mark at that mark, as DPjudge does."""
    found = LINE_BREAK.fullmatch(line.text)
    if found is None or found[1] not in found[2]:
        yield line
        return
    yield from (Line(line.number, part.strip()) for part in found[2].split(found[1]))


def _read_all(
    written: Sequence[Line], *, board: Map, commands: CommandTable, subject: str, own: str | None
) -> tuple[command_syntax.ParsedLine, ...]:
    lines = list(written)
    _apply_subject(lines, subject, board)
    answers = not may_be_note(subject, (line.text for line in lines))
    reader = _reader(lines[:LINES_MAX], board, commands, own, answers=answers)
    parsed = list(_orders_together(reader.read()))
    parsed = list(_by_phase(_with_nmr_as_clear(parsed, board, commands), board))
    end = _count_within_limits(parsed, commands)
    if end < len(parsed):
        return (
            *parsed[:end],
            command_syntax.TooMuch(end, line=parsed[end].line, text=parsed[end].text),
        )
    if reader.at < len(lines):
        beyond, limit = lines[reader.at], LINES_MAX if reader.at == LINES_MAX else CHARACTERS_MAX
        return (*parsed, command_syntax.TooMuch(limit, line=beyond.number, text=beyond.text))
    return tuple(parsed)


def _by_phase(
    parsed: Sequence[command_syntax.ParsedLine], board: Map
) -> Iterator[command_syntax.ParsedLine]:
    """Give the orders below a heading of two phases to the phase that each fits."""
    heading: command_syntax.NamedPhase | None = None
    for each in parsed:
        if isinstance(each, command_syntax.NamedPhase):
            heading = each if each.second else None
        if not (heading and isinstance(each, command_syntax.OrderText)):
            yield each
            continue
        fits = partial(_is_only_of, kind=PhaseKind(heading.second[-1]), board=board)
        for later, lines in groupby(each.lines, fits):
            code = heading.second if later else heading.code
            yield command_syntax.NamedPhase(code, line=heading.line, text=heading.text)
            yield from command_syntax.order_text(tuple(lines))


def _is_only_of(line: Line, kind: PhaseKind, board: Map) -> bool:
    """Return whether *line* has orders for phases of *kind*, and none for a movement phase."""
    moves = PhaseKind.MOVEMENT
    first, second = (orders_in(line.text, board, of) for of in (moves, kind))
    return bool(second) and not any(is_order_of_phase(moves, order) for order in first)


def _with_failing(
    parsed: Sequence[command_syntax.ParsedLine], failing: Sequence[FailingLine]
) -> Iterator[command_syntax.ParsedLine]:
    """Yield *parsed*, then the failing lines; those within press are restored there."""
    left_out = {each.line.number: each for each in failing}
    for each in parsed:
        match each:
            case command_syntax.OrderText(lines=lines) | command_syntax.OrdersOfPhase(lines=lines):
                kept = tuple(line for line in lines if line.text != LEFT_OUT)
                if kept:
                    yield replace(each, lines=kept)
            case (
                press_blocks.Press(lines=lines)
                | press_blocks.UnopenedPress(lines=lines)
                | previews.Preview(lines=lines)
            ):
                meant = [left_out.pop(line.number, line) for line in lines]
                restored = (x.line if isinstance(x, FailingLine) else x for x in meant)
                yield replace(each, lines=tuple(restored))
            case _:
                yield each
    for failed in left_out.values():
        yield command_syntax.LineFailed(
            failed.defect, line=failed.line.number, text=failed.line.text
        )


def _with_nmr_as_clear(
    parsed: list[command_syntax.ParsedLine], board: Map, commands: CommandTable
) -> list[command_syntax.ParsedLine]:
    """Read `(NMR)`, DPjudge's word for no orders, as CLEAR if the email has nothing else.

    Next to other words it is a quotation.
    """
    match [each for each in parsed if not isinstance(each, command_syntax.SignOn)]:
        case [command_syntax.OrderText(lines=(line,)) as only] if (
            line.text.strip(" .").upper() == NMR
        ):
            clear = commands.read(Line(line.number, CLEAR), board, first=False)
            assert clear is not None, "it is a command"
            clear = replace(clear, text=line.text)
            return [clear if each is only else each for each in parsed]
        case _:
            return parsed


def _apply_subject(lines: list[Line], subject: str, board: Map) -> None:
    if previews.asks_for_preview(subject):
        first = _first_order(lines, board)
        if first is not None:
            lines.insert(first, Line(0, PREVIEW_COMMAND))
        return
    press = press_blocks.press_in_subject(subject, board)
    if press and not any(press_blocks.press_opening(line, board, closed=True) for line in lines):
        first = _first_order(lines, board)
        if first is not None and first < len(lines):
            lines.insert(first, Line(0, press))


def _first_order(lines: Sequence[Line], board: Map) -> int | None:
    for i, line in enumerate(lines):
        if press_blocks.press_opening(line, board, closed=True):
            return None
        if holds_order(line.text, board):
            return i
    return len(lines)


def _count_within_limits(
    parsed: Sequence[command_syntax.ParsedLine], commands: CommandTable
) -> int:
    limits = (len(parsed), COMMANDS_MAX)
    secrets = [i for i, each in enumerate(parsed) if commands.of(each).takes_password]
    presses = [i for i, each in enumerate(parsed) if isinstance(each, press_blocks.Press)]
    questions = [i for i, each in enumerate(parsed) if commands.of(each).is_question]
    beyond = (*secrets[SECRETS_MAX:], *presses[PRESSES_MAX:], *questions[QUESTIONS_MAX:])
    return min(*limits, *beyond)


Block: TypeAlias = (
    "tuple[Sequence[command_syntax.ParsedLine | Line], int]"  # with the index of the next line
)


@dataclass(slots=True)
class _LineReader:
    """Reads *lines* one after another, for the sender's power *own*.

    *ends* are the closing lines of blocks of press; *first* and *top* are the indices of the first
    line, and of the first that is not SIGNON.
    """

    lines: Sequence[Line]
    board: Map
    commands: CommandTable
    own: str | None
    ends: Sequence[int | None]
    first: int
    top: int
    at: int = 0
    left: int = CHARACTERS_MAX

    def read(self) -> Iterator[command_syntax.ParsedLine | Line]:
        """Yield commands and blocks; a line that is neither is yielded unchanged.

        It ends *at* the first line of which too few characters are *left*, or behind the last.
        """
        while self.at < len(self.lines):
            line, end = self.lines[self.at], self.ends[self.at]
            opening = press_blocks.press_opening(line, self.board, closed=end is not None)
            if opening:
                items, self.at = self._press(self.at, opening)
            elif len(line.text) > self.left:
                return
            else:
                line, below = _unmarked(line, self.board), self.at + 1
                items, after = (
                    self._block(line, self.at, below) if line.text.strip() else ((), below)
                )
                self.left -= len(line.text)
                self.at = after
            yield from items

    def _press(self, at: int, opening: press_blocks.PressOpening) -> Block:
        end, ended = self.ends[at], self._signed_off(at)
        if ended is not None and (end is None or ended < end):
            lines = self.lines[at + 1 : ended]
            press = _press_block(self.lines[at], opening, lines, ())
            # Orders below a forgotten ENDPRESS must not go to their readers.
            sound = not any(holds_order(line.text, self.board) for line in lines)
            return (replace(press, closed=sound),), ended
        closing = () if end is None else (self.lines[end],)
        press = _press_block(self.lines[at], opening, self.lines[at + 1 : end], closing)
        return (press,), len(self.lines) if end is None else end + 1

    def _signed_off(self, at: int) -> int | None:
        """Return the SIGNOFF that ends the press opened at *at*, before other press opens."""
        for below, line in enumerate(self.lines[at + 1 :], at + 1):
            if signs_off(line.text):
                return below
            if press_blocks.press_opening(line, self.board, closed=False):
                return None
        return None

    def _block(self, line: Line, at: int, below: int) -> Block:
        end, rest = self.ends[at], self.lines[below:]
        preview = previews.preview_asked(line.text, self.board, first=at == self.top)
        if preview is not None:
            return self._preview(line, preview, below)
        if block := (
            self.commands.block(line, rest)
            or press_blocks.misdirected_press(line, rest, self.board, self.own)
        ):
            return block[:1], below + block[1]
        if end is not None and press_blocks.is_misread(line):
            lost, closing = trimmed(self.lines[at:end]), self.lines[end]
            return (
                press_blocks.UnopenedPress(lost, line=closing.number, text=closing.text),
            ), end + 1
        if ends_press(line.text):
            return (press_blocks.UnopenedPress((), line=line.number, text=line.text),), below
        return self._command(line, below, first=at == self.first)

    def _preview(self, line: Line, asked: previews.PreviewAsked, below: int) -> Block:
        """Return the orders to try, and the press among them, which is only shown, too."""
        closings = (at for at in range(below, len(self.lines)) if _ends_preview(self.lines[at]))
        end, at = next(closings, len(self.lines)), below
        tried, press = [line.part(asked.rest)], list[command_syntax.ParsedLine]()
        while at < end:
            closed = self.ends[at] is not None
            opening = press_blocks.press_opening(self.lines[at], self.board, closed=closed)
            if opening:
                manner = replace(opening.manner, preview=True)
                shown, at = self._press(at, replace(opening, manner=manner))
                press += [each for each in shown if not isinstance(each, Line)]
            else:
                tried.append(_unmarked(self.lines[at], self.board))
                at += 1
        lines, closing = trimmed(tried), tuple(self.lines[at : at + 1])
        preview = previews.Preview(
            lines, own=asked.own, closing=closing, line=line.number, text=line.text
        )
        return ((preview,) if lines or not press else ()) + tuple(press), at + 1

    def _command(self, line: Line, below: int, *, first: bool) -> Block:
        command = self.commands.read(line, self.board, first=first)
        unread = command is None or isinstance(command, command_syntax.UnknownCommand)
        if unread and (parts := self.commands.parts_of(line, self.board)):
            return parts, below
        match command:
            case command_syntax.SignOff():
                again = _next_sign_on(self.lines, below, self.board, self.commands)
                return (replace(command, ignored=trimmed(self.lines[below:again])),), again
            case command_syntax.TakesSettings():
                settings = settings_below(self.lines[below:], self.board, self.commands)
                create = replace(command, pairs=command.pairs + settings.pairs)
                return (create, *settings.unread), below + settings.length
            case command_syntax.SpeaksFor():
                self.own = command.power
            case _:
                pass
        return tuple(_parts_of_line(line, command, self.board, self.commands)), below


def _reader(
    lines: Sequence[Line], board: Map, commands: CommandTable, own: str | None, *, answers: bool
) -> _LineReader:
    first, top = _first_lines(lines, board, commands)
    ends = press_blocks.block_ends(lines, board)
    first = first if answers else -1
    return _LineReader(lines, board, commands, own, ends, first, top)


def _unmarked(line: Line, board: Map) -> Line:
    end = client_mark_after(line.text)
    mark = line.text[end:]
    if not mark or holds_order(mark, board):
        return line
    return replace(line.part(line.text[:end]), mark=mark.strip())


def _first_lines(lines: Sequence[Line], board: Map, commands: CommandTable) -> tuple[int, int]:
    written = [at for at, line in enumerate(lines) if line.text.strip()]
    others = (
        at
        for at in written
        if not isinstance(commands.read(lines[at], board, first=False), command_syntax.SignOn)
    )
    texts = ((at, lines[at].text) for at in written)
    said = (at for at, text in texts if plain_answer(text) is not None or not is_courtesy(text))
    return next(said, -1), next(others, -1)


def _parts_of_line(
    line: Line, parsed: command_syntax.ParsedLine | None, board: Map, commands: CommandTable
) -> Iterator[command_syntax.ParsedLine | Line]:
    """Split *line* at the names of phases in it.

    A line without any is yielded as *parsed*, if it was a command.
    """
    command = parsed and not isinstance(parsed, command_syntax.UnknownCommand)
    parts = () if command else line_parts(line.text, board, commands)
    for part in parts:
        behind = _common_end(part.written, part.text)
        is_reworded = part.heading and part.text not in part.written
        added = len(part.text) - behind if is_reworded else 0
        written = replace(line.part(part.text), added=added)
        if part.heading and part.alone:
            yield command_syntax.OrdersOfPhase(
                part.heading.code, (written,), line=line.number, text=line.text
            )
            continue
        if part.heading:
            passing = part.heading.in_passing
            name = part.written[: len(part.written) - behind]
            yield command_syntax.NamedPhase(
                part.heading.code, passing, part.heading.second, line=line.number, text=name
            )
        if part.text:
            yield commands.read(written, board, first=False) or written
    if not parts:
        yield parsed or line
    if line.mark and (parts or parsed):
        yield Line(line.number, line.mark)


def _common_end(first: str, second: str) -> int:
    pairs = zip(reversed(first), reversed(second), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _ends_preview(line: Line) -> bool:
    return line.text.strip(" .").upper() in previews.END_PREVIEWS


def _press_block(
    line: Line, to: press_blocks.PressOpening, lines: Sequence[Line], closing: tuple[Line, ...]
) -> press_blocks.Press:
    end = next((i for i, each in enumerate(lines) if opens_signature(each.text)), len(lines))
    return press_blocks.Press(
        to.recipients.names,
        to.recipients.unknown,
        trimmed((replace(line, text=to.text), *lines[:end])),
        closed=bool(closing),
        manner=to.manner,
        beneath=(*lines[end:], *closing),
        line=line.number,
        text=line.text,
    )


def _next_sign_on(lines: Sequence[Line], start: int, board: Map, commands: CommandTable) -> int:
    parsed = (commands.read(line, board, first=False) for line in lines[start:])
    signs_on = (
        i for i, each in enumerate(parsed, start) if isinstance(each, command_syntax.SignOn)
    )
    return next(signs_on, len(lines))


def _orders_together(
    items: Iterator[command_syntax.ParsedLine | Line],
) -> Iterator[command_syntax.ParsedLine]:
    """Group the lines between two commands, or above the end of press without an opening."""
    gathered: list[Line] = []
    for item in items:
        if isinstance(item, Line):
            gathered.append(item)
            continue
        if isinstance(item, press_blocks.UnopenedPress) and not (item.lines or item.opening):
            yield replace(item, lines=tuple(gathered))
            gathered = []
            continue
        yield from command_syntax.order_text(gathered)
        gathered = []
        yield item
    yield from command_syntax.order_text(gathered)


SUBJECT_TEXT_MAX = 300  # characters
REPLY_TAG = re.compile(r"\[#[^\]]*\]")
# What mail programs put before the subject of a reply or a forwarded email.
REPLY_PREFIX = re.compile(
    r"(?:re|aw|antw(?:ort)?|sv|vs|ref|rif|res|odp|ynt|fwd?|fw|wg|tr|i|enc|vb|pd)"
    r"\s*(?:\[\d+\]|\(\d+\))?\s*:",
    re.IGNORECASE,
)
OUR_SUBJECT = re.compile(r"\b[A-Z][A-Z0-9]{1,7}:[a-z]")


def with_subject_as_text(opened: OpenedEmail, board: Map, commands: CommandTable) -> OpenedEmail:
    """Return *opened*, with its subject as its text if it has no other."""
    text, title = opened.text, " ".join(REPLY_TAG.sub(" ", opened.subject).split())
    has_text = any(line.text.strip() for line in text.fresh)
    if has_text or text.quoted or text.returned or text.attachments or text.unread or text.struck:
        return opened
    if (
        not title
        or len(title) > SUBJECT_TEXT_MAX
        or REPLY_PREFIX.match(title)
        or OUR_SUBJECT.search(title)
    ):
        return opened
    line = Line(1, title)
    return (
        replace(opened, text=replace(text, fresh=(line,)))
        if _is_orders_or_command(line, board, commands)
        else opened
    )


def _is_orders_or_command(line: Line, board: Map, commands: CommandTable) -> bool:
    parsed = commands.read(line, board, first=True)
    if parsed is not None:
        return commands.of(parsed).in_subject
    return is_order(line.text, board)


FAILING_MAX = 5  # lines of a text; with more, none of it is read
LEFT_OUT = "\N{HORIZONTAL ELLIPSIS}"  # replaces a failing line

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class FailingLine:
    """A *line* on which our code failed, and where, without any of its text."""

    line: Line
    defect: str


def read_all_others(
    read: Callable[[Sequence[Line]], R], lines: Sequence[Line]
) -> tuple[R, tuple[FailingLine, ...]]:
    """Return the result of *read* for *lines* without those on which it fails, and those.

    It reads once if nothing fails. If *read* fails even without lines, its exception is raised.
    """
    left, failing = list(lines), list[FailingLine]()
    defect = ""
    while len(failing) < FAILING_MAX:
        try:
            return read(left), tuple(failing)
        except Exception as error:  # noqa: BLE001 - `_first_failing` finds the line
            defect = describe_defect(error)
        at = _first_failing(read, left)
        if at is None:
            break
        failing.append(FailingLine(left[at], defect))
        left[at] = replace(left[at], text=LEFT_OUT)
    written = [line for line in lines if line.text.strip()]
    return read(()), tuple(FailingLine(line, defect) for line in written)


def _first_failing(read: Callable[[Sequence[Line]], object], lines: Sequence[Line]) -> int | None:
    """Return the first line that, added to those above, makes *read* fail; None if none does."""
    sound, fails = 0, len(lines)
    while fails - sound > 1:
        middle = (sound + fails) // 2
        try:
            read(lines[:middle])
        except Exception:  # noqa: BLE001 - any failure counts
            fails = middle
        else:
            sound = middle
    return fails - 1 if lines else None
