"""Read press: the line that opens a block, its recipients, signature and manner.

The syntax is that of nJudge and DPjudge: `PRESS GREY TO FG`, `PRESS TO E FAKE TO EFG`, `BROADCAST
FAKE FROM ITALY`, `PRESS -R`, `POSTAL PRESS`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from judge.mail.language import command_syntax
from judge.mail.language.phase_names import nearest_word
from judge.mail.quotes import ends_press

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.mail.body import Line
    from judge.rules.board import Map

WHITE, GREY = "WHITE", "GREY"  # Press signed by its sender, and unsigned press.


@dataclass(frozen=True, slots=True)
class PressManner:
    """How press goes out.

    *signed* is the signature (`WHITE`, `GREY` or a power), None for the game's default. *named*
    are the recipients it shows, None for the true ones. *postal* press waits for the next results;
    the receipt does not repeat *quiet* press; *preview* is shown and not sent.
    """

    signed: str | None = None
    named: tuple[str, ...] | None = None
    postal: bool = False
    quiet: bool = False
    preview: bool = False


PLAIN_PRESS = PressManner()


@dataclass(frozen=True, slots=True)
class Press(command_syntax.ParsedLine):
    """`PRESS TO F,G` ... `ENDPRESS`.

    *recipients* are powers, `MASTER`, `OBSERVER`, or `ALL` alone; *unknown* are words that name no
    recipient. If the block is not *closed*, *lines* is the rest of the email, and none of it is
    sent as press or read as orders. *beneath* has a signature and `ENDPRESS`.
    """

    recipients: tuple[str, ...]
    unknown: tuple[str, ...]
    lines: tuple[Line, ...]
    closed: bool
    manner: PressManner = PLAIN_PRESS
    beneath: tuple[Line, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class UnopenedPress(command_syntax.ParsedLine):
    """`ENDPRESS` below *lines* without an opening, or with *opening*, a faulty one, among them."""

    lines: tuple[Line, ...]
    opening: str = ""


OPENING_MAX = 200  # Characters of the line that opens a block.
BEFORE = ("PREVIEW", "POSTAL", "GREY", "GRAY", "ANONYMOUS", "UNSIGNED", "WHITE", "SIGNED")
SIGNED = {
    "WHITE": WHITE,
    "SIGNED": WHITE,
    "GREY": GREY,
    "GRAY": GREY,
    "ANONYMOUS": GREY,
    "UNSIGNED": GREY,
    "NOBODY": GREY,
}
SIGNER = re.compile(r"\b(?:FAKE )?FROM (\w+)\b|\b(?:WHITE|SIGNED|GREY|GRAY|ANONYMOUS|UNSIGNED)\b")
ALL_BUT = re.compile(r"(?<!\S)-(\w+)")
FAKE_BROADCAST = re.compile(r"\bFAKE BROADCAST\b")
OPTION = re.compile(r"\b(?:FAKE BROADCAST|NO ?FAKE|QUIET|PARTIAL)\b")  # names no recipient
FAKE = re.compile(r"\bFAKE\b")
WITH_TEXT = re.compile(r"PRESS TO (\w+)(.*)")
WITH_COLON = re.compile(r"PRESS (?:TO )?([^:]*[^:\s])\s*:(.*\w.*)", re.IGNORECASE)
MISREAD_OPENING = re.compile(r"(?:\S+ ){0,2}?(?:PRESS|BROADCAST) ?(?::|TO\b|$)")


@dataclass(frozen=True, slots=True)
class PressOpening:
    """The recipients of a block and how it goes out; *text* is the rest of its line."""

    whom: command_syntax.Recipients
    manner: PressManner = PLAIN_PRESS
    text: str = ""


def press_opening(line: Line, board: Map, *, closed: bool) -> PressOpening | None:
    """Read *line* as the opening of a block, else None; *closed* if the block has an end."""
    written = line.text.strip(" .")
    if len(written) > OPENING_MAX:
        return None
    words = written.upper().split()
    first = next((i for i, word in enumerate(words) if word not in BEFORE), len(words))
    before, rest = words[:first], " ".join(words[first + 1 :])
    match words[first:]:
        case ["PRESS", *_]:
            found = _read_opening(before, rest, board)
        case ["BROADCAST", *_]:
            found = _read_opening(before, rest, board, broadcast=True)
        case [name, "TO", *_] if closed and nearest_word(name, ("PRESS", "BROADCAST")):
            return PressOpening(command_syntax.Recipients((), (written,)))
        case _:
            return None
    unknown = found.whom.unknown
    almost = any(command_syntax.power_nearly_named(each, board) for each in unknown)
    return found if closed or almost or not unknown else _with_text(written, board)


def is_misread(line: Line) -> bool:
    """Return whether *line* may be meant to open press, such as `BROADCAST: hello all`.

    That counts only if a line below closes press.
    """
    return bool(MISREAD_OPENING.match(line.text.strip(" .").upper()))


def _with_text(written: str, board: Map) -> PressOpening | None:
    """Read `PRESS TO GERMANY: let us ally`, without recipients: what is sent is never guessed."""
    found = WITH_COLON.fullmatch(written) or WITH_TEXT.fullmatch(written)
    if found is None:
        return None
    whom = command_syntax.recipients_named(found[1], board)
    return (
        PressOpening(command_syntax.Recipients((), ()), text=found[2].strip())
        if not whom.unknown
        else None
    )


def _read_opening(
    before: Sequence[str], arguments: str, board: Map, *, broadcast: bool = False
) -> PressOpening:
    """Split *arguments* into the recipients, the recipients shown, and the signature."""
    words = " ".join(word for word in command_syntax.SEPARATORS.split(arguments) if word)
    words = ALL_BUT.sub(r"ALL BUT \1", words)
    signers = [word for word in before if word in SIGNED] + [
        found[1] or found[0] for found in SIGNER.finditer(words)
    ]
    signed = [SIGNED.get(each) or command_syntax.power_named(each, board) for each in signers]
    to, *faked = FAKE.split(OPTION.sub("", SIGNER.sub("", words)))
    if FAKE_BROADCAST.search(words):
        faked = [command_syntax.ALL]
    postal = "POSTAL" in before
    whom = (
        _broadcast_to(to, board)
        if broadcast or (postal and not to.strip())
        else command_syntax.recipients_named(to, board)
    )
    pretended = command_syntax.recipients_named(" ".join(faked), board) if faked else None
    slips = [each for each, power in zip(signers, signed, strict=True) if power is None]
    if pretended:
        slips += pretended.unknown or ([] if pretended.names else ["FAKE"])
    manner = PressManner(
        signed=signed[-1] if signed else None,
        named=pretended.names if pretended else None,
        postal=postal,
        quiet="QUIET" in words.split(),
        preview="PREVIEW" in before,
    )
    return PressOpening(replace(whom, unknown=(*whom.unknown, *slips)), manner)


def _broadcast_to(arguments: str, board: Map) -> command_syntax.Recipients:
    """Return the recipients of a broadcast; none if *arguments* names only some."""
    some = command_syntax.recipients_named(arguments, board)
    everyone = command_syntax.recipients_named(f"{command_syntax.ALL} {arguments}", board)
    if some.names and everyone.names == (command_syntax.ALL,) != some.names:
        return command_syntax.Recipients((), (f"BROADCAST {arguments.strip()}",))
    return everyone


def block_ends(lines: Sequence[Line], board: Map) -> list[int | None]:
    """Return for each line the one that would close a block there; None if another opens first."""
    ends: list[int | None] = [None] * len(lines)
    end = None
    for i in range(len(lines) - 1, -1, -1):
        ends[i] = end
        if ends_press(lines[i].text):
            end = i
        elif press_opening(lines[i], board, closed=False):
            end = None
    return ends
