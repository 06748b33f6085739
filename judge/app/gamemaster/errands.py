"""What can be asked for at the desk: each is a command that the shell has, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, assert_never

from judge.app import care, operate
from judge.app.conduct import Conducted
from judge.app.gamemaster import mails, orders
from judge.app.gamemaster.changes import Change, Correct, carry_out
from judge.app.gamemaster.sight import Sight
from judge.app.incoming import InboxState, IncomingMail
from judge.app.judge import Judge
from judge.app.operate import OPERATOR
from judge.game.decision import Refused, Why
from judge.game.visibility import Inspector
from judge.pictures.board_art import BoardArt
from judge.reports.desk_views import Lines, OrdersTold
from judge.reports.render import errand_failure_text, refusal_text


@dataclass(frozen=True, slots=True)
class Extend:
    """Move the deadline of the open phase, if that is *phase*."""

    game: str
    phase: str
    deadline: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Process:
    """Close the open phase, if that is *phase*."""

    game: str
    phase: str


@dataclass(frozen=True, slots=True)
class RollBack:
    """Go back to the phase *to* from *phase*, with the orders of then or without."""

    game: str
    phase: str
    to: str
    reason: str
    restore: bool


@dataclass(frozen=True, slots=True)
class Pause:
    """Let nothing close until the game is told to go on."""

    game: str
    reason: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Let a paused game go on."""

    game: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Give *power* the time that it asked for, or not."""

    game: str
    power: str
    granted: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """Give the vacant *power* to whoever has *address*."""

    game: str
    power: str
    address: str


@dataclass(frozen=True, slots=True)
class Look:
    """Look at the orders that stand; it is recorded."""

    game: str
    reason: str


@dataclass(frozen=True, slots=True)
class Write:
    """Write to every player."""

    game: str
    text: str


@dataclass(frozen=True, slots=True)
class Retry:
    """Let a mail that was set aside be tried again."""

    mail: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Ignore a mail for good."""

    mail: int


@dataclass(frozen=True, slots=True)
class Read:
    """Show the lines of a mail that was set aside."""

    mail: int


@dataclass(frozen=True, slots=True)
class Export:
    """Have the bytes of a mail as they came."""

    mail: int


Course: TypeAlias = Extend | Process | RollBack | Pause | GoOn | Answer | Seat | Write
OfMail: TypeAlias = Retry | Discard | Read | Export
Errand: TypeAlias = Course | Change | Look | OfMail


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an errand: *kept* is what it was asked for, if it was something to be had."""

    kept: OrdersTold | Lines | bytes | None = None


@dataclass(frozen=True, slots=True)
class NotDone:
    """Why an errand came to nothing, in a sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs errands for whoever sits at the desk; *art_of* says how a variant's board is drawn."""

    judge: Judge
    sight: Sight
    art_of: Callable[[str], BoardArt | None]

    def run(self, errand: Errand) -> Done | NotDone:
        """Carry out *errand*."""
        match errand:
            case Retry() | Discard() | Read() | Export():
                return self._of_mail(errand)
            case Look():
                return self._look(errand)
            case (
                Extend() | Process() | RollBack() | Pause() | GoOn() | Answer() | Seat() | Write()
            ):
                return self._told(self._steer(errand))
            case change if isinstance(change, Change):
                return self._change(change)
            case _:
                assert_never(errand)

    def _steer(self, errand: Course) -> Conducted:
        judge, name = self.judge, errand.game
        match errand:
            case Extend(phase=phase, deadline=deadline, reason=reason):
                done = operate.extend(judge, name, deadline, reason, phase)
            case Process(phase=phase):
                done = operate.process(judge, name, phase)
            case RollBack(phase=phase, to=to, reason=reason, restore=restore):
                done = operate.roll_back(judge, name, to, reason, restore=restore, only_in=phase)
            case Pause(reason=reason):
                done = operate.pause(judge, name, reason)
            case GoOn():
                done = operate.go_on(judge, name)
            case Answer(power=power, granted=granted):
                done = operate.answer_extension(judge, name, power, granted=granted)
            case Seat(power=power, address=address):
                done = operate.seat(judge, name, power, address)
            case Write(text=text):
                done = operate.broadcast(judge, name, text)
            case _:
                assert_never(errand)
        return done

    def _change(self, change: Change) -> Done | NotDone:
        """Change what is asked for; not the board, if he plays on it himself."""
        game = operate.game(self.judge, change.game)
        if isinstance(change, Correct) and game and self.sight.plays(game):
            return self._refused(Why.NOT_ALLOWED)
        return self._told(carry_out(self.judge, change))

    def _look(self, look: Look) -> Done | NotDone:
        """Show the orders, once it is recorded that somebody looks; not to who plays himself."""
        game = operate.game(self.judge, look.game)
        by = self.sight.person if game and self.sight.plays(game) else OPERATOR
        conducted = operate.view_orders(self.judge, look.game, look.reason, by or OPERATOR)
        if isinstance(conducted.decision, Refused):
            return self._refused(conducted.decision.why)
        after = conducted.game
        assert after, "it has orders"
        art, language = self.art_of(after.variant), self.sight.language
        return Done(orders.told(self.judge, after, Inspector(), art, language))

    def _of_mail(self, errand: OfMail) -> Done | NotDone:
        mail = mails.find(self.judge, errand.mail)
        if mail is None:
            return self._failed("no_mail")
        match errand:
            case Retry():
                done = care.retry(self.judge, mail) is InboxState.RECEIVED
                return Done() if done else self._failed("mail_is_done")
            case Discard():
                done = care.discard(self.judge, mail) is InboxState.IGNORED
                return Done() if done else self._failed("mail_is_done")
            case Read() | Export():
                return self._open(errand, mail)
            case _:
                assert_never(errand)

    def _open(self, errand: Read | Export, mail: IncomingMail) -> Done | NotDone:
        """Show what is in a mail that was set aside: orders and press, perhaps."""
        waits = mail.state is InboxState.HELD and isinstance(errand, Read)
        if mail.state not in care.AGAIN and not waits:
            return self._failed("mail_is_done")
        if any(self.sight.plays(game) for game in operate.games(self.judge)):
            return self._refused(Why.NOT_ALLOWED)
        if isinstance(errand, Export):
            return Done(mail.raw)
        lines = mails.text(self.judge, mail)
        return Done(lines) if lines else self._failed("unreadable")

    def _told(self, conducted: Conducted) -> Done | NotDone:
        decision = conducted.decision
        return self._refused(decision.why) if isinstance(decision, Refused) else Done()

    def _refused(self, why: Why) -> NotDone:
        return NotDone(refusal_text(why, self.sight.language))

    def _failed(self, name: str) -> NotDone:
        return NotDone(errand_failure_text(name, self.sight.language))
