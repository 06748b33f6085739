"""What a moderator does by mail, and what players and observers ask for the table."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TypeAlias, assert_never

from judge.app.choosing import chosen, refused_law
from judge.app.correcting import corrected
from judge.app.desk import STANDARD, Desk, Session
from judge.app.operate import earlier
from judge.app.ordering import why_no_power
from judge.app.ports import Person
from judge.game import absences, calendar, deadlines, moderator_actions, rollback
from judge.game.clock import ProcessNow
from judge.game.commands import Command
from judge.game.date_parsing import parse_absence, parse_deadline
from judge.game.deadlines import MoveDeadline, MoveGrace
from judge.game.decision import Accepted, Refused, Why, orders_for_dummy
from judge.game.game_state import Game, SeatState
from judge.game.moderator_tasks import (
    command_for_answer,
    moderator_tasks,
    roll_forward_target,
    tasks_mark,
)
from judge.game.players import seats
from judge.game.players.creation import CreateGame
from judge.game.players.joining import Begin
from judge.game.voting import ProposeDraw, VoteOnProposal
from judge.mail.language.join_commands import Observe, Resign
from judge.mail.language.moderator_commands import (
    Become,
    Correct,
    Decide,
    Eject,
    GoOn,
    Grant,
    ModeratorCommand,
    PauseGame,
    Process,
    RollBack,
    RollForward,
    SetDeadline,
    SetGrace,
    Terminate,
    Unstart,
)
from judge.mail.language.moderator_commands import Begin as BeginLine
from judge.mail.language.profile_commands import ChangeAddress, NewTokens, SetMails, SetPassword
from judge.mail.language.rule_commands import Create, SetRules
from judge.mail.language.vote_commands import (
    Absent,
    AskTime,
    Propose,
    TableRequest,
    VotePause,
    VoteProposal,
)
from judge.reports.emails.receipts import (
    CommandDone,
    CommandRefused,
    Item,
    LineNotUnderstood,
    RuleRefused,
)
from judge.reports.render import kind_name
from judge.rules.types import Power

GAMES_MAX, GAMES_PAUSE = 3, timedelta(days=10)  # somebody opens at once, and then

Private: TypeAlias = (
    SetPassword | ChangeAddress | NewTokens | SetMails | Resign
)  # what a player alone may say of himself
Change: TypeAlias = PauseGame | GoOn | Terminate | Eject | Grant | Unstart
Direct: TypeAlias = (
    RollBack
    | RollForward
    | Process
    | SetDeadline
    | SetGrace
    | Correct
    | SetRules
    | BeginLine
    | Change
)


def attend(desk: Desk, session: Session, said: ModeratorCommand | TableRequest) -> Item:
    """Do what somebody asks of the table of the session's game, and account for it."""
    if isinstance(said, ModeratorCommand):
        return steward(desk, session, said)
    return wish(desk, session, said)


def steward(desk: Desk, session: Session, said: ModeratorCommand) -> Item:
    """Do what the moderator of the session's game asks; nobody else may."""
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    if session.person.id != game.moderator:
        return CommandRefused(said.text.strip(), Why.MODERATOR_ONLY)
    if isinstance(said, Decide):
        return _decide(desk, game, session, said)
    command = _command(desk, game, session.person.id, said)
    if command is None:
        return LineNotUnderstood(said.line, said.text)
    if isinstance(command, Why):
        return CommandRefused(said.text.strip(), command)
    if isinstance(command, RuleRefused):
        return command
    return _put(desk, session, said, command)


def _decide(desk: Desk, game: Game, session: Session, said: Decide) -> Item:
    """Answer a decision by its number: in the desk mail that is answered, if that still holds."""
    decisions = moderator_tasks(desk.board(game), game)
    asked = session.answered == tasks_mark(decisions)
    if not asked or not 0 < said.number <= len(decisions):
        return CommandRefused(said.text.strip(), Why.OTHER_DECISIONS)
    decision, seed = decisions[said.number - 1], desk.judge.chance.nonce()
    command = command_for_answer(decision, session.person.id, seed, yes=said.yes)
    return _put(desk, session, said, command) if command else CommandDone("decide")


