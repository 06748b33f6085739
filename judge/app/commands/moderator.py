"""Commands of the moderator about time, phases and players; BECOME."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from judge.app.commands.command import CommandRow, Handler, Scope
from judge.app.commands.context import MailContext, Session, apply_moderator_command
from judge.app.game.apply import closed_phase
from judge.archive.json_input import MalformedError
from judge.archive.position_json import read_unit
from judge.game import calendar, deadlines, moderator_actions, rollback
from judge.game.calendar import parse_deadline
from judge.game.clock import ProcessNow
from judge.game.commands import Command
from judge.game.deadlines import MoveDeadline, MoveGrace
from judge.game.decision import Why, orders_for_dummy
from judge.game.game_state import Game, SeatState
from judge.game.moderator_tasks import (
    command_for_answer,
    moderator_tasks,
    roll_forward_target,
    tasks_mark,
)
from judge.game.players import joining, seats
from judge.mail.language import command_syntax
from judge.mail.language.command_table import Form
from judge.mail.language.phase_names import phase_named
from judge.notation.parser import parse
from judge.notation.readings import Understood
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item, LineNotUnderstood
from judge.reports.render import kind_name
from judge.rules.board import Map
from judge.rules.types import Hold, Position, Power, UnitName


@dataclass(frozen=True, slots=True)
class RollBack(command_syntax.ParsedLine):
    """`ROLLBACK S1902M RESTORE BECAUSE reason`: *to* is a phase, a number, or the last (None)."""

    to: str | None
    restore: bool
    reason: str


@dataclass(frozen=True, slots=True)
class RollForward(command_syntax.ParsedLine):
    """`ROLLFORWARD BECAUSE reason`: undo the last rollback, or several in a row."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unstart(command_syntax.ParsedLine):
    """`UNSTART BECAUSE reason`: reopen the sign-up of the game."""

    reason: str


@dataclass(frozen=True, slots=True)
class Process(command_syntax.ParsedLine):
    """`PROCESS`, or `PROCESS S1902M`, which applies only if that phase is open."""

    phase: str | None


@dataclass(frozen=True, slots=True)
class SetDeadline(command_syntax.ParsedLine):
    """`SET DEADLINE Fri 27 Nov 20:00 BECAUSE reason`."""

    when: str
    reason: str


@dataclass(frozen=True, slots=True)
class SetGrace(command_syntax.ParsedLine):
    """`SET GRACE Sat 28 Nov 20:00 BECAUSE reason`: the end of the grace period."""

    when: str
    reason: str


@dataclass(frozen=True, slots=True)
class Correct(command_syntax.ParsedLine):
    """`CORRECT France A Bur, no A Par, France owns Bel BECAUSE reason`: *facts* of the board."""

    facts: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class PauseGame(command_syntax.ParsedLine):
    """`PAUSE BECAUSE reason`."""

    reason: str


@dataclass(frozen=True, slots=True)
class GoOn(command_syntax.ParsedLine):
    """`RESUME`."""


@dataclass(frozen=True, slots=True)
class Terminate(command_syntax.ParsedLine):
    """`TERMINATE`."""


@dataclass(frozen=True, slots=True)
class Begin(command_syntax.ParsedLine):
    """`BEGIN`: start the game with the players who have joined."""


@dataclass(frozen=True, slots=True)
class Decide(command_syntax.ParsedLine):
    """`1 YES`, `2 NO`: a decision about the pending task of that number."""

    number: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Eject(command_syntax.ParsedLine):
    """`EJECT F`."""

    power: Power


@dataclass(frozen=True, slots=True)
class Grant(command_syntax.ParsedLine):
    """`GRANT F`, or `DENY F`."""

    power: Power
    granted: bool


@dataclass(frozen=True, slots=True)
class Become(command_syntax.SpeaksFor):
    """`BECOME F`: the rest of the email counts as that player's."""

    power: Power


