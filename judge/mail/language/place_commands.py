"""Commands about places in a game, for those who want one and for whoever gives them out."""

from __future__ import annotations

import re
from functools import partial
from types import MappingProxyType

from judge.mail.language.phase_names import phase_named
from judge.mail.language.place_said import (
    Admit,
    Branch,
    GiveSeat,
    MakeDummy,
    Promote,
    RuleEntry,
    SetGamePassword,
)
from judge.mail.language.powers import power_named
from judge.mail.language.spoken import GAME, Maker, Reader
from judge.rules.board import Map

HANDLE = re.compile(r"\S{2,40}")


def _admit(*, granted: bool) -> Reader:
    """Make the reader of a word about somebody who asks to be let in."""

    def read(arguments: list[str], _: Map) -> Maker | None:
        named = len(arguments) == 1 and HANDLE.fullmatch(arguments[0])
        return partial(Admit, handle=arguments[0], granted=granted) if named else None

    return read


def _rule(*, allowed: bool) -> Reader:
    """Make the reader of a word about whether somebody may come; `-` before him takes it back."""

    def read(arguments: list[str], _: Map) -> Maker | None:
        if len(arguments) != 1 or not HANDLE.fullmatch(arguments[0]):
            return None
        handle = arguments[0].removeprefix("-")
        return partial(RuleEntry, handle=handle, allowed=allowed, on=handle == arguments[0])

    return read


def _seat(arguments: list[str], board: Map) -> Maker | None:
    match arguments:
        case [name, handle] if (power := power_named(name, board)) and HANDLE.fullmatch(handle):
            return partial(GiveSeat, power=power, handle=handle)
        case _:
            return None


def _revive(arguments: list[str], board: Map) -> Maker | None:
    power = power_named(arguments[0], board) if len(arguments) == 1 else None
    return partial(GiveSeat, power=power, handle=None) if power else None


def _dummy(arguments: list[str], board: Map) -> Maker | None:
    power = power_named(arguments[0], board) if len(arguments) == 1 else None
    return partial(MakeDummy, power=power) if power else None


def _promote(arguments: list[str], _: Map) -> Maker | None:
    named = len(arguments) == 1 and HANDLE.fullmatch(arguments[0])
    return partial(Promote, handle=arguments[0]) if named else None


def _branch(arguments: list[str], _: Map) -> Maker | None:
    match arguments:
        case [*phase, word, game] if word.upper() == "AS" and GAME.fullmatch(game):
            code = phase_named(phase)
            return partial(Branch, phase=code, game=game) if code else None
        case _:
            return None


def _game_password(arguments: list[str], _: Map) -> Maker | None:
    return partial(SetGamePassword, word=arguments[0]) if len(arguments) == 1 else None


ADMISSION_READERS: MappingProxyType[str, Reader] = MappingProxyType(
    {
        "ADMIT": _admit(granted=True),
        "REFUSE": _admit(granted=False),
        "ALLOWPLAYER": _rule(allowed=True),
        "DENYPLAYER": _rule(allowed=False),
        "SEAT": _seat,
        "REVIVE": _revive,
        "DUMMY": _dummy,
        "PROMOTE": _promote,
        "BRANCH": _branch,
        "SET GAMEPASSWORD": _game_password,
    }
)
