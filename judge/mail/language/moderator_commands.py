"""Commands of a moderator: deadlines, rollbacks, corrections, pauses and decisions."""

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
    about_power,
    alone,
    split_reason,
    with_reason,
)
from judge.mail.language.phase_names import phase_named
from judge.mail.language.rule_commands import SetRules
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class RollBack(ParsedLine):
    """`ROLLBACK S1902M RESTORE BECAUSE reason`: *to* is a phase, a number, or the last (None)."""

    to: str | None
    restore: bool
    reason: str


@dataclass(frozen=True, slots=True)
class RollForward(ParsedLine):
    """`ROLLFORWARD BECAUSE reason`: the last roll back, or several in a row, are taken back."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unstart(ParsedLine):
    """`UNSTART BECAUSE reason`: the game forms again."""

    reason: str


@dataclass(frozen=True, slots=True)
class Process(ParsedLine):
    """`PROCESS`, or `PROCESS S1902M`, which is done only if that phase is open."""

    phase: str | None


@dataclass(frozen=True, slots=True)
class SetDeadline(ParsedLine):
    """`SET DEADLINE Fri 27 Nov 20:00 BECAUSE reason`."""

    when: str
    reason: str


@dataclass(frozen=True, slots=True)
class SetGrace(ParsedLine):
    """`SET GRACE Sat 28 Nov 20:00 BECAUSE reason`: until when late orders are taken."""

    when: str
    reason: str


@dataclass(frozen=True, slots=True)
class Correct(ParsedLine):
    """`CORRECT France A Bur, no A Par, France owns Bel BECAUSE reason`: *facts* of the board."""

    facts: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class PauseGame(ParsedLine):
    """`PAUSE BECAUSE reason`."""

    reason: str


@dataclass(frozen=True, slots=True)
class GoOn(ParsedLine):
    """`RESUME`."""


@dataclass(frozen=True, slots=True)
class Terminate(ParsedLine):
    """`TERMINATE`."""


@dataclass(frozen=True, slots=True)
class Begin(ParsedLine):
    """`BEGIN`: the game starts with those who have joined."""


@dataclass(frozen=True, slots=True)
class Decide(ParsedLine):
    """`1 YES`, `2 NO`: the answer to a decision of the desk mail, by its number."""

    number: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Eject(ParsedLine):
    """`EJECT F`."""

    power: Power


@dataclass(frozen=True, slots=True)
class Grant(ParsedLine):
    """`GRANT F`, or `DENY F`."""

    power: Power
    granted: bool


@dataclass(frozen=True, slots=True)
class Become(ParsedLine):
    """`BECOME F`: the rest of the mail is said for the player of that power."""

    power: Power


ModeratorCommand: TypeAlias = (
    RollBack
    | RollForward
    | Unstart
    | Process
    | SetDeadline
    | SetGrace
    | Correct
    | SetRules
    | PauseGame
    | GoOn
    | Terminate
    | Begin
    | Decide
    | Eject
    | Grant
)


CORRECTION = re.compile(r"(?:\w+ (?:A|F|ARMY|FLEET)|\w+ OWNS) \S", re.IGNORECASE)
TURN = re.compile(r"\d{1,3}")


def read_decision(words: list[str]) -> LineMaker | None:
    """Read `1 YES`, `1: no`, as answers to numbered questions."""
    match [word.upper().strip(".:)") for word in words]:
        case [number, ("YES" | "NO" | "GRANT" | "DENY") as word] if SHORT_NUMBER.fullmatch(number):
            return partial(Decide, number=int(number), yes=word in {"YES", "GRANT"})
        case _:
            return None


def _roll_back(arguments: list[str], _: Map) -> LineMaker | None:
    """Read our form, nJudge's `ROLLBACK 003` and DPjudge's `ROLLBACK S1902M RESTORE`."""
    words, reason = split_reason(arguments)
    options = {"RESTORE", "FULL"}
    restore = any(word.upper() in options for word in words)
    where = [word for word in words if word.upper() not in options]
    to = phase_named(where)
    if len(where) == 1 and TURN.fullmatch(where[0]):
        to = f"{int(where[0]):03}"
    if where and to is None:
        return None
    return partial(RollBack, to=to, restore=restore, reason=reason)


def _process(arguments: list[str], _: Map) -> LineMaker | None:
    code = phase_named(arguments)
    return partial(Process, phase=code) if code or not arguments else None


def _deadline(arguments: list[str], _: Map) -> LineMaker | None:
    words, reason = split_reason(arguments)
    when = " ".join(words)
    return partial(SetDeadline, when=when, reason=reason) if DATE_HINT.search(when) else None


def _grace(arguments: list[str], _: Map) -> LineMaker | None:
    words, reason = split_reason(arguments)
    when = " ".join(words)
    return partial(SetGrace, when=when, reason=reason) if DATE_HINT.search(when) else None


def _correct(arguments: list[str], _: Map) -> LineMaker | None:
    """Read what is so on the board: `France A Bur, no A Par, France owns Bel`."""
    words, reason = split_reason(arguments)
    facts = tuple(each.strip() for each in re.split("[,;]", " ".join(words)))
    return (
        partial(Correct, facts=facts, reason=reason) if all(map(CORRECTION.match, facts)) else None
    )


def _force_begin(arguments: list[str], _: Map) -> LineMaker | None:
    return Begin if [word.upper() for word in arguments] == ["BEGIN"] else None


MODERATOR_READERS: MappingProxyType[str, CommandReader] = MappingProxyType(
    {
        "ROLLBACK": _roll_back,
        "PROCESS": _process,
        "PROCESS!": _process,
        "SET DEADLINE": _deadline,
        "EXTEND": _deadline,
        "SET GRACE": _grace,
        "CORRECT": _correct,
        "PAUSE": with_reason(PauseGame),
        "ROLLFORWARD": with_reason(RollForward),
        "UNSTART": with_reason(Unstart),
        "RESUME": alone(GoOn),
        "TERMINATE": alone(Terminate),
        "BEGIN": alone(Begin),
        "FORCE": _force_begin,
        "EJECT": about_power(Eject),
        "BECOME": about_power(Become),
        "GRANT": about_power(partial(Grant, granted=True)),
        "DENY": about_power(partial(Grant, granted=False)),
    }
)
