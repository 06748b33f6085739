"""Votes and requests of players: draws, concessions, pauses, extensions and absences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from judge.mail.language.command_syntax import (
    DATE_HINT,
    SHORT_NUMBER,
    CommandReader,
    LineMaker,
    ParsedLine,
    alone,
    power_named,
    recipients_named,
    split_reason,
)
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class SetDraw(ParsedLine):
    """`SET DRAW`, `SET NODRAW`; `SET DRAW EFT` names those *among* whom it would be."""

    draw: bool
    among: tuple[Power, ...] | None = None


@dataclass(frozen=True, slots=True)
class Concede(ParsedLine):
    """`SET CONCEDE R`, or None for `SET NOCONCEDE`."""

    to: Power | None


@dataclass(frozen=True, slots=True)
class VotePause(ParsedLine):
    """`VOTE PAUSE`, or `VOTE RESUME`."""

    pause: bool


@dataclass(frozen=True, slots=True)
class Propose(ParsedLine):
    """`PROPOSE DRAW`, or `PROPOSE DRAW EFT` for one *among* those."""

    among: tuple[Power, ...] | None


@dataclass(frozen=True, slots=True)
class VoteProposal(ParsedLine):
    """`VOTE YES`, or `VOTE 2 NO` for a proposal by its *number*."""

    number: int | None
    yes: bool


@dataclass(frozen=True, slots=True)
class AskTime(ParsedLine):
    """`EXTENSION 24 BECAUSE reason`."""

    hours: int
    reason: str


@dataclass(frozen=True, slots=True)
class Absent(ParsedLine):
    """`ABSENT 24 Dec TO 2 Jan`; `NOT ABSENT` without *when*."""

    when: str | None


TableRequest: TypeAlias = VotePause | Propose | VoteProposal | AskTime | Absent


VOTES = {"YES": True, "ACCEPT": True, "NO": False, "VETO": False}


HOURS = re.compile(r"(\d{1,3}) ?(H|HOURS?|D|DAYS?)?", re.IGNORECASE)


def _vote(arguments: list[str], _: Map) -> LineMaker | None:
    match [word.upper() for word in arguments]:
        case ["PAUSE"]:
            return partial(VotePause, pause=True)
        case ["RESUME"] | ["NO", "PAUSE"] | ["NOPAUSE"]:
            return partial(VotePause, pause=False)
        case ["DRAW"]:
            return partial(SetDraw, draw=True)
        case [word] | [word, ("ON" | "FOR")] if word in VOTES:
            return partial(VoteProposal, number=None, yes=VOTES[word])
        case [number, ("YES" | "NO" | "ACCEPT" | "VETO") as word] | [
            ("YES" | "NO" | "ACCEPT" | "VETO") as word,
            number,
        ] if SHORT_NUMBER.fullmatch(number):
            return partial(VoteProposal, number=int(number), yes=VOTES[word])
        case _:
            return None


def _propose(arguments: list[str], board: Map) -> LineMaker | None:
    """Read `DRAW`, `DIAS`, and those who would share it."""
    match [word.upper() for word in arguments]:
        case ["DRAW"] | ["DIAS"]:
            return partial(Propose, among=None)
        case ["DRAW", *_]:
            among = _powers(arguments[1:], board)
        case _:
            return None
    return partial(Propose, among=among) if among else None


def _draw(arguments: list[str], board: Map) -> LineMaker | None:
    """Read who would share a draw."""
    among = _powers(arguments, board)
    return partial(SetDraw, draw=True, among=among) if among else None


def _powers(words: list[str], board: Map) -> tuple[Power, ...]:
    """Return the powers that *words* name, none if they name anything else."""
    named = recipients_named(" ".join(words), board)
    known = tuple(power for power in named.names if power in board.powers)
    return () if named.unknown or len(known) < len(named.names) else known


def _more_time(arguments: list[str], _: Map) -> LineMaker | None:
    words, reason = split_reason(arguments)
    found = HOURS.fullmatch(" ".join(words))
    if found is None:
        return None
    hours = int(found[1]) * (24 if (found[2] or "").upper().startswith("D") else 1)
    return partial(AskTime, hours=hours, reason=reason)


def _absent(arguments: list[str], _: Map) -> LineMaker | None:
    when = " ".join(arguments)
    return partial(Absent, when=when) if DATE_HINT.search(when) else None


def _concede(arguments: list[str], board: Map) -> LineMaker | None:
    if len(arguments) > 1 and arguments[0].upper() == "TO":
        arguments = arguments[1:]
    power = power_named(arguments[0], board) if len(arguments) == 1 else None
    return partial(Concede, to=power) if power else None


VOTE_READERS: MappingProxyType[str, CommandReader] = MappingProxyType(
    {
        "CONCEDE": _concede,
        "CONC": _concede,
        "VOTE": _vote,
        "PROPOSE": _propose,
        "DRAW": _draw,
        "EXTENSION": _more_time,
        "ABSENT": _absent,
        "ABSENCE": _absent,
        "HOLIDAY": _absent,
        "VACATION": _absent,
        "NOTABSENT": alone(partial(Absent, when=None)),
        "NOABSENCE": alone(partial(Absent, when=None)),
    }
)
