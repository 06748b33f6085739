"""The MIME parts of an email that its writer typed, as fresh and quoted lines of text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from email.message import Message
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig

from judge.mail.html_body import (
    Form,
    Tree,
    has_more_words,
    have_same_lines,
    is_html_better,
    may_strike,
    remove_struck,
    says_nothing_else,
    visible_tree,
)
from judge.mail.plain_text import clean_text, decode, one_line, unflow
from judge.mail.quotes import lines_in_press, quoted_lines, signature_begins

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TAGS_MAX = 50_000  # Read in half a second; the largest real mails have a tenth of it.
HTML_AS_WRITTEN = ParserConfig(
    css=CSS_PROFILES["strict"]
)  # No space between two runs of one word.


class TooMuchMarkupError(ValueError):
    """Reading the HTML would take seconds."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the decoded body with its *number* there, counted from 1.

    Where *text* was wrapped, *breaks* has the offset of each space that was a line break, and the
    number of the line after it. *mark* is a client mark after it: `Sent from my iPhone`. *added*
    is the number of characters of a heading, in the words of `ADJUSTING`, put before it.
    """

    number: int
    text: str
    breaks: tuple[tuple[int, int], ...] = ()
    mark: str = ""
    added: int = 0

    def number_at(self, offset: int) -> int:
        """Return the number of the line of *offset* in the text."""
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

    *html* means that the HTML was read, and not the plain text next to it. *unread* are the new
    lines of the form that was not read, if it has others; *says_more* is set if it has new words.
    *struck* is the struck-through text.
    """

    fresh: tuple[Line, ...]
    quoted: tuple[str, ...] = ()
    signature: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    html: bool = False
    unread: tuple[str, ...] = ()
    says_more: bool = False


def read_body(message: Message) -> Text:
    """Decode and split the body of *message*; raises `TooMuchMarkupError` for too much HTML.

    Of plain text and HTML the better form is read. Plain text does not show what is struck
    through: if anything is, the HTML is read.
    """
    pieces, shown = pieces_of(message), pieces_of(message, html=True)
    text = _read(pieces) if pieces == shown else _read_better(pieces, shown)
    return replace(text, attachments=attachments_of(message))


def _read_better(pieces: Sequence[Piece], shown: Sequence[Piece]) -> Text:
    """Read the plain *pieces* or those *shown* as HTML, and note what only the other form has."""
    plain = _read(pieces)
    try:
        html = _read(shown)
    except TooMuchMarkupError:
        return replace(plain, says_more=True)
    if html.struck:
        return replace(html, html=True)
    written, seen = _form(plain), _form(html)
    read, other, text = written, seen, plain
    if is_html_better(written, seen):
        read, other, text = seen, written, replace(html, html=True)
    if have_same_lines(read, other) or (text.html and says_nothing_else(written, seen)):
        return text
    return replace(text, unread=tuple(other.lines), says_more=has_more_words(other, read))


def _form(text: Text) -> Form:
    return Form([line.text for line in text.fresh], (*text.quoted, *text.signature))


def _read(pieces: Sequence[Piece]) -> Text:
    if sum(piece.text.count("<") for piece in pieces if piece.html) > TAGS_MAX:
        raise TooMuchMarkupError
    plain = [_plain(piece) for piece in pieces]
    struck = tuple(line for _, lines in plain for line in lines)
    return replace(split("\n".join(text for text, _ in plain)), struck=struck)


def split(text: str) -> Text:
    """Separate the fresh lines of *text* from quotes and signature."""
    lines = [line.rstrip() for line in text.split("\n")]
    old = quoted_lines(lines)
    typed = lines_in_press(lines, old)
    old = [each and not typed[i] for i, each in enumerate(old)]
    new = [Line(i + 1, line) for i, line in enumerate(lines) if not old[i]]
    end = signature_begins([line.text for line in new])
    return Text(
        fresh=trimmed(new[:end]),
        quoted=tuple(line for i, line in enumerate(lines) if old[i]),
        signature=tuple(line.text for line in trimmed(new[end:])),
    )


