"""Read the MIME parts of an email that its sender typed, as fresh and quoted lines of text."""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from email.message import Message
from functools import cache
from hashlib import sha256
from itertools import chain, islice

from judge.mail.alternatives import (
    WRAPPED_MIN,
    Form,
    has_more_words,
    have_same_lines,
    is_html_better,
    is_same_text,
)
from judge.mail.comparison import compare
from judge.mail.headers import LOOP_HEADER, clean_text, decode, one_line, unflow
from judge.mail.html_text import Tree, text_of
from judge.mail.quotes import (
    lines_in_press,
    marked_lines,
    quoted_lines,
    unmarked,
    with_headings,
    without_quote_marks,
)
from judge.mail.sent_text import SENTENCE, SentEmail, is_sent
from judge.mail.signatures import signature_begins
from judge.mail.visible_html import (
    TooMuchMarkupError,
    mark_quotes,
    pictures_in,
    remove_struck,
    remove_unseen,
    visible_tree,
)

FEW = 5  # sent emails that are compared whatever they say


TAGS_MAX = 50_000  # Read in half a second; the largest real emails have a tenth of it.


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the decoded body; its *number* counts from 1.

    *mark* is a client mark after the text, such as `Sent from my iPhone`. *added* counts the
    characters of a heading (in the words of `ADJUSTING`) put before it, *begun* those of the line
    that are left out before it.
    """

    number: int
    text: str
    mark: str = ""
    added: int = 0
    begun: int = 0

    def part(self, text: str) -> Line:
        """Return this line reduced to *text*, a part of it."""
        start = self.text.find(text)
        return Line(self.number, text, begun=self.begun + start if start >= 0 else 0)


@dataclass(frozen=True, slots=True)
class Text:
    """A body, split: only *fresh* lines are read, with the blank lines between them.

    *returned* are lines that the judge sent to the writer, *quoted* those of others. *html* is set
    if the HTML was read instead of the plain text. *unread* has the new lines of the form that was
    not read, if they differ; *says_more* is set if they have new words. *struck* is the
    struck-through text. *forms* is the whole plain text, and the HTML as text if it was read too.
    *pictures* are those in new HTML, by name and description.
    """

    fresh: tuple[Line, ...]
    quoted: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    signature: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    html: bool = False
    unread: tuple[str, ...] = ()
    says_more: bool = False
    forms: tuple[str, ...] = ()
    pictures: tuple[tuple[str, str], ...] = ()


def read_body(message: Message) -> Text:
    """Decode and split the body of *message*; raises `TooMuchMarkupError` for too much HTML.

    The better of plain text and HTML is read. Plain text does not show strike-through: if there is
    any, the HTML is read.
    """
    decoded = cache(_decoded)
    pieces = shown = pieces_of(message, decoded=decoded)
    if message.is_multipart():
        shown = pieces_of(message, html=True, decoded=decoded)
    text = _read(pieces) if pieces == shown else _read_better(pieces, shown)
    pictures = text.pictures and _named(text.pictures, message)
    attachments = (*text.attachments, *attachments_of(message))
    return replace(text, attachments=attachments, pictures=pictures)


def compared(text: Text, sent: Sequence[SentEmail], subject: str = "") -> Text:
    """Return *text* below *subject* split again by what was *sent* to its writer.

    Preparing thirty emails takes long, and most forwards hold one: many are compared only if their
    subject is shown, or if they have a sentence that those do not explain.
    """
    if not text.forms:
        return text
    likely = sent
    if len(sent) > FEW:
        shown = " ".join(" ".join((subject, *text.forms)).split())
        likely = [each for each in sent if each.title in shown]
    for each in likely:
        if as_marked := _as_marked(text, each):
            return as_marked
    found = _compared(text, likely)
    if len(likely) == len(sent):
        return found
    left = [line.text for line in found.fresh] + [*found.quoted]
    sentences = {" ".join(seen[0].split()) for line in left if (seen := SENTENCE.search(line))}
    more = [each for each in sent if each in likely or any(map(each.has_sentence, sentences))]
    if not found.returned:
        more = [*sent]
    return found if len(more) == len(likely) else _compared(text, more)


def _compared(text: Text, sent: Sequence[SentEmail]) -> Text:
    if not sent:
        return text
    plain, *html = (split(form, sent) for form in text.forms)
    if not any(each.returned for each in (plain, *html)):
        return text
    again = _better(plain, replace(html[0], struck=text.struck)) if html else plain
    return replace(
        again,
        struck=text.struck,
        attachments=text.attachments,
        pictures=tuple(each for each in text.pictures if not is_sent(each[1], sent)),
        html=again.html or (text.html and not html),
        says_more=again.says_more or (text.says_more and not html),
    )


def _as_marked(text: Text, sent: SentEmail) -> Text | None:
    """Return *text* with what it returns of *sent*, if its marks tell all; None if words must."""
    if len(text.forms) > 1 or text.pictures:
        return None
    if any("@" in line.text or sent.names_us(line.text) for line in text.fresh):
        return None  # It may head the quote.
    lines = [line.rstrip() for line in text.forms[0].split("\n") if line.strip()]
    quoted = [line for line in text.quoted if line.strip()]
    if not quoted:
        return None
    end = lines.index(quoted[0]) + len(quoted)
    is_below = end < len(lines)
    if lines[end - len(quoted) : end] != quoted or (is_below and text.signature):
        return None  # A signature ends at a quote.
    first = sent.explains(text.quoted, to_end=is_below)
    if first is None:
        return None
    return replace(text, quoted=text.quoted[:first], returned=text.quoted[first:])


def _read_better(pieces: Sequence[Piece], shown: Sequence[Piece]) -> Text:
    plain = _read(pieces)
    try:
        unquoted = _read(shown, render_quote=_leave_out)
        if not unquoted.struck and have_same_lines(_form(plain), _form(unquoted)):
            # as below, but without the work of reading the quoted HTML
            return replace(plain, pictures=unquoted.pictures)
        html = _read(shown)
    except TooMuchMarkupError:
        return replace(plain, says_more=True, attachments=("text/html",))
    return replace(_better(plain, html), pictures=html.pictures)


def _better(plain: Text, html: Text) -> Text:
    """Return the form to read, with what only the other one has."""
    forms = (*plain.forms, *html.forms)
    if html.struck:
        return replace(html, html=True, forms=forms)
    written, seen = _form(plain), _form(html)
    read, other, text = written, seen, replace(plain, forms=forms)
    if is_html_better(written, seen):
        read, other, text = seen, written, replace(html, html=True, forms=forms)
    if have_same_lines(read, other) or (text.html and is_same_text(written, seen)):
        return text
    return replace(text, unread=tuple(other.lines), says_more=has_more_words(other, read))


def _form(text: Text) -> Form:
    old = (*text.quoted, *text.returned, *text.signature)
    return Form([line.text for line in text.fresh], old)


def _leave_out(_quote: Tree) -> str:
    return "\N{HORIZONTAL ELLIPSIS}"


def _read(pieces: Sequence[Piece], render_quote: Callable[[Tree], str] = text_of) -> Text:
    if sum(piece.text.count("<") for piece in pieces if piece.html) > TAGS_MAX:
        raise TooMuchMarkupError
    plain = [_plain(piece, render_quote) for piece in pieces]
    struck = tuple(line for _, lines, _ in plain for line in lines)
    pictures = tuple(each for _, _, shown in plain for each in shown)
    text = split("\n".join(text for text, _, _ in plain))
    return replace(text, struck=struck, pictures=pictures)


def split(text: str, sent: Sequence[SentEmail] = ()) -> Text:
    """Separate the fresh lines of *text* from quotes, by what was *sent*, and signature."""
    lines = [line.rstrip() for line in text.split("\n")]
    marked = marked_lines(lines)
    found = None
    if sent:
        found = with_headings(lines, marked, compare(*unmarked(lines, marked), sent))
    old = quoted_lines(lines, marked, found)
    typed = lines_in_press(lines, old)
    old = [each and not typed[i] for i, each in enumerate(old)]
    ours = [each and one.anchored for each, one in zip(old, found or (), strict=False)]
    ours = ours or [False] * len(lines)
    new = [
        Line(i + 1, without_quote_marks(line) if found and found[i].within else line)
        for i, line in enumerate(lines)
        if not old[i]
    ]
    headed = [each or (found is not None and found[i].heading) for i, each in enumerate(ours)]
    fresh, signature = _without_signatures(new, headed)
    return Text(
        fresh=fresh,
        quoted=tuple(line for i, line in enumerate(lines) if old[i] and not ours[i]),
        returned=tuple(line for i, line in enumerate(lines) if ours[i]),
        signature=tuple(line.text for line in signature),
        forms=(text,),
    )


def _without_signatures(
    new: Sequence[Line], ours: Sequence[bool]
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Split *new* lines from signatures; one ends where an email of ours begins."""
    kept: list[Line] = []
    signature: list[Line] = []
    rest = list(new)
    while rest:
        end = signature_begins([line.text for line in rest])
        kept += rest[:end]
        below = rest[end:]
        quote = ours.index(True, below[0].number) if below and any(ours[below[0].number :]) else 0
        again = [line for line in below if quote and line.number > quote]
        signature += below[: len(below) - len(again)]
        rest = again
    return trimmed(kept), trimmed(signature)


