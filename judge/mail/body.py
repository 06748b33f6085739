"""The MIME parts of an email that its writer typed, as fresh and quoted lines of text.

Mail programs send both forms of one text. Plain text is wrapped at a column, loses tables and
parts of the text, or only refers to the HTML; HTML made of a plain text may lose its lines. The
forms are compared by their words, and where these agree, by their line ends. The time is linear
in the length of both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from email.message import Message
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig
from lxml import etree, html

from judge.mail.headers import clean_text, decode, one_line, unflow
from judge.mail.quotes import lines_in_press, quoted_lines, signature_begins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

UNSEEN = ("script", "style", "head", "template", "noscript", "object", "svg", "title")
HIDDEN = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|(font-size|opacity|max-height):0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
# How mailers wrap the mail that is answered: Gmail, Yahoo, Thunderbird, Proton, Zoho, Outlook.
QUOTE_CLASSES = frozenset(
    (
        "gmail_quote",
        "gmail_attr",
        "yahoo_quoted",
        "moz-cite-prefix",
        "moz-forward-container",
        "protonmail_quote",
        "zmail_extra",
        "OutlookMessageHeader",
        "gmail_quote_attribution",
    )
)
# How Gmail and Apple Mail indent new text; their quotes have a class, a type or a line.
INDENTED = re.compile(r"border(-left)?:(none|0)", re.IGNORECASE)
# How they wrap a signature; what stands below one is read on, in HTML.
SIGNATURE_CLASSES = frozenset(
    ("gmail_signature", "moz-signature", "protonmail_signature_block", "k9mail-signature")
)
SIGNATURE_IDS = frozenset(
    ("Signature", "ms-outlook-mobile-signature", "composer_signature", "ymail_android_signature")
)
SIGNATURE_NAMES = frozenset(("messageSignatureSection",))
QUOTE_IDS = frozenset(("mail-editor-reference-message-container", "OLK_SRC_BODY_SECTION"))
STRUCK = ("s", "del", "strike")
STRUCK_STYLE = re.compile(r"text-decoration(-line)?:[^;]*line-through", re.IGNORECASE)
MAY_STRIKE = re.compile(r"<(s|del|strike)[\s>]|line-through", re.IGNORECASE)
LISTS = {"ul": "div", "ol": "div", "li": "p"}  # The bullet of a list is no part of an order.

Tree: TypeAlias = html.HtmlElement


def visible_tree(source: str, render: Callable[[Tree], str]) -> Tree | None:
    """Parse *source* and keep what is to be read; None if there is nothing.

    A quoted part becomes its text by *render*, each line marked with `>`: so one grammar splits
    plain text and HTML, and text between two quotes stays.
    """
    try:
        parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
        tree: Tree = html.document_fromstring(source.encode(), parser)
    except etree.ParserError:
        return None
    for element in list(tree.iter()):
        if element is not tree and _unseen(element):
            element.drop_tree()
    for element in list(tree.iter(*LISTS)):
        element.tag = LISTS[element.tag]
    for element in _outermost(tree, _quotes):
        _mark(element, render)
    return tree


def may_strike(source: str) -> bool:
    """Return whether anything in *source* may be struck through."""
    return MAY_STRIKE.search(source) is not None


def remove_struck(tree: Tree) -> tuple[str, ...]:
    """Remove the struck-through parts of *tree*, and return their lines."""
    lines = []
    for element in reversed(_outermost(tree, _struck)):
        lines += [" ".join(text.split()) for text in element.itertext()]
        element.drop_tree()
    return tuple(line for line in lines if line)


def _struck(element: Tree) -> bool:
    style = element.get("style", "").replace(" ", "")
    return element.tag in STRUCK or bool(STRUCK_STYLE.search(style))


def _unseen(element: Tree) -> bool:
    style = element.get("style", "").replace(" ", "")
    return element.tag in UNSEEN or "hidden" in element.attrib or bool(HIDDEN.search(style))


def _outermost(tree: Tree, is_sought: Callable[[Tree], bool]) -> list[Tree]:
    """Return the outermost of the elements sought, in one walk."""
    found: list[Tree] = []
    waiting = [tree]
    while waiting:
        element = waiting.pop()
        if is_sought(element):
            found.append(element)
        else:
            waiting.extend(element)
    return found


def _quotes(element: Tree) -> bool:
    """Return whether *element* is a quote; Gmail's may have answers around a blockquote."""
    if element.tag in ("blockquote", "signature"):
        return not _is_indented(element)
    if element.get("id") in QUOTE_IDS | SIGNATURE_IDS or element.get("name") in SIGNATURE_NAMES:
        return True
    classes = QUOTE_CLASSES | SIGNATURE_CLASSES
    classes = classes.intersection(element.get("class", "").split())
    looked_into = "gmail_quote" in classes and element.find("blockquote") is not None
    return bool(classes) and not looked_into


