"""Actions on the desk; the shell has a command for each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeAlias, assert_never

from judge.app.admin import game_admin, inbox_admin
from judge.app.game.apply import OPERATOR, CommandResult
from judge.app.gamemaster import emails, standing_orders
from judge.app.gamemaster.standing_orders import DeskAccess
from judge.app.ports.inbox import InboxState, IncomingMail
from judge.app.ports.judge import Judge
from judge.game import moderator_actions
from judge.game.decision import Refused, Why
from judge.game.house_rules import HouseRules
from judge.game.players import seats
from judge.game.visibility import Inspector
from judge.reports.desk_views import EmailLines, OrdersShown
from judge.reports.render import action_failure_text, refusal_text
from judge.rules.types import Position


@dataclass(frozen=True, slots=True)
class Extend:
    """Move the deadline of the open phase, if it is *phase*."""

    game: str
    phase: str
    deadline: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Process:
    """Close the open phase, if it is *phase*."""

    game: str
    phase: str


@dataclass(frozen=True, slots=True)
class RollBack:
    """Roll back from *phase* to the phase *to*, with or without its orders."""

    game: str
    phase: str
    to: str
    reason: str
    restore: bool


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause the game until it is resumed."""

    game: str
    reason: str


@dataclass(frozen=True, slots=True)
class Resume:
    """Resume a paused game."""

    game: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Grant or refuse the extension that *power* asked for."""

    game: str
    power: str
    granted: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """Seat the person with *address* on the vacant *power*."""

    game: str
    power: str
    address: str


@dataclass(frozen=True, slots=True)
class ViewOrders:
    """View the current orders, which is recorded."""

    game: str
    reason: str


@dataclass(frozen=True, slots=True)
class WriteToPlayers:
    """Write to every player."""

    game: str
    text: str


@dataclass(frozen=True, slots=True)
class Retry:
    """Try a quarantined email again."""

    mail: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Ignore an email for good."""

    mail: int


@dataclass(frozen=True, slots=True)
class Read:
    """Show the lines of a quarantined email."""

    mail: int


@dataclass(frozen=True, slots=True)
class Export:
    """Download an email as it came in."""

    mail: int


GameAction: TypeAlias = (
    Extend | Process | RollBack | Pause | Resume | Answer | Seat | WriteToPlayers
)
MailAction: TypeAlias = Retry | Discard | Read | Export