def digest_of(text: Text) -> str:
    """Return a digest of the new lines that ignores spacing and quotes."""
    lines = (" ".join(line.text.split()) for line in text.fresh)
    return sha256("\n".join(line for line in lines if line).encode()).hexdigest()


def trimmed(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Drop the blank lines at both ends of *lines*."""
    kept = list(lines)
    written = [i for i, line in enumerate(kept) if line.text.strip()]
    return tuple(kept[written[0] : written[-1] + 1]) if written else ()


def _plain(
    piece: Piece, render_quote: Callable[[Tree], str]
) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    if not piece.html:
        return piece.text, (), ()
    try:
        tree = visible_tree(piece.text)
        if tree is None:
            return "", (), ()
        mark_quotes(tree, render_quote)
        unseen = (*remove_struck(tree), *remove_unseen(tree))
        return text_of(tree), unseen, pictures_in(tree)
    except RecursionError as error:  # No mail program nests tags as deep.
        raise TooMuchMarkupError from error


READ = ("text/plain", "text/html")
CHARSET = re.compile(r"charset=\"?([\w-]{1,40})", re.IGNORECASE)
ATTACHMENTS_MAX = 20
NAME_MAX = 80


@dataclass(frozen=True, slots=True)
class Piece:
    """A decoded part, plain or HTML."""

    text: str
    html: bool


def _decoded(part: Message) -> tuple[Piece, ...]:
    """Return the piece to read in *part*, which has no parts of its own."""
    kind = _kind(part)
    if kind.startswith("multipart/"):
        kind = "text/plain"  # A boundary that never appears: the content is plain text.
    if kind not in READ or _attached(part):
        return ()
    content, _ = _blocks_of_base64(part)
    payload = content or part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    charset = part.get_content_charset() or CHARSET.search(str(part.get("content-type", "")))
    text = decode(raw, charset if isinstance(charset, str) else charset and charset[1])
    if kind == "text/plain" and _parameter(part, "format") == "flowed":
        # Before cleaning: only a plain space at the end means that a line continues
        # (format=flowed).
        text = unflow(text, delete_space=_parameter(part, "delsp") == "yes")
    return (Piece(clean_text(text), html=kind == "text/html"),)


BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
QUAD = 4  # letters of base64 that are decoded together


def _blocks_of_base64(part: Message) -> tuple[bytes, str]:
    """Return the content of *part* if it is in base64, and the text below that is not.

    Servers put a footer below the text, as a second block or as it is; Python's versions differ in
    what they make of that. A block without padding ends with a line as no program wraps it.
    """
    if str(part.get("content-transfer-encoding", "")).strip().lower() != "base64":
        return b"", ""
    lines = [line.strip() for line in str(part.get_payload()).splitlines()]
    end = next((n for n, line in enumerate(lines) if not BASE64.fullmatch(line)), len(lines))
    width = max(map(len, lines[:end]), default=0)
    blocks = [""]
    for line in lines[:end]:
        blocks[-1] += (letters := line.rstrip("="))
        wrapped = not len(line) % QUAD or len(line) == width >= WRAPPED_MIN
        if letters != line or not wrapped:
            blocks.append("")
    content = _of_base64(blocks[0])
    rest = []
    for block in blocks[1:] if content else ():
        text = _of_base64(block)
        content += text if _is_text(text) else b""
        rest += [] if _is_text(text) else [block]
    return content, " ".join(line for line in (*rest, *lines[end:]) if line and content)


def _of_base64(letters: str) -> bytes:
    try:
        return a2b_base64(letters + "=" * (-len(letters) % QUAD))
    except ValueError:
        return b""


def _is_text(raw: bytes) -> bool:
    try:
        return bool(raw) and "".join(raw.decode().split()).isprintable()
    except UnicodeError:
        return False


def pieces_of(
    part: Message,
    *,
    html: bool = False,
    decoded: Callable[[Message], tuple[Piece, ...]] = _decoded,
) -> tuple[Piece, ...]:
    """Return the pieces of *part* to read, in order.

    Of alternatives that is the plain one, unless *html* is set.
    """
    children = _children(part)
    if not children:
        return decoded(part)
    pieces = [pieces_of(child, html=html, decoded=decoded) for child in children]
    if part.get_content_type() == "multipart/alternative":
        written = [choice for choice in pieces if any(piece.text.strip() for piece in choice)]
        liked = [choice for choice in written if any(piece.html for piece in choice) is html]
        return next(iter(liked or written), ())
    return tuple(chain.from_iterable(pieces))


def _named(pictures: Sequence[tuple[str, str]], message: Message) -> tuple[tuple[str, str], ...]:
    """Return *pictures* by the names of their files, or by what describes them."""
    files = {
        f"cid:{str(part['content-id']).strip(' <>')}": part.get_filename(failobj="")
        for part in message.walk()
        if "content-id" in part
    }
    return tuple(
        (one_line(files.get(source) or alt, NAME_MAX) or "image", alt)
        for source, alt in pictures[:ATTACHMENTS_MAX]
    )


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
    kind = _kind(part)
    read = kind in READ and not _attached(part)
    is_container = part.get_content_maintype() == "multipart"
    shown = "content-id" in part or is_container or _is_email_of_ours(part)
    if read and (below := _blocks_of_base64(part)[1]):
        return (one_line(f'"{below}"', NAME_MAX),)
    if read or kind.endswith("-signature") or shown:
        return ()
    return (one_line(part.get_filename(failobj=kind), NAME_MAX) or kind,)


def _is_email_of_ours(part: Message) -> bool:
    inner = part.get_payload() if part.get_content_maintype() == "message" else ()
    return isinstance(inner, list) and any(LOOP_HEADER in each for each in inner)


def _kind(part: Message) -> str:
    """Return the content type; some programs forget the semicolon after it."""
    return part.get_content_type().split(" ", 1)[0]


def calendar_methods(message: Message) -> tuple[str, ...]:
    """Return the methods of the calendar parts: a reply to an invitation is not an order."""
    return tuple(
        str(part.get_param("method", ""))
        for part in message.walk()
        if part.get_content_type() == "text/calendar"
    )


def _children(part: Message) -> list[Message]:
    if not part.is_multipart() or part.get_content_maintype() != "multipart":
        return []
    return [child for child in part.get_payload() if isinstance(child, Message)]


def _attached(part: Message) -> bool:
    if "content-disposition" not in part:
        return False
    file_name = part.get_param("filename", "", "content-disposition")
    return part.get_content_disposition() == "attachment" or bool(file_name)


def _parameter(part: Message, name: str) -> str:
    return str(part.get_param(name, "")).lower()