CORRECTION = re.compile(r"(?:\w+ (?:A|F|ARMY|FLEET)|\w+ OWNS) \S", re.IGNORECASE)
TURN = re.compile(r"\d{1,3}")
DECISION = re.compile(  # of a numbered question: `1 YES`, `1: no`
    r"[.:)]*(\d{1,2})[.:)]* [.:)]*(YES|NO|GRANT|DENY)[.:)]*", re.IGNORECASE
)


def _read_decision(found: re.Match[str]) -> command_syntax.LineMaker:
    return partial(Decide, number=int(found[1]), yes=found[2].upper() in {"YES", "GRANT"})


def _read_rollback(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read our form, nJudge's `ROLLBACK 003` and DPjudge's `ROLLBACK S1902M RESTORE`."""
    words, reason = command_syntax.split_reason(arguments)
    options = {"RESTORE", "FULL"}
    restore = any(word.upper() in options for word in words)
    where = [word for word in words if word.upper() not in options]
    to = phase_named(where, board)
    if len(where) == 1 and TURN.fullmatch(where[0]):
        to = f"{int(where[0]):03}"
    if where and to is None:
        return None
    return partial(RollBack, to=to, restore=restore, reason=reason)


def _read_process(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    code = phase_named(arguments, board)
    return partial(Process, phase=code) if code or not arguments else None


def _read_deadline(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    words, reason = command_syntax.split_reason(arguments)
    when = " ".join(words)
    return (
        partial(SetDeadline, when=when, reason=reason)
        if command_syntax.DATE_HINT.search(when)
        else None
    )


def _read_grace(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    words, reason = command_syntax.split_reason(arguments)
    when = " ".join(words)
    return (
        partial(SetGrace, when=when, reason=reason)
        if command_syntax.DATE_HINT.search(when)
        else None
    )


def _read_correction(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    """Read facts of the board: `France A Bur, no A Par, France owns Bel`."""
    words, reason = command_syntax.split_reason(arguments)
    facts = tuple(each.strip() for each in re.split("[,;]", " ".join(words)))
    return (
        partial(Correct, facts=facts, reason=reason) if all(map(CORRECTION.match, facts)) else None
    )


def _read_force_begin(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
    return Begin if [word.upper() for word in arguments] == ["BEGIN"] else None


def _apply(
    context: MailContext, session: Session, parsed: command_syntax.ParsedLine, command: Command
) -> Item:
    return apply_moderator_command(context, session, parsed, kind_name(parsed), command)


def _pause(context: MailContext, session: Session, parsed: PauseGame) -> Item:
    return _apply(context, session, parsed, deadlines.Pause(parsed.reason, session.person.id))


def _go_on(context: MailContext, session: Session, parsed: GoOn) -> Item:
    return _apply(context, session, parsed, deadlines.ResumeGame(session.person.id))


def _terminate(context: MailContext, session: Session, parsed: Terminate) -> Item:
    return _apply(context, session, parsed, moderator_actions.Terminate(session.person.id))


def _unstart(context: MailContext, session: Session, parsed: Unstart) -> Item:
    return _apply(context, session, parsed, rollback.Unstart(parsed.reason, session.person.id))


def _eject(context: MailContext, session: Session, parsed: Eject) -> Item:
    return _apply(context, session, parsed, seats.Eject(parsed.power, session.person.id))


def _grant(context: MailContext, session: Session, parsed: Grant) -> Item:
    command = deadlines.AnswerExtension(parsed.power, parsed.granted, session.person.id)
    return _apply(context, session, parsed, command)


def _begin(context: MailContext, session: Session, parsed: Begin) -> Item:
    command = joining.Begin(session.person.id, context.judge.random.nonce())
    return _apply(context, session, parsed, command)


def _process(context: MailContext, session: Session, parsed: Process) -> Item:
    return _apply(context, session, parsed, ProcessNow(session.person.id, parsed.phase))


def _roll_back(context: MailContext, session: Session, parsed: RollBack) -> Item:
    found = closed_phase(context.judge, context.transaction, session.game, parsed.to)
    if isinstance(found, Why):
        return CommandRefused(parsed.text.strip(), found)
    command = rollback.RollBack(found, parsed.reason, session.person.id, parsed.restore)
    return _apply(context, session, parsed, command)


def _roll_forward(context: MailContext, session: Session, parsed: RollForward) -> Item:
    log = context.transaction.events.read(session.game)
    to = roll_forward_target(context.board(context.game_of(session)), log)
    if to is None:
        return CommandRefused(parsed.text.strip(), Why.NOTHING_UNDONE)
    command = rollback.RollForward(to, parsed.reason, session.person.id)
    return _apply(context, session, parsed, command)


def _set_deadline(context: MailContext, session: Session, parsed: SetDeadline) -> Item:
    game = context.game_of(session)
    if game.phase is None:
        return _no_phase(game, parsed)
    deadline = parse_deadline(parsed.when, game.house_rules, context.now, game.phase.deadline)
    if deadline is None:
        return LineNotUnderstood(parsed.line, parsed.text)
    item = _apply(
        context, session, parsed, MoveDeadline(deadline, parsed.reason, session.person.id)
    )
    phase = context.game_of(session).phase
    closed = phase is not None and calendar.is_closed(phase.deadline, game.house_rules)
    done = isinstance(item, CommandDone)
    return CommandDone("set_deadline_closed") if done and closed else item


def _set_grace(context: MailContext, session: Session, parsed: SetGrace) -> Item:
    game = context.game_of(session)
    if game.phase is None:
        return _no_phase(game, parsed)
    grace_end = parse_deadline(parsed.when, game.house_rules, context.now, game.phase.grace_end)
    if grace_end is None:
        return LineNotUnderstood(parsed.line, parsed.text)
    return _apply(context, session, parsed, MoveGrace(grace_end, parsed.reason, session.person.id))


def _correct(context: MailContext, session: Session, parsed: Correct) -> Item:
    game = context.game_of(session)
    if game.phase is None or game.position is None:
        return _no_phase(game, parsed)
    position = corrected_position(context.board(game), game.position, parsed.facts)
    if position is None:
        return LineNotUnderstood(parsed.line, parsed.text)
    command = rollback.CorrectPosition(position, parsed.reason, session.person.id)
    return _apply(context, session, parsed, command)


def _no_phase(game: Game, parsed: command_syntax.ParsedLine) -> Item:
    return CommandRefused(parsed.text.strip(), Why.GAME_OVER if game.ending else Why.NOT_STARTED)


def _decide(context: MailContext, session: Session, parsed: Decide) -> Item:
    """Decide the task of that number in the email answered, if it is still open."""
    game = context.game_of(session)
    decisions = moderator_tasks(context.board(game), game)
    asked = session.answered == tasks_mark(decisions)
    if not asked or not 0 < parsed.number <= len(decisions):
        return CommandRefused(parsed.text.strip(), Why.OTHER_DECISIONS)
    decision, seed = decisions[parsed.number - 1], context.judge.random.nonce()
    command = command_for_answer(decision, session.person.id, seed, yes=parsed.yes)
    return _apply(context, session, parsed, command) if command else CommandDone("decide")


def act_for(context: MailContext, session: Session, parsed: Become) -> Session | None:
    """Return the session of the player for whom a moderator who does not play writes."""
    game = context.game(session.game)
    if game and orders_for_dummy(game, parsed.power, session.person.id):
        return replace(session, power=parsed.power, dummy=parsed.power)
    seat = game.seats.get(parsed.power) if game else None
    if game is None or seat is None or seat.person is None or seat.state is not SeatState.PLAYED:
        return None
    if session.person.id != game.moderator or game.power_of(session.person.id):
        return None
    person = context.transaction.people.get(seat.person)
    evidence = context.evidence("moderator")
    assert person is not None, "a player is registered"
    return Session(person, evidence, game.name, parsed.power, acting=True)


def _become(context: MailContext, session: Session, parsed: Become) -> Item:
    """Report for which power the rest of the email counts; `act_for` has changed the session."""
    if session.acting:
        return CommandDone("acted_for")
    other = act_for(context, session, parsed)
    if other is None:
        return CommandRefused(parsed.text.strip(), Why.MODERATOR_ONLY)
    if other.dummy:
        return CommandDone("become_dummy", (parsed.power,))
    return CommandDone("become", (parsed.power,))


NOBODY = ("NO", "NOBODY", "REMOVE")
OWNS = "OWNS"


def corrected_position(board: Map, position: Position, facts: Sequence[str]) -> Position | None:
    """Return *position* with *facts* such as `France A Bur`, `no A Par`, `France owns Bel`.

    Return None if a fact is impossible or unreadable.
    """
    so: Position | None = position
    for fact in facts:
        whose, what, where = fact.split(maxsplit=2)
        power = command_syntax.power_named(whose, board)
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
    """Return *position* with the unit *what*, or without it if *power* is None."""
    named = _named(board, what)
    if named is None or named.kind is None:
        return None
    others = tuple(unit for unit in position.units if unit.province != named.province)
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


def _named(board: Map, text: str) -> UnitName | None:
    match parse(f"{text} H", board):
        case [Understood(order=Hold(unit=named))]:
            return named
        case _:
            return None


def _entry(
    parsed: type[command_syntax.ParsedLine],
    handle: Handler,
    reader: command_syntax.CommandReader,
    *names: str,
    forms: tuple[Form, ...],
    topic: str = "moderator",
    not_with_set: tuple[str, ...] = (),
) -> CommandRow:
    return CommandRow(
        parsed,
        topic=topic,
        forms=forms,
        readers=dict.fromkeys(names, reader),
        not_with_set=not_with_set,
        scope=Scope.MODERATOR,
        handle=handle,
    )


COMMANDS = (
    _entry(
        RollBack,
        _roll_back,
        _read_rollback,
        "ROLLBACK",
        not_with_set=("ROLLBACK",),
        topic="rollback",
        forms=(
            Form(
                "ROLLBACK | ROLLBACK F1902M BECAUSE reason | ROLLBACK F1902M RESTORE",
                "reopens an earlier phase, by code, by number (`003`) or the last one, even of a "
                "game that is over. `RESTORE` brings its orders back. The log keeps everything, "
                "and everybody gets an email",
                also="ROLLBACK 001",
            ),
        ),
    ),
    _entry(
        RollForward,
        _roll_forward,
        command_syntax.with_reason(RollForward),
        "ROLLFORWARD",
        not_with_set=("ROLLFORWARD",),
        forms=(
            Form(
                "ROLLFORWARD | ROLLFORWARD BECAUSE I was right",
                "undoes the last rollbacks, if nothing was played since: the phase that was "
                "open opens again with its orders",
            ),
        ),
    ),
    _entry(
        Unstart,
        _unstart,
        command_syntax.with_reason(Unstart),
        "UNSTART",
        not_with_set=("UNSTART",),
        forms=(
            Form(
                "UNSTART | UNSTART BECAUSE somebody is missing",
                "returns to the sign-up while the first phase is open: players stay joined and "
                "keep their preferences and promised secrecy",
            ),
        ),
    ),
    _entry(
        Process,
        _process,
        _read_process,
        "PROCESS",
        "PROCESS!",
        not_with_set=("PROCESS",),
        forms=(
            Form(
                "PROCESS | PROCESS S1901M",
                "closes the phase now with the orders received; if a phase is named, only that "
                "one",
                also="PROCESS Spring 1901 Movement | PROCESS!",
            ),
        ),
    ),
    _entry(
        SetDeadline,
        _set_deadline,
        _read_deadline,
        "SET DEADLINE",
        "EXTEND",
        forms=(
            Form(
                "SET DEADLINE Fri 27 Nov 20:00 BECAUSE of a holiday",
                "moves the deadline; takes dates in any usual form, in the game's zone, and "
                "`+24h` from the current deadline",
                also="SET DEADLINE Fri Nov 27 2026 20:00 | SET DEADLINE Fri 27 Nov 2026 20:00",
            ),
        ),
    ),
    _entry(
        SetGrace,
        _set_grace,
        _read_grace,
        "SET GRACE",
        forms=(
            Form(
                "SET GRACE Sat 28 Nov 20:00 BECAUSE of a holiday",
                "moves the end of grace; after the deadline it announces the late powers again",
                also="SET GRACE Sat Nov 28",
            ),
        ),
    ),
    _entry(
        Correct,
        _correct,
        _read_correction,
        "CORRECT",
        forms=(
            Form(
                "CORRECT France A Bur, no A Par, France owns Bel BECAUSE of a mistake",
                "corrects units and owners of centers (`nobody owns Bel`) in the open phase, all "
                "or nothing. It clears the orders and asks everybody for new ones. For dislodged "
                "units use `judge game correct`",
            ),
        ),
    ),
    _entry(
        PauseGame,
        _pause,
        command_syntax.with_reason(PauseGame),
        "PAUSE",
        not_with_set=("PAUSE",),
        forms=(Form("PAUSE | PAUSE BECAUSE reason", "stops the clock"),),
    ),
    _entry(
        GoOn,
        _go_on,
        command_syntax.without_arguments(GoOn),
        "RESUME",
        not_with_set=("RESUME",),
        forms=(Form("RESUME", "starts the clock again with the time that was left"),),
    ),
    _entry(
        Terminate,
        _terminate,
        command_syntax.without_arguments(Terminate),
        "TERMINATE",
        not_with_set=("TERMINATE",),
        forms=(Form("TERMINATE", "ends the game without a result"),),
    ),
    CommandRow(
        Begin,
        readers={"BEGIN": command_syntax.without_arguments(Begin), "FORCE": _read_force_begin},
        scope=Scope.MODERATOR,
        handle=_begin,
        topic="moderator",
        forms=(
            Form(
                "BEGIN",
                "starts the game with the players who have joined; other powers are dummies",
                also="FORCE BEGIN",
            ),
        ),
    ),
    CommandRow(
        Decide,
        patterns={DECISION: _read_decision},
        scope=Scope.MODERATOR,
        handle=_decide,
        topic="moderator",
        forms=(Form("1 YES | 2 NO", "answers the open decisions by number"),),
    ),
    _entry(
        Eject,
        _eject,
        command_syntax.about_power(Eject),
        "EJECT",
        forms=(
            Form(
                "EJECT F",
                "removes the player of a power, which is then vacant",
                also="RESIGN F",
            ),
        ),
    ),
    CommandRow(
        Grant,
        readers={
            "GRANT": command_syntax.about_power(partial(Grant, granted=True)),
            "DENY": command_syntax.about_power(partial(Grant, granted=False)),
        },
        scope=Scope.MODERATOR,
        handle=_grant,
        topic="extension",
        forms=(
            Form("GRANT F | DENY F", "grants everybody the time a power asked for, or refuses it"),
        ),
    ),
    CommandRow(
        Become,
        readers={"BECOME": command_syntax.about_power(Become)},
        scope=Scope.EMAIL,
        handle=_become,
        topic="moderator",
        aliases="master, gm, official, reveal",
        forms=(
            Form(
                "BECOME F",
                "makes the rest of the email count as that player's; only they get the answer. "
                "Passwords, addresses and resignations are left to the player. With "
                "`dummies=moderator` it orders for unplayed powers",
            ),
        ),
    ),
)