def _is_indented(element: Tree) -> bool:
    """Return whether a blockquote only indents new text."""
    style = element.get("style", "").replace(" ", "")
    return not {"class", "type", "cite"} & set(element.keys()) and bool(INDENTED.search(style))


def _mark(element: Tree, render: Callable[[Tree], str]) -> None:
    """Replace *element* by its text, as quoted lines; the text after it stays."""
    tail, element.tail = element.tail, None
    text = render(element).strip("\n")
    element.clear()
    element.tag, element.tail = "pre", tail
    element.text = "\n".join(f"> {line}" for line in text.split("\n"))


WRAPPED_MIN = 60  # characters; no mail program wraps text in fewer columns
BOILERPLATE_WORDS_MAX = 80
BOILERPLATE = re.compile(r"\b(html|mime|browser|text-only)\b", re.IGNORECASE)
# What only one form has: targets of links, names of pictures, the number or dot of a list's item.
LINK = re.compile(r"[<(\[]?\b(?:https?://|mailto:|tel:)\S{1,2000}", re.IGNORECASE)
PICTURE = re.compile(r"\[(?:image|cid)\b[^\]\n]{0,200}\]", re.IGNORECASE)
BULLET = re.compile(r"\A\s*(?:\d{1,2}[.)]|[-*+•·o§])\s+")
WORD = re.compile(r"[^\W_]+")
GAP = re.compile(r"\s{2,}|\t")  # between the cells of a table
LOST = re.compile(r"[^\x00-\x7f]+|\?+")  # what a wrong character set makes of letters
REPLACED = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Form:
    """One form of an email: its new *lines*, and its *old* ones (quotes and signature)."""

    lines: Sequence[str]
    old: Sequence[str] = ()


def is_html_better(plain: Form, html: Form) -> bool:
    """Return whether *html* is to be read: it has lines or words that *plain* has lost."""
    written, shown = _count(plain.lines), _count(html.lines)
    if _is_boilerplate(plain, html):
        return True
    if _differ_by_charset(plain, html):
        return _damage(html) < _damage(plain)
    if _text(plain.lines) == _text(html.lines):
        return _keeps_lines(plain.lines, html.lines)
    only_written, only_shown = written - shown, shown - written
    if not only_written:
        return bool(only_shown) and not _is_from(only_shown, plain.old)
    return _is_from(only_written, html.old) and not _is_from(only_shown, plain.old)


def says_nothing_else(plain: Form, html: Form) -> bool:
    """Return whether *plain*, which is not read, is only wrapped, or only refers to *html*."""
    return _text(plain.lines) == _text(html.lines) or _is_boilerplate(plain, html)


def has_more_words(unread: Form, read: Form) -> bool:
    """Return whether *unread* has new words that *read* has nowhere."""
    if _text(unread.lines) == _text(read.lines):
        return False
    return bool(_count(unread.lines) - _count(read.lines) - _count(read.old))


def have_same_lines(one: Form, other: Form) -> bool:
    """Return whether both say the same in the same lines, but for spaces and marks of lists."""
    return _text_lines(one.lines) == _text_lines(other.lines)


