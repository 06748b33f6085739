"""Actions on the desk; the shell has a command for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
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
from judge.game.visibility import Inspector
from judge.reports.desk_views import EmailLines, OrdersShown
from judge.reports.render import action_failure_text, refusal_text


@dataclass(frozen=True, slots=True)
class ChangeGame:
    """Change *game* as a shell command does; a user who plays in it may need to leave it alone."""

    game: str
    change: Callable[[Judge, str], CommandResult]
    not_for_players: bool = False


@dataclass(frozen=True, slots=True)
class ViewOrders:
    """View the current orders, which is recorded."""

    game: str
    reason: str


class EmailAction(Enum):
    """An action on an incoming email."""

    RETRY = "retry"  # a quarantined one is tried again
    DISCARD = "discard"  # it is ignored for good
    READ = "read"  # its lines are shown
    EXPORT = "export"  # it is downloaded as it came in


@dataclass(frozen=True, slots=True)
class HandleEmail:
    """Do something to the email of this number."""

    action: EmailAction
    mail: int


Action: TypeAlias = ChangeGame | ViewOrders | HandleEmail


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
            case HandleEmail():
                return self._run_on_email(action)
            case ViewOrders():
                return self._view_orders(action)
            case ChangeGame():
                return self._change(action)
            case _:
                assert_never(action)

    def _change(self, action: ChangeGame) -> Done | NotDone:
        game = game_admin.load_game(self.judge, action.game)
        if action.not_for_players and game and self.access.plays(game):
            return self._refused(Why.NOT_ALLOWED)
        decision = action.change(self.judge, action.game).decision
        return self._refused(decision.why) if isinstance(decision, Refused) else Done()

    def _view_orders(self, look: ViewOrders) -> Done | NotDone:
        """Record the look, then return the orders; refuse a user who plays."""
        game = game_admin.load_game(self.judge, look.game)
        by = self.access.person if game and self.access.plays(game) else OPERATOR
        command = moderator_actions.ViewOrders(by or OPERATOR, look.reason)
        result = game_admin.apply_operator_command(self.judge, look.game, command)
        if isinstance(result.decision, Refused):
            return self._refused(result.decision.why)
        after = result.game
        assert after, "it has orders"
        art, language = self.judge.art_of(self.judge.board_of(after)), self.access.language
        return Done(standing_orders.orders_shown(self.judge, after, Inspector(), art, language))

    def _run_on_email(self, wanted: HandleEmail) -> Done | NotDone:
        mail = emails.find_mail(self.judge, wanted.mail)
        if mail is None:
            return self._failed("no_mail")
        match wanted.action:
            case EmailAction.RETRY:
                done = inbox_admin.retry_mail(self.judge, mail) is InboxState.RECEIVED
            case EmailAction.DISCARD:
                done = inbox_admin.discard_mail(self.judge, mail) is InboxState.IGNORED
            case EmailAction.READ | EmailAction.EXPORT:
                return self._open(wanted.action, mail)
            case action:
                assert_never(action)
        return Done() if done else self._failed("mail_is_done")

    def _open(self, action: EmailAction, mail: IncomingMail) -> Done | NotDone:
        waits = mail.state is InboxState.HELD and action is EmailAction.READ
        if mail.state not in inbox_admin.RETRIABLE and not waits:
            return self._failed("mail_is_done")
        if self._plays_anywhere():
            return self._refused(Why.NOT_ALLOWED)
        if action is EmailAction.EXPORT:
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

    def _refused(self, why: Why) -> NotDone:
        return NotDone(refusal_text(why, self.access.language))

    def _failed(self, name: str) -> NotDone:
        return NotDone(action_failure_text(name, self.access.language))
