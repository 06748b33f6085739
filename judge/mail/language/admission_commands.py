"""Commands of a moderator about who may play: admissions, seats, dummies, branches."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from judge.mail.language.command_syntax import (
    GAME_NAME,
    CommandReader,
    LineMaker,
    ParsedLine,
    power_named,
)
from judge.mail.language.phase_names import phase_named
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class Admit(ParsedLine):
    """`ADMIT handle`, or `REFUSE handle`: the answer to somebody who asks to be let in."""

    handle: str
    granted: bool


@dataclass(frozen=True, slots=True)
class RuleEntry(ParsedLine):
    """`ALLOW PLAYER handle`, `DENY PLAYER handle`; not *on*, `-handle`, neither."""

    handle: str
    allowed: bool
    on: bool = True


@dataclass(frozen=True, slots=True)
class GiveSeat(ParsedLine):
    """`SEAT F handle`; without a *handle*, `REVIVE F`, to whoever played it last."""

    power: Power
    handle: str | None


@dataclass(frozen=True, slots=True)
class MakeDummy(ParsedLine):
    """`DUMMY F`: nobody plays the power, and nobody is waited for."""

    power: Power


@dataclass(frozen=True, slots=True)
class Promote(ParsedLine):
    """`PROMOTE handle`: somebody else moderates the game."""

    handle: str


@dataclass(frozen=True, slots=True)
class Branch(ParsedLine):
    """`BRANCH F1901M AS name`: another game that goes its own way from that phase."""

    phase: str
    game: str


@dataclass(frozen=True, slots=True)
class SetGamePassword(ParsedLine):
    """`SET GAME PASSWORD word`: who knows it may join."""

    word: str = field(repr=False)


AdmissionCommand: TypeAlias = (
    Admit | RuleEntry | GiveSeat | MakeDummy | Promote | Branch | SetGamePassword
)


HANDLE = re.compile(r"\S{2,40}")


def _admit(*, granted: bool) -> CommandReader:
    """Make the reader of a word about somebody who asks to be let in."""

    def read(arguments: list[str], _: Map) -> LineMaker | None:
        named = len(arguments) == 1 and HANDLE.fullmatch(arguments[0])
        return partial(Admit, handle=arguments[0], granted=granted) if named else None

    return read


def _allow_or_deny(*, allowed: bool) -> CommandReader:
    """Make the reader of a word about whether somebody may come; `-` before him takes it back."""

    def read(arguments: list[str], _: Map) -> LineMaker | None:
        if len(arguments) != 1 or not HANDLE.fullmatch(arguments[0]):
            return None
        handle = arguments[0].removeprefix("-")
        return partial(RuleEntry, handle=handle, allowed=allowed, on=handle == arguments[0])

    return read


def _give_seat(arguments: list[str], board: Map) -> LineMaker | None:
    match arguments:
        case [name, handle] if (power := power_named(name, board)) and HANDLE.fullmatch(handle):
            return partial(GiveSeat, power=power, handle=handle)
        case _:
            return None


def _revive(arguments: list[str], board: Map) -> LineMaker | None:
    power = power_named(arguments[0], board) if len(arguments) == 1 else None
    return partial(GiveSeat, power=power, handle=None) if power else None


def _dummy(arguments: list[str], board: Map) -> LineMaker | None:
    power = power_named(arguments[0], board) if len(arguments) == 1 else None
    return partial(MakeDummy, power=power) if power else None


def _promote(arguments: list[str], _: Map) -> LineMaker | None:
    named = len(arguments) == 1 and HANDLE.fullmatch(arguments[0])
    return partial(Promote, handle=arguments[0]) if named else None


def _branch(arguments: list[str], _: Map) -> LineMaker | None:
    match arguments:
        case [*phase, word, game] if word.upper() == "AS" and GAME_NAME.fullmatch(game):
            code = phase_named(phase)
            return partial(Branch, phase=code, game=game) if code else None
        case _:
            return None


def _game_password(arguments: list[str], _: Map) -> LineMaker | None:
    return partial(SetGamePassword, word=arguments[0]) if len(arguments) == 1 else None


ADMISSION_READERS: MappingProxyType[str, CommandReader] = MappingProxyType(
    {
        "ADMIT": _admit(granted=True),
        "REFUSE": _admit(granted=False),
        "ALLOWPLAYER": _allow_or_deny(allowed=True),
        "DENYPLAYER": _allow_or_deny(allowed=False),
        "SEAT": _give_seat,
        "REVIVE": _revive,
        "DUMMY": _dummy,
        "PROMOTE": _promote,
        "BRANCH": _branch,
        "SET GAMEPASSWORD": _game_password,
    }
)