def _is_boilerplate(plain: Form, html: Form) -> bool:
    """Return whether the text is `Your mail program cannot show HTML` in place of *html*."""
    words = _count(plain.lines)
    if not words or words.total() > BOILERPLATE_WORDS_MAX:
        return False
    names_html = any(BOILERPLATE.search(line) for line in plain.lines)
    shown = _count(html.lines)
    return names_html and (shown - words).total() * 2 > shown.total()


def _text_lines(lines: Sequence[str]) -> list[str]:
    said = (" ".join(_without_marks(line).split()) for line in lines)
    return [line for line in said if line]


def _without_marks(line: str) -> str:
    """Return *line* without what only one form of an email has."""
    return BULLET.sub("", PICTURE.sub(" ", LINK.sub(" ", line)), count=1)


def _words(line: str) -> list[str]:
    return WORD.findall(_without_marks(line).casefold())


def _text(lines: Sequence[str]) -> str:
    """Return the letters and digits of *lines*, without any space."""
    return "".join(word for line in lines for word in _words(line))


def _count(lines: Sequence[str]) -> Counter[str]:
    return Counter(word for line in lines for word in _words(line))


def _is_from(words: Counter[str], old: Sequence[str]) -> bool:
    """Return whether most of *words* are in *old*: one form shows that they are no new text."""
    return bool(words) and (words & _count(old)).total() * 2 >= words.total()


def _differ_by_charset(plain: Form, html: Form) -> bool:
    one, other = _signs(plain.lines), _signs(html.lines)
    return one != other and LOST.sub("?", one) == LOST.sub("?", other)


def _signs(lines: Sequence[str]) -> str:
    return "".join("".join(_without_marks(line).split()) for line in lines)


def _damage(form: Form) -> tuple[int, int, int]:
    """Count the damage of a wrong character set: replacements, `?`, letters for one letter."""
    signs = _signs(form.lines)
    return signs.count(REPLACED), signs.count("?"), len(signs)


def _keeps_lines(plain: Sequence[str], html: Sequence[str]) -> bool:
    """Return whether *html*, of the same words, has lines that *plain* wraps or runs together.

    Where it has run lines together itself, *plain* is better.
    """
    ends, html_ends = _line_ends(plain), _line_ends(html)
    lost_by_html = {at: end for at, end in ends.items() if at not in html_ends}
    lost_by_plain = {at: end for at, end in html_ends.items() if at not in ends}
    rows = _gaps(html)
    if not all(at in rows for at in lost_by_html) and not _are_wrapped(lost_by_html):
        return False
    return bool(lost_by_html) or not _are_wrapped(lost_by_plain)


@dataclass(frozen=True, slots=True)
class _LineEnd:
    """The end of a line: its *length*, and that of the *next* word, None in the next paragraph."""

    length: int
    next: int | None


def _line_ends(lines: Sequence[str]) -> dict[int, _LineEnd]:
    """Return for each end of a line, but the last, the number of letters and digits above it."""
    ends: dict[int, _LineEnd] = {}
    above, length, blank = 0, 0, False
    for line in lines:
        words = _words(line)
        if not words:
            blank = True
            continue
        ends[above] = _LineEnd(length, None if blank else len(line.split(maxsplit=1)[0]))
        above += sum(map(len, words))
        length, blank = len(line.rstrip()), False
    ends.pop(0, None)
    return ends


def _gaps(lines: Sequence[str]) -> set[int]:
    """Return for each gap between table cells the number of letters and digits above it."""
    gaps: set[int] = set()
    above = 0
    for line in lines:
        for cell in GAP.split(_without_marks(line)):
            above += sum(map(len, _words(cell)))
            gaps.add(above)
    return gaps


def _are_wrapped(ends: dict[int, _LineEnd]) -> bool:
    """Return whether all *ends* are where a program breaks lines: no other word had room there."""
    if any(end.next is None for end in ends.values()):
        return False
    longest = max((end.length for end in ends.values()), default=0)
    room = min((end.length + (end.next or 0) for end in ends.values()), default=WRAPPED_MIN)
    return room >= max(longest, WRAPPED_MIN)


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
