"""The parts of a mail that its writer typed: inline text, plain if there is any, no attachment."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import Message
from itertools import islice

from judge.mail.charsets import decode
from judge.mail.cleaning import clean_text, one_line
from judge.mail.flowed import unflow

READ = ("text/plain", "text/html")
ATTACHMENTS_MAX = 20
NAME_MAX = 80


@dataclass(frozen=True, slots=True)
class Piece:
    """A decoded part, plain or HTML."""

    text: str
    html: bool


def pieces_of(part: Message, *, html: bool = False) -> tuple[Piece, ...]:
    """Return what is to be read of *part*, in its order; of alternatives, the best one.

    That is the plain one, unless *html* is asked for.
    """
    children = _children(part)
    if part.get_content_type() == "multipart/alternative" and children:
        return _best([pieces_of(child, html=html) for child in children], html=html)
    if children:
        return tuple(piece for child in children for piece in pieces_of(child, html=html))
    return _leaf(part)


def attachments_of(part: Message) -> tuple[str, ...]:
    """Name what is attached and not opened, the first of many; no picture that HTML shows."""
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
    """Return the parts of a multipart; a mail that is attached whole is not opened."""
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
