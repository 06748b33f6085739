"""The name by which others know somebody: his choice, but like no other's, and like no power's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from judge.app.desk import STANDARD, Desk, Session
from judge.app.ports import GIVEN_HANDLE, Person, Transaction
from judge.game.decision import Why
from judge.mail.language.profile_commands import SetHandle
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item
from judge.rules.board import Map

# Letters of one script only: there are no two that look alike but by the table below.
FORM = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,18}[A-Za-z0-9]")
OFFICES = ("player", "moderator", "master", "judge", "operator", "observer", "admin", "nobody")
NO_MARKS = str.maketrans("", "", "-_")
SPELLED_OUT = str.maketrans(
    {"\xe4": "ae", "\xf6": "oe", "\xfc": "ue", "\xdf": "ss", "\xf8": "o", "\xe6": "ae"}
)
ALIKE = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("nn", "m"))
LETTERS = str.maketrans("0134578i", "oleastbl")


def set_handle(desk: Desk, session: Session, said: SetHandle) -> Item:
    """Let others know the speaker by the name that *said* has, if that can be told from others."""
    person = session.person
    others = (each for owner, each in desk.transaction.people.handles() if owner != person.id)
    if not FORM.fullmatch(said.handle) or _misleads(said.handle, desk.judge.boards(STANDARD)):
        return CommandRefused("handle", Why.BAD_HANDLE)
    if skeleton(said.handle) in map(skeleton, others):
        return CommandRefused("handle", Why.HANDLE_TAKEN)
    desk.transaction.people.set_handle(person.id, said.handle)
    return CommandDone("handle", said.handle)


def handle_offered(transaction: Transaction, person: Person, board: Map) -> str | None:
    """Make a handle of what the emails of *person* call them, if they have chosen none.

    None if they have no name, or one that would mislead or is taken.
    """
    if not person.handle.startswith(GIVEN_HANDLE) or not person.name:
        return None
    plain = unicodedata.normalize("NFKD", person.name.translate(SPELLED_OUT))
    words = re.findall("[A-Za-z0-9]+", "".join(c for c in plain if not unicodedata.combining(c)))
    if _misleads("-".join(words), board):
        return None
    taken = {skeleton(each) for owner, each in transaction.people.handles() if owner != person.id}
    return next(
        (
            each
            for each in ("-".join(words), *words[:1], "".join(word[:1] for word in words))
            if FORM.fullmatch(each) and not _misleads(each, board) and skeleton(each) not in taken
        ),
        None,
    )


def skeleton(handle: str) -> str:
    """Return what is left of *handle* to a hasty eye: two that have the same look alike."""
    text = handle.casefold().translate(NO_MARKS).translate(LETTERS)
    for pair, letter in ALIKE:
        text = text.replace(pair, letter)
    return text


def _misleads(handle: str, board: Map) -> bool:
    """Say whether somebody might take *handle* for a power, or for who is in charge."""
    seen = skeleton(handle)
    return any(skeleton(name) in seen for name in _names(board))


def _names(board: Map) -> Iterator[str]:
    yield from OFFICES
    for nation in board.nations.values():
        yield from (nation.name, nation.adjective)
