"""Commands of the moderator about time and players; BECOME."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from judge.app.commands.command import CommandRow, Scope, moderator_row
from judge.app.commands.context import MailContext, Session, apply_moderator_command
from judge.app.commands.time_zones import zones
from judge.game import calendar, deadlines, moderator_actions
from judge.game.clock import ProcessNow
from judge.game.commands import Command
from judge.game.decision import Why, orders_for_dummy, why_no_open_phase
from judge.game.game_state import SeatState
from judge.game.house_rules import HouseRules
from judge.game.moderator_tasks import command_for_answer, moderator_tasks, tasks_mark
from judge.game.players import joining, seats
from judge.mail.language import command_syntax, phase_names
from judge.mail.language.command_table import Form
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item, LineNotUnderstood
from judge.reports.render import kind_name
from judge.rules.board import Map
from judge.rules.types import Power


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
    """`BECOME F`: the rest of the email counts as that player's; `BECOME MASTER` ends that."""

    power: Power


AHEAD_MAX = timedelta(days=120)  # without a year, as in nJudge: the month is past
YEAR = re.compile(r"\b20\d\d\b")
# Hours behind UTC of the zones that people write behind a time.
ZONES = {"UTC": 0, "GMT": 0, "CET": -1, "CEST": -2, "BST": -1, "EST": 5, "EDT": 4, "CST": 6}
ZONES |= {"CDT": 5, "MST": 7, "MDT": 6, "PST": 8, "PDT": 7}


def in_zone(when: str, rules: HouseRules) -> tuple[str, HouseRules]:
    """Return *when* without the zone at its end, and *rules* of that zone."""
    before, _, last = when.rpartition(" ")
    behind = ZONES.get(last.upper())
    zone = zones().get(last.casefold()) if behind is None else f"Etc/GMT{behind:+d}"
    return (before, replace(rules, zone=zone)) if zone else (when, rules)


DECISION = re.compile(  # of a numbered question: `1 YES`, `1: no`
    r"[.:)]*(\d{1,2})[.:)]* [.:)]*(YES|NO|GRANT|DENY)[.:)]*", re.IGNORECASE
)


def _read_decision(found: re.Match[str]) -> command_syntax.LineMaker:
    return partial(Decide, number=int(found[1]), yes=found[2].upper() in {"YES", "GRANT"})


