"""What every use case of one running judge has in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from judge.app.doors import Chance, Clock, Journal, Passwords, Sealer, Signatures
from judge.app.history import Histories
from judge.app.opening import AtOnce, Opener
from judge.app.ports import Database
from judge.app.ways import NoWaiting, Ways
from judge.mail.language.profile_commands import MailForm
from judge.pictures.board_art import BoardArt
from judge.rules.board import Map


def undrawn(_: str) -> BoardArt | None:
    """Draw no board."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge: its doors to the outside and the addresses it answers to.

    *boards* loads a variant by name, *arts* how its board is drawn, if anybody has drawn it;
    *code* is the word that heads every mail (`:: Judge: CODE`).
    *authserv_id* is the name of the mail server whose word for a From counts, *signatures* checks
    those of mails; without either a From proves nothing. *form* is the most that a mail has.
    """

    database: Database
    boards: Callable[[str], Map]
    clock: Clock
    chance: Chance
    sealer: Sealer
    passwords: Passwords
    journal: Journal
    address: str = "judge@localhost"
    delimiter: str = "+"
    code: str = "JUDGE"
    authserv_id: str = ""
    signatures: Signatures | None = None
    ways: Ways = field(default_factory=NoWaiting)
    opener: Opener = field(default_factory=AtOnce)
    histories: Histories = field(default_factory=Histories)
    arts: Callable[[str], BoardArt | None] = undrawn
    form: MailForm = MailForm.PICTURES

    @property
    def domain(self) -> str:
        """Return the domain of our address, for Message-IDs."""
        return self.address.rpartition("@")[2]
