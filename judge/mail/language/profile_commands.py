"""Commands about a person: password, addresses, handle, time zone, language, emails."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from judge.mail.language.command_syntax import CommandReader, LineMaker, ParsedLine
from judge.mail.mail_addresses import strict_mailbox

if TYPE_CHECKING:
    from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class SetZone(ParsedLine):
    """`SET ZONE Europe/Berlin`, or None for `SET NOZONE`: that of each game."""

    zone: str | None


@dataclass(frozen=True, slots=True)
class SetLanguage(ParsedLine):
    """`SET LANGUAGE DEUTSCH`, named as people do."""

    word: str


@dataclass(frozen=True, slots=True)
class SetHandle(ParsedLine):
    """`SET HANDLE Kaiserin`: by which name others know the writer."""

    handle: str


@dataclass(frozen=True, slots=True)
class SetPassword(ParsedLine):
    """`SET PASSWORD word`."""

    word: str = field(repr=False)


class AddressChange(Enum):
    """What is to be done with an address."""

    SET = "set"  # mail goes there from now on; the one before stays registered
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class ChangeAddress(ParsedLine):
    """`SET ADDRESS me@example.org`, `ADD ADDRESS ...`, `REMOVE ADDRESS ...`."""

    verb: AddressChange
    address: str


class MailPace(Enum):
    """How soon somebody wants the mails that can wait."""

    AT_ONCE = "at_once"
    HOURLY = "hourly"
    DAILY = "daily"
    CRITICAL = "critical"  # not unless he asks for them


class MailForm(Enum):
    """What mails are made of, each with all that stands above it."""

    TEXT = "text"
    HTML = "html"
    PICTURES = "pictures"


class ResultPictures(Enum):
    """Which pictures an email with results has."""

    BOTH = "both"
    ORDERS = "orders"  # the board before the phase closed, with all orders
    POSITION = "position"  # the board afterwards


@dataclass(frozen=True, slots=True)
class SetMails(ParsedLine):
    """`SET MAILS AT ONCE`, `HOURLY`, `DAILY`, `CRITICAL`; `TEXT`, `HTML` or `PICTURES`.

    Also `SET MAILS BOTH PICTURES`, `ORDERS PICTURE`, `POSITION PICTURE`.
    """

    wish: MailPace | MailForm | ResultPictures


@dataclass(frozen=True, slots=True)
class NewTokens(ParsedLine):
    """`NEW TOKENS`: the addresses in mails of ours that came into other hands are worthless."""


ZONE = re.compile(r"[A-Za-z][A-Za-z0-9+_/-]{1,39}")
PICTURE_WORDS = ("picture", "pictures", "of", "the")
LANGUAGE_WORD = re.compile(r"[^\W\d_]{2,20}")


def _zone(arguments: list[str], _: Map) -> LineMaker | None:
    """Read `Europe/Berlin`."""
    named = len(arguments) == 1 and ZONE.fullmatch(arguments[0])
    return partial(SetZone, zone=arguments[0]) if named else None


def _language(arguments: list[str], _: Map) -> LineMaker | None:
    """Read `DEUTSCH`."""
    named = len(arguments) == 1 and LANGUAGE_WORD.fullmatch(arguments[0])
    return partial(SetLanguage, word=arguments[0]) if named else None


def _handle(arguments: list[str], _: Map) -> LineMaker | None:
    """Read by which name others know somebody; whether it may be is not said here."""
    return partial(SetHandle, handle=arguments[0]) if len(arguments) == 1 else None


def _password(arguments: list[str], _: Map) -> LineMaker | None:
    return partial(SetPassword, word=arguments[0]) if len(arguments) == 1 else None


def _address(verb: AddressChange) -> CommandReader:
    """Make the reader of a command about an address, which mailers may put into brackets."""

    def read(arguments: list[str], _: Map) -> LineMaker | None:
        address = strict_mailbox(arguments[0].strip("<>")) if len(arguments) == 1 else None
        return partial(ChangeAddress, verb=verb, address=address) if address else None

    return read


def _mails(arguments: list[str], _: Map) -> LineMaker | None:
    """Read `AT ONCE`, `HTML`, and `BOTH PICTURES` or `PICTURE ORDERS` in any order."""
    asked = "_".join(arguments).lower()
    which = "_".join(word for word in asked.split("_") if word not in PICTURE_WORDS)
    named = [*MailPace, *MailForm, *(ResultPictures if which != asked else ())]
    wish = next((each for each in named if each.value in (asked, which)), None)
    return partial(SetMails, wish=wish) if wish else None


PROFILE_READERS: MappingProxyType[str, CommandReader] = MappingProxyType(
    {
        "SET PASSWORD": _password,
        "SET ADDRESS": _address(AddressChange.SET),
        "ADDADDRESS": _address(AddressChange.ADD),
        "REMOVEADDRESS": _address(AddressChange.REMOVE),
        "MAILS": _mails,
        "ZONE": _zone,
        "SET HANDLE": _handle,
        "SET NAME": _handle,
        "SET LANGUAGE": _language,
        "SET LANG": _language,
    }
)