def _put(desk: Desk, session: Session, said: ModeratorCommand, command: Command) -> Item:
    """Put *command* to the session's game, and say whether anything came of it."""
    match desk.conduct(session.game, command).decision:
        case Accepted():
            return CommandDone(_name(desk, session, said))
        case Refused(why=why):
            return CommandRefused(said.text.strip(), why)


def _name(desk: Desk, session: Session, said: ModeratorCommand) -> str:
    """Name what was done: a deadline on a day that the rules except is worth a warning."""
    game = desk.game(session.game)
    if isinstance(said, SetDeadline) and game and game.phase:
        closed = calendar.is_closed(game.phase.deadline, game.house_rules)
        return "set_deadline_closed" if closed else kind_name(said)
    return kind_name(said)


def _command(desk: Desk, game: Game, by: str, said: Direct) -> Command | Why | RuleRefused | None:
    """Return what is meant, None if the line names no date or rule that there is."""
    match said:
        case RollBack() | RollForward():
            return _back_or_forth(desk, game, by, said)
        case Process(phase=phase):
            return ProcessNow(by, phase)
        case SetDeadline() | SetGrace() | Correct():
            return _of_phase(desk, game, by, said)
        case SetRules():
            return _rules(game, by, said)
        case BeginLine():
            return Begin(by, desk.judge.chance.nonce())
        case change:
            return _change(by, change)


def _back_or_forth(desk: Desk, game: Game, by: str, said: RollBack | RollForward) -> Command | Why:
    match said:
        case RollBack(to=to, restore=restore, reason=reason):
            found = earlier(desk.judge, desk.transaction, game.name, to)
            return (
                found if isinstance(found, Why) else rollback.RollBack(found, reason, by, restore)
            )
        case RollForward(reason=reason):
            forth = roll_forward_target(desk.board(game), desk.transaction.events.read(game.name))
            return rollback.RollForward(forth, reason, by) if forth else Why.NOTHING_UNDONE
        case _:
            assert_never(said)


def _change(by: str, said: Change) -> Command:
    match said:
        case PauseGame(reason=reason):
            return deadlines.Pause(reason, by)
        case GoOn():
            return deadlines.GoOn(by)
        case Terminate():
            return moderator_actions.Terminate(by)
        case Unstart(reason=reason):
            return rollback.Unstart(reason, by)
        case Eject(power=power):
            return seats.Eject(power, by)
        case Grant(power=power, granted=granted):
            return deadlines.AnswerExtension(power, granted, by)
        case _:
            assert_never(said)


def _of_phase(
    desk: Desk, game: Game, by: str, said: SetDeadline | SetGrace | Correct
) -> Command | Why | None:
    """Read what is to be in the open phase; `+24h` is after the deadline, or grace, that runs."""
    if game.phase is None or game.position is None:
        return Why.GAME_OVER if game.ending else Why.NOT_STARTED
    match said:
        case SetDeadline(when=when, reason=reason):
            deadline = parse_deadline(when, game.house_rules, desk.now, game.phase.deadline)
            return MoveDeadline(deadline, reason, by) if deadline else None
        case SetGrace(when=when, reason=reason):
            grace_end = parse_deadline(when, game.house_rules, desk.now, game.phase.grace_end)
            return MoveGrace(grace_end, reason, by) if grace_end else None
        case Correct(facts=facts, reason=reason):
            position = corrected(desk.board(game), game.position, facts)
            return rollback.CorrectPosition(position, reason, by) if position else None
        case _:
            assert_never(said)


def _rules(game: Game, by: str, said: SetRules) -> Command | RuleRefused:
    """Read other house rules; the law of the board never changes, and is none of them."""
    command = said.text.strip()
    asked = chosen(command, said.pairs, rules=game.house_rules, rulebook=game.rulebook)
    if isinstance(asked, RuleRefused):
        return asked
    rules, law = asked
    return (
        moderator_actions.ChangeRules(rules, by) if law == game.rulebook else refused_law(command)
    )