@dataclass(frozen=True, slots=True)
class Begin:
    """Start the game with the players who have joined."""

    game: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Correct the position of the open phase, if *position* is of that phase."""

    game: str
    position: Position
    reason: str


@dataclass(frozen=True, slots=True)
class Eject:
    """Eject the player of *power*."""

    game: str
    power: str


@dataclass(frozen=True, slots=True)
class Admit:
    """Admit or refuse a person who asks to join."""

    game: str
    person: str
    granted: bool


@dataclass(frozen=True, slots=True)
class MakeDummy:
    """Make *power* a dummy: it has no player, and the game does not wait for it."""

    game: str
    power: str


@dataclass(frozen=True, slots=True)
class Rules:
    """Change the house rules."""

    game: str
    house_rules: HouseRules


@dataclass(frozen=True, slots=True)
class Terminate:
    """End the game without a result."""

    game: str


Change: TypeAlias = Begin | Admit | Eject | MakeDummy | Rules | Correct | Terminate


Action: TypeAlias = GameAction | Change | ViewOrders | MailAction


@dataclass(frozen=True, slots=True)
class Done:
    """The action succeeded; *kept* is the file or text it was asked for, if any."""

    kept: OrdersShown | EmailLines | bytes | None = None


@dataclass(frozen=True, slots=True)
class NotDone:
    """The action failed; one sentence gives the reason."""

    why: str


@dataclass(frozen=True, slots=True)
class ActionRunner:
    """Runs actions for the user of the desk."""

    judge: Judge
    access: DeskAccess

    def run(self, action: Action) -> Done | NotDone:
        """Carry out *action*."""
        match action:
            case Retry() | Discard() | Read() | Export():
                return self._run_on_email(action)
            case ViewOrders():
                return self._view_orders(action)
            case (
                Extend()
                | Process()
                | RollBack()
                | Pause()
                | Resume()
                | Answer()
                | Seat()
                | WriteToPlayers()
            ):
                return self._outcome(self._steer(action))
            case change if isinstance(change, Change):
                return self._change(change)
            case _:
                assert_never(action)

    def _steer(self, action: GameAction) -> CommandResult:
        judge, name = self.judge, action.game
        match action:
            case Extend(phase=phase, deadline=deadline, reason=reason):
                done = game_admin.move_deadline(judge, name, deadline, reason, phase)
            case Process(phase=phase):
                done = game_admin.close_phase_now(judge, name, phase)
            case RollBack(phase=phase, to=to, reason=reason, restore=restore):
                done = game_admin.roll_back(
                    judge, name, to, reason, restore=restore, only_in=phase
                )
            case Pause(reason=reason):
                done = game_admin.pause_game(judge, name, reason)
            case Resume():
                done = game_admin.resume_game(judge, name)
            case Answer(power=power, granted=granted):
                done = game_admin.answer_extension(judge, name, power, granted=granted)
            case Seat(power=power, address=address):
                done = game_admin.seat_player(judge, name, power, address)
            case WriteToPlayers(text=text):
                done = game_admin.broadcast(judge, name, text)
            case _:
                assert_never(action)
        return done

    def _change(self, change: Change) -> Done | NotDone:
        game = game_admin.load_game(self.judge, change.game)
        if isinstance(change, Correct) and game and self.access.plays(game):
            return self._refused(Why.NOT_ALLOWED)
        return self._outcome(apply_change(self.judge, change))

    def _view_orders(self, look: ViewOrders) -> Done | NotDone:
        """Record the look, then return the orders; refuse a user who plays."""
        game = game_admin.load_game(self.judge, look.game)
        by = self.access.person if game and self.access.plays(game) else OPERATOR
        result = game_admin.view_orders(self.judge, look.game, look.reason, by or OPERATOR)
        if isinstance(result.decision, Refused):
            return self._refused(result.decision.why)
        after = result.game
        assert after, "it has orders"
        art, language = self.judge.art_of(self.judge.board_of(after)), self.access.language
        return Done(standing_orders.orders_shown(self.judge, after, Inspector(), art, language))

    def _run_on_email(self, action: MailAction) -> Done | NotDone:
        mail = emails.find_mail(self.judge, action.mail)
        if mail is None:
            return self._failed("no_mail")
        match action:
            case Retry():
                done = inbox_admin.retry_mail(self.judge, mail) is InboxState.RECEIVED
                return Done() if done else self._failed("mail_is_done")
            case Discard():
                done = inbox_admin.discard_mail(self.judge, mail) is InboxState.IGNORED
                return Done() if done else self._failed("mail_is_done")
            case Read() | Export():
                return self._open(action, mail)
            case _:
                assert_never(action)

    def _open(self, action: Read | Export, mail: IncomingMail) -> Done | NotDone:
        waits = mail.state is InboxState.HELD and isinstance(action, Read)
        if mail.state not in inbox_admin.RETRIABLE and not waits:
            return self._failed("mail_is_done")
        if self._plays_anywhere():
            return self._refused(Why.NOT_ALLOWED)
        if isinstance(action, Export):
            return Done(mail.raw)
        lines = emails.mail_text(self.judge, mail)
        return Done(lines) if lines else self._failed("unreadable")

    def _plays_anywhere(self) -> bool:
        if self.access.person is None:
            return False
        with self.judge.database.read() as transaction:
            names = transaction.summaries.names_of(self.access.person)
            load = partial(self.judge.game_cache.load, transaction, self.judge.boards)
            return any(self.access.plays(game) for name in names if (game := load(name)))

    def _outcome(self, result: CommandResult) -> Done | NotDone:
        decision = result.decision
        return self._refused(decision.why) if isinstance(decision, Refused) else Done()

    def _refused(self, why: Why) -> NotDone:
        return NotDone(refusal_text(why, self.access.language))

    def _failed(self, name: str) -> NotDone:
        return NotDone(action_failure_text(name, self.access.language))


def apply_change(judge: Judge, change: Change) -> CommandResult:
    """Apply *change*, as the shell command of the same name does."""
    name = change.game
    match change:
        case Begin():
            done = game_admin.begin_game(judge, name)
        case Admit(person=person, granted=granted):
            done = game_admin.admit_person(judge, name, person, granted=granted)
        case Eject(power=power):
            done = game_admin.apply_operator_command(judge, name, seats.Eject(power, OPERATOR))
        case MakeDummy(power=power):
            done = game_admin.apply_operator_command(judge, name, seats.MakeDummy(power, OPERATOR))
        case Rules(house_rules=rules):
            done = game_admin.apply_operator_command(
                judge, name, moderator_actions.ChangeRules(rules, OPERATOR)
            )
        case Correct(position=position, reason=reason):
            done = game_admin.correct_position(judge, name, position, reason)
        case Terminate():
            done = game_admin.apply_operator_command(
                judge, name, moderator_actions.Terminate(OPERATOR)
            )
        case _:
            assert_never(change)
    return done
