"""Commands of the moderator, CREATE, OBSERVE and BECOME."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TypeAlias, assert_never

from judge.app.commands.context import COMMAND_BOARD, MailContext, Session
from judge.app.commands.votes import handle_player_request
from judge.app.game.apply import closed_phase
from judge.app.ports.people import Person
from judge.archive.json_input import MalformedError
from judge.archive.position_json import read_unit
from judge.game import calendar, deadlines, moderator_actions, rollback
from judge.game.calendar import unsound_rules
from judge.game.clock import ProcessNow
from judge.game.commands import Command
from judge.game.date_parsing import parse_deadline
from judge.game.deadlines import MoveDeadline, MoveGrace
from judge.game.decision import Accepted, Refused, Why, orders_for_dummy
from judge.game.game_state import Game, SeatState
from judge.game.house_rules import STANDARD, HouseRules, UnknownHouseRuleError, choose_rules
from judge.game.moderator_tasks import (
    command_for_answer,
    moderator_tasks,
    roll_forward_target,
    tasks_mark,
)
from judge.game.players import seats
from judge.game.players.creation import CreateGame
from judge.game.players.joining import Begin
from judge.mail.language.command_syntax import power_named
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
from judge.mail.language.vote_commands import TableRequest
from judge.notation.parser import parse
from judge.notation.readings import Understood
from judge.reports.emails.receipts import (
    CommandDone,
    CommandRefused,
    Item,
    LineNotUnderstood,
    RuleRefused,
)
from judge.reports.render import kind_name
from judge.rules.board import Map
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import Hold, Position, Power, Province, Unit, UnitName

GAMES_MAX, GAMES_PAUSE = 3, timedelta(days=10)  # somebody opens at once, and then

OnlyInPerson: TypeAlias = (
    SetPassword | ChangeAddress | NewTokens | SetMails | Resign
)  # what a player alone may say of himself
GameChange: TypeAlias = PauseGame | GoOn | Terminate | Eject | Grant | Unstart
DirectCommand: TypeAlias = (
    RollBack
    | RollForward
    | Process
    | SetDeadline
    | SetGrace
    | Correct
    | SetRules
    | BeginLine
    | GameChange
)


def handle_table_command(
    desk: MailContext, session: Session, said: ModeratorCommand | TableRequest
) -> Item:
    """Do what somebody asks of the table of the session's game, and account for it."""
    if isinstance(said, ModeratorCommand):
        return handle_moderator_command(desk, session, said)
    return handle_player_request(desk, session, said)


def handle_moderator_command(desk: MailContext, session: Session, said: ModeratorCommand) -> Item:
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


def _decide(desk: MailContext, game: Game, session: Session, said: Decide) -> Item:
    """Answer a decision by its number: in the desk mail that is answered, if that still holds."""
    decisions = moderator_tasks(desk.board(game), game)
    asked = session.answered == tasks_mark(decisions)
    if not asked or not 0 < said.number <= len(decisions):
        return CommandRefused(said.text.strip(), Why.OTHER_DECISIONS)
    decision, seed = decisions[said.number - 1], desk.judge.random.nonce()
    command = command_for_answer(decision, session.person.id, seed, yes=said.yes)
    return _put(desk, session, said, command) if command else CommandDone("decide")


def _put(desk: MailContext, session: Session, said: ModeratorCommand, command: Command) -> Item:
    """Put *command* to the session's game, and say whether anything came of it."""
    match desk.conduct(session.game, command).decision:
        case Accepted():
            return CommandDone(_name(desk, session, said))
        case Refused(why=why):
            return CommandRefused(said.text.strip(), why)
        case other:
            assert_never(other)


def _name(desk: MailContext, session: Session, said: ModeratorCommand) -> str:
    """Name what was done: a deadline on a day that the rules except is worth a warning."""
    game = desk.game(session.game)
    if isinstance(said, SetDeadline) and game and game.phase:
        closed = calendar.is_closed(game.phase.deadline, game.house_rules)
        return "set_deadline_closed" if closed else kind_name(said)
    return kind_name(said)


def _command(
    desk: MailContext, game: Game, by: str, said: DirectCommand
) -> Command | Why | RuleRefused | None:
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
            return Begin(by, desk.judge.random.nonce())
        case change:
            return _change(by, change)


def _back_or_forth(
    desk: MailContext, game: Game, by: str, said: RollBack | RollForward
) -> Command | Why:
    match said:
        case RollBack(to=to, restore=restore, reason=reason):
            found = closed_phase(desk.judge, desk.transaction, game.name, to)
            return (
                found if isinstance(found, Why) else rollback.RollBack(found, reason, by, restore)
            )
        case RollForward(reason=reason):
            forth = roll_forward_target(desk.board(game), desk.transaction.events.read(game.name))
            return rollback.RollForward(forth, reason, by) if forth else Why.NOTHING_UNDONE
        case _:
            assert_never(said)


def _change(by: str, said: GameChange) -> Command:
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
    desk: MailContext, game: Game, by: str, said: SetDeadline | SetGrace | Correct
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
            position = corrected_position(desk.board(game), game.position, facts)
            return rollback.CorrectPosition(position, reason, by) if position else None
        case _:
            assert_never(said)