def _read_process(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    code = phase_names.phase_named(arguments, board)
    return partial(Process, phase=code) if code or not arguments else None


def _read_date(
    make: type[SetDeadline | SetGrace], arguments: list[str], _: Map
) -> command_syntax.LineMaker | None:
    words, reason = command_syntax.split_reason(arguments)
    when = " ".join(words)
    dated = command_syntax.DATE_HINT.search(when)
    return partial(make, when=when, reason=reason) if dated else None


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


def _eject(context: MailContext, session: Session, parsed: Eject) -> Item:
    return _apply(context, session, parsed, seats.Eject(parsed.power, session.person.id))


def _grant(context: MailContext, session: Session, parsed: Grant) -> Item:
    command = deadlines.AnswerExtension(parsed.power, parsed.granted, session.person.id)
    return _apply(context, session, parsed, command)


def answer_extension_in_reply(
    context: MailContext, session: Session, parsed: command_syntax.ParsedLine, *, yes: bool
) -> Item | None:
    """Answer the request for an extension that the moderator's email answers, if any."""
    game = context.game(session.game)
    power = deadlines.extension_answered(game, session.answered) if game else None
    if game is None or power is None or game.moderator != session.person.id:
        return None
    return _grant(context, session, Grant(power, yes, line=parsed.line, text=parsed.text))


def _begin(context: MailContext, session: Session, parsed: Begin) -> Item:
    command = joining.Begin(session.person.id, context.judge.random.nonce())
    return _apply(context, session, parsed, command)


def _process(context: MailContext, session: Session, parsed: Process) -> Item:
    return _apply(context, session, parsed, ProcessNow(session.person.id, parsed.phase))


def _set_deadline(context: MailContext, session: Session, parsed: SetDeadline) -> Item:
    game = context.game_of(session)
    if why := why_no_open_phase(game):
        return CommandRefused(parsed.text.strip(), why)
    assert game.phase is not None
    when, rules = in_zone(parsed.when, game.house_rules)
    deadline = calendar.parse_deadline(when, rules, context.now, game.phase.deadline)
    if deadline is None:
        return LineNotUnderstood(parsed.line, parsed.text)
    if deadline - context.now > AHEAD_MAX and not YEAR.search(when):
        year = f"SET DEADLINE {parsed.when} {deadline.year}"
        return LineNotUnderstood(parsed.line, parsed.text, (year,))
    command = deadlines.MoveDeadline(deadline, parsed.reason, session.person.id)
    item = _apply(context, session, parsed, command)
    phase = context.game_of(session).phase
    closed = phase is not None and calendar.is_closed(phase.deadline, game.house_rules)
    done = isinstance(item, CommandDone)
    return CommandDone("set_deadline_closed") if done and closed else item


def _set_grace(context: MailContext, session: Session, parsed: SetGrace) -> Item:
    game = context.game_of(session)
    if why := why_no_open_phase(game):
        return CommandRefused(parsed.text.strip(), why)
    assert game.phase is not None
    grace_end = calendar.parse_deadline(
        parsed.when, game.house_rules, context.now, game.phase.grace_end
    )
    if grace_end is None:
        return LineNotUnderstood(parsed.line, parsed.text)
    command = deadlines.MoveGrace(grace_end, parsed.reason, session.person.id)
    return _apply(context, session, parsed, command)


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


def _read_becoming(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    seat = command_syntax.seat_named(arguments[0], board) if len(arguments) == 1 else None
    return partial(Become, power=seat) if seat and seat != command_syntax.OBSERVER else None


def _moderates(context: MailContext, session: Session) -> bool:
    game = context.game(session.game)
    return game is not None and game.moderator == session.person.id


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
    evidence = context.evidence("moderator", game.name)
    assert person is not None, "a player is registered"
    return Session(person, evidence, game.name, parsed.power, acting=True)


def _become(context: MailContext, session: Session, parsed: Become) -> Item:
    """Report for which power the rest of the email counts; `act_for` has changed the session."""
    if session.acting:
        return CommandDone("acted_for")
    if parsed.power == command_syntax.MASTER and _moderates(context, session):
        return CommandDone("become_master")
    other = act_for(context, session, parsed)
    if other is None:
        return CommandRefused(parsed.text.strip(), Why.MODERATOR_ONLY)
    if other.dummy:
        return CommandDone("become_dummy", (parsed.power,))
    return CommandDone("become", (parsed.power,))


COMMANDS = (
    moderator_row(
        Process,
        readers={"PROCESS": _read_process, "PROCESS!": _read_process},
        not_with_set=("PROCESS",),
        handle=_process,
        forms=(
            Form(
                "PROCESS | PROCESS S1901M",
                "closes the phase now with the orders received; if a phase is named, only that "
                "one",
                also="PROCESS Spring 1901 Movement | PROCESS!",
            ),
        ),
    ),
    moderator_row(
        SetDeadline,
        readers=dict.fromkeys(("SET DEADLINE", "EXTEND"), partial(_read_date, SetDeadline)),
        handle=_set_deadline,
        forms=(
            Form(
                "SET DEADLINE Fri 27 Nov 20:00 BECAUSE of a holiday",
                "moves the deadline; takes dates in any usual form, in the game's zone, "
                "`+24h` from the current deadline, and `in 30m` from now",
                also="SET DEADLINE Fri Nov 27 2026 20:00 | SET DEADLINE Fri 27 Nov 2026 20:00",
            ),
        ),
    ),
    moderator_row(
        SetGrace,
        readers={"SET GRACE": partial(_read_date, SetGrace)},
        handle=_set_grace,
        forms=(
            Form(
                "SET GRACE Sat 28 Nov 20:00 BECAUSE of a holiday",
                "moves the end of grace; after the deadline it announces the late powers again",
                also="SET GRACE Sat Nov 28",
            ),
        ),
    ),
    moderator_row(
        PauseGame,
        readers=dict.fromkeys(("PAUSE", "SUSPEND"), command_syntax.with_reason(PauseGame)),
        not_with_set=("PAUSE", "SUSPEND"),
        handle=_pause,
        forms=(Form("PAUSE | PAUSE BECAUSE reason", "stops the clock"),),
    ),
    moderator_row(
        GoOn,
        readers={"RESUME": command_syntax.without_arguments(GoOn)},
        not_with_set=("RESUME",),
        handle=_go_on,
        forms=(Form("RESUME", "starts the clock again with the time that was left"),),
    ),
    moderator_row(
        Terminate,
        readers={"TERMINATE": command_syntax.without_arguments(Terminate)},
        not_with_set=("TERMINATE",),
        handle=_terminate,
        forms=(Form("TERMINATE", "ends the game without a result"),),
    ),
    moderator_row(
        Begin,
        readers={"BEGIN": command_syntax.without_arguments(Begin), "FORCE": _read_force_begin},
        handle=_begin,
        forms=(
            Form(
                "BEGIN",
                "starts the game with the players who have joined; other powers are dummies",
                also="FORCE BEGIN",
            ),
        ),
    ),
    moderator_row(
        Decide,
        patterns={DECISION: _read_decision},
        handle=_decide,
        forms=(Form("1 YES | 2 NO", "answers the open decisions by number"),),
    ),
    moderator_row(
        Eject,
        readers={"EJECT": command_syntax.about_power(Eject)},
        handle=_eject,
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
        readers={"BECOME": _read_becoming},
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
