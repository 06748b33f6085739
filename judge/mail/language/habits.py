"""Commands by which somebody says how he wants to be told things: in which zone and language."""

from __future__ import annotations

import re
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from judge.mail.identity import strict_mailbox
from judge.mail.language.said import (
    ChangeAddress,
    Form,
    Pace,
    ResultPictures,
    SetHandle,
    SetLanguage,
    SetMails,
    SetPassword,
    SetZone,
    Verb,
)
from judge.mail.language.spoken import Maker, Reader

if TYPE_CHECKING:
    from judge.rules.board import Map

ZONE = re.compile(r"[A-Za-z][A-Za-z0-9+_/-]{1,39}")
PICTURE_WORDS = ("picture", "pictures", "of", "the")
LANGUAGE = re.compile(r"[^\W\d_]{2,20}")


def zone(arguments: list[str], _: Map) -> Maker | None:
    """Read `Europe/Berlin`."""
    named = len(arguments) == 1 and ZONE.fullmatch(arguments[0])
    return partial(SetZone, zone=arguments[0]) if named else None


def language(arguments: list[str], _: Map) -> Maker | None:
    """Read `DEUTSCH`."""
    named = len(arguments) == 1 and LANGUAGE.fullmatch(arguments[0])
    return partial(SetLanguage, word=arguments[0]) if named else None


def handle(arguments: list[str], _: Map) -> Maker | None:
    """Read by which name others know somebody; whether it may be is not said here."""
    return partial(SetHandle, handle=arguments[0]) if len(arguments) == 1 else None


def _password(arguments: list[str], _: Map) -> Maker | None:
    return partial(SetPassword, word=arguments[0]) if len(arguments) == 1 else None


def _address(verb: Verb) -> Reader:
    """Make the reader of a command about an address, which mailers may put into brackets."""

    def read(arguments: list[str], _: Map) -> Maker | None:
        address = strict_mailbox(arguments[0].strip("<>")) if len(arguments) == 1 else None
        return partial(ChangeAddress, verb=verb, address=address) if address else None

    return read


def _mails(arguments: list[str], _: Map) -> Maker | None:
    """Read `AT ONCE`, `HTML`, and `BOTH PICTURES` or `PICTURE ORDERS` in any order."""
    asked = "_".join(arguments).lower()
    which = "_".join(word for word in asked.split("_") if word not in PICTURE_WORDS)
    named = [*Pace, *Form, *(ResultPictures if which != asked else ())]
    wish = next((each for each in named if each.value in (asked, which)), None)
    return partial(SetMails, wish=wish) if wish else None


PROFILE_READERS: MappingProxyType[str, Reader] = MappingProxyType(
    {
        "SET PASSWORD": _password,
        "SET ADDRESS": _address(Verb.SET),
        "ADDADDRESS": _address(Verb.ADD),
        "REMOVEADDRESS": _address(Verb.REMOVE),
        "MAILS": _mails,
        "ZONE": zone,
        "SET HANDLE": handle,
        "SET NAME": handle,
        "SET LANGUAGE": language,
        "SET LANG": language,
    }
)