def _rules(game: Game, by: str, said: SetRules) -> Command | RuleRefused:
    """Read other house rules; the law of the board never changes, and is none of them."""
    command = said.text.strip()
    asked = rules_asked_for(command, said.pairs, rules=game.house_rules, rulebook=game.rulebook)
    if isinstance(asked, RuleRefused):
        return asked
    rules, law = asked
    return (
        moderator_actions.ChangeRules(rules, by)
        if law == game.rulebook
        else rulebook_refused(command)
    )


def act_for(desk: MailContext, session: Session, said: Become) -> Session | None:
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


def report_acting(desk: MailContext, session: Session, said: Become | OnlyInPerson) -> Item:
    """Account for what is said for somebody else: nobody answers for who he is but himself."""
    if not isinstance(said, Become):
        return CommandRefused(said.text.strip(), Why.NOT_ALLOWED)
    if session.acting:
        return CommandDone("acted_for")
    other = act_for(desk, session, said)
    if other is None:
        return CommandRefused(said.text.strip(), Why.MODERATOR_ONLY)
    if other.dummy:
        return CommandDone("become_dummy", said.power)
    return CommandDone("become", said.power)


def create_by_mail(desk: MailContext, person: Person, said: Create) -> Item:
    """Open a game that *person* moderates; not more than some a month."""
    asked = rules_asked_for("create", said.pairs)
    if isinstance(asked, RuleRefused):
        return asked
    rules, law = asked
    budgets = desk.transaction.budgets
    if not budgets.spend(f"games of {person.id}", GAMES_MAX, GAMES_PAUSE, desk.now):
        return CommandRefused("create", Why.NOT_ALLOWED)
    command = CreateGame(said.game.lower(), COMMAND_BOARD, law, rules, person.id)
    match desk.conduct(command.game, command).decision:
        case Accepted():
            return CommandDone("create", command.game)
        case Refused(why=why):
            return CommandRefused("create", why)
        case other:
            assert_never(other)


def observe_game(desk: MailContext, person: Person, said: Observe) -> Item:
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
        case other:
            assert_never(other)


NOBODY = ("NO", "NOBODY", "REMOVE")
OWNS = "OWNS"


def corrected_position(board: Map, position: Position, facts: Sequence[str]) -> Position | None:
    """Return *position* with *facts* such as `France A Bur`, `no A Par`, `France owns Bel`.

    None if one of them cannot be, or cannot be read.
    """
    so: Position | None = position
    for fact in facts:
        whose, what, where = fact.split(maxsplit=2)
        power = power_named(whose, board)
        if so is None or (power is None and whose.upper() not in NOBODY):
            return None
        if what.upper() == OWNS:
            so = _owned(board, so, power, where)
        else:
            so = _placed(board, so, power, f"{what} {where}")
    return so


def _owned(board: Map, position: Position, power: Power | None, where: str) -> Position | None:
    named = _named(board, where)
    if named is None or named.province not in board.centers:
        return None
    others = {
        center: owner for center, owner in position.owners.items() if center != named.province
    }
    return replace(position, owners={**others, named.province: power} if power else others)


def _placed(board: Map, position: Position, power: Power | None, what: str) -> Position | None:
    """Let a unit of *power* stand where it is said, or (None) nothing: there must be something."""
    named = _named(board, what)
    if named is None or named.kind is None:
        return None
    others = _elsewhere(position, named.province)
    if power is None:
        gone = len(position.units) - len(others)
        return replace(position, units=others) if gone else None
    try:
        unit = read_unit(board, power, f"{named.kind.value} {named.location}")
    except MalformedError:
        return None
    rank = board.powers.index
    units = sorted((*others, unit), key=lambda each: (rank(each.power), each.location))
    return replace(position, units=tuple(units))


def _elsewhere(position: Position, province: Province) -> tuple[Unit, ...]:
    return tuple(unit for unit in position.units if unit.province != province)


def _named(board: Map, text: str) -> UnitName | None:
    """Read a unit, or a province alone."""
    match parse(f"{text} H", board):
        case [Understood(order=Hold(unit=named))]:
            return named
        case _:
            return None


RULEBOOKS, UNSOUND = "law", "unsound"  # What is wrong, beside the forms of a house rule.


def rules_asked_for(
    command: str,
    pairs: Sequence[str],
    *,
    rules: HouseRules = STANDARD,
    rulebook: Rulebook = DATC,
) -> tuple[HouseRules, Rulebook] | RuleRefused:
    """Return *rules* and *rulebook* with *pairs*, or say under *command* what is wrong there."""
    try:
        asked, law = choose_rules(pairs, rules=rules, rulebook=rulebook)
    except UnknownHouseRuleError as error:
        return RuleRefused(command, error.pair, error.form.name.lower(), error.names)
    except ValueError:
        return rulebook_refused(command)
    if wrong := unsound_rules(asked):
        return RuleRefused(command, ", ".join(wrong), UNSOUND)
    return asked, law


def rulebook_refused(command: str) -> RuleRefused:
    """Say that no other rulebook can be had by *command*."""
    return RuleRefused(command, "rulebook", RULEBOOKS)
