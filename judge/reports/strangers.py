"""Mails to somebody who is not known, or may not be who he seems to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.notation.names import closest_matches
from judge.reports.greetings import (
    AddressChanged,
    AskedAgain,
    AtTheDoor,
    ConfirmAddress,
    ConfirmJoin,
    ConfirmMail,
    ConfirmModerator,
    Door,
    Doubt,
    Heading,
    HeldLine,
    Help,
    LastAnswer,
    Settled,
    Unknown,
    Unreadable,
    Wish,
)
from judge.resources import folder

if TYPE_CHECKING:
    from datetime import datetime

OVERVIEW = "overview"
SMALL = frozenset({"set", "add", "remove", "new", "no", "not", "use"})  # before another word
LIKE = 0.8  # a slip in five letters
TOPICS = tuple(
    sorted(path.stem for path in (folder("templates") / "help").iterdir() if path.stem != OVERVIEW)
)
# What else they are asked for by, by files of other judges and by words of the game.
ALIASES = {
    alias: topic
    for topic, words in {
        "absent": "absence absences holiday vacation",
        "address": "add",
        "build": "builds remove removal removals waive adjust adjustment adjustments disband",
        "convoy": "convoys fleets",
        "create": "settings template",
        "deadline": "deadlines late nmr grace time",
        "concede": "conc noconcede",
        "draw": "nodraw draws dias vote propose proposal proposals",
        "history": "results",
        "diary": "diaries notes",
        "language": "languages deutsch german francais french english",
        "list": "games",
        "mails": "unsubscribe digest broadcasts",
        "moderator": "master gm moderators process eject terminate admit seat dummy promote become"
        " force begin branch refuse revive allow comment official reveal unstart rollforward"
        " correct",
        "map": "maps board boards picture pictures",
        "move": "moves movement hold holds coast coasts",
        "observe": "observer observers unobserve watch",
        "orders": "order syntax commands form",
        "overview": "index info guide",
        "phase": "phases if conditions these use",
        "preview": "predict sandbox",
        "pause": "resume",
        "press": "broadcast endpress letters show hide postal grey white fake",
        "receipt": "receipts commitment nonce",
        "retreat": "retreats dislodged otb",
        "extension": "grant deny",
        "join": "takeover register yes no",
        "rules": "rule house variants",
        "standby": "waiting queue offer offers",
        "tokens": "new token",
        "statement": "statements eog",
        "support": "supports cut",
        "wait": "nowait",
        "ready": "noready notready unready",
        "whogame": "who whois players",
        "handle": "name names nickname handles",
        "zone": "timezone zones",
    }.items()
    for alias in words.split()
} | dict.fromkeys(
    (
        *("set rule", "set rules", "set deadline", "set grace", "set game password"),
        *("set comment", "set move", "set retreat", "set adjust", "deny player"),
    ),
    "moderator",
)


def help_on(topic: str | None, *, judge_code: str) -> Help:
    """Answer HELP; what is no topic, and nearly none, gets the overview."""
    known = _topic(topic.lower()) if topic else OVERVIEW
    return Help(
        heading=Heading(judge_code),
        topic=known or OVERVIEW,
        asked=None if known else topic,
    )


def _topic(asked: str) -> str | None:
    """Return the topic that is *asked* for: by the whole of it, or one of its words."""
    words = asked.split()
    if words[0].isdigit():
        return "moderator"  # who answers decisions by number
    ends = (words[-1], words[0]) if words[0] in SMALL else (words[0], words[-1])
    for each in (asked, *ends):
        if each in TOPICS:
            return each
        if each in ALIASES:
            return ALIASES[each]
    near = closest_matches(asked, TOPICS)
    return near[0][1] if near and near[0][0] >= LIKE else None


def confirm_join(
    game: str,
    power: str | None,
    wish: Wish = Wish.PLAY,
    near: tuple[str, ...] | None = None,
    *,
    judge_code: str,
) -> ConfirmJoin:
    """Ask whether somebody wants to play *game*, or looks on.

    Unless it is listed, *near* are the listed games like it, and nothing says whether it exists.
    """
    return ConfirmJoin(heading=Heading(judge_code), game=game, power=power, wish=wish, near=near)


def at_the_door(
    game: str, door: Door, near: tuple[str, ...] = (), *, judge_code: str
) -> AtTheDoor:
    """Tell a stranger why they cannot join *game* now."""
    return AtTheDoor(heading=Heading(judge_code), game=game, door=door, near=near)


def asked_again(
    purpose: str,
    received: datetime | None,
    lines: tuple[str, ...],
    game: str | None,
    *,
    judge_code: str,
) -> AskedAgain:
    """Say that an answer was neither yes nor no, and what was asked."""
    return AskedAgain(
        heading=Heading(judge_code), purpose=purpose, received=received, lines=lines, game=game
    )


def settled(*, counted: bool, judge_code: str) -> Settled:
    """Say that a question was answered before."""
    return Settled(heading=Heading(judge_code), counted=counted)


def asked_elsewhere(*, judge_code: str) -> Settled:
    """Say that a question can only be answered from the address that was asked."""
    return Settled(heading=Heading(judge_code), elsewhere=True)


def held_mails(
    received: datetime, lines: tuple[HeldLine, ...], count: int, *, judge_code: str
) -> ConfirmMail:
    """Tell a player which emails in their name wait, about which nobody asks one by one."""
    return ConfirmMail(
        heading=Heading(judge_code),
        received=received,
        lines=(),
        doubt=Doubt.MANY,
        waiting=lines,
        count=count,
    )


def last_answer(*, judge_code: str) -> LastAnswer:
    """Say that an address gets no further answer today."""
    return LastAnswer(heading=Heading(judge_code))


def confirm_mail(
    received: datetime,
    lines: tuple[str, ...],
    doubt: Doubt,
    *,
    refused: bool = False,
    judge_code: str,
) -> ConfirmMail:
    """Ask whether a mail is the reader's own, showing its *lines*; its password was *refused*."""
    return ConfirmMail(
        heading=Heading(judge_code), received=received, lines=lines, doubt=doubt, refused=refused
    )


def confirm_address(address: str, *, judge_code: str) -> ConfirmAddress:
    """Ask whoever reads *address* whether he is the player who wants mail there."""
    return ConfirmAddress(heading=Heading(judge_code), address=address)


def confirm_moderator(game: str, *, judge_code: str) -> ConfirmModerator:
    """Ask whether somebody whom its moderator has named moderates *game* from now on."""
    return ConfirmModerator(heading=Heading(judge_code), game=game)


def address_changed(address: str, *, primary: bool, judge_code: str) -> AddressChanged:
    """Tell a player, wherever he is registered, that *address* is one of his now."""
    return AddressChanged(heading=Heading(judge_code), address=address, primary=primary)


def unknown(
    *,
    judge_code: str,
    signs_on: bool = False,
    again: bool = False,
    no_commands: tuple[str, ...] = (),
) -> Unknown:
    """Say that nothing told who writes of which game.

    Nor did a SIGNON if it *signs_on* nobody. Told *again*, it says more. The words in
    *no_commands* were written as commands.
    """
    return Unknown(
        heading=Heading(judge_code), signs_on=signs_on, again=again, no_commands=no_commands
    )


def unreadable(received: datetime, *, judge_code: str) -> Unreadable:
    """Tell a player that his mail could not be read."""
    return Unreadable(heading=Heading(judge_code), received=received)
