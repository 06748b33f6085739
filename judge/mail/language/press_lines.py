"""The line that opens a block of press: to whom it goes, who signs it, and whom it deceives.

It is read as nJudge and DPjudge have it: `PRESS GREY TO FG`, `PRESS TO E FAKE TO EFG`,
`BROADCAST FAKE FROM ITALY`, `PRESS -R`, `POSTAL PRESS`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from judge.mail.language.commands import is_near
from judge.mail.language.powers import (
    SEPARATORS,
    Recipients,
    power_named,
    power_nearly_named,
    recipients_named,
)
from judge.mail.language.said import ALL, GREY, PLAIN, WHITE, Manner
from judge.mail.press_ends import closes_press

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.mail.body import Line
    from judge.rules.board import Map

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
OPTION = re.compile(r"\b(?:FAKE BROADCAST|NO ?FAKE|QUIET|PARTIAL)\b")  # that names nobody
FAKE = re.compile(r"\bFAKE\b")
WITH_TEXT = re.compile(r"PRESS TO (\w+)(.*)")
WITH_COLON = re.compile(r"PRESS (?:TO )?([^:]*[^:\s])\s*:(.*\w.*)", re.IGNORECASE)
MISREAD = re.compile(r"(?:\S+ ){0,2}?(?:PRESS|BROADCAST) ?(?::|TO\b|$)")


@dataclass(frozen=True, slots=True)
class Opening:
    """Whom a block is for, and how it goes out; *text* is what else stands in its line."""

    whom: Recipients
    manner: Manner = PLAIN
    text: str = ""


def opening(line: Line, board: Map, *, closed: bool) -> Opening | None:
    """Return what a block that *line* opens is, None if it opens none; *closed* says it ends."""
    written = line.text.strip(" .")
    if len(written) > OPENING_MAX:
        return None
    words = written.upper().split()
    first = next((i for i, word in enumerate(words) if word not in BEFORE), len(words))
    before, rest = words[:first], " ".join(words[first + 1 :])
    match words[first:]:
        case ["PRESS", *_]:
            found = _read(before, rest, board)
        case ["BROADCAST", *_]:
            found = _read(before, rest, board, broadcast=True)
        case [name, "TO", *_] if closed and is_near(name, ("PRESS", "BROADCAST")):
            return Opening(Recipients((), (written,)))
        case _:
            return None
    unknown = found.whom.unknown
    almost = any(power_nearly_named(each, board) for each in unknown)
    return found if closed or almost or not unknown else _with_text(written, board)


def is_misread(line: Line) -> bool:
    """Tell `BROADCAST: hello all` and `SEND PRESS TO G`, if a line that closes press is below."""
    return bool(MISREAD.match(line.text.strip(" .").upper()))


def _with_text(written: str, board: Map) -> Opening | None:
    """Read `PRESS TO GERMANY: let us ally`, to whom nothing goes: what goes is never guessed."""
    found = WITH_COLON.fullmatch(written) or WITH_TEXT.fullmatch(written)
    if found is None:
        return None
    whom = recipients_named(found[1], board)
    return Opening(Recipients((), ()), text=found[2].strip()) if not whom.unknown else None


def _read(before: Sequence[str], said: str, board: Map, *, broadcast: bool = False) -> Opening:
    """Sort the words *said* into whom press is for, whom it names, and who signs it."""
    words = " ".join(word for word in SEPARATORS.split(said) if word)
    words = ALL_BUT.sub(r"ALL BUT \1", words)
    signers = [word for word in before if word in SIGNED] + [
        found[1] or found[0] for found in SIGNER.finditer(words)
    ]
    signed = [SIGNED.get(each) or power_named(each, board) for each in signers]
    to, *faked = FAKE.split(OPTION.sub("", SIGNER.sub("", words)))
    if FAKE_BROADCAST.search(words):
        faked = [ALL]
    postal = "POSTAL" in before
    whom = (
        _everybody(to, board)
        if broadcast or (postal and not to.strip())
        else recipients_named(to, board)
    )
    told = recipients_named(" ".join(faked), board) if faked else None
    slips = [each for each, power in zip(signers, signed, strict=True) if power is None]
    if told:
        slips += told.unknown or ([] if told.names else ["FAKE"])
    manner = Manner(
        signed=signed[-1] if signed else None,
        named=told.names if told else None,
        postal=postal,
        quiet="QUIET" in words.split(),
        preview="PREVIEW" in before,
    )
    return Opening(replace(whom, unknown=(*whom.unknown, *slips)), manner)


def _everybody(said: str, board: Map) -> Recipients:
    """Return all whom a broadcast goes to; nobody if *said* names some, who alone may be meant."""
    some = recipients_named(said, board)
    everybody = recipients_named(f"{ALL} {said}", board)
    if some.names and everybody.names == (ALL,) != some.names:
        return Recipients((), (f"BROADCAST {said.strip()}",))
    return everybody


def block_ends(lines: Sequence[Line], board: Map) -> list[int | None]:
    """Return for each line the one that would close a block there, None if another opens first."""
    ends: list[int | None] = [None] * len(lines)
    end = None
    for i in range(len(lines) - 1, -1, -1):
        ends[i] = end
        if closes_press(lines[i].text):
            end = i
        elif opening(lines[i], board, closed=False):
            end = None
    return ends