def wish(desk: Desk, session: Session, said: TableRequest) -> Item:
    """Do what only somebody who plays a power may ask for the table."""
    if session.power is None:
        return CommandRefused(said.text.strip(), why_no_power(desk, session))
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    command = _wish(desk, game, session, session.power, said)
    if command is None:
        return LineNotUnderstood(said.line, said.text)
    name = kind_name(said)
    match said:
        case VotePause(pause=False):
            name = "vote_resume"
        case VoteProposal(yes=False):
            name = "vote_against"
        case Absent(when=None):
            name = "not_absent"
        case _:
            pass
    match desk.conduct(session.game, command).decision:
        case Accepted():
            return CommandDone(name)
        case Refused(why=Why.NOTHING_CHANGED):  # What he wishes is so.
            return CommandDone(name, already=True)
        case Refused(why=why):
            return CommandRefused(said.text.strip(), why)


def _wish(
    desk: Desk, game: Game, session: Session, power: Power, said: TableRequest
) -> Command | None:
    person = session.person.id
    match said:
        case VotePause(pause=pause):
            return deadlines.VotePause(power, person, pause, desk.judge.chance.nonce())
        case Propose(among=among):
            return ProposeDraw(power, person, desk.judge.chance.nonce(), among)
        case VoteProposal(number=number, yes=yes):
            return VoteOnProposal(power, person, yes, desk.judge.chance.nonce(), number)
        case AskTime(hours=hours, reason=reason):
            return deadlines.AskExtension(power, person, hours, reason)
        case Absent(when=when):
            if when is None:
                return absences.ClearAbsence(power, person)
            span = parse_absence(when, game.house_rules, desk.now)
            return absences.SetAbsence(power, person, *span) if span else None
        case _:
            assert_never(said)


def become(desk: Desk, session: Session, said: Become) -> Session | None:
    """Let the moderator, who plays nothing himself, speak for a player, who is told all of it."""
    game = desk.game(session.game)
    if game and orders_for_dummy(game, said.power, session.person.id):
        return replace(session, power=said.power, dummy=said.power)
    seat = game.seats.get(said.power) if game else None
    if game is None or seat is None or seat.person is None or seat.state is not SeatState.PLAYED:
        return None
    if session.person.id != game.moderator or game.power_of(session.person.id):
        return None
    person = desk.transaction.people.get(seat.person)
    evidence = desk.evidence("moderator")
    assert person is not None, "who plays is somebody"
    return Session(person, evidence, game.name, said.power, acting=True)


def acting(desk: Desk, session: Session, said: Become | Private) -> Item:
    """Account for what is said for somebody else: nobody answers for who he is but himself."""
    if not isinstance(said, Become):
        return CommandRefused(said.text.strip(), Why.NOT_ALLOWED)
    if session.acting:
        return CommandDone("acted_for")
    other = become(desk, session, said)
    if other is None:
        return CommandRefused(said.text.strip(), Why.MODERATOR_ONLY)
    if other.dummy:
        return CommandDone("become_dummy", said.power)
    return CommandDone("become", said.power)


def create(desk: Desk, person: Person, said: Create) -> Item:
    """Open a game that *person* moderates; not more than some a month."""
    asked = chosen("create", said.pairs)
    if isinstance(asked, RuleRefused):
        return asked
    rules, law = asked
    budgets = desk.transaction.budgets
    if not budgets.spend(f"games of {person.id}", GAMES_MAX, GAMES_PAUSE, desk.now):
        return CommandRefused("create", Why.NOT_ALLOWED)
    command = CreateGame(said.game.lower(), STANDARD, law, rules, person.id)
    match desk.conduct(command.game, command).decision:
        case Accepted():
            return CommandDone("create", command.game)
        case Refused(why=why):
            return CommandRefused("create", why)


def observe(desk: Desk, person: Person, said: Observe) -> Item:
    """Let *person* have the mails of a game that are public, or no longer."""
    if desk.game_open_to(person, said.game) is None:
        return CommandRefused("observe", Why.NO_SUCH_GAME)
    command = moderator_actions.Observe(person.id, said.on)
    match desk.conduct(said.game, command).decision:
        case Accepted():
            return CommandDone("observe" if said.on else "unobserve", said.game)
        case Refused(why=Why.NOTHING_CHANGED):
            name = "observe" if said.on else "unobserve"
            return CommandDone(name, said.game, already=True)
        case Refused(why=why):
            return CommandRefused("observe", why)
