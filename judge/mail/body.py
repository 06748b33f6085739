"""What a mail says, line by line, apart from what its writer only quoted or always signs with."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig

from judge.mail.markup import Tree, may_strike, prepare, strike
from judge.mail.parts import Piece, attachments_of, pieces_of, unread_html
from judge.mail.press_ends import in_press, signature_begins
from judge.mail.quotes import quoted_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from email.message import Message

WORD = re.compile(r"\w+")
TAGS_MAX = 50_000  # Read in half a second; the largest real mails have a tenth of it.
HTML_AS_WRITTEN = ParserConfig(
    css=CSS_PROFILES["strict"]
)  # No space between two runs of one word.


class TooMuchMarkupError(ValueError):
    """Reading the HTML would take seconds."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the decoded body and where it stands there, counted from 1.

    Where *text* was wrapped, *breaks* has the offset of each space that was a line break, and the
    number of the line behind it.
    """

    number: int
    text: str
    breaks: tuple[tuple[int, int], ...] = ()

    def number_at(self, offset: int) -> int:
        """Return the number of the line in which *offset* of the text stood."""
        return max((number for at, number in self.breaks if at < offset), default=self.number)

    def part(self, text: str) -> Line:
        """Return the line of which only *text*, a part of this one, is left."""
        start = self.text.find(text)
        end = start + len(text)
        breaks = tuple((at - start, number) for at, number in self.breaks if start < at < end)
        return Line(self.number_at(start), text, breaks if start >= 0 else ())

    def joined(self, below: Line) -> Line:
        """Return this line with the one *below* it, which it was parted from by a break."""
        text = self.text.rstrip()
        broken = (*self.breaks, (len(text), below.number))
        return Line(self.number, f"{text} {below.text.lstrip()}", broken)


@dataclass(frozen=True, slots=True)
class Text:
    """A body, split: only *fresh* lines are read; the blank ones between them are kept.

    *html_says_more* if there is an HTML part too, with words that the plain one does not have.
    *struck* is what its writer struck through.
    """

    fresh: tuple[Line, ...]
    quoted: tuple[str, ...] = ()
    signature: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    html_says_more: bool = False
    struck: tuple[str, ...] = ()


def read_body(message: Message) -> Text:
    """Decode and split the body of *message*; raises `TooMuchMarkupError` for too much HTML.

    The plain part does not tell what is struck through: if anything may be, the HTML is read.
    """
    html = unread_html(message)
    strikes = any(may_strike(piece.text) for piece in html)
    text = _read(pieces_of(message))
    if strikes and (shown := _read(pieces_of(message, html=True))).struck:
        text, html = shown, ()
    return replace(
        text,
        attachments=attachments_of(message),
        html_says_more=bool(html) and not _words(_read(html)) <= _words(text),
    )


def _read(pieces: Sequence[Piece]) -> Text:
    if sum(piece.text.count("<") for piece in pieces if piece.html) > TAGS_MAX:
        raise TooMuchMarkupError
    plain = [_plain(piece) for piece in pieces]
    struck = tuple(line for _, lines in plain for line in lines)
    return replace(split("\n".join(text for text, _ in plain)), struck=struck)


def _words(text: Text) -> set[str]:
    """Return what is new in *text*, word by word, without what only one form of it marks."""
    written = (line.text.casefold() for line in text.fresh if "://" not in line.text)
    return {word for line in written for word in WORD.findall(line)}


def split(text: str) -> Text:
    """Tell the fresh lines of *text* from quotes and signature."""
    lines = [line.rstrip() for line in text.split("\n")]
    old = quoted_lines(lines)
    typed = in_press(lines, old)
    old = [each and not typed[i] for i, each in enumerate(old)]
    new = [Line(i + 1, line) for i, line in enumerate(lines) if not old[i]]
    end = signature_begins([line.text for line in new])
    return Text(
        fresh=trimmed(new[:end]),
        quoted=tuple(line for i, line in enumerate(lines) if old[i]),
        signature=tuple(line.text for line in trimmed(new[end:])),
    )


def digest_of(text: Text) -> str:
    """Return the same for the same new lines, whatever stands around and between their words."""
    lines = (" ".join(line.text.split()) for line in text.fresh)
    return sha256("\n".join(line for line in lines if line).encode()).hexdigest()


def trimmed(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Drop the blank lines at both ends of *lines*."""
    kept = list(lines)
    written = [i for i, line in enumerate(kept) if line.text.strip()]
    return tuple(kept[written[0] : written[-1] + 1]) if written else ()


def _plain(piece: Piece) -> tuple[str, tuple[str, ...]]:
    """Return *piece* as plain text, and the lines of it that are struck through."""
    tree = prepare(piece.text, _render) if piece.html else None
    if tree is None:
        return "" if piece.html else piece.text, ()
    struck = strike(tree) if may_strike(piece.text) else ()
    return _render(tree), struck


def _render(tree: Tree) -> str:
    return str(Inscriptis(tree, HTML_AS_WRITTEN).get_text())
