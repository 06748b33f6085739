"""Handwritten emails with their accepted readings: `handwritten/*.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import EmailRead, Ignored, Ordered, read_email
from judge.app.commands.situation import Situation
from judge.app.commands.table import COMMANDS
from judge.archive.position_json import read_position
from judge.mail.body import Text, split
from judge.mail.envelope import OpenedEmail, open_mail
from judge.mail.reader.email_text import with_subject_as_text
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Unclear
from judge.rules.rulebook import DATC

FOLDER = Path(__file__).parent / "handwritten"
LANGUAGES = ("english", "german", "french", "raw")
BOARD = load_map()
POSITIONS = {
    name: read_position(BOARD, source, DATC)
    for name, source in tomllib.loads((FOLDER / "positions.toml").read_text()).items()
}
HIDDEN = ("press", "heading", "command", "greeting or signature", "quoted", "signature")
"""Why text is ignored that the receipt needs not repeat: these say enough, or it counts them."""


@dataclass(frozen=True)
class Outcome:
    """One accepted reading: the valid orders, and what the receipt must mention."""

    orders: frozenset[str]
    asked: tuple[str, ...]
    shown: tuple[str, ...]


@dataclass(frozen=True)
class Handwritten:
    """An email, its sender's situation, and its equally good readings."""

    name: str
    situation: Situation
    text: Text
    subject: str
    body: str
    outcomes: tuple[Outcome, ...]
    may_ask: tuple[str, ...]

    def read(self) -> EmailRead:
        """Read the email as the daemon and `judge orders read` do."""
        return read_email(self.situation, self.text, self.subject)


def handwritten() -> Iterator[Handwritten]:
    for language in LANGUAGES:
        for source in tomllib.loads((FOLDER / f"{language}.toml").read_text())["email"]:
            yield _email(source)


def complaints(email: Handwritten, outcome: Outcome) -> list[str]:
    """Return the differences between the reading of *email* and *outcome*."""
    found = email.read()
    orders = frozenset(map(write_order, found.orders))
    asked = [
        _plain(each.text) for each in found.pieces if isinstance(each, NotUnderstood | Unclear)
    ]
    shown = asked + [
        _plain(each.text)
        for each in found.pieces
        if isinstance(each, Ignored) and each.why not in HIDDEN
    ]
    expected = (*outcome.asked, *outcome.shown, *email.may_ask)
    return [
        *(f"lost: {each}" for each in sorted(outcome.orders - orders)),
        *(f"not meant: {each}" for each in sorted(orders - outcome.orders)),
        *(f"not asked about: {each}" for each in outcome.asked if not _is_in(each, asked)),
        *(f"not shown: {each}" for each in outcome.shown if not _is_in(each, shown)),
        *(f"asked about, though plain: {each}" for each in asked if not _covers(each, expected)),
    ]


def described(email: Handwritten) -> str:
    """Return how the judge read *email*, to explain a failure."""
    return "\n".join(_told(piece) for piece in email.read().pieces)


def _told(piece: Ordered | NotUnderstood | Unclear | Ignored) -> str:
    match piece:
        case Ordered(text=text, order=order):
            return f"order {write_order(order)}: {text!r}"
        case NotUnderstood(text=text, why=why):
            return f"not understood ({why.value}): {text!r}"
        case Unclear(text=text, orders=orders):
            return f"asked ({', '.join(map(write_order, orders))}): {text!r}"
        case Ignored(text=text, why=why):
            return f"ignored ({why}): {text!r}"


def _is_in(fragment: str, pieces: Sequence[str]) -> bool:
    return any(_plain(fragment) in piece for piece in pieces)


def _covers(piece: str, fragments: Sequence[str]) -> bool:
    return any(_plain(each) in piece or piece in _plain(each) for each in fragments)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _email(source: Mapping[str, Any]) -> Handwritten:
    position = POSITIONS[source["position"]] if "position" in source else BOARD.start
    situation = Situation(BOARD, position, source["power"])
    text, subject = _opened(source)
    return Handwritten(
        name=source["name"],
        situation=situation,
        text=text,
        subject=subject,
        body=source.get("text", ""),
        outcomes=tuple(map(_outcome, (source, *source.get("or", ())))),
        may_ask=tuple(source.get("may_ask", ())),
    )


def _opened(source: Mapping[str, Any]) -> tuple[Text, str]:
    if "raw" not in source:
        return split(source["text"]), ""
    letter = open_mail(source["raw"].lstrip("\n").replace("\n", "\r\n").encode())
    assert isinstance(letter, OpenedEmail), source["name"]
    read = with_subject_as_text(letter, BOARD, COMMANDS)
    return read.text, read.subject


def _outcome(source: Mapping[str, Any]) -> Outcome:
    orders = frozenset(each.strip() for each in source["orders"].split(";") if each.strip())
    return Outcome(orders, tuple(source.get("asked", ())), tuple(source.get("shown", ())))
