"""A mail that says all in its subject: `READY`, `A Par-Bur, A Mar-Spa`, with nothing below it.

Some people write so, and some programs drop the text of a mail that a link has written. The
subject counts if it is nothing but orders, or a command that harms nobody; a vote does not.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from judge.mail.body import Line
from judge.mail.language.commands import read_command
from judge.mail.language.place_said import StandBy
from judge.mail.language.said import (
    Confirm,
    Help,
    History,
    Join,
    ListGames,
    SetReady,
    SetWait,
    Status,
    Summary,
    UseThese,
    WhoGame,
    WhyOrder,
)
from judge.mail.language.table_said import Observe
from judge.notation.parser import parse
from judge.notation.readings import Understood

if TYPE_CHECKING:
    from judge.mail.envelope import Letter
    from judge.rules.board import Map

TITLE_MAX = 300  # characters
TAG = re.compile(r"\[#[^\]]*\]")
# What a mail program puts before the subject that is answered or forwarded, in some languages.
ANSWERING = re.compile(
    r"(?:re|aw|antw(?:ort)?|sv|vs|ref|rif|res|odp|ynt|fwd?|fw|wg|tr|i|enc|vb|pd)"
    r"\s*(?:\[\d+\]|\(\d+\))?\s*:",
    re.IGNORECASE,
)
OURS = re.compile(r"\b[A-Z][A-Z0-9]{1,7}:[a-z]")
HARMLESS = (
    *(SetReady, SetWait, Confirm, UseThese),
    *(Help, History, ListGames, Status, Summary, WhoGame, WhyOrder),
    *(Join, StandBy, Observe),  # which a stranger has to confirm
)


def titled(letter: Letter, board: Map) -> Letter:
    """Return *letter*, with its subject as its text if it has no other."""
    text, title = letter.text, " ".join(TAG.sub(" ", letter.subject).split())
    said = any(line.text.strip() for line in text.fresh)
    if said or text.quoted or text.attachments or text.unread or text.struck:
        return letter
    if not title or len(title) > TITLE_MAX or ANSWERING.match(title) or OURS.search(title):
        return letter
    line = Line(1, title)
    return replace(letter, text=replace(text, fresh=(line,))) if _says(line, board) else letter


def _says(line: Line, board: Map) -> bool:
    said = read_command(line, board, first=True)
    if said is not None:
        return isinstance(said, HARMLESS)
    readings = parse(line.text, board)
    return bool(readings) and all(isinstance(each, Understood) for each in readings)