def digest_of(text: Text) -> str:
    """Return a digest of the new lines that ignores spacing and quotes."""
    lines = (" ".join(line.text.split()) for line in text.fresh)
    return sha256("\n".join(line for line in lines if line).encode()).hexdigest()


def trimmed(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Drop the blank lines at both ends of *lines*."""
    kept = list(lines)
    written = [i for i, line in enumerate(kept) if line.text.strip()]
    return tuple(kept[written[0] : written[-1] + 1]) if written else ()


def _plain(piece: Piece) -> tuple[str, tuple[str, ...]]:
    """Return *piece* as plain text, and the lines of it that are struck through."""
    tree = visible_tree(piece.text, _render) if piece.html else None
    if tree is None:
        return "" if piece.html else piece.text, ()
    struck = remove_struck(tree) if may_strike(piece.text) else ()
    return _render(tree), struck


def _render(tree: Tree) -> str:
    return str(Inscriptis(tree, HTML_AS_WRITTEN).get_text())


READ = ("text/plain", "text/html")
ATTACHMENTS_MAX = 20
NAME_MAX = 80


@dataclass(frozen=True, slots=True)
class Piece:
    """A decoded part, plain or HTML."""

    text: str
    html: bool


def pieces_of(part: Message, *, html: bool = False) -> tuple[Piece, ...]:
    """Return the pieces of *part* to be read, in order; of alternatives, the best one.

    That is the plain one, unless *html* is asked for.
    """
    children = _children(part)
    if part.get_content_type() == "multipart/alternative" and children:
        return _best([pieces_of(child, html=html) for child in children], html=html)
    if children:
        return tuple(piece for child in children for piece in pieces_of(child, html=html))
    return _leaf(part)


def attachments_of(part: Message) -> tuple[str, ...]:
    """Return the names of the first attachments, without pictures that the HTML shows."""
    children = _children(part)
    named = (
        name
        for each in children
        for name in (attachments_of(each) if _children(each) else _attachment(each))
    )
    return tuple(islice(named if children else _attachment(part), ATTACHMENTS_MAX))


def _attachment(part: Message) -> tuple[str, ...]:
    kind = part.get_content_type()
    read = kind in READ and not _attached(part)
    if read or kind.endswith("-signature") or "content-id" in part or _is_container(part):
        return ()
    return (one_line(part.get_filename(failobj=kind), NAME_MAX) or kind,)


def _is_container(part: Message) -> bool:
    return part.get_content_maintype() == "multipart"


def calendar_methods(message: Message) -> tuple[str, ...]:
    """Name the methods of the calendar parts: an answer to an invitation is no order."""
    return tuple(
        str(part.get_param("method", ""))
        for part in message.walk()
        if part.get_content_type() == "text/calendar"
    )


def _children(part: Message) -> list[Message]:
    """Return the parts of a multipart; an attached email is not opened."""
    if part.get_content_maintype() != "multipart" or not part.is_multipart():
        return []
    return [child for child in part.get_payload() if isinstance(child, Message)]


def _best(choices: list[tuple[Piece, ...]], *, html: bool = False) -> tuple[Piece, ...]:
    written = [choice for choice in choices if any(piece.text.strip() for piece in choice)]
    liked = [choice for choice in written if any(piece.html for piece in choice) is html]
    return next(iter(liked or written), ())


def _leaf(part: Message) -> tuple[Piece, ...]:
    kind = part.get_content_type()
    if part.get_content_maintype() == "multipart":
        kind = (
            "text/plain"  # It names a boundary that it does not have: what is there is the text.
        )
    if kind not in READ or _attached(part):
        return ()
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    text = decode(raw, part.get_content_charset())
    if kind == "text/plain" and _parameter(part, "format") == "flowed":
        # Before it is cleaned: only a plain space at its end says that a line goes on.
        text = unflow(text, delete_space=_parameter(part, "delsp") == "yes")
    return (Piece(clean_text(text), html=kind == "text/html"),)


def _attached(part: Message) -> bool:
    file_name = part.get_param("filename", "", "content-disposition")
    return part.get_content_disposition() == "attachment" or bool(file_name)


def _parameter(part: Message, name: str) -> str:
    return str(part.get_param(name, "")).lower()
