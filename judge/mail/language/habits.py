"""Commands by which somebody says how he wants to be told things: in which zone and language."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from judge.mail.language.said import SetHandle, SetLanguage, SetZone

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.rules.geography import Map

ZONE = re.compile(r"[A-Za-z][A-Za-z0-9+_/-]{1,39}")
LANGUAGE = re.compile(r"[^\W\d_]{2,20}")


def zone(arguments: list[str], _: Map) -> Callable[..., SetZone] | None:
    """Read `Europe/Berlin`."""
    named = len(arguments) == 1 and ZONE.fullmatch(arguments[0])
    return partial(SetZone, zone=arguments[0]) if named else None


def language(arguments: list[str], _: Map) -> Callable[..., SetLanguage] | None:
    """Read `DEUTSCH`."""
    named = len(arguments) == 1 and LANGUAGE.fullmatch(arguments[0])
    return partial(SetLanguage, word=arguments[0]) if named else None


def handle(arguments: list[str], _: Map) -> Callable[..., SetHandle] | None:
    """Read by which name others know somebody; whether it may be is not said here."""
    return partial(SetHandle, handle=arguments[0]) if len(arguments) == 1 else None
