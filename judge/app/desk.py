"""What lies on the desk while one mail is answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from judge.app.conduct import Conducted, conduct
from judge.app.evidence import NONE, Evidence
from judge.app.incoming import IncomingMail
from judge.app.judge import Judge
from judge.app.meant import meant_in
from judge.app.ports import Person, Transaction
from judge.app.post import Answer
from judge.game.commands import Command
from judge.game.game_state import Game
from judge.mail.body import Line, digest_of
from judge.mail.envelope import Letter
from judge.mail.language.command_reader import without_secrets
from judge.rules.board import Map
from judge.rules.types import Phase, Power

STANDARD = "standard"  # The board whose powers and places the words of commands name.


@dataclass(frozen=True, slots=True)
class Desk:
    """One mail, opened, and the transaction in which it is answered; *now* is when.

    *proof* is what speaks for the address that it seems to be from.
    """

    judge: Judge
    transaction: Transaction
    mail: IncomingMail
    letter: Letter
    now: datetime
    proof: Evidence = NONE

    @property
    def answered(self) -> Answer:
        """Return what a mail that answers this one refers to."""
        return Answer(self.letter.message_id)

    @property
    def cause(self) -> str:
        """Name this mail as the cause of its one answer."""
        confirmed = ":confirmed" if self.mail.confirmed_person else ""
        confirmed = ":settled" if meant_in(self.mail.reason) else confirmed
        return f"mail:{self.mail.sha256}:{self.mail.recipient}{confirmed}"

    def game(self, name: str) -> Game | None:
        """Return the game as it stands after what this mail has already done to it."""
        return self.judge.histories.load(self.transaction, self.judge.boards, name)

    def game_open_to(self, person: Person | None, name: str) -> Game | None:
        """Return the game *name*, if it is listed or *person* takes part: else there is none."""
        game = self.game(name)
        known = game and (game.house_rules.listed or (person and game.knows(person.id)))
        return game if known else None

    def board(self, game: Game) -> Map:
        """Return the board of *game*."""
        return self.judge.boards(game.variant)

    def shown(self, lines: Iterable[Line]) -> tuple[str, ...]:
        """Return *lines* as a mail may show them: without any password."""
        return tuple(without_secrets(line, self.judge.boards(STANDARD)) for line in lines)

    def received_before(self, person: Person) -> datetime | None:
        """Say when *person* sent this text under this Message-ID before, by whatever way."""
        if self.letter.message_id is None:
            return None
        return self.transaction.inbox.seen_before(
            person.id, self.letter.message_id, digest_of(self.letter.text), self.mail.id
        )

    def email_answered(self, session: Session) -> IncomingMail | None:
        """Return the email whose receipt is answered, if it is a receipt that is."""
        subject = session.answered or ""
        return self.transaction.inbox.get(int(subject)) if subject.isdecimal() else None

    def conduct(self, game: str, command: Command) -> Conducted:
        """Put *command* to *game*."""
        return conduct(self.judge, self.transaction, game, command, self.now)

    def note_failing_line(self, line: int, defect: str) -> None:
        """Tell the operator that our code failed on a *line*, and nothing of what it says."""
        mail = self.mail.sha256
        self.judge.journal.warn("line.failed", mail=mail, line=line, defect=defect)

    def evidence(self, how: str) -> str:
        """Keep *how* the writer was recognised, and return the name of the row, for events."""
        evidence, proof = self.judge.chance.nonce(), self.proof.told
        self.transaction.people.add_evidence(evidence, self.mail.id, how, proof, self.now)
        return evidence


@dataclass(frozen=True, slots=True)
class Session:
    """Who speaks, of which game, for which power, and, if he says so, for which *phase*.

    *later* is that phase if it is still to come; *named*, the mail itself says which it is, and
    not just that it answers one of that phase. *evidence* names the row that says how he was
    recognised, *answered* the mail of his to which he answers our answer, or the decisions of
    the desk mail that he answers. The moderator may be *acting* for him, or order for a *dummy*.
    """

    person: Person
    evidence: str
    game: str
    power: Power | None = None
    phase: str | None = None
    answered: str | None = None
    acting: bool = False
    later: Phase | None = None
    dummy: Power | None = None
    named: bool = False
